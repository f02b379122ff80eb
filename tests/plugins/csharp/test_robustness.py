"""Broken code never raises: the specifications' sources, mutated at random, go through every stage."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.model import Confidence
from codemap_core.testing.source_index import index_sources
from codemap_core.testing.specs import read_specs

SPECS: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp"
MUTATIONS: Final = 25
"""For each seed."""
_TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")
_NASTY: Final = (
    *("(", ")", "{", "}", "<", ">", "[", "]", ";", ",", "=>", "?", '"', "'", "=", ".", ":", "/*", "///", "@", '$"'),
    *(
        "params",
        "scoped",
        "ref",
        "new",
        "this",
        "base",
        "#if",
        "#endif",
        "where",
        "is",
        "await",
        "extension",
        "operator",
    ),
)


@cache
def host() -> PluginHost:
    return load_plugins()


@cache
def sources() -> tuple[tuple[str, ...], ...]:
    """Each source as its tokens."""
    return tuple(
        tuple(_TOKEN.findall(text))
        for suite in sorted(SPECS.rglob("*.md"))
        for spec in read_specs(suite.read_text(encoding="utf-8"))
        for path, text in spec.files.items()
        if path.endswith(".cs")
    )


def mutated(choose: random.Random) -> str:
    tokens = list(choose.choice(sources()))
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(tokens))
        match choose.randrange(5):
            case 0:
                del tokens[at : at + choose.randint(1, 5)]
            case 1:
                tokens[at] = choose.choice(_NASTY)
            case 2:
                del tokens[max(at, 1) :]
            case 3:
                other = choose.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                donor = choose.choice(sources())
                start = choose.randrange(len(donor))
                tokens[at:at] = donor[start : start + choose.randint(1, 12)]
        tokens = tokens or [" "]
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(12))
def test_mutated_sources(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(MUTATIONS):
        text = mutated(choose)
        index = index_sources({"a.cs": text}, host())  # asserts that no extractor raised
        lines = text.count("\n") + text.count("\r") + 1
        for row in index.symbols:
            assert 1 <= row.span_start <= row.name_line <= row.span_end <= lines, (text, row)
        for reference in index.references:
            assert 1 <= reference.line <= lines, (text, reference)
            assert reference.to_symbol is not None or reference.reason, (text, reference)
            assert reference.confidence in Confidence
