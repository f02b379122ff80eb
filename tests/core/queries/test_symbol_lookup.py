"""One symbol by id, stable id or name."""

from __future__ import annotations

import pytest

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.symbol_lookup import get_symbol, resolve_name, suggest
from codemap_core.storage.symbol_search import SymbolFilter


def test_by_id_and_stable_id(sample: Snapshot) -> None:
    found = get_symbol(sample, "T:Shop.Ordering.Order")
    assert found.symbol.name == "Order"
    assert [other.project for other in found.others] == ["tests/Shop.Tests/Shop.Tests.csproj"]
    assert get_symbol(sample, found.symbol.stable_id).symbol == found.symbol


@pytest.mark.parametrize("asked", ["Shop.Ordering.Order", "Shop.Ordering.Order.Id", "Shop.Ordering.Order._lines"])
def test_a_missing_prefix_is_added(sample: Snapshot, asked: str) -> None:
    found = get_symbol(sample, f" {asked} ")
    assert found.symbol.symbol_id[2:] == asked
    assert found.corrected_from == asked


@pytest.mark.parametrize(
    "asked", ["T:Shop.Ordering.Ordr", "M:Shop.Ordering.OrderService.Submitt", "T:Other.OrderService", "T:X", "sym_x"]
)
def test_an_unknown_id_names_what_may_be_meant(sample: Snapshot, asked: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        get_symbol(sample, asked)
    candidates = caught.value.details["candidates"]
    assert asked in caught.value.message
    assert all(candidate in caught.value.message for candidate in candidates)
    if asked == "T:Other.OrderService":
        assert candidates[0] == "T:Shop.Ordering.OrderService"


def test_an_unknown_stable_id(sample: Snapshot) -> None:
    with pytest.raises(NotFoundError, match="stable id"):
        get_symbol(sample, "sym_0000000000000000")
    with pytest.raises(InvalidArgumentError):
        get_symbol(sample, " ")


def test_suggestions_by_simple_name(sample: Snapshot) -> None:
    assert suggest(sample, "M:Wrong.Place.Submit(System.Int32)") == (
        "M:Shop.Ordering.OrderService.Submit(Shop.Ordering.Order)",
    )
    assert suggest(sample, "M:Wrong.OrderService.#ctor")[0] == "T:Shop.Ordering.OrderService"
    assert suggest(sample, "T:!!!") == ()


@pytest.mark.parametrize(
    ("name", "symbol_id"),
    [
        ("OrderService", "T:Shop.Ordering.OrderService"),
        ("orderservice", "T:Shop.Ordering.OrderService"),
        ("OrderService.Submit", "M:Shop.Ordering.OrderService.Submit"),
        ("Shop.Ordering.Order", "T:Shop.Ordering.Order"),
        ("Tools.Order", "T:Tools.Order"),
        ("CamelCaseString", "T:Shop.Text.CamelCaseStringHelper"),
        ("_logger", "F:Shop.Text.HTMLParser2._logger"),
    ],
)
def test_a_name_that_means_one_symbol(catalogue: Snapshot, name: str, symbol_id: str) -> None:
    assert resolve_name(catalogue, name).symbol.symbol_id == symbol_id


def test_an_ambiguous_name_lists_the_candidates(catalogue: Snapshot) -> None:
    with pytest.raises(AmbiguousError) as caught:
        resolve_name(catalogue, "Submit")
    assert caught.value.details["candidates"] == ["M:Shop.Ordering.Order.Submit", "M:Shop.Ordering.OrderService.Submit"]
    assert "src/Shop/Order.cs:2" in caught.value.message
    with pytest.raises(AmbiguousError):
        resolve_name(catalogue, "Order")


def test_a_filter_decides(catalogue: Snapshot) -> None:
    assert resolve_name(catalogue, "Order", SymbolFilter(project="Tools")).symbol.symbol_id == "T:Tools.Order"
    assert (
        resolve_name(catalogue, "Order", SymbolFilter(kinds=(SymbolKind.CLASS,))).symbol.symbol_id
        == "T:Shop.Ordering.Order"
    )
    assert resolve_name(catalogue, "Order", SymbolFilter(kinds=(SymbolKind.CONSTRUCTOR,))).symbol.symbol_id.endswith(
        "#ctor"
    )


def test_a_name_of_nothing(catalogue: Snapshot) -> None:
    with pytest.raises(NotFoundError) as caught:
        resolve_name(catalogue, "OrderServiceFactory")
    assert caught.value.details["candidates"] == []
    with pytest.raises(InvalidArgumentError):
        resolve_name(catalogue, "!")


def test_an_id_of_two_projects_is_one_symbol(sample: Snapshot) -> None:
    assert resolve_name(sample, "Order").symbol.symbol_id == "T:Shop.Ordering.Order"
