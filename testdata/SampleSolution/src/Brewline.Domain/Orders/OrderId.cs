namespace Brewline.Domain.Orders;

public readonly record struct OrderId(int Value) : IParsable<OrderId>
{
    public static OrderId Parse(string s, IFormatProvider? provider) => new(int.Parse(s, provider));

    public static bool TryParse(string? s, IFormatProvider? provider, out OrderId result)
    {
        var parsed = int.TryParse(s, provider, out var value);
        result = new OrderId(value);
        return parsed;
    }

    public static explicit operator int(OrderId id) => id.Value;
}
