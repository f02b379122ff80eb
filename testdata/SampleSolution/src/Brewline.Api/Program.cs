using Brewline.Api.Endpoints;
using Brewline.Api.Middleware;
using Brewline.Api.Options;
using Brewline.Domain.Loyalty;
using Brewline.Infrastructure;
using Microsoft.Extensions.Options;
using Serilog;

Log.Logger = new LoggerConfiguration().WriteTo.Console().CreateBootstrapLogger();

var builder = WebApplication.CreateBuilder(args);
builder.Host.UseSerilog((context, logging) => logging.ReadFrom.Configuration(context.Configuration));

builder.Services.AddControllers();
builder.Services.AddProblemDetails();
builder.Services.AddExceptionHandler<DomainExceptionHandler>();
builder.Services.Configure<LoyaltyOptions>(builder.Configuration.GetSection(LoyaltyOptions.Section));
builder.Services.AddOptions<ShippingOptions>().BindConfiguration("Shipping").ValidateDataAnnotations().ValidateOnStart();
builder.Services.AddSingleton(TimeProvider.System);
builder.Services.AddSingleton<PointsLedger>();
builder.Services.AddSingleton<IDiscountPolicy>(provider =>
{
    var loyalty = provider.GetRequiredService<IOptions<LoyaltyOptions>>().Value;
    return new BestOf(NoDiscount.Instance, new VolumeDiscount(Money.Euro(loyalty.Threshold), new Percentage(loyalty.Percent)));
});
builder.Services.AddScoped<IOrderService, OrderService>();
builder.Services.AddInfrastructure(builder.Configuration);

var app = builder.Build();

app.UseExceptionHandler();
app.UseMiddleware<CorrelationMiddleware>();
app.UseRouting();
app.UseWhen(context => context.Request.Path.StartsWithSegments("/admin"), branch => branch.UseMiddleware<ApiKeyMiddleware>());
app.MapControllers();
app.MapOrders();
app.MapGet("/health", () => Results.Ok(new { status = "ok", version = Describe() }));

try
{
    await app.RunAsync();
}
catch (Exception error)
{
    Log.Fatal(error, "The service ended early");
    return 1;
}

return 0;

static string Describe() => typeof(Program).Assembly.GetName().Version?.ToString() ?? "unknown";

/// <summary>Named so that tests can host the service.</summary>
public partial class Program;
