"""Which values the constraints of a route's parameter allow, by the rules of ASP.NET Core's routing.

A constraint is written as in a template: ``int``, ``range(1,9)``, ``regex(^[a-z]+$)``. One that is not known here allows everything, and so
does a pattern that might take long: patterns come from the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

_LOOKS: Final = {
    "bool": r"(?i:true|false)",
    "datetime": r".*\d.*",
    "decimal": r"[+-]?[\d,]*\.?\d+[+-]?|[+-]?[\d,]+\.?[+-]?",
    "double": r"(?i:[+-]?(?:[\d,]*\.?\d+|[\d,]+\.)(?:e[+-]?\d+)?|nan|-?infinity|-?∞)",
    "float": r"(?i:[+-]?(?:[\d,]*\.?\d+|[\d,]+\.)(?:e[+-]?\d+)?|nan|-?infinity|-?∞)",
    "guid": r"[{(]?[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}[)}]?",
    "alpha": r"[A-Za-z]*",
    "required": r".+",
    "file": r".*\.[^./]+",
    "nonfile": r"[^.]*|.*\.",
}
"""What values look like; a date may be written in many ways, each of which has a digit."""
_NUMBER: Final = r"[\d,.+-]*"
_REAL: Final = r"(?i:[\d,.+\-einfaty∞]*)"
_MADE_OF: Final = {
    "bool": r"(?i:[truefals]*)",
    "int": r"[+-]?\d*",
    "long": r"[+-]?\d*",
    "min": r"[+-]?\d*",
    "max": r"[+-]?\d*",
    "range": r"[+-]?\d*",
    "decimal": _NUMBER,
    "double": _REAL,
    "float": _REAL,
    "guid": r"[0-9A-Fa-f(){}-]*",
    "alpha": r"[A-Za-z]*",
}
"""What parts of values look like."""
_AT_MOST: Final = frozenset({"length", "maxlength"})
_AS_WHOLE: Final = frozenset({"regex", "nonfile"})
"""Constraints whose parts are not known: the rest of the value is taken to be empty."""
_WHOLE: Final = re.compile(r"[+-]?\d+")
_WRITTEN: Final = re.compile(r"(\w+)(?:\((.*)\))?", re.DOTALL)
_INTEGERS: Final = {"int": 2**31, "long": 2**63}
_OF_LENGTH: Final[Mapping[str, Callable[[int, list[int]], bool]]] = {
    "minlength": lambda length, given: length >= given[0],
    "maxlength": lambda length, given: length <= given[0],
    "length": lambda length, given: given[0] <= length <= given[-1],
}
_OF_VALUE: Final[Mapping[str, Callable[[int, list[int]], bool]]] = {
    "min": lambda value, given: value >= given[0],
    "max": lambda value, given: value <= given[0],
    "range": lambda value, given: given[0] <= value <= given[-1],
}
_LONGEST: Final = 100
_UNBOUNDED: Final = re.compile(r"[*+]|\{\d+,\d*\}")
_REPEATED_GROUP: Final = re.compile(r"\)[*+?{]")
_MOST_UNBOUNDED: Final = 2
"""Repetitions without a fixed count in a pattern that is tried: with more, and with groups that repeat, one value may take very long."""


def allows(constraint: str, value: str) -> bool:
    """Whether a parameter with this constraint takes the value, which is not encoded any more."""
    written = _WRITTEN.fullmatch(constraint)
    if written is None:
        return True
    name, given = written[1].lower(), written[2]
    if name == "regex":
        return given is None or _found(given, value)
    if name in _LOOKS:
        return re.fullmatch(_LOOKS[name], value) is not None
    if name in _INTEGERS:
        limit = _INTEGERS[name]
        return _WHOLE.fullmatch(value) is not None and -limit <= int(value[:_LONGEST]) < limit
    bounds = _bounds(given)
    if name in _OF_LENGTH and bounds:
        return _OF_LENGTH[name](len(value), bounds)
    if name in _OF_VALUE and bounds:
        return _WHOLE.fullmatch(value) is not None and _OF_VALUE[name](int(value[:_LONGEST]), bounds)
    return True


def may_allow(constraint: str, part: str) -> bool:
    """Whether a parameter with this constraint may take a value that has this in it, the rest of which is not known."""
    written = _WRITTEN.fullmatch(constraint)
    if written is None:
        return True
    name = written[1].lower()
    if name in _AS_WHOLE:
        return allows(constraint, part)
    if name in _AT_MOST and (bounds := _bounds(written[2])):
        return len(part) <= bounds[-1]
    return re.fullmatch(_MADE_OF.get(name, ".*"), part, re.DOTALL) is not None


def _bounds(given: str | None) -> list[int]:
    return [int(each) for each in (given or "").split(",") if _WHOLE.fullmatch(each.strip())]


def _found(written: str, value: str) -> bool:
    """Whether a pattern of .NET is found in the value, or cannot be tried. Templates double its braces, attributes its brackets."""
    pattern = written
    for escaped, meant in (("{{", "{"), ("}}", "}"), ("[[", "["), ("]]", "]")):
        pattern = pattern.replace(escaped, meant)
    if (
        len(value) > _LONGEST
        or len(_UNBOUNDED.findall(pattern)) > _MOST_UNBOUNDED
        or _REPEATED_GROUP.search(pattern) is not None
    ):
        return True
    try:
        return re.search(pattern, value, re.IGNORECASE) is not None
    except (re.error, OverflowError, RecursionError):  # .NET's syntax has more
        return True
