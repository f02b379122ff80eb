"""Plain text: any tool's result without a line of its own, and errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import Struct

from codemap_core.errors import AmbiguousError, CodeMapError, NotFoundError
from codemap_core.hooks.tool import LimitApplied, NextAction, Page, ToolFamily, ToolResult
from codemap_core.model import Confidence, Evidence, SymbolKind
from codemap_core.queries.names.symbol_candidates import Candidate
from codemap_server.delivery import AnswerFormat, Delivery, Timing
from codemap_server.rendering import Renderer, render_error
from codemap_server.toolset import Toolset

TOOLSET = Toolset((ToolFamily(name="none", title="", tools=()),))


class Gate(Struct, frozen=True, omit_defaults=True):
    name: str
    open: bool = False
    lanes: tuple[int, ...] = ()


class Gates(Struct, frozen=True, omit_defaults=True):
    gates: tuple[Gate, ...]
    total: int
    note: str | None = None


class Lined(Struct, frozen=True):
    rows: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        yield from self.rows

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cut(self, count: int) -> Lined:
        return Lined(self.rows[:count])


def text_of(result: ToolResult, **options: object) -> str:
    return Renderer(TOOLSET, AnswerFormat.TEXT).text(Delivery(result=result, timing=Timing(1.0), **options))  # type: ignore[arg-type]


def test_a_view_without_lines_is_shown_by_its_fields() -> None:
    data = Gates((Gate("north", True, (1, 2)), Gate("south")), 2)
    assert text_of(ToolResult(answer="2 gates.", data=data)).split("\n") == [
        "2 gates.",
        "gates:",
        "  name=north  open=yes  lanes=1, 2",
        "  name=south",
        "total: 2",
    ]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (None, []),
        ([1, 2], ["1", "2"]),
        ({"a": {"b": 1, "c": None, "d": ()}}, ["a:", "  b: 1"]),
        ("plain", ["plain"]),
    ],
)
def test_any_value_can_be_shown(data: object, lines: list[str]) -> None:
    assert text_of(ToolResult(answer="Here.", data=data)).split("\n") == ["Here.", *lines]


def test_what_stands_beside_an_answer() -> None:
    result = ToolResult(
        answer="3 rows.",
        data=Lined(("a.cs", "  1  x")),
        page=Page(0, 3),
        evidence=(Evidence("r", "b.cs", 2, 4),),
        notes=("Differs on disk from what was indexed: a.cs.",),
        confidence=Confidence.LOW,
        limits_applied={"max_lines": LimitApplied(900, 400)},
        next_actions=(NextAction("refs.find", "why", {"symbol": "A b", "kind": "read"}),),
    )
    assert text_of(result, cursor="abcde:2").split("\n") == [
        "3 rows.",
        "a.cs",
        "  1  x",
        "see b.cs:2–4",
        "more: cursor=abcde:2 (1–2 of 3 shown)",
        "max_lines 900 was brought down to 400, its maximum.",
        "Differs on disk from what was indexed: a.cs.",
        'next: refs.find symbol="A b" kind=read',
    ]


def test_blank_lines_of_source_stay() -> None:
    result = ToolResult(answer="Lines 1–4 of a.cs.", data=Lined(("class A\n\n{\n}", "", "next row")))
    assert text_of(result) == "Lines 1–4 of a.cs.\nclass A\n\n{\n}\nnext row"


class Counted(Lined, frozen=True):
    """Notes in ``drawn`` each time that it is drawn."""

    drawn: list[str]

    def lines(self) -> Iterator[str]:
        self.drawn.append("drawn")
        yield from self.rows


def test_a_value_is_drawn_once_however_often_its_answer_is_weighed() -> None:
    drawn: list[str] = []
    renderer = Renderer(TOOLSET, AnswerFormat.TEXT)
    result = ToolResult(answer="1 row.", data=Counted(("a.cs",), drawn), page=Page(0, 2))
    weighed = [renderer.text(Delivery(result=result, timing=Timing(1.0), cursor=cursor)) for cursor in ("", "abcde:1")]
    assert weighed == ["1 row.\na.cs", "1 row.\na.cs\nmore: cursor=abcde:1 (1–1 of 2 shown)"]
    assert drawn == ["drawn"]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            AmbiguousError("'F' means 2 symbols; say which.", candidates=("M:A.F", "M:B.F")),
            "AMBIGUOUS: 'F' means 2 symbols; say which.\n  M:A.F\n  M:B.F",
        ),
        (
            NotFoundError("Not found. Did you mean a.cs?", candidates=["a.cs", "b.cs", "b.cs"]),
            "NOT_FOUND: Not found. Did you mean a.cs?\n  b.cs",
        ),
    ],
)
def test_an_error_names_each_candidate_once(error: CodeMapError, text: str) -> None:
    assert render_error(error, TOOLSET, AnswerFormat.TEXT, 1_000) == text


def test_types_to_choose_from_stand_under_their_files() -> None:
    def candidate(name: str, path: str) -> Candidate:
        return Candidate(symbol_id=f"T:{name}", kind=SymbolKind.CLASS, display=name, file_path=path, line=8)

    candidates = (
        candidate("Shop.Web.Setup", "source/Shop.Web/Setup.cs"),
        candidate("Shop.Web.Setup", "source/Shop.Web/Setup.Parts.cs"),
        candidate("Shop.Api.Setup", "source/Shop.Api/Setup.cs"),
    )
    error = AmbiguousError("'Setup' means 3 symbols; say which.", candidates=candidates)
    assert render_error(error, TOOLSET, AnswerFormat.TEXT, 8_000).split("\n") == [
        "AMBIGUOUS: 'Setup' means 3 symbols; say which.",
        "  source/Shop.Web/",
        "   Setup.cs:8  class Web.Setup",
        "   Setup.Parts.cs:8  class Web.Setup",
        "  source/Shop.Api/Setup.cs:8  class Api.Setup",
    ]
    library = Candidate(symbol_id="T:Lib.Setup", display="Lib.Setup")
    mixed = AmbiguousError("'Setup' means 2 symbols; say which.", candidates=(candidates[0], library))
    assert render_error(mixed, TOOLSET, AnswerFormat.TEXT, 8_000).split("\n")[1:] == [
        "  class  Shop.Web.Setup  source/Shop.Web/Setup.cs:8",
        "  type  Lib.Setup  library",
    ]
