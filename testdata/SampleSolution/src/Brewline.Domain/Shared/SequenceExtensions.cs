namespace Brewline.Domain.Shared;

public static class SequenceExtensions
{
    extension<T>(IEnumerable<T> source)
    {
        /// <summary>Whether nothing is in it.</summary>
        public bool IsEmpty => !source.Any();

        public IEnumerable<T> ExceptNull() => source.Where(item => item is not null);
    }

    extension(IEnumerable<Money> amounts)
    {
        public Money Total() => amounts.Aggregate(Money.Zero, (sum, each) => sum.IsZero ? each : sum + each);
    }

    /// <summary>The classic form, for callers of older compilers.</summary>
    public static Money TotalOf<T>(this IEnumerable<T> source, Func<T, Money> amount) => source.Select(amount).Total();
}
