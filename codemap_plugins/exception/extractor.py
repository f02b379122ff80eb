"""Throws, and calls of methods that only throw, as facts: ``Type|context``.

What a helper of the repository's own throws stands in its body, which may be another file's: the calls and the bodies leave notes, and
the facts of these calls are concluded from all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from codemap_core.facts import fact, full_name
from codemap_core.hooks.extractors import FactKindInfo, Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.bound import BoundType, Event, EventKind, TypeForm
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.exception.thrown import EXCEPTION_TYPE, Context, is_caught, is_deferred, thrown_by

EXCEPTION: Final = FactKindInfo(
    name=FactKind.EXCEPTION,
    title="Thrown exceptions",
    value="Type|context",
    detail={
        "at": "line of the throw keyword, or of the helper's name",
        "type": "full name of the exception's type, without type arguments",
        "context": ", ".join(each.value for each in Context),
        "helper": "name of the method that throws",
        "caught": "true where the same member catches it",
        "deferred": "true in a lambda, which throws when it is run",
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
_CANCELLATION: Final = "M:System.Threading.CancellationToken.ThrowIfCancellationRequested"
_CANCELED: Final = BoundType(TypeForm.NAMED, "OperationCanceledException", "T:System.OperationCanceledException")
_DISPATCH: Final = "T:System.Runtime.ExceptionServices.ExceptionDispatchInfo"
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
        invocations=("ThrowIf*", "Throw"),
        own_invocations=("Throw*",),
        own_types=(*_HELPER_TYPES, f"*{_HELPER_TYPE}*"),
        attributes=("DoesNotReturn",),
    )
    kinds: tuple[str, ...] = (FactKind.EXCEPTION.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        for declaration in seen.declarations:
            if "static" in declaration.modifiers and any(
                each.type.name == _DOES_NOT_RETURN for each in declaration.attributes
            ):
                yield Note(_NEVER_RETURNS, seen.file_path, declaration.line, declaration.symbol_id)
        known: set[str] = set()
        for event in seen.events.values():
            if event.kind is EventKind.THROW:
                yield from _throw(seen, event, known)
            else:
                yield from _call(seen, event)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        throws: dict[str, BoundType] = {}
        never_returns: set[str] = set()
        calls: list[FactRow] = []
        targets: list[str] = []
        called_by: dict[str, list[str]] = {}
        for note in notes:
            if note.topic == _NEVER_RETURNS:
                never_returns.add(note.data)
            elif note.topic == _THROWS:
                method, type_ = note.data
                throws.setdefault(method, msgspec.convert(type_, BoundType))
            else:
                target, row = note.data
                calls.append(msgspec.convert(row, FactRow))
                targets.append(target)
                called_by.setdefault(calls[-1].symbol_id or "", []).append(target)
        for target, row in zip(targets, calls, strict=True):
            if not (_is_of_helper_type(target) or target in never_returns):
                continue
            type_ = _first_thrown(target, throws, called_by)
            if type_ is not None:
                detail = {**row.detail, "type": full_name(type_)}
                yield replace(row, value=f"{type_.name}{row.value}", detail=detail)


def _throw(seen: Seen, event: Event, known: set[str]) -> Iterable[FactRow | Note]:
    thrown = thrown_by(seen, event)
    if thrown is None:
        return
    owner = event.enclosing
    if owner is not None and owner not in known:
        known.add(owner)
        if _may_be_helper(owner):
            yield Note(_THROWS, seen.file_path, event.line, (owner, msgspec.to_builtins(thrown.type)))
    detail = _detail(seen, event, thrown.type, thrown.context)
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


def _call(seen: Seen, event: Event) -> Iterable[FactRow | Note]:
    target = event.target
    if target is None:
        if event.receiver_type_id in _GUARDS:  # which overload is not known, and all of them throw the same
            guarded = BoundType(TypeForm.NAMED, parse_id(event.receiver_type_id).name, event.receiver_type_id)
            yield _helper(seen, event, guarded, Confidence.MEDIUM)
        return
    if event.external:
        type_ = _thrown_by_library(target)
        if type_ is not None:
            yield _helper(seen, event, type_, Confidence.MEDIUM if type_ is EXCEPTION_TYPE else None)
    elif event.receiver is None and _may_be_helper(target):
        detail = {"context": Context.HELPER.value, "helper": event.name, "deferred": is_deferred(seen, event)}
        row = fact(seen, event, FactKind.EXCEPTION, f"|{Context.HELPER}", detail)
        yield Note(_CALL, seen.file_path, event.line, (target, msgspec.to_builtins(row)))


def _helper(seen: Seen, event: Event, type_: BoundType, confidence: Confidence | None) -> FactRow:
    detail = {**_detail(seen, event, type_, Context.HELPER), "helper": event.name}
    return fact(seen, event, FactKind.EXCEPTION, f"{type_.name}|{Context.HELPER}", detail, confidence=confidence)


def _detail(seen: Seen, event: Event, type_: BoundType, context: Context) -> Mapping[str, Any]:
    return {
        "type": full_name(type_),
        "context": context.value,
        "caught": is_caught(seen, event, type_),
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
    method: str, throws: Mapping[str, BoundType], called_by: Mapping[str, Sequence[str]], depth: int = 0
) -> BoundType | None:
    """Its own first throw, or that of the first helper which it calls."""
    if method in throws or depth > _MAX_DEPTH:
        return throws.get(method)
    for called in called_by.get(method, ()):
        found = _first_thrown(called, throws, called_by, depth + 1)
        if found is not None:
            return found
    return None
