"""Conditions of ``#if`` and ``#elif`` (ECMA-334 §6.5.3): read, evaluated, negated, joined and written out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import Enum
from typing import Final

from msgspec import Struct


class Operator(Enum):
    """``SYMBOL`` and ``CONSTANT`` are leaves, the rest the operators of the grammar."""

    SYMBOL = ""
    CONSTANT = "constant"
    NOT = "!"
    EQUAL = "=="
    NOT_EQUAL = "!="
    AND = "&&"
    OR = "||"


class Condition(Struct, frozen=True):
    """A condition as a tree; ``name``: of a symbol, or ``true`` or ``false``."""

    operator: Operator
    operands: tuple[Condition, ...] = ()
    name: str = ""

    def holds(self, symbols: Collection[str]) -> bool:
        """Whether it holds with exactly ``symbols`` defined."""
        operands = self.operands
        match self.operator:
            case Operator.SYMBOL:
                return self.name in symbols
            case Operator.CONSTANT:
                return self.name == "true"
            case Operator.NOT:
                return not operands[0].holds(symbols)
            case Operator.AND:
                return all(operand.holds(symbols) for operand in operands)
            case Operator.OR:
                return any(operand.holds(symbols) for operand in operands)
            case Operator.EQUAL:
                return operands[0].holds(symbols) == operands[1].holds(symbols)
            case Operator.NOT_EQUAL:
                return operands[0].holds(symbols) != operands[1].holds(symbols)

    def __str__(self) -> str:
        """One space around binary operators, none elsewhere; parentheses only where they are needed or help, as in
        ``!(A)`` they do not."""
        match self.operator:
            case Operator.SYMBOL | Operator.CONSTANT:
                return self.name
            case Operator.NOT:
                inner = self.operands[0]
                return f"!{inner}" if _binding(inner) >= _BINDING[Operator.NOT] else f"!({inner})"
            case _:
                own = _BINDING[self.operator]
                return f" {self.operator.value} ".join(
                    str(operand) if _binding(operand) > own else f"({operand})" for operand in self.operands
                )


TRUE: Final = Condition(Operator.CONSTANT, name="true")
FALSE: Final = Condition(Operator.CONSTANT, name="false")

_BINDING: Final = {
    Operator.OR: 1,
    Operator.AND: 2,
    Operator.EQUAL: 3,
    Operator.NOT_EQUAL: 3,
    Operator.NOT: 4,
    Operator.SYMBOL: 5,
    Operator.CONSTANT: 5,
}


def _binding(condition: Condition) -> int:
    return _BINDING[condition.operator]


def negation(condition: Condition) -> Condition:
    """The condition that holds when ``condition`` does not."""
    match condition.operator:
        case Operator.NOT:
            return condition.operands[0]
        case Operator.CONSTANT:
            return FALSE if condition.name == "true" else TRUE
        case _:
            return Condition(Operator.NOT, (condition,))


def conjunction(conditions: Iterable[Condition]) -> Condition:
    """The condition that holds when all of them do; repeated conditions and ``true`` are left out."""
    parts: dict[Condition, None] = {}
    for condition in conditions:
        for part in condition.operands if condition.operator is Operator.AND else (condition,):
            if part != TRUE:
                parts[part] = None
    match tuple(parts):
        case ():
            return TRUE
        case (only,):
            return only
        case several:
            return Condition(Operator.AND, several)


def parse_condition(text: str) -> Condition | None:
    """The condition that ``text`` (without the directive's word and comment) writes, or null when it is malformed."""
    reader = _Reader(text)
    condition = reader.binary(1, 0)
    return condition if reader.at == len(reader.tokens) else None


_TOKEN: Final = re.compile(r"\s*(?:(&&|\|\||==|!=|[!()])|(@?\w+)|(\S))")
_MAX_DEPTH: Final = 100


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = [match[1] or match[2] or match[3] for match in _TOKEN.finditer(text)]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def binary(self, binding: int, depth: int) -> Condition | None:
        """A condition of operators that bind at least as strongly as ``binding``."""
        left = self.unary(depth)
        while left is not None:
            operator = _BINARY.get(self.peek())
            if operator is None or _BINDING[operator] < binding:
                break
            self.at += 1
            right = self.binary(_BINDING[operator] + 1, depth + 1)
            if right is None:
                return None
            if operator is left.operator and operator in (Operator.AND, Operator.OR):
                left = Condition(operator, (*left.operands, right))
            else:
                left = Condition(operator, (left, right))
        return left

    def unary(self, depth: int) -> Condition | None:
        token = self.peek()
        self.at += 1
        if depth > _MAX_DEPTH:
            return None
        if token == "!":
            inner = self.unary(depth + 1)
            return None if inner is None else Condition(Operator.NOT, (inner,))
        if token == "(":
            inner = self.binary(1, depth + 1)
            self.at += 1
            return inner if self.tokens[self.at - 1 : self.at] == [")"] else None
        if token in ("true", "false"):
            return Condition(Operator.CONSTANT, name=token)
        name = token.removeprefix("@")
        return Condition(Operator.SYMBOL, name=name) if name.isidentifier() else None


_BINARY: Final = {
    operator.value: operator for operator in (Operator.EQUAL, Operator.NOT_EQUAL, Operator.AND, Operator.OR)
}
