using Brewline.Domain.Payments;
using Microsoft.AspNetCore.Diagnostics;
using Serilog;

namespace Brewline.Api.Middleware;

/// <summary>Turns broken business rules into answers; everything else stays an error of the service.</summary>
internal sealed class DomainExceptionHandler(IProblemDetailsService problems) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (exception is not DomainException broken)
        {
            return false;
        }

        Log.ForContext<DomainExceptionHandler>().Warning(exception, "Rule {Code} was broken", broken.Code);
        httpContext.Response.StatusCode = StatusOf(broken);
        return await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = httpContext, Exception = exception });
    }

    private static int StatusOf(DomainException broken) => broken switch
    {
        NotFoundException => StatusCodes.Status404NotFound,
        PaymentDeclinedException => StatusCodes.Status402PaymentRequired,
        InvalidTransitionException or OutOfStockException => StatusCodes.Status409Conflict,
        _ => StatusCodes.Status422UnprocessableEntity,
    };
}
