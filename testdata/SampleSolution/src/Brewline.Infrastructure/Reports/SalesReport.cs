using System.Data.Common;
using Dapper;

namespace Brewline.Infrastructure.Reports;

public sealed record SalesRow(string Product, int Quantity, decimal Revenue);

/// <summary>Reads with plain SQL what the object model is too slow for.</summary>
public sealed class SalesReport(DbConnection connection)
{
    private const string TopProducts =
        """
        SELECT p.name AS Product, SUM(l.quantity) AS Quantity, SUM(l.quantity * l.price) AS Revenue
        FROM order_lines l
        JOIN catalog.products p ON p.id = l.product_id
        GROUP BY p.name
        ORDER BY Revenue DESC
        LIMIT @limit
        """;

    public async Task<IReadOnlyList<SalesRow>> TopProductsAsync(int limit = 10) =>
        [.. await connection.QueryAsync<SalesRow>(TopProducts, new { limit })];

    public Task<int> ForgetCustomerAsync(string customer) =>
        connection.ExecuteAsync("UPDATE orders SET customer = 'forgotten' WHERE customer = @customer", new { customer });
}
