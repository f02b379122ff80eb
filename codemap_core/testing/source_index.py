"""Rows of sources given as text: all stages, without git, without a database.

What a spec or a plug-in's own tests index. The rows are those that a commit with the same files would have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.hooks.manager import PluginHost
from codemap_core.model import (
    Blob,
    DocumentRow,
    DocumentStatus,
    FactRow,
    LibrarySymbolRow,
    Problem,
    ProjectGraph,
    ProjectProblem,
    ReferenceRow,
    RefKind,
    RelationRow,
    SymbolRow,
)
from codemap_core.model.reference import LinkTarget, judged_link, pack
from codemap_core.pipeline.analyse import Analysis
from codemap_core.pipeline.discover import discover
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.row_groups import undeclared_ids
from codemap_core.pipeline.stages import RowKeeper, Stages
from codemap_core.progress import unchecked, unreported
from codemap_core.repository.commit_files import SkippedFiles
from codemap_core.repository.listed_files import ListedFiles
from codemap_core.storage.writing.document_records import DocumentRecord

SECONDS: Final = 20.0


class SourceFiles(ListedFiles):
    """Files in memory, as the stages read them."""

    skipped = SkippedFiles()
    label = "these sources"

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self._contents: Final = {
            path: text.encode() if isinstance(text, str) else text for path, text in sorted(files.items())
        }
        super().__init__(
            {path: Blob(path, hashlib.sha1(data).hexdigest(), len(data)) for path, data in self._contents.items()}, ""
        )

    def read(self, path: str) -> bytes:
        return self._contents[path]

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        return ((path, self._contents[path]) for path in paths)


class SourceIndex(Struct, frozen=True, kw_only=True):
    """Rows in source order: by file, then by place. ``statuses`` and ``problems``: of the files that a language analyses."""

    graph: ProjectGraph
    symbols: tuple[SymbolRow, ...] = ()
    references: tuple[ReferenceRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    libraries: tuple[LibrarySymbolRow, ...] = ()
    statuses: Mapping[str, DocumentStatus] = {}
    problems: Mapping[str, tuple[Problem, ...]] = {}


class _Rows:
    """A ``RowKeeper`` in memory."""

    def __init__(self) -> None:
        self.graph = ProjectGraph(())
        self.documents: Final[list[DocumentRow]] = []
        self.symbols: Final[list[SymbolRow]] = []
        self.references: Final[list[ReferenceRow]] = []
        self.relations: Final[list[RelationRow]] = []
        self.facts: Final[list[FactRow]] = []
        self.libraries: Final[list[LibrarySymbolRow]] = []

    def add_projects(self, graph: ProjectGraph) -> None:
        self.graph = graph

    def add_documents(self, rows: Iterable[DocumentRow]) -> None:
        self.documents.extend(rows)

    def add_symbols(self, rows: Iterable[SymbolRow]) -> None:
        self.symbols.extend(rows)

    def add_references(self, rows: Iterable[ReferenceRow]) -> None:
        self.references.extend(rows)

    def add_relations(self, rows: Iterable[RelationRow]) -> None:
        self.relations.extend(rows)

    def add_facts(self, rows: Iterable[FactRow]) -> None:
        self.facts.extend(rows)

    def add_library_symbols(self, rows: Iterable[LibrarySymbolRow]) -> None:
        self.libraries.extend(rows)

    def undeclared_ids(self) -> Iterable[str]:
        return undeclared_ids(self.symbols, (pack(self.references),), self.relations, self.facts)

    def judged_references(self) -> Iterator[ReferenceRow]:
        """As an index shows them."""
        declared = {row.symbol_id for row in self.symbols}
        declared.update(
            each
            for row in self.references
            for each in (row.to_symbol if row.kind is not RefKind.LINK else None, row.constructor)
            if each is not None
        )
        known = {row.symbol_id for row in self.libraries if row.assembly}
        for row in self.references:
            if row.kind is not RefKind.LINK or row.to_symbol is None:
                yield row
            elif row.to_symbol in known:
                yield judged_link(row, LinkTarget.EXTERNAL)
            else:
                yield judged_link(row, LinkTarget.DECLARED if row.to_symbol in declared else LinkTarget.UNKNOWN)

    def add_problems(self, file_path: str, problems: Iterable[Problem]) -> None:
        """Failures of plug-ins, which ``fill_from_sources`` raises."""

    def add_project_problems(self, problems: Iterable[ProjectProblem]) -> None:
        """As ``add_problems``."""

    def add_record(self, file_path: str, project_path: str, record: DocumentRecord) -> None:
        """What the next index would want to know."""

    def add_conclusions(self, extractor: str, said: Mapping[str, bytes], *, failed: bool) -> None:
        """As ``add_record``."""

    def settle(self) -> None:
        """Nothing is looked up before all rows have come."""


def index_sources(
    files: Mapping[str, str | bytes],
    host: PluginHost,
    reference_folders: Sequence[str] = (),
    seconds: float = SECONDS,
) -> SourceIndex:
    """Indexes files by path with what ``host`` provides; as ``fill_from_sources``."""
    rows = _Rows()
    fill_from_sources(rows, files, host, reference_folders, seconds)
    analysed = [each for each in rows.documents if each.status is not DocumentStatus.TEXT]
    return SourceIndex(
        graph=rows.graph,
        symbols=tuple(
            sorted(rows.symbols, key=lambda s: (s.file_path, s.name_line, s.name_column, s.symbol_id, s.project))
        ),
        references=tuple(
            sorted(
                rows.judged_references(),
                key=lambda r: (r.file_path, r.line, r.column, r.kind, r.to_symbol or "", r.project),
            )
        ),
        relations=tuple(sorted(rows.relations, key=lambda r: r.file_path)),
        facts=tuple(sorted(rows.facts, key=lambda f: (f.file_path, f.line_start, f.kind, f.value))),
        libraries=tuple(rows.libraries),
        statuses={each.file_path: each.status for each in analysed},
        problems={each.file_path: each.problems for each in analysed},
    )


def fill_from_sources(
    keeper: RowKeeper,
    files: Mapping[str, str | bytes],
    host: PluginHost,
    reference_folders: Sequence[str] = (),
    seconds: float = SECONDS,
) -> None:
    """Hands over what the stages make of files by path. ``reference_folders``: as ``Universe`` has them; ``seconds``: how long a plug-in
    may take for one file. What is built in runs in this process. Raises: AssertionError when something of a plug-in failed."""
    sources = SourceFiles(files)
    discovery = discover(sources, host, "")
    _check(discovery.loader_failures)
    analysis = Analysis(host, None, 1, unchecked, seconds, here=True)
    folders = tuple(reference_folders)
    stages = Stages(
        host, analysis, 1, seconds, unreported, unchecked, reference_folders=folders, cache_folder="", here=True
    )
    stages.fill(keeper, sources, discovery, stages.analysed(sources, discovery))
    _check(stages.failures)


def _check(failures: Iterable[ExtractionFailure]) -> None:
    said = [f"{each.file_path}: {each}" if each.file_path else str(each) for each in failures]
    assert not said, "\n".join(said)
