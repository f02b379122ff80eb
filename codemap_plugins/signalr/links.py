"""The extractor. What a client invokes is a public method of a hub, by its name or by that of ``HubMethodName``; what a hub sends is
handled where a client says so with ``On``. Both know each other by a text, in which case does not count (ASP.NET Core,
*Use hubs in SignalR*).

A typed hub calls methods of an interface, which stand for what is sent: links lead from these.

A call that could not be bound, and one of TypeScript, counts by its name and that of what the other side has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, link, note_data, read_note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, ReferenceRow, SymbolKind, Visibility
from codemap_core.model.bound import BoundDeclaration, Event, EventKind
from codemap_core.model.documentation_id import container_of
from codemap_core.model.reference import REQUESTS, SENDS

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
_OF_CLIENT: Final = "of_client"
_TYPED: Final = "typed"
"""Topics of notes."""
_CLIENT_ENDINGS: Final = ("Client", "Clients")
"""Of names of interfaces that a typed hub has for its clients."""


class _Offered(Struct, frozen=True, array_like=True):
    """A method of a hub, under the name by which clients invoke it."""

    name: str
    hub: str
    method: str
    is_test: bool


class _OfClient(Struct, frozen=True, array_like=True):
    """A method of an interface that may be that of the clients of a hub."""

    name: str
    type: str
    method: str


class _Named(Struct, frozen=True, array_like=True):
    """A call that names a method of the other side. ``target``: what runs where it handles one. ``is_certain``: the call was bound."""

    name: str
    owner: str | None
    column: int
    target: str = ""
    is_certain: bool = False


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
        yield from _client_notes(seen)
        hubs = {each.symbol_id for each in seen.declarations if any(base.name == _HUB for base in each.all_bases)}
        is_test = seen.project is not None and seen.project.is_test
        for declared in seen.declarations:
            if declared.container_id in hubs and _is_offered(declared):
                said = _Offered(_name(declared), declared.container_id, declared.symbol_id, is_test)
                yield Note(_OFFERED, seen.file_path, declared.line, note_data(said))
        for event in seen.events.values():
            text = text_of(event.arguments[0].value) if event.arguments else None
            if event.kind is EventKind.INVOCATION and text:
                for topic in _topics(event, seen.language):
                    named = _Named(
                        text.lower(), event.enclosing, column_of_link(event), _handler(event), event.target is not None
                    )
                    yield Note(topic, seen.file_path, event.line, note_data(named))

    def conclude(self, notes: Sequence[Note]) -> Iterator[ReferenceRow]:
        offered = _of_one_hub(read_note_data(note.data, _Offered) for note in notes if note.topic == _OFFERED)
        handlers: dict[str, list[str]] = {}
        for note in notes:
            if note.topic == _HANDLED:
                handled = read_note_data(note.data, _Named)
                handlers.setdefault(handled.name, []).append(handled.target)
        typed = {note.data for note in notes if note.topic == _TYPED}
        for note in notes:
            if note.topic == _OF_CLIENT:
                own = read_note_data(note.data, _OfClient)
                for target in dict.fromkeys(handlers.get(own.name, ()) if own.type in typed else ()):
                    yield link(SENDS, own.method, target, note.file_path, note.line, 1, Confidence.MEDIUM)
            if note.topic not in (_INVOKED, _SENT):
                continue
            named = read_note_data(note.data, _Named)
            if note.topic == _INVOKED:
                role, targets = REQUESTS, offered.get(named.name, ())
                confidence = Confidence.HIGH if named.is_certain else Confidence.MEDIUM
            else:
                role, targets, confidence = SENDS, handlers.get(named.name, ()), Confidence.MEDIUM
            for target in dict.fromkeys(targets):
                if target != named.owner:
                    yield link(role, named.owner, target, note.file_path, note.line, named.column, confidence)


def _client_notes(seen: Seen) -> Iterator[Note]:
    """What interfaces of clients declare, and which of them hubs have."""
    for each in seen.declarations:
        for base in each.all_bases:
            if base.name == _HUB and base.arguments and base.arguments[0].id:
                yield Note(_TYPED, seen.file_path, each.line, base.arguments[0].id)
        container = each.container_id
        if each.kind is SymbolKind.METHOD and container is not None and container.endswith(_CLIENT_ENDINGS):
            said = _OfClient(each.name.lower(), container, each.symbol_id)
            yield Note(_OF_CLIENT, seen.file_path, each.line, note_data(said))


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


def _of_one_hub(methods: Iterable[_Offered]) -> Mapping[str, Sequence[str]]:
    """By name the methods that clients may invoke, where one hub alone has the name: which of several is meant is not guessed. Hubs of
    tests count where there are no others."""
    every: dict[str, list[_Offered]] = {}
    for each in methods:
        every.setdefault(each.name, []).append(each)
    found: dict[str, Sequence[str]] = {}
    for name, offering in every.items():
        real = [each for each in offering if not each.is_test] or offering
        if len({each.hub for each in real}) == 1:
            found[name] = [each.method for each in real]
    return found
