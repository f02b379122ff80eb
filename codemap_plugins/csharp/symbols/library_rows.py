"""Rows of library symbols, from metadata: what they are, how C# would declare them, and from which assembly.

Asked for are ids; what they stand for is sought in what the projects see, in path order, then in all assemblies: a reference was bound to
one of these. Only the members asked for are read, so that the cost follows the number of symbols that a repository refers to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from codemap_core.model import LibrarySymbolRow
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.csharp.metadata import library_types as metadata
from codemap_plugins.csharp.metadata.doc_ids import event_id, field_id, method_id, property_id
from codemap_plugins.csharp.metadata.surface import TypeSurface
from codemap_plugins.csharp.metadata.type_reference import NamedType
from codemap_plugins.csharp.symbols.library_signatures import (
    Declared,
    event_signature,
    field_signature,
    method_signature,
    property_signature,
    qualified_name,
    type_signature,
)
from codemap_plugins.csharp.symbols.table import SymbolTable

_OBJECT: Final = "T:System.Object"
_CONSTRUCTORS: Final = {".ctor": "#ctor", ".cctor": "#cctor"}


def library_symbols(table: SymbolTable, symbol_ids: Iterable[str]) -> Iterator[LibrarySymbolRow]:
    """As ``LibraryDescriber.library_symbols``."""
    members: dict[str, set[str]] = {}
    pending: dict[str, None] = {}
    for symbol_id in sorted(symbol_ids):
        type_id = symbol_id if symbol_id.startswith("T:") else container_of(symbol_id)
        pending[type_id] = None
        if type_id != symbol_id:
            members.setdefault(type_id, set()).add(symbol_id)
    views = table.library_views()
    done: set[str] = set()
    while pending:
        level, pending = list(pending), {}
        done.update(level)
        for type_id in level:
            found = _found(views, type_id)
            if found is None:
                continue
            surface = found[1].members(found[0])
            bases = tuple(dict.fromkeys(_bases(found[0])))
            yield _type_row(type_id, found[0], found[1], surface, bases)
            yield from _member_rows(type_id, found[0], found[1], surface, members.get(type_id, frozenset()))
            pending.update((base, None) for base in bases if base not in done)


def _found(
    views: Sequence[metadata.LibraryView], type_id: str
) -> tuple[metadata.LibraryType, metadata.LibraryView] | None:
    for view in views:
        found = view.with_id(type_id)
        if found is not None:
            return found, view
    return None


def _bases(found: metadata.LibraryType) -> Iterator[str]:
    for base in (found.base, *found.interfaces):
        if isinstance(base, NamedType):
            base_id = "T:" + base.definition.replace("+", ".")
            if base_id != _OBJECT:
                yield base_id


def _type_row(
    type_id: str,
    found: metadata.LibraryType,
    view: metadata.LibraryView,
    surface: TypeSurface,
    bases: tuple[str, ...],
) -> LibrarySymbolRow:
    enclosing = f"T:{type_id[2:].rpartition('.')[0]}" if found.enclosing_path else None
    return LibrarySymbolRow(
        symbol_id=type_id,
        kind=found.kind,
        name=found.name,
        fully_qualified_name=qualified_name(surface),
        signature=type_signature(surface),
        container_id=enclosing,
        assembly=found.assembly,
        version=_version(view, found),
        bases=bases,
    )


def _member_rows(
    type_id: str,
    found: metadata.LibraryType,
    view: metadata.LibraryView,
    surface: TypeSurface,
    wanted: Iterable[str],
) -> Iterator[LibrarySymbolRow]:
    remaining = set(wanted)
    names = {parse_id(each).name for each in remaining}
    version = _version(view, found)
    owner = qualified_name(surface)
    for symbol_id, declared in _members(surface, names):
        if symbol_id in remaining:
            remaining.discard(symbol_id)
            yield LibrarySymbolRow(
                symbol_id=symbol_id,
                kind=declared.kind,
                name=declared.name,
                fully_qualified_name=f"{owner}.{declared.name}",
                signature=declared.signature,
                container_id=type_id,
                assembly=found.assembly,
                version=version,
            )


def _members(surface: TypeSurface, names: set[str]) -> Iterator[tuple[str, Declared]]:
    name = surface.name
    for method in surface.methods:
        if _CONSTRUCTORS.get(method.name, method.name) in names:
            yield method_id(name, method), method_signature(surface, method)
    for member in surface.properties:
        if member.name in names:
            yield property_id(name, member), property_signature(surface, member)
    for field in surface.fields:
        if field.name in names:
            yield field_id(name, field), field_signature(surface, field)
    for event in surface.events:
        if event.name in names:
            yield event_id(name, event), event_signature(surface, event)


def _version(view: metadata.LibraryView, found: metadata.LibraryType) -> str:
    entry = view.types.assemblies.get(found.assembly)
    return "" if entry is None else ".".join(str(part) for part in entry.version)
