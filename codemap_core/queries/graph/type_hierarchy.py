"""A type's bases and interfaces, and the types that derive from or implement it, over any number of levels; likewise the slots of a
member: the members that it overrides and implements, and those that override or implement it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from codemap_core.model import RelationKind
from codemap_core.model.documentation_id import IdPart, parse_id, readable_name
from codemap_core.model.library_symbol import kind_of
from codemap_core.queries.dispatch.member_slots import fillers_of_all, slots_of_all
from codemap_core.queries.names.declaring_projects import Standpoint, nearest_declarations
from codemap_core.queries.names.symbol_targets import Target
from codemap_core.queries.names.type_spelling import parse_types
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.hierarchy import MemberHierarchyResponse, TypeHierarchyResponse, TypeRef
from codemap_core.storage.reading.type_relations import BaseOf

_SPELLING_SHOWN: Final = 10
"""Types shown whose base lists spell the asked one without meaning it for certain."""


class _Reached(NamedTuple):
    """``through``: what it was reached from; null at the first level."""

    depth: int
    through: int | None
    written: str
    """What the type's own base list names, as it does; empty for all else."""
    kind: RelationKind


def get_hierarchy(
    snapshot: Snapshot, target: Target, depth: int = 1, limit: int = 100, offset: int = 0
) -> TypeHierarchyResponse:
    """Relations of a type: all above it, and ``depth`` levels of the types here that derive from it, 0 for all. What lies between
    types of libraries is known where their metadata was at hand. Of a mere name, the types whose base lists have it count as derived."""
    edges = snapshot.reader.edges
    root = edges.numbers_of([target.symbol_id]).get(target.symbol_id, 0)
    above = _above(snapshot, root)
    named = _unresolved(snapshot, target, ()) if target.is_name_alone else {}
    below = _below(snapshot, root, named)
    ids = edges.ids_of({*above, *below, *(each.through or root for each in (*above.values(), *below.values()))})
    direct = sum(each.depth == 1 for each in below.values())
    unresolved = {} if target.is_name_alone else _unresolved(snapshot, target, below)
    spelling = sorted(snapshot.reader.edges.ids_of(unresolved).items(), key=lambda each: each[1])[:_SPELLING_SHOWN]
    wanted = {number: each for number, each in below.items() if not depth or each.depth <= depth}
    page = _ordered(snapshot, wanted, ids)[offset : offset + limit]
    universal = snapshot.meanings.universal_types
    bases = [each for each in _nearest_first(above, ids) if ids[each] not in universal]
    refs = _refs(snapshot, [*page, *bases], {**above, **below}, ids, target)
    base_types = [each for each in bases if above[each].depth == 1 and above[each].kind is RelationKind.BASE_TYPE]
    interfaces = [each for each in bases if above[each].depth == 1 and above[each].kind is RelationKind.INTERFACE]
    return TypeHierarchyResponse(
        target_type=target.symbol_id,
        file_path=None if target.symbol is None else target.symbol.file_path,
        base_type=refs[base_types[0]] if base_types else None,
        interfaces=tuple(refs[each] for each in interfaces),
        derived_types=tuple(refs[each] for each in page),
        derived_count=direct,
        indirect_derived_count=len(below) - direct,
        total_count=len(wanted),
        inherited=tuple(refs[each] for each in bases if above[each].depth > 1),
        unresolved_count=len(unresolved),
        unresolved_types=tuple(
            _refs(snapshot, [number for number, _ in spelling], unresolved, dict(spelling), target).values()
        ),
        truncated=offset + len(page) < len(wanted),
        external=target.is_external,
    )


def _unresolved(snapshot: Snapshot, target: Target, derived: Collection[int]) -> dict[int, _Reached]:
    """The types whose base lists spell the target, where it could not be resolved what they mean."""
    asked = parse_id(target.symbol_id).parts[-1]
    return {
        each.derived: _Reached(1, None, "", RelationKind.BASE_TYPE)
        for each in snapshot.reader.unknown_bases()
        if asked.name in each.written and each.derived not in derived and _spells(each.written, asked)
    }


def _spells(written: str, asked: IdPart) -> bool:
    """Whether a type text ends in this simple name with as many type arguments."""
    types = parse_types(written)
    if types is None or len(types) != 1:
        return False
    last = types[0].parts[-1]
    return last.name == asked.name and len(last.arguments) == asked.arity


def get_member_hierarchy(
    snapshot: Snapshot, target: Target, limit: int = 100, offset: int = 0
) -> MemberHierarchyResponse:
    """What implements or overrides a member, and what it implements or overrides, over all steps; of several overloads together."""
    edges = snapshot.reader.edges
    roots = list(edges.numbers_of(target.symbol_ids).values())
    slots = {each: None for found in slots_of_all(edges, roots).values() for each in found}
    fillers = {each: None for found in fillers_of_all(edges, roots).values() for each in found}
    ids = edges.ids_of({*slots, *fillers})
    reached = {each: _Reached(1, None, "", RelationKind.INTERFACE) for each in (*slots, *fillers)}
    page = _ordered(snapshot, {each: reached[each] for each in fillers}, ids)[offset : offset + limit]
    refs = _refs(snapshot, [*slots, *page], reached, ids, target)
    return MemberHierarchyResponse(
        target_member=target.symbol_id,
        file_path=None if target.symbol is None else target.symbol.file_path,
        slots=tuple(refs[each] for each in slots),
        fillers=tuple(refs[each] for each in page),
        total_count=len(fillers),
        truncated=offset + len(page) < len(fillers),
        external=target.is_external,
    )


def _above(snapshot: Snapshot, root: int) -> dict[int, _Reached]:
    found: dict[int, _Reached] = {}
    frontier: Collection[int] = [root]
    depth = 0
    while frontier:
        depth += 1
        rows = _by_id(snapshot, snapshot.reader.bases(frontier))
        steps = [(row.base, row.derived, row.display_name if depth == 1 else "", row.kind) for row in rows]
        frontier = _reach(found, steps, root, depth)
    return found


def _below(snapshot: Snapshot, root: int, named: Mapping[int, _Reached]) -> dict[int, _Reached]:
    """Declared types alone; ``named``: those of the first level of a mere name. Types of libraries in between are not steps of their own:
    who derives from ``Controller`` derives directly from what that derives from, as far as this repository goes."""
    found = dict(named)
    libraries: set[int] = set()
    frontier: Collection[int] = named or [root]
    depth = 1 if named else 0
    while frontier:
        depth += 1
        reached: dict[int, None] = {}
        while frontier:
            rows = [row for row in snapshot.reader.derived(frontier) if row.derived not in libraries]
            declared = snapshot.reader.declared_names({row.derived for row in rows})
            steps = [(row.derived, row.base, "", row.kind) for row in _by_id(snapshot, rows) if row.derived in declared]
            reached.update(dict.fromkeys(_reach(found, steps, root, depth)))
            frontier = {row.derived for row in rows}.difference(declared)
            libraries.update(frontier)
        frontier = reached
    return found


def _by_id(snapshot: Snapshot, rows: Sequence[BaseOf]) -> list[BaseOf]:
    ids = snapshot.reader.edges.ids_of({number for row in rows for number in (row.derived, row.base)})
    return sorted(rows, key=lambda row: (row.kind, ids[row.derived], ids[row.base], row.display_name))


def _reach(
    found: dict[int, _Reached], steps: Sequence[tuple[int, int, str, RelationKind]], root: int, depth: int
) -> Collection[int]:
    """Adds what is new; answers with it."""
    new: dict[int, None] = {}
    for far, near, written, kind in steps:
        if far != root and far not in found:
            found[far] = _Reached(depth, None if near == root else near, written, kind)
            new[far] = None
    return new


def _ordered(snapshot: Snapshot, wanted: Mapping[int, _Reached], ids: Mapping[int, str]) -> list[int]:
    tests = snapshot.reader.edges.test_projects
    declared = snapshot.reader.declared_names(wanted)
    in_tests = {number for number, each in declared.items() if each.project_id in tests}

    def order(number: int) -> tuple[int, bool, str, str]:
        through = wanted[number].through
        return wanted[number].depth, number in in_tests, "" if through is None else ids[through], ids[number]

    return sorted(wanted, key=order)


def _nearest_first(above: Mapping[int, _Reached], ids: Mapping[int, str]) -> list[int]:
    """Classes before interfaces; interfaces of one level by id."""
    return sorted(above, key=lambda each: (above[each].kind, above[each].depth, ids[each]))


def _refs(
    snapshot: Snapshot,
    numbers: Collection[int],
    reached: Mapping[int, _Reached],
    ids: Mapping[int, str],
    target: Target,
) -> dict[int, TypeRef]:
    """As they are declared where ``target`` is."""
    seen_from = None if target.symbol is None else Standpoint.of(target.symbol)
    symbols = nearest_declarations(snapshot, {ids[each]: seen_from for each in numbers})
    libraries = snapshot.reader.library_symbols(ids[each] for each in numbers if ids[each] not in symbols)
    tests = set(snapshot.reader.edges.test_projects.values())
    found: dict[int, TypeRef] = {}
    for number in numbers:
        symbol_id, step = ids[number], reached[number]
        symbol = symbols.get(symbol_id)
        through = None if step.through is None else ids[step.through]
        if symbol is None:
            library = libraries.get(symbol_id)
            found[number] = TypeRef(
                symbol_id=symbol_id,
                display_name=step.written or (library.fully_qualified_name if library else readable_name(symbol_id)),
                external=True,
                kind=kind_of(symbol_id) if library is None else library.kind,
                depth=step.depth,
                through=through,
            )
            continue
        found[number] = TypeRef(
            symbol_id=symbol_id,
            display_name=step.written or symbol.fully_qualified_name,
            kind=symbol.kind,
            file_path=symbol.file_path,
            line=symbol.name_line,
            depth=step.depth,
            through=through,
            test=symbol.project in tests,
        )
    return found
