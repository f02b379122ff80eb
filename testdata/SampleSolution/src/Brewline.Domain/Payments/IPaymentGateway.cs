using Brewline.Domain.Orders;

namespace Brewline.Domain.Payments;

public interface IPaymentGateway
{
    /// <exception cref="PaymentDeclinedException">The provider refused; asking again will not help.</exception>
    Task<Receipt> ChargeAsync(Charge charge, CancellationToken cancellationToken);
}

public sealed record Charge(OrderId Order, Money Amount, PaymentMethod Method);

public sealed record Receipt(string Number, DateTimeOffset At);

/// <summary>How a customer pays.</summary>
public abstract record PaymentMethod
{
    public sealed record Card(string Token) : PaymentMethod;

    public sealed record Invoice(string Company, int DueInDays = 30) : PaymentMethod;

    public static PaymentMethod Parse(string text) => text.Split(':', 2) switch
    {
        ["card", var token] => new Card(token),
        ["invoice", var company] => new Invoice(company),
        [] or [_] or [_, ..] => throw new FormatException($"'{text}' is no payment method."),
    };
}

public sealed class PaymentDeclinedException(Charge charge, string reason)
    : DomainException($"The payment of {charge.Amount} for order {charge.Order.Value} was declined: {reason}.", "payment_declined");
