"""Is there a usable index? Answers in a few milliseconds, with the standard library alone, and never raises for a bad
file.

A sealed baseline is one file whose size the header states, so a truncated file is found without reading it. Damaged
pages in the middle show when they are read (``CorruptIndexError``), which leaves a mark beside the file, or by ``check_pages``, which
reads the whole file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.errors import StorageError
from codemap_core.model import DocumentStatus, ProjectProblem, SemanticLevel
from codemap_core.model.document import ANALYSER_FAILED, EXTRACTOR_FAILED
from codemap_core.storage.files.library_places import changed_place
from codemap_core.storage.files.provenance import why_stale
from codemap_core.storage.schema.versions import BASELINE_HEAD, BASELINE_VERSION_TABLE

_MAGIC: Final = b"SQLite format 3\0"
_INFO_COLUMNS: Final = (
    "state, codemap_version, fingerprint, repo_id, commit_sha, subtree, solution, created_at, semantic_level, "
    "project_diagnostics, project_problems, library_places, unsettled, file_count, symbol_count, reference_count, "
    "relation_count, fact_count, project_count"
)


class ProjectDiagnostic(Struct, frozen=True, omit_defaults=True):
    """How well one project could be analysed (contract 2.5)."""

    project_name: str
    compiled: bool
    symbol_count: int
    reference_count: int
    errors: tuple[str, ...] = ()
    framework: str = ""
    """Its target framework, where it was bound against the platform's libraries of another one; else empty, as ``libraries`` is."""
    libraries: str = ""
    """The target framework of those libraries."""


class IndexInfo(Struct, frozen=True, kw_only=True):
    """A baseline's description of itself. Before it is published only the first fields are known."""

    repo_id: str
    commit_sha: str
    fingerprint: str
    subtree: str = ""
    solution: str = ""
    semantic_level: SemanticLevel = SemanticLevel.FULL
    project_diagnostics: tuple[ProjectDiagnostic, ...] = ()
    project_problems: tuple[ProjectProblem, ...] = ()
    library_places: Mapping[str, str] = {}
    """As ``library_places.place_states`` found them when this was built."""
    unsettled: tuple[str, ...] = ()
    """The labels of extractors that failed while they concluded; they conclude again when the index is continued."""
    codemap_version: str = ""
    created_at: str = ""
    """ISO 8601, UTC."""
    state: str = "incomplete"
    file_count: int = 0
    symbol_count: int = 0
    reference_count: int = 0
    relation_count: int = 0
    fact_count: int = 0
    project_count: int = 0

    @property
    def problem_projects(self) -> Mapping[str, str]:
        """The first problem of each project that could not be read as it is meant, by its path."""
        problems: dict[str, str] = {}
        for problem in self.project_problems:
            if problem.project_path:
                problems.setdefault(problem.project_path, problem.message)
        return problems


class IndexState(StrEnum):
    """Whether and how the file at a path can be used."""

    MISSING = "missing"
    READY = "ready"
    INCOMPLETE = "incomplete"
    """Never sealed: build again."""
    OTHER_SCHEMA = "other_schema"
    """Older or newer than this program: ``migrate.plan`` tells which."""
    STALE = "stale"
    """Extracted by another fingerprint, or bound against libraries that have changed: build again."""
    CORRUPT = "corrupt"
    """Build again."""


class Examination(Struct, frozen=True):
    state: IndexState
    info: IndexInfo | None = None
    """Null when it could not be read."""
    revision: str | None = None
    """The revision of the schema, as the file states it."""
    problem: str = ""

    @property
    def is_ready(self) -> bool:
        return self.state is IndexState.READY


def has_failed_files(path: Path) -> bool:
    """Whether an analyser or an extractor failed on some file of a complete index; the database library is not loaded for it.
    Raises: sqlite3.Error."""
    with open_read_only(path) as connection:
        found = connection.execute(
            "SELECT 1 FROM files WHERE instr(problems, ?) OR instr(problems, ?) LIMIT 1",
            (f'"{ANALYSER_FAILED}"', f'"{EXTRACTOR_FAILED}"'),
        )
        return found.fetchone() is not None


def count_skipped_files(path: Path) -> int:
    """How many files of a complete index are listed without their text. The database library is not loaded for it. Raises:
    sqlite3.Error."""
    with open_read_only(path) as connection:
        found = connection.execute("SELECT count(*) FROM files WHERE status = ?", (DocumentStatus.SKIPPED.value,))
        return int(found.fetchone()[0])


def examine_baseline(path: Path, fingerprint: str | None = None) -> Examination:
    """Tells how the baseline at ``path`` can be used. ``fingerprint``: the one this program would extract with; null
    accepts any."""
    problem = _file_problem(path)
    if problem is not None:
        return problem
    try:
        with open_read_only(path) as connection:
            revision = _revision(connection, BASELINE_VERSION_TABLE)
            if revision is None:
                return Examination(IndexState.CORRUPT, problem="it has no schema version: not a CodeMap index")
            if revision != BASELINE_HEAD:
                return Examination(IndexState.OTHER_SCHEMA, revision=revision, problem=f"its schema is {revision}")
            info = read_info(connection)
    except sqlite3.Error as error:
        return Examination(IndexState.CORRUPT, problem=str(error))
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        return Examination(IndexState.CORRUPT, revision=revision, problem=f"its info row cannot be read ({error})")
    if info is None or info.state != "complete":
        return Examination(IndexState.INCOMPLETE, info, revision, "it was never completed")
    if fingerprint is not None and info.fingerprint != fingerprint:
        return Examination(IndexState.STALE, info, revision, why_stale(info.fingerprint, fingerprint))
    place = changed_place(info.library_places) if fingerprint is not None else None
    if place is not None:
        return Examination(IndexState.STALE, info, revision, f"libraries of this machine changed ({place})")
    return Examination(IndexState.READY, info, revision)


def check_pages(path: Path) -> str | None:
    """The fault that SQLite finds after reading the whole file, or null. It takes seconds for a large index."""
    try:
        with open_read_only(path) as connection:
            rows = connection.execute("PRAGMA quick_check(5)").fetchall()
    except sqlite3.Error as error:
        return str(error)
    text = "; ".join(str(row[0]) for row in rows)
    return None if text == "ok" else text


def note_damage(path: Path, error: BaseException | None) -> None:
    """Remembers that reading the file met a damaged page, so that the next build does not take it for a good one. The mark is about
    this very file and means nothing once another one took its place."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        with suppress(OSError):
            damage_mark(path).write_text(_identity(path.stat()), encoding="ascii")


def damage_mark(path: Path) -> Path:
    """Where it is noted that reading the file at ``path`` met a damaged page."""
    return path.with_name(path.name + ".damaged")


def _identity(status: os.stat_result) -> str:
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a sealed file: no locks, no journal, no side files."""
    connection = sqlite3.connect(read_only_uri(path), uri=True)
    try:
        yield connection
    finally:
        connection.close()


def sqlite_description() -> str:
    """The SQLite that Python has here. Raises: StorageError when it lacks full-text search."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError as error:
            raise StorageError(
                f"The SQLite of this Python ({sqlite3.sqlite_version}) lacks FTS5: use another build of Python."
            ) from error
    return f"SQLite {sqlite3.sqlite_version} with FTS5"


def read_only_uri(path: Path, immutable: bool = True) -> str:
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"


def _file_problem(path: Path) -> Examination | None:
    """The fault that the size and the first 100 bytes show (SQLite file format, section 1.3)."""
    try:
        status = path.stat()
        size = status.st_size
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return Examination(IndexState.MISSING)
    except OSError as error:
        return Examination(IndexState.CORRUPT, problem=f"it cannot be read ({error.strerror})")
    with suppress(OSError):
        if damage_mark(path).read_text(encoding="ascii", errors="replace") == _identity(status):
            return Examination(IndexState.CORRUPT, problem="reading it met a damaged page")
    if len(header) < 100 or not header.startswith(_MAGIC):
        return Examination(IndexState.CORRUPT, problem="it is not a database")
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    pages = int.from_bytes(header[28:32], "big")
    if size < pages * page_size:
        return Examination(IndexState.CORRUPT, problem=f"it is truncated ({size} of {pages * page_size} bytes)")
    return None


def _revision(connection: sqlite3.Connection, table: str) -> str | None:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
    if known is None:
        return None
    row = connection.execute(f"SELECT version_num FROM {table}").fetchone()
    return None if row is None else str(row[0])


def read_info(connection: sqlite3.Connection) -> IndexInfo | None:
    """What an index of this program's schema says of itself; null when it was never begun. Raises: sqlite3.Error, msgspec.MsgspecError."""
    row = connection.execute(f"SELECT {_INFO_COLUMNS} FROM info").fetchone()
    return None if row is None else _decode_info(row)


def _decode_info(row: tuple[object, ...]) -> IndexInfo:
    names = [name.strip() for name in _INFO_COLUMNS.split(",")]
    fields = dict(zip(names, row, strict=True))
    diagnostics = msgspec.json.decode(str(fields["project_diagnostics"]), type=tuple[ProjectDiagnostic, ...])
    problems = msgspec.json.decode(str(fields["project_problems"]), type=tuple[tuple[str, str], ...])
    fields["library_places"] = msgspec.json.decode(str(fields["library_places"]), type=dict[str, str])
    fields["unsettled"] = msgspec.json.decode(str(fields["unsettled"]), type=tuple[str, ...])
    fields["project_diagnostics"] = diagnostics
    fields["project_problems"] = tuple(ProjectProblem(*problem) for problem in problems)
    return msgspec.convert(fields, IndexInfo, strict=True)
