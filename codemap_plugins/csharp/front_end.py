"""C# as a language of the index: analysis, declaration and binding behind the extension point of the core. Light to import: the parser is
loaded when the first file is analysed, the binder when the table is made."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, Final

from codemap_core.hooks.contracts import (
    AnalysedDocument,
    AnalysisSettings,
    FoundLibraries,
    MemberComplexity,
    UnitKey,
    Universe,
)
from codemap_core.hooks.interests import Interests
from codemap_core.model import Explanation, LibrarySymbolRow, Project, SymbolRow
from codemap_core.model.bound import BoundDocument, BoundType
from codemap_plugins.csharp.page_names import PROTOBUF, RAZOR, XAML

if TYPE_CHECKING:
    from codemap_plugins.csharp.binding.stage import CSharpBinding
    from codemap_plugins.csharp.symbols.rows import SymbolRows
    from codemap_plugins.csharp.symbols.table import SymbolTable

_CONDITIONAL: Final = re.compile(rb"#[ \t]*(?:if|elif)\b")
_GENERATED_PATH: Final = re.compile(
    r"(\.g|\.g\.i|\.generated|\.designer|\.assemblyinfo|\.assemblyattributes|globalusings\.g|temporarygeneratedfile_[^/]*)\.cs$"
    r"|(^|/)obj/",
    re.IGNORECASE,
)


class CSharpTable:
    """The symbol table of a run, the rows made from it, and the binder over both."""

    def __init__(self, table: SymbolTable, rows: SymbolRows, binding: CSharpBinding) -> None:
        self.table = table
        self.rows = rows
        self.binding = binding


class CSharpFrontEnd:
    name = "csharp"
    dialects: Mapping[str, str] = {
        ".cs": "csharp",
        **dict.fromkeys((".razor", ".cshtml"), RAZOR),
        **dict.fromkeys((".xaml", ".axaml"), XAML),
        ".proto": PROTOBUF,
    }
    joining: Mapping[str, str] = dict.fromkeys((".razor", ".cshtml", ".xaml", ".axaml"), ".csproj")
    compiled_only: tuple[str, ...] = (".proto",)

    @cached_property
    def fingerprint(self) -> str:
        from codemap_plugins.csharp.fingerprint import unit_fingerprint

        return unit_fingerprint()

    @cached_property
    def row_fingerprint(self) -> str:
        from codemap_plugins.csharp.fingerprint import row_fingerprint

        return row_fingerprint()

    @cached_property
    def library_framework(self) -> str:
        """That of .NET's own assemblies in the shipped catalog: the highest version of each is bound against."""
        from codemap_plugins.csharp.metadata.reference_folders import shipped_catalog

        version = max(
            (each.version for each in shipped_catalog().assemblies if each.name == "System.Runtime"), default=()
        )
        return "net" + ".".join(map(str, version[:2])) if version else ""

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        from codemap_plugins.csharp.analysis import analyse

        return analyse(content, settings)

    def packed(self, unit: bytes) -> bytes:
        from codemap_plugins.csharp.unit import pack_unit

        return pack_unit(unit)

    def relevant_settings(self, content: bytes, settings: AnalysisSettings) -> AnalysisSettings:
        """The symbols matter only to a file with a conditional directive, the path and the namespace to a page alone; the language version
        changes nothing that is read."""
        if settings.dialect == XAML:
            return AnalysisSettings()
        if settings.dialect == PROTOBUF:
            return AnalysisSettings(file_path=settings.file_path.rpartition("/")[2])
        if settings.dialect == RAZOR:
            return AnalysisSettings(
                defines=tuple(sorted(settings.defines)) if _CONDITIONAL.search(content) else (),
                file_path=settings.file_path,
                root_namespace=settings.root_namespace,
            )
        defines = tuple(sorted(settings.defines)) if _CONDITIONAL.search(content) else ()
        return AnalysisSettings(defines=defines, condition=settings.condition)

    def is_generated(self, path: str) -> bool:
        return _GENERATED_PATH.search(path) is not None

    def find_libraries(self, projects: Sequence[Project], work_tree: str) -> FoundLibraries:
        from codemap_core.config import home_folder
        from codemap_plugins.csharp.metadata.discover import machine_libraries

        return machine_libraries(projects, work_tree, os.environ, home_folder())

    def declare(self, universe: Universe) -> CSharpTable:
        from codemap_plugins.csharp.binding.stage import CSharpBinding
        from codemap_plugins.csharp.symbols.rows import SymbolRows
        from codemap_plugins.csharp.symbols.table import SymbolTable

        table = SymbolTable(universe)
        rows = SymbolRows(table)
        rows.prepare()
        return CSharpTable(table, rows, CSharpBinding(table, rows))

    def redeclare(self, table: CSharpTable, universe: Universe, changed: AbstractSet[UnitKey]) -> CSharpTable:
        from codemap_plugins.csharp.binding.stage import CSharpBinding

        if not table.table.keeps_alternatives(universe.units, changed):
            return self.declare(universe)
        table.rows.redeclared(table.table.redeclare(universe.units, changed))
        return CSharpTable(table.table, table.rows, CSharpBinding(table.table, table.rows))

    def symbols(self, table: CSharpTable, unit: UnitKey) -> Iterable[SymbolRow]:
        return table.rows.rows(unit)

    def bind(self, table: CSharpTable, unit: UnitKey, interests: Interests) -> BoundDocument:
        return table.binding.bind(unit, interests)

    def bases_of(self, table: CSharpTable, unit: UnitKey, type_id: str) -> tuple[str, ...]:
        return table.binding.bases_of(unit, type_id)

    def interfaces_of(self, table: CSharpTable, unit: UnitKey, type_: BoundType) -> tuple[BoundType, ...]:
        return table.binding.interfaces_of(unit, type_)

    def library_symbols(self, table: CSharpTable, symbol_ids: Iterable[str]) -> Iterable[LibrarySymbolRow]:
        from codemap_plugins.csharp.symbols.library_rows import library_symbols

        return library_symbols(table.table, symbol_ids)

    def complexities(self, unit: bytes) -> Iterable[MemberComplexity]:
        from codemap_plugins.csharp.complexity import complexities

        return complexities(unit)

    def explain(self, table: CSharpTable, unit: UnitKey, text: str, line: int, column: int) -> tuple[Explanation, ...]:
        from codemap_plugins.csharp.binding.explanation import explain

        return explain(table.binding, unit, text, line, column)
