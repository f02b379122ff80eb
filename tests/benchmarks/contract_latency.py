"""How long the tools of CodeRef2 and codeagent take to answer over real stdio, on an index of any size. Linux only.

    python -m tests.benchmarks.contract_latency REPO [--calls 100] [--seed 1] [--document docs/performance.md]

REPO has been indexed by the CodeMap beside this Python, in the data directory that the environment names. Classes and methods are drawn at
random from what the index declares, half of them from the tenth that is referred to most. Each family has a server of its own. The first
calls of each row are not counted: the first search for similar code makes the vectors of the whole index.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
from mcp import StdioServerParameters
from msgspec import Struct

from codemap_core.model.documentation_id import parse_id
from tests.benchmarks.agent_economy import CODEMAP
from tests.benchmarks.latency import Arguments, Measured, Questions, calls, options, percentiles, publish, rows
from tests.benchmarks.report import table

MANY: Final = 100
"""References in one validation."""
_DEEP: Final = 10
"""The contract's greatest depth of an analysis."""
_CODEREF: Final = "mcp__coderef__"
_HEADER: Final = ("question", "p50 ms", "p95 ms", "max ms", "processor p50 ms", "median characters", "errors")


class Element(Struct, frozen=True):
    """A declaration as both contracts name it."""

    symbol_id: str
    name: str
    file_path: str
    reference: str

    @property
    def folder(self) -> str:
        return self.file_path.rpartition("/")[0]


class Drawn(Struct, frozen=True):
    classes: tuple[Element, ...]
    methods: tuple[Element, ...]


def draw(repository: Path, count: int, chance: random.Random) -> Drawn:
    used = Counter(row["to_symbol"] for row in rows("refs", repository) if row["to_symbol"] and not row["external"])
    declared = list(rows("symbols", repository))

    def some(kind: str, designator: str, parts: int) -> tuple[Element, ...]:
        found = {row["symbol_id"]: _element(row, designator, parts) for row in declared if row["kind"] == kind}
        ordered = sorted(found.values(), key=lambda each: -used[each.symbol_id])
        popular = ordered[: max(1, len(ordered) // 10)]
        return tuple(chance.choice(popular if n % 2 else ordered) for n in range(count))

    return Drawn(classes=some("class", "C", 1), methods=some("method", "M", 2))


def _element(row: dict[str, Any], designator: str, parts: int) -> Element:
    names = [each.name for each in parse_id(row["symbol_id"]).parts[-parts:]]
    reference = f"@{designator}/{row['file_path']}#{'.'.join(names)}"
    return Element(row["symbol_id"], names[-1], row["file_path"], reference)


def coderef_questions(drawn: Drawn) -> Questions:
    def filtered(**filters: object) -> Callable[[int], Arguments]:
        return lambda n: {"query": f"@C/{drawn.classes[n].folder}/*", "filter": filters}

    def analyze(analysis: str, **arguments: object) -> Callable[[int], Arguments]:
        elements = (drawn.classes, drawn.methods)
        return lambda n: {"reference": elements[n // 2 % 2][n].reference, "analysis_type": analysis, **arguments}

    def references(n: int) -> list[str]:
        return [drawn.methods[(n + each) % len(drawn.methods)].reference for each in range(MANY)]

    asked: dict[str, tuple[str, Callable[[int], Arguments]]] = {
        "query by name": ("query", lambda n: {"query": f"@C/*#{drawn.classes[n].name}*"}),
        "query of a folder": ("query", lambda n: {"query": f"@M/{drawn.methods[n].folder}/*"}),
        "query by test coverage": ("query", filtered(has_test_coverage=True)),
        "query by what extends": ("query", filtered(relationship_types=["extends"])),
        "analyze, impact": ("analyze", analyze("impact")),
        f"analyze, impact, depth {_DEEP}": ("analyze", analyze("impact", depth=_DEEP)),
        "analyze, deep": ("analyze", analyze("deep")),
        f"analyze, deep, depth {_DEEP}": ("analyze", analyze("deep", depth=_DEEP)),
        "analyze, coverage": ("analyze", analyze("coverage")),
        "analyze, complexity": ("analyze", analyze("complexity")),
        f"validate {MANY}": ("validate", lambda n: {"references": references(n)}),
        f"validate {MANY}, existence": (
            "validate",
            lambda n: {"references": references(n), "validate_existence": True},
        ),
        f"batch_validate {MANY}": ("batch_validate", lambda n: {"references": references(n)}),
    }
    return {row: (f"{_CODEREF}{tool}", arguments) for row, (tool, arguments) in asked.items()}


def codeagent_questions(drawn: Drawn) -> Questions:
    def node(n: int) -> Arguments:
        return {"node_id": (drawn.methods if n // 2 % 2 else drawn.classes)[n].symbol_id}

    def file(n: int) -> Arguments:
        return {"path": drawn.classes[n].file_path}

    about = (
        "find_similar",
        "get_symbol",
        "get_source_spans",
        "get_callers",
        "get_callees",
        "get_implementations",
        "get_references",
        "get_dependencies",
        "get_dependents",
    )
    return {
        "search_symbols": ("search_symbols", lambda n: {"query": drawn.classes[n].name}),
        **{tool: (tool, node) for tool in about},
        "get_file_outline": ("get_file_outline", file),
        "read_file": ("read_file", file),
        "get_status": ("get_status", lambda _: {}),
    }


async def measure(repository: Path, drawn: Drawn, count: int) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for toolset, asked in (("coderef", coderef_questions(drawn)), ("codeagent", codeagent_questions(drawn))):
        arguments = ["serve", "--toolsets", toolset]
        served = StdioServerParameters(command=CODEMAP, args=arguments, env=dict(os.environ), cwd=str(repository))
        found += [_figures(row, measured) for row, measured in (await calls(served, asked, count)).items()]
    return found


def _figures(row: str, measured: Measured) -> tuple[object, ...]:
    if measured.error:
        return row, measured.error
    median, late = percentiles(measured.milliseconds)
    return (
        row,
        f"{median:.0f}",
        f"{late:.0f}",
        f"{max(measured.milliseconds):.0f}",
        f"{statistics.median(measured.processor):.1f}",
        f"{statistics.median(measured.characters):,.0f}",
        measured.failed,
    )


def main(argv: Sequence[str]) -> int:
    arguments = options(__doc__, 100).parse_args(argv)
    drawn = draw(arguments.repository, arguments.calls, random.Random(arguments.seed))
    figures = table(_HEADER, anyio.run(measure, arguments.repository, drawn, arguments.calls))
    publish(figures, arguments.document, "the other contracts")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
