"""Relations between types: what the base lists of a file's type declarations name.

A class's base class is the entry that is not an interface; all others are interfaces. Where an entry was not found, a class's first one
counts as an interface if its name has the shape of one (``I`` and a capital), else as its base class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import RelationKind, RelationRow, SymbolKind
from codemap_plugins.csharp.page_names import UNLISTED, PageKind
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type
from codemap_plugins.csharp.unit import DeclarationKind

_INTERFACE_NAME: Final = re.compile(r"(?:^|\.)I[A-Z]\w*$")
_ALIAS: Final = re.compile(r"\b(?:global|__\w*)::")
"""Before what is added to a page."""
_CAN_HAVE_BASE: Final = frozenset({DeclarationKind.CLASS, DeclarationKind.RECORD_CLASS})
_NO_RELATIONS: Final = frozenset({DeclarationKind.ENUM, DeclarationKind.DELEGATE, DeclarationKind.EXTENSION_BLOCK})


def relations(table: SymbolTable, key: UnitKey) -> Iterator[RelationRow]:
    """One row for each entry of each base list, in source order; none of a view, whose class is not listed."""
    document = table.documents[key]
    if document.outline.page in UNLISTED:
        return
    for index, declaration in enumerate(document.outline.types):
        if not declaration.bases or declaration.kind in _NO_RELATIONS:
            continue
        definition = document.definitions[index]
        part = definition.part_at(document, index)
        resolver = table.resolver_for(part, definition, own_only=True)
        for position, base in enumerate(declaration.bases):
            type_ = resolver.resolve(base.text)
            text = _ALIAS.sub("", base.text) if document.outline.page is not PageKind.NONE else base.text
            target, external = _target(type_, text)
            yield RelationRow(
                kind=_relation_kind(declaration.kind, position, type_),
                from_symbol=definition.documentation_id,
                to_symbol=target,
                external=external,
                display_name=text,
                file_path=key.file_path,
                project=key.project_path,
                condition=declaration.condition or None,
            )


def _target(type_: Type, text: str) -> tuple[str, bool]:
    if isinstance(type_, NamedType):
        return type_.definition.documentation_id, type_.definition.external
    return f"!:{text}", True


def _relation_kind(kind: DeclarationKind, position: int, type_: Type) -> RelationKind:
    if kind not in _CAN_HAVE_BASE or position > 0:
        return RelationKind.INTERFACE
    if isinstance(type_, NamedType):
        return RelationKind.INTERFACE if type_.definition.kind is SymbolKind.INTERFACE else RelationKind.BASE_TYPE
    name = type_.text if isinstance(type_, ErrorType) else ""
    return RelationKind.INTERFACE if _INTERFACE_NAME.search(name) else RelationKind.BASE_TYPE
