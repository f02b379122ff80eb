"""BaselineWriter: builds one baseline in a temporary file beside its place and puts it there in one step, complete or
not at all.

Rows go in by large batches; indexes are made after the load, while the last rows are found, which wait for them. ``publish`` checks
the counts, seals the file (one file, no journal), makes it durable and renames it. Leaving the context without ``publish`` removes the
temporary file; a killed process leaves it to the next holder of the build lock.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec
from msgspec import structs

from codemap_core.errors import StorageError
from codemap_core.model import (
    DocumentRow,
    FactRow,
    LibrarySymbolRow,
    Problem,
    ProjectGraph,
    ProjectProblem,
    ReferenceRow,
    RelationRow,
    SemanticLevel,
    SymbolRow,
)
from codemap_core.model.library_symbol import library_symbol_of
from codemap_core.storage.files.durable_files import (
    make_durable,
    not_written,
    put_in_place,
    temporary_file,
    unwritable,
)
from codemap_core.storage.files.examine import IndexInfo, ProjectDiagnostic
from codemap_core.storage.files.lock import BuildLock
from codemap_core.storage.schema.table_text import columns_of_tables
from codemap_core.storage.writing.document_records import DocumentRecord, encode_record
from codemap_core.storage.writing.fresh_baseline import (
    create_indexes,
    create_schema,
    insert_rows,
    open_for_building,
    set_info,
)
from codemap_core.storage.writing.meanwhile import Meanwhile
from codemap_core.storage.writing.row_encoder import Row, RowEncoder, compress_text, storable
from codemap_core.version import __version__

_BATCH: Final = 1024
"""Rows of a table that wait to be written. Few, as for the texts below."""
_TEXTS: Final = 256
"""Documents whose text waits to be written: each is some thousands of characters. None waits when no more come, as what is left for the end
is written while no other process has anything to do."""
_UNTIL_INTERRUPTED: Final = 0.05
"""Seconds, again and again: SQLite interrupts the statement that runs, and not the one that follows it."""


class BaselineWriter:
    """One baseline being built. Order of calls: ``add_projects``, ``add_documents``, then the rest in any order and
    in any number of portions, at last ``publish``. Every owner of a row must have been added as a document. Any
    method raises StorageError when the disk is full or the folder cannot be written."""

    @classmethod
    def create(cls, lock: BuildLock, info: IndexInfo) -> Self:
        """An empty index that will appear at ``lock.path``."""
        return cls(lock.path, info)

    def __init__(self, path: Path, info: IndexInfo) -> None:
        self._path: Final = path
        self._info = info
        self._temporary: Final = temporary_file(path)
        self._encoder: Final = RowEncoder()
        self._pending: defaultdict[str, list[Row]] = defaultdict(list)
        self._symbols: list[SymbolRow] = []
        """Those that wait to be encoded."""
        self._counts: Counter[str] = Counter()
        self._problems: Final[dict[str, list[Problem]]] = {}
        self._libraries: Final[dict[str, LibrarySymbolRow]] = {}
        self._unsettled: Final[list[str]] = []
        self._flushed: Meanwhile | None = None
        """The rows, while indexes are made; null before that."""
        self._indexes: Meanwhile | None = None
        """Null before that as well. Rows that come while they are made wait for ``publish``."""
        self._published = False
        self._connection: sqlite3.Connection | None = None
        with self._errors_explained():
            self._connection = open_for_building(self._temporary)
            self._connection.execute("BEGIN")
            create_schema(self._connection)
            set_info(self._connection, info)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._published:
            self.discard()

    def add_projects(self, graph: ProjectGraph) -> None:
        self.add_project_problems(graph.problems)
        self._load("projects", self._encoder.projects(graph.projects))
        self._load("solutions", self._encoder.solutions(graph.solutions))

    def add_project_problems(self, problems: Iterable[ProjectProblem]) -> None:
        """Further problems of projects, or of the repository, found by a later stage."""
        self._info = structs.replace(self._info, project_problems=(*self._info.project_problems, *problems))

    def add_documents(self, rows: Iterable[DocumentRow]) -> None:
        """Documents with their text, each path once."""
        for document in rows:
            row, projects = self._encoder.document(document)
            self._add("files", row)
            for project in projects:
                self._add("file_projects", project)
            if document.text is not None:
                self._add("file_texts", (row[0], compress_text(document.text)))
                self._add("files_fts", (row[0], storable(document.text)))
                if len(self._pending["files_fts"]) >= _TEXTS:
                    self._flush_texts()
        self._flush_texts()

    def add_problems(self, file_path: str, problems: Iterable[Problem]) -> None:
        """Further problems of a document that was added, found by a later stage."""
        self._problems.setdefault(file_path, []).extend(problems)

    def add_symbols(self, rows: Iterable[SymbolRow]) -> None:
        self._symbols.extend(rows)
        if len(self._symbols) >= _BATCH:
            self._encode_symbols()

    def _encode_symbols(self) -> None:
        rows, self._symbols = self._symbols, []
        for row, searchable, parts in self._encoder.symbols(rows):
            self._add("symbols", row)
            if searchable is not None:
                self._add("symbols_fts", searchable)
            for part in parts:
                self._add("symbol_parts", part)

    def add_references(self, rows: Iterable[ReferenceRow]) -> None:
        self._load("refs", self._encoder.references(rows))

    def add_relations(self, rows: Iterable[RelationRow]) -> None:
        self._load_owned("relations", self._encoder.relations(rows))

    def add_facts(self, rows: Iterable[FactRow]) -> None:
        self._load_owned("facts", self._encoder.facts(rows))

    def add_record(self, file_path: str, project_path: str, record: DocumentRecord) -> None:
        """What the rows of a document came from, as a project compiles it, or none."""
        self._add("document_records", self._encoder.record(file_path, project_path, encode_record(record)))

    def add_conclusions(self, extractor: str, said: Mapping[str, bytes], *, failed: bool) -> None:
        """The encoded rows that an extractor concluded, by the path of the document that owns them. ``failed``: it may conclude more."""
        self._load("conclusions", self._encoder.conclusions(extractor, said))
        if failed:
            self._unsettled.append(extractor)

    def undeclared_ids(self) -> list[str]:
        """Ids that rows so far refer to and none declares."""
        self._encode_symbols()
        return self._encoder.undeclared()

    def add_library_symbols(self, rows: Iterable[LibrarySymbolRow]) -> None:
        """Symbols of libraries; of two rows for one id the first counts, and none for an id that is declared after all."""
        for symbol in rows:
            self._libraries.setdefault(symbol.symbol_id, symbol)

    def settle(self) -> None:
        """Begins to make the indexes, once: few rows come after that."""
        if self._indexes is not None:
            return
        connection = self._open_connection()
        with self._errors_explained():
            self._flush_all()
            connection.execute("COMMIT")
            self._flushed = Meanwhile("codemap-flush", partial(make_durable, self._temporary))
            connection.execute("BEGIN")
            self._indexes = Meanwhile("codemap-indexes", partial(create_indexes, connection))

    def publish(
        self,
        semantic_level: SemanticLevel | None = None,
        project_diagnostics: Iterable[ProjectDiagnostic] | None = None,
    ) -> IndexInfo:
        """Makes the index visible at its place and returns what it says of itself. The arguments replace those given
        to ``create``."""
        info = structs.replace(
            self._info,
            state="complete",
            codemap_version=__version__,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            semantic_level=self._info.semantic_level if semantic_level is None else semantic_level,
            project_diagnostics=(
                self._info.project_diagnostics if project_diagnostics is None else tuple(project_diagnostics)
            ),
            unsettled=tuple(self._unsettled),
        )
        self.settle()
        assert self._flushed is not None
        with self._errors_explained():
            self._load_library_symbols()
            connection = self._open_connection()
            self._flush_all()
            info = structs.replace(
                info,
                file_count=self._counts["files"],
                symbol_count=self._counts["symbols"],
                reference_count=self._counts["refs"],
                relation_count=self._counts["relations"],
                fact_count=self._counts["facts"],
                project_count=self._counts["projects"],
            )
            self._append_problems(connection)
            self._verify_counts(connection)
            set_info(connection, info)
            connection.execute("COMMIT")
            connection.close()
            self._connection = None
            self._flushed.wait()
            put_in_place(self._temporary, self._path)
        self._published = True
        return info

    def discard(self) -> None:
        """Throws away what was built; nothing becomes visible."""
        if self._connection is not None:
            while self._indexes is not None and not self._indexes.ends_within(_UNTIL_INTERRUPTED):
                self._connection.interrupt()
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        if self._flushed is not None:
            with suppress(OSError):
                self._flushed.wait()
        self._temporary.unlink(missing_ok=True)

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("this writer has been published or discarded")
        if self._indexes is not None:
            self._indexes.wait()
        return self._connection

    def _add(self, table: str, row: Row) -> None:
        self._pending[table].append(row)
        self._flush_many(table)

    def _load(self, table: str, rows: Iterable[Row]) -> None:
        remaining = iter(rows)
        while batch := list(islice(remaining, _BATCH)):
            self._pending[table] += batch
            self._flush_many(table)

    def _flush_many(self, table: str) -> None:
        if len(self._pending[table]) >= _BATCH and self._indexes is None:
            self._flush(table)

    def _load_library_symbols(self) -> None:
        """A row for each id that nothing declares and a row refers to, be it another of these: what metadata says of it, or what the id
        does. Metadata may tell more: it describes the bases of a type, even of one that is declared here after all."""
        encoder = self._encoder
        declared = encoder.declared()
        pending = encoder.undeclared()
        met = {*pending}
        while pending:
            symbol_id = pending.pop()
            known = self._libraries.get(symbol_id)
            symbol = known if known is not None else library_symbol_of(symbol_id)
            row, bases = encoder.library_symbol(symbol)
            self._add("library_symbols", row)
            for base in bases:
                self._add("library_bases", base)
            for each in (symbol.container_id, *symbol.bases):
                if each is None or each in met or (known is None and each not in self._libraries):
                    continue
                met.add(each)
                if encoder.symbol_ids[each] not in declared:
                    pending.append(each)

    def _load_owned(self, table: str, rows: Iterable[Row]) -> None:
        """Loads rows, of which those that say the same are stored once."""
        self._load(table, self._encoder.once(table, rows))

    def _flush(self, table: str) -> None:
        rows = self._pending.pop(table, None)
        if not rows:
            return
        with self._errors_explained():
            insert_rows(self._open_connection(), table, rows)
        self._counts[table] += len(rows)
        if table == "refs":  # they bring most names
            self._load_names()

    def _load_names(self) -> None:
        self._load("symbol_ids", self._encoder.symbol_ids.take_new())
        self._load("strings", self._encoder.strings.take_new())

    def _flush_texts(self) -> None:
        self._flush("file_texts")
        self._flush("files_fts")

    def _flush_all(self) -> None:
        self._encode_symbols()
        self._load_names()
        for table in tuple(self._pending):
            self._flush(table)

    def _append_problems(self, connection: sqlite3.Connection) -> None:
        for path, problems in self._problems.items():
            (stored,) = connection.execute("SELECT problems FROM files WHERE path = ?", (path,)).fetchone()
            known = msgspec.json.decode(stored, type=list[tuple[str, str, int]]) if stored else []
            further = [(problem.code, storable(problem.message), problem.line) for problem in problems]
            rows = msgspec.json.encode(list(dict.fromkeys((*known, *further)))).decode()
            connection.execute("UPDATE files SET problems = ? WHERE path = ?", (rows, path))

    def _verify_counts(self, connection: sqlite3.Connection) -> None:
        for name in columns_of_tables():
            if name == "info":
                continue
            (stored,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
            if stored != self._counts[name]:
                raise StorageError(
                    f"The index lost rows while it was written: {name} has {stored} of {self._counts[name]}."
                )

    @contextmanager
    def _errors_explained(self) -> Iterator[None]:
        """Trouble of the disk as StorageError with what to do; whatever else happens, nothing half-made stays."""
        try:
            yield
        except sqlite3.OperationalError as error:
            self.discard()
            raise not_written(self._path, error) from error
        except OSError as error:
            self.discard()
            raise unwritable(self._path, error) from error
        except BaseException:
            self.discard()
            raise
