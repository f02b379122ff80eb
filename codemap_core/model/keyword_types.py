"""The types of the namespace ``System`` that C# has keywords for (ECMA-334 §8.3.5, native integers and ``void`` included)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
