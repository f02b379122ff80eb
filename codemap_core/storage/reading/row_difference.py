"""The exact difference of two indexes, document by document: which rows the newer one lost and which it gained.

Rows are compared as they are stored, with the numbers of the older index translated into those of the newer one, so that a document
whose rows are the same in both is passed over without joining a text; only rows that differ become structs. Invariants: applied to the
rows of the older index, the differences of all documents give the rows of the newer one (``dump_difference``); one document is held at
a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, select

from codemap_core.model import DocumentRow, FactRow, Project, ReferenceRow, RelationRow, SymbolRow
from codemap_core.storage.reading import row_decoder, symbol_rows
from codemap_core.storage.reading.prepared import Prepared, Row, given, parameter
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.stored_fields import Form, stored_fields

_Row = TypeVar("_Row")
_Stored = tuple[Any, ...]


class Changed(Struct, Generic[_Row], frozen=True):
    """``removed``: rows that only the older index has; ``added``: rows that only the newer one has. Both in stored order."""

    removed: tuple[_Row, ...] = ()
    added: tuple[_Row, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)


class DocumentDifference(Struct, frozen=True, kw_only=True):
    """One document whose rows or whose content differ. ``old`` or ``new`` is null where that index does not have the document."""

    file_path: str
    old: DocumentRow | None
    new: DocumentRow | None
    symbols: Changed[SymbolRow] = Changed()
    references: Changed[ReferenceRow] = Changed()
    relations: Changed[RelationRow] = Changed()
    facts: Changed[FactRow] = Changed()


def document_differences(old: IndexReader, new: IndexReader) -> Iterator[DocumentDifference]:
    """In path order; documents that are the same in both are left out."""
    before = {each.file_path: each for each in old.documents()}
    after = {each.file_path: each for each in new.documents()}
    with old.streaming() as left, new.streaming() as right:
        numbers = _Numbers(left, right)
        for path in sorted(before.keys() | after.keys()):
            sides = _Sides(left, right, numbers, path)
            found = DocumentDifference(
                file_path=path,
                old=before.get(path),
                new=after.get(path),
                symbols=sides.changed(_SYMBOLS),
                references=sides.changed(_REFERENCES),
                relations=sides.changed(_RELATIONS),
                facts=sides.changed(_FACTS),
            )
            if found.old != found.new or any((found.symbols, found.references, found.relations, found.facts)):
                yield found


def project_differences(old: IndexReader, new: IndexReader) -> Changed[Project]:
    """Projects that are not evaluated alike in both, by path."""
    before, after = old.projects(), new.projects()
    return Changed(
        tuple(each for each in before if each not in after), tuple(each for each in after if each not in before)
    )


class _Numbers:
    """What the numbers of the older index are in the newer one; negative where it has no such text."""

    def __init__(self, old: Connection, new: Connection) -> None:
        self.of_symbols: Final = _translation(_IDS.rows(old), _IDS.rows(new))
        self.of_strings: Final = _translation(_TEXTS.rows(old), _TEXTS.rows(new))
        self.of_projects: Final = _translation(_PROJECTS.rows(old), _PROJECTS.rows(new))
        old_files, new_files = _PATHS.rows(old), _PATHS.rows(new)
        self.of_files: Final = _translation(old_files, new_files)
        self.old_files: Final = {path: number for number, path in old_files}
        self.new_files: Final = {path: number for number, path in new_files}


def _translation(old: Sequence[Row], new: Sequence[Row]) -> dict[int | None, int | None]:
    known = {text: number for number, text in new}
    translated: dict[int | None, int | None] = {number: known.get(text, -number) for number, text in old}
    translated[None] = None
    return translated


class _Kind(Struct, Generic[_Row], frozen=True):
    """One kind of rows. ``stored``: number, then every column that says something, of one file. ``symbols`` and so on: the positions of
    columns that hold numbers of those tables."""

    stored: Prepared
    read: Callable[[Connection, list[int]], tuple[_Row, ...]]
    symbols: tuple[int, ...]
    projects: tuple[int, ...]
    strings: tuple[int, ...] = ()
    has_parts: bool = False


class _Sides:
    """One document in both indexes."""

    def __init__(self, old: Connection, new: Connection, numbers: _Numbers, path: str) -> None:
        self._old: Final = old
        self._new: Final = new
        self._numbers: Final = numbers
        self._old_file: Final = numbers.old_files.get(path)
        self._new_file: Final = numbers.new_files.get(path)

    def changed(self, kind: _Kind[_Row]) -> Changed[_Row]:
        before = self._stored(kind, self._old, self._old_file)
        after = self._stored(kind, self._new, self._new_file)
        translated = [(row[0], self._translate(kind, row[1:])) for row in before]
        if [row for _, row in translated] == [row[1:] for row in after]:
            return Changed()
        removed, added = _without_common(translated, [(row[0], row[1:]) for row in after])
        return Changed(kind.read(self._old, removed) if removed else (), kind.read(self._new, added) if added else ())

    def _stored(self, kind: _Kind[_Row], connection: Connection, file_id: int | None) -> list[_Stored]:
        if file_id is None:
            return []
        rows = kind.stored.rows(connection, file_id=file_id)
        if not kind.has_parts:
            return rows
        files = self._numbers.of_files if connection is self._old else None
        parts: dict[int, list[_Stored]] = {}
        for owner, file, *span in _PARTS.rows(connection, file_id=file_id):
            parts.setdefault(owner, []).append((files[file] if files is not None else file, *span))
        return [(*row, tuple(parts.get(row[0], ()))) for row in rows]

    def _translate(self, kind: _Kind[_Row], row: _Stored) -> _Stored:
        translated = list(row)
        for positions, numbers in (
            (kind.symbols, self._numbers.of_symbols),
            (kind.strings, self._numbers.of_strings),
            (kind.projects, self._numbers.of_projects),
        ):
            for position in positions:
                translated[position] = numbers[row[position]]
        return tuple(translated)


def _without_common(
    before: Sequence[tuple[int, _Stored]], after: Sequence[tuple[int, _Stored]]
) -> tuple[list[int], list[int]]:
    """The numbers of the rows that one side has oftener than the other."""
    left = Counter(row for _, row in before)
    right = Counter(row for _, row in after)
    return _surplus(before, left - right), _surplus(after, right - left)


def _surplus(rows: Sequence[tuple[int, _Stored]], surplus: Counter[_Stored]) -> list[int]:
    found = []
    for number, row in rows:
        if surplus[row] > 0:
            surplus[row] -= 1
            found.append(number)
    return found


def _kind(
    table: Any, read: Callable[[Connection, list[int]], tuple[_Row, ...]], has_parts: bool = False
) -> _Kind[_Row]:
    """Numbers of other tables are translated; all else is compared as it is."""
    names = [each.name for each in table.__table__.columns if each.name not in ("id", "file_id")]
    stored = select(table.id, *(getattr(table, name) for name in names))
    forms = {field.column: field.form for field in stored_fields(table.__tablename__)}

    def positions(form: Form) -> tuple[int, ...]:
        return tuple(place for place, name in enumerate(names) if forms.get(name) is form)

    return _Kind(
        stored=Prepared(stored.where(table.file_id == parameter("file_id")).order_by(table.id)),
        read=read,
        symbols=positions(Form.SYMBOL),
        projects=positions(Form.PROJECT),
        strings=positions(Form.STRING),
        has_parts=has_parts,
    )


def _reader(numbered: Prepared, decode: Callable[[Sequence[Any]], _Row]) -> Callable[..., tuple[_Row, ...]]:
    def read(connection: Connection, numbers: list[int]) -> tuple[_Row, ...]:
        return tuple(map(decode, numbered.rows(connection, numbers=numbers)))

    return read


def _read_symbols(connection: Connection, numbers: list[int]) -> tuple[SymbolRow, ...]:
    found = symbol_rows.read(connection, symbol_rows.NUMBERED, numbers=numbers)
    return tuple(found[number] for number in numbers)


_IDS: Final = Prepared(select(t.SymbolId.id, t.SymbolId.symbol_id))
_TEXTS: Final = Prepared(select(t.String.id, t.String.value))
_PROJECTS: Final = Prepared(select(t.Project.id, t.Project.project_path))
_PATHS: Final = Prepared(select(t.File.id, t.File.path))
_PARTS: Final = Prepared(
    select(t.SymbolPart.symbol_row, t.SymbolPart.file_id, t.SymbolPart.span_start, t.SymbolPart.span_end)
    .join(t.Symbol, t.Symbol.id == t.SymbolPart.symbol_row)
    .where(t.Symbol.file_id == parameter("file_id"))
    .order_by(t.SymbolPart.symbol_row, t.SymbolPart.ordinal)
)
_SYMBOLS: Final[_Kind[SymbolRow]] = _kind(t.Symbol, _read_symbols, has_parts=True)
_REFERENCES: Final[_Kind[ReferenceRow]] = _kind(
    t.Ref,
    _reader(
        Prepared(row_decoder.REFERENCES.where(t.Ref.id.in_(given("numbers"))).order_by(t.Ref.id)),
        row_decoder.reference,
    ),
)
_RELATIONS: Final[_Kind[RelationRow]] = _kind(
    t.Relation,
    _reader(
        Prepared(row_decoder.RELATIONS.where(t.Relation.id.in_(given("numbers"))).order_by(t.Relation.id)),
        row_decoder.relation,
    ),
)
_FACTS: Final[_Kind[FactRow]] = _kind(
    t.Fact,
    _reader(Prepared(row_decoder.FACTS.where(t.Fact.id.in_(given("numbers"))).order_by(t.Fact.id)), row_decoder.fact),
)
