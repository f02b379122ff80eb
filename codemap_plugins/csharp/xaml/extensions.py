"""Markup extensions: values of attributes in braces, ``{Binding Path=Name, Mode=TwoWay}`` (XAML specification, *Markup Extensions*)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from codemap_plugins.csharp.xaml.markup import Span

_NAME: Final = re.compile(rb"\s*([^\s{},=]+)\s*")
_KEY: Final = re.compile(rb"\s*([\w.:]+)\s*=\s*")
_SPACE: Final = re.compile(rb"\s*")
_MOST_NESTED: Final = 12
_BRACKETS: Final = {0x28: 1, 0x5B: 1, 0x29: -1, 0x5D: -1}
"""Commas between them belong to a path."""


class Extension(NamedTuple):
    """``arguments``: each with its key, if it has one, in order."""

    name: Span
    arguments: tuple[tuple[Span | None, Value], ...]

    def keyed(self, page: bytes, *keys: bytes) -> Value | None:
        """The first argument that has one of these keys."""
        return next(
            (value for key, value in self.arguments if key is not None and page[key.start : key.end] in keys), None
        )

    @property
    def positional(self) -> Value | None:
        """The first argument, where it has no key."""
        return self.arguments[0][1] if self.arguments and self.arguments[0][0] is None else None


Value: TypeAlias = "Extension | Span"


def extension(page: bytes, value: Span) -> Extension | None:
    """The extension that a value is, if it is one; ``{}`` before a text says that it is none."""
    start = _past(_SPACE, page, value.start, value.end)
    if page[start : start + 1] != b"{" or page[start : start + 2] == b"{}":
        return None
    found, _ = _extension(page, start, value.end, 0)
    return found


def _past(pattern: re.Pattern[bytes], page: bytes, at: int, end: int) -> int:
    match = pattern.match(page, at, end)
    return match.end() if match is not None else at


def _extension(page: bytes, at: int, end: int, depth: int) -> tuple[Extension | None, int]:
    """What begins with the brace at ``at``, and where it ends."""
    name = _NAME.match(page, at + 1, end)
    if name is None or depth > _MOST_NESTED:
        return None, end
    at = name.end()
    arguments: list[tuple[Span | None, Value]] = []
    while at < end and page[at] != 0x7D:
        key = _KEY.match(page, at, end)
        if key is not None:
            at = key.end()
        at = _past(_SPACE, page, at, end)
        value: Value | None
        if page[at : at + 1] == b"{" and page[at : at + 2] != b"{}":
            value, at = _extension(page, at, end, depth + 1)
        else:
            value, at = _text(page, at, end)
        if value is not None:
            arguments.append((Span(*key.span(1)) if key is not None else None, value))
        at = _past(_SPACE, page, at, end)
        at += at < end and page[at] != 0x7D  # a comma, or what should be one
    return Extension(Span(*name.span(1)), tuple(arguments)), min(at + 1, end)


def _text(page: bytes, at: int, end: int) -> tuple[Span, int]:
    """A value that is a text, without its quotes, and where it ends."""
    quote = page[at : at + 1]
    if quote in (b"'", b'"'):
        closing = page.find(quote, at + 1, end)
        if closing >= 0:
            return Span(at + 1, closing), closing + 1
    start, depth = at, 0
    while at < end:
        character = page[at]
        depth += _BRACKETS.get(character, 0)
        if character == 0x7D or (character == 0x2C and depth <= 0):
            break
        at += 1
    return Span(start, start + len(page[start:at].rstrip())), at
