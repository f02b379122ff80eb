using System.Runtime.CompilerServices;
using Brewline.Api.Contracts;
using Brewline.Infrastructure.Reports;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Brewline.Api.Controllers;

/// <summary>The catalogue.</summary>
[Route("api/[controller]")]
public sealed class ProductsController(IProductRepository products, ILogger<ProductsController> logger) : ApiController
{
    [HttpGet]
    [ResponseCache(Duration = 60)]
    public async IAsyncEnumerable<ProductResponse> Browse(
        [FromQuery] string? text,
        [FromQuery] RoastLevel? roast,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        logger.LogInformation("Browsing products like {Text}, roasted {Roast}", text, roast);
        await foreach (var product in products.BrowseAsync(new ProductFilter(text, roast), cancellationToken))
        {
            yield return ProductResponse.Of(product);
        }
    }

    [HttpGet("{id:guid}", Name = "GetProduct")]
    public async Task<ActionResult<ProductResponse>> Get(Guid id, CancellationToken cancellationToken)
    {
        var product = await products.FindAsync(new ProductId(id), cancellationToken);
        return product is null ? NotFoundProblem(nameof(Product), id) : ProductResponse.Of(product);
    }

    [HttpPost, HttpPut("{id:guid}")]
    [Authorize(Roles = "buyer")]
    public IActionResult Save([FromBody] ProductRequest request, Guid? id = null)
    {
        if (!Enum.TryParse<RoastLevel>(request.Roast, ignoreCase: true, out var roast))
        {
            throw new ArgumentException($"Unknown roast '{request.Roast}'.", nameof(request));
        }

        var product = new Product(id is { } known ? new ProductId(known) : ProductId.New(), request.Name, request.Price, roast, request.Stock);
        products.Add(product);
        return CreatedAtRoute("GetProduct", new { id = product.Id.Value }, ProductResponse.Of(product));
    }

    [HttpGet("~/api/reports/[action]")]
    public async Task<IActionResult> TopSellers([FromServices] SalesReport report, int limit = 10) =>
        Ok(await report.TopProductsAsync(limit));
}
