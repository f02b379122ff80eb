"""Values of enumeration members (ECMA-334 §19.4): given ones computed, others one more than the member before."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from codemap_core.model import SymbolKind
from codemap_core.storage.reading.reader import IndexReader
from codemap_plugins.difference_tools.signatures import parse_signature

_SUFFIX: Final = re.compile(r"\b(0[xX][0-9a-fA-F_]+?|0[bB][01_]+?|\d[\d_]*)(?:[uU][lL]?|[lL][uU]?)\b")
_CAST: Final = re.compile(r"\((?:s?byte|u?short|u?int|u?long)\)")
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_MOST_BITS: Final = 64


def enum_values(reader: IndexReader, enum_id: str, project: str) -> dict[str, int | None]:
    """By name, as a project declares them; null where a value cannot be computed from the enumeration alone, and for those that count on
    from it."""
    values: dict[str, int | None] = {}
    following: int | None = 0
    for member in reader.members_of(enum_id):
        if member.kind is not SymbolKind.CONSTANT or member.project != project:
            continue
        given = parse_signature(member.signature, member.name).value
        value = computed(given, values) if given else following
        values[member.name] = value
        following = None if value is None else value + 1
    return values


def computed(text: str, names: Mapping[str, int | None]) -> int | None:
    """The value of an expression of integers, operators and members known so far; null for any other."""
    plain = _CAST.sub("", _SUFFIX.sub(r"\1", text)).strip()
    try:
        return _value(ast.parse(plain, mode="eval").body, names)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr, names: Mapping[str, int | None]) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(attr=name):
            return names.get(name)
        case ast.UnaryOp(op=ast.USub() | ast.Invert() as op, operand=operand):
            of = _value(operand, names)
            if of is None:
                return None
            return -of if isinstance(op, ast.USub) else ~of
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            first, second = _value(left, names), _value(right, names)
            if first is None or second is None:
                return None
            if isinstance(op, ast.LShift | ast.RShift) and not 0 <= second < _MOST_BITS:
                return None
            return _OPERATORS[type(op)](first, second)
    return None
