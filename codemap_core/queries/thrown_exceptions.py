"""The exceptions that leave a member: those that it throws itself, and those of the members that it calls, over a few levels.

What a catch clause catches is known of a member's own throws alone. So nothing is followed through a member with a catch clause: what is
said may leave it, and more may. Calls in lambdas are followed as if they ran.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.model import FactKind, FactRow, RefKind, split_value
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.source_text import split_lines

_CALLS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER)
_LEVELS: Final = 2
_MEMBERS: Final = 60
"""Members that are followed; behind them nothing is."""
_CATCH: Final = re.compile(r"\bcatch\b")


class _Throw(Struct):
    type: str = ""
    caught: bool = False
    deferred: bool = False


def thrown(facts: Iterable[FactRow]) -> tuple[str, ...]:
    """Full names of the exception types that a member throws itself and does not catch, in the order of ``facts``, which it owns. What a
    lambda throws is left out: it is thrown where the lambda is run."""
    found = (
        (msgspec.convert(fact.detail, _Throw, strict=False), fact.value)
        for fact in facts
        if fact.kind == FactKind.EXCEPTION
    )
    return tuple(dict.fromkeys(_name(said, value) for said, value in found if not said.caught and not said.deferred))


def thrown_through_calls(snapshot: Snapshot, symbol_id: str) -> dict[str, str]:
    """By full name of an exception type, the id of the member that throws it, nearest first; only where no member between it and
    ``symbol_id``, nor ``symbol_id`` itself, has a catch clause."""
    root = snapshot.reader.edges.numbers_of([symbol_id]).get(symbol_id)
    if root is None:
        return {}
    parents = _called(snapshot, root)
    throwing = [fact for fact in snapshot.reader.facts.of_owners(parents) if fact.kind == FactKind.EXCEPTION]
    if not throwing:
        return {}
    paths = {fact.owner: _path(parents, fact.owner) for fact in throwing if fact.owner is not None}
    ids = snapshot.reader.edges.ids_of({root, *(node for path in paths.values() for node in path), *paths})
    catching = _catching(snapshot, {ids[node] for path in paths.values() for node in path})
    found: dict[str, str] = {}
    for fact in sorted(throwing, key=lambda each: len(paths.get(each.owner or 0, ()))):
        said = msgspec.json.decode(fact.detail, type=_Throw)
        if fact.owner is None or said.caught or said.deferred:
            continue
        if not any(ids[node] in catching for node in paths[fact.owner]):
            found.setdefault(_name(said, fact.value), ids[fact.owner])
    return found


def _name(said: _Throw, value: str) -> str:
    return said.type or split_value(FactKind.EXCEPTION, value)[0]


def _called(snapshot: Snapshot, root: int) -> dict[int, int]:
    """The members that run because ``root`` does, each with the one that calls it; of an interface member its only implementation."""
    edges = snapshot.reader.edges
    parents: dict[int, int] = {}
    frontier: Collection[int] = [root]
    for _ in range(_LEVELS):
        calls = [edge for edge in edges.edges_from(frontier, _CALLS) if not edge.external]
        virtual = {edge.target for edge in calls if edge.is_virtual}
        fillers: dict[int, list[int]] = {}
        for slot, member in edges.fillers(virtual) if virtual else ():
            fillers.setdefault(slot, []).append(member)
        new: dict[int, int] = {}
        for edge in calls:
            filling = fillers.get(edge.target, ())
            target = filling[0] if len(filling) == 1 else edge.target
            if target not in parents and target != root:
                new.setdefault(target, edge.source)
        frontier = list(new)[: _MEMBERS - len(parents)]
        parents.update((node, new[node]) for node in frontier)
        if not frontier:
            break
    return parents


def _path(parents: dict[int, int], node: int) -> tuple[int, ...]:
    """The members that lead to ``node``, the root among them."""
    path = []
    while node in parents:
        node = parents[node]
        path.append(node)
    return tuple(path)


def _catching(snapshot: Snapshot, symbol_ids: Collection[str]) -> set[str]:
    """Those that have a catch clause, or have the word in a comment; also those whose source is not at hand."""
    declared = snapshot.reader.first_declarations(symbol_ids)
    texts = snapshot.reader.file_texts({each.file_path for each in declared.values()})
    lines = {path: split_lines(text) for path, text in texts.items()}
    return {
        symbol_id
        for symbol_id in symbol_ids
        if (symbol := declared.get(symbol_id)) is None
        or symbol.file_path not in lines
        or any(_CATCH.search(line) for line in lines[symbol.file_path][symbol.span_start - 1 : symbol.span_end])
    }
