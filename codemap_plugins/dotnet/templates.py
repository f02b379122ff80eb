"""The syntax of MSBuild's expansions: text with ``$(...)`` in it, taken apart once and kept.

Property references may chain instance members and indexers (``$(Name.Substring(1)[0])``) or start at a static function
(``$([MSBuild]::Add(1, 2))``). Item and metadata references (``@(...)``, ``%(...)``) stay in the text: items are
expanded later.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

_QUOTES = "'\"`"


class Access(Struct, frozen=True):
    """One step of a chain: ``.Name``, ``.Name(args)``; ``member`` is empty for an indexer. Arguments are texts still to
    be expanded."""

    member: str
    arguments: tuple[str | None, ...] | None = None


class PropertyReference(Struct, frozen=True):
    """``$(Name...)``, or with ``type_name`` a static function, whose first access is its member."""

    name: str
    chain: tuple[Access, ...] = ()
    type_name: str | None = None


class Malformed(Struct, frozen=True):
    """A reference that MSBuild would reject."""

    text: str


Part = str | PropertyReference | Malformed


def closing_parenthesis(text: str, start: int) -> int:
    """Index of the parenthesis that closes the one before ``start``, quoted text skipped; -1 when there is none."""
    depth = 1
    position = start
    while position < len(text):
        character = text[position]
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return position
        elif character in _QUOTES:
            end = text.find(character, position + 1)
            if end < 0:
                return -1
            position = end
        position += 1
    return -1


@lru_cache(maxsize=16384)
def parse_template(text: str) -> tuple[Part, ...]:
    """Text and property references in turn; empty texts are left out."""
    parts: list[Part] = []
    position = 0
    while True:
        start = text.find("$(", position)
        if start < 0:
            break
        end = closing_parenthesis(text, start + 2)
        if end < 0:
            parts.append(Malformed(text[start:]))
            return (*([text[position:start]] if start > position else []), *parts)
        if start > position:
            parts.append(text[position:start])
        parts.append(_parse_reference(text[start + 2 : end].strip()))
        position = end + 1
    if position < len(text):
        parts.append(text[position:])
    return tuple(parts)


def _parse_reference(body: str) -> Part:
    position = 0
    type_name = None
    if body.startswith("["):
        end = body.find("]::")
        if end < 0:
            return Malformed(body)
        type_name = body[1:end].strip()
        position = end + 3
        name = ""
        chain_text = "." + body[position:]
    else:
        while position < len(body) and (body[position].isalnum() or body[position] in "_-"):
            position += 1
        name, chain_text = body[:position], body[position:]
        if body.lower().startswith("registry:"):
            return PropertyReference("")
    chain = _parse_chain(chain_text)
    if chain is None or (type_name is None and not name):
        return Malformed(body)
    return PropertyReference(name, chain, type_name)


def _parse_chain(text: str) -> tuple[Access, ...] | None:
    steps: list[Access] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character.isspace():
            position += 1
        elif character == "[":
            end = text.find("]", position)
            if end < 0:
                return None
            steps.append(Access("", split_arguments(text[position + 1 : end])))
            position = end + 1
        elif character == ".":
            position += 1
            start = position
            while position < len(text) and (text[position].isalnum() or text[position] == "_"):
                position += 1
            member = text[start:position]
            if not member:
                return None
            while position < len(text) and text[position].isspace():
                position += 1
            if position < len(text) and text[position] == "(":
                end = closing_parenthesis(text, position + 1)
                if end < 0:
                    return None
                steps.append(Access(member, split_arguments(text[position + 1 : end])))
                position = end + 1
            else:
                steps.append(Access(member))
        else:
            return None
    return tuple(steps)


def split_arguments(text: str) -> tuple[str | None, ...]:
    """Arguments of a function, without their quotes; an unquoted ``null`` is null."""
    if not text.strip():
        return ()
    pieces: list[str] = []
    start = position = 0
    while position < len(text):
        character = text[position]
        if character in _QUOTES:
            end = text.find(character, position + 1)
            position = len(text) if end < 0 else end
        elif text.startswith("$(", position):
            end = closing_parenthesis(text, position + 2)
            position = len(text) if end < 0 else end
        elif character == ",":
            pieces.append(text[start:position])
            start = position + 1
        position += 1
    pieces.append(text[start:])
    return tuple(_unquoted(piece.strip()) for piece in pieces)


def _unquoted(argument: str) -> str | None:
    if len(argument) >= 2 and argument[0] == argument[-1] and argument[0] in _QUOTES:
        return argument[1:-1]
    return None if argument.lower() == "null" else argument
