"""TypeScript as a language of the index: analysis, declaration and binding behind the extension point of the core. Light to import: the
parser is loaded when the first file is analysed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING

from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings, MemberComplexity, UnitKey, Universe
from codemap_core.hooks.interests import Interests
from codemap_core.model import SymbolRow
from codemap_core.model.bound import BoundDocument
from codemap_plugins.typescript.left_out import is_left_out

if TYPE_CHECKING:
    from codemap_plugins.typescript.binding import TypeScriptBinding
    from codemap_plugins.typescript.table import TypeScriptTable


class Declared:
    """The symbol table of a run, and the binder over it."""

    def __init__(self, table: TypeScriptTable, binding: TypeScriptBinding) -> None:
        self.table = table
        self.binding = binding


class TypeScriptFrontEnd:
    name = "typescript"
    dialects: Mapping[str, str] = {
        ".ts": "typescript",
        ".mts": "typescript",
        ".cts": "typescript",
        ".tsx": "tsx",
    }

    @cached_property
    def fingerprint(self) -> str:
        from codemap_plugins.typescript.fingerprint import unit_fingerprint

        return unit_fingerprint()

    @cached_property
    def row_fingerprint(self) -> str:
        from codemap_plugins.typescript.fingerprint import row_fingerprint

        return row_fingerprint()

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        from codemap_plugins.typescript.analysis import analyse

        return analyse(content, settings)

    def complexities(self, unit: bytes) -> Iterable[MemberComplexity]:
        from codemap_plugins.typescript.complexity import complexities

        return complexities(unit)

    def relevant_settings(self, content: bytes, settings: AnalysisSettings) -> AnalysisSettings:
        return AnalysisSettings()

    def is_generated(self, path: str) -> bool:
        return path.endswith((".generated.ts", ".gen.ts", ".g.ts", "_pb.ts", ".generated.tsx"))

    def leaves_out(self, path: str) -> bool:
        return is_left_out(path)

    def declare(self, universe: Universe) -> Declared:
        from codemap_plugins.typescript.binding import TypeScriptBinding
        from codemap_plugins.typescript.table import TypeScriptTable

        table = TypeScriptTable(universe)
        return Declared(table, TypeScriptBinding(table))

    def redeclare(self, table: Declared, universe: Universe, changed: AbstractSet[UnitKey]) -> Declared:
        from codemap_plugins.typescript.binding import TypeScriptBinding
        from codemap_plugins.typescript.table import TypeScriptTable

        made = TypeScriptTable(universe, table.table, {unit.project_path for unit in changed})
        return Declared(made, TypeScriptBinding(made))

    def symbols(self, table: Declared, unit: UnitKey) -> Iterable[SymbolRow]:
        from codemap_plugins.typescript.symbol_rows import symbol_rows

        return symbol_rows(table.table.module(unit), unit)

    def bind(self, table: Declared, unit: UnitKey, interests: Interests) -> BoundDocument:
        return table.binding.bind(unit, interests)
