"""The extractor: procedures that a contract declares, methods that answer them, and generated code in the repository that asks for them.

Where client and service compile the same file, a call of the client means the method that the service overrides, and nothing is left to
link. Where each has a copy of its own, the address that gRPC asks by says that both are the same (gRPC over HTTP/2, *Requests*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, link, note_data, read_note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, ReferenceRow
from codemap_core.model.bound import BoundAttribute, Event, EventKind
from codemap_core.model.reference import REQUESTS
from codemap_plugins.aspnet.remote_procedures import RPC, Answer, of_one_side

_METHOD: Final = "Method"
"""The type of gRPC whose objects say what a generated client asks for: ``new Method<…>(MethodType.Unary, "shop.Basket", "Get", …)``."""
_ASKING: Final = (
    *("BlockingUnaryCall", "AsyncUnaryCall", "AsyncServerStreamingCall"),
    *("AsyncClientStreamingCall", "AsyncDuplexStreamingCall"),
)
_ANSWERED: Final = "answered"
_DECLARED: Final = "declared"
_DESCRIBED: Final = "described"
_ASKED: Final = "asked"
"""Topics of notes."""
_SERVICE_AND_METHOD: Final = slice(1, 3)
"""Which arguments of a ``Method`` name what is asked for."""


class _Answer(Answer, frozen=True, array_like=True):
    """Of a project. ``slot``: the method of the base class that it overrides."""

    slot: str


class _Procedure(Struct, frozen=True, array_like=True):
    """``symbol``: what stands for it, a method of a base class or a field of generated code."""

    address: str
    symbol: str


class _Asked(Struct, frozen=True, array_like=True):
    """A method of a generated client hands such a field to what asks."""

    field: str
    owner: str
    column: int


class ProcedureLinks:
    name = "grpc_links"
    language = "csharp"
    interests = Interests(attributes=(RPC,), creations=(_METHOD,), invocations=_ASKING)
    roles: tuple[str, ...] = (REQUESTS,)

    def extract(self, seen: Seen) -> Iterator[Note]:
        is_test = seen.project is not None and seen.project.is_test
        for each in seen.declarations:
            own = _address(each.attributes)
            if own:
                yield Note(_DECLARED, seen.file_path, each.line, note_data(_Procedure(own, each.symbol_id)))
            elif each.overrides and (inherited := _address(each.attributes_elsewhere)):
                slot = each.overrides[-1]
                said = _Answer(inherited, seen.document.project_path, each.symbol_id, is_test, slot)
                yield Note(_ANSWERED, seen.file_path, each.line, note_data(said))
        for event in seen.events.values():
            described = _described(event)
            if described is not None:
                yield Note(_DESCRIBED, seen.file_path, event.line, note_data(described))
            asked = _asked(event)
            if asked is not None:
                yield Note(_ASKED, seen.file_path, event.line, note_data(asked))

    def conclude(self, notes: Sequence[Note]) -> Iterator[ReferenceRow]:
        answers = of_one_side(read_note_data(note.data, _Answer) for note in notes if note.topic == _ANSWERED)
        described = (read_note_data(note.data, _Procedure) for note in notes if note.topic == _DESCRIBED)
        fields = {each.symbol: each.address for each in described}
        for note in notes:
            if note.topic == _DECLARED:
                said = read_note_data(note.data, _Procedure)
                yield from _links(note, said.symbol, 1, answers.get(said.address, ()))
            elif note.topic == _ASKED:
                asked = read_note_data(note.data, _Asked)
                yield from _links(note, asked.owner, asked.column, answers.get(fields.get(asked.field, ""), ()))


def _address(attributes: Iterable[BoundAttribute]) -> str:
    """Empty where none of the attributes says it."""
    for each in attributes:
        if each.name == RPC and each.arguments:
            return text_of(each.arguments[0].value) or ""
    return ""


def _described(event: Event) -> _Procedure | None:
    if event.kind is not EventKind.CREATION or event.enclosing is None:
        return None
    names = [text_of(each.value) for each in event.arguments[_SERVICE_AND_METHOD]]
    service, method = names if len(names) == 2 else (None, None)
    return _Procedure(f"/{service}/{method}", event.enclosing) if service and method else None


def _asked(event: Event) -> _Asked | None:
    if event.kind is not EventKind.INVOCATION or event.enclosing is None or not event.arguments:
        return None
    field = event.arguments[0].value.symbol_id
    return _Asked(field, event.enclosing, column_of_link(event)) if field else None


def _links(note: Note, asking: str, column: int, answering: Sequence[_Answer]) -> Iterator[ReferenceRow]:
    """None where what asks is what answers overrides: a call is known to run that."""
    if any(each.slot == asking for each in answering):
        return
    for method in dict.fromkeys(each.method for each in answering):
        yield link(REQUESTS, asking, method, note.file_path, note.line, column, Confidence.MEDIUM)
