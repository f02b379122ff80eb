using System.Data.Common;
using Brewline.Domain.Catalog;
using Brewline.Domain.Orders;
using Brewline.Domain.Payments;
using Brewline.Infrastructure.Messaging;
using Brewline.Infrastructure.Payments;
using Brewline.Infrastructure.Persistence;
using Brewline.Infrastructure.Reports;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Brewline.Infrastructure;

public static class InfrastructureServices
{
    /// <summary>Registers the database, the payment gateway and the outbox.</summary>
    public static IServiceCollection AddInfrastructure(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddDbContext<BrewlineContext>(options => options.UseSqlite(configuration.GetConnectionString("Brewline")));
        services.AddScoped<IOrderRepository, OrderRepository>();
        services.AddScoped(typeof(IProductRepository), typeof(ProductRepository));
        services.AddScoped<DbConnection>(provider => provider.GetRequiredService<BrewlineContext>().Database.GetDbConnection());
        services.AddTransient<SalesReport>();
        services.AddKeyedSingleton<IMessageChannel, InMemoryChannel>("memory");
        services.AddKeyedSingleton<IMessageChannel, WebhookChannel>("bus");
        services.AddHttpClient<IPaymentGateway, HttpPaymentGateway>(client =>
            client.BaseAddress = new Uri(configuration["Payments:BaseAddress"] ?? "https://payments.example/"));
        services.AddHostedService<OutboxWorker>();
        return services;
    }
}
