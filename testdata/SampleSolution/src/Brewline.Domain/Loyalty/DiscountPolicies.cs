using Brewline.Domain.Loyalty;

namespace Brewline.Domain.Orders
{
    /// <summary>Decides what a customer need not pay.</summary>
    public interface IDiscountPolicy
    {
        Money DiscountFor(Order order);
    }
}

namespace Brewline.Domain.Loyalty
{
    using Brewline.Domain.Orders;

    public sealed class NoDiscount : IDiscountPolicy
    {
        public static readonly NoDiscount Instance = new();

        public Money DiscountFor(Order order) => Money.Zero;
    }

    /// <summary>A share of every order above a threshold.</summary>
    public class VolumeDiscount(Money threshold, Percentage share) : IDiscountPolicy
    {
        protected Percentage Share { get; } = share;

        public virtual Money DiscountFor(Order order) =>
            order.Total.CompareTo(threshold) >= 0 ? order.Total * Share : Money.Zero;
    }

    /// <summary>The best of several.</summary>
    public sealed class BestOf(params IReadOnlyList<IDiscountPolicy> policies) : IDiscountPolicy
    {
        Money IDiscountPolicy.DiscountFor(Order order) =>
            policies.Select(policy => policy.DiscountFor(order)).DefaultIfEmpty(Money.Zero).Max();
    }
}
