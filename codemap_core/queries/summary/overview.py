"""The contents of a repository, for a reader who has never seen it: projects and their references, its largest and its most used
types, its endpoints, tables and messages, and every symbol by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from codemap_core.model import SymbolKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.summary.overview_facts import FactsOverview, facts_overview
from codemap_core.storage.reading.overview import (
    DeclaredSymbol,
    count_symbols_of_projects,
    count_uses_of_types,
    iter_declared,
)

TYPES_SHOWN: Final = 50
"""Largest, and most used, types."""
MAX_SYMBOLS: Final = 150_000
"""Symbols that an overview lists by name; of a larger repository only its types."""


class ProjectOverview(Struct, frozen=True, kw_only=True):
    """``is_application``: its output can be started. ``references``: paths of the projects that it references directly, as far
    as they are indexed."""

    project_path: str
    name: str
    target_framework: str
    is_test: bool
    is_application: bool
    file_count: int
    symbol_count: int
    references: tuple[str, ...]


class TypeOverview(Struct, frozen=True, kw_only=True):
    """``uses``: references to the type and its members from outside it. ``line_count``: of its first declaration."""

    symbol_id: str
    kind: SymbolKind
    fully_qualified_name: str
    file_path: str
    line: int
    line_count: int
    member_count: int
    uses: int


class Overview(Struct, frozen=True, kw_only=True):
    repository: str
    commit_sha: str
    created_at: str
    subtree: str
    solution: str
    file_count: int
    symbol_count: int
    reference_count: int
    projects: tuple[ProjectOverview, ...]
    """By path."""
    largest_types: tuple[TypeOverview, ...]
    most_used_types: tuple[TypeOverview, ...]
    symbols: tuple[DeclaredSymbol, ...]
    """By full name. One that several projects compile from the same file is one here, and several in the counts."""
    left_out: int
    """Symbols that are not among ``symbols``: the members, where there are too many."""
    facts: FactsOverview


def overview_of(snapshot: Snapshot, repository: str) -> Overview:
    """``repository``: its name for readers."""
    reader = snapshot.reader
    declared = tuple(iter_declared(reader))
    uses = count_uses_of_types(reader)
    members: Counter[str] = Counter(
        each.fully_qualified_name.rpartition(".")[0] for each in declared if not each.is_type
    )
    first: dict[str, DeclaredSymbol] = {}
    for each in declared:
        if each.is_type:
            first.setdefault(each.symbol_id, each)
    types = [
        TypeOverview(
            symbol_id=each.symbol_id,
            kind=each.kind,
            fully_qualified_name=each.fully_qualified_name,
            file_path=each.file_path,
            line=each.line,
            line_count=each.line_count,
            member_count=members[each.fully_qualified_name],
            uses=uses.get(each.symbol_id, 0),
        )
        for each in first.values()
    ]
    symbols = declared if len(declared) <= MAX_SYMBOLS else tuple(each for each in declared if each.is_type)
    return Overview(
        repository=repository,
        commit_sha=snapshot.commit_sha,
        created_at=reader.info.created_at,
        subtree=reader.info.subtree,
        solution=reader.info.solution,
        file_count=reader.info.file_count,
        symbol_count=reader.info.symbol_count,
        reference_count=reader.info.reference_count,
        projects=_projects(snapshot),
        largest_types=_first(types, lambda each: each.line_count),
        most_used_types=_first([each for each in types if each.uses], lambda each: each.uses),
        symbols=symbols,
        left_out=len(declared) - len(symbols),
        facts=facts_overview(snapshot),
    )


def _first(types: list[TypeOverview], size: Callable[[TypeOverview], int]) -> tuple[TypeOverview, ...]:
    return tuple(sorted(types, key=lambda each: (-size(each), each.symbol_id))[:TYPES_SHOWN])


def _projects(snapshot: Snapshot) -> tuple[ProjectOverview, ...]:
    symbols = count_symbols_of_projects(snapshot.reader)
    projects = snapshot.reader.projects()
    known = {each.project_path for each in projects}
    return tuple(
        ProjectOverview(
            project_path=each.project_path,
            name=each.name,
            target_framework=each.target_framework or "",
            is_test=each.is_test,
            is_application=each.is_application,
            file_count=len(each.files),
            symbol_count=symbols.get(each.project_path, 0),
            references=tuple(path for path in each.project_references if path in known),
        )
        for each in projects
    )
