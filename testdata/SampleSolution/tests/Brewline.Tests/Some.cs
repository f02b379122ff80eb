using Brewline.Domain.Catalog;
using Brewline.Domain.Orders;
using Brewline.Domain.Shared;

namespace Brewline.Tests;

/// <summary>Makes what tests need and do not care about.</summary>
internal static class Some
{
    public static Product Coffee(string name = "House Blend", decimal price = 12.50m, int stock = 10) =>
        new(ProductId.New(), name, Money.Euro(price), RoastLevel.Medium, stock);

    public static Order Order(params Product[] products)
    {
        var order = new Order(new OrderId(42), "Ada");
        foreach (var product in products)
        {
            order.Add(product);
        }

        return order;
    }
}
