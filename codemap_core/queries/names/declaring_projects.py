"""Which declaration of an id is meant where several projects declare it, and which projects' references mean that one.

Two projects that compile the same file declare one symbol. Projects that declare an id in files of their own (``Program``) declare
different ones: their answers are never mixed. A file that no project compiles, such as generated code that was checked in, does not make an
id ambiguous: the project's declaration is meant.

Seen from a place in the code, such as a reference or an endpoint, no question is put back: the declaration in the same file is meant, else
that of the same project, else one of a project that this one reaches through project references, else one of a project that reaches it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolRow
from codemap_core.model.documentation_id import readable_name
from codemap_core.queries.names.filter_values import unknown_project
from codemap_core.queries.names.symbol_candidates import Candidate
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import Edge, EdgeLookup
from codemap_core.storage.reading.fact_lookup import OwnedFact
from codemap_core.storage.reading.reference_lookup import ReferenceCount


class Declaration(Struct, frozen=True):
    """``symbol``: the first declaration in path order; ``others`` are further ones of the same symbol. ``projects``: paths of the projects
    whose references mean it, in path order; empty for all."""

    symbol: SymbolRow
    others: tuple[SymbolRow, ...] = ()
    projects: tuple[str, ...] = ()


class Standpoint(NamedTuple):
    """A place in the code, from which one of several declarations is meant. ``project``: path; empty where none compiles the file."""

    file_path: str
    project: str

    @staticmethod
    def of(declared: SymbolRow) -> Standpoint:
        return Standpoint(declared.file_path, declared.project)

    @staticmethod
    def at(edges: EdgeLookup, row: Edge | OwnedFact | ReferenceCount) -> Standpoint:
        """Where references or a fact stand."""
        return Standpoint(edges.paths[row.file_id], edges.project_paths.get(row.project_id or 0, ""))


def nearest_declarations(snapshot: Snapshot, wanted: Mapping[str, Standpoint | None]) -> dict[str, SymbolRow]:
    """By id, for those that are declared: the declaration that is meant where its standpoint is; the first of all where that is null."""
    found: dict[str, list[SymbolRow]] = {}
    for symbol in snapshot.reader.declarations(wanted):
        found.setdefault(symbol.symbol_id, []).append(symbol)
    return {
        symbol_id: rows[0] if len(rows) == 1 else _nearest(snapshot, rows, wanted[symbol_id])
        for symbol_id, rows in found.items()
    }


def _nearest(snapshot: Snapshot, rows: Sequence[SymbolRow], seen_from: Standpoint | None) -> SymbolRow:
    if seen_from is None:
        return rows[0]
    references = _references(snapshot)

    def distance(row: SymbolRow) -> tuple[Any, ...]:
        is_apart = row.project != seen_from.project
        return (
            seen_from.file_path not in _files(row),
            is_apart,
            is_apart and not _reaches(seen_from.project, {row.project}, references),
            is_apart and not _reaches(row.project, {seen_from.project}, references),
        )

    return min(rows, key=distance)


def files_of_others(snapshot: Snapshot, chosen: Collection[SymbolRow]) -> frozenset[str]:
    """The files in which other symbols than ``chosen`` are declared by the same ids."""
    own = {path for row in chosen for path in _files(row)}
    rows = snapshot.reader.declarations(row.symbol_id for row in chosen)
    return frozenset(path for row in rows for path in _files(row)) - own


def projects_of_others(snapshot: Snapshot, chosen: Collection[SymbolRow]) -> dict[str, frozenset[str]]:
    """By id, the paths of the projects that declare another symbol by it than the one in ``chosen``; empty for a file that no project
    compiles."""
    rows: dict[str, list[SymbolRow]] = {}
    for row in snapshot.reader.declarations(each.symbol_id for each in chosen):
        rows.setdefault(row.symbol_id, []).append(row)
    found = {}
    for each in chosen:
        groups = _groups(rows[each.symbol_id])
        found[each.symbol_id] = frozenset(row.project for group in groups if each not in group for row in group)
    return found


def members_of_declaration(snapshot: Snapshot, declared: SymbolRow) -> tuple[SymbolRow, ...]:
    """Direct members of a type, nested types included, by place: as this one of several declarations of its id has them."""
    members = snapshot.reader.members_of(declared.symbol_id)
    if not declared.project:
        return _members_of_left_out(declared, members)
    groups = _groups(snapshot.reader.symbols_with_id(declared.symbol_id))
    own = next((group for group in groups if declared in group), None)
    if own is None or len(groups) == 1:
        return members
    projects = {row.project for row in own}
    files = {path for row in own for path in _files(row)}
    return tuple(each for each in members if each.project in projects or each.file_path in files)


def _members_of_left_out(declared: SymbolRow, members: Sequence[SymbolRow]) -> tuple[SymbolRow, ...]:
    """Of a type that no project compiles. Files that no project compiles are taken together, although they may hold several versions of
    one type: a file that declares a member again has another version of it."""
    by_file: dict[str, set[str]] = {}
    for each in members:
        by_file.setdefault(each.file_path, set()).add(each.symbol_id)
    kept: set[str] = set()
    files: set[str] = set()
    for path in _files(declared):
        if kept.isdisjoint(by_file.get(path, ())):
            kept |= by_file.get(path, set())
            files.add(path)
    return tuple(each for each in members if each.file_path in files)


def declaration_of(snapshot: Snapshot, symbol_id: str, project: str = "") -> Declaration | None:
    """The declaration of an id; null when nothing declares it. ``project``: name or path of one that does. Raises: AmbiguousError when
    several projects declare it and none is named; NotFoundError when the named one does not; InvalidArgumentError when there is no such
    project."""
    rows = snapshot.reader.symbols_with_id(symbol_id)
    if not rows:
        return None
    groups = _groups(rows)
    compiled = [group for group in groups if group[0].project]
    if project:
        named = _projects_named(snapshot, project)
        chosen = [group for group in groups if any(row.project in named for row in group)]
        if not chosen:
            raise NotFoundError(
                f"'{readable_name(symbol_id)}' is not declared in project '{project}', but in "
                f"{_names(snapshot, rows) or 'a file that no project compiles'}.",
                name=symbol_id,
                candidates=_candidates(groups),
            )
        rows = tuple(sorted(chosen[0], key=lambda row: row.project not in named))
    elif len(compiled) > 1:
        raise AmbiguousError(
            f"'{readable_name(symbol_id)}' is declared by several projects: {_names(snapshot, rows)}. Say which with project.",
            name=symbol_id,
            candidates=_candidates(compiled),
        )
    elif compiled:
        rows = tuple(compiled[0])
    projects = _meaning(snapshot, rows, groups) if len(groups) > 1 else ()
    return Declaration(rows[0], tuple(rows[1:]), projects)


def declarations_apart(snapshot: Snapshot, symbol_id: str) -> tuple[SymbolRow, ...]:
    """The first declaration of each symbol that projects declare by an id, in the order of their paths."""
    groups = _groups(snapshot.reader.symbols_with_id(symbol_id))
    return tuple(group[0] for group in groups if group[0].project)


def _groups(rows: Iterable[SymbolRow]) -> list[list[SymbolRow]]:
    """Declarations of one symbol each: of projects that share a file of it."""
    groups: list[tuple[set[str], list[SymbolRow]]] = []
    for row in rows:
        keys = {f"file {path}" for path in _files(row)}
        keys.add(f"project {row.project}")
        joined: tuple[set[str], list[SymbolRow]] = (keys, [row])
        apart = []
        for known in groups:
            if known[0] & keys:
                joined = (known[0] | joined[0], known[1] + joined[1])
            else:
                apart.append(known)
        groups = [*apart, joined]
    return sorted((members for _, members in groups), key=lambda members: members[0].project)


def _files(row: SymbolRow) -> tuple[str, ...]:
    """Those that the symbol is declared in, each of its parts."""
    return (row.file_path, *(part.file_path for part in row.other_parts))


def _meaning(snapshot: Snapshot, rows: Sequence[SymbolRow], groups: Sequence[Sequence[SymbolRow]]) -> tuple[str, ...]:
    """The projects that declare it, and those that reach them through project references and do not declare it themselves."""
    references = _references(snapshot)
    own = {row.project for row in rows}
    others = {row.project for group in groups for row in group} - own
    return tuple(
        path for path in sorted(references) if path in own or (path not in others and _reaches(path, own, references))
    )


def _references(snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
    """By path, the projects whose declarations one sees directly."""
    return {project.project_path: project.sources_seen for project in snapshot.reader.projects()}


def _reaches(path: str, wanted: set[str], references: Mapping[str, Sequence[str]]) -> bool:
    seen = {path}
    pending = [path]
    while pending:
        for reached in references.get(pending.pop(), ()):
            if reached in wanted:
                return True
            if reached not in seen:
                seen.add(reached)
                pending.append(reached)
    return False


def _projects_named(snapshot: Snapshot, project: str) -> frozenset[str]:
    wanted = project.lower()
    names = snapshot.reader.project_names
    found = frozenset(path for path, name in names.items() if wanted in (path.lower(), name.lower()))
    if not found:
        raise InvalidArgumentError(str(unknown_project(snapshot, project)), project=project)
    return found


def _names(snapshot: Snapshot, rows: Iterable[SymbolRow]) -> str:
    names = snapshot.reader.project_names
    return ", ".join(dict.fromkeys(names.get(row.project, row.project) for row in rows if row.project))


def _candidates(groups: Iterable[Sequence[SymbolRow]]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            symbol_id=group[0].symbol_id,
            kind=group[0].kind,
            display=group[0].fully_qualified_name,
            file_path=group[0].file_path,
            line=group[0].name_line,
            project=group[0].project,
        )
        for group in groups
    )
