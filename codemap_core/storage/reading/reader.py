"""IndexReader: looks things up in one published index. Answers are model structs; several threads may ask at once.

Invariants: every answer has an order that does not depend on how rows are numbered; ``None`` or an empty tuple says
"there is none"; a damaged page found on the way raises CorruptIndexError.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import DatabaseError

from codemap_core.errors import CodeMapError, IndexNotAvailableError
from codemap_core.model import (
    DocumentRow,
    DocumentStatus,
    FactRow,
    LibrarySymbolRow,
    Project,
    ReferenceRow,
    RefKind,
    RelationRow,
    Solution,
    SymbolRow,
)
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.examine import Examination, IndexInfo, IndexState, examine_baseline, note_damage
from codemap_core.storage.reading import (
    reference_lookup,
    row_decoder,
    stored_documents,
    symbol_names,
    symbol_rows,
    symbol_search,
    type_relations,
)
from codemap_core.storage.reading.edge_lookup import EdgeLookup
from codemap_core.storage.reading.engine import read_engine
from codemap_core.storage.reading.fact_lookup import FactLookup
from codemap_core.storage.reading.fact_pages import FactPages
from codemap_core.storage.reading.file_contents import FileContents
from codemap_core.storage.reading.prepared import Prepared, Row, given
from codemap_core.storage.reading.reference_lookup import EdgeRow, Meaning, ReferenceCount, UnresolvedCount
from codemap_core.storage.reading.symbol_names import NamedSymbol, Vocabulary
from codemap_core.storage.reading.symbol_scan import SymbolScans
from codemap_core.storage.reading.symbol_search import NameMatch, ScoredRows, SymbolFilter, beginning_with
from codemap_core.storage.reading.text_lines import pick_lines
from codemap_core.storage.reading.type_relations import BaseOf, DeclaredName, UnknownBase
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.fulltext import MatchQuery

_IN_LIMIT: Final = 500
_Item = TypeVar("_Item")
_FULL_NAMES: Final = Prepared(
    select(t.SymbolId.symbol_id, t.Symbol.fully_qualified_name)
    .join(t.Symbol, t.Symbol.symbol == t.SymbolId.id)
    .where(t.SymbolId.symbol_id.in_(given("symbol_ids")))
)
_RELATIONS_FROM: Final = Prepared(
    row_decoder.RELATIONS.where(t.Relation.from_symbol == symbol_rows.NUMBER).order_by(
        t.Relation.kind, row_decoder.TO_ID.symbol_id, row_decoder.FROM_ID.symbol_id, t.File.path
    )
)
_FACTS_OF: Final = Prepared(
    row_decoder.FACTS.where(t.Fact.symbol == symbol_rows.NUMBER).order_by(
        t.Fact.kind, t.Fact.value, t.File.path, t.Fact.line_start, t.Fact.line_end
    )
)
_TEXTS: Final = Prepared(
    select(t.File.path, t.FileText.text)
    .join(t.FileText, t.FileText.file_id == t.File.id)
    .where(t.File.path.in_(given("paths")))
)
_PROJECT_NAMES: Final = Prepared(select(t.Project.project_path, t.Project.name).order_by(t.Project.project_path))


class SymbolPage(Struct, frozen=True):
    """Symbols with their scores, best first; ``total`` counts all pages."""

    symbols: tuple[tuple[SymbolRow, float], ...]
    total: int
    is_minimum: bool = False
    """``total`` is a lower bound."""


class IndexReader:
    """One index, open for reading: a published baseline, or a workspace at one revision. Close it, or use it as a context manager."""

    @classmethod
    def open(cls, path: Path, fingerprint: str | None = None) -> Self:
        """An index of an older schema is upgraded first. Raises: IndexNotAvailableError when there is no complete
        index, or one of another ``fingerprint``; RebuildRequiredError when it is too old to be upgraded;
        CorruptIndexError; for all of these, build again. NewerIndexError when this program is too old."""
        found = examine_baseline(path, fingerprint)
        if found.state is IndexState.OTHER_SCHEMA:
            from codemap_core.storage.migrate import (  # Alembic takes a third of a second to import
                SchemaName,
                upgrade_file,
            )

            upgrade_file(path, SchemaName.BASELINE)
            found = examine_baseline(path, fingerprint)
        if found.info is None or not found.is_ready:
            raise _unusable(path, found)
        return cls(path, found.info)

    def __init__(self, path: Path, info: IndexInfo, engine: Engine | None = None) -> None:
        """``engine``: what connects to the file; null for a sealed one."""
        self.path: Final = path
        self.info: Final = info
        self.is_sealed: Final = engine is None
        """The file never changes; otherwise other processes may write it, and a connection of this reader sees what it saw first."""
        self._engine: Final = engine if engine is not None else read_engine(path)
        self.vocabulary: Final = Vocabulary(self._reading)
        self.edges: Final = EdgeLookup(self._reading)
        self.contents: Final = FileContents(self._reading)
        self.facts: Final = FactLookup(self._reading)
        self.scans: Final = SymbolScans(self._reading)
        self.fact_pages: Final = FactPages(self._reading, self.edges)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._engine.dispose()

    def prepare(self) -> None:
        """Reads what many questions need and is kept."""
        self.edges.prepare()
        self.symbols_with_id("")
        self.count_references(Meaning(("",), ("",)))

    # Symbols

    def symbols_with_id(self, symbol_id: str) -> tuple[SymbolRow, ...]:
        """The declarations of a documentation-comment id: several when several projects declare it, in path order; then those that no
        project compiles."""
        return self._symbols(symbol_rows.WITH_ID, symbol_id=symbol_id)

    def first_declarations(self, symbol_ids: Iterable[str]) -> dict[str, SymbolRow]:
        """By id, for those of ``symbol_ids`` that are declared: the first declaration in path order, of a project where one compiles it.
        ``declaring_projects.nearest_declarations`` says which is meant at a place."""
        found: dict[str, SymbolRow] = {}
        wanted = sorted(set(symbol_ids))
        for symbol in self._symbols(symbol_rows.WITH_IDS, symbol_ids=wanted) if wanted else ():
            found.setdefault(symbol.symbol_id, symbol)
        return found

    def declarations(self, symbol_ids: Iterable[str]) -> tuple[SymbolRow, ...]:
        """All declarations of some ids, by id, project and path; those that no project compiles last."""
        wanted = sorted(set(symbol_ids))
        return self._symbols(symbol_rows.WITH_IDS, symbol_ids=wanted) if wanted else ()

    def symbols_with_stable_id(self, stable_id: str) -> tuple[SymbolRow, ...]:
        return self._symbols(symbol_rows.WITH_STABLE_ID, stable_id=stable_id)

    def symbols_called(
        self, names: Sequence[str], where: SymbolFilter, with_operators: bool = False
    ) -> tuple[NamedSymbol, ...]:
        """As ``symbol_names.declared``."""
        with self._reading() as connection:
            return symbol_names.declared(connection, names, where, with_operators)

    def library_symbols_called(self, names: Sequence[str], with_operators: bool = False) -> tuple[NamedSymbol, ...]:
        """As ``symbol_names.of_libraries``."""
        with self._reading() as connection:
            return symbol_names.of_libraries(connection, names, with_operators)

    def library_symbols(self, symbol_ids: Iterable[str]) -> dict[str, LibrarySymbolRow]:
        """By id, what is known of those that libraries declare and something here refers to, or a library symbol that something does."""
        wanted = sorted(set(symbol_ids))
        if not wanted:
            return {}
        with self._reading() as connection:
            return symbol_names.library_symbols(connection, wanted)

    def library_members(self, type_id: str) -> tuple[NamedSymbol, ...]:
        """As ``symbol_names.library_members``."""
        with self._reading() as connection:
            return symbol_names.library_members(connection, type_id)

    def library_symbol(self, symbol_id: str) -> LibrarySymbolRow | None:
        return self.library_symbols([symbol_id]).get(symbol_id)

    def members_of(self, symbol_id: str) -> tuple[SymbolRow, ...]:
        """Direct members of a type, nested types included, by place; repeated declarations once."""
        return tuple(sorted(self._symbols(symbol_rows.MEMBERS, symbol_id=symbol_id), key=_place))

    def symbols_in_file(self, file_path: str) -> tuple[SymbolRow, ...]:
        """The symbols that the file owns, by place."""
        return tuple(sorted(self._symbols(symbol_rows.IN_FILE, path=file_path), key=_place))

    def search_symbols(
        self, query: MatchQuery, name: NameMatch | None, where: SymbolFilter, limit: int, offset: int = 0
    ) -> SymbolPage:
        """Symbols by words. ``name``: what ranks first."""
        with self._reading() as connection:
            page = symbol_search.search(connection, query, name, where, limit, offset)
            return _page(connection, page)

    def browse_symbols(self, where: SymbolFilter, limit: int, offset: int = 0) -> SymbolPage:
        """All symbols that pass the filter, by full name."""
        with self._reading() as connection:
            return _page(connection, symbol_search.browse(connection, where, limit, offset))

    def full_names(self, symbol_ids: Iterable[str]) -> dict[str, str]:
        """Readable names of those symbols that have a declaration."""
        wanted = sorted(set(symbol_ids))
        return dict(self._rows(_FULL_NAMES, symbol_ids=wanted)) if wanted else {}

    def namespaces(self, project: str = "") -> tuple[str, ...]:
        """Names of all namespaces that declare something, sorted; those of a project's path alone where one is given."""
        query = select(t.Symbol.namespace).distinct().where(t.Symbol.namespace != "").order_by(t.Symbol.namespace)
        if project:
            query = query.join(t.Project, t.Project.id == t.Symbol.project_id).where(t.Project.project_path == project)
        with self._reading() as connection:
            return tuple(connection.execute(query).scalars())

    # References, relations, facts

    def references_to(
        self,
        symbol_ids: Sequence[str],
        kinds: Sequence[RefKind] = (),
        limit: int = 100,
        offset: int = 0,
        projects: Sequence[str] = (),
    ) -> tuple[ReferenceRow, ...]:
        """Occurrences that mean one of the symbols, by place; of a constructor also what creates its type through it. ``projects``: as
        of ``Meaning``."""
        asked = Meaning(tuple(symbol_ids), (), tuple(projects))
        with self._reading() as connection:
            return reference_lookup.page(connection, asked, kinds, limit, offset)

    def count_references(self, asked: Meaning) -> tuple[ReferenceCount, ...]:
        """By file, project and kind, in no order."""
        with self._reading() as connection:
            return reference_lookup.count(connection, asked)

    def count_references_by_member(
        self, asked: Meaning, kinds: Sequence[RefKind], file_ids: Sequence[int]
    ) -> tuple[tuple[str | None, ReferenceCount], ...]:
        """As ``reference_lookup.count_by_member``."""
        with self._reading() as connection:
            return reference_lookup.count_by_member(connection, asked, kinds, file_ids)

    def undecided_receivers(self, name: str) -> tuple[str, ...]:
        """As ``reference_lookup.undecided_receivers``."""
        with self._reading() as connection:
            return reference_lookup.undecided_receivers(connection, name)

    def references_in_files(
        self, asked: Meaning, kinds: Sequence[RefKind], file_ids: Sequence[int]
    ) -> tuple[ReferenceRow, ...]:
        """Those that stand in files of some numbers (``edges.paths``), in no order."""
        with self._reading() as connection:
            return reference_lookup.rows_in_files(connection, asked, kinds, file_ids)

    def declared_after(self, file_path: str, line: int) -> str | None:
        """As ``reference_lookup.declared_after``."""
        with self._reading() as connection:
            return reference_lookup.declared_after(connection, file_path, line)

    def count_unresolved(self) -> UnresolvedCount:
        """All unresolved references, those of files that no project compiles apart."""
        with self._reading() as connection:
            return reference_lookup.count_unresolved(connection, self.info.reference_count)

    def references_from(
        self, symbol_id: str, kinds: Sequence[RefKind] = (), limit: int = 100
    ) -> tuple[ReferenceRow, ...]:
        """Occurrences inside the symbol, by place."""
        with self._reading() as connection:
            return reference_lookup.page_from(connection, symbol_id, kinds, limit)

    def edges_to(self, symbol_ids: Iterable[str], kinds: Sequence[RefKind] = ()) -> tuple[EdgeRow, ...]:
        """As ``reference_lookup.edges_to``."""
        return self._edges(reference_lookup.edges_to, symbol_ids, kinds)

    def edges_from(self, symbol_ids: Iterable[str], kinds: Sequence[RefKind] = ()) -> tuple[EdgeRow, ...]:
        """As ``reference_lookup.edges_from``."""
        return self._edges(reference_lookup.edges_from, symbol_ids, kinds)

    def relations_from(self, symbol_id: str) -> tuple[RelationRow, ...]:
        """Base type and interfaces of a type, base type first, then by id."""
        return tuple(map(row_decoder.relation, self._rows(_RELATIONS_FROM, symbol_id=symbol_id)))

    def bases(self, numbers: Collection[int]) -> list[BaseOf]:
        """As ``type_relations.bases``."""
        with self._reading() as connection:
            return type_relations.bases(connection, numbers)

    def derived(self, numbers: Collection[int]) -> list[BaseOf]:
        """As ``type_relations.derived``."""
        with self._reading() as connection:
            return type_relations.derived(connection, numbers)

    def unknown_bases(self) -> list[UnknownBase]:
        """As ``type_relations.unknown_bases``."""
        with self._reading() as connection:
            return type_relations.unknown_bases(connection)

    def declared_names(self, numbers: Collection[int]) -> dict[int, DeclaredName]:
        """As ``type_relations.declared_names``."""
        with self._reading() as connection:
            return type_relations.declared_names(connection, numbers)

    def facts_of(self, symbol_id: str) -> tuple[FactRow, ...]:
        """Facts that the symbol owns, by kind, value and place."""
        return tuple(map(row_decoder.fact, self._rows(_FACTS_OF, symbol_id=symbol_id)))

    def symbols_numbered(self, numbers: Sequence[int]) -> tuple[SymbolRow, ...]:
        """By the numbers of their rows, in that order."""
        with self._reading() as connection:
            found = symbol_rows.read(connection, symbol_rows.NUMBERED, numbers=list(numbers))
        return tuple(found[number] for number in numbers)

    def count_facts_by_kind(self) -> dict[str, int]:
        query = select(t.Fact.kind, func.count()).group_by(t.Fact.kind).order_by(t.Fact.kind)
        with self._reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    # Files and projects

    def document(self, file_path: str) -> DocumentRow | None:
        """A document without its text; paths are compared exactly."""
        return self.documents_at([file_path]).get(file_path)

    def documents_at(self, file_paths: Iterable[str]) -> dict[str, DocumentRow]:
        """By path, those that are indexed, without their text."""
        with self.below() as connection:
            return {each.file_path: each for each in stored_documents.documents_at(connection, file_paths)}

    def documents(self) -> Iterator[DocumentRow]:
        """All documents without their text, in path order."""
        with self.below() as connection:
            yield from stored_documents.documents(connection)

    def count_documents(self) -> dict[DocumentStatus, int]:
        """Documents by status."""
        query = select(t.File.status, func.count()).group_by(t.File.status).order_by(t.File.status)
        with self._reading() as connection:
            return {DocumentStatus(status): count for status, count in connection.execute(query)}

    def documents_with_problem(self, codes: Iterable[str]) -> tuple[DocumentRow, ...]:
        """Documents that have a problem of one of the codes, without their text, in path order."""
        wanted = frozenset(codes)
        with self.below() as connection:
            found = stored_documents.documents_with_problems(connection)
            return tuple(each for each in found if any(problem.code in wanted for problem in each.problems))

    def file_paths(self, prefix: str = "") -> tuple[str, ...]:
        """Paths that begin with ``prefix``, ASCII case ignored, sorted."""
        query = select(t.File.path).order_by(t.File.path)
        if prefix:
            query = query.where(beginning_with(t.File.path, prefix))
        with self._reading() as connection:
            return tuple(connection.execute(query).scalars())

    def file_text(self, file_path: str) -> str | None:
        """The decoded text of a document, newlines as they are; null when there is none of that path or it was
        skipped."""
        return self.file_texts([file_path]).get(file_path)

    def file_texts(self, file_paths: Iterable[str]) -> dict[str, str]:
        """The decoded texts of those that have one."""
        with self.below() as connection:
            return stored_documents.texts(connection, file_paths)

    def lines(self, wanted: Mapping[str, Collection[int]]) -> dict[str, dict[int, str]]:
        """Of each file that has a text, the lines of those 1-based numbers that it has."""
        stored = self._rows(_TEXTS, paths=sorted(wanted)) if wanted else ()
        return {path: pick_lines(text, wanted[path]) for path, text in stored}

    def projects(self) -> tuple[Project, ...]:
        """In path order; ``files`` are the indexed ones."""
        return self._projects

    @cached_property
    def _projects(self) -> tuple[Project, ...]:
        with self.below() as connection:
            return stored_documents.projects(connection)

    @cached_property
    def project_names(self) -> dict[str, str]:
        """Names of all projects by their paths."""
        return dict(self._rows(_PROJECT_NAMES))

    def solutions(self) -> tuple[Solution, ...]:
        with self._reading() as connection:
            rows = connection.execute(row_decoder.SOLUTIONS.order_by(t.Solution.path))
            return tuple(row_decoder.solution(row) for row in rows)

    # Below

    @contextmanager
    def streaming(self) -> Iterator[Connection]:
        """For other modules of this package: a connection to read many rows from."""
        with self._reading() as connection:
            yield connection.execution_options(yield_per=2000)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except (DatabaseError, sqlite3.DatabaseError) as error:
            problem = error.orig if isinstance(error, DatabaseError) else error
            note_damage(self.path, problem)
            raise CorruptIndexError(
                f"The index {self.path} is damaged ({problem}): run 'codemap index' to build it again.",
                path=str(self.path),
            ) from error

    @contextmanager
    def below(self) -> Iterator[sqlite3.Connection]:
        """For other modules of this package: the database's own connection."""
        with self._reading() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            yield raw

    def _rows(self, asked: Prepared, **values: object) -> list[Row]:
        with self._reading() as connection:
            return asked.rows(connection, **values)

    def _symbols(self, asked: Prepared, **values: object) -> tuple[SymbolRow, ...]:
        with self._reading() as connection:
            return tuple(symbol_rows.read(connection, asked, **values).values())

    def _edges(
        self,
        find: Callable[[Connection, Sequence[str], Sequence[RefKind]], tuple[EdgeRow, ...]],
        symbol_ids: Iterable[str],
        kinds: Sequence[RefKind],
    ) -> tuple[EdgeRow, ...]:
        found: list[EdgeRow] = []
        with self._reading() as connection:
            for chunk in _chunks(sorted(set(symbol_ids))):
                found.extend(find(connection, chunk, kinds))
        return tuple(sorted(found, key=_edge_place))


def _place(symbol: SymbolRow) -> tuple[str, int, int, int, str]:
    return symbol.file_path, symbol.span_start, symbol.name_line, symbol.name_column, symbol.symbol_id


def _edge_place(edge: EdgeRow) -> tuple[str, int, int, str, str]:
    return edge.file_path, edge.line, edge.column, edge.from_symbol, edge.to_symbol


def _unusable(path: Path, found: Examination) -> CodeMapError:
    where = {"path": str(path)}
    if found.state is IndexState.MISSING:
        return IndexNotAvailableError("There is no index for this commit yet: run 'codemap index'.", **where)
    if found.state is IndexState.CORRUPT:
        return CorruptIndexError(
            f"The index {path} is damaged: {found.problem}. Run 'codemap index' to build it again.", **where
        )
    return IndexNotAvailableError(
        f"The index {path} cannot be used: {found.problem}. Run 'codemap index' to build it again.", **where
    )


def _page(connection: Connection, found: ScoredRows) -> SymbolPage:
    symbols = symbol_rows.read(connection, symbol_rows.NUMBERED, numbers=[row_id for row_id, _ in found.rows])
    return SymbolPage(tuple((symbols[row_id], score) for row_id, score in found.rows), found.total, found.is_minimum)


def _chunks(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Portions that fit into one IN (…): SQLite allows some hundred parameters everywhere."""
    for start in range(0, len(items), _IN_LIMIT):
        yield items[start : start + _IN_LIMIT]
