namespace Brewline.Domain.Shared;

/// <summary>A fact that other parts of the system may react to.</summary>
public interface IDomainEvent
{
    /// <summary>When it happened, in UTC.</summary>
    DateTimeOffset OccurredAt { get; }

    /// <summary>The name under which the event is published.</summary>
    string Topic => GetType().Name;
}

/// <summary>Publishes what aggregates have raised.</summary>
public interface IEventPublisher
{
    Task PublishAsync<TEvent>(TEvent happened, CancellationToken cancellationToken = default)
        where TEvent : IDomainEvent;
}
