"""Types as a parameter list spells them, in C# or in documentation-comment ids, and whether two spellings mean one type.

C# spells ``Dictionary<string, int>[]``, an id ``System.Collections.Generic.Dictionary{System.String,System.Int32}[]``. A spelling
may leave out namespaces and outer types, nullability of reference types, modifiers and the names of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from codemap_core.model.special_types import KEYWORD_TYPES, NAMESPACE, NULLABLE, TUPLE, TYPE_KEYWORDS

SPELT_TYPES: Final[Mapping[str, str]] = {**KEYWORD_TYPES, "dynamic": KEYWORD_TYPES["object"]}
"""Types of the namespace ``System`` by the keyword that spells them; ids know ``dynamic`` as ``Object``."""
_TOKENS: Final = re.compile(r"\s*(``?\d+|@?[^\W\d]\w*|::|[.+,<>{}\[\]()?*@&:]|\d+|=.*|\S)")
_MODIFIERS: Final = frozenset({"ref", "out", "in", "params", "this", "scoped", "readonly"})
_BY_REFERENCE: Final = frozenset({"ref", "out", "in"})
_TYPE_PARAMETER: Final = re.compile(r"T(?:[A-Z0-9_]\w*)?|[A-Z]\d?")
_MAX_DEPTH: Final = 32

UNLIKE_CASE: Final = 1
UNSAID_ARGUMENTS: Final = 2
UNSAID_REFERENCE: Final = 2


class TypePart(Struct, frozen=True):
    name: str
    arguments: tuple[SpeltType, ...] = ()


class SpeltType(Struct, frozen=True):
    """``parts``: of its qualified name, or one with a placeholder (`` `0 ``). ``suffix``: ``[]``, ``[,]``, ``*`` and ``?`` in order."""

    parts: tuple[TypePart, ...]
    suffix: str = ""
    by_reference: bool = False


def parse_types(text: str) -> tuple[SpeltType, ...] | None:
    """The types of a parameter list without its parentheses; null when it is not one."""
    if not text.strip():
        return ()
    reader = _Reader(text)
    types = reader.parameters()
    return types if types is not None and reader.at_end else None


def mismatch(spelt: SpeltType, actual: SpeltType, type_parameters: Mapping[str, str]) -> int | None:
    """How loosely ``spelt`` means ``actual``: 0 exactly, more the less exactly, null when it does not. ``type_parameters``: names by
    placeholder, where known."""
    badness = 0
    if spelt.by_reference != actual.by_reference:
        if spelt.by_reference:
            return None
        badness = UNSAID_REFERENCE
    nullable = spelt.suffix.startswith("?") and len(actual.parts) == 2 and actual.parts[1].name == NULLABLE
    if nullable and actual.parts[1].arguments:
        inner = actual.parts[1].arguments[0]
        actual = SpeltType(inner.parts, inner.suffix + actual.suffix)
    if spelt.suffix.replace("?", "") != actual.suffix.replace("?", ""):
        return None
    found = _parts_mismatch(spelt.parts, actual.parts, type_parameters)
    return None if found is None else badness + found


def as_written(type_: SpeltType, type_parameters: Mapping[str, str]) -> str:
    """As C# writes it where all namespaces are imported: ``Dictionary<string, int>[]``."""
    last = type_.parts[-1]
    system = len(type_.parts) == 2 and type_.parts[0].name == NAMESPACE
    arguments = ", ".join(as_written(each, type_parameters) for each in last.arguments)
    if system and last.name == NULLABLE and last.arguments:
        name = f"{arguments}?"
    elif system and last.name == TUPLE and len(last.arguments) > 1:
        name = f"({arguments})"
    elif system and last.name in TYPE_KEYWORDS and not last.arguments:
        name = TYPE_KEYWORDS[last.name]
    else:
        name = type_parameters.get(last.name, last.name) + (f"<{arguments}>" if arguments else "")
    return f"{'ref ' if type_.by_reference else ''}{name}{type_.suffix}"


def _parts_mismatch(
    spelt: tuple[TypePart, ...], actual: tuple[TypePart, ...], type_parameters: Mapping[str, str]
) -> int | None:
    if actual[0].name.startswith("`"):
        if len(spelt) != 1 or spelt[0].arguments:
            return None
        name, placeholder = spelt[0].name, actual[0].name
        if name == placeholder:
            return 0
        known = type_parameters.get(placeholder)
        matches = name == known if known is not None else _TYPE_PARAMETER.fullmatch(name) is not None
        return 0 if matches else None
    if len(spelt) == 1 and spelt[0].name in SPELT_TYPES and not spelt[0].arguments:
        spelt = (TypePart(NAMESPACE), TypePart(SPELT_TYPES[spelt[0].name]))
        if len(actual) != 2:
            return None
    if len(spelt) > len(actual):
        return None
    badness = 0
    for said, meant in zip(reversed(spelt), reversed(actual), strict=False):
        if said.name != meant.name:
            if said.name.lower() != meant.name.lower():
                return None
            badness += UNLIKE_CASE
        if not said.arguments and meant.arguments:
            badness += UNSAID_ARGUMENTS
            continue
        if len(said.arguments) != len(meant.arguments):
            return None
        for mine, its in zip(said.arguments, meant.arguments, strict=True):
            found = mismatch(mine, its, type_parameters)
            if found is None:
                return None
            badness += found
    return badness


class _Reader:
    """Recursive descent; null for text that is not a type."""

    def __init__(self, text: str) -> None:
        self._tokens: Final[list[str]] = _TOKENS.findall(text)
        self._position = 0
        self._depth = 0

    @property
    def at_end(self) -> bool:
        return self._position == len(self._tokens)

    def parameters(self) -> tuple[SpeltType, ...] | None:
        """Separated by commas, each with a name and a default value or without."""
        found: list[SpeltType] = []
        while True:
            by_reference = False
            while self._next() in _MODIFIERS:
                by_reference = by_reference or self._next() in _BY_REFERENCE
                self._position += 1
            parsed = self.type()
            if parsed is None:
                return None
            if by_reference:
                parsed = SpeltType(parsed.parts, parsed.suffix, True)
            found.append(parsed)
            if _is_name(self._next()):
                self._position += 1
            if self._next().startswith("="):
                self._position += 1
            if not self._take(","):
                return tuple(found)

    def type(self) -> SpeltType | None:
        self._depth += 1
        parts = self._tuple() if self._next() == "(" else self._qualified()
        self._depth -= 1
        if parts is None:
            return None
        suffix = ""
        while self._next() in ("[", "?", "*"):
            piece = self._rank() if self._next() == "[" else self._next()
            if piece is None:
                return None
            suffix += piece
            self._position += 1
        by_reference = self._take("@") or self._take("&")
        return SpeltType(parts, suffix, by_reference)

    def _qualified(self) -> tuple[TypePart, ...] | None:
        parts: list[TypePart] = []
        while True:
            name = self._next()
            if not (_is_name(name) or name.startswith("`")) or self._depth > _MAX_DEPTH:
                return None
            self._position += 1
            arguments: tuple[SpeltType, ...] = ()
            if self._next() in ("<", "{"):
                closing = ">" if self._next() == "<" else "}"
                self._position += 1
                listed = self._list()
                if listed is None or not self._take(closing):
                    return None
                arguments = listed
            parts.append(TypePart(name.removeprefix("@"), arguments))
            if self._next() == "::" and parts == [TypePart("global")]:
                parts.clear()
            elif self._next() not in (".", "+"):
                return tuple(parts)
            self._position += 1

    def _list(self) -> tuple[SpeltType, ...] | None:
        found: list[SpeltType] = []
        while True:
            parsed = self.type()
            if parsed is None:
                return None
            found.append(parsed)
            if not self._take(","):
                return tuple(found)

    def _tuple(self) -> tuple[TypePart, ...] | None:
        """``(int Id, string)`` is a ``System.ValueTuple`` (ECMA-334 §8.3.11)."""
        self._position += 1
        elements = self.parameters() if self._depth <= _MAX_DEPTH else None
        if elements is None or not self._take(")"):
            return None
        return TypePart(NAMESPACE), TypePart(TUPLE, elements)

    def _rank(self) -> str | None:
        """``[]``, ``[,]``; an id writes ``[0:,0:]``. Stays at the closing bracket."""
        commas = 0
        while True:
            self._position += 1
            token = self._next()
            if token == "]":
                return f"[{',' * commas}]"
            if token == ",":
                commas += 1
            elif token not in ("0", ":"):
                return None

    def _next(self) -> str:
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def _take(self, token: str) -> bool:
        if self._next() != token:
            return False
        self._position += 1
        return True


def _is_name(token: str) -> bool:
    return token.removeprefix("@").isidentifier()
