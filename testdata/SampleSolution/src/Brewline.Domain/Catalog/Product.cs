namespace Brewline.Domain.Catalog;

public readonly record struct ProductId(Guid Value)
{
    public static ProductId New() => new(Guid.CreateVersion7());

    public override string ToString() => Value.ToString("N");
}

public enum RoastLevel
{
    Light = 1,
    Medium,
    Dark,
}

/// <summary>Something that can be ordered, with what is left of it.</summary>
public sealed class Product : Entity<ProductId>
{
    private int _reserved;

    public Product(ProductId id, string name, Money price, RoastLevel roast, int stock)
        : base(id)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        Name = name;
        Price = price;
        Roast = roast;
        Stock = stock;
    }

    public string Name { get; private set; }

    public Money Price { get; private set; }

    public RoastLevel Roast { get; }

    public int Stock { get; private set; }

    public int Available => Stock - _reserved;

    /// <summary>Sets some units aside until the order is paid.</summary>
    /// <exception cref="OutOfStockException">Fewer are left.</exception>
    public void Reserve(int quantity)
    {
        if (quantity > Available)
        {
            throw new OutOfStockException(this, quantity);
        }

        _reserved += quantity;
        Raise(new StockReserved(Id, quantity, DateTimeOffset.UtcNow));
    }

    public void Release(int quantity) => _reserved = Math.Max(0, _reserved - quantity);

    public void Reprice(Money price)
    {
        var before = Price;
        Price = price;
        Raise(new PriceChanged(Id, before, price, DateTimeOffset.UtcNow));
    }

    public sealed record StockReserved(ProductId Product, int Quantity, DateTimeOffset OccurredAt) : IDomainEvent;

    public sealed record PriceChanged(ProductId Product, Money Before, Money After, DateTimeOffset OccurredAt) : IDomainEvent;
}

public sealed class OutOfStockException(Product product, int wanted)
    : DomainException($"{wanted} of {product.Name} were wanted, {product.Available} are left.", ErrorCodes.OutOfStock);
