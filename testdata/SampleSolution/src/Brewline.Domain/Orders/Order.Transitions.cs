namespace Brewline.Domain.Orders;

public sealed partial class Order
{
    /// <summary>Told after every transition, with the status before it.</summary>
    public event EventHandler<OrderStatus>? StatusChanged;

    public void Submit(DateTimeOffset now)
    {
        if (_lines.IsEmpty)
        {
            throw new InvalidTransitionException(Id, Status, OrderStatus.Submitted, "it has no lines");
        }

        MoveTo(OrderStatus.Submitted);
        Raise(new OrderSubmitted(Id, Total, now));
    }

    public void MarkPaid(string receipt, DateTimeOffset now)
    {
        MoveTo(OrderStatus.Paid);
        Raise(new OrderPaid(Id, receipt, now));
    }

    public void Ship(DateTimeOffset now)
    {
        MoveTo(OrderStatus.Shipped);
        Raise(new OrderShipped(Id, now));
    }

    public void Cancel(string reason, DateTimeOffset now)
    {
        MoveTo(OrderStatus.Cancelled);
        Raise(new OrderCancelled(Id, reason, now));
    }

    private void EnsureOpen()
    {
        if (Status is not OrderStatus.Open)
        {
            throw new InvalidTransitionException(Id, Status, OrderStatus.Open, "it was submitted");
        }
    }

    private void MoveTo(OrderStatus next)
    {
        var allowed = (Status, next) switch
        {
            (OrderStatus.Open, OrderStatus.Submitted or OrderStatus.Cancelled) => true,
            (OrderStatus.Submitted, OrderStatus.Paid or OrderStatus.Cancelled) => true,
            (OrderStatus.Paid, OrderStatus.Shipped) => true,
            _ => false,
        };
        if (!allowed)
        {
            throw new InvalidTransitionException(Id, Status, next, "there is no such transition");
        }

        var before = Status;
        Status = next;
        StatusChanged?.Invoke(this, before);
    }
}
