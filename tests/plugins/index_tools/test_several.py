"""Several symbols in one answer: their cards, their sources, and what cannot be found among them."""

from __future__ import annotations

from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.queries.cards.context import sources_of
from codemap_core.queries.cards.symbol_card import get_card, get_cards
from codemap_core.queries.snapshot import Snapshot
from tests.plugins.index_tools.library import FILES, SHELF, SHELF_LABELS


def symbols(books: Snapshot, *symbol_ids: str) -> list[SymbolRow]:
    return [books.reader.symbols_with_id(symbol_id)[0] for symbol_id in symbol_ids]


def test_a_card_counts_members_by_kind_methods_first(books: Snapshot) -> None:
    (shelf,) = symbols(books, "T:Books.Shelf")
    card = get_card(books, shelf, with_source=False)
    assert list(card.member_kinds.items())[:2] == [(SymbolKind.METHOD, 5), (SymbolKind.PROPERTY, 2)]
    assert [member.kind for member in card.members[:5]] == [SymbolKind.METHOD] * 5
    assert sum(card.member_kinds.values()) == card.member_count == len(card.members) == 11
    pages = [get_card(books, shelf, with_source=False, limit=4, offset=offset) for offset in (0, 4, 8)]
    assert [member for page in pages for member in page.members] == list(card.members)
    assert {tuple(page.member_kinds.items()) for page in pages} == {tuple(card.member_kinds.items())}


def test_cards_of_several_symbols_stand_below_each_other(books: Snapshot) -> None:
    asked = symbols(books, "T:Books.Lender", "M:Books.Shelf.Put(System.String)")
    cards = get_cards(books, asked, with_source=True, limit=10)
    lines = list(cards.lines())
    assert lines[0] == "Books.Lender"
    assert "Books.Shelf.Put" in lines
    assert [card.symbol_id for card in cards.cut(1).cards] == ["T:Books.Lender"]


def test_a_long_card_among_several_says_how_to_see_it_whole(books: Snapshot) -> None:
    asked = symbols(books, *["T:Books.Shelf"] * 12)
    lines = list(get_cards(books, asked, with_source=True, limit=1).lines())
    assert lines[-1] == "(cut: symbols.get_card symbol=T:Books.Shelf)"


def test_sources_are_whole_and_of_every_part(books: Snapshot) -> None:
    found = sources_of(books, symbols(books, "T:Books.Shelf", "M:Books.Furniture.Lift"), limit=50)
    assert [(piece.file_path, piece.start_line, piece.span_end) for piece in found.pieces] == [
        (SHELF_LABELS, 3, 7),
        (SHELF, 14, 33),
        (SHELF, 8, 8),
    ]
    for piece in found.pieces:
        assert piece.content == "\n".join(FILES[piece.file_path].split("\n")[piece.start_line - 1 : piece.end_line])
