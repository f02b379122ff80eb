"""Types as written, lowered from syntax nodes to ``TypeSyntax``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

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
from codemap_plugins.csharp.type_syntax import (
    NATIVE_INTEGERS,
    TypeSyntax,
    identifier_text,
    type_identifier_text,
)

_MAX_DEPTH: Final = 200
_VAR: Final = TypeSyntax("var")
_DYNAMIC: Final = "dynamic"
_SPACE: Final = re.compile(r"\s+")


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
        token = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        parts.append(token if len(token) == 1 else _SPACE.sub("", token))
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
