"""MSBuild's Condition language: parsed once into a small tree, evaluated against a way to expand references.

Grammar (MSBuild documentation, "MSBuild conditions"): ``or`` binds looser than ``and``, that looser than comparisons
and ``!``; operands are quoted text, references, or bare words; ``Exists('p')`` and ``HasTrailingSlash('p')`` are
functions. Comparison is by number when both sides are numbers, by truth value when both are, by version for ``<`` and
its kin, else as text in either case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final, Protocol

from msgspec import Struct

from codemap_plugins.dotnet.templates import closing_parenthesis
from codemap_plugins.dotnet.versions import version_numbers


class InvalidConditionError(ValueError):
    """A condition that MSBuild would reject."""


class ConditionScope(Protocol):
    """The questions that a condition may ask."""

    def expand(self, text: str) -> str:
        """The text with every reference in it expanded and escapes undone."""
        ...

    def path_exists(self, path: str) -> bool: ...


class Operand(Struct, frozen=True):
    text: str


class Not(Struct, frozen=True):
    operand: Condition


class Junction(Struct, frozen=True):
    is_or: bool
    operands: tuple[Condition, ...]


class Comparison(Struct, frozen=True):
    operator: str
    left: Operand
    right: Operand


class Call(Struct, frozen=True):
    name: str
    argument: Operand


Condition = Operand | Not | Junction | Comparison | Call

_TRUE: Final = frozenset({"true", "on", "yes", "!false", "!off", "!no"})
_FALSE: Final = frozenset({"false", "off", "no", "!true", "!on", "!yes"})
_MAX_DEPTH: Final = 100


class _Token(Struct, frozen=True):
    kind: str
    """``operator``, ``word``, ``operand`` (quoted text or a reference) or ``end``."""
    text: str


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character.isspace():
            position += 1
        elif text.startswith(("==", "!=", "<=", ">="), position):
            found.append(_Token("operator", text[position : position + 2]))
            position += 2
        elif character in "()!<>,":
            found.append(_Token("operator", character))
            position += 1
        elif character == "'":
            end = _closing_quote(text, position + 1)
            found.append(_Token("operand", text[position + 1 : end]))
            position = end + 1
        elif character in "$@%" and text.startswith("(", position + 1):
            end = closing_parenthesis(text, position + 2)
            if end < 0:
                raise InvalidConditionError(f"a reference is not closed: {text}")
            found.append(_Token("operand", text[position : end + 1]))
            position = end + 1
        else:
            match = re.compile(r"[^\s()!=<>,'$@]+").match(text, position)
            if match is None:
                raise InvalidConditionError(f"unexpected {character!r} in: {text}")
            found.append(_Token("word", match[0]))
            position = match.end()
    found.append(_Token("end", ""))
    return found


def _closing_quote(text: str, start: int) -> int:
    """The quote that ends a text, quotes inside references skipped."""
    position = start
    while position < len(text):
        if text[position] == "'":
            return position
        if text[position] in "$@%" and text.startswith("(", position + 1):
            position = closing_parenthesis(text, position + 2)
            if position < 0:
                break
        position += 1
    raise InvalidConditionError(f"a quote is not closed: {text}")


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._position = 0
        self._depth = 0

    def parse(self) -> Condition:
        condition = self._either()
        if self._tokens[self._position].kind != "end":
            raise InvalidConditionError(f"unexpected {self._tokens[self._position].text!r} in: {self._text}")
        return condition

    def _take(self, kind: str, *texts: str) -> bool:
        token = self._tokens[self._position]
        if token.kind != kind or token.text.lower() not in texts:
            return False
        self._position += 1
        return True

    def _either(self) -> Condition:
        operands = [self._both()]
        while self._take("word", "or"):
            operands.append(self._both())
        return operands[0] if len(operands) == 1 else Junction(True, tuple(operands))

    def _both(self) -> Condition:
        operands = [self._relation()]
        while self._take("word", "and"):
            operands.append(self._relation())
        return operands[0] if len(operands) == 1 else Junction(False, tuple(operands))

    def _relation(self) -> Condition:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise InvalidConditionError("a condition nested too deeply")
        try:
            if self._take("operator", "!"):
                return Not(self._relation())
            if self._take("operator", "("):
                inner = self._either()
                self._expect(")")
                return inner
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Condition:
        left = self._operand()
        if isinstance(left, Call):
            return left
        token = self._tokens[self._position]
        if token.kind == "operator" and token.text in ("==", "!=", "<", "<=", ">", ">="):
            self._position += 1
            negation = "!" if self._take("operator", "!") else ""
            right = self._operand()
            if isinstance(right, Call):
                raise InvalidConditionError(f"a function cannot be compared: {self._text}")
            return Comparison(token.text, left, Operand(negation + right.text))
        return left

    def _operand(self) -> Operand | Call:
        token = self._tokens[self._position]
        if token.kind not in ("word", "operand"):
            raise InvalidConditionError(f"a value is missing in: {self._text}")
        self._position += 1
        if token.kind == "word" and self._take("operator", "("):
            argument = self._operand()
            self._expect(")")
            if isinstance(argument, Call):
                raise InvalidConditionError(f"functions cannot be nested: {self._text}")
            return Call(token.text.lower(), argument)
        return Operand(token.text)

    def _expect(self, text: str) -> None:
        if not self._take("operator", text):
            raise InvalidConditionError(f"{text!r} is missing in: {self._text}")


@lru_cache(maxsize=16384)
def parse_condition(text: str) -> Condition:
    """Raises: InvalidConditionError."""
    return _Parser(text).parse()


_EQUATION: Final = re.compile(
    r"\s*(?P<left>'[^']*'|\$\([\w.]+\))\s*(?P<operator>==|!=)\s*(?P<right>'[^']*'|\$\([\w.]+\))\s*"
)


_MOST_SHOWN: Final = 200


def shown(condition: str, *, negated: bool = False) -> str:
    """A condition, or the one that holds where it does not, in as few words as say it: one line of characters that are seen."""
    condition = "".join(each if each.isprintable() else "\ufffd" for each in " ".join(condition.split()))
    if len(condition) > _MOST_SHOWN:
        condition = f"{condition[:_MOST_SHOWN]}…"
    equation = _EQUATION.fullmatch(condition)
    if equation is None:
        return f"!({condition})" if negated else condition
    operator = equation["operator"]
    if negated:
        operator = "!=" if operator == "==" else "=="
    left, right = (equation[side].strip("'") or "''" for side in ("left", "right"))
    return f"{left} {operator} {right}"


def evaluate_condition(text: str, scope: ConditionScope) -> bool:
    """Whether a condition holds; an empty one does. Raises: InvalidConditionError."""
    return not text.strip() or _holds(parse_condition(text), scope)


def _holds(condition: Condition, scope: ConditionScope) -> bool:
    if isinstance(condition, Comparison):
        return _compare(condition.operator, scope.expand(condition.left.text), scope.expand(condition.right.text))
    if isinstance(condition, Junction):
        results = (_holds(operand, scope) for operand in condition.operands)
        return any(results) if condition.is_or else all(results)
    if isinstance(condition, Not):
        return not _holds(condition.operand, scope)
    if isinstance(condition, Call):
        argument = scope.expand(condition.argument.text)
        if condition.name == "exists":
            return scope.path_exists(argument)
        if condition.name == "hastrailingslash":
            return argument.endswith(("/", "\\"))
        raise InvalidConditionError(f"the function {condition.name} is unknown")
    value = scope.expand(condition.text).strip().lower()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise InvalidConditionError(f"{value!r} is neither true nor false")


_ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
"""Asked of two values of one type."""


def _compare(operator: str, left: str, right: str) -> bool:
    compare = _ORDER[operator]
    if left[:1] in _BEGINS_A_NUMBER and right[:1] in _BEGINS_A_NUMBER:
        left_number, right_number = _number(left), _number(right)
        if left_number is not None and right_number is not None:
            return compare(left_number, right_number)
    if operator in ("==", "!="):
        left_truth, right_truth = _truth(left), _truth(right)
        if left_truth is not None and right_truth is not None:
            return compare(left_truth, right_truth)
        return compare(left.lower(), right.lower())
    left_version, right_version = version_numbers(left), version_numbers(right)
    if left_version is None or right_version is None:
        raise InvalidConditionError(f"{left!r} {operator} {right!r} does not compare numbers")
    return compare(left_version, right_version)


_BEGINS_A_NUMBER: Final = frozenset("+-.0123456789")
_DECIMAL: Final = re.compile(r"[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]{1,16}")


def _number(text: str) -> float | None:
    if _DECIMAL.fullmatch(text):
        return float(text)
    return float(int(text, 16)) if _HEXADECIMAL.fullmatch(text) else None


def _truth(text: str) -> bool | None:
    folded = text.lower()
    return True if folded in _TRUE else False if folded in _FALSE else None
