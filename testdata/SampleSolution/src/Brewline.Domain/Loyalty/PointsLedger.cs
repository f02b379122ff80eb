using System.Collections;

namespace Brewline.Domain.Loyalty;

/// <summary>Points by customer. Kept in memory; <see cref="GetEnumerator"/> lists the best first.</summary>
public sealed class PointsLedger : IEnumerable<KeyValuePair<string, int>>
{
    private readonly Dictionary<string, int> _points = new(StringComparer.OrdinalIgnoreCase);
    private readonly Lock _gate = new();

    public int this[string customer]
    {
        get => _points.GetValueOrDefault(customer);
        private set => _points[customer] = value;
    }

    public void Earn(string customer, Money spent)
    {
        lock (_gate)
        {
            this[customer] += PointsFor(spent);
        }

        static int PointsFor(Money spent) => (int)Math.Floor(spent.Amount);
    }

    public bool TryRedeem(string customer, int points, out int left)
    {
        lock (_gate)
        {
            left = this[customer];
            if (points <= 0 || left < points)
            {
                return false;
            }

            left = this[customer] -= points;
            return true;
        }
    }

    public IEnumerator<KeyValuePair<string, int>> GetEnumerator()
    {
        foreach (var entry in from pair in _points orderby pair.Value descending select pair)
        {
            yield return entry;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
