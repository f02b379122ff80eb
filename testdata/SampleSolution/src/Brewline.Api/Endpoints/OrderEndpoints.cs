using Brewline.Api.Contracts;
using Brewline.Domain.Payments;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Mvc;

namespace Brewline.Api.Endpoints;

internal static class OrderEndpoints
{
    private const string ById = "/{id:int}";

    public static IEndpointRouteBuilder MapOrders(this IEndpointRouteBuilder routes)
    {
        var orders = routes.MapGroup("/api/orders").WithTags("Orders");
        orders.MapGet(ById, GetAsync).WithName("GetOrder");
        orders.MapPost("/", PlaceAsync).Produces<OrderResponse>(StatusCodes.Status201Created);
        orders.MapPut("/{id:int}/payment", PayAsync).RequireAuthorization("customer");
        orders.MapDelete(ById, async (OrderId id, IOrderRepository repository, TimeProvider clock, CancellationToken cancellationToken) =>
        {
            var order = await repository.FindAsync(id, cancellationToken) ?? throw new NotFoundException("order", id);
            order.Cancel("by the customer", clock.GetUtcNow());
            await repository.SaveAsync(cancellationToken);
            return Results.NoContent();
        });

        var admin = routes.MapGroup("/admin").MapGroup("orders");
        admin.MapMethods("{id}/ship", ["POST", "PATCH"], ShipAsync);
        return routes;
    }

    private static async Task<Results<Ok<OrderResponse>, NotFound>> GetAsync(
        OrderId id, IOrderRepository repository, CancellationToken cancellationToken) =>
        await repository.FindAsync(id, cancellationToken) is { } order
            ? TypedResults.Ok(OrderResponse.Of(order))
            : TypedResults.NotFound();

    private static async Task<IResult> PlaceAsync([FromBody] PlaceOrderRequest request, IOrderService service, CancellationToken cancellationToken)
    {
        var placed = await service.PlaceAsync(request.Customer, request.Parsed(), cancellationToken);
        return placed.Match(
            order => Results.CreatedAtRoute("GetOrder", new { id = (int)order.Id }, OrderResponse.Of(order)),
            failure => Results.Problem(failure.Reason, statusCode: StatusCodes.Status422UnprocessableEntity, type: failure.Code));
    }

    private static async Task<OrderResponse> PayAsync(
        OrderId id, PayOrderRequest request, IOrderService service, CancellationToken cancellationToken) =>
        OrderResponse.Of(await service.PayAsync(id, PaymentMethod.Parse(request.Method), cancellationToken));

    private static async Task<IResult> ShipAsync(OrderId id, IOrderRepository repository, TimeProvider clock)
    {
        if (await repository.FindAsync(id) is not { } order)
        {
            return Results.NotFound();
        }

        order.Ship(clock.GetUtcNow());
        await repository.SaveAsync();
        return Results.Accepted();
    }
}
