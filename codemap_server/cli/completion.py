"""What the shell completes: kinds, tools, projects, symbols, commits. A completion that fails completes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codemap_core.errors import CodeMapError

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository

_SYMBOLS_OFFERED = 60


def symbol_kinds(incomplete: str) -> list[str]:
    from codemap_core.model import SymbolKind
    from codemap_core.model.symbol import FURTHER_KINDS

    return _listed((kind.value for kind in (*SymbolKind, *FURTHER_KINDS)), incomplete)


def reference_kinds(incomplete: str) -> list[str]:
    from codemap_core.model import RefKind

    return _listed((*(kind.value for kind in RefKind), "all"), incomplete)


def fact_kinds(incomplete: str) -> list[tuple[str, str]]:
    from codemap_core.hooks.manager import load_plugins

    with suppress(CodeMapError):
        return [
            (each.kind, each.title) for each in load_plugins().fact_sources.kinds if each.kind.startswith(incomplete)
        ]
    return []


def tools(incomplete: str) -> list[tuple[str, str]]:
    from codemap_core.hooks.manager import load_plugins

    with suppress(CodeMapError):
        return [
            (tool.name, tool.title)
            for family in load_plugins().tool_families
            for tool in family.tools
            if tool.name.startswith(incomplete)
        ]
    return []


def projects(ctx: Any, incomplete: str) -> list[str]:
    return _of_index(ctx, lambda _, index: _beginning(sorted(index.reader.project_names.values()), incomplete))


def symbols(ctx: Any, incomplete: str) -> list[str]:
    """Names that start with ``incomplete``: of members alone, with their type or with all that contains it, as far as that was begun."""

    def found(_: Repository, index: Snapshot) -> list[str]:
        from codemap_core.queries.search.symbol_search import search_symbols

        container, dot, name = incomplete.rpartition(".")
        if not name and not container:
            return []
        hits = search_symbols(index, f"{name or container}*", limit=_SYMBOLS_OFFERED).hits
        names = []
        for hit in hits:
            segments = hit.fully_qualified_name.split(".")
            named = [segments[-1]] if hit.is_type else [".".join(segments[-2:]), segments[-1]]
            names += [*named, hit.fully_qualified_name] if dot else named
        names += _members(index, container)
        return list(dict.fromkeys(each for each in names if each.lower().startswith(incomplete.lower())))

    return _of_index(ctx, found)


def _members(index: Snapshot, container: str) -> list[str]:
    """Of the types so called, with the type's name and with all that contains it."""
    from codemap_core.queries.search.symbol_search import search_symbols

    called = container.rpartition(".")[2].lower()
    hits = search_symbols(index, called, limit=_SYMBOLS_OFFERED).hits if called else ()
    types = [each for each in hits if each.is_type and each.fully_qualified_name.lower().endswith(called)]
    members = [row.fully_qualified_name for each in types for row in index.reader.members_of(each.symbol_id)]
    return [name for each in members for name in (".".join(each.split(".")[-2:]), each)]


def commits(ctx: Any, incomplete: str) -> list[str]:
    """Branches and tags."""
    from codemap_core.repository import run_git

    with suppress(CodeMapError, OSError):
        repository = _repository(ctx)
        names = ("refs/heads", "refs/tags")
        _, out = run_git(repository.root, "for-each-ref", "--format=%(refname:short)", *names)
        return _beginning(out.decode("utf-8", "replace").split("\n"), incomplete)
    return []


def _listed(words: Iterable[str], incomplete: str) -> list[str]:
    """Words that go on with the last one of a list with commas."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]


def _beginning(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in words if word and word.startswith(incomplete)]


def _repository(ctx: Any) -> Repository:
    from codemap_core.repository import Repository

    given = ctx.params.get("repo") or ctx.params.get("path")
    return Repository.open(given or Path())


def _of_index(ctx: Any, find: Callable[[Repository, Snapshot], list[str]]) -> list[str]:
    from codemap_server.cli.indexes import asked_index

    with suppress(CodeMapError, OSError):
        given = ctx.params.get("repo") or ctx.params.get("path")
        with asked_index(given, ctx.params.get("commit") or "") as (repository, index):
            return find(repository, index)
    return []
