"""Facts that were added, removed or changed between two indexes.

A fact keeps its identity over its line. What is left after equal facts are taken out is paired by owner and name, then by value (the
owner changed), then by owner alone where that leaves no choice (a route's path changed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

import msgspec

from codemap_core.model import FactKind, FactRow, split_value
from codemap_core.model.documentation_id import ID_PREFIXES, container_of
from codemap_core.queries.difference.grouping import grouped
from codemap_core.queries.difference.views import ChangeType, DetailChange, FactChange
from codemap_core.storage.reading.reader import IndexReader

_AUTHORIZE: Final = "authorize"
"""The kind of facts that say who may call something, and the key of a route's details that does."""
_ANONYMOUS: Final = "anonymous"
_PLACES: Final = frozenset({"at", "from_line", "from_column", "to_line", "to_column"})
"""Keys of details that are lines and columns, which change with every line above."""

Translate = Callable[[str], str]


def fact_changes(
    removed: Sequence[FactRow], added: Sequence[FactRow], new: IndexReader, translated: Translate
) -> list[FactChange]:
    """Lost authorization first, then by kind, file and line. ``translated``: an id of the older index as the newer one has it."""
    before, after = _without_common(removed, added, translated)
    pairs: list[tuple[FactRow | None, FactRow | None]] = []

    def pair(old_key: Callable[[FactRow], Hashable], new_key: Callable[[FactRow], Hashable], alone: bool) -> None:
        left, right = grouped(before, old_key), grouped(after, new_key)
        for key in [key for key in left if key in right]:
            if alone and not len(left[key]) == len(right[key]) == 1:
                continue
            for each in zip(left[key], right[key], strict=False):
                before.remove(each[0])
                after.remove(each[1])
                pairs.append(each)

    def owner(fact: FactRow) -> str | None:
        return translated(fact.symbol_id) if fact.symbol_id is not None else None

    pair(
        lambda fact: (fact.kind, owner(fact), _display(fact), None if fact.symbol_id else fact.file_path),
        lambda fact: (fact.kind, fact.symbol_id, _display(fact), None if fact.symbol_id else fact.file_path),
        alone=False,
    )
    pair(lambda fact: (fact.kind, fact.value), lambda fact: (fact.kind, fact.value), alone=True)
    pair(
        lambda fact: (fact.kind, owner(fact)) if fact.symbol_id else None,
        lambda fact: (fact.kind, fact.symbol_id) if fact.symbol_id else None,
        alone=True,
    )
    pairs += [(fact, None) for fact in before]
    pairs += [(None, fact) for fact in after]
    opened = _opened(pairs, new, translated)
    tests = frozenset(new.edges.test_projects.values())
    changes = [_change(before, after, translated, tests, opened) for before, after in pairs]
    return sorted(changes, key=lambda each: (each.rank, each.fact_kind, each.file_path, each.line, each.values))


def _without_common(
    removed: Sequence[FactRow], added: Sequence[FactRow], translated: Translate
) -> tuple[list[FactRow], list[FactRow]]:
    left = [_identity(fact, translated) for fact in removed]
    right = [_identity(fact, str) for fact in added]
    return _surplus(removed, left, Counter(left) - Counter(right)), _surplus(
        added, right, Counter(right) - Counter(left)
    )


def _surplus(facts: Sequence[FactRow], identities: Sequence[bytes], surplus: Counter[bytes]) -> list[FactRow]:
    found = []
    for fact, identity in zip(facts, identities, strict=True):
        if surplus[identity] > 0:
            surplus[identity] -= 1
            found.append(fact)
    return found


def _identity(fact: FactRow, translated: Translate) -> bytes:
    owner = translated(fact.symbol_id) if fact.symbol_id else fact.file_path
    return msgspec.json.encode((fact.kind, fact.value, owner, _details(fact, translated)), order="sorted")


def _details(fact: FactRow, translated: Translate) -> dict[str, Any]:
    return {key: _value(each, translated) for key, each in fact.detail.items() if key not in _PLACES}


def _value(value: Any, translated: Translate) -> Any:
    if isinstance(value, str):
        return translated(value) if value.startswith(ID_PREFIXES) else value
    if isinstance(value, Mapping):
        return {key: _value(each, translated) for key, each in value.items() if key not in _PLACES}
    if isinstance(value, list | tuple):
        return [_value(each, translated) for each in value]
    return value


def _display(fact: FactRow) -> str:
    display, metadata = split_value(fact.kind, fact.value)
    return metadata if fact.kind == _AUTHORIZE else display  # its value is the demand, then what is guarded


def _change(
    old: FactRow | None,
    new: FactRow | None,
    translated: Translate,
    tests: frozenset[str],
    opened: frozenset[int],
) -> FactChange:
    fact = new if new is not None else old
    assert fact is not None
    if old is None or new is None:
        change = ChangeType.ADDED if old is None else ChangeType.REMOVED
        details: tuple[DetailChange, ...] = ()
    else:
        change = ChangeType.CHANGED
        details = _detail_changes(old, new, translated)
    return FactChange(
        change_type=change,
        fact_kind=fact.kind,
        from_value=None if old is None else old.value,
        to_value=None if new is None else new.value,
        symbol_id=fact.symbol_id,
        details=details,
        authorization_lost=id(old) in opened,
        file_path=fact.file_path,
        line=fact.line_start,
        test=fact.project in tests,
    )


def _detail_changes(old: FactRow, new: FactRow, translated: Translate) -> tuple[DetailChange, ...]:
    before, after = _details(old, translated), _details(new, str)
    changes = [
        DetailChange(key, _text(before.get(key)), _text(after.get(key)))
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    ]
    owner = translated(old.symbol_id) if old.symbol_id else None
    if owner != new.symbol_id:
        changes.append(DetailChange("owner", old.symbol_id or "", new.symbol_id or ""))
    return tuple(changes)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _opened(
    pairs: Sequence[tuple[FactRow | None, FactRow | None]], index: IndexReader, translated: Translate
) -> frozenset[int]:
    """Identities of the older facts of which what was restricted is open in ``index``: routes that demand nothing any more, and demands
    that are gone from what is still there, has no other, and is not such a route."""
    routes = [
        old
        for old, new in pairs
        if old is not None and new is not None and old.kind == FactKind.ROUTE and _demands(old) and not _demands(new)
    ]
    told = {old.value for old in routes}
    for route in routes:
        if route.symbol_id is not None:
            told |= {route.symbol_id, container_of(route.symbol_id)}
    found = {id(route) for route in routes}
    for old, new in pairs:
        if old is None or old.kind != _AUTHORIZE or not _demands(old) or (new is not None and _demands(new)):
            continue
        if not {old.symbol_id, _display(old)} & told and _is_open(old, index, translated):
            found.add(id(old))
    return frozenset(found)


def _is_open(demand: FactRow, index: IndexReader, translated: Translate) -> bool:
    """Whether what a demand of the older index guarded is in ``index``, and nothing guards it there."""
    if demand.symbol_id is None:
        return index.document(demand.file_path) is not None
    owner = translated(demand.symbol_id)
    if not index.symbols_with_id(owner):
        return False
    routes = [fact for fact in index.facts_of(owner) if fact.kind == FactKind.ROUTE]
    if routes:
        return not all(map(_demands, routes))
    around = (*index.facts_of(owner), *index.facts_of(container_of(owner)))
    return not any(fact.kind == _AUTHORIZE and _demands(fact) for fact in around)


def _demands(fact: FactRow) -> bool:
    """Whether a route, or a demand, lets in only some."""
    said = fact.detail.get("demand" if fact.kind == _AUTHORIZE else _AUTHORIZE, "")
    return said not in ("", _ANONYMOUS)
