"""Heads of namespaces and types among the pieces of a syntax error: ``class C {`` whose closing brace the parser did not find.

Without them everything inside would be taken for the container around. Whether the head means what it seems to is not certain, so what
is found below one is of low confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.declarations.parts import (
    content_hash,
    header_text,
    identifier_text,
    modifier_bits,
    modifiers_of,
    type_parameters_of,
)
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import DeclarationKind, Modifiers, TypeDeclaration

_KEYWORDS: Final = {
    "namespace": None,
    "class": DeclarationKind.CLASS,
    "struct": DeclarationKind.STRUCT,
    "interface": DeclarationKind.INTERFACE,
    "enum": DeclarationKind.ENUM,
    "record": DeclarationKind.RECORD_CLASS,
}
_NAMES: Final = frozenset({grammar.IDENTIFIER, grammar.QUALIFIED_NAME})
_MAX_PIECES: Final = 12
"""How far after its keyword the brace of a head is sought."""


class Head(NamedTuple):
    """``kind``: null for a namespace. ``start``: offset of its first modifier; ``brace``: that of its opening brace; ``after``: position
    among the pieces of what follows the brace."""

    kind: DeclarationKind | None
    name: Node
    modifiers: Modifiers
    type_parameters: Node | None
    bases: Node | None
    start: int
    brace: int
    after: int


def head_at(source: bytes, pieces: Sequence[Node], position: int) -> Head | None:
    """The head whose keyword is the piece at ``position``, or null."""
    keyword = pieces[position]
    if keyword.is_named or keyword.type not in _KEYWORDS:
        return None
    name: Node | None = None
    type_parameters: Node | None = None
    bases: Node | None = None
    for index in range(position + 1, min(len(pieces), position + _MAX_PIECES)):
        piece = pieces[index]
        kind = piece.kind_id
        if name is None and kind in _NAMES:
            name = piece
        elif kind == grammar.TYPE_PARAMETER_LIST:
            type_parameters = piece
        elif kind == grammar.BASE_LIST:
            bases = piece
        elif kind == grammar.TOKEN_OPEN_BRACE:
            if name is None:
                return None
            start, modifiers = _modifiers(source, pieces, position)
            declared = _KEYWORDS[keyword.type]
            return Head(declared, name, modifiers, type_parameters, bases, start, piece.start_byte, index + 1)
        elif kind in (grammar.TOKEN_CLOSE_BRACE, grammar.TOKEN_SEMICOLON):
            return None
    return None


def _modifiers(source: bytes, pieces: Sequence[Node], position: int) -> tuple[int, Modifiers]:
    """The modifiers directly before a keyword, and where they begin."""
    start, bits = pieces[position].start_byte, 0
    while position > 0 and pieces[position - 1].kind_id == grammar.MODIFIER:
        position -= 1
        start = pieces[position].start_byte
        bits |= modifier_bits(source, pieces[position])
    return start, modifiers_of(bits)


def type_of_head(
    source: bytes, lines: LineIndex, head: Head, end: int, scope: int, parent: int, bases: tuple[TypeSyntax, ...]
) -> TypeDeclaration:
    """The type that a head declares; its span is taken to reach ``end``, the end of the error. The head is not a namespace's."""
    assert head.kind is not None
    return TypeDeclaration(
        kind=head.kind,
        name=identifier_text(source, head.name),
        parent=parent,
        scope=scope,
        modifiers=head.modifiers,
        type_parameters=type_parameters_of(source, head.type_parameters, ()),
        bases=bases,
        span=(head.start, end),
        line_start=lines.line(head.start),
        line_end=lines.last_line(head.start, end),
        name_offset=head.name.start_byte,
        signature=header_text(source, head.start, head.brace).rstrip(" ;"),
        content_hash=content_hash(source, head.start, end),
        doc=None,
        attributes=(),
        receiver=None,
        condition="",
        broken=True,
    )


def indentation(source: bytes, offset: int) -> int | None:
    """Bytes of white space before ``offset`` in its line; null when something else stands there."""
    line = max(source.rfind(b"\n", 0, offset), source.rfind(b"\r", 0, offset)) + 1
    return None if source[line:offset].strip() else offset - line
