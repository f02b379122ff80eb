using System.ComponentModel.DataAnnotations;

namespace Brewline.Api.Contracts;

public sealed record OrderLineRequest([property: Required] Guid ProductId, [Range(1, 1000)] int Quantity = 1);

public sealed record PlaceOrderRequest([MaxLength(200)] string Customer, OrderLines Lines)
{
    internal IEnumerable<(ProductId Product, int Quantity)> Parsed() =>
        Lines.Select(line => (new ProductId(line.ProductId), line.Quantity));
}

public sealed record PayOrderRequest(string Method);

public sealed record OrderResponse(int Id, string Customer, string Status, string Total)
{
    public required string[] Lines { get; init; }

    public static OrderResponse Of(Order order) => new((int)order.Id, order.Customer, order.Status.ToString(), order.Total.ToString())
    {
        Lines = [.. order.Lines.Select(line => $"{line.Quantity} × {line.Product}")],
    };
}
