"""The extractor. What a client invokes is a public method of a hub, by its name or by that of ``HubMethodName``; what a hub sends is
handled where a client says so with ``On``. Both know each other by a text, in which case does not count (ASP.NET Core,
*Use hubs in SignalR*).

A typed hub calls methods of an interface, which stand for what is sent: links lead from these.

A call that could not be bound, and one of TypeScript, counts by its name and that of what the other side has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, link, note_data, read_note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, ReferenceRow, SymbolKind, Visibility
from codemap_core.model.bound import BoundDeclaration, Event, EventKind
from codemap_core.model.documentation_id import container_of
from codemap_core.model.reference import REQUESTS, SENDS
from codemap_plugins.aspnet.remote_procedures import Answer, of_one_side

_TYPESCRIPT: Final = "typescript"
_HUB: Final = "Hub"
_METHOD_NAME: Final = "HubMethodName"
_NO_METHODS: Final = frozenset({"static", "override", "abstract"})
_CALLS: Final = (
    *("InvokeAsync", "InvokeCoreAsync", "SendAsync", "SendCoreAsync"),
    *("StreamAsync", "StreamAsyncCore", "StreamAsChannelAsync", "StreamAsChannelCoreAsync"),
)
_SENDING: Final = ("SendAsync", "SendCoreAsync")
"""Those that hubs have too, for their clients."""
_HANDLE: Final = "On"
_SCRIPT_CALLS: Final = ("invoke", "send", "stream")
_SCRIPT_HANDLE: Final = "on"
_CONNECTION: Final = "HubConnection"
_CLIENT: Final = "T:Microsoft.AspNetCore.SignalR.Client."
_PROXIES: Final = (
    "T:Microsoft.AspNetCore.SignalR.IClientProxy",
    "T:Microsoft.AspNetCore.SignalR.ISingleClientProxy",
    "T:Microsoft.AspNetCore.SignalR.ClientProxyExtensions",
)
_OFFERED: Final = "offered"
_INVOKED: Final = "invoked"
_SENT: Final = "sent"
_HANDLED: Final = "handled"
_TYPED: Final = "typed"
"""Topics of notes."""
_CLIENT_ENDINGS: Final = ("Client", "Clients")
"""Of names of interfaces that a typed hub has for its clients."""


class _Named(Struct, frozen=True, array_like=True):
    """What names a method of the other side. ``target``: what runs where it handles one. ``is_certain``: it is a call that was bound.
    ``interface``: that of a method which counts if a hub has the interface for its clients."""

    name: str
    owner: str | None
    column: int
    target: str = ""
    is_certain: bool = False
    interface: str = ""


class HubLinks:
    name = "hub_links"
    language = ""
    interests = Interests(
        invocations=(*_CALLS, _HANDLE, *_SCRIPT_CALLS, _SCRIPT_HANDLE),
        base_types=(_HUB,),
        type_endings=_CLIENT_ENDINGS,
        members=True,
    )
    roles: tuple[str, ...] = (REQUESTS, SENDS)

    def extract(self, seen: Seen) -> Iterator[Note]:
        is_test = seen.project is not None and seen.project.is_test
        hubs = {each.symbol_id: each for each in seen.declarations if any(b.name == _HUB for b in each.all_bases)}
        for hub in hubs.values():
            for base in hub.all_bases:
                if base.name == _HUB and base.arguments and base.arguments[0].id:
                    yield Note(_TYPED, seen.file_path, hub.line, base.arguments[0].id)
        interfaces = {each.symbol_id for each in seen.declarations if each.kind is SymbolKind.INTERFACE}
        for declared in seen.declarations:
            container = declared.container_id
            if container in hubs and _is_offered(declared):
                answer = Answer(_name(declared), container, declared.symbol_id, is_test)
                yield Note(_OFFERED, seen.file_path, declared.line, note_data(answer))
            elif container in interfaces and declared.kind is SymbolKind.METHOD:
                sent = _Named(declared.name.lower(), declared.symbol_id, 1, interface=container)
                yield Note(_SENT, seen.file_path, declared.line, note_data(sent))
        for event in seen.events.values():
            text = text_of(event.arguments[0].value) if event.arguments else None
            if event.kind is EventKind.INVOCATION and text:
                for topic in _topics(event, seen.language):
                    named = _Named(
                        text.lower(), event.enclosing, column_of_link(event), _handler(event), event.target is not None
                    )
                    yield Note(topic, seen.file_path, event.line, note_data(named))

    def conclude(self, notes: Sequence[Note]) -> Iterator[ReferenceRow]:
        offered = of_one_side(read_note_data(note.data, Answer) for note in notes if note.topic == _OFFERED)
        typed = {"", *(note.data for note in notes if note.topic == _TYPED)}
        handlers: dict[str, list[str]] = {}
        for note in notes:
            if note.topic == _HANDLED:
                handled = read_note_data(note.data, _Named)
                handlers.setdefault(handled.name, []).append(handled.target)
        for note in notes:
            if note.topic == _INVOKED:
                named = read_note_data(note.data, _Named)
                confidence = Confidence.HIGH if named.is_certain else Confidence.MEDIUM
                yield from _links(
                    note, REQUESTS, named, [each.method for each in offered.get(named.name, ())], confidence
                )
            elif note.topic == _SENT:
                named = read_note_data(note.data, _Named)
                targets = handlers.get(named.name, ()) if named.interface in typed else ()
                yield from _links(note, SENDS, named, targets, Confidence.MEDIUM)


def _links(
    note: Note, role: str, named: _Named, targets: Iterable[str], confidence: Confidence
) -> Iterator[ReferenceRow]:
    for target in dict.fromkeys(targets):
        if target != named.owner:
            yield link(role, named.owner, target, note.file_path, note.line, named.column, confidence)


def _is_offered(declared: BoundDeclaration) -> bool:
    is_method = declared.kind is SymbolKind.METHOD and declared.visibility is Visibility.PUBLIC
    return is_method and _NO_METHODS.isdisjoint(declared.modifiers)


def _name(declared: BoundDeclaration) -> str:
    for each in declared.attributes:
        if each.type.name.removesuffix("Attribute") == _METHOD_NAME and each.arguments:
            return (text_of(each.arguments[0].value) or declared.name).lower()
    return declared.name.lower()


def _topics(event: Event, language: str) -> Iterable[str]:
    """What a call may be that is given a text."""
    if language == _TYPESCRIPT:
        return (_HANDLED,) if event.name == _SCRIPT_HANDLE else (_INVOKED,) if event.name in _SCRIPT_CALLS else ()
    if event.target is not None:
        container = container_of(event.target)
        if container in _PROXIES:
            return (_SENT,)
        if not container.startswith(_CLIENT):
            return ()
        return (_HANDLED,) if event.name == _HANDLE else (_INVOKED,)
    if event.name == _HANDLE:
        return (_HANDLED,)
    type_ = event.receiver.type if event.receiver is not None else None
    if event.name in _SENDING and (type_ is None or type_.name != _CONNECTION):
        return (_INVOKED, _SENT)
    return (_INVOKED,)


def _handler(event: Event) -> str:
    """The method that a call of ``On`` is given, else what calls it, as a lambda has no id."""
    given = event.arguments[1].value.symbol_id if len(event.arguments) > 1 else ""
    return given or event.enclosing or ""
