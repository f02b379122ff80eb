namespace Brewline.Domain.Orders;

public abstract record OrderEvent(OrderId Order, DateTimeOffset OccurredAt) : IDomainEvent
{
    public virtual string Topic => "orders." + GetType().Name;
}

public sealed record OrderSubmitted(OrderId Order, Money Total, DateTimeOffset OccurredAt) : OrderEvent(Order, OccurredAt);

public sealed record OrderPaid(OrderId Order, string Receipt, DateTimeOffset OccurredAt) : OrderEvent(Order, OccurredAt);

public sealed record OrderShipped(OrderId Order, DateTimeOffset OccurredAt) : OrderEvent(Order, OccurredAt);

public sealed record OrderCancelled(OrderId Order, string Reason, DateTimeOffset OccurredAt) : OrderEvent(Order, OccurredAt)
{
    public override string Topic => "orders.cancelled";
}
