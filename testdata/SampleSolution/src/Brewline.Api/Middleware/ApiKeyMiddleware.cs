using System.Security.Cryptography;
using System.Text;

namespace Brewline.Api.Middleware;

public sealed class ApiKeyMiddleware : IMiddleware
{
    private readonly byte[] _expected;

    public ApiKeyMiddleware(IConfiguration configuration)
    {
        var key = configuration.GetSection("Admin").GetValue<string>("ApiKey");
        _expected = Encoding.UTF8.GetBytes(key ?? throw new InvalidOperationException("Admin:ApiKey is not configured."));
    }

    ~ApiKeyMiddleware() => CryptographicOperations.ZeroMemory(_expected);

    public Task InvokeAsync(HttpContext context, RequestDelegate next)
    {
        var given = Encoding.UTF8.GetBytes(context.Request.Headers["X-Api-Key"].ToString());
        if (CryptographicOperations.FixedTimeEquals(given, _expected))
        {
            return next(context);
        }

        context.Response.StatusCode = StatusCodes.Status401Unauthorized;
        return Task.CompletedTask;
    }
}
