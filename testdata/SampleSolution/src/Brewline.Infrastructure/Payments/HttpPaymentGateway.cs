using System.Net;
using System.Net.Http.Json;
using Brewline.Domain.Payments;
using Microsoft.Extensions.Logging;
using Polly;
using Polly.CircuitBreaker;
using Polly.Retry;
using Polly.Timeout;

namespace Brewline.Infrastructure.Payments;

/// <summary>Charges through the provider's HTTP interface, patiently.</summary>
public sealed class HttpPaymentGateway(HttpClient client, ILogger<HttpPaymentGateway> logger) : IPaymentGateway
{
    private static readonly HttpRequestOptionsKey<int> AttemptKey = new("attempt");

    private readonly ResiliencePipeline<HttpResponseMessage> _pipeline = new ResiliencePipelineBuilder<HttpResponseMessage>()
        .AddRetry(new RetryStrategyOptions<HttpResponseMessage>
        {
            MaxRetryAttempts = 4,
            Delay = TimeSpan.FromMilliseconds(200),
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            ShouldHandle = new PredicateBuilder<HttpResponseMessage>()
                .Handle<HttpRequestException>()
                .Handle<TimeoutRejectedException>()
                .HandleResult(response => response.StatusCode >= HttpStatusCode.InternalServerError),
        })
        .AddCircuitBreaker(new CircuitBreakerStrategyOptions<HttpResponseMessage> { FailureRatio = 0.5, MinimumThroughput = 20 })
        .AddTimeout(TimeSpan.FromSeconds(3))
        .Build();

    public async Task<Receipt> ChargeAsync(Charge charge, CancellationToken cancellationToken)
    {
        using var scope = logger.BeginScope("Charging order {OrderId}", charge.Order.Value);
        var response = await _pipeline.ExecuteAsync(token => PostAsync(charge, token), cancellationToken);
        if (response.StatusCode is HttpStatusCode.PaymentRequired)
        {
            throw new PaymentDeclinedException(charge, await response.Content.ReadAsStringAsync(cancellationToken));
        }

        return await response.Content.ReadFromJsonAsync<Receipt>(cancellationToken)
            ?? throw new InvalidOperationException("The provider sent no receipt.");
    }

    private async ValueTask<HttpResponseMessage> PostAsync(Charge charge, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "v2/charges");
        request.Options.Set(AttemptKey, 1);
        request.Content = new StringContent(
            $$"""
            { "order": {{charge.Order.Value}}, "amount": "{{charge.Amount}}" }
            """);
        return await client.SendAsync(request, cancellationToken);
    }
}
