using Microsoft.AspNetCore.Mvc;

namespace Brewline.Api.Controllers;

[ApiController]
public abstract class ApiController : ControllerBase
{
    /// <summary>The answer for what does not exist, in the service's own words.</summary>
    protected ObjectResult NotFoundProblem(string what, object id) =>
        Problem(detail: $"There is no {what} {id}.", statusCode: StatusCodes.Status404NotFound, type: ErrorCodes.NotFound);
}
