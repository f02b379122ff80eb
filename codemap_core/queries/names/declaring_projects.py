"""Which declaration of an id is meant where several projects declare it, and which projects' references mean that one.

Two projects that compile the same file declare one symbol. Projects that declare an id in files of their own (``Program``) declare
different ones: their answers are never mixed. A file that no project compiles, such as generated code that was checked in, does not make an
id ambiguous: the project's declaration is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolRow
from codemap_core.model.documentation_id import readable_name
from codemap_core.queries.names.filter_values import unknown_project
from codemap_core.queries.names.symbol_candidates import Candidate
from codemap_core.queries.snapshot import Snapshot


class Declaration(Struct, frozen=True):
    """``symbol``: the first declaration in path order; ``others`` are further ones of the same symbol. ``projects``: paths of the projects
    whose references mean it, in path order; empty for all."""

    symbol: SymbolRow
    others: tuple[SymbolRow, ...] = ()
    projects: tuple[str, ...] = ()


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


def _groups(rows: Iterable[SymbolRow]) -> list[list[SymbolRow]]:
    """Declarations of one symbol each: of projects that share a file of it."""
    groups: list[tuple[set[str], list[SymbolRow]]] = []
    for row in rows:
        keys = {f"file {path}" for path in (row.file_path, *(part.file_path for part in row.other_parts))}
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


def _meaning(snapshot: Snapshot, rows: Sequence[SymbolRow], groups: Sequence[Sequence[SymbolRow]]) -> tuple[str, ...]:
    """The projects that declare it, and those that reach them through project references and do not declare it themselves."""
    references = {project.project_path: project.sources_seen for project in snapshot.reader.projects()}
    own = {row.project for row in rows}
    others = {row.project for group in groups for row in group} - own
    return tuple(
        path for path in sorted(references) if path in own or (path not in others and _reaches(path, own, references))
    )


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
