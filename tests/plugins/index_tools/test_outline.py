"""Outlines of types and files: order, parts, filters, inherited members, pages."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolKind, SymbolRow, Visibility
from codemap_core.queries.cards.outline import OutlineFilter, outline_of_file, outline_of_type
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.outline import Outline, OutlineRow
from tests.plugins.index_tools.library import SHELF, SHELF_LABELS


def symbol(books: Snapshot, symbol_id: str) -> SymbolRow:
    return books.reader.symbols_with_id(symbol_id)[0]


def shelf(books: Snapshot, where: OutlineFilter | None = None, **options: bool) -> Outline:
    return outline_of_type(books, symbol(books, "T:Books.Shelf"), where, limit=100, **options)


def test_a_type_lists_methods_first_and_all_parts(books: Snapshot) -> None:
    assert list(shelf(books).lines()) == [
        SHELF_LABELS,
        "  6  string Describe()",
        SHELF,
        "  21  void Add(string title)  obsolete",
        "  22  override void Move()",
        "  23  private static bool IsTitle(string title)",
        "  24  void Put(string title)",
        SHELF_LABELS,
        "  5  string Label { get; set; }",
        SHELF,
        "  19  int Count { get; }",
        "  18  Shelf(int count)",
        "  17  int _count",
        "  16  event EventHandler? Filled",
        "  32  enum Row",
    ]


def test_what_most_methods_return_is_said_once() -> None:
    def member(name: str, signature: str, kind: SymbolKind = SymbolKind.METHOD, line: int = 5) -> OutlineRow:
        visibility = Visibility.PRIVATE if signature.startswith("private") else Visibility.PUBLIC
        prefix = {SymbolKind.METHOD: "M", SymbolKind.FIELD: "F", SymbolKind.CONSTRUCTOR: "M"}[kind]
        return OutlineRow(
            symbol_id=f"{prefix}:Web.SiteBuilder.{name}",
            kind=kind,
            signature=signature,
            line=line,
            visibility=visibility,
        )

    rows = (
        *(member(f"With{nth}", f"SiteBuilder With{nth}(string text)") for nth in range(9)),
        member("Add``1", "private static SiteBuilder Add<T>(T item) where T : Page"),
        member("Build", "Site Build()"),
        member("#ctor", "SiteBuilder()", SymbolKind.CONSTRUCTOR),
        member("_pages", "private readonly Pages _pages", SymbolKind.FIELD),
        member("Empty", "static Site Empty", SymbolKind.FIELD),
    )
    found = Outline(
        symbol_id="T:Web.SiteBuilder", name="SiteBuilder", file_path="a.cs", rows=rows, total_count=14, counts={}
    )
    assert list(found.lines()) == [
        "a.cs",
        "  methods return SiteBuilder where nothing is said:",
        *(f"  5  With{nth}(string text)" for nth in range(9)),
        "  5  private static Add<T>(T)",
        "  5  Site Build()",
        "  5  SiteBuilder()",
        "  5  readonly Pages _pages",
        "  5  public static Site Empty",
    ]
    few = replace(found, rows=rows[8:])
    assert list(few.lines())[1] == "  5  SiteBuilder With8(string text)"


def test_kinds_are_counted_in_the_order_of_the_listing(books: Snapshot) -> None:
    found = shelf(books)
    assert list(found.counts.items()) == [
        (SymbolKind.METHOD, 5),
        (SymbolKind.PROPERTY, 2),
        (SymbolKind.CONSTRUCTOR, 1),
        (SymbolKind.FIELD, 1),
        (SymbolKind.EVENT, 1),
        (SymbolKind.ENUM, 1),
    ]
    assert found.total_count == 11


@pytest.mark.parametrize(
    ("where", "names"),
    [
        (OutlineFilter(kinds=(SymbolKind.EVENT, SymbolKind.ENUM)), ["Filled", "Row"]),
        (OutlineFilter(visibilities=(Visibility.PRIVATE,)), ["IsTitle", "_count"]),
        (OutlineFilter(is_static=True, kinds=(SymbolKind.METHOD,)), ["IsTitle"]),
        (OutlineFilter(attribute="obsolete"), ["Add"]),
        (OutlineFilter(attribute="System.ObsoleteAttribute"), ["Add"]),
        (OutlineFilter(obsolete=True), ["Add"]),
        (OutlineFilter(obsolete=False, kinds=(SymbolKind.METHOD,)), ["Describe", "Move", "IsTitle", "Put"]),
        (OutlineFilter(attribute="Flags"), []),
    ],
)
def test_filters_hold_together(books: Snapshot, where: OutlineFilter, names: list[str]) -> None:
    found = shelf(books, where)
    shown = [symbol(books, row.symbol_id).name for row in found.rows]
    assert shown == names
    assert found.left_out == 11 - len(names)


def test_inherited_members_follow_without_what_is_private_or_overridden(books: Snapshot) -> None:
    inherited = [row for row in shelf(books, inherited=True).rows if row.declared_in]
    assert [row.symbol_id for row in inherited] == ["M:Books.Furniture.Lift", "P:Books.Furniture.Width"]
    assert {row.declared_in for row in inherited} == {"Furniture"}


def test_pages_of_a_type_neither_repeat_nor_lose_a_row(books: Snapshot) -> None:
    target = symbol(books, "T:Books.Shelf")
    pages = [outline_of_type(books, target, limit=3, offset=offset) for offset in range(0, 11, 3)]
    assert [row for page in pages for row in page.rows] == list(shelf(books).rows)
    assert [page.truncated for page in pages] == [True, True, True, False]


def test_a_file_lists_its_types_with_their_members(books: Snapshot) -> None:
    lines = list(outline_of_file(books, SHELF, limit=100).lines())
    assert lines[:3] == [SHELF, "  5-11  abstract class Furniture", "    7  virtual void Move()"]
    assert "  14-33  partial class Shelf" in lines
    assert lines[-3:] == ["  32  enum Row", "    32  Upper", "    32  Lower"]


def test_a_file_with_a_further_part_names_the_type_that_it_is_a_part_of(books: Snapshot) -> None:
    lines = list(outline_of_file(books, SHELF_LABELS, limit=100).lines())
    assert lines == [
        SHELF_LABELS,
        "  3-7  partial class Shelf",
        "    6  string Describe()",
        "    5  string Label { get; set; }",
    ]


def test_a_page_that_begins_inside_a_type_names_it(books: Snapshot) -> None:
    lines = list(outline_of_file(books, SHELF, limit=1, offset=2).lines())
    assert lines == [SHELF, "  (in abstract class Furniture)", "    8  virtual void Lift()"]


def test_what_a_filter_finds_in_a_file_stands_under_its_type(books: Snapshot) -> None:
    found = outline_of_file(books, SHELF, OutlineFilter(obsolete=True), limit=100)
    assert list(found.lines()) == [SHELF, "  14-33  partial class Shelf", "    21  void Add(string title)  obsolete"]


def test_members_have_no_outline(books: Snapshot) -> None:
    with pytest.raises(InvalidArgumentError, match="has no members"):
        outline_of_type(books, symbol(books, "P:Books.Shelf.Count"), limit=10)


def test_a_file_that_does_not_exist_is_an_error_with_similar_paths(books: Snapshot) -> None:
    with pytest.raises(NotFoundError, match=r"Did you mean src/Books/Shelf\.cs"):
        outline_of_file(books, "Shelf.cs", limit=10)
