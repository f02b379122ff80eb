"""Explanations: of a place, a name and a whole line; of what is not bound, with its own candidates or with none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codemap_core.config import Settings
from codemap_core.errors import CodeMapError, InvalidArgumentError, NotFoundError
from codemap_core.hooks.manager import load_plugins
from codemap_core.model import Explanation, PlaceExplanation
from codemap_core.pipeline.explain import explain_place
from codemap_core.queries.views.explanation import explained_line
from codemap_core.repository import Repository
from codemap_core.testing.tool_calls import call_tool
from tests.plugins.index_tools import library
from tests.plugins.index_tools.library import FILES

PROGRAM = "src/Desk/Program.cs"
Explain = Callable[..., tuple[PlaceExplanation, ...]]


@pytest.fixture(scope="module")
def explain(library_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Explain:
    settings = Settings(data_directory=tmp_path_factory.mktemp("data"))

    def run(line: int, column: int = 0, name: str = "", path: str = PROGRAM) -> tuple[PlaceExplanation, ...]:
        repository = Repository.open(library_folder)
        return explain_place(repository, load_plugins(), settings, path, line, column, name=name)

    return run


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(FILES[PROGRAM].split("\n"), start=1) if text in line)


def only(places: tuple[PlaceExplanation, ...]) -> Explanation:
    ((explanation,),) = [place.explanations for place in places]
    return explanation


def test_a_name_on_a_line_needs_no_column(explain: Explain) -> None:
    found = only(explain(line_of("Describe()"), name="Describe"))
    assert (found.name, found.target) == ("Describe", "M:Books.Shelf.Describe")


def test_without_a_column_every_name_of_the_line_is_explained(explain: Explain) -> None:
    (place,) = explain(line_of("Describe()"))
    assert [(each.column, each.name) for each in place.explanations] == [(13, "Shelf"), (22, "Describe")]


def test_an_unbound_name_has_no_candidates_of_other_expressions(explain: Explain) -> None:
    found = only(explain(line_of("Missing.Call"), name="Call"))
    assert found.target is None
    assert found.candidates == ()
    assert "candidates below" not in found.rule


def test_an_unbound_name_has_its_own_candidates(explain: Explain) -> None:
    found = only(explain(line_of(".Return(7, 8)"), name="Return"))
    assert found.target is None
    assert sorted(candidate.symbol_id for candidate in found.candidates) == [
        "M:Books.Lender.Return(System.Int32)",
        "M:Books.Lender.Return(System.String)",
    ]
    assert "candidates below" in found.rule


def test_a_line_reads_as_plain_text(explain: Explain) -> None:
    line = line_of("Missing.Call")
    lines = list(explained_line(explain(line), limit=50).lines())
    assert lines[0] == f"{PROGRAM}:{line}  Missing.Call(new Shelf(2));"
    assert any(each.startswith("  17  Call  call  not bound: ") for each in lines)
    assert any(each.startswith("  26  Shelf  instantiate  T:Books.Shelf") for each in lines)


def test_pages_of_a_line_follow_each_other(explain: Explain) -> None:
    places = explain(line_of("Missing.Call"))
    whole = explained_line(places, limit=50)
    pages = [explained_line(places, limit=1, offset=offset) for offset in range(whole.total_count)]
    assert [name for page in pages for name in page.names] == list(whole.names)


def test_what_is_not_there_says_so(explain: Explain) -> None:
    with pytest.raises(NotFoundError, match="does not contain the name 'Nowhere'"):
        explain(1, name="Nowhere")
    count = len(FILES[PROGRAM].splitlines())
    for beyond in (count + 1, 900):
        with pytest.raises(InvalidArgumentError, match=f"has {count} lines; there is no line {beyond}"):
            explain(beyond)
    with pytest.raises(NotFoundError, match="is not a source file"):
        explain(1, path="src/Desk/Desk.csproj")


@pytest.mark.parametrize(
    ("path", "line", "code", "said"),
    [
        ("src/Desk/Progam.cs", 1, "NOT_FOUND", "src/Desk/Program.cs"),
        ("../Program.cs", 1, "INVALID_ARGUMENT", "not a path inside the repository"),
        (PROGRAM, 10_000, "INVALID_ARGUMENT", f"{len(FILES[PROGRAM].splitlines())} lines; there is no line 10000"),
    ],
)
def test_a_place_that_the_index_does_not_have_waits_for_nothing(path: str, line: int, code: str, said: str) -> None:
    """Where the place is there, the tool asks for what only a server has, and that takes seconds."""
    with pytest.raises(CodeMapError) as refused:
        call_tool(load_plugins(), "code.explain", {PROGRAM: FILES[PROGRAM]}, file_path=path, line=line)
    assert refused.value.code.value == code
    assert said in refused.value.message
    with pytest.raises(NotFoundError, match="There is no repository here"):
        call_tool(load_plugins(), "code.explain", {PROGRAM: FILES[PROGRAM]}, file_path=PROGRAM, line=1)


def test_what_is_named_though_it_is_not_applicable_says_why(tmp_path: Path) -> None:
    source = """class Scale { public void Weigh(int pounds, bool exact) { } }
class Shop { void Run(Scale scale) { scale.Weigh(3); scale.Weigh(3, true); } }
"""
    folder = library.create(tmp_path / "scales", {"Scales.cs": source})
    settings = Settings(data_directory=tmp_path / "data")
    places = explain_place(Repository.open(folder), load_plugins(), settings, "Scales.cs", 2, 0, name="Weigh")
    wrong, right = (each for place in places for each in place.explanations)
    assert (wrong.target, wrong.confidence) == (right.target, "medium")
    assert wrong.rule.endswith("not applicable, as no other can be meant: it takes at least 2 arguments, 1 given")
    assert "not applicable" not in right.rule
