"""How the difference of two revisions reads as text."""

from __future__ import annotations

from typing import Any

import pytest

from codemap_core.model import SymbolKind
from codemap_core.queries.difference.views import (
    ChangeType,
    Difference,
    DifferenceStats,
    FactChange,
    ReachingTest,
    SymbolChange,
)


def symbol(
    name: str, line: int, change: ChangeType, path: str = "Shop/src/Orders/Cart.cs", **rest: Any
) -> SymbolChange:
    told: dict[str, Any] = {"kind": SymbolKind.METHOD, "signature": "", "stable_id": "sym_0", **rest}
    symbol_id = f"M:Shop.{name}"
    older = None if change is ChangeType.ADDED else symbol_id
    return SymbolChange(
        change_type=change, from_symbol_id=older, to_symbol_id=symbol_id, file_path=path, line=line, **told
    )


def fact(value: str, line: int, change: ChangeType = ChangeType.ADDED, owner: str = "M:Shop.Cart.Add") -> FactChange:
    return FactChange(
        change_type=change,
        fact_kind="log",
        to_value=value,
        symbol_id=owner,
        file_path="Shop/src/Orders/Cart.cs",
        line=line,
    )


def lines(**rows: Any) -> list[str]:
    return list(Difference(from_commit="a", to_commit="b", stats=DifferenceStats(), total_count=0, **rows).lines())


def test_what_most_changes_are_is_not_said() -> None:
    changes = (
        symbol("Cart.Add", 5, ChangeType.MODIFIED),
        symbol("Cart.Sum", 7, ChangeType.ADDED),
        symbol("Cart.Total", 9, ChangeType.MODIFIED, kind=SymbolKind.PROPERTY, also=(ChangeType.VISIBILITY_CHANGED,)),
        symbol("Item.Add", 11, ChangeType.SIGNATURE_CHANGED),
        symbol("Line.Add", 2, ChangeType.MODIFIED, "Shop/src/Orders/Line.cs"),
    )
    assert lines(symbol_changes=changes) == [
        "Implementation:",
        "  Shop/src/Orders/",
        "   Cart.cs",
        "    ~ 5  .Add",
        "    + 7  .Sum",
        "    ~ 9  property  .Total  [modified, visibility changed]",
        "    ~ 11  Item.Add  [signature changed]",
        "   Line.cs",
        "    ~ 2  .Add",
    ]


def test_a_signature_stands_for_the_kind_and_the_name_that_it_says() -> None:
    api: dict[str, Any] = {"public_api": True, "kind": SymbolKind.PROPERTY}
    changes = (
        symbol("Cart.Sum", 5, ChangeType.ADDED, signature="public int Sum { get; }", **api),
        symbol("Item.Sum", 7, ChangeType.ADDED, signature="public int Sum { get; }", **api),
        symbol("Cart.Old", 9, ChangeType.REMOVED, signature="public int Old", users=1, used_by=("M:Shop.Pay",), **api),
    )
    assert lines(symbol_changes=changes)[2:] == [
        "    + 5  public int Sum { get; }",
        "    + 7  property  Item.Sum  public int Sum { get; }",
        "    - 9  public int Old  used by 1 member: Shop.Pay",
    ]


def test_long_signatures_are_shown_from_where_they_differ() -> None:
    long = f"public Task<Receipt> Pay(string {'n' * 200}, "
    change = symbol(
        "Cart.Pay", 5, ChangeType.SIGNATURE_CHANGED, from_signature=f"{long}int count)", signature=f"{long}long count)"
    )
    assert lines(symbol_changes=(change,))[3:] == [
        f"        - …{'n' * 22}, int count)",
        f"        + …{'n' * 22}, long count)",
    ]
    short = symbol(
        "Cart.Pay", 5, ChangeType.SIGNATURE_CHANGED, from_signature="void Pay(int n)", signature="void Pay()"
    )
    assert lines(symbol_changes=(short,))[3:] == ["        - void Pay(int n)", "        + void Pay()"]


@pytest.mark.parametrize(
    ("users", "in_tests", "used_by", "said"),
    [
        (5, 4, ("M:Shop.Order.Pay", "M:Tests.A.B", "M:Tests.A.C"), "used by 5 members, 4 of them in tests: Order.Pay"),
        (
            9,
            1,
            ("M:Shop.Order.Pay", "M:Shop.Bill.Pay"),
            "used by 9 members, 1 of them in tests: Order.Pay, Bill.Pay, …",
        ),
        (2, 0, ("M:Shop.Order.#ctor", "M:Shop.Order.#ctor(System.Int32)"), "used by 2 members: Order.Order"),
        (2, 2, ("M:Tests.A.B", "M:Tests.A.C"), "used by 2 members, all in tests"),
        (1, 1, ("M:Tests.A.B",), "used by 1 member in tests"),
        (0, 0, (), ""),
    ],
)
def test_of_the_users_tests_are_counted_and_not_named(
    users: int, in_tests: int, used_by: tuple[str, ...], said: str
) -> None:
    change = symbol("Cart.Sum", 5, ChangeType.MODIFIED, users=users, test_users=in_tests, used_by=used_by)
    assert change.affects == said


def test_facts_that_differ_in_line_and_value_stand_in_one_row() -> None:
    changes = (
        fact("A", 3),
        fact("B", 4),
        fact("C", 5, ChangeType.REMOVED),
        fact("D", 6, owner="M:Shop.Item.Add"),
    )
    assert lines(fact_changes=changes) == [
        "Facts:",
        "  Shop/src/Orders/Cart.cs",
        "    + log  .Add",
        "        3 A; 4 B",
        "    - 5  log  C  .Add",
        "    + 6  log  D  Item.Add",
    ]


def test_how_all_values_of_a_row_end_is_said_once() -> None:
    assert lines(fact_changes=(fact("A|Snapshot", 3), fact("B|Snapshot", 4)))[2:] == [
        "    + log  Snapshot  .Add",
        "        3 A; 4 B",
    ]
    assert lines(fact_changes=(fact("A|One", 3), fact("A|Two", 4)))[2:] == [
        "    + log  .Add",
        "        3 A|One; 4 A|Two",
    ]
    assert lines(fact_changes=(fact("A", 3), fact("A", 4)))[2:] == ["    + log  .Add", "        3 A; 4 A"]


def test_rows_about_no_file_stand_under_none() -> None:
    test = ReachingTest(symbol_id="M:Shop.Tests.CartTests.Adds", file_path="tests/CartTests.cs", line=3, distance=1)
    assert lines(reaching_tests=(test,)) == ["Tests that reach what changed:", "  tests/CartTests.cs", "    3  .Adds"]
