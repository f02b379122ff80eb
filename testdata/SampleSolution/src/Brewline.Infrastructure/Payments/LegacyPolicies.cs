using Polly;

namespace Brewline.Infrastructure.Payments;

/// <summary>The policies of the old interface, which a few callers still use.</summary>
internal static class LegacyPolicies
{
    public static IAsyncPolicy<HttpResponseMessage> Retry { get; } = Policy
        .Handle<HttpRequestException>()
        .OrResult<HttpResponseMessage>(response => !response.IsSuccessStatusCode)
        .WaitAndRetryAsync(3, attempt => TimeSpan.FromSeconds(Math.Pow(2, attempt)));

    public static IAsyncPolicy Breaker(int failures) =>
        Policy.Handle<IOException>().CircuitBreakerAsync(failures, TimeSpan.FromMinutes(1));
}
