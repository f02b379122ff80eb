"""How references name what the index holds: a symbol's element is its type's name with the types around it, then its own name as metadata
has it, without parameters or type arguments. Overloads share an element; their lines tell them apart. A module is its file, and has no
element; nor has what TypeScript calls by another text than an identifier, to which its line leads."""

from __future__ import annotations

import re
from typing import Final

from codemap_core.model import SymbolKind
from codemap_core.storage.reading.symbol_scan import ScannedSymbol
from codemap_plugins.coderef.designators import MODULE, Designator, designator_of
from codemap_plugins.coderef.parsing import is_identifier
from codemap_plugins.coderef.reference import Reference

_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_ARITY: Final = re.compile(r"`+[0-9]+")
_NO_IDENTIFIER: Final = re.compile(r"\W")
_PARAMETERS: Final = re.compile(r"[(~]")


def element_of(symbol: ScannedSymbol) -> str | None:
    """The element of references to a symbol; null where they have none."""
    if symbol.kind == MODULE:
        return None
    own = own_name(symbol)
    element = f"{_plain(symbol.containing_type)}.{own}" if symbol.containing_type else own
    return element if "." not in own and is_identifier(element) else None


def own_name(symbol: ScannedSymbol) -> str:
    """A symbol's name without what contains it: ``Submit``, ``op_Addition``, ``Item``; a constructor has its type's."""
    if symbol.kind == SymbolKind.CONSTRUCTOR:
        return _plain(symbol.name).rpartition(".")[2]
    if symbol.name.startswith("~"):
        return "Finalize"
    if symbol.namespace == symbol.file_path:  # which are ids of TypeScript, where characters are encoded
        return symbol.name
    _, _, written = symbol.symbol_id.partition(":")
    qualified = _PARAMETERS.split(written, maxsplit=1)[0]
    name = _ARITY.sub("", qualified).rpartition(".")[2].rpartition("#")[2]
    return _NO_IDENTIFIER.sub("", name) or "_"


def designator_for(symbol: ScannedSymbol) -> Designator:
    return designator_of(SymbolKind(symbol.kind), bool(symbol.is_static))


def reference_to(symbol: ScannedSymbol) -> Reference:
    """The canonical reference to a symbol."""
    return Reference(
        designator=designator_for(symbol),
        path=symbol.file_path,
        element=element_of(symbol),
        line=symbol.name_line if symbol.kind != MODULE else None,
    )


def _plain(name: str | None) -> str:
    """A readable name without type arguments: ``Outer.Inner<T>`` is ``Outer.Inner``."""
    plain = name or ""
    while (shorter := _TYPE_ARGUMENTS.sub("", plain)) != plain:
        plain = shorter
    return plain
