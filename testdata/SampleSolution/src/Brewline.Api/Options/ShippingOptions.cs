using System.ComponentModel.DataAnnotations;

namespace Brewline.Api.Options;

public sealed class ShippingOptions
{
    [Required]
    public string Carrier { get; set; } = "";

    [Range(0, 14)]
    public int HandlingDays { get; set; } = 1;

    public Dictionary<string, decimal> Rates { get; } = new() { ["EU"] = 4.90m, ["CH"] = 9.90m };
}
