"""Documents, their texts and the projects that compile them, read from an index with the standard library alone, so that the next index can
be made from an earlier one without loading the database library. Functions raise sqlite3.Error.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from codemap_core.model import DocumentRow, DocumentStatus, PackageReference, Problem, Project
from codemap_core.storage.writing.row_encoder import decompress_text

_FILES: Final = "SELECT id, path, sha256, blob_id, language, line_count, size, generated, status, problems FROM files"
_OWNERS: Final = (
    "SELECT file_projects.file_id, projects.project_path FROM file_projects "
    "JOIN projects ON projects.id = file_projects.project_id"
)
_COMPILED: Final = (
    "SELECT file_projects.project_id, files.path FROM file_projects JOIN files ON files.id = file_projects.file_id "
    "ORDER BY files.path"
)
_PROJECTS: Final = (
    "SELECT id, project_path, name, assembly_name, sdk, target_framework, target_frameworks, project_references, packages, usings, "
    "defines, settings FROM projects ORDER BY project_path"
)
_TEXTS: Final = (
    "SELECT files.path, file_texts.text FROM files JOIN file_texts ON file_texts.file_id = files.id "
    "WHERE files.path IN (SELECT value FROM json_each(?))"
)
_COUNTED_SYMBOLS: Final = (
    "SELECT count(*) FROM symbols WHERE file_id IN "
    "(SELECT id FROM files WHERE path IN (SELECT value FROM json_each(?)))"
)
_FIRST_DECLARING: Final = (
    "SELECT DISTINCT files.path FROM symbol_parts JOIN symbols ON symbols.id = symbol_parts.symbol_row "
    "JOIN files ON files.id = symbols.file_id "
    "WHERE symbol_parts.file_id IN (SELECT id FROM files WHERE path IN (SELECT value FROM json_each(?)))"
)


def documents(connection: sqlite3.Connection) -> Iterator[DocumentRow]:
    """All documents without their text, in path order."""
    return _documents(connection, "", ())


def documents_at(connection: sqlite3.Connection, file_paths: Iterable[str]) -> Iterator[DocumentRow]:
    """Those of some paths, without their text, in path order."""
    return _documents(connection, "path IN (SELECT value FROM json_each(?))", (_listed(file_paths),))


def documents_with_problems(connection: sqlite3.Connection) -> Iterator[DocumentRow]:
    """Those that have any, without their text, in path order."""
    return _documents(connection, "problems IS NOT NULL", ())


def texts(connection: sqlite3.Connection, file_paths: Iterable[str]) -> dict[str, str]:
    """The decoded texts of those documents that have one, by path."""
    rows = connection.execute(_TEXTS, (_listed(file_paths),))
    return {path: decompress_text(stored) for path, stored in rows}


def count_symbols(connection: sqlite3.Connection, file_paths: Iterable[str]) -> int:
    """Symbols that some documents declare; of paths that are not in the index none."""
    return int(connection.execute(_COUNTED_SYMBOLS, (_listed(file_paths),)).fetchone()[0])


def first_declaring(connection: sqlite3.Connection, file_paths: Iterable[str]) -> set[str]:
    """Paths of the documents with the rows of partial symbols, one for each symbol, that documents of these paths go on with."""
    return {path for (path,) in connection.execute(_FIRST_DECLARING, (_listed(file_paths),))}


def projects(connection: sqlite3.Connection) -> tuple[Project, ...]:
    """In path order; ``files`` are the indexed ones."""
    files: defaultdict[int, list[str]] = defaultdict(list)
    for number, path in connection.execute(_COMPILED):
        files[number].append(path)
    return tuple(_project(row, tuple(files.get(row[0], ()))) for row in connection.execute(_PROJECTS))


def _documents(connection: sqlite3.Connection, condition: str, values: Sequence[str]) -> Iterator[DocumentRow]:
    where = f" WHERE {condition}" if condition else ""
    of_files = f" WHERE file_projects.file_id IN (SELECT id FROM files{where})" if condition else ""
    owners: defaultdict[int, list[str]] = defaultdict(list)
    for number, path in connection.execute(f"{_OWNERS}{of_files} ORDER BY projects.project_path", values):
        owners[number].append(path)
    for row in connection.execute(f"{_FILES}{where} ORDER BY path", values):
        yield _document(row, tuple(owners.get(row[0], ())))


def _document(row: Sequence[Any], compiled_by: tuple[str, ...]) -> DocumentRow:
    _, path, sha256, blob_id, language, line_count, size, generated, status, problems = row
    return DocumentRow(
        file_path=path,
        sha256=sha256,
        blob_id=blob_id,
        language=language,
        projects=compiled_by,
        line_count=line_count,
        size=size,
        generated=bool(generated),
        status=DocumentStatus(status),
        problems=tuple(Problem(*each) for each in _list(problems)) if problems else (),
    )


def _project(row: Sequence[Any], files: tuple[str, ...]) -> Project:
    _, path, name, assembly_name, sdk, framework, frameworks, references, packages, usings, defines, said = row
    settings = msgspec.json.decode(said)
    left_out = {each for each, _ in settings.get("left_out", ())}
    known = {
        "project_path": path,
        "name": name,
        "assembly_name": assembly_name,
        "sdk": sdk,
        "target_framework": framework,
        "target_frameworks": _list(frameworks),
        "files": tuple(each for each in files if each not in left_out) if left_out else files,
        "project_references": _list(references),
        "packages": tuple(PackageReference(*each) for each in _list(packages)),
        "usings": _list(usings),
        "defines": _list(defines),
    }
    return msgspec.convert({**settings, **known}, Project)


def _list(stored: str) -> tuple[Any, ...]:
    return tuple(msgspec.json.decode(stored, type=tuple[Any, ...]))


def _listed(values: Iterable[str]) -> str:
    return msgspec.json.encode(list(values)).decode()
