using System.Threading.Channels;

namespace Brewline.Infrastructure.Messaging;

public interface IMessageChannel
{
    ValueTask SendAsync(string topic, string body, CancellationToken cancellationToken);
}

/// <summary>For development and tests: whoever reads <see cref="Messages"/> gets everything.</summary>
public sealed class InMemoryChannel : IMessageChannel
{
    private readonly Channel<(string Topic, string Body)> _messages = Channel.CreateUnbounded<(string, string)>();

    public ChannelReader<(string Topic, string Body)> Messages => _messages.Reader;

    public ValueTask SendAsync(string topic, string body, CancellationToken cancellationToken) =>
        _messages.Writer.WriteAsync((topic, body), cancellationToken);
}

file static class Topics
{
    internal const string Prefix = "brewline.";

    internal static string Qualified(string topic) => topic.StartsWith(Prefix, StringComparison.Ordinal) ? topic : Prefix + topic;
}

/// <summary>Posts every message to one address.</summary>
public sealed class WebhookChannel(HttpClient client) : IMessageChannel
{
    public async ValueTask SendAsync(string topic, string body, CancellationToken cancellationToken)
    {
        using var content = new StringContent(body);
        content.Headers.Add("X-Topic", Topics.Qualified(topic));
        using var response = await client.PostAsync("hooks", content, cancellationToken);
        response.EnsureSuccessStatusCode();
    }
}
