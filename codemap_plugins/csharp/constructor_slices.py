"""What of a constructor's text decides the value of one member: the statements that mention it, those that mention a name that these do,
and so on.

A statement that shares no name with them can neither write to the member, nor to a local or parameter that its value goes through. Where
statements cannot be told apart by their text alone (verbatim, raw and interpolated strings, directives, unbalanced brackets), the whole
text is one. Invariant: statements that are left out may be any others, and the member has the same value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

_MARKS: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.[^'\n]*)'|[;(){}\[\]@$#]""", re.DOTALL
)
_AMBIGUOUS: Final = frozenset({"@", "$", "#", '"' * 3})
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")


class Slice(Struct, frozen=True):
    members: tuple[str, ...]
    """Those that the statements decide, sorted."""
    text: str
    """The statements."""
    names: frozenset[str]
    """What they mention."""


def slices(text: str, members: AbstractSet[str], names_in: Callable[[bytes], AbstractSet[str]]) -> list[Slice]:
    """``text``: of a constructor, without lone surrogates. Each member is in one of the slices. ``names_in``: of a text in UTF-8."""
    if not members:
        return []
    statements = [(each, frozenset(names_in(each.encode()))) for each in _statements(text)]
    by_statements: dict[tuple[int, ...], list[str]] = {}
    for member in sorted(members):
        by_statements.setdefault(_concerned(statements, member), []).append(member)
    return [
        Slice(
            tuple(decided),
            "".join(statements[number][0] for number in numbers),
            frozenset().union(*(statements[number][1] for number in numbers)),
        )
        for numbers, decided in by_statements.items()
    ]


def _concerned(statements: list[tuple[str, frozenset[str]]], member: str) -> tuple[int, ...]:
    """Numbers of the statements that a member leads to."""
    names = {member}
    left = dict(enumerate(statements))
    found: list[int] = []
    while further := [number for number, (_, mentioned) in left.items() if not names.isdisjoint(mentioned)]:
        for number in further:
            names |= left.pop(number)[1]
        found += further
    return tuple(sorted(found))


def _statements(text: str) -> list[str]:
    """The text before the body, and the statements of the body; a block with what follows it."""
    found: list[str] = []
    start = depth = 0
    for mark in _MARKS.finditer(text):
        sign = mark[0]
        if sign in _AMBIGUOUS:
            return [text]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth -= 1
            if depth < 0:
                return [text]
        if (sign == ";" and depth <= 1) or (sign == "{" and depth == 1):
            found.append(text[start : mark.end()])
            start = mark.end()
    return [*found, text[start:]] if depth == 0 else [text]
