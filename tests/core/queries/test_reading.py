"""Rows of an index, page by page: filters, totals, and an order that an offset continues."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.config import Settings
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks import hookimpl
from codemap_core.hooks.interests import Interests
from codemap_core.hooks.manager import load_plugins
from codemap_core.model import FactRow, ReferenceRow, RefKind, ResolutionState, SymbolKind
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.reading import Reading
from codemap_core.repository import Repository
from tests.clone import Clone
from tests.core.queries.conftest import open_index

PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>'


class Calls:
    """A fact and a link for each call of ``Go``."""

    name = "calls"
    language = "csharp"
    interests = Interests(invocations=("Go",))
    kinds = ("odd", "even")
    roles = ("starts",)


class CallFacts(Calls):
    def extract(self, seen):  # type: ignore[no-untyped-def]
        for index, event in seen.events.items():
            value = event.arguments[0].value.constant.value
            yield FactRow(
                kind="odd" if value % 2 else "even",
                value=f"Go {value}",
                detail={"at": event.line, "nth": index},
                symbol_id=event.enclosing,
                file_path=seen.file_path,
                line_start=event.line,
                line_end=event.line,
            )


class CallLinks(Calls):
    def extract(self, seen):  # type: ignore[no-untyped-def]
        for event in seen.events.values():
            yield ReferenceRow(
                kind=RefKind.LINK,
                role="starts",
                from_symbol=event.enclosing,
                to_symbol="T:A",
                to_name="A",
                file_path=seen.file_path,
                line=event.line,
                line_end=event.line,
                column=event.column,
                resolution_state=ResolutionState.RESOLVED,
            )


class Plugin:
    @hookimpl
    def codemap_register_fact_extractors(self, registry):  # type: ignore[no-untyped-def]
        registry.add(CallFacts())

    @hookimpl
    def codemap_register_reference_extractors(self, registry):  # type: ignore[no-untyped-def]
        registry.add(CallLinks())


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    clone = Clone(tmp_path_factory.mktemp("reading") / "repository")
    calls = "".join(f"        Go({n});\n" for n in range(10))
    clone.commit(
        {
            "A/A.csproj": PROJECT,
            "A/A.cs": f"class A\n{{\n    void M()\n    {{\n{calls}    }}\n    void Go(int n) {{ }}\n}}\n",
            "B/B.csproj": PROJECT,
            "B/B.cs": "class B\n{\n    void N() => Go(11);\n    void Go(int n) { }\n}\n",
        }
    )
    host = load_plugins(extra={"calls": Plugin()})
    assert not host.problems
    settings = Settings(data_directory=tmp_path_factory.mktemp("home"))
    result = ensure_baseline(Repository.open(clone.root), host, settings)
    assert not result.failures
    with open_index(Path(result.path)) as snapshot:
        yield snapshot.reading


def test_facts_are_paged_and_filtered(reading: Reading) -> None:
    first = reading.facts("even", limit=2)
    assert ([each.value for each in first.rows], first.total) == (["Go 0", "Go 2"], 5)
    rest = reading.facts("even", limit=10, offset=2)
    assert ([each.value for each in rest.rows], rest.total) == (["Go 4", "Go 6", "Go 8"], 5)
    assert reading.facts().total == 11
    assert [each.value for each in reading.facts(prefix="Go 1").rows] == ["Go 1", "Go 11"]
    assert [each.value for each in reading.facts(project="B").rows] == ["Go 11"]
    assert reading.facts(project="B/B.csproj", file_path="A/A.cs").total == 0
    assert reading.facts(symbol_id="M:B.N").rows[0].detail == {"at": 3, "nth": 0}
    assert reading.facts("none").total == 0


def test_references_are_paged_and_filtered(reading: Reading) -> None:
    links = reading.references((RefKind.LINK,), limit=1, offset=10)
    assert ([(each.role, each.from_symbol, each.file_path) for each in links.rows], links.total) == (
        [("starts", "M:B.N", "B/B.cs")],
        11,
    )
    assert reading.references(role="starts", from_symbol="M:A.M", to_symbol="T:A").total == 10
    assert reading.references(role="ends").total == 0
    assert reading.references((RefKind.CALL,), project="B").total == 1


def test_symbols_are_paged_and_filtered(reading: Reading) -> None:
    found = reading.symbols((SymbolKind.METHOD,), limit=2)
    assert ([each.symbol_id for each in found.rows], found.total) == (["M:A.Go(System.Int32)", "M:A.M"], 4)
    assert [each.symbol_id for each in reading.symbols(name="go", project="B").rows] == ["M:B.Go(System.Int32)"]
    assert reading.symbols(file_path="B/B.cs").total == 3


@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (1001, 0), (10, -1)])
def test_a_page_has_bounds(reading: Reading, limit: int, offset: int) -> None:
    with pytest.raises(InvalidArgumentError, match=r"A page has 1 to 1,000 rows"):
        reading.facts(limit=limit, offset=offset)
