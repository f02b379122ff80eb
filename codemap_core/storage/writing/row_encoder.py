"""Model structs to rows of the database, as tuples in column order: repeated strings become numbers, enums their
value or code.

One encoder serves one database file, an empty one or, with ``Numbers`` of what it holds, one whose documents are replaced. Projects come
first, then documents, then everything they own. Strings that SQLite cannot store (lone surrogates, which C# literals may contain) are
stored as their escapes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from operator import itemgetter, sub
from typing import Final

import msgspec

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
from codemap_core.model.packed_references import pack
from codemap_core.storage.schema.codes import CONFIDENCE_CODES, REF_KIND_CODES, RESOLUTION_STATE_CODES
from codemap_core.storage.schema.fulltext import name_tokens
from codemap_core.storage.writing.fresh_baseline import encoded_columns

Row = tuple[object, ...]

TEXT_COMPRESSION: Final = 1
"""zlib level: 3 stores 5 % less and takes 10 % longer."""
_FACTS: Final = "facts"
_REFS: Final = "refs"
_OWNER: Final = "file_id"
_REPEATED_OF: Final = {_REFS: ("project_id",), "relations": ("project_id",), _FACTS: ("project_id", "confidence")}
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
    return zlib.compress(text.encode("utf-8", "surrogatepass"), TEXT_COMPRESSION)


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


class Numbers:
    """The numbers that one database file has given. Of an empty file there are none."""

    def __init__(
        self,
        symbol_ids: Interner | None = None,
        strings: Interner | None = None,
        projects: Mapping[str, int] | None = None,
        files: Mapping[str, int] | None = None,
        last_symbol: int = 0,
    ) -> None:
        self.symbol_ids: Final = symbol_ids if symbol_ids is not None else Interner()
        self.strings: Final = strings if strings is not None else Interner()
        self.projects: Final = dict(projects or {})
        self.files: Final = dict(files or {})
        self.last_symbol: Final = last_symbol


class RowEncoder:
    """Knows the numbers of projects, files, symbol ids and strings of one database file. What has a number keeps it."""

    def __init__(self, numbers: Numbers | None = None) -> None:
        known = numbers if numbers is not None else Numbers()
        self.symbol_ids: Final = known.symbol_ids
        self.strings: Final = known.strings
        self._projects: dict[str, int] = known.projects
        self._last_project = max(known.projects.values(), default=0)
        self._files: dict[str, int] = known.files
        self._last_file = max(known.files.values(), default=0)
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
        number = self._files.get(document.file_path, 0)
        if not number:
            self._last_file += 1
            number = self._files[document.file_path] = self._last_file
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

    def symbol(self, symbol: SymbolRow) -> tuple[Row, Row | None, list[Row]]:
        """The row of ``symbols``, that of ``symbols_fts`` (rowid first; null for a repeated declaration) and those of
        ``symbol_parts``."""
        self._last_symbol += 1
        number = self._last_symbol
        symbol_id = self.symbol_ids[symbol.symbol_id]
        file_id = self._files[symbol.file_path]
        repeated = (symbol_id, file_id) in self._declared
        if not repeated:
            self._declared.add((symbol_id, file_id))
        documentation = symbol.documentation
        summary = None if documentation is None else storable(documentation.summary)
        rest = None if documentation is None or not documentation.rest else storable(documentation.rest)
        name = storable(symbol.name)
        full_name = storable(symbol.fully_qualified_name)
        signature = storable(symbol.signature)
        row = (
            number,
            symbol_id,
            self.symbol_ids[symbol.container_id],
            symbol.stable_id,
            symbol.kind.value,
            name,
            full_name,
            signature,
            summary,
            rest,
            storable(symbol.namespace),
            None if symbol.containing_type is None else storable(symbol.containing_type),
            file_id,
            self._projects.get(symbol.project),
            symbol.span_start,
            symbol.span_end,
            symbol.name_line,
            symbol.name_column,
            symbol.visibility.value,
            symbol.is_static,
            " ".join(symbol.modifiers),
            symbol.confidence.value,
            symbol.condition,
            symbol.content_hash,
            repeated,
        )
        searchable = None if repeated else (number, name_tokens(name), full_name, signature, summary or "")
        parts: list[Row] = [
            (number, ordinal, self._files[part.file_path], part.span_start, part.span_end)
            for ordinal, part in enumerate(symbol.other_parts)
        ]
        return row, searchable, parts

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

    def undeclared(self) -> list[str]:
        """Ids of symbols that no row so far declares, in the order in which they were met."""
        declared = {number for number, _ in self._declared}
        return [
            symbol_id
            for symbol_id, number in self.symbol_ids.items()
            if symbol_id is not None and number not in declared and symbol_id.startswith(ID_PREFIXES)
        ]

    def references(self, rows: Iterable[ReferenceRow]) -> Iterable[Row]:
        """Rows of ``refs`` without their numbers, those that say the same once; with 0 for null, as ``insert_statement`` takes them."""
        packed = pack(rows)
        symbols = [self.symbol_ids[symbol_id] or 0 for symbol_id in packed.symbols]
        strings = [self.strings[text] or 0 for text in packed.strings]
        files = [self._files[path] for path in packed.files]
        projects = [self._projects.get(path, 0) for path in packed.projects]
        encoded = zip(
            map(REF_KIND_CODES.__getitem__, packed.kind),
            map(symbols.__getitem__, packed.from_symbol),
            map(symbols.__getitem__, packed.to_symbol),
            map(symbols.__getitem__, packed.constructor),
            map(strings.__getitem__, packed.to_name),
            map(strings.__getitem__, packed.to_container_hint),
            map(files.__getitem__, packed.file_path),
            packed.line,
            packed.column,
            map(sub, packed.line_end, packed.line),
            map(RESOLUTION_STATE_CODES.__getitem__, packed.resolution_state),
            map(int, packed.external),
            map(int, packed.is_virtual),
            map(CONFIDENCE_CODES.__getitem__, packed.confidence),
            map(strings.__getitem__, packed.reason),
            map(strings.__getitem__, packed.condition),
            map(strings.__getitem__, packed.role),
            map(projects.__getitem__, packed.project),
            strict=True,
        )
        return encoded if self._shared_files.isdisjoint(files) else self.once(_REFS, encoded)

    def relation(self, relation: RelationRow) -> Row:
        return (
            relation.kind.value,
            self.symbol_ids[relation.from_symbol],
            self.symbol_ids[relation.to_symbol],
            relation.external,
            storable(relation.display_name),
            self._files[relation.file_path],
            self.strings[relation.condition],
            self._projects.get(relation.project),
        )

    def fact(self, fact: FactRow) -> Row:
        return (
            fact.kind,
            storable(fact.value),
            _json(fact.detail),
            self.symbol_ids[fact.symbol_id],
            self._files[fact.file_path],
            fact.line_start,
            fact.line_end,
            fact.confidence.value,
            self._projects.get(fact.project),
        )

    def record(self, file_path: str, project_path: str, data: bytes) -> Row:
        return (self._files[file_path], self._projects.get(project_path, 0), data)

    def conclusions(self, digests: Mapping[str, bytes]) -> Iterator[Row]:
        for path, digest in digests.items():
            yield self._files[path], digest

    def once(self, table: str, rows: Iterable[Row]) -> Iterable[Row]:
        """The rows without those that say what one before them has said of the same place, for the same project or another: two projects
        compile one of the documents, or several plug-ins find one fact. The confidence of a fact is that of the first."""
        if table == _FACTS:
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
def _repetition(table: str) -> tuple[int, Callable[[Row], object]]:
    """Where a row of a table names its owner, and what it says otherwise than by the columns that may differ."""
    columns = encoded_columns(table)
    return columns.index(_OWNER), itemgetter(
        *(n for n, column in enumerate(columns) if column not in _REPEATED_OF[table])
    )


def _json(value: object) -> str:
    return storable(msgspec.json.encode(value).decode())
