"""No module imports what imports it, not even for an annotation. What pyproject.toml's contracts say leaves annotations out."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import Final

import grimp
import pytest

PACKAGES: Final = ("codemap_core", "codemap_plugins", "codemap_server")
_BINDING: Final = "codemap_plugins.csharp.binding"
_SYMBOLS: Final = "codemap_plugins.csharp.symbols"
NAMED_BY_EACH_OTHER: Final = (
    {
        f"{_BINDING}.{name}"
        for name in (
            *("applicability", "arguments", "better", "bound_expressions", "constraints", "context", "conversions"),
            *("doubt", "extensions", "inference", "lambdas", "locals", "natural_types", "overloads", "receivers"),
            *("recording", "reference", "resolution"),
        )
    },
    {f"{_BINDING}.{name}" for name in ("document", "stage")},
    {
        f"{_SYMBOLS}.{name}"
        for name in ("definitions", "libraries", "project_scope", "project_views", "scopes", "table", "types")
    },
)
"""Modules whose annotations name types of each other, and that run in one direction all the same. A group may shrink, never grow."""


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """By module, what it imports, for annotations too."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_there_are_no_circles(imports: dict[str, set[str]]) -> None:
    apart = {
        module: {each for each in imported if not any({module, each} <= group for group in NAMED_BY_EACH_OTHER)}
        for module, imported in imports.items()
    }
    try:
        TopologicalSorter(apart).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_the_graph_is_that_of_the_project(imports: dict[str, set[str]]) -> None:
    """So that the test above sees imports at all, those for annotations too: ``specs`` has no other."""
    assert "codemap_core.hooks.contracts" in imports["codemap_core.hooks.specs"]
