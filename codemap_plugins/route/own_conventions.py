"""Methods of the repository's own that put conventions on what they are given:

    static TBuilder RequirePermission<TBuilder>(this TBuilder builder, string name) => builder.RequireAuthorization($"Permission:{name}");
    app.MapGet("/orders", …).RequirePermission("read");    // GET /orders, for those whom the policy Permission:read lets in

A call of one leaves a mark that names the method and the texts that it is given; what the method puts is known when all documents are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import subject_of
from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import Event, EventKind, TypeForm, Value
from codemap_plugins.aspnet.endpoint_calls import BUILDERS
from codemap_plugins.route.marks import Mark, marked

CONVENTION_BUILDERS: Final = ("RouteHandlerBuilder", "*ConventionBuilder")
"""Types of what calls that map give, as ``Interests`` has names."""
_HANDLER, _SUFFIX = CONVENTION_BUILDERS[0], CONVENTION_BUILDERS[1].removeprefix("*")
_TOPIC: Final = "own_convention"
_HOLE: Final = re.compile(r"\{\?(\w+)\}")
_MAX_DEPTH: Final = 8


class _Puts(Struct, frozen=True, array_like=True):
    method: str
    marks: tuple[str, ...]


class _Call(Struct, frozen=True, array_like=True):
    """``texts``: what it is given, by the names of parameters."""

    method: str
    texts: dict[str, str]


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(_Call)


def is_of_own(event: Event) -> bool:
    """Whether a call is one of the repository's own methods that is done to what a call has mapped, or to a group, which it gives back."""
    if event.kind is not EventKind.INVOCATION or event.target is None or event.external:
        return False
    subject = subject_of(event)
    type_ = subject.type if subject is not None else None
    if type_ is None:
        return False
    is_open = type_.form is TypeForm.TYPE_PARAMETER
    if is_open or type_.name == _HANDLER or type_.name.endswith(_SUFFIX):
        return True
    return type_.name in BUILDERS and any(each.name == type_.name for each in event.type_arguments)


def mark_of_call(seen: Seen, event: Event) -> tuple[str, ...]:
    """``event``: a call for which ``is_of_own`` holds."""
    texts = ((each.parameter, text_with_holes(each.value, seen.document)) for each in event.arguments)
    call = _Call(event.target or "", {name: text for name, text in texts if text is not None})
    return marked(Mark.OWN, (_ENCODER.encode(call).decode(),))


def is_put_on(value: Value | None) -> bool:
    """Whether a value may be what such a method is given, which is its first parameter."""
    return value is not None and value.parameter == 0 and value.region < 0


def puts_note(seen: Seen, line: int, method: str, marks: tuple[str, ...]) -> Note:
    """``marks``: what a method puts on its first parameter."""
    return Note(_TOPIC, seen.file_path, line, note_data(_Puts(method, marks)))


class OwnConventions:
    """The methods of all documents."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._marks: Final[dict[str, tuple[str, ...]]] = {}
        for note in notes:
            if note.topic == _TOPIC:
                puts = read_note_data(note.data, _Puts)
                self._marks.setdefault(puts.method, puts.marks)

    def expanded(self, marks: Iterable[str]) -> tuple[str, ...]:
        """Marks with what methods put in place of their calls."""
        return tuple(self._expanded(marks, {}, 0))

    def _expanded(self, marks: Iterable[str], texts: dict[str, str], depth: int) -> Iterator[str]:
        for mark in marks:
            if mark[:1] != Mark.OWN:
                yield _HOLE.sub(lambda hole: texts.get(hole[1], hole[0]), mark)
            elif depth < _MAX_DEPTH:
                call = _DECODER.decode(mark[1:])
                given = {
                    name: _HOLE.sub(lambda hole: texts.get(hole[1], hole[0]), text) for name, text in call.texts.items()
                }
                yield from self._expanded(self._marks.get(call.method, ()), given, depth + 1)
