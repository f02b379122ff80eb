using Brewline.Domain.Catalog;
using Brewline.Domain.Orders;
using Brewline.Infrastructure.Messaging;
using Microsoft.EntityFrameworkCore;

namespace Brewline.Infrastructure.Persistence;

/// <summary>The service's own database.</summary>
public class BrewlineContext(DbContextOptions<BrewlineContext> options) : DbContext(options)
{
    public DbSet<Order> Orders => Set<Order>();

    public DbSet<Product> Products { get; set; } = null!;

    public DbSet<OutboxMessage> Outbox { get; set; } = null!;

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.HasDefaultSchema("brewline");
        modelBuilder.ApplyConfigurationsFromAssembly(typeof(BrewlineContext).Assembly);
        modelBuilder.Entity<OutboxMessage>().ToTable("outbox_messages").HasKey(message => message.Id);
    }

    protected override void ConfigureConventions(ModelConfigurationBuilder configurationBuilder)
    {
        configurationBuilder.Properties<OrderId>().HaveConversion<OrderIdConverter>();
        configurationBuilder.Properties<string>().HaveMaxLength(400);
    }

    /// <summary>Turns what the entities have raised into outbox messages, in the same transaction.</summary>
    public override async Task<int> SaveChangesAsync(CancellationToken cancellationToken = default)
    {
        foreach (var entry in ChangeTracker.Entries<Entity<OrderId>>().ToList())
        {
            Outbox.AddRange(entry.Entity.Events.Select(OutboxMessage.From));
            entry.Entity.ClearEvents();
        }

        return await base.SaveChangesAsync(cancellationToken);
    }
}
