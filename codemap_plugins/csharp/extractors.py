"""The declare and bind stages of C# behind the extension points of the core."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from codemap_core.hooks.contracts import Binding, DeclarationView, Explanation, UnitKey, Universe
from codemap_core.model import LibrarySymbolRow, SymbolRow

if TYPE_CHECKING:
    from codemap_plugins.csharp.binding.stage import CSharpBinding
    from codemap_plugins.csharp.symbols.rows import SymbolRows
    from codemap_plugins.csharp.symbols.table import SymbolTable


class CSharpTable:
    """The symbol table of a run, the rows made from it, and the binder over both."""

    def __init__(self, table: SymbolTable, rows: SymbolRows, binding: CSharpBinding) -> None:
        self.table = table
        self.rows = rows
        self.binding = binding


class CSharpSymbols:
    name = "csharp"
    language = "csharp"

    @property
    def fingerprint(self) -> str:
        from codemap_plugins.csharp.fingerprint import row_fingerprint

        return row_fingerprint()

    def declare(self, universe: Universe) -> CSharpTable:
        from codemap_plugins.csharp.binding.stage import CSharpBinding
        from codemap_plugins.csharp.symbols.rows import SymbolRows
        from codemap_plugins.csharp.symbols.table import SymbolTable

        table = SymbolTable(universe)
        rows = SymbolRows(table)
        rows.prepare()
        return CSharpTable(table, rows, CSharpBinding(table, rows))

    def symbols(self, table: CSharpTable, unit: UnitKey) -> Iterable[SymbolRow]:
        return table.rows.rows(unit)

    def declarations(self, table: CSharpTable, unit: UnitKey) -> Iterable[DeclarationView]:
        from codemap_plugins.csharp.symbols.views import declaration_views

        return declaration_views(table.table, table.rows, unit)

    def library_symbols(self, table: CSharpTable, symbol_ids: Iterable[str]) -> Iterable[LibrarySymbolRow]:
        from codemap_plugins.csharp.symbols.library_rows import library_symbols

        return library_symbols(table.table, symbol_ids)


class CSharpReferences:
    name = "csharp"
    language = "csharp"

    def bind(self, table: CSharpTable, unit: UnitKey) -> Binding:
        from codemap_plugins.csharp.symbols.base_lists import relations

        return Binding(
            references=table.binding.references(unit),
            relations=tuple(relations(table.table, unit)),
        )

    def explain(self, table: CSharpTable, unit: UnitKey, text: str, line: int, column: int) -> tuple[Explanation, ...]:
        from codemap_plugins.csharp.binding.explanation import explain

        return explain(table.binding, unit, text, line, column)
