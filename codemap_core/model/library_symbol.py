"""Symbols of libraries: what metadata says of those that something in the repository refers to."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.model.documentation_id import container_of, is_method_id, parse_id, readable_name
from codemap_core.model.symbol import SymbolKind

_KINDS: Final = {"M": SymbolKind.METHOD, "P": SymbolKind.PROPERTY, "F": SymbolKind.FIELD, "E": SymbolKind.EVENT}


class LibrarySymbolRow(Struct, frozen=True, kw_only=True):
    """A symbol that nothing in the repository declares. ``name``, ``fully_qualified_name`` and ``signature`` are as those of a
    ``SymbolRow``."""

    symbol_id: str
    kind: SymbolKind | None
    """Null where only the id is known, and it is a type's."""
    name: str
    fully_qualified_name: str
    signature: str = ""
    """Empty where no metadata was at hand."""
    container_id: str | None = None
    assembly: str = ""
    version: str = ""
    """The version of the assembly, as ``9.0.0.0``."""
    bases: tuple[str, ...] = ()
    """For a type, the ids of its base type and then of its interfaces. ``System.Object`` is left out."""


def kind_of(symbol_id: str) -> SymbolKind | None:
    """The kind that the id alone tells; null for types because the id does not tell their kind."""
    if is_method_id(symbol_id) and parse_id(symbol_id).is_constructor:
        return SymbolKind.CONSTRUCTOR
    return _KINDS.get(symbol_id[:1])


def library_symbol_of(symbol_id: str) -> LibrarySymbolRow:
    """Everything that the id itself tells."""
    full_name = readable_name(symbol_id)
    parsed = parse_id(symbol_id)
    name = parsed.parts[-2].name if parsed.is_constructor and len(parsed.parts) > 1 else parsed.name
    return LibrarySymbolRow(
        symbol_id=symbol_id,
        kind=kind_of(symbol_id),
        name="this[]" if full_name.endswith(".this[]") else name,
        fully_qualified_name=full_name,
        container_id=None if parsed.prefix == "T" else container_of(symbol_id),
    )
