namespace Brewline.Domain.Shared;

/// <summary>Something with an identity that outlives its state.</summary>
/// <typeparam name="TId">The strongly typed identity, such as <see cref="Orders.OrderId"/>.</typeparam>
public abstract class Entity<TId> : IEquatable<Entity<TId>>
    where TId : struct, IEquatable<TId>
{
    private readonly List<IDomainEvent> _events = [];

    protected Entity(TId id) => Id = id;

    public TId Id { get; }

    /// <summary>What has happened to the entity since it was loaded, oldest first.</summary>
    public IReadOnlyList<IDomainEvent> Events => _events;

    protected void Raise(IDomainEvent happened) => _events.Add(happened);

    public void ClearEvents() => _events.Clear();

    public bool Equals(Entity<TId>? other) => other is not null && other.GetType() == GetType() && Id.Equals(other.Id);

    public override bool Equals(object? obj) => Equals(obj as Entity<TId>);

    public override int GetHashCode() => HashCode.Combine(GetType(), Id);

    public static bool operator ==(Entity<TId>? left, Entity<TId>? right) => Equals(left, right);

    public static bool operator !=(Entity<TId>? left, Entity<TId>? right) => !(left == right);
}
