"""Adds one member to a JSON text without touching the rest: order, indentation, comments and trailing commas stay as they are.

Editors allow comments in their configuration, which the standard library's ``json`` neither reads nor keeps. Pure functions over
text. Invariant: a text that ``with_entry`` returns differs from the one given in the entry alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

_TOKEN: Final = re.compile(
    r'(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\]:,])|(?P<word>[^\s{}\[\]:,"/]+)',
    re.DOTALL,
)
_DEFAULT_INDENT: Final = "  "


class JsonTextError(ValueError):
    """The text is not JSON with comments. The message says what is wrong, and on which line."""


class _Token(Struct, frozen=True):
    text: str
    start: int
    end: int


class _Node(Struct, frozen=True):
    """A value and where it stands: half-open offsets. ``members`` are those of an object, by key, with where the key begins."""

    value: Any
    start: int
    end: int
    members: dict[str, tuple[int, _Node]] | None = None


def decode(text: str) -> Any:
    """The value of a text. An empty text is an empty object. Raises: JsonTextError."""
    return _parse(text).value


def with_entry(text: str, path: Sequence[str], value: Any) -> str:
    """``text`` with ``value`` at ``path``, a chain of keys; objects on the way are added where they are missing, and what stands
    at the path is replaced. Raises: JsonTextError, also where something on the way is not an object."""
    root = _parse(text)
    if not text.strip():
        text = "{}\n"
        root = _parse(text)
    node = root
    for depth, key in enumerate(path):
        if node.members is None:
            raise JsonTextError(f"{'.'.join(path[:depth]) or 'the whole file'} is not an object")
        if key not in node.members:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _with_member(text, node, key, value)
        node = node.members[key][1]
    if node.value == value:
        return text
    if "\n" in text[node.start : node.end]:
        written = _written(value, _indent_at(text, node.start), _unit(text), _newline(text))
    else:
        written = json.dumps(value, ensure_ascii=False)
    return text[: node.start] + written + text[node.end :]


def _with_member(text: str, node: _Node, key: str, value: Any) -> str:
    newline, unit = _newline(text), _unit(text)
    close = node.end - 1
    outer = _indent_at(text, node.start)
    assert node.members is not None
    if not node.members:
        inner = outer + unit
        entry = f"{json.dumps(key)}: {_written(value, inner, unit, newline)}"
        kept = text[node.start + 1 : close].rstrip()
        return f"{text[: node.start + 1]}{kept}{newline}{inner}{entry}{newline}{outer}{text[close:]}"
    last_end = max(each.end for _, each in node.members.values())
    first_key = min(start for start, _ in node.members.values())
    trivia = text[last_end:close]
    comma = "" if _has_comma(trivia) else ","
    if newline not in text[node.start : close]:
        entry = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        blank = trivia[len(trivia.rstrip()) :]
        return f"{text[:last_end]}{comma}{trivia.rstrip()} {entry}{blank}{text[close:]}"
    inner = _indent_at(text, first_key)
    if text[:first_key].rpartition("\n")[2].strip():  # the first member stands on the brace's own line
        inner = outer + unit
    entry = f"{json.dumps(key)}: {_written(value, inner, unit, newline)}"
    return f"{text[:last_end]}{comma}{trivia.rstrip()}{newline}{inner}{entry}{newline}{outer}{text[close:]}"


def _has_comma(trivia: str) -> bool:
    return any(token.text == "," for token in _tokens(trivia))


def _written(value: Any, indent: str, unit: str, newline: str) -> str:
    """Objects take a line for each member; everything else stands on one."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + unit
    members = [
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {_written(each, inner, unit, newline)}"
        for key, each in value.items()
    ]
    return f"{{{newline}{f',{newline}'.join(members)}{newline}{indent}}}"


def _indent_at(text: str, offset: int) -> str:
    """The white space that the line of ``offset`` begins with."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else _DEFAULT_INDENT


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _parse(text: str) -> _Node:
    tokens = list(_tokens(text))
    if not tokens:
        return _Node({}, 0, 0, {})
    node, following = _value(text, tokens, 0)
    if following < len(tokens):
        raise _unexpected(text, tokens[following])
    return node


def _tokens(text: str) -> Iterator[_Token]:
    """What is neither white space nor a comment."""
    position = 1 if text.startswith("\ufeff") else 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise JsonTextError(f"line {_line(text, position)}: {text[position : position + 20]!r} is not understood")
        position = match.end()
        if match.lastgroup != "space":
            yield _Token(match.group(), match.start(), match.end())


def _value(text: str, tokens: Sequence[_Token], at: int) -> tuple[_Node, int]:
    """The value that begins with token ``at``, and the index of the token after it."""
    if at >= len(tokens):
        raise JsonTextError("the file ends too early")
    token = tokens[at]
    if token.text == "{":
        return _object(text, tokens, at)
    if token.text == "[":
        items = []
        position = at + 1
        while _text(tokens, position) != "]":
            node, position = _value(text, tokens, position)
            items.append(node.value)
            position = _past_comma(text, tokens, position, "]")
        return _Node(items, token.start, tokens[position].end), position + 1
    try:
        return _Node(json.loads(token.text), token.start, token.end), at + 1
    except ValueError:
        raise _unexpected(text, token) from None


def _object(text: str, tokens: Sequence[_Token], at: int) -> tuple[_Node, int]:
    members: dict[str, tuple[int, _Node]] = {}
    position = at + 1
    while _text(tokens, position) != "}":
        key = tokens[position]
        if not key.text.startswith('"'):
            raise _unexpected(text, key)
        if _text(tokens, position + 1) != ":":
            raise _unexpected(text, tokens[position + 1])
        node, position = _value(text, tokens, position + 2)
        members[json.loads(key.text)] = (key.start, node)
        position = _past_comma(text, tokens, position, "}")
    value = {key: node.value for key, (_, node) in members.items()}
    return _Node(value, tokens[at].start, tokens[position].end, members), position + 1


def _past_comma(text: str, tokens: Sequence[_Token], at: int, end: str) -> int:
    """A comma before ``end`` is allowed, as editors allow it."""
    if _text(tokens, at) == ",":
        return at + 1
    if tokens[at].text != end:
        raise _unexpected(text, tokens[at])
    return at


def _text(tokens: Sequence[_Token], at: int) -> str:
    if at >= len(tokens):
        raise JsonTextError("the file ends too early")
    return tokens[at].text


def _unexpected(text: str, token: _Token) -> JsonTextError:
    return JsonTextError(f"line {_line(text, token.start)}: {token.text[:20]!r} is not expected there")


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
