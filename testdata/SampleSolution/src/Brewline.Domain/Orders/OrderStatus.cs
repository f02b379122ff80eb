namespace Brewline.Domain.Orders;

public enum OrderStatus : byte
{
    Open,
    Submitted,
    Paid,
    Shipped,
    Cancelled = 100,
}

public sealed class InvalidTransitionException(OrderId order, OrderStatus from, OrderStatus to, string why)
    : DomainException($"Order {order.Value} cannot go from {from} to {to}: {why}.", ErrorCodes.InvalidTransition);
