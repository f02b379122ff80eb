namespace Brewline.Api.Options;

public sealed class LoyaltyOptions
{
    public const string Section = "Loyalty";

    public decimal Threshold { get; set; } = 50m;

    public decimal Percent { get; set; } = 5m;
}
