"""What the surface of a file says, where other files would be bound again if it said more."""

from __future__ import annotations

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_plugins.csharp.analysis import analyse

_SHOP = """namespace Sales;
public class Shop
{
    private readonly string _name;
    public string Title { get; }
    public Shop(string name) { _name = name; Title = _name; }
}
"""


def test_only_its_own_type_is_told_what_a_private_member_is_worth() -> None:
    surface = analyse(_SHOP.encode(), AnalysisSettings()).surface
    assert surface is not None
    valued = {(each.container, each.name) for each in surface.declared if "_name" in each.values}
    assert ("Shop:inside", "_name") in valued
    assert ("Shop", "Title") not in valued  # by way of the statements that give it
    assert ("Shop", "_name") not in valued
