using Brewline.Domain.Catalog;
using Brewline.Domain.Loyalty;
using Brewline.Domain.Orders;
using Brewline.Domain.Shared;

namespace Brewline.Tests;

public class OrderTests
{
    private static readonly DateTimeOffset Now = new(2030, 1, 1, 8, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Adding_the_same_product_twice_makes_one_line()
    {
        var coffee = Some.Coffee();
        var order = Some.Order(coffee, coffee);

        Single(order.Lines);
        Equal(2, order[coffee.Id]?.Quantity);
        Equal(Money.Euro(25m), order.Total);
    }

    [Fact]
    public void More_than_is_left_cannot_be_ordered() =>
        Throws<OutOfStockException>(() => Some.Order().Add(Some.Coffee(stock: 1), 2));

    [Theory]
    [InlineData(OrderStatus.Paid)]
    [InlineData(OrderStatus.Shipped)]
    public void An_open_order_is_neither_paid_nor_shipped(OrderStatus wanted)
    {
        var order = Some.Order(Some.Coffee());
        Action transition = wanted is OrderStatus.Paid ? () => order.MarkPaid("r1", Now) : () => order.Ship(Now);

        var error = Throws<InvalidTransitionException>(transition);
        Equal(ErrorCodes.InvalidTransition, error.Code);
    }

    [Fact]
    public void Submitting_tells_listeners_and_raises_an_event()
    {
        var order = Some.Order(Some.Coffee());
        OrderStatus? seen = null;
        order.StatusChanged += (_, before) => seen = before;

        order.Submit(Now);

        Equal(OrderStatus.Open, seen);
        Contains(order.Events, happened => happened is OrderSubmitted { Topic: "orders.OrderSubmitted" });
    }

    [Fact]
    public void The_best_discount_wins()
    {
        var order = Some.Order(Some.Coffee(price: 100m));
        order.Apply(new BestOf(NoDiscount.Instance, new VolumeDiscount(50m, new Percentage(10m))));

        Equal(Money.Euro(90m), order.Total);
    }
}
