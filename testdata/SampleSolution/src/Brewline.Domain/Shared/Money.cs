using System.Globalization;

namespace Brewline.Domain.Shared;

/// <summary>An amount in one currency. Amounts of different currencies cannot be added.</summary>
/// <param name="Amount">Units of the currency, not cents.</param>
/// <param name="Currency">Three letters, ISO 4217.</param>
public readonly record struct Money(decimal Amount, string Currency) : IComparable<Money>
{
    public static readonly Money Zero = new(0m, "EUR");

    public bool IsZero => Amount == 0m;

    public static Money Euro(decimal amount) => new(amount, "EUR");

    /// <exception cref="CurrencyMismatchException">The currencies differ.</exception>
    public static Money operator +(Money left, Money right) => new(left.Amount + right.In(left), left.Currency);

    public static Money operator -(Money left, Money right) => new(left.Amount - right.In(left), left.Currency);

    public static Money operator *(Money money, int quantity) => money with { Amount = money.Amount * quantity };

    public static Money operator *(Money money, Percentage share) => money with { Amount = money.Amount * share.Factor };

    public static implicit operator Money(decimal euros) => Euro(euros);

    public int CompareTo(Money other) => Amount.CompareTo(other.In(this));

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Amount:0.00} {Currency}");

    private decimal In(Money other) =>
        Currency == other.Currency || IsZero ? Amount : throw new CurrencyMismatchException(Currency, other.Currency);
}

/// <summary>A share between nothing and all.</summary>
public readonly record struct Percentage
{
    public Percentage(decimal value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, 100m);
        Value = value;
    }

    public decimal Value { get; }

    public decimal Factor => Value / 100m;
}
