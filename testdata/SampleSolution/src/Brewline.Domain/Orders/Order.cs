using Brewline.Domain.Catalog;

namespace Brewline.Domain.Orders;

/// <summary>
/// What a customer wants to buy. An order is open until it is submitted, and cannot be changed afterwards.
/// </summary>
/// <remarks>The transitions are in <c>Order.Transitions.cs</c>.</remarks>
public sealed partial class Order : Entity<OrderId>
{
    private readonly List<Line> _lines = [];

    public Order(OrderId id, string customer)
        : base(id) => Customer = customer;

    public string Customer { get; }

    public OrderStatus Status { get; private set; } = OrderStatus.Open;

    public IReadOnlyList<Line> Lines => _lines;

    public Money Discount
    {
        get;
        private set => field = value.Amount >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(value));
    }

    public Money Total => _lines.TotalOf(line => line.Price * line.Quantity) - Discount;

    /// <summary>The line of a product, or nothing.</summary>
    public Line? this[ProductId product] => _lines.Find(line => line.Product == product);

    /// <summary>Adds to the line of the product, or begins one, and reserves the stock.</summary>
    public Line Add(Product product, int quantity = 1)
    {
        ArgumentNullException.ThrowIfNull(product);
        EnsureOpen();
        product.Reserve(quantity);
        if (this[product.Id] is { } line)
        {
            line.Quantity += quantity;
            return line;
        }

        line = new Line(product.Id, product.Price) { Quantity = quantity };
        _lines.Add(line);
        return line;
    }

    public void Apply(IDiscountPolicy policy) => Discount = policy.DiscountFor(this);

    /// <summary>One product of an order, at the price of the moment it was added.</summary>
    public sealed class Line(ProductId product, Money price)
    {
        public ProductId Product { get; } = product;

        public Money Price { get; } = price;

        public required int Quantity
        {
            get;
            set
            {
                ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
                field = value;
            }
        }
    }
}
