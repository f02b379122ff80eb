"""Throws, calls of methods that only throw, and what documentation comments say of either, as facts: ``Type|context``.

What a helper of the repository's own throws stands in its body, which may be another file's: the calls and the bodies leave notes, and
the facts of these calls are concluded from all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import fact, full_name, note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import PASSING_ON, Interests
from codemap_core.model import CATCH, Confidence, FactKind, FactKindInfo, FactRow
from codemap_core.model.bound import BoundDeclaration, BoundType, Event, EventKind, TypeForm
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.exception.caught import EXCEPTION_TYPE, Caught
from codemap_plugins.exception.thrown import Context, is_deferred, thrown_by

EXCEPTION: Final = FactKindInfo(
    name=FactKind.EXCEPTION,
    title="Thrown exceptions",
    value="Type|context",
    detail={
        "at": "line of the throw keyword, or of the helper's name",
        "type": "full name of the exception's type, without type arguments",
        "context": ", ".join(each.value for each in Context),
        "helper": "name of the method that throws",
        "bases": "full names of its base classes below Exception, nearest first, with commas between them",
        "caught": "true where the same member catches it",
        "deferred": "true in a lambda, which throws when it is run",
        "beyond": "true of what is documented, and where a name is all that tells",
    },
)
_GUARDS: Final = frozenset(
    f"T:System.{name}"
    for name in (
        "ArgumentException",
        "ArgumentNullException",
        "ArgumentOutOfRangeException",
        "ObjectDisposedException",
    )
)
_CANCELLATION_CALL: Final = "ThrowIfCancellationRequested"
_CANCELLATION: Final = f"M:System.Threading.CancellationToken.{_CANCELLATION_CALL}"
_CANCELED: Final = BoundType(TypeForm.NAMED, "OperationCanceledException", "T:System.OperationCanceledException")
_DISPATCH: Final = "T:System.Runtime.ExceptionServices.ExceptionDispatchInfo"
_OF_EVERY_EXCEPTION: Final = frozenset(
    {
        "T:System.Exception",
        "T:System.Object",
        "T:System.Runtime.Serialization.ISerializable",
        "T:System.Runtime.InteropServices._Exception",
    }
)
_DOES_NOT_RETURN: Final = "DoesNotReturnAttribute"
_HELPER_TYPES: Final = ("Throw", "Throws")
_HELPER_TYPE: Final = "ThrowHelper"
_CALL: Final = "call"
_THROWS: Final = "throws"
_NEVER_RETURNS: Final = "never returns"
_MAX_DEPTH: Final = 8


class Throws:
    name = "exception"
    language = "csharp"
    interests = Interests(
        throws=True,
        catches=True,
        documented_exceptions=True,
        invocations=("ThrowIf*", "Throw"),
        own_invocations=("Throw*",),
        own_types=(*_HELPER_TYPES, f"*{_HELPER_TYPE}*"),
        attributes=("DoesNotReturn",),
    )
    kinds: tuple[str, ...] = (FactKind.EXCEPTION.value, CATCH)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        for declaration in seen.declarations:
            if "static" in declaration.modifiers and any(
                each.type.name == _DOES_NOT_RETURN for each in declaration.attributes
            ):
                yield Note(_NEVER_RETURNS, seen.file_path, declaration.line, declaration.symbol_id)
            yield from _documented(seen, declaration)
        known: set[str] = set()
        caught = Caught(seen)
        yield from caught.facts()
        for event in seen.events.values():
            if event.kind is EventKind.THROW:
                yield from _throw(seen, event, caught, known)
            elif event.kind is EventKind.INVOCATION:
                yield from _call(seen, event, caught)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        throws: dict[str, _Thrown] = {}
        never_returns: set[str] = set()
        calls: list[FactRow] = []
        targets: list[str] = []
        called_by: dict[str, list[str]] = {}
        for note in notes:
            if note.topic == _NEVER_RETURNS:
                never_returns.add(note.data)
            elif note.topic == _THROWS:
                method, type_ = note.data
                throws.setdefault(method, read_note_data(type_, _Thrown))
            else:
                target, row = note.data
                calls.append(read_note_data(row, FactRow))
                targets.append(target)
                called_by.setdefault(calls[-1].symbol_id or "", []).append(target)
        for target, row in zip(targets, calls, strict=True):
            if not (_is_of_helper_type(target) or target in never_returns):
                continue
            thrown = _first_thrown(target, throws, called_by)
            if thrown is not None:
                detail = {**row.detail, "type": thrown.type, **({"bases": thrown.bases} if thrown.bases else {})}
                yield replace(row, value=f"{thrown.name}{row.value}", detail=detail)


class _Thrown(Struct, frozen=True):
    """What a helper throws. ``name``: the simple name of ``type``, which is a full name; ``bases``: as in a fact's detail."""

    name: str
    type: str
    bases: str


def _documented(seen: Seen, declaration: BoundDeclaration) -> Iterator[FactRow]:
    """Each type once."""
    first = {each.type: each for each in reversed(declaration.documented_exceptions)}
    for each in reversed(first.values()):
        detail = {
            "type": full_name(each.type),
            "context": Context.DOCUMENTED.value,
            "bases": _bases(seen, each.type),
            "beyond": True,
        }
        yield FactRow(
            kind=FactKind.EXCEPTION,
            value=f"{each.type.name}|{Context.DOCUMENTED}",
            detail={"at": each.line, **{key: held for key, held in detail.items() if held}},
            symbol_id=declaration.symbol_id,
            file_path=seen.file_path,
            line_start=each.line,
            line_end=each.line,
            confidence=Confidence.HIGH if each.type.form is TypeForm.NAMED else Confidence.LOW,
        )


def _bases(seen: Seen, type_: BoundType) -> str | None:
    """Full names of the base classes of an exception's type below ``Exception``."""
    if not type_.id or type_ == EXCEPTION_TYPE:
        return None
    bases = [each for each in seen.bases_of(type_.id) if each not in _OF_EVERY_EXCEPTION]
    return ",".join(".".join(part.name for part in parse_id(each).parts) for each in bases) or None


def _throw(seen: Seen, event: Event, caught: Caught, known: set[str]) -> Iterable[FactRow | Note]:
    thrown = thrown_by(seen, event)
    if thrown is None:
        return
    owner = event.enclosing
    if owner is not None and owner not in known:
        known.add(owner)
        if _may_be_helper(owner):
            said = _Thrown(thrown.type.name, full_name(thrown.type), _bases(seen, thrown.type) or "")
            yield Note(_THROWS, seen.file_path, event.line, (owner, note_data(said)))
    detail = {
        **_detail(seen, event, caught, thrown.type, thrown.context),
        "beyond": thrown.guessed is not None,
    }
    yield fact(
        seen,
        thrown.source,
        FactKind.EXCEPTION,
        f"{thrown.type.name}|{thrown.context}",
        detail,
        owner=owner,
        at=event.line,
        confidence=thrown.confidence,
    )


def _call(seen: Seen, event: Event, caught: Caught) -> Iterable[FactRow | Note]:
    target = event.target
    if target is None:
        if event.receiver_type_id in _GUARDS:  # which overload is not known, and all of them throw the same
            guarded = BoundType(TypeForm.NAMED, parse_id(event.receiver_type_id).name, event.receiver_type_id)
            yield _helper(seen, event, caught, guarded, Confidence.MEDIUM)
        elif event.name == _CANCELLATION_CALL and event.receiver is not None and not event.arguments:
            yield _helper(seen, event, caught, _CANCELED, Confidence.LOW, beyond=True)
        return
    if event.external:
        type_ = _thrown_by_library(target)
        if type_ is not None:
            yield _helper(seen, event, caught, type_, Confidence.MEDIUM if type_ is EXCEPTION_TYPE else None)
    elif event.receiver is None and event.name not in PASSING_ON and _may_be_helper(target):
        detail = {"context": Context.HELPER.value, "helper": event.name, "deferred": is_deferred(seen, event)}
        row = fact(seen, event, FactKind.EXCEPTION, f"|{Context.HELPER}", detail)
        yield Note(_CALL, seen.file_path, event.line, (target, note_data(row)))


def _helper(
    seen: Seen, event: Event, caught: Caught, type_: BoundType, confidence: Confidence | None, *, beyond: bool = False
) -> FactRow:
    detail = {**_detail(seen, event, caught, type_, Context.HELPER), "helper": event.name, "beyond": beyond}
    return fact(seen, event, FactKind.EXCEPTION, f"{type_.name}|{Context.HELPER}", detail, confidence=confidence)


def _detail(seen: Seen, event: Event, caught: Caught, type_: BoundType, context: Context) -> Mapping[str, Any]:
    return {
        "type": full_name(type_),
        "context": context.value,
        "bases": _bases(seen, type_),
        "caught": caught.stops(event, type_),
        "deferred": is_deferred(seen, event),
    }


def _thrown_by_library(target: str) -> BoundType | None:
    container = container_of(target)
    name = parse_id(target).name
    if container in _GUARDS and name.startswith("ThrowIf"):
        return BoundType(TypeForm.NAMED, parse_id(container).name, container)
    if target == _CANCELLATION:
        return _CANCELED
    return EXCEPTION_TYPE if container == _DISPATCH and name == "Throw" else None


def _may_be_helper(method: str) -> bool:
    return parse_id(method).name.startswith("Throw") or _is_of_helper_type(method)


def _is_of_helper_type(method: str) -> bool:
    type_name = parse_id(container_of(method)).name
    return type_name in _HELPER_TYPES or _HELPER_TYPE in type_name


def _first_thrown(
    method: str, throws: Mapping[str, _Thrown], called_by: Mapping[str, Sequence[str]], depth: int = 0
) -> _Thrown | None:
    """Its own first throw, or that of the first helper which it calls."""
    if method in throws or depth > _MAX_DEPTH:
        return throws.get(method)
    for called in called_by.get(method, ()):
        found = _first_thrown(called, throws, called_by, depth + 1)
        if found is not None:
            return found
    return None
