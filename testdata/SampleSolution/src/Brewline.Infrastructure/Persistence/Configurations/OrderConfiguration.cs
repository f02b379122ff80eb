using Brewline.Domain.Orders;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace Brewline.Infrastructure.Persistence.Configurations;

internal sealed class OrderConfiguration : IEntityTypeConfiguration<Order>
{
    public void Configure(EntityTypeBuilder<Order> builder)
    {
        builder.ToTable("orders");
        builder.HasKey(order => order.Id);
        builder.Property(order => order.Customer).HasMaxLength(200).IsRequired();
        builder.Property(order => order.Status).HasConversion<string>();
        builder.Ignore(order => order.Events);
        builder.OwnsMany(order => order.Lines, lines =>
        {
            lines.ToTable("order_lines");
            lines.Property(line => line.Quantity).HasColumnName("quantity");
        });
    }
}
