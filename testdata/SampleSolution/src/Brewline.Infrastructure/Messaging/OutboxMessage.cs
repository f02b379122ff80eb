using System.Text.Json;
using System.Text.Json.Serialization;

namespace Brewline.Infrastructure.Messaging;

/// <summary>An event that is stored before it is sent.</summary>
public sealed class OutboxMessage
{
    public required Guid Id { get; init; }

    public required string Topic { get; init; }

    public required string Body { get; init; }

    [JsonIgnore]
    public DateTimeOffset? SentAt { get; set; }

    public static OutboxMessage From(IDomainEvent happened) => new()
    {
        Id = Guid.CreateVersion7(happened.OccurredAt),
        Topic = happened.Topic,
        Body = JsonSerializer.Serialize(happened, happened.GetType()),
    };
}
