"""The tags of a page of XAML, with places: byte offsets, half-open. Nothing fails; what is not closed ends with the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

_TAG: Final = re.compile(
    rb"""</\s*(?P<closed>[^\s>/]+)|<(?P<opened>[^\s/>!?<"'=]+)(?P<rest>(?>[^>"']+|"[^"]*"|'[^']*')*+)>"""
)
_ATTRIBUTE: Final = re.compile(rb"""([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_SKIPPED: Final = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">"))
"""What begins and ends what holds no tags."""
_RESERVED: Final = frozenset(
    b"""abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event
    explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object
    operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct
    switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while""".split()
)
"""Keywords of C# (ECMA-334 §6.4.4): texts of XAML like others (``Tag="checked"``, ``class="title"``), which C# would read as something
else."""


def is_identifier(name: bytes) -> bool:
    """Whether a text may be a name in C# as it is written."""
    return name.decode("utf-8", "replace").isidentifier() and name not in _RESERVED


class Span(NamedTuple):
    """What stands in the page from one byte offset to another."""

    start: int
    end: int


def member_named(page: bytes, name: Span) -> tuple[Span, Span] | None:
    """Of ``Grid.Row`` what stands before the last dot, and the member behind it; null for a name without a dot."""
    dot = page.rfind(b".", name.start, name.end)
    return (Span(name.start, dot), Span(dot + 1, name.end)) if dot >= 0 else None


class Attribute(NamedTuple):
    name: Span
    value: Span


class TagKind(IntEnum):
    OPENS = 0
    ALONE = 1
    CLOSES = 2


class Tag(NamedTuple):
    """``rest``: what stands in it behind its name."""

    kind: TagKind
    name: Span
    rest: Span


class Element(NamedTuple):
    name: Span
    attributes: tuple[Attribute, ...]


def element_of(page: bytes, tag: Tag) -> Element:
    """What a tag opens."""
    attributes = (
        Attribute(Span(*each.span(1)), Span(*each.span(2 if each[2] is not None else 3)))
        for each in _ATTRIBUTE.finditer(page, *tag.rest)
    )
    return Element(tag.name, tuple(attributes))


def tags(page: bytes) -> Iterator[Tag]:
    at = 0
    while (start := page.find(b"<", at)) >= 0:
        skipped = next((ends for begins, ends in _SKIPPED if page.startswith(begins, start)), None)
        if skipped is not None:
            end = page.find(skipped, start)
            at = end + len(skipped) if end >= 0 else len(page)
            continue
        tag = _TAG.match(page, start)
        if tag is None:  # its quotes are not closed; going on behind it keeps the time in proportion to the page
            at = page.find(b">", start) + 1 or len(page)
            continue
        at = tag.end()
        if tag["closed"] is not None:
            yield Tag(TagKind.CLOSES, Span(*tag.span("closed")), Span(at, at))
            continue
        rest = Span(*tag.span("rest"))
        kind = TagKind.ALONE if page[rest.end - 1 : rest.end] == b"/" else TagKind.OPENS
        yield Tag(kind, Span(*tag.span("opened")), rest)
