"""Declarations that nothing outside them refers to, with what else the rows know of each.

What counts as a use: any reference but a base-list slot (``override``, ``implementation``), a ``cref`` and an import, made from anywhere
but the declaration itself: recursion, and for a type all that is inside it, does not count. An import uses symbols of
``ImpliedUses.imported_kinds`` alone. A type is used when one of its members is. Uses from test projects do not count for what is declared
elsewhere; ``used_by_tests`` says that there are such.

Invariant: every condition is asked of the database for all candidates at once, driven by the index on targets, so that
the cost is that of the candidates and not of all references.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Boolean, ColumnElement, Connection, and_, exists, func, literal, not_, or_, select, text
from sqlalchemy.orm import aliased

from codemap_core.model import RefKind, SymbolKind, Visibility
from codemap_core.model.documentation_id import is_type_id, type_id
from codemap_core.model.meanings import ImpliedUses
from codemap_core.storage.reading.declared_attributes import STANDS_BEFORE_NAME
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_search import SymbolFilter, matching
from codemap_core.storage.reading.type_symbols import IS_TYPE
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES

_SLOTS: Final = (REF_KIND_CODES[RefKind.OVERRIDE], REF_KIND_CODES[RefKind.IMPLEMENTATION])
_ATTRIBUTE: Final = REF_KIND_CODES[RefKind.ATTRIBUTE]
_IMPORT: Final = REF_KIND_CODES[RefKind.IMPORT]
_NO_USE: Final = (*_SLOTS, REF_KIND_CODES[RefKind.CREF], _IMPORT)
_USE: Final = t.Ref.kind.not_in(_NO_USE)
_PORTION: Final = 500
_Item = TypeVar("_Item")
# Left to itself SQLite reads all rows without a target.
_UNRESOLVED_NAME: Final = text(
    "EXISTS (SELECT 1 FROM strings AS n JOIN refs AS r INDEXED BY ix_refs_to_name ON r.to_name = n.id "
    "WHERE r.to_symbol IS NULL AND n.value = symbols.name)"
)
_UNRESOLVED_MEMBER: Final = text(
    "EXISTS (SELECT 1 FROM symbols AS m JOIN strings AS n ON n.value = m.name "
    "JOIN refs AS r INDEXED BY ix_refs_to_name ON r.to_name = n.id "
    "WHERE r.to_symbol IS NULL AND m.container = symbols.symbol AND m.kind = 'method' AND m.visibility <> 'private')"
)
_UNKNOWN_BASE: Final = text(
    "symbols.symbol IN (WITH RECURSIVE derived(symbol) AS ("
    "SELECT b.from_symbol FROM symbol_ids AS i JOIN relations AS b ON b.to_symbol = i.id WHERE i.symbol_id GLOB '!:*' "
    "UNION SELECT b.from_symbol FROM derived AS d JOIN relations AS b ON b.to_symbol = d.symbol) "
    "SELECT symbol FROM derived)"
)
_NAMES_UNKNOWN_TYPE: Final = exists(
    select(literal(1)).where(
        t.Ref.from_symbol == t.Symbol.symbol, t.Ref.kind == REF_KIND_CODES[RefKind.TYPE], t.Ref.to_symbol.is_(None)
    )
)


class Container(Struct, frozen=True):
    """A type around candidates. ``container`` is its own container's number, or null."""

    number: int
    container: int | None
    kind: SymbolKind
    visibility: Visibility
    modifiers: tuple[str, ...]
    part_count: int
    constructor_count: int
    """Of its instances."""
    is_attributed: bool
    has_layout: bool
    """An attribute says where its fields are in memory."""
    has_library_base: bool
    has_unknown_base: bool
    """Over any number of steps."""
    has_own_base: bool


class UnusedSymbol(Struct, frozen=True, kw_only=True):
    """A candidate. Numbers are the database's own; ``row`` identifies the declaration."""

    row: int
    number: int
    container: int | None
    kind: SymbolKind
    name: str
    symbol_id: str
    visibility: Visibility
    is_static: bool
    modifiers: tuple[str, ...]
    project: str
    """Path of the compiling project, or empty."""
    file_path: str
    language: str
    """Of the file."""
    line: int
    is_generated: bool
    has_condition: bool
    part_count: int
    used_by_tests: bool
    is_attributed: bool
    """It carries an attribute that something other than compilers and tools may act upon."""
    fills_library_slot: bool
    """It overrides or implements a member of a library."""
    fills_own_slot: bool
    """It overrides or implements members of the repository, none of which is used."""
    is_filled: bool
    """Members override or implement it."""
    is_named_unresolved: bool
    """Its name, or that of a method of the type, occurs where it could not be resolved."""
    has_library_base: bool
    """A type that derives from or implements a library's."""
    has_own_base: bool
    has_attributed_member: bool
    names_unknown_type: bool
    """In its signature or body."""

    @property
    def is_type(self) -> bool:
        return is_type_id(self.symbol_id)


class _Facets(Struct, frozen=True):
    """What says of attributes and bases whether they make something used. ``inert``: numbers of the attributes that do not; ``layout``:
    of those that place fields."""

    implied: ImpliedUses
    inert: tuple[int, ...]
    layout: tuple[int, ...]

    @classmethod
    def of(cls, connection: Connection, implied: ImpliedUses) -> Self:
        inert, layout = (
            tuple(_numbers(connection, t.SymbolId.id, t.SymbolId.symbol_id, each))
            for each in (implied.inert_attributes, implied.layout_attributes)
        )
        return cls(implied, inert, layout)


def unused_symbols(
    reader: IndexReader, where: SymbolFilter, test_projects: Collection[str], implied: ImpliedUses
) -> list[UnusedSymbol]:
    """Candidates among the declarations that pass ``where``, by place. ``test_projects``: paths of projects whose uses
    count for themselves alone; ``implied``: what attributes and bases say of use."""
    with reader.streaming() as connection:
        tests = _numbers(connection, t.Project.id, t.Project.project_path, test_projects)
        facets = _Facets.of(connection, implied)
        chosen = matching(connection, where)
        found = [*_members(connection, chosen, tests, facets), *_types(connection, chosen, tests, facets)]
    return sorted(found, key=lambda each: (each.file_path, each.line, each.symbol_id))


def containers(reader: IndexReader, numbers: Iterable[int], implied: ImpliedUses) -> dict[int, Container]:
    """The types of those numbers and the types around them, by number."""
    found: dict[int, Container] = {}
    wanted = set(numbers)
    with reader.streaming() as connection:
        facets = _Facets.of(connection, implied)
        while wanted:
            query = select(
                t.Symbol.symbol,
                t.Symbol.container,
                t.Symbol.kind,
                t.Symbol.visibility,
                t.Symbol.modifiers,
                _part_count(),
                _constructor_count(),
                _attributed(facets.inert),
                _laid_out(facets.layout),
                _based(facets, external=True),
                _UNKNOWN_BASE,
                _based(facets, external=False),
            ).where(t.Symbol.repeated.is_(False))
            for chunk in portions(sorted(wanted)):
                for row in connection.execute(query.where(t.Symbol.symbol.in_(chunk))):
                    number, container, kind, visibility, modifiers, *rest = row
                    each = Container(
                        number, container, SymbolKind(kind), Visibility(visibility), tuple(modifiers.split()), *rest
                    )
                    found.setdefault(number, each)
            around = {each.container for each in found.values() if each.container is not None}
            wanted = around - found.keys()
    return found


def count_matching(reader: IndexReader, where: SymbolFilter) -> int:
    """Declarations that pass a filter."""
    with reader.streaming() as connection:
        query = select(func.count()).select_from(matching(connection, where).subquery())
        return connection.execute(query).scalar_one()


def _members(connection: Connection, chosen: Any, tests: Sequence[int], facets: _Facets) -> Iterator[UnusedSymbol]:
    imported = and_(t.Ref.kind == _IMPORT, t.Symbol.kind.in_(facets.implied.imported_kinds))
    outside = and_(or_(_USE, imported), or_(t.Ref.from_symbol.is_(None), t.Ref.from_symbol != t.Symbol.symbol))
    meant = t.Ref.to_symbol == t.Symbol.symbol
    created = and_(t.Ref.constructor == t.Symbol.symbol, t.Symbol.kind == SymbolKind.CONSTRUCTOR.value)
    is_unused = and_(
        ~exists(select(literal(1)).where(meant, outside, _counts(tests))),
        ~exists(select(literal(1)).where(created, outside, _counts(tests))),
    )
    by_tests = or_(exists(select(literal(1)).where(meant, outside)), exists(select(literal(1)).where(created, outside)))
    query = _candidates(by_tests, facets).where(t.Symbol.id.in_(chosen), not_(IS_TYPE), is_unused)
    yield from _without_used_slots(connection, [_candidate(row) for row in connection.execute(query)])


def _types(connection: Connection, chosen: Any, tests: Sequence[int], facets: _Facets) -> Iterator[UnusedSymbol]:
    """Types that nothing outside names, without those whose members something outside uses."""
    inside = aliased(t.Symbol)
    own = exists(
        select(literal(1))
        .where(inside.symbol == t.Ref.from_symbol, inside.container == t.Symbol.symbol)
        .correlate(t.Ref, t.Symbol)
    )
    outside = and_(
        t.Ref.to_symbol == t.Symbol.symbol,
        _USE,
        or_(t.Ref.from_symbol.is_(None), and_(t.Ref.from_symbol != t.Symbol.symbol, ~own)),
    )
    query = _candidates(exists(select(literal(1)).where(outside)), facets).where(
        t.Symbol.id.in_(chosen),
        IS_TYPE,
        ~exists(select(literal(1)).where(outside, _counts(tests))),
    )
    found = [_candidate(row) for row in connection.execute(query)]
    used = _used_within(connection, [each.number for each in found], tests)
    for each in found:
        by_tests = used.get(each.number)
        if by_tests is None:
            yield each
        elif by_tests:
            yield replace(each, used_by_tests=True)


def _used_within(connection: Connection, types: Sequence[int], tests: Sequence[int]) -> dict[int, bool]:
    """The types with members that something outside the type uses; true where only tests do."""
    inside = _members_within(connection, types)
    tops: dict[int, list[int]] = {}
    for top, members in inside.items():
        for member in members:
            tops.setdefault(member, []).append(top)
    used: dict[int, bool] = {}
    for target in (t.Ref.to_symbol, t.Ref.constructor):
        uses: Any = select(target, t.Ref.from_symbol, t.Ref.project_id).where(_USE).distinct()
        for chunk in portions(sorted(tops)):
            for member, source, project in connection.execute(uses.where(target.in_(chunk))):
                for top in tops[member]:
                    if source != top and source not in inside[top]:
                        used[top] = project in tests and used.get(top, True)
    return used


def _members_within(connection: Connection, types: Sequence[int]) -> dict[int, set[int]]:
    """Everything that is declared inside each type, at any depth."""
    inside: dict[int, set[int]] = {each: set() for each in types}
    frontier: dict[int, set[int]] = {each: {each} for each in types}  # by a type, the candidates it is in
    while frontier:
        reached: dict[int, set[int]] = {}
        query: Any = select(t.Symbol.symbol, t.Symbol.container, IS_TYPE)
        for chunk in portions(sorted(frontier)):
            for member, container, is_type in connection.execute(query.where(t.Symbol.container.in_(chunk))):
                for top in frontier[container]:
                    if member not in inside[top]:
                        inside[top].add(member)
                        if is_type:
                            reached.setdefault(member, set()).add(top)
        frontier = reached
    return inside


def _candidates(by_tests: ColumnElement[bool], facets: _Facets) -> Any:
    return (
        select(
            t.Symbol.id,
            t.Symbol.symbol,
            t.Symbol.container,
            t.Symbol.kind,
            t.Symbol.name,
            t.SymbolId.symbol_id,
            t.Symbol.visibility,
            t.Symbol.is_static,
            t.Symbol.modifiers,
            t.Project.project_path,
            t.File.path,
            t.File.language,
            t.Symbol.name_line,
            t.File.generated,
            t.Symbol.condition.is_not(None),
            _part_count(),
            by_tests,
            _attributed(facets.inert),
            _fills(external=True),
            _fills(external=False),
            exists(select(literal(1)).where(t.Ref.to_symbol == t.Symbol.symbol, t.Ref.kind.in_(_SLOTS))),
            or_(_UNRESOLVED_NAME, _UNRESOLVED_MEMBER),
            _based(facets, external=True),
            _based(facets, external=False),
            _attributed_member(facets.inert),
            _NAMES_UNKNOWN_TYPE,
        )
        .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
        .join(t.File, t.File.id == t.Symbol.file_id)
        .outerjoin(t.Project, t.Project.id == t.Symbol.project_id)
        .where(t.Symbol.repeated.is_(False))
    )


def _candidate(row: Sequence[Any]) -> UnusedSymbol:
    number_row, number, container, kind, name, symbol_id, visibility, static, modifiers, project, *further = row
    path, language, line, generated, condition, parts, *rest = further
    tests, attributed, library_slot, own_slot, filled, unresolved, library_base, own_base, member, unknown = map(
        bool, rest
    )
    return UnusedSymbol(
        row=number_row,
        number=number,
        container=container,
        kind=SymbolKind(kind),
        name=name,
        symbol_id=symbol_id,
        visibility=Visibility(visibility),
        is_static=static,
        modifiers=tuple(modifiers.split()),
        project=project or "",
        file_path=path,
        language=language,
        line=line,
        is_generated=generated,
        has_condition=bool(condition),
        part_count=parts,
        used_by_tests=tests,
        is_attributed=attributed,
        fills_library_slot=library_slot,
        fills_own_slot=own_slot,
        is_filled=filled,
        is_named_unresolved=unresolved,
        has_library_base=library_base,
        has_own_base=own_base,
        has_attributed_member=member,
        names_unknown_type=unknown,
    )


def _without_used_slots(connection: Connection, found: Sequence[UnusedSymbol]) -> Iterator[UnusedSymbol]:
    """Those that do not override or implement something that is used, over any number of steps."""
    slots: dict[int, set[int]] = {each.number: {each.number} for each in found if each.fills_own_slot}
    frontier = {each: {each} for each in slots}  # by a slot, the candidates that fill it
    used: set[int] = set()
    edges: Any = select(t.Ref.from_symbol, t.Ref.to_symbol, t.Ref.external).where(t.Ref.kind.in_(_SLOTS))
    uses: Any = select(t.Ref.to_symbol).where(_USE).distinct()
    while frontier:
        reached: dict[int, set[int]] = {}
        for chunk in portions(sorted(frontier)):
            for source, target, external in connection.execute(edges.where(t.Ref.from_symbol.in_(chunk)).distinct()):
                if external:
                    used.update(frontier[source])
                for filler in frontier[source]:
                    if target not in slots[filler]:
                        slots[filler].add(target)
                        reached.setdefault(target, set()).add(filler)
        for chunk in portions(sorted(reached)):
            for target in connection.execute(uses.where(t.Ref.to_symbol.in_(chunk))).scalars():
                used.update(reached[target])
        frontier = reached
    for each in found:
        if each.number not in used or each.fills_library_slot:
            yield each


def _counts(tests: Sequence[int]) -> ColumnElement[bool]:
    """A use counts: it is made by production code, or by tests of something that tests declare."""
    if not tests:
        return literal(True)
    return or_(t.Ref.project_id.is_(None), t.Ref.project_id.not_in(tests), t.Symbol.project_id.in_(tests))


def _attributed(inert: Sequence[int]) -> ColumnElement[bool]:
    return exists(
        select(literal(1)).where(
            t.Ref.from_symbol == t.Symbol.symbol,
            t.Ref.kind == _ATTRIBUTE,
            or_(t.Ref.to_symbol.is_(None), t.Ref.to_symbol.not_in(inert)),
            STANDS_BEFORE_NAME,
        )
    )


def _laid_out(attributes: Sequence[int]) -> ColumnElement[bool]:
    return exists(
        select(literal(1)).where(
            t.Ref.from_symbol == t.Symbol.symbol, t.Ref.kind == _ATTRIBUTE, t.Ref.to_symbol.in_(attributes)
        )
    )


def _attributed_member(inert: Sequence[int]) -> ColumnElement[bool]:
    member = aliased(t.Symbol)
    return exists(
        select(literal(1)).where(
            member.container == t.Symbol.symbol,
            t.Ref.from_symbol == member.symbol,
            t.Ref.kind == _ATTRIBUTE,
            or_(t.Ref.to_symbol.is_(None), t.Ref.to_symbol.not_in(inert)),
        )
    )


def _fills(*, external: bool) -> ColumnElement[bool]:
    return exists(
        select(literal(1)).where(
            t.Ref.from_symbol == t.Symbol.symbol, t.Ref.kind.in_(_SLOTS), t.Ref.external.is_(external)
        )
    )


def _based(facets: _Facets, *, external: bool) -> ColumnElement[bool]:
    """A base list names such a type, other than those whose descendants are created by name."""
    base = t.SymbolId.symbol_id
    inert = [
        and_(_like(base, type_id(f"{each}.*")), not_(_like(base, type_id(f"{each}.*.*"))))
        for each in facets.implied.created_by_name
    ]
    inert += [_like(base, type_id(f"{each}.*")) for each in facets.implied.created_by_name_below]
    return exists(
        select(literal(1))
        .where(
            t.Relation.from_symbol == t.Symbol.symbol,
            t.Relation.external.is_(external),
            t.SymbolId.id == t.Relation.to_symbol,
            not_(or_(literal(False), *inert)),
        )
        .correlate(t.Symbol)
    )


def _like(text_column: Any, pattern: str) -> ColumnElement[bool]:
    return func.glob(pattern, text_column, type_=Boolean)


def _constructor_count() -> ColumnElement[int]:
    member = aliased(t.Symbol)
    query = select(func.count()).where(
        member.container == t.Symbol.symbol,
        member.kind == SymbolKind.CONSTRUCTOR.value,
        member.is_static.is_(False),
        member.repeated.is_(False),
    )
    return query.scalar_subquery()


def _part_count() -> ColumnElement[int]:
    query = select(1 + func.count()).where(t.SymbolPart.symbol_row == t.Symbol.id)
    return query.scalar_subquery()


def _numbers(connection: Connection, number: Any, key: Any, values: Collection[str]) -> list[int]:
    found: list[int] = []
    for chunk in portions(sorted(values)):
        found.extend(connection.execute(select(number).where(key.in_(chunk))).scalars())
    return found


def portions(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """As many as one statement is asked for at once."""
    for start in range(0, len(items), _PORTION):
        yield items[start : start + _PORTION]
