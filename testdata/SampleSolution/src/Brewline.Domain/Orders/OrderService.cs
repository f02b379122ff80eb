using Brewline.Domain.Catalog;
using Brewline.Domain.Payments;

namespace Brewline.Domain.Orders;

public interface IOrderService
{
    Task<Result<Order>> PlaceAsync(string customer, IEnumerable<(ProductId Product, int Quantity)> lines, CancellationToken cancellationToken);

    Task<Order> PayAsync(OrderId id, PaymentMethod method, CancellationToken cancellationToken);
}

/// <summary>The use cases around orders.</summary>
public sealed class OrderService(
    IOrderRepository orders,
    IProductRepository products,
    IPaymentGateway payments,
    IDiscountPolicy discounts,
    TimeProvider clock) : IOrderService
{
    private static int _lastId;

    public async Task<Result<Order>> PlaceAsync(
        string customer,
        IEnumerable<(ProductId Product, int Quantity)> lines,
        CancellationToken cancellationToken)
    {
        var order = new Order(new OrderId(Interlocked.Increment(ref _lastId)), customer);
        foreach (var (id, quantity) in lines)
        {
            var product = await products.FindAsync(id, cancellationToken);
            if (product is null)
            {
                return new Result<Order>.Failure(ErrorCodes.NotFound, $"There is no product {id}.");
            }

            order.Add(product, quantity);
        }

        order.Apply(discounts);
        order.Submit(clock.GetUtcNow());
        orders.Add(order);
        await orders.SaveAsync(cancellationToken);
        return order;
    }

    public async Task<Order> PayAsync(OrderId id, PaymentMethod method, CancellationToken cancellationToken)
    {
        var order = await orders.FindAsync(id, cancellationToken) ?? throw new NotFoundException("order", id);
        var receipt = await payments.ChargeAsync(new Charge(order.Id, order.Total, method), cancellationToken);
        order.MarkPaid(receipt.Number, receipt.At);
        await orders.SaveAsync(cancellationToken);
        return order;
    }
}
