using Brewline.Domain.Loyalty;
using Brewline.Domain.Shared;

namespace Brewline.Tests;

public class PointsLedgerTests
{
    [Fact]
    public void Points_are_earned_and_redeemed()
    {
        var ledger = new PointsLedger();
        ledger.Earn("ada", Money.Euro(19.99m));
        ledger.Earn("ADA", 1m);

        True(ledger.TryRedeem("Ada", 15, out var left));
        Equal((5, 5), (left, ledger["ada"]));
        Equal(["ada"], ledger.Select(entry => entry.Key));
    }
}
