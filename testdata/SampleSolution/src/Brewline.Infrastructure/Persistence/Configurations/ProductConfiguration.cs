using Brewline.Domain.Catalog;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace Brewline.Infrastructure.Persistence.Configurations;

internal sealed class ProductConfiguration : IEntityTypeConfiguration<Product>
{
    private const string TableName = "products";

    public void Configure(EntityTypeBuilder<Product> builder)
    {
        builder.ToTable(TableName, schema: "catalog");
        builder.HasKey(product => product.Id);
        builder.HasIndex(product => product.Name).IsUnique();
        builder.ComplexProperty(product => product.Price);
    }
}
