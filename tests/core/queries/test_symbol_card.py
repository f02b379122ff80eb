"""The card holds what the index knows of a symbol."""

from __future__ import annotations

from codemap_core.queries.cards.symbol_card import get_card, members_of
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.token_estimate import tokens, tokens_saved
from codemap_core.queries.views.symbols import Fact
from codemap_core.testing import sample_index
from tests.core.queries.conftest import declared

SUBMIT = "M:Shop.Ordering.OrderService.Submit(Shop.Ordering.Order)"
STORE = "M:Shop.Ordering.OrderService.Store(Shop.Ordering.Order)"


def test_a_method(sample: Snapshot) -> None:
    card = get_card(sample, declared(sample, SUBMIT), with_source=True)
    assert card.documentation == "Hands the order over."
    assert card.documentation_details == "returns: whether it was taken"
    assert (card.namespace, card.containing_type, card.project) == ("Shop.Ordering", "OrderService", "Shop")
    assert [(call.to_symbol, call.fully_qualified_name, call.line) for call in card.calls_top] == [
        (STORE, "Shop.Ordering.OrderService.Store", 8)
    ]
    assert (card.file_path, card.span_start, card.span_end) == (sample_index.SERVICE_FILE, 8, 8)
    assert card.source_code.startswith("    8 | ")
    assert card.row_count == 1


def test_facts(sample: Snapshot) -> None:
    card = get_card(sample, declared(sample, STORE), with_source=False)
    assert card.facts == (Fact("exception", "InvalidOperationException|throw expression", 10),)
    assert card.calls_top == ()


def test_a_partial_type_of_two_projects(sample: Snapshot) -> None:
    symbol, *others = sample.reader.symbols_with_id("T:Shop.Ordering.Order")
    card = get_card(sample, symbol, others, with_source=True)
    assert card.files == (sample_index.ORDER_FILE, sample_index.LINES_FILE)
    assert (card.source_code, len(card.members)) == ("", card.member_count)
    assert (card.project, card.other_projects) == ("Shop", ("Shop.Tests",))


def test_base_types_as_written(sample: Snapshot) -> None:
    card = get_card(sample, declared(sample, "T:Shop.Ordering.OrderService"), with_source=True)
    assert card.base_types == ("IOrderService",)


def test_members(sample: Snapshot) -> None:
    members = members_of(sample, declared(sample, "T:Shop.Ordering.OrderService"))
    assert [member.symbol_id.partition("(")[0].rpartition(".")[2] for member in members] == ["Submit", "Store", "#ctor"]


def test_tokens_saved_are_counted_against_the_files_that_hold_the_answer(sample: Snapshot) -> None:
    size = len(sample_index.TEXTS[sample_index.ORDER_FILE])
    assert tokens(9) == 3
    assert tokens_saved(sample, [sample_index.ORDER_FILE] * 2, 20) == tokens(size) - 5
    assert tokens_saved(sample, [sample_index.ORDER_FILE], 10_000) == 0
    assert tokens_saved(sample, ["none.cs"], 0) == 0
