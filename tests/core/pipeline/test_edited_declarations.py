"""Each thing that binding reads of a declaration elsewhere, with an edit of it: a document that is not affected has equal rows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import pytest

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import Project
from codemap_core.pipeline.dependencies import affected
from codemap_core.pipeline.surface_difference import State
from codemap_core.testing.source_index import SourceIndex, index_sources

_CASES: Final = tomllib.loads(
    (Path(__file__).parents[3] / "testdata" / "dependencies" / "csharp.toml").read_text(encoding="utf-8")
)["case"]
_PROJECT: Final = "P.csproj"
_PROJECT_TEXT: Final = """<Project Sdk="Microsoft.NET.Sdk">
<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>
"""


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_who_is_not_affected_has_equal_rows(host: PluginHost, case: Mapping[str, str]) -> None:
    files = {"Use.cs": case["use"]} | ({"Also.cs": case["also"]} if "also" in case else {})
    before, after = {**files, "Declares.cs": case["declares"]}, {**files, "Declares.cs": case["after"]}
    found = affected(_state(host, before), _state(host, after), {UnitKey(_PROJECT, "Declares.cs")})
    old, new = (_rows(index_sources({**each, _PROJECT: _PROJECT_TEXT}, host)) for each in (before, after))
    otherwise = {path for path in files if old[path] != new[path]}
    assert "Use.cs" in otherwise, "the case shows nothing"
    assert otherwise <= {unit.file_path for unit in found.units}


def _state(host: PluginHost, files: Mapping[str, str]) -> State:
    language = next(each for each in host.languages if each.name == "csharp")
    surfaces = {}
    for path, text in files.items():
        shown = language.analyse(text.encode(), AnalysisSettings()).surface
        surfaces[UnitKey(_PROJECT, path)] = msgspec.msgpack.encode(shown)
    return State(surfaces, {_PROJECT: Project(project_path=_PROJECT, name="P", assembly_name="P")})


def _rows(index: SourceIndex) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for symbol in index.symbols:
        found.setdefault(symbol.file_path, []).append(symbol)
    for reference in index.references:
        found.setdefault(reference.file_path, []).append(reference)
    for relation in index.relations:
        found.setdefault(relation.file_path, []).append(relation)
    return found
