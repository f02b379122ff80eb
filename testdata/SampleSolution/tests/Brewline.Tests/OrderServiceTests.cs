using Brewline.Domain.Catalog;
using Brewline.Domain.Loyalty;
using Brewline.Domain.Orders;
using Brewline.Domain.Payments;
using Brewline.Domain.Shared;

namespace Brewline.Tests;

public sealed class OrderServiceTests : IOrderRepository, IProductRepository, IPaymentGateway
{
    private readonly Dictionary<OrderId, Order> _orders = [];
    private readonly Dictionary<ProductId, Product> _products = [];
    private readonly OrderService _service;

    public OrderServiceTests() => _service = new OrderService(this, this, this, NoDiscount.Instance, TimeProvider.System);

    [Fact]
    public async Task Placing_an_order_stores_it()
    {
        var coffee = Some.Coffee();
        _products[coffee.Id] = coffee;

        var placed = await _service.PlaceAsync("Ada", [(coffee.Id, 3)], CancellationToken.None);

        True(placed.TryGet(out var order));
        Same(_orders[order!.Id], order);
        Equal(7, coffee.Available);
    }

    [Fact]
    public async Task An_unknown_order_cannot_be_paid() =>
        await ThrowsAsync<NotFoundException>(
            () => _service.PayAsync(new OrderId(-1), new PaymentMethod.Card("tok"), CancellationToken.None));

    Task<Order?> IOrderRepository.FindAsync(OrderId id, CancellationToken cancellationToken) =>
        Task.FromResult(_orders.GetValueOrDefault(id));

    Task<IReadOnlyList<Order>> IOrderRepository.OfCustomerAsync(string customer, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<Order>>([.. _orders.Values.Where(order => order.Customer == customer)]);

    void IOrderRepository.Add(Order order) => _orders.Add(order.Id, order);

    Task<int> IOrderRepository.SaveAsync(CancellationToken cancellationToken) => Task.FromResult(_orders.Count);

    Task<Product?> IProductRepository.FindAsync(ProductId id, CancellationToken cancellationToken) =>
        Task.FromResult(_products.GetValueOrDefault(id));

    IAsyncEnumerable<Product> IProductRepository.BrowseAsync(ProductFilter filter, CancellationToken cancellationToken) =>
        _products.Values.Where(filter.Matches).ToAsyncEnumerable();

    void IProductRepository.Add(Product product) => _products.Add(product.Id, product);

    Task<Receipt> IPaymentGateway.ChargeAsync(Charge charge, CancellationToken cancellationToken) =>
        Task.FromResult(new Receipt($"R-{charge.Order.Value}", DateTimeOffset.UnixEpoch));
}
