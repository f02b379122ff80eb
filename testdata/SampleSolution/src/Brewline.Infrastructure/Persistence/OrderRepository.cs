using Brewline.Domain.Orders;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Logging;

namespace Brewline.Infrastructure.Persistence;

internal sealed partial class OrderRepository(BrewlineContext context, ILogger<OrderRepository> logger) : IOrderRepository
{
    private readonly ILogger _logger = logger;

    public async Task<Order?> FindAsync(OrderId id, CancellationToken cancellationToken = default)
    {
        var order = await context.Orders.Include(each => each.Lines).FirstOrDefaultAsync(each => each.Id == id, cancellationToken);
        if (order is null)
        {
            LogMissing(id.Value);
        }

        return order;
    }

    public async Task<IReadOnlyList<Order>> OfCustomerAsync(string customer, CancellationToken cancellationToken = default) =>
        await context.Orders
            .Where(order => order.Customer == customer && order.Status != OrderStatus.Cancelled)
            .OrderByDescending(order => order.Id)
            .AsNoTracking()
            .ToListAsync(cancellationToken);

    public void Add(Order order) => context.Orders.Add(order);

    public async Task<int> SaveAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            return await context.SaveChangesAsync(cancellationToken);
        }
        catch (DbUpdateConcurrencyException error) when (error.Entries.Count == 1)
        {
            _logger.LogWarning(error, "Order was changed by somebody else; {Count} entries are lost", error.Entries.Count);
            throw;
        }
    }

    [LoggerMessage(EventId = 1001, Level = LogLevel.Information, Message = "Order {OrderId} was asked for and does not exist")]
    private partial void LogMissing(int orderId);
}
