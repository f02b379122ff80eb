"""What the compiler declares in a record that does not declare it (C# specification, "Records"): nobody loses it where a struct or class
becomes a record."""

from __future__ import annotations

import re
from typing import Final

from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.difference_tools.signatures import parse_signature

EQUATABLE: Final = "T:System.IEquatable`1"
"""An interface that every record implements, of itself."""
_ARITY: Final = re.compile(r"`\d+")
_EQUALITY: Final = {"op_Equality": 2, "op_Inequality": 2, "Equals": 1}
"""Members that a record has, and how many of itself, by value, each takes."""


def is_declared_by_record(old: SymbolRow, container: SymbolRow) -> bool:
    """Whether a type of the newer index, a record, has a member of its older self without declaring it: equality of two of itself, or the
    deconstruction into what its primary constructor takes."""
    if container.kind is not SymbolKind.RECORD:
        return False
    count = _EQUALITY.get(parse_id(old.symbol_id).name)
    if count is not None:
        name, parameters = _ARITY.sub("", container.symbol_id[2:]), parse_id(old.symbol_id).parameters or ()
        return len(parameters) == count and all(
            each == name or (each.startswith(f"{name}{{") and not each.endswith("@")) for each in parameters
        )
    taken = parse_signature(container.signature, container.name).parameters
    given = parse_signature(old.signature, old.name).parameters
    return (
        old.name == "Deconstruct"
        and bool(taken)
        and all("out" in each.modifiers for each in given)
        and [each.type for each in given] == [each.type for each in taken]
    )


def is_of_another_kind(old: SymbolRow, new: SymbolRow, is_derived_outside: bool) -> bool:
    """Whether who uses a type must see that it is of another kind. A struct that becomes a record struct has everything that it had, and so
    has a class that becomes a record, except that only records can derive from a record."""
    if old.kind is new.kind and old.kind is not SymbolKind.RECORD:
        return False
    if _is_value(old) != _is_value(new):
        return True
    if new.kind is SymbolKind.RECORD and old.kind is SymbolKind.CLASS:
        return is_derived_outside or "static" in old.modifiers
    return old.kind is not new.kind and not (new.kind is SymbolKind.RECORD and old.kind is SymbolKind.STRUCT)


def _is_value(symbol: SymbolRow) -> bool:
    return symbol.kind is SymbolKind.STRUCT or (
        symbol.kind is SymbolKind.RECORD and " struct " in f" {symbol.signature} "
    )
