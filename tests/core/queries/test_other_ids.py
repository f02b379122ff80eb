"""Ids of a language that are not documentation-comment ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings, FrontEnd, LanguageFrontEnd, UnitKey
from codemap_core.hooks.interests import Interests
from codemap_core.hooks.registry import Registry
from codemap_core.model import (
    DocumentStatus,
    ReferenceRow,
    RefKind,
    ResolutionState,
    SymbolKind,
    SymbolRow,
    plain_symbol,
)
from codemap_core.model.bound import BoundDocument
from codemap_core.model.documentation_id import parse_id, readable_name
from codemap_core.testing import call_tool, load_plugin

STEP = "steps:build"


class Steps(FrontEnd):
    """Each file declares the step ``build``, and refers to it in its second line."""

    name = "steps"
    dialects: Mapping[str, str] = {".steps": "steps"}

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        return AnalysedDocument(unit=content, text=content.decode(), line_count=2, status=DocumentStatus.CLEAN)

    def symbols(self, table: Any, unit: UnitKey) -> Iterable[SymbolRow]:
        yield plain_symbol(
            STEP, SymbolKind("step"), "build", signature="step build", file_path=unit.file_path, line_start=1
        )

    def bind(self, table: Any, unit: UnitKey, interests: Interests) -> BoundDocument:
        reference = ReferenceRow(
            kind=RefKind.CALL,
            from_symbol=None,
            to_symbol=STEP,
            to_name="build",
            file_path=unit.file_path,
            line=2,
            line_end=2,
            column=5,
            resolution_state=ResolutionState.RESOLVED,
        )
        return BoundDocument(file_path=unit.file_path, project_path=unit.project_path, references=(reference,))


class Plugin:
    @hookimpl
    def codemap_register_languages(self, registry: Registry[LanguageFrontEnd]) -> None:
        registry.add(Steps())


@pytest.mark.parametrize("symbol", [STEP, "build"])
def test_a_symbol_is_found_by_its_id_and_by_its_name(symbol: str) -> None:
    result = call_tool(load_plugin(Plugin()), "refs.find", {"a.steps": "step build\nrun build\n"}, symbol=symbol)
    assert result.answer == "1 reference to steps:build (call)."
    assert list(result.data.lines()) == ["a.steps:2  run build"]


def test_what_calls_it_outside_every_symbol_is_said() -> None:
    result = call_tool(load_plugin(Plugin()), "graph.callers", {"a.steps": "step build\nrun build\n"}, symbol=STEP)
    assert result.answer == "No callers of steps:build. 1 place outside every symbol calls it: refs.find."


def test_nothing_is_cut_from_an_id_without_a_prefix() -> None:
    assert readable_name(STEP) == STEP
    assert parse_id(STEP).prefix == ""
