"""Types as written: one normalised text and where its names stand, made from syntax nodes.

``text`` has no comments and no white space but the single spaces that part words (a tuple element and its name).
``ref``, ``readonly`` and ``scoped`` before a type are dropped; array sizes are dropped, their commas kept. A verbatim
identifier loses its ``@`` unless the bare word would be a keyword here (``@int``). ``parse_type`` of ``type_tree``
reads the text back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from codemap_core.syntax import Node
from codemap_plugins.csharp.grammar import (
    ALIAS_QUALIFIED_NAME,
    ARRAY_RANK_SPECIFIER,
    ARRAY_TYPE,
    COMMENT,
    ERROR,
    FUNCTION_POINTER_PARAMETER,
    FUNCTION_POINTER_TYPE,
    GENERIC_NAME,
    IDENTIFIER,
    IMPLICIT_TYPE,
    NULLABLE_TYPE,
    POINTER_TYPE,
    PREDEFINED_TYPE,
    QUALIFIED_NAME,
    REF_TYPE,
    SCOPED_TYPE,
    TOKEN_COMMA,
    TOKEN_IN,
    TOKEN_OUT,
    TOKEN_REF,
    TUPLE_ELEMENT,
    TUPLE_TYPE,
    TYPE_ARGUMENT_LIST,
)

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
_MAX_DEPTH: Final = 200


class TypeSyntax(Struct, frozen=True, array_like=True):
    """A type as written. ``offsets``: the byte offset of each identifier of ``text`` in order of appearance;
    predefined types, ``global``, ``var``, names of tuple elements and calling conventions have none."""

    text: str
    offsets: tuple[int, ...] = ()


def lower_type(node: Node, source: bytes) -> TypeSyntax:
    """The type that ``node`` (a type, a name, or an expression that reads as one) writes. ``source``: the original
    bytes that the tree's offsets index, whatever was masked for parsing. Never raises; text that is not a type is kept
    with its white space removed."""
    kind = node.kind_id
    if kind == IDENTIFIER:
        start = node.start_byte
        name = type_identifier_text(source[start : node.end_byte])
        return TypeSyntax(name, () if name == _DYNAMIC else (start,))
    if kind == PREDEFINED_TYPE:
        word = source[node.start_byte : node.end_byte].decode()
        return TypeSyntax(word, (node.start_byte,) if word in NATIVE_INTEGERS else ())
    if kind == IMPLICIT_TYPE:
        return _VAR
    parts: list[str] = []
    offsets: list[int] = []
    _lower(node, source, parts, offsets, 0)
    return TypeSyntax("".join(parts), tuple(offsets))


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


_VAR: Final = TypeSyntax("var")
_DYNAMIC: Final = "dynamic"
_UNICODE_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SPACE: Final = re.compile(r"\s+")


def _code_point(digits: str) -> str:
    value = int(digits, 16)
    return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd"


_Lowering = Callable[[Node, bytes, list[str], list[int], int], None]


def _lower(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    kind = node.kind_id
    if kind == IDENTIFIER:
        start = node.start_byte
        name = type_identifier_text(source[start : node.end_byte])
        parts.append(name)
        if name != _DYNAMIC:
            offsets.append(start)
        return
    lowering = _LOWERINGS.get(kind)
    if lowering is None or depth > _MAX_DEPTH:
        parts.append(_SPACE.sub("", source[node.start_byte : node.end_byte].decode("utf-8", "replace")))
    else:
        lowering(node, source, parts, offsets, depth + 1)


def _predefined(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    word = source[node.start_byte : node.end_byte].decode()
    parts.append(word)
    if word in NATIVE_INTEGERS:
        offsets.append(node.start_byte)


def _tokens(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    for child in node.children:
        if child.kind_id != COMMENT:
            _lower(child, source, parts, offsets, depth)


def _prefixed(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    for child in node.children:
        if child.is_named and child.kind_id != COMMENT:
            _lower(child, source, parts, offsets, depth)


def _alias_qualified(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    alias, *rest = (child for child in node.children if child.kind_id != COMMENT)
    if source[alias.start_byte : alias.end_byte] == b"global":
        parts.append("global")
    else:
        _lower(alias, source, parts, offsets, depth)
    for child in rest:
        _lower(child, source, parts, offsets, depth)


def _array_rank(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    parts.append("[" + "," * sum(child.kind_id == TOKEN_COMMA for child in node.children) + "]")


def _tuple_element(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    first, *rest = (child for child in node.children if child.kind_id != COMMENT)
    _lower(first, source, parts, offsets, depth)
    for child in rest:
        parts.append(" ")
        parts.append(identifier_text(source[child.start_byte : child.end_byte]))


def _function_pointer_parameter(node: Node, source: bytes, parts: list[str], offsets: list[int], depth: int) -> None:
    for child in node.children:
        kind = child.kind_id
        if kind in (TOKEN_REF, TOKEN_OUT, TOKEN_IN):
            parts.append(source[child.start_byte : child.end_byte].decode() + " ")
        elif kind != COMMENT:
            _lower(child, source, parts, offsets, depth)


_LOWERINGS: Final[dict[int, _Lowering]] = {
    PREDEFINED_TYPE: _predefined,
    QUALIFIED_NAME: _tokens,
    GENERIC_NAME: _tokens,
    TYPE_ARGUMENT_LIST: _tokens,
    ARRAY_TYPE: _tokens,
    NULLABLE_TYPE: _tokens,
    POINTER_TYPE: _tokens,
    TUPLE_TYPE: _tokens,
    FUNCTION_POINTER_TYPE: _tokens,
    ERROR: _tokens,
    REF_TYPE: _prefixed,
    SCOPED_TYPE: _prefixed,
    ALIAS_QUALIFIED_NAME: _alias_qualified,
    ARRAY_RANK_SPECIFIER: _array_rank,
    TUPLE_ELEMENT: _tuple_element,
    FUNCTION_POINTER_PARAMETER: _function_pointer_parameter,
}
