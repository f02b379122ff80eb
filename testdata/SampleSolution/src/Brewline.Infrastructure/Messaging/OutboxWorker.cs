using Brewline.Infrastructure.Persistence;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Brewline.Infrastructure.Messaging;

/// <summary>Sends the messages of the outbox, oldest first, as often as <c>Outbox:IntervalSeconds</c> says.</summary>
public sealed class OutboxWorker(
    IServiceScopeFactory scopes,
    [FromKeyedServices("bus")] IMessageChannel channel,
    IConfiguration configuration,
    ILogger<OutboxWorker> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var interval = TimeSpan.FromSeconds(configuration.GetValue("Outbox:IntervalSeconds", 5));
        using var timer = new PeriodicTimer(interval);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                await SendPendingAsync(stoppingToken);
            }
            catch (Exception error) when (error is not OperationCanceledException)
            {
                logger.LogError(error, "Sending the outbox failed; next try in {Interval}", interval);
            }
        }
    }

    internal async Task<int> SendPendingAsync(CancellationToken cancellationToken)
    {
        await using var scope = scopes.CreateAsyncScope();
        var context = scope.ServiceProvider.GetRequiredService<BrewlineContext>();
        var batch = configuration["Outbox:BatchSize"] is { Length: > 0 } size ? int.Parse(size) : 100;
        var pending = await context.Outbox.Where(m => m.SentAt == null).OrderBy(m => m.Id).Take(batch).ToListAsync(cancellationToken);
        foreach (var message in pending)
        {
            await channel.SendAsync(message.Topic, message.Body, cancellationToken);
            message.SentAt = DateTimeOffset.UtcNow;
        }

        logger.LogDebug("Sent {Count} messages", pending.Count);
        return await context.SaveChangesAsync(cancellationToken);
    }
}
