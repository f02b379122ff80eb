"""Model structs to rows of the database, as tuples in column order: repeated strings become numbers, enums their
value or code.

One encoder serves one database file, an empty one or, with ``Numbers`` of what it holds, one whose documents are replaced. Projects come
first, then documents, then everything they own. Strings that SQLite cannot store (lone surrogates, which C# literals may contain) are
stored as their escapes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import repeat
from operator import attrgetter, itemgetter, sub
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, Struct, structs

from codemap_core.model import (
    DocumentRow,
    FactRow,
    LibrarySymbolRow,
    Project,
    ReferenceRow,
    RelationRow,
    Solution,
    SymbolRow,
)
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_core.model.reference import pack
from codemap_core.storage.schema.codes import CODES
from codemap_core.storage.schema.fulltext import name_tokens
from codemap_core.storage.schema.stored_fields import (
    FACTS,
    REFS,
    RELATIONS,
    ROWS,
    SYMBOLS,
    Form,
    StoredField,
    stored_fields,
)
from codemap_core.storage.writing.document_records import digest_of, pack_rows
from codemap_core.storage.writing.fresh_baseline import encoded_columns, zero_for_null

Row = tuple[object, ...]
_Numbering = Mapping[Form, Callable[[Any], object]]

_LEVEL: Final = 1
"""Of zlib: 3 stores 5 % less and takes 10 % longer."""
_WINDOW_BITS: Final = 14
_MEMORY_LEVEL: Final = 6
"""A text of a few kilobytes is compressed as small with 96 KB of memory as with zlib's usual 256 KB, which are cleared for each text, in
three quarters of the time."""
_OWNER: Final = "file_id"
_REPEATED_OF: Final = {REFS: ("project_id",), RELATIONS: ("project_id",), FACTS: ("project_id", "confidence")}
"""By table whose rows may say the same, the columns in which they then differ."""
PROJECT_COLUMN_FIELDS: Final = frozenset(
    {
        "project_path",
        "name",
        "assembly_name",
        "sdk",
        "target_framework",
        "target_frameworks",
        "files",
        "project_references",
        "packages",
        "usings",
        "defines",
    }
)
"""Fields of ``Project`` with a column or table of their own; the others are keys of ``projects.settings``."""


def storable(text: str) -> str:
    """The text as UTF-8 can hold it."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def compress_text(text: str) -> bytes:
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL)
    return compressor.compress(text.encode("utf-8", "surrogatepass")) + compressor.flush()


def decompress_text(stored: bytes) -> str:
    return zlib.decompress(stored).decode("utf-8", "surrogatepass")


class Interner(dict[str | None, int | None]):
    """Numbers for strings, from 1, in order of first appearance: ``interner[text]``. Null stays null. Remembers which
    are new."""

    def __init__(self, find: Callable[[str], int | None] | None = None, last: int = 0) -> None:
        """``find``: the number that a string already has in the file; ``last``: the highest of those numbers."""
        super().__init__({None: None})
        self._find: Final = find
        self._last = last
        self._new: list[Row] = []

    def __missing__(self, value: str) -> int | None:
        stored = storable(value)
        if stored != value:
            self[value] = self[stored]
            return self[value]
        known = self._find(value) if self._find is not None else None
        if known is not None:
            self[value] = known
            return known
        self._last += 1
        self[value] = self._last
        self._new.append((self._last, value))
        return self._last

    def take_new(self) -> list[Row]:
        """The (number, string) rows added since the last call."""
        new, self._new = self._new, []
        return new


class FileNumbers(dict[str, int]):
    """Numbers of files, by path. Those that a database file has given are found when they are asked for."""

    def __init__(self, find: Callable[[str], int | None] | None = None, last: int = 0) -> None:
        """As for ``Interner``."""
        super().__init__()
        self._find: Final = find
        self._last = last

    def __missing__(self, path: str) -> int:
        known = self.known(path)
        if known is None:
            raise KeyError(path)
        return known

    def known(self, path: str) -> int | None:
        """Null for a file that has none yet."""
        number = self.get(path)
        if number is None and self._find is not None:
            number = self._find(storable(path))
            if number is not None:
                self[path] = number
        return number

    def given(self, path: str) -> int:
        """Its number; a new one for a file that has none yet."""
        number = self.known(path)
        if number is None:
            self._last += 1
            number = self[path] = self._last
        return number


class Numbers:
    """The numbers that one database file has given. Of an empty file there are none."""

    def __init__(
        self,
        symbol_ids: Interner | None = None,
        strings: Interner | None = None,
        projects: Mapping[str, int] | None = None,
        files: FileNumbers | None = None,
        last_symbol: int = 0,
    ) -> None:
        self.symbol_ids: Final = symbol_ids if symbol_ids is not None else Interner()
        self.strings: Final = strings if strings is not None else Interner()
        self.projects: Final = dict(projects or {})
        self.files: Final = files if files is not None else FileNumbers()
        self.last_symbol: Final = last_symbol


class RowEncoder:
    """Knows the numbers of projects, files, symbol ids and strings of one database file. What has a number keeps it."""

    def __init__(self, numbers: Numbers | None = None) -> None:
        known = numbers if numbers is not None else Numbers()
        self.symbol_ids: Final = known.symbol_ids
        self.strings: Final = known.strings
        self._projects: dict[str, int] = known.projects
        self._last_project = max(known.projects.values(), default=0)
        self._files: Final = known.files
        self._last_symbol = known.last_symbol
        self._shared_files: set[int] = set()
        self._declared: set[tuple[int | None, int]] = set()
        self._seen: dict[str, set[object]] = {}

    def projects(self, projects: Iterable[Project]) -> Iterator[Row]:
        """New ones are numbered in path order, so that in a fresh file the least number of a file's projects is the first one in path
        order."""
        for project in sorted(projects, key=lambda each: each.project_path):
            number = self._projects.get(project.project_path, 0)
            if not number:
                self._last_project += 1
                number = self._projects[project.project_path] = self._last_project
            settings = {
                name: getattr(project, name) for name in Project.__struct_fields__ if name not in PROJECT_COLUMN_FIELDS
            }
            yield (
                number,
                storable(project.project_path),
                storable(project.name),
                storable(project.assembly_name),
                project.sdk,
                project.target_framework,
                _json(project.target_frameworks),
                _json(project.project_references),
                _json([(package.id, package.version) for package in project.packages]),
                _json(project.usings),
                _json(project.defines),
                _json(settings),
            )

    def solutions(self, solutions: Iterable[Solution]) -> Iterator[Row]:
        for number, solution in enumerate(solutions, start=1):
            yield number, storable(solution.path), _json(solution.projects)

    def document(self, document: DocumentRow) -> tuple[Row, list[Row]]:
        """The row of ``files`` and those of ``file_projects``."""
        number = self._files.given(document.file_path)
        problems = [(problem.code, storable(problem.message), problem.line) for problem in document.problems]
        row = (
            number,
            storable(document.file_path),
            document.sha256,
            document.blob_id,
            document.language,
            document.line_count,
            document.size,
            document.generated,
            document.status.value,
            _json(problems) if problems else None,
        )
        if len(document.projects) > 1:
            self._shared_files.add(number)
        return row, [(number, self._projects[path]) for path in document.projects]

    def symbols(self, rows: Iterable[SymbolRow]) -> Iterator[tuple[Row, Row | None, list[Row]]]:
        """For each symbol the row of ``symbols``, that of ``symbols_fts`` (rowid first; null for a repeated declaration) and those of
        ``symbol_parts``. Many at once cost less."""
        symbols = tuple(rows)
        first = self._last_symbol + 1
        self._last_symbol += len(symbols)
        declared = [(self.symbol_ids[symbol.symbol_id], self._files[symbol.file_path]) for symbol in symbols]
        repeated: list[object] = []
        for each in declared:
            repeated.append(int(each in self._declared))
            self._declared.add(each)
        documentation = [symbol.documentation for symbol in symbols]
        made: dict[str, Iterable[object]] = {
            "id": range(first, first + len(symbols)),
            "repeated": repeated,
            "summary": [each and storable(each.summary) for each in documentation],
            "documentation": [(each and storable(each.rest)) or None for each in documentation],
        }
        for symbol, row in zip(symbols, self._rows(SYMBOLS, symbols, made), strict=True):
            number, repeated, name, full_name, signature, summary = _searched()(row)
            searchable = None if repeated else (number, name_tokens(name), full_name, signature, summary or "")
            parts: list[Row] = [
                (number, ordinal, self._files[part.file_path], part.span_start, part.span_end)
                for ordinal, part in enumerate(symbol.other_parts)
            ]
            yield row, searchable, parts

    def library_symbol(self, symbol: LibrarySymbolRow) -> tuple[Row, list[Row]]:
        """The row of ``library_symbols`` and those of ``library_bases``."""
        number = self.symbol_ids[symbol.symbol_id]
        row = (
            number,
            None if symbol.kind is None else symbol.kind.value,
            storable(symbol.name),
            storable(symbol.fully_qualified_name),
            storable(symbol.signature),
            self.symbol_ids[symbol.container_id],
            storable(symbol.assembly),
            symbol.version,
        )
        return row, [(number, ordinal, self.symbol_ids[base]) for ordinal, base in enumerate(symbol.bases)]

    def declared(self) -> set[int | None]:
        """Numbers of the ids that a row so far declares."""
        return {number for number, _ in self._declared}

    def undeclared(self) -> list[str]:
        """Ids of symbols that no row so far declares, in the order in which they were met."""
        declared = self.declared()
        return [
            symbol_id
            for symbol_id, number in self.symbol_ids.items()
            if symbol_id is not None and number not in declared and symbol_id.startswith(ID_PREFIXES)
        ]

    def references(self, rows: Iterable[ReferenceRow]) -> Iterable[Row]:
        """Rows of ``refs`` without their numbers, those that say the same once; with 0 for null, as ``insert_statement`` takes them."""
        packed = pack(rows)
        if not packed:
            return ()
        symbols = [self.symbol_ids[symbol_id] or 0 for symbol_id in packed.symbols]
        strings = [self.strings[text] or 0 for text in packed.strings]
        files = [self._files[path] for path in packed.files]
        projects = [self._projects.get(path, 0) for path in packed.projects]
        numbers: _Numbering = {
            Form.SYMBOL: symbols.__getitem__,
            Form.STRING: strings.__getitem__,
            Form.FILE: files.__getitem__,
            Form.PROJECT: projects.__getitem__,
        }
        count = len(packed)
        encoded = zip(
            *(
                _encoded(column, getattr(packed, column.field), numbers, packed.line) or repeat(column.default, count)
                for column in _columns(REFS)
            ),
            strict=True,
        )
        return encoded if self._shared_files.isdisjoint(files) else self.once(REFS, encoded)

    def relations(self, rows: Iterable[RelationRow]) -> Iterable[Row]:
        return self._rows(RELATIONS, tuple(rows), {})

    def facts(self, rows: Iterable[FactRow]) -> Iterable[Row]:
        return self._rows(FACTS, tuple(rows), {})

    def record(self, file_path: str, project_path: str, data: bytes) -> Row:
        return (self._files[file_path], self._projects.get(project_path, 0), data)

    def conclusions(self, extractor: str, said: Mapping[str, bytes]) -> Iterator[Row]:
        for path, rows in said.items():
            yield self._files[path], extractor, digest_of(rows), pack_rows(rows)

    def _rows(self, table: str, rows: tuple[Struct, ...], made: Mapping[str, Iterable[object]]) -> Iterator[Row]:
        """``made``: by column, the values of those that have no field."""
        if not rows:
            return iter(())
        values = dict(zip(rows[0].__struct_fields__, zip(*map(structs.astuple, rows), strict=True), strict=True))
        numbers: _Numbering = {
            Form.SYMBOL: self.symbol_ids.__getitem__,
            Form.STRING: self.strings.__getitem__,
            Form.FILE: self._files.__getitem__,
            Form.PROJECT: self._projects.get,
        }
        zeros = zero_for_null(table)
        encoded: list[Iterable[object]] = []
        for column in _columns(table):
            given = _encoded(column, values[column.field], numbers) if column.field else made[column.name]
            encoded.append(_zeros(given or ()) if column.name in zeros else given or ())
        return zip(*encoded, strict=True)

    def once(self, table: str, rows: Iterable[Row]) -> Iterable[Row]:
        """The rows without those that say what one before them has said of the same place, for the same project or another: two projects
        compile one of the documents, or several plug-ins find one fact. The confidence of a fact is that of the first."""
        if table == FACTS:
            return self._unseen(table, rows, None)
        return self._unseen(table, rows, self._shared_files) if self._shared_files else rows

    def _unseen(self, table: str, rows: Iterable[Row], shared: AbstractSet[object] | None) -> Iterator[Row]:
        """``shared``: of which documents rows may repeat; null for all."""
        owner, said = _repetition(table)
        seen = self._seen.setdefault(table, set())
        for row in rows:
            if shared is None or row[owner] in shared:
                key = said(row)
                if key in seen:
                    continue
                seen.add(key)
            yield row


@cache
def _searched() -> Callable[[Row], Any]:
    """Of an encoded row of ``symbols``: what its row of ``symbols_fts`` is made of."""
    names = ("id", "repeated", "name", "fully_qualified_name", "signature", "summary")
    return itemgetter(*map(encoded_columns(SYMBOLS).index, names))


class _Column(Struct, frozen=True):
    """How the values of one column are encoded. ``field``: empty where no field has it. ``numbered``: its form if they are numbers of rows.
    ``convert``: what else becomes of them, all at once; null for nothing."""

    name: str
    field: str
    numbered: Form | None = None
    convert: Callable[[Sequence[Any]], Iterable[object]] | None = None
    is_span: bool = False
    default: object = 0
    """What an encoded row of references has for the field's default."""


@cache
def _columns(table: str) -> tuple[_Column, ...]:
    """Those of an encoded row, in its order."""
    defaults = {each.name: each.default for each in structs.fields(ROWS[table])}
    fields = {field.column: field for field in stored_fields(table)}
    return tuple(
        _column(fields[name], defaults) if name in fields else _Column(name, "") for name in encoded_columns(table)
    )


def _column(field: StoredField, defaults: Mapping[str, Any]) -> _Column:
    if field.form in _NUMBERS:
        return _Column(field.column, field.name, numbered=field.form)
    if field.form is Form.SPAN:
        return _Column(field.column, field.name, is_span=True)
    convert = _CONVERSIONS.get(field.form)
    if field.form is Form.CODE:
        convert = partial(map, CODES[field.type].__getitem__)
    default = defaults[field.name]
    if default is NODEFAULT:
        return _Column(field.column, field.name, convert=convert)
    (encoded,) = convert((default,)) if convert is not None else (default,)
    return _Column(field.column, field.name, convert=convert, default=encoded)


def _encoded(
    column: _Column, values: Sequence[Any], numbers: _Numbering, lines: Sequence[int] = ()
) -> Iterable[object] | None:
    """Null where there are no values. ``numbers``: by form, the number of what a row holds. ``lines``: the first ones of the rows."""
    if not values:
        return None
    if column.numbered is not None:
        return map(numbers[column.numbered], values)
    if column.is_span:
        return map(sub, values, lines)
    return values if column.convert is None else column.convert(values)


def _zeros(values: Iterable[object]) -> list[object]:
    """As ``zero_for_null`` says."""
    return [0 if each is None else each for each in values]


def _texts(values: Sequence[str | None]) -> Iterable[object]:
    if "".join(filter(None, values)).isascii():
        return values
    return [text and storable(text) for text in values]


@cache
def _repetition(table: str) -> tuple[int, Callable[[Row], object]]:
    """Where a row of a table names its owner, and what it says otherwise than by the columns that may differ."""
    columns = encoded_columns(table)
    return columns.index(_OWNER), itemgetter(
        *(n for n, column in enumerate(columns) if column not in _REPEATED_OF[table])
    )


def _json(value: object) -> str:
    return storable(msgspec.json.encode(value).decode())


_NUMBERS: Final = frozenset({Form.SYMBOL, Form.STRING, Form.FILE, Form.PROJECT})
_CONVERSIONS: Final[Mapping[Form, Callable[[Sequence[Any]], Iterable[object]]]] = {
    Form.TEXT: _texts,
    Form.TRUTH: partial(map, int),
    Form.VALUE: partial(map, attrgetter("_value_")),
    Form.WORDS: partial(map, " ".join),
    Form.JSON: partial(map, _json),
}
