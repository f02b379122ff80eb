namespace Brewline.Api.Contracts;

public record struct ProductRequest(string Name, decimal Price, string Roast, int Stock);

public sealed record ProductResponse
{
    public required Guid Id { get; init; }

    public required string Name { get; init; }

    public string Price { get; init; } = "";

    [Obsolete("Clients should read 'available'.")]
    public bool InStock => Available > 0;

    public int Available { get; init; }

    public static ProductResponse Of(Product product) => new()
    {
        Id = product.Id.Value,
        Name = product.Name,
        Price = product.Price.ToString(),
        Available = product.Available,
    };
}
