"""The canonical rows of an index: what ``codemap dump`` prints and what laws about equal indexes compare.

Keys, in this order, and their meaning: DESIGN §6, docs/storage.md. Rows are sorted by content alone, so equal indexes
give equal dumps whatever order their rows were written in. Everything is streamed except for the sort of one file's or
one table's rows in SQLite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import select

from codemap_core.model import DocumentRow, FactRow, Project, ReferenceRow, RelationRow, SymbolRow
from codemap_core.storage.reading import row_decoder
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema import baseline_tables as t

DumpRow = Mapping[str, Any]


def iter_symbols(reader: IndexReader) -> Iterator[DumpRow]:
    """One row for each symbol of each project, by id, project and place."""
    query = row_decoder.SYMBOLS.order_by(
        t.SymbolId.symbol_id,
        t.Project.name,
        t.File.path,
        t.Symbol.span_start,
        t.Symbol.span_end,
        t.Project.project_path,
    )
    names = reader.project_names
    with reader.streaming() as connection:
        for row in connection.execute(query):
            yield _symbol(row_decoder.symbol(row, ()), names)


def iter_refs(reader: IndexReader) -> Iterator[DumpRow]:
    """One row for each occurrence, by place."""
    files = select(t.File.id).order_by(t.File.path)
    query = row_decoder.REFERENCES.order_by(
        t.Ref.line,
        t.Ref.column,
        t.Ref.kind,
        *(row_decoder.FROM_ID.symbol_id, row_decoder.TO_ID.symbol_id, row_decoder.CONSTRUCTOR_ID.symbol_id),
        *(row_decoder.NAME.value, row_decoder.CONDITION.value, t.Project.project_path),
    )
    with reader.streaming() as connection:
        for file_id in connection.execute(files).scalars().all():
            for row in connection.execute(query.where(t.Ref.file_id == file_id)):
                yield _reference(row_decoder.reference(row))


def iter_relations(reader: IndexReader) -> Iterator[DumpRow]:
    """One row for each base type or interface, by the type that has it."""
    query = row_decoder.RELATIONS.order_by(
        row_decoder.FROM_ID.symbol_id, t.Relation.kind, row_decoder.TO_ID.symbol_id, t.Relation.external
    )
    with reader.streaming() as connection:
        yield from _without_repetition(_relation(row_decoder.relation(row)) for row in connection.execute(query))


def iter_facts(reader: IndexReader) -> Iterator[DumpRow]:
    """One row for each fact, by kind, value and place."""
    projects = {each.project_path: each for each in reader.projects()}
    query = row_decoder.FACTS.order_by(
        t.Fact.kind,
        t.Fact.value,
        t.File.path,
        t.Fact.line_start,
        t.Fact.line_end,
        t.SymbolId.symbol_id,
        t.Fact.confidence,
        t.Fact.detail,
        t.Project.project_path,
    )
    with reader.streaming() as connection:
        yield from (_fact(row_decoder.fact(row), projects) for row in connection.execute(query))


def iter_files(reader: IndexReader) -> Iterator[DumpRow]:
    """One row for each document, by path. ``project``: the first in path order that compiles it, or null."""
    names = reader.project_names
    for document in reader.documents():
        yield _file(document, names)


def iter_projects(reader: IndexReader) -> Iterator[DumpRow]:
    """One row for each project, by path."""
    return map(_project, reader.projects())


DUMPS: Final[Mapping[str, Callable[[IndexReader], Iterator[DumpRow]]]] = {
    "symbols": iter_symbols,
    "refs": iter_refs,
    "relations": iter_relations,
    "facts": iter_facts,
    "files": iter_files,
    "projects": iter_projects,
}
"""The kinds of rows that ``codemap dump`` can print."""


def dumped(reader: IndexReader, row: object) -> DumpRow:
    """One row of an index as its dump has it. Raises: TypeError for what is not a row of the model."""
    match row:
        case SymbolRow():
            return _symbol(row, reader.project_names)
        case ReferenceRow():
            return _reference(row)
        case RelationRow():
            return _relation(row)
        case FactRow():
            return _fact(row, {each.project_path: each for each in reader.projects()})
        case DocumentRow():
            return _file(row, reader.project_names)
        case Project():
            return _project(row)
    raise TypeError(f"no dump has rows such as {type(row).__name__}")


def _symbol(symbol: SymbolRow, project_names: Mapping[str, str]) -> DumpRow:
    return {
        "symbol_id": symbol.symbol_id,
        "stable_id": symbol.stable_id,
        "kind": symbol.kind,
        "fully_qualified_name": symbol.fully_qualified_name,
        "signature": symbol.signature,
        "documentation": None if symbol.documentation is None else symbol.documentation.summary,
        "namespace": symbol.namespace,
        "containing_type": symbol.containing_type,
        "file_path": symbol.file_path,
        "span_start": symbol.span_start,
        "span_end": symbol.span_end,
        "visibility": symbol.visibility,
        "project": project_names.get(symbol.project),
        "confidence": symbol.confidence,
        "condition": symbol.condition,
    }


def _reference(reference: ReferenceRow) -> DumpRow:
    return {
        "kind": reference.role or reference.kind,
        "from_symbol": reference.from_symbol,
        "to_symbol": reference.to_symbol,
        "constructor": reference.constructor,
        "to_name": reference.to_name,
        "to_container_hint": reference.to_container_hint,
        "file_path": reference.file_path,
        "line": reference.line,
        "column": reference.column,
        "line_end": reference.line_end,
        "resolution_state": reference.resolution_state,
        "external": reference.external,
        "confidence": reference.confidence,
        "reason": reference.reason,
        "condition": reference.condition,
    }


def _relation(relation: RelationRow) -> DumpRow:
    return {
        "kind": relation.kind,
        "from_symbol": relation.from_symbol,
        "to_symbol": relation.to_symbol,
        "external": relation.external,
    }


def _fact(fact: FactRow, projects: Mapping[str, Project]) -> DumpRow:
    project = projects.get(fact.project)
    return {
        "kind": fact.kind,
        "value": fact.value,
        "detail": fact.detail,
        "symbol_id": fact.symbol_id,
        "file_path": fact.file_path,
        "line_start": fact.line_start,
        "line_end": fact.line_end,
        "confidence": fact.confidence,
        "project": project.name if project is not None else None,
        "test": project is not None and project.is_test,
    }


def _file(document: DocumentRow, project_names: Mapping[str, str]) -> DumpRow:
    return {
        "file_path": document.file_path,
        "sha256": document.sha256,
        "language": document.language,
        "project": project_names[document.projects[0]] if document.projects else None,
        "line_count": document.line_count,
        "generated": document.generated,
    }


_PAGES: Final = (".razor", ".cshtml", ".xaml", ".axaml", ".proto")
"""What a project compiles beside the files that the row lists, which are those of C#."""


def _project(project: Project) -> DumpRow:
    return {
        "project_path": project.project_path,
        "name": project.name,
        "assembly_name": project.assembly_name,
        "sdk": project.sdk,
        "target_framework": project.target_framework,
        "target_frameworks": project.target_frameworks,
        "files": sorted(path for path in project.files if not path.lower().endswith(_PAGES)),
        "project_references": sorted(project.project_references),
        "packages": sorted(str(package) for package in project.packages),
        "usings": sorted(project.usings),
        "defines": sorted(project.defines),
        "lang_version": project.lang_version,
    }


def _without_repetition(rows: Iterator[DumpRow]) -> Iterator[DumpRow]:
    """Sorted rows, equal ones once: a type declared by two projects, or in parts that repeat an interface, says it
    once."""
    previous: DumpRow | None = None
    for row in rows:
        if row != previous:
            yield row
        previous = row
