namespace Brewline.Domain.Orders;

/// <summary>Loads and keeps orders. Nothing is stored before <see cref="SaveAsync"/>.</summary>
public interface IOrderRepository
{
    Task<Order?> FindAsync(OrderId id, CancellationToken cancellationToken = default);

    Task<IReadOnlyList<Order>> OfCustomerAsync(string customer, CancellationToken cancellationToken = default);

    void Add(Order order);

    Task<int> SaveAsync(CancellationToken cancellationToken = default);
}
