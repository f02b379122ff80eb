"""Broken code is data: analysis never raises, whatever the grammar makes of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_core.model import DocumentStatus
from codemap_core.testing.specs import read_specs
from codemap_plugins.typescript.analysis import analyse
from codemap_plugins.typescript.unit import decode_unit

SUITES = sorted((Path(__file__).parents[3] / "testdata/mdtest/typescript").glob("*.md"))
PIECES = (
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "</",
    "/>",
    ",",
    ";",
    "=",
    "=>",
    "`",
    "${",
    '"',
    "/*",
    "class ",
    "export ",
    "import ",
    "as ",
)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("tsx", "<b as >"),
        ("tsx", 'as as b.c ) c="d"'),
        ("typescript", "} class A { } class A {"),
        ("tsx", "class A { } ) ) extends < ]"),
    ],
)
def test_nodes_in_places_where_they_do_not_belong(dialect: str, text: str) -> None:
    assert analyse(text.encode(), AnalysisSettings(dialect=dialect)).status is DocumentStatus.FALLBACK


@pytest.mark.parametrize("dialect", ["tsx", "typescript"])
@pytest.mark.parametrize(
    "arguments",
    ["{ wide: boolean }", "{ $a?: B; c: () => void;\n d: Map<A, B<C>> }", "A | B, { c: D }"],
)
def test_type_arguments_before_a_template_are_repaired(arguments: str, dialect: str) -> None:
    """The grammar knows names alone there; what stands around them is read."""
    text = f"const Box = styled.div<{arguments}>`w: ${{p => p.wide}};`;\nexport function after() {{ return a < b; }}\n"
    found = analyse(text.encode(), AnalysisSettings(dialect=dialect))
    damaged = analyse((text + "class {").encode(), AnalysisSettings(dialect=dialect))
    assert (found.status, [each.code for each in found.problems]) == (DocumentStatus.REPAIRED, ["type_arguments"])
    assert damaged.status is DocumentStatus.FALLBACK
    assert [each.name for each in decode_unit(found.unit).declarations] == ["Box", "after"]


def test_the_problem_of_a_file_says_where_its_first_error_is() -> None:
    found = analyse(b"const a = 1;\nconst b = ;\nconst c = ;\n", AnalysisSettings(dialect="typescript"))
    assert [(each.code, each.line) for each in found.problems] == [("syntax", 2)]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.stem)
def test_cuts_and_additions_at_random_places(suite: Path) -> None:
    chance = random.Random(suite.stem)
    for spec in read_specs(suite.read_text(encoding="utf-8")):
        for path, text in spec.files.items():
            if path.endswith((".ts", ".tsx")):
                for _ in range(40):
                    damaged = _damaged(text, chance)
                    dialect = "tsx" if path.endswith(".tsx") else "typescript"
                    analyse(damaged.encode(), AnalysisSettings(dialect=dialect))


def _damaged(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(text) + 1)
        added = chance.choice(PIECES) if chance.random() < 0.6 else ""
        text = text[:at] + added + text[at + (0 if added else chance.randint(1, 20)) :]
    return text
