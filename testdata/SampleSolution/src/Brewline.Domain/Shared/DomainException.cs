namespace Brewline.Domain.Shared;

/// <summary>A rule of the business was broken: the request is at fault, not the program.</summary>
public abstract class DomainException(string message, string code) : Exception(message)
{
    /// <summary>Stable, for clients; see <see cref="ErrorCodes"/>.</summary>
    public string Code { get; } = code;
}

public sealed class CurrencyMismatchException(string left, string right)
    : DomainException($"{left} and {right} cannot be added.", ErrorCodes.Currency);

public sealed class NotFoundException(string what, object id) : DomainException($"There is no {what} {id}.", ErrorCodes.NotFound)
{
    public object Id => id;
}

public static class ErrorCodes
{
    public const string Currency = "currency_mismatch";
    public const string NotFound = "not_found";
    public const string InvalidTransition = "invalid_transition";
    public const string OutOfStock = "out_of_stock";
}
