"""The types that every reader of ids, constants and bound types has to know: texts, numbers, what may be null, tuples, and those with a
keyword (ECMA-334 §8.3.5, native integers and ``void`` included).

Their ids are those of .NET, as the form of all ids is. A front end of another language that gives its texts and numbers these ids has them
read as texts and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.model.documentation_id import type_id

NAMESPACE: Final = "System"
"""The namespace of all of them."""
KEYWORD_TYPES: Final[Mapping[str, str]] = {
    "bool": "Boolean",
    "byte": "Byte",
    "char": "Char",
    "decimal": "Decimal",
    "double": "Double",
    "float": "Single",
    "int": "Int32",
    "long": "Int64",
    "nint": "IntPtr",
    "nuint": "UIntPtr",
    "object": "Object",
    "sbyte": "SByte",
    "short": "Int16",
    "string": "String",
    "uint": "UInt32",
    "ulong": "UInt64",
    "ushort": "UInt16",
    "void": "Void",
}
"""The simple names of the types by their keyword."""
TYPE_KEYWORDS: Final[Mapping[str, str]] = {name: keyword for keyword, name in KEYWORD_TYPES.items()}
"""The keywords by the simple name of their type."""
KEYWORDS_BY_ID: Final[Mapping[str, str]] = {
    type_id(f"{NAMESPACE}.{name}"): keyword for name, keyword in TYPE_KEYWORDS.items()
}
"""The keywords by the id of their type."""
TEXT_ID: Final = type_id(f"{NAMESPACE}.String")
INTEGER_IDS: Final = frozenset(
    type_id(f"{NAMESPACE}.{KEYWORD_TYPES[keyword]}")
    for keyword in ("sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong")
)
"""Whole numbers whose size no machine decides."""
NULLABLE: Final = "Nullable"
NULLABLE_ID: Final = type_id(f"{NAMESPACE}.{NULLABLE}`1")
TUPLE: Final = "ValueTuple"
TUPLE_IDS: Final = type_id(f"{NAMESPACE}.{TUPLE}`")
"""What the ids of tuples begin with; their arity follows."""
