"""Rows made from events, declarations and attributes."""

from __future__ import annotations

from codemap_core.facts import fact
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactRow, SymbolKind
from codemap_core.model.bound import (
    BoundAttribute,
    BoundDeclaration,
    BoundDocument,
    BoundType,
    Event,
    EventKind,
    TypeForm,
)

SEEN = Seen(file_path="a.cs", document=BoundDocument(file_path="a.cs"), line_count=40)
CALL = Event(
    kind=EventKind.INVOCATION,
    name="MapGet",
    enclosing="M:App.Map",
    line=7,
    column=9,
    line_start=6,
    line_end=9,
    confidence=Confidence.LOW,
)
METHOD = BoundDeclaration(
    symbol_id="M:App.Get", kind=SymbolKind.METHOD, name="Get", file_path="a.cs", line=12, line_start=11, line_end=15
)
ATTRIBUTE = BoundAttribute(name="Table", type=BoundType(TypeForm.NAMED, "Table"), line=20, line_end=21)


def test_a_fact_of_an_event_stands_where_its_name_does_and_spans_the_whole() -> None:
    row = fact(SEEN, CALL, "route", "GET /x", {"verb": "GET", "handler": None, "terminal": False, "template": ""})
    assert row == FactRow(
        kind="route",
        value="GET /x",
        detail={"at": 7, "verb": "GET", "template": ""},
        symbol_id="M:App.Map",
        file_path="a.cs",
        line_start=6,
        line_end=9,
        confidence=Confidence.LOW,
    )


def test_a_fact_of_a_declaration_is_its_own() -> None:
    row = fact(SEEN, METHOD, "log", "x|Debug", {}, at=11)
    assert (row.symbol_id, row.detail, row.line_start, row.line_end) == ("M:App.Get", {"at": 11}, 11, 15)
    assert row.confidence is Confidence.HIGH


def test_a_fact_of_an_attribute_says_whose_it_is() -> None:
    row = fact(SEEN, ATTRIBUTE, "route", "PAGE /x", {}, owner="T:App.Page", confidence=Confidence.MEDIUM)
    assert (row.symbol_id, row.detail, row.line_start, row.line_end) == ("T:App.Page", {"at": 20}, 20, 21)
    assert row.confidence is Confidence.MEDIUM


def test_an_event_whose_end_is_not_known_is_one_line() -> None:
    row = fact(SEEN, Event(kind=EventKind.THROW, name="", line=3, column=1), "exception", "X|throw new", {})
    assert (row.line_start, row.line_end) == (3, 3)
