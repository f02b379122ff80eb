"""What is rewritten before any parse, at the same length: names that the grammar takes for keywords, and code that it reads wrongly without
an error. Every consumer takes text from the source, as with the masks of ``repair``. Patterns look into comments and literals too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple


class Edit(NamedTuple):
    """Bytes to put at an offset."""

    start: int
    text: bytes


def disambiguate(masked: bytes) -> bytes:
    """Rewrites, before any parse, what is cheap to find and sure.

    ``async`` where what follows shows that it is a name; and what the grammar reads wrongly without an error: ``?.`` and
    ``?[``, which bind less than every operator there (``!a?.b`` as ``(!a)?.b``), become `` .`` and `` [``; escaped braces
    directly before a hole, ``$"{{{a}"``, become blank; ``&&`` after a generic type that is tested for, ``x is B<C> && y is E``, becomes
    ``||``, as it could be two address-of operators behind a comparison; ``new A<B, C> { … }`` gets an empty argument list, as it could be
    two comparisons in a list; a name in parentheses behind ``>`` becomes a number, ``a.F<B>(c) && d`` is ``a.F<B>(1) && d``, as an operator
    that could be unary would make the parentheses a cast behind two comparisons: a number that is a name in the source is that name;
    comments between the head of a generic class and its bases, ``class A<T> // … : B<T> where``, become blank, as ``<T>`` would be type
    parameters behind them; extension blocks, which are constructors to it while they hold but methods.
    """
    if b"?" in masked:
        masked = _CONDITIONAL_MEMBER.sub(rb" \1.", masked)
        masked = _CONDITIONAL_ELEMENT.sub(_conditional_element, masked)
    if b"async" in masked:
        masked = _ASYNC_NAME.sub(b"a_ync", masked)
    if _CLOSED_BEFORE_AND.search(masked) is not None:
        masked = _TYPE_BEFORE_AND.sub(rb"\1||", masked)
    masked = _GENERIC_CREATION.sub(_with_arguments, masked)
    masked = _NAME_IN_PARENTHESES.sub(_as_number, masked)
    if _CLOSED_BEFORE_WHERE.search(masked) is not None:
        masked = _COMMENT_BEFORE_BASES.sub(_without_comments, masked)
    if b"extension" in masked:
        masked = written(masked, (edit for match in _EXTENSION_BLOCK.finditer(masked) for edit in _extension(match)))
    if b"{{{" in masked and b"$$" not in masked:
        masked = _BRACES_BEFORE_HOLE.sub(lambda match: b" " * len(match[0]), masked)
    return masked


IN_ARGUMENTS: Final = rb"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"

_CONDITIONAL_MEMBER: Final = re.compile(rb"\?(\s*)\.(?=\s*[A-Za-z_@\x80-\xff])")
_CONDITIONAL_ELEMENT: Final = re.compile(rb"\?\[(?<=[\w)\]!>]\?\[)(?!\s*[\],])")
_ARRAY_CREATION: Final = re.compile(rb"\b(?:new|stackalloc)\s+[\w.<>,\s]*\Z")
_CLOSED_BEFORE_AND: Final = re.compile(rb">\s*&&")
"""Where it is not found, ``_TYPE_BEFORE_AND`` is not either, whose search takes five times as long."""
_TYPE_BEFORE_AND: Final = re.compile(rb"(\b(?:is|not|or|and)\s+[\w.:@]+<[^;(){}&|=\"']*>\s*)&&")
_GENERIC_CREATION: Final = re.compile(rb"(new(?<![\w@]new)\s+[\w.:@]+<[^;(){}&|=\"']*,[^;(){}&|=\"']*>)(\s*)\{(\s*)")
_NAME_IN_PARENTHESES: Final = re.compile(
    rb">[ ]?\(\s*(?!(?:"
    rb"base|bool|byte|char|decimal|default|double|dynamic|false|float|int|long|nint|nuint|null|object|sbyte|short|string|this|true|uint|ulong|"
    rb"ushort)\b)(?P<name>@?[A-Za-z_\x80-\xff][\w\x80-\xff]*)"
    rb"(?=(?:\s*\.\s*[\w\x80-\xff]+|\s*\[\s*[^\[\](){};,\s][^\[\](){};]*\])*\s*\)\s*(?:[&*+\[-]|\.\.))"
)
_BRACES_BEFORE_HOLE: Final = re.compile(rb"\{\{(?<!\{\{\{)(?:\{\{)*(?=\{(?!\{))")


def name_where(word: bytes, following: bytes) -> re.Pattern[bytes]:
    """``word`` where what follows shows that it is a name. The word comes first: a literal prefix is searched for
    fastest."""
    return re.compile(b"(" + word + rb")\b(?<![\w@]" + word + rb")(?=\s*(?:" + following + b"))")


AFTER_NAME: Final = rb"[;),:.?&|=!\]}\[/%^]|[-+](?!\w)|(?:is|as|switch|in)\b"
AFTER_DECLARED_NAME: Final = rb"[;),:]|=(?!=)|(?:in|when)\b|&&|\|\|"
_ASYNC_NAME: Final = name_where(b"async", AFTER_NAME + rb"|[+<]|\([^()]*\)(?!\s*(?:=>|/[/*]))")


def _without_comments(match: re.Match[bytes]) -> bytes:
    return match[1] + _NOT_A_LINE_END.sub(b" ", match[2])


def _as_number(match: re.Match[bytes]) -> bytes:
    return match[0][: match.start("name") - match.start()] + b"1" * len(match["name"])


_LONG_LINE: Final = 2000
"""Bytes of a line that are looked at: all of them would take time quadratic in its length."""


def _with_arguments(match: re.Match[bytes]) -> bytes:
    """The creation with an empty argument list, and its brace, in the first blanks behind it; unchanged where there is no room, and behind
    ``//``, whose comment the blanks may leave."""
    creation, before, after = match.groups()
    blanks = bytearray(before + b" " + after)
    room = [at for at, byte in enumerate(blanks) if byte not in b"\r\n"]
    begun = max(0, match.end(1) - _LONG_LINE)
    line = match.string[max(begun, match.string.rfind(b"\n", begun, match.end(1)) + 1) : match.end(1)]
    comment = line.find(b"//")
    if len(room) < 3 or (comment >= 0 and line.count(b'"', 0, comment) % 2 == 0):
        return match[0]
    for at, byte in zip(room, b"(){", strict=False):
        blanks[at] = byte
    return creation + bytes(blanks)


def _conditional_element(match: re.Match[bytes]) -> bytes:
    start = match.start()
    return match[0] if _ARRAY_CREATION.search(match.string, max(0, start - 120), start) else b" ["


def written(masked: bytes, edits: Iterable[Edit]) -> bytes:
    edited = bytearray(masked)
    for start, text in edits:
        edited[start : start + len(text)] = text
    return bytes(edited)


def _extension(match: re.Match[bytes]) -> Iterator[Edit]:
    """``extension<T>(List<T> source)`` → ``class Ext<T>(List<T> source)``; without a name, ``extension(List<T>)`` →
    ``class Ext:List<T> ``, so that the receiver's type is the one base. A class whose name's place reads ``xtension``
    in the source is an extension block; the name node starts six bytes after the block's keyword."""
    yield Edit(match.start(), b"class Ext")
    receiver = match["receiver"]
    prefix = _RECEIVER_PREFIX.match(receiver)
    type_start = prefix.end() if prefix else 0
    if not _NAMED_RECEIVER.search(receiver, type_start):
        start = match.start("receiver")
        yield Edit(start - 1, b":" + b" " * type_start)
        yield Edit(match.end("receiver"), b" ")


_NAMED_RECEIVER: Final = re.compile(rb"[\w>\])?*]\s*(?<=[\s>\])?*])@?[^\W\d]\w*\s*\Z")
_RECEIVER_PREFIX: Final = re.compile(rb"(?:\s*\[[^\]]*\])*(?:\s*(?:ref|in|out|readonly|scoped)\b)*\s*")


_COMMENTED: Final = rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)"
"""A blank or a comment."""
_EXTENSION_BLOCK: Final = re.compile(
    rb"extension(?:(?<=[;{}\n]extension)|(?<=[ \t]extension)(?<![\w>\]?*][ \t]extension))\s*(?:<(?:[^<>;{}()]|<[^<>;{}()]*>|"
    + IN_ARGUMENTS
    + rb")*>)?\s*\((?P<receiver>(?:[^()]|"
    + IN_ARGUMENTS
    + rb")*)\)(?="
    + _COMMENTED
    + rb"*+(?:where\b(?:"
    + _COMMENTED
    + rb"|[^;{}\s])*+)?\{)"
)

_COMMENT_BEFORE_BASES: Final = re.compile(
    rb"(\b(?:class|struct)\s+\w+\s*<[^<>;{}()]*>\s*(?:"
    + IN_ARGUMENTS
    + rb"\s*)?)((?:(?://|#\s*(?:pragma|region|endregion|nullable)\b)[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*)+)(?=:[^;{}]*>\s*where\b)"
)
_CLOSED_BEFORE_WHERE: Final = re.compile(rb">\s*where\b")
"""Where it is not found, ``_COMMENT_BEFORE_BASES`` is not either."""
_NOT_A_LINE_END: Final = re.compile(rb"[^\r\n]")
