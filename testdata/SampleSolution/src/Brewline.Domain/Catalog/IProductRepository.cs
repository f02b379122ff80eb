namespace Brewline.Domain.Catalog;

public interface IProductRepository
{
    Task<Product?> FindAsync(ProductId id, CancellationToken cancellationToken);

    IAsyncEnumerable<Product> BrowseAsync(ProductFilter filter, CancellationToken cancellationToken);

    void Add(Product product);
}

/// <summary>What a customer may narrow the catalogue by; null and empty mean everything.</summary>
public sealed record ProductFilter(string? Text = null, RoastLevel? Roast = null, bool InStockOnly = false)
{
    public static ProductFilter Everything { get; } = new();

    public bool Matches(Product product) => product switch
    {
        { Available: <= 0 } when InStockOnly => false,
        { Roast: var roast } when Roast is { } wanted && roast != wanted => false,
        { Name: var name } => Text is null or "" || name.Contains(Text, StringComparison.OrdinalIgnoreCase),
    };
}
