"""References of one symbol, counted, filtered and paged; edges between symbols.

Order: by file, line, column, kind, then by the enclosing symbol. A constructor is meant by rows whose target it is and by
those that name it beside the type they create. Invariant: rows are sorted and cut before their texts are joined, so that a page of a
target with many references costs no more than the sorting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct, structs
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    text,
    union_all,
)

from codemap_core.model import Confidence, ReferenceRow, RefKind, UnresolvedReason
from codemap_core.model.documentation_id import is_constructor_id
from codemap_core.storage.reading import row_decoder
from codemap_core.storage.reading.prepared import Prepared, Row, given, parameter
from codemap_core.storage.reading.symbol_rows import NUMBER
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import CONFIDENCES, REF_KIND_CODES, REF_KINDS

_FROM_ORDER: Final = select(t.SymbolId.symbol_id).where(t.SymbolId.id == t.Ref.from_symbol).scalar_subquery()
# Left to itself SQLite reads all rows without a target.
_UNRESOLVED_OF_NAMES: Final = text(
    "SELECT id FROM refs INDEXED BY ix_refs_to_name WHERE to_symbol IS NULL "
    "AND to_name IN (SELECT id FROM strings WHERE value IN (SELECT value FROM json_each(:names)))"
).bindparams(parameter("names"))
# Not by the index on files, which would be the wrong one for most symbols.
_IN_FILES: Final = (t.Ref.file_id + 0).in_(given("file_ids"))


_HINTED: Final = or_(
    t.Ref.to_container_hint.is_(None),
    t.Ref.to_container_hint.in_(select(t.String.id).where(t.String.value.in_(given("hints")))),
)
_UNDECIDED: Final = t.Ref.reason.in_(
    select(t.String.id).where(t.String.value == UnresolvedReason.SEVERAL_OVERLOADS_FIT.value)
)
_NOT_OF_OTHERS: Final = or_(
    t.Ref.reason.is_(None),
    ~_UNDECIDED,
    t.Ref.to_container_hint.is_(None),
    t.Ref.to_container_hint.not_in(select(t.String.id).where(t.String.value.in_(given("others")))),
)
_NUMBERS: Final = select(t.SymbolId.id).where(t.SymbolId.symbol_id.in_(given("symbol_ids")))
_DECLARED_AFTER: Final = Prepared(
    select(t.SymbolId.symbol_id)
    .join(t.Symbol, t.Symbol.symbol == t.SymbolId.id)
    .join(t.File, t.File.id == t.Symbol.file_id)
    .where(t.File.path == parameter("path"), t.Symbol.span_start > parameter("line"))
    .order_by(t.Symbol.span_start, t.Symbol.span_end.desc(), t.SymbolId.symbol_id)
    .limit(1)
)
_PLACE: Final = (t.File.path, t.Ref.line, t.Ref.column, t.Ref.kind, _FROM_ORDER)
_NUMBERED: Final = Prepared(row_decoder.REFERENCES.where(t.Ref.id.in_(given("numbers"))).order_by(*_PLACE))


class EdgeRow(Struct, frozen=True, kw_only=True):
    """``from_symbol`` refers to ``to_symbol``: the first place that does, and how many do. Of a creation ``to_symbol`` is the constructor
    where that has a declaration, else the type."""

    from_symbol: str
    to_symbol: str
    kind: RefKind
    file_path: str
    line: int
    column: int
    confidence: Confidence
    external: bool
    count: int


class Meaning(Struct, frozen=True):
    """The references to look up: those whose target is one of ``symbol_ids``, and those without a target whose name is one of
    ``names``; in projects of these paths, in all where none is given. ``hints``: what the latter may say of their container, where they say
    anything; everything where none is given. ``others``: types whose own overloads are meant by those of which several fit."""

    symbol_ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class ReferenceCount(Struct, frozen=True):
    """References of one kind in one file for one project, or of one enclosing symbol."""

    file_id: int
    project_id: int | None
    kind: RefKind
    count: int


class _Shape(Struct, frozen=True):
    """What a ``Meaning`` asks about, which decides how its statement is written."""

    has_ids: bool
    has_constructors: bool
    has_names: bool
    has_projects: bool
    has_hints: bool
    has_others: bool

    @classmethod
    def of(cls, asked: Meaning) -> _Shape:
        constructors = any(map(is_constructor_id, asked.symbol_ids))
        return cls(
            bool(asked.symbol_ids),
            constructors,
            bool(asked.names),
            bool(asked.projects),
            bool(asked.hints),
            bool(asked.others),
        )

    def condition(self) -> ColumnElement[bool]:
        conditions: list[ColumnElement[bool]] = []
        if self.has_ids:
            conditions.append(t.Ref.to_symbol.in_(_NUMBERS))
        if self.has_constructors:
            conditions.append(t.Ref.constructor.in_(_NUMBERS))
        if self.has_names:
            rows = _UNRESOLVED_OF_NAMES.columns(t.Ref.id).subquery()
            named = t.Ref.id.in_(select(rows.c.id))
            hinted = (_HINTED,) if self.has_hints else ()
            others = (_NOT_OF_OTHERS,) if self.has_others else ()
            conditions.append(and_(named, *hinted, *others))
        condition = or_(false(), *conditions)
        if self.has_projects:
            projects = select(t.Project.id).where(t.Project.project_path.in_(given("projects")))
            condition &= t.Ref.project_id.in_(projects)
        return condition


def _values(asked: Meaning) -> dict[str, list[str]]:
    return {name: list(each) for name, each in structs.asdict(asked).items() if each}


def page(
    connection: Connection, asked: Meaning, kinds: Sequence[RefKind], limit: int, offset: int
) -> tuple[ReferenceRow, ...]:
    numbers = _page(_Shape.of(asked), tuple(kinds)).rows(connection, **_values(asked), limit=limit, offset=offset)
    return _numbered(connection, numbers)


def page_from(connection: Connection, symbol_id: str, kinds: Sequence[RefKind], limit: int) -> tuple[ReferenceRow, ...]:
    """The first of those inside a symbol."""
    return _numbered(connection, _page(None, tuple(kinds)).rows(connection, symbol_id=symbol_id, limit=limit, offset=0))


@lru_cache(maxsize=64)
def _page(shape: _Shape | None, kinds: tuple[RefKind, ...]) -> Prepared:
    """Numbers of rows; those inside a symbol without a ``shape``."""
    condition = t.Ref.from_symbol == NUMBER if shape is None else shape.condition()
    wanted = select(t.Ref.id).join(t.File, t.File.id == t.Ref.file_id).where(condition, *_of_kinds(kinds))
    return Prepared(wanted.order_by(*_PLACE).limit(parameter("limit")).offset(parameter("offset")))


def _numbered(connection: Connection, numbers: Sequence[Row]) -> tuple[ReferenceRow, ...]:
    rows = _NUMBERED.rows(connection, numbers=[number for (number,) in numbers]) if numbers else ()
    return tuple(map(row_decoder.reference, rows))


def count(connection: Connection, asked: Meaning) -> tuple[ReferenceCount, ...]:
    """In no order."""
    return tuple(
        ReferenceCount(file_id, project_id, REF_KINDS[kind], found)
        for file_id, project_id, kind, found in _count(_Shape.of(asked)).rows(connection, **_values(asked))
    )


@lru_cache(maxsize=64)
def _count(shape: _Shape) -> Prepared:
    columns = (t.Ref.file_id, t.Ref.project_id, t.Ref.kind)
    return Prepared(select(*columns, func.count()).where(shape.condition()).group_by(*columns))


def undecided_receivers(connection: Connection, name: str) -> tuple[str, ...]:
    """Simple names of the types on which a method of a name is called so that several overloads fit. In order."""
    return tuple(receiver for (receiver,) in _UNDECIDED_RECEIVERS.rows(connection, names=[name]))


_RECEIVER: Final = t.String.__table__.alias("receiver")
_UNDECIDED_RECEIVERS: Final = Prepared(
    select(_RECEIVER.c.value)
    .distinct()
    .select_from(t.Ref)
    .join(_RECEIVER, _RECEIVER.c.id == t.Ref.to_container_hint)
    .where(t.Ref.id.in_(select(_UNRESOLVED_OF_NAMES.columns(t.Ref.id).subquery().c.id)), _UNDECIDED)
    .order_by(_RECEIVER.c.value)
)


def count_by_member(
    connection: Connection, asked: Meaning, kinds: Sequence[RefKind], file_ids: Sequence[int]
) -> tuple[tuple[str | None, ReferenceCount], ...]:
    """By the enclosing symbol; null for none. In no order."""
    query = _count_by_member(_Shape.of(asked), tuple(kinds))
    return tuple(
        (symbol_id, ReferenceCount(file_id, project_id, REF_KINDS[kind], found))
        for symbol_id, _, file_id, project_id, kind, found in query.rows(
            connection, **_values(asked), file_ids=list(file_ids)
        )
    )


@lru_cache(maxsize=64)
def _count_by_member(shape: _Shape, kinds: tuple[RefKind, ...]) -> Prepared:
    columns = (t.Ref.from_symbol, t.Ref.file_id, t.Ref.project_id, t.Ref.kind)
    counted = (
        select(*columns, func.count().label("found"))
        .where(shape.condition(), *_of_kinds(kinds), _IN_FILES)
        .group_by(*columns)
        .subquery()
    )
    query = select(t.SymbolId.symbol_id, counted).outerjoin(t.SymbolId, t.SymbolId.id == counted.c.from_symbol)
    return Prepared(query.select_from(counted))


def rows_in_files(
    connection: Connection, asked: Meaning, kinds: Sequence[RefKind], file_ids: Sequence[int]
) -> tuple[ReferenceRow, ...]:
    """All rows that stand in some files, in no order."""
    query = _rows_in_files(_Shape.of(asked), tuple(kinds))
    rows = query.rows(connection, **_values(asked), file_ids=list(file_ids))
    return tuple(map(row_decoder.reference, rows))


@lru_cache(maxsize=64)
def _rows_in_files(shape: _Shape, kinds: tuple[RefKind, ...]) -> Prepared:
    return Prepared(row_decoder.REFERENCES.where(shape.condition(), *_of_kinds(kinds), _IN_FILES))


def declared_after(connection: Connection, file_path: str, line: int) -> str | None:
    """The first symbol of a file that is declared behind a line: what a documentation comment on that line is about."""
    rows = _DECLARED_AFTER.rows(connection, path=file_path, line=line)
    return rows[0][0] if rows else None


class UnresolvedCount(Struct, frozen=True):
    """The unresolved references of an index. ``by_reason``: those in files that projects compile, most frequent reasons first, of
    ``reference_count`` references there. ``left_out``: those in the ``left_out_files`` that no project compiles, such as templates and
    snapshots. Where no project compiles anything, all files count alike, and none is left out."""

    by_reason: dict[str, int]
    reference_count: int
    left_out: int = 0
    left_out_files: int = 0

    @property
    def total(self) -> int:
        """In files that projects compile."""
        return sum(self.by_reason.values())


def count_unresolved(connection: Connection, reference_count: int) -> UnresolvedCount:
    """``reference_count``: of the whole index."""
    ((not_compiled,),) = _IN_FILES_LEFT_OUT.rows(connection)
    has_compiled = not_compiled < reference_count
    by_reason: Counter[str] = Counter()
    left_out = 0
    for reason, is_left_out, count in _BY_REASON.rows(connection):
        if is_left_out and has_compiled:
            left_out += count
        else:
            by_reason[reason or ""] += count
    ordered = dict(sorted(by_reason.items(), key=lambda each: (-each[1], each[0])))
    if not left_out:
        return UnresolvedCount(ordered, reference_count - not_compiled * has_compiled)
    ((files,),) = _FILES_LEFT_OUT.rows(connection)
    return UnresolvedCount(ordered, reference_count - not_compiled, left_out, files)


_BY_REASON: Final = Prepared(
    select(row_decoder.REASON.value, t.Ref.project_id.is_(None), func.count())
    .select_from(t.Ref)
    .outerjoin(row_decoder.REASON, row_decoder.REASON.id == t.Ref.reason)
    .where(t.Ref.to_symbol.is_(None))
    .group_by(row_decoder.REASON.value, t.Ref.project_id.is_(None))
)
_FILES_LEFT_OUT: Final = Prepared(
    select(func.count(func.distinct(t.Ref.file_id))).where(t.Ref.to_symbol.is_(None), t.Ref.project_id.is_(None))
)
_IN_FILES_LEFT_OUT: Final = Prepared(
    select(func.count()).where(
        t.Ref.file_id.in_(select(t.File.id).where(t.File.id.not_in(select(t.FileProject.file_id))))
    )
)
"""All references there: of ``files`` first, since most references are not."""


def edges_to(connection: Connection, symbol_ids: Sequence[str], kinds: Sequence[RefKind]) -> tuple[EdgeRow, ...]:
    """From every symbol that refers to one of ``symbol_ids``, constructors by what they create. By place."""
    return _edge_rows(_edges_to(tuple(kinds)).rows(connection, symbol_ids=list(symbol_ids)))


@lru_cache(maxsize=64)
def _edges_to(kinds: tuple[RefKind, ...]) -> Prepared:
    direct = _edges(t.Ref.to_symbol, kinds).where(t.Ref.to_symbol.in_(_NUMBERS))
    creating = _edges(t.Ref.constructor, kinds).where(t.Ref.constructor.in_(_NUMBERS))
    return _first_places(union_all(direct, creating))


def edges_from(connection: Connection, symbol_ids: Sequence[str], kinds: Sequence[RefKind]) -> tuple[EdgeRow, ...]:
    """From each of ``symbol_ids`` to what it refers to. By place."""
    return _edge_rows(_edges_from(tuple(kinds)).rows(connection, symbol_ids=list(symbol_ids)))


@lru_cache(maxsize=64)
def _edges_from(kinds: tuple[RefKind, ...]) -> Prepared:
    declared = exists(select(literal(1)).where(t.Symbol.symbol == t.Ref.constructor))
    target = case((declared, t.Ref.constructor), else_=t.Ref.to_symbol)
    return _first_places(_edges(target, kinds).where(t.Ref.from_symbol.in_(_NUMBERS), t.Ref.to_symbol.is_not(None)))


def _of_kinds(kinds: Sequence[RefKind]) -> tuple[ColumnElement[bool], ...]:
    return (t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in kinds]),) if kinds else ()


def _edges(target: Any, kinds: Sequence[RefKind]) -> Select[Any]:
    return select(
        t.Ref.from_symbol.label("source"),
        target.label("target"),
        t.Ref.kind,
        t.Ref.file_id,
        t.Ref.line,
        t.Ref.column,
        t.Ref.confidence,
        t.Ref.external,
    ).where(t.Ref.from_symbol.is_not(None), *_of_kinds(kinds))


def _first_places(edges: Any) -> Prepared:
    rows = edges.subquery()
    pair = (rows.c.source, rows.c.target)
    ranked = (
        select(
            rows,
            t.File.path,
            func.row_number()
            .over(partition_by=pair, order_by=(t.File.path, rows.c.line, rows.c.column, rows.c.kind))
            .label("nth"),
            func.count().over(partition_by=pair).label("count"),
        )
        .join(t.File, t.File.id == rows.c.file_id)
        .subquery()
    )
    query = (
        select(
            row_decoder.FROM_ID.symbol_id,
            row_decoder.TO_ID.symbol_id,
            ranked.c.kind,
            ranked.c.path,
            ranked.c.line,
            ranked.c.column,
            ranked.c.confidence,
            ranked.c.external,
            ranked.c.count,
        )
        .join(row_decoder.FROM_ID, row_decoder.FROM_ID.id == ranked.c.source)
        .join(row_decoder.TO_ID, row_decoder.TO_ID.id == ranked.c.target)
        .where(ranked.c.nth == 1)
        .order_by(
            ranked.c.path,
            ranked.c.line,
            ranked.c.column,
            row_decoder.FROM_ID.symbol_id,
            row_decoder.TO_ID.symbol_id,
        )
    )
    return Prepared(query)


def _edge_rows(rows: Sequence[Row]) -> tuple[EdgeRow, ...]:
    return tuple(
        EdgeRow(
            from_symbol=source,
            to_symbol=target,
            kind=REF_KINDS[kind],
            file_path=path,
            line=line,
            column=column,
            confidence=CONFIDENCES[confidence],
            external=bool(external),
            count=count,
        )
        for source, target, kind, path, line, column, confidence, external, count in rows
    )
