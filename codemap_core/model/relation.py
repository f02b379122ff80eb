"""Relations between types: the direct base type and the directly declared interfaces, by open definition."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from codemap_core.model.documentation_id import SymbolId


class RelationKind(StrEnum):
    BASE_TYPE = "base_type"
    INTERFACE = "interface"


class RelationRow(Struct, frozen=True, kw_only=True):
    kind: RelationKind
    from_symbol: SymbolId
    to_symbol: SymbolId
    """Documentation-comment id; a type that could not be found is ``!:`` and its name as written."""
    external: bool
    display_name: str
    """The target as written in source, type arguments included."""
    file_path: str
    """The document whose base list says it."""
    project: str
    condition: str | None = None
