"""Where the directives of C# source are: past its comments and literals (ECMA-334 §6.3.3, §6.4.5, §6.5.1).

No tokens are made; comments and literals are only skipped, so that a ``#`` inside them is never taken for a directive.
It never fails: an unterminated literal ends at its line, an unterminated comment or multi-line literal with the source.
"""

from __future__ import annotations

import re
from typing import Final


def next_directive(source: bytes, start: int) -> tuple[int, int] | None:
    """The span, from ``#`` to the end of the line, of the first directive after ``start``, which must lie in code."""
    at = start
    while True:
        match = _CODE.match(source, at)
        at = match.end() if match else at
        if at >= len(source):
            return None
        if source[at] == _HASH:
            if not source[source.rfind(b"\n", 0, at) + 1 : at].rpartition(b"\r")[2].strip():
                return at, _end_of_line(source, at)
            at += 1
            continue
        at = max(end_of_literal(source, at), at + 1)


def end_of_literal(source: bytes, at: int, depth: int = 0) -> int:
    """Past the comment or literal that begins at ``at``; ``at`` itself where none does. ``depth``: in how many holes it stands."""
    token = _NOT_CODE.match(source, at)
    if token is None:
        return at
    return _end_of_interpolated(source, at, depth) if token.lastgroup == "interpolated" else token.end()


_HASH: Final = 0x23


def _end_of_line(source: bytes, at: int) -> int:
    match = _LINE_END.search(source, at)
    return match.start() if match else len(source)


_LINE_END: Final = re.compile(rb"[\n\r]")

# One possessive run over code, comments and most literals, without groups: ten times faster than stopping at each. It
# stops at `#`, at raw
# strings, at interpolated strings with strings in their holes, and at the end.
_CODE: Final = re.compile(
    rb"""
    (?: [^"'/\#$@]++
      | //[^\n\r]*+
      | /\*(?:[^*]++|\*(?!/))*+(?:\*/)?+
      | /
      | "(?!"")(?:[^"\\\n\r]++|\\[^\n\r])*+"?+
      | @"(?:[^"]++|"")*+"?+
      | @(?!\$")
      | \$"(?!")(?:[^"\\\n\r{}]++|\\[^\n\r]|\{\{|\}\}|\{[^"'{}()/$@\n\r]*+\})*+"
      | \$(?!\$*@?")
      | '(?:\\[^\n\r][^'\n\r]{0,8}|[^'\\\n\r]{1,4})'
      | '(?!(?:\\[^\n\r][^'\n\r]{0,8}|[^'\\\n\r]{1,4})')
    )*+
    """,
    re.VERBOSE,
)

_NOT_CODE: Final = re.compile(
    rb"""
    (?P<comment> //[^\n\r]*+ | /\*(?:[^*]++|\*(?!/))*+(?:\*/)? )
  | (?P<literal>
        (?P<quotes>"{3,}+)(?:[^"]++|(?!(?P=quotes))")*+(?P=quotes)?+
      | "(?:[^"\\\n\r]++|\\[^\n\r])*+"?+
      | @"(?:[^"]++|"")*+"?+
      | '(?:\\[^\n\r][^'\n\r]{0,8}|[^'\\\n\r]{1,4})'
      | \$"(?!"")(?:[^"\\\n\r{}]++|\\[^\n\r]|\{\{|\}\}|\{[^"'{}()/$@\n\r]*+\})*+"
    )
  | (?P<interpolated> \$++@?+" | @\$" )
    """,
    re.VERBOSE,
)

_MAX_DEPTH: Final = 50


def _end_of_interpolated(source: bytes, start: int, depth: int) -> int:
    """Where the interpolated string that begins at ``start`` ends; its holes may hold strings of every sort."""
    opening = _INTERPOLATED_OPENING.match(source, start)
    if opening is None:
        return start + 1
    at = opening.end()
    dollars, quotes = opening[0].count(b"$"), opening[0].count(b'"')
    verbatim = b"@" in opening[0]
    if quotes == 2 and not verbatim:
        return start + 3  # `$""`, empty
    if quotes >= 3 and not verbatim:
        text, closing, brace = _RAW_TEXT, b'"' * quotes, b"{" * dollars
    else:
        at = start + 2 + verbatim
        text, closing, brace = (_VERBATIM_TEXT if verbatim else _REGULAR_TEXT), b'"', b"{"
    while True:
        match = text.match(source, at)
        at = match.end() if match else at
        if source.startswith(closing, at):
            return at + len(closing)
        if source.startswith(brace, at) and depth < _MAX_DEPTH:
            at = _end_of_hole(source, at + len(brace), depth + 1)
        elif at >= len(source) or (quotes < 3 and not verbatim and source[at : at + 1] in (b"\n", b"\r")):
            return at
        else:
            at += 1


_INTERPOLATED_OPENING: Final = re.compile(rb'(?:\$+@?|@\$)"+')
_REGULAR_TEXT: Final = re.compile(rb'(?:[^"\\\n\r{]++|\\[^\n\r]|\{\{)*+')
_VERBATIM_TEXT: Final = re.compile(rb'(?:[^"{]++|""|\{\{)*+')
_RAW_TEXT: Final = re.compile(rb'[^"{]*+')


def _end_of_hole(source: bytes, start: int, depth: int) -> int:
    """Past the ``}`` of an interpolation hole; format text after ``:`` needs no rule of its own, as it holds neither
    braces nor quotes."""
    at = start
    braces = 0
    while (match := _HOLE_STOP.search(source, at)) is not None:
        stop = match.start()
        character = source[stop]
        if character == 0x7B:
            braces += 1
            at = stop + 1
        elif character == 0x7D:
            if braces == 0:
                return stop + 1
            braces -= 1
            at = stop + 1
        else:
            at = max(end_of_literal(source, stop, depth), stop + 1)
    return len(source)


_HOLE_STOP: Final = re.compile(rb"""[{}"'@$/]""")
