"""The rows of the symbols that a file declares, the file itself first: it is what its top-level code belongs to."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Documentation, SymbolKind, SymbolRow, Visibility
from codemap_core.model.symbol import SymbolPart
from codemap_plugins.typescript.left_out import DECLARATION_SUFFIXES
from codemap_plugins.typescript.meanings import AMBIENT
from codemap_plugins.typescript.naming import stable_id
from codemap_plugins.typescript.table import Module, Symbol
from codemap_plugins.typescript.unit import NONE, Kind

MODULE: Final = SymbolKind("module")
_KINDS: Final = {
    Kind.CLASS: SymbolKind.CLASS,
    Kind.INTERFACE: SymbolKind.INTERFACE,
    Kind.ENUM: SymbolKind.ENUM,
    Kind.ALIAS: SymbolKind("type"),
    Kind.NAMESPACE: SymbolKind("namespace"),
    Kind.FUNCTION: SymbolKind("function"),
    Kind.VARIABLE: SymbolKind("variable"),
    Kind.METHOD: SymbolKind.METHOD,
    Kind.PROPERTY: SymbolKind.PROPERTY,
    Kind.CONSTRUCTOR: SymbolKind.CONSTRUCTOR,
    Kind.ENUM_MEMBER: SymbolKind.CONSTANT,
}
_COMPONENT: Final = SymbolKind("component")


def symbol_rows(module: Module, key: UnitKey) -> Iterator[SymbolRow]:
    unit = module.unit
    yield SymbolRow(
        symbol_id=module.id,
        stable_id=stable_id(key.project_path, module.id),
        kind=MODULE,
        name=posixpath.basename(module.path),
        fully_qualified_name=module.path,
        signature=f"module {module.path}",
        documentation=None,
        namespace=module.path,
        containing_type=None,
        container_id=None,
        file_path=module.path,
        span_start=1,
        span_end=max(1, unit.line_count),
        name_line=1,
        name_column=1,
        visibility=Visibility.PUBLIC,
        project=key.project_path,
        content_hash=unit.digest,
    )
    exported = {each.local for each in unit.exports if not each.specifier}
    for index, declared in enumerate(unit.declarations):
        if not declared.is_local and declared.name:
            yield _row(module.symbol(index), key, exported)


def _row(symbol: Symbol, key: UnitKey, exported: set[str]) -> SymbolRow:
    declared = symbol.declared
    parent = symbol.parent
    containers: list[str] = []
    at = parent
    while at is not None:
        containers.insert(0, at.declared.name)
        at = at.parent
    path = symbol.module.path
    name = declared.name
    if declared.kind is Kind.CONSTRUCTOR and parent is not None:
        name = parent.declared.name
    part, *others = declared.parts
    return SymbolRow(
        symbol_id=symbol.id,
        stable_id=stable_id(key.project_path, symbol.id),
        kind=_COMPONENT if declared.is_component else _KINDS[declared.kind],
        name=name,
        fully_qualified_name=".".join((*containers, name)),
        signature=declared.signature or name,
        documentation=Documentation(declared.documentation) if declared.documentation else None,
        namespace=path,
        containing_type=".".join(containers) or None,
        container_id=parent.id if parent is not None else None,
        file_path=path,
        span_start=part.line_start,
        span_end=part.line_end,
        name_line=part.line,
        name_column=part.column,
        visibility=Visibility.PUBLIC
        if declared.parent == NONE and declared.name in exported
        else Visibility(declared.visibility),
        project=key.project_path,
        is_static=declared.is_static,
        modifiers=(AMBIENT, *declared.modifiers) if _is_ambient(symbol) else declared.modifiers,
        content_hash=declared.digest[:16],
        other_parts=tuple(SymbolPart(path, each.line_start, each.line_end) for each in others),
    )


def _is_ambient(symbol: Symbol) -> bool:
    """Whether it describes what is elsewhere without a word that says so: at the top of a file of declarations that every file sees."""
    declared, module = symbol.declared, symbol.module
    if AMBIENT in declared.modifiers or declared.parent != NONE:
        return False
    return module.path.endswith(DECLARATION_SUFFIXES) and not module.unit.is_module
