"""Literals and their values (ECMA-334 §6.4.5), and interpolated strings."""

from __future__ import annotations

import re
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import LiteralKind, Lowered, Op
from codemap_plugins.csharp.grammar import (
    BOOLEAN_LITERAL,
    CHARACTER_LITERAL,
    COMMENT,
    ESCAPE_SEQUENCE,
    INTEGER_LITERAL,
    INTERPOLATED_STRING_EXPRESSION,
    INTERPOLATION,
    INTERPOLATION_ALIGNMENT_CLAUSE,
    INTERPOLATION_BRACE,
    INTERPOLATION_FORMAT_CLAUSE,
    NULL_LITERAL,
    RAW_STRING_LITERAL,
    REAL_LITERAL,
    STRING_CONTENT,
    STRING_LITERAL,
    VERBATIM_STRING_LITERAL,
)
from codemap_plugins.csharp.lowering.context import Lowering, expression_rule, significant

_BOOL_LITERAL: Final = LiteralKind.BOOL.value
_CHAR_LITERAL: Final = LiteralKind.CHAR.value
_DECIMAL_LITERAL: Final = LiteralKind.DECIMAL.value
_HOLE: Final = Op.HOLE.value
_INTERPOLATED: Final = Op.INTERPOLATED.value
_NULL_LITERAL: Final = LiteralKind.NULL.value
_UNKNOWN: Final = Op.UNKNOWN.value
_UTF8_LITERAL: Final = LiteralKind.UTF8.value

_LITERAL: Final = Op.LITERAL.value
_NAME: Final = Op.NAME.value
_STRING: Final = LiteralKind.STRING.value


@expression_rule(NULL_LITERAL)
def null(low: Lowering, node: Node) -> Lowered:
    return [_LITERAL, node.start_byte, _NULL_LITERAL, None]


@expression_rule(BOOLEAN_LITERAL)
def boolean(low: Lowering, node: Node) -> Lowered:
    return [_LITERAL, node.start_byte, _BOOL_LITERAL, low.text(node) == "true"]


@expression_rule(INTEGER_LITERAL)
def integer(low: Lowering, node: Node) -> Lowered:
    """A name where a mask has put the number (repair)."""
    text = low.text(node)
    if not text[0].isdecimal():
        return [_NAME, node.start_byte, low.name(node)]
    kind, value = integer_value(text)
    return [_LITERAL, node.start_byte, kind.value, value]


def integer_value(text: str) -> tuple[LiteralKind, int | None]:
    """The type and value of an integer literal (§6.4.5.3); the value is null when it fits no type."""
    digits = text.replace("_", "").lower()
    suffix = ""
    while digits[-1:] in ("u", "l"):
        suffix += digits[-1]
        digits = digits[:-1]
    base = {"0x": 16, "0b": 2}.get(digits[:2], 10)
    if len(digits) > 70:
        return LiteralKind.ULONG, None
    try:
        value = int(digits[2:] if base != 10 else digits, base)
    except ValueError:
        return LiteralKind.INT, None
    for kind, bound in _INTEGER_KINDS[suffix[:1] if len(suffix) == 1 else ("ul" if suffix else "")]:
        if value < bound:
            return kind, value
    return LiteralKind.ULONG, None


_INT: Final = (LiteralKind.INT, 1 << 31)
_UINT: Final = (LiteralKind.UINT, 1 << 32)
_LONG: Final = (LiteralKind.LONG, 1 << 63)
_ULONG: Final = (LiteralKind.ULONG, 1 << 64)
_INTEGER_KINDS: Final = {"": (_INT, _UINT, _LONG, _ULONG), "u": (_UINT, _ULONG), "l": (_LONG, _ULONG), "ul": (_ULONG,)}


@expression_rule(REAL_LITERAL)
def real(low: Lowering, node: Node) -> Lowered:
    text = low.text(node).replace("_", "")
    suffix = text[-1].lower()
    digits = text.rstrip("fFdDmM")
    if suffix == "m":
        return [_LITERAL, node.start_byte, _DECIMAL_LITERAL, digits]
    kind = LiteralKind.FLOAT if suffix == "f" else LiteralKind.DOUBLE
    try:
        value = float(digits)
    except ValueError:
        return [_LITERAL, node.start_byte, kind.value, None]
    return [_LITERAL, node.start_byte, kind.value, None if value in (float("inf"),) else value]


@expression_rule(CHARACTER_LITERAL)
def character(low: Lowering, node: Node) -> Lowered:
    return [_LITERAL, node.start_byte, _CHAR_LITERAL, unescaped(low.text(node)[1:-1])]


@expression_rule(STRING_LITERAL)
def string(low: Lowering, node: Node) -> Lowered:
    text = low.text(node)
    kind = _STRING
    if text[-1:] != '"':
        kind = _UTF8_LITERAL
        text = text[:-2]
    value = text[1:-1]
    return [_LITERAL, node.start_byte, kind, unescaped(value) if "\\" in value else value]


@expression_rule(VERBATIM_STRING_LITERAL)
def verbatim_string(low: Lowering, node: Node) -> Lowered:
    text = low.text(node)
    if text[0] == "$":
        return [_INTERPOLATED, node.start_byte, [], ""]  # `$""` was read as `@""` (repair)
    kind = _STRING
    if text[-1:] != '"':
        kind = _UTF8_LITERAL
        text = text[:-2]
    return [_LITERAL, node.start_byte, kind, text[2:-1].replace('""', '"')]


@expression_rule(RAW_STRING_LITERAL)
def raw_string(low: Lowering, node: Node) -> Lowered:
    text = low.text(node)
    kind = _STRING
    if text[-1:] != '"':
        kind = _UTF8_LITERAL
        text = text[:-2]
    quotes = len(text) - len(text.lstrip('"'))
    return [_LITERAL, node.start_byte, kind, _raw_value(text[quotes:-quotes])]


def _raw_value(content: str) -> str:
    """The value of a raw string's content (C# 11): without its first and last line and the white space that the last
    line begins with."""
    lines = content.splitlines(keepends=True)
    if len(lines) < 2 or lines[0].strip():
        return content
    indent = lines[-1]
    body = [line[len(indent) :] if line.startswith(indent) else line.lstrip(" \t") for line in lines[1:-1]]
    value = "".join(body)
    return value.removesuffix("\n").removesuffix("\r")


def unescaped(text: str) -> str:
    """The characters that simple, hexadecimal and Unicode escapes mean (§6.4.5.5). Surrogates that make a pair are
    joined; a lone one, legal in C# and no text, gives U+FFFD."""
    value = _ESCAPE.sub(_character, text)
    if _SURROGATE.search(value):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{1,4})|(.))", re.DOTALL)
_SIMPLE: Final = {"0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _character(match: re.Match[str]) -> str:
    if simple := match[4]:
        return _SIMPLE.get(simple, simple)
    value = int(match[1] or match[2] or match[3], 16)
    return chr(value) if value < 0x110000 else "\ufffd"


@expression_rule(INTERPOLATED_STRING_EXPRESSION)
def interpolated(low: Lowering, node: Node) -> Lowered:
    """Adjacent text is one LITERAL; ``{{`` is ``{``, except in raw strings."""
    start = node.start_byte
    opening = low.source[start : start + 300].split(b'"', 1)[0]
    verbatim = b"@" in opening
    raw = low.source.startswith(b'"""', start + len(opening)) and not verbatim
    parts: list[Lowered] = []
    text: list[str] = []
    offset = start

    def flush() -> None:
        if text:
            parts.append([_LITERAL, offset, _STRING, "".join(text)])
            text.clear()

    for child in node.children:
        kind = child.kind_id
        if kind == INTERPOLATION:
            flush()
            parts.append(_hole(low, child))
        elif kind in (STRING_CONTENT, ESCAPE_SEQUENCE):
            if not text:
                offset = child.start_byte
            content = low.text(child)
            if not raw:
                content = content.replace("{{", "{").replace("}}", "}")
                content = content.replace('""', '"') if verbatim else unescaped(content)
            text.append(content)
        elif child.is_error:
            parts.append(low.unknown(child))
    flush()
    return [_INTERPOLATED, start, parts, low.text(node) if any(part[0] == _HOLE for part in parts) else ""]


def _hole(low: Lowering, node: Node) -> Lowered:
    value: Lowered | None = None
    alignment: Lowered | None = None
    format_text = ""
    for child in node.children:
        kind = child.kind_id
        if kind == INTERPOLATION_ALIGNMENT_CLAUSE:
            alignment = low.expression(significant(child.children)[-1])
        elif kind == INTERPOLATION_FORMAT_CLAUSE:
            format_text = low.text(child)[1:]
        elif kind not in (INTERPOLATION_BRACE, COMMENT):
            value = (
                low.expression(child) if value is None else [_UNKNOWN, child.start_byte, [value, low.unknown(child)]]
            )
    return [_HOLE, node.start_byte, value, alignment, format_text]
