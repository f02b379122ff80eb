"""The type that an enum's values are stored as (ECMA-334 §19.3)."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import TypeDefinition

_INTEGRAL: Final = {
    "sbyte": "T:System.SByte",
    "byte": "T:System.Byte",
    "short": "T:System.Int16",
    "ushort": "T:System.UInt16",
    "int": "T:System.Int32",
    "uint": "T:System.UInt32",
    "long": "T:System.Int64",
    "ulong": "T:System.UInt64",
}
_BY_NAME: Final = {type_id.removeprefix("T:System."): type_id for type_id in _INTEGRAL.values()}


def underlying_type(definition: TypeDefinition) -> str | None:
    """Its id; null for what is not an enum, and for one of a library, where it is not looked up."""
    if definition.kind is not SymbolKind.ENUM or not isinstance(definition, SourceTypeDefinition):
        return None
    written = next((base.text for part in definition.parts for base in part.declaration.bases), "int")
    return _INTEGRAL.get(written) or _BY_NAME.get(written.rpartition(".")[2])
