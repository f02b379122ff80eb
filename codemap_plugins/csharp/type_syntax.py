"""Types as written: one normalised text and where its names stand; ``lowering.types`` makes them from syntax nodes.

``text`` has no comments and no white space but the single spaces that part words (a tuple element and its name).
``ref``, ``readonly`` and ``scoped`` before a type are dropped; array sizes are dropped, their commas kept. A verbatim
identifier loses its ``@`` unless the bare word would be a keyword here (``@int``). ``parse_type`` of ``type_reader``
reads the text back.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

PREDEFINED_TYPES: Final = frozenset(
    [
        "bool",
        "byte",
        "char",
        "decimal",
        "double",
        "dynamic",
        "float",
        "int",
        "long",
        "nint",
        "nuint",
        "object",
        "sbyte",
        "short",
        "string",
        "uint",
        "ulong",
        "ushort",
        "void",
    ]
)
"""Words that mean a type by themselves; ``dynamic``, ``nint`` and ``nuint`` are contextual, and taken as the type
always."""
NATIVE_INTEGERS: Final = frozenset({"nint", "nuint"})
"""Those that are identifiers to the compiler, and references where they are written (C# 9)."""
NAMELESS_TYPES: Final = PREDEFINED_TYPES - NATIVE_INTEGERS
"""Those that have no offset in a ``TypeSyntax``."""

_RESERVED_HERE: Final = PREDEFINED_TYPES | {"delegate", "global", "ref", "out", "in", "var"}


class TypeSyntax(Struct, frozen=True, array_like=True):
    """A type as written. ``offsets``: the byte offset of each identifier of ``text`` in order of appearance;
    predefined types, ``global``, ``var``, names of tuple elements and calling conventions have none."""

    text: str
    offsets: tuple[int, ...] = ()


@lru_cache(maxsize=1 << 16)
def identifier_text(token: bytes) -> str:
    """The name that an identifier token means (ECMA-334 §6.4.3): without ``@``, Unicode escapes decoded. Equal tokens give one string."""
    text = token.decode("utf-8", "replace").removeprefix("@")
    if "\\" in text:
        return _UNICODE_ESCAPE.sub(lambda match: _code_point(match[1] or match[2]), text)
    return text


@lru_cache(maxsize=1 << 16)
def type_identifier_text(token: bytes) -> str:
    """The same inside a type's text, where a verbatim keyword keeps its ``@``: the bare word would read as a type."""
    text = identifier_text(token)
    return "@" + text if text in _RESERVED_HERE and token[:1] == b"@" else text


_UNICODE_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def _code_point(digits: str) -> str:
    value = int(digits, 16)
    return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd"
