"""Contexts: what is read together, in which order, and what a cut says of the rest."""

from __future__ import annotations

import pytest

from codemap_core.queries.cards import context
from codemap_core.queries.cards.context import get_context
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.context import Role
from tests.plugins.index_tools.library import FILES

SERVE = "M:Desk.Program.Serve(Books.ILender)"


def test_a_member_comes_with_what_it_calls(books: Snapshot) -> None:
    found = get_context(books, books.reader.symbols_with_id(SERVE), limit=50)
    assert [(piece.name, piece.role) for piece in found.pieces] == [
        ("Program.Serve", Role.ASKED),
        ("new Shelf", Role.CALLED),
        ("Shelf.Describe", Role.CALLED),
        ("Lender.Lend", Role.IMPLEMENTATION),
    ]
    assert found.unresolved_calls == ("Call", "Return")
    for piece in found.pieces:
        lines = FILES[piece.file_path].split("\n")
        assert piece.content.split("\n") == lines[piece.start_line - 1 : piece.end_line]


def test_calls_of_libraries_are_named(books: Snapshot) -> None:
    lend = books.reader.symbols_with_id("M:Books.Lender.Lend(System.String)")
    clean = books.reader.symbols_with_id("M:Books.Lender.Clean(System.String)")
    found = get_context(books, (*lend, *clean), limit=50)
    assert found.library_calls == ("String.Trim",)
    assert [piece.name for piece in found.pieces].count("Lender.Clean") == 1


def test_a_cut_names_what_it_leaves_out(books: Snapshot) -> None:
    whole = get_context(books, books.reader.symbols_with_id(SERVE), limit=50)
    cut = whole.cut(2)
    assert [call.name for call in cut.left_out] == ["Shelf.Describe", "Lender.Lend"]
    assert cut.truncated
    assert "not shown: Shelf.Describe, Lender.Lend" in cut.lines()


def test_pages_follow_each_other(books: Snapshot) -> None:
    asked = books.reader.symbols_with_id(SERVE)
    whole = get_context(books, asked, limit=50)
    pages = [get_context(books, asked, limit=1, offset=offset) for offset in range(whole.total_count)]
    assert [piece for page in pages for piece in page.pieces] == list(whole.pieces)


def test_a_partial_type_shows_its_constructors_and_its_most_used_members(books: Snapshot) -> None:
    found = get_context(books, books.reader.symbols_with_id("T:Books.Shelf"), limit=50)
    assert [piece.name for piece in found.pieces][:3] == ["new Shelf", "Shelf.Put", "Shelf.Describe"]
    assert {piece.role for piece in found.pieces} == {Role.MEMBER}


def test_what_is_called_beyond_some_lines_is_shown_by_its_signature(
    books: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = books.reader.symbols_with_id(SERVE)
    whole = get_context(books, asked, limit=50)
    called = [piece for piece in whole.pieces if piece.role is not Role.ASKED]
    lines = [piece.span_end - piece.start_line + 1 for piece in called]
    monkeypatch.setattr(context, "_CALLED_LINES", lines[0])
    found = get_context(books, asked, limit=50)
    assert [piece.symbol_id for piece in found.pieces] == [piece.symbol_id for piece in whole.pieces]
    assert [piece.is_signature for piece in found.pieces] == [False, False, *[True] * (len(called) - 1)]
    assert all("\n" not in piece.content for piece in found.pieces if piece.is_signature)
