using System.Runtime.CompilerServices;
using Brewline.Domain.Catalog;
using Microsoft.EntityFrameworkCore;

namespace Brewline.Infrastructure.Persistence;

internal sealed class ProductRepository(BrewlineContext context) : IProductRepository
{
    public Task<Product?> FindAsync(ProductId id, CancellationToken cancellationToken) =>
        context.Products.SingleOrDefaultAsync(product => product.Id.Equals(id), cancellationToken);

    public async IAsyncEnumerable<Product> BrowseAsync(
        ProductFilter filter,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var product in context.Products.AsAsyncEnumerable().WithCancellation(cancellationToken))
        {
            if (filter.Matches(product))
            {
                yield return product;
            }
        }
    }

    public void Add(Product product) => context.Products.Add(product);
}
