"""``search_symbols`` and ``lookup_symbol``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from codemap_core.errors import NotFoundError
from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import snapshot_of

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.storage.schema.fulltext import MatchQuery

DEFAULT_RESULTS: Final = 20
MAX_RESULTS: Final = 50
MAX_NAMED: Final = 1_000

Project = Annotated[str, Meta(description="Scope to a project, by its name or path.")]
LanguageName = Annotated[str, Meta(description="csharp or typescript.")]


class SearchArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``search_symbols``."""

    query: Annotated[str, Meta(description='FTS5 query string, e.g. "Authenticate*", "UserService".', min_length=1)]
    project_id: Project = ""
    node_type: Annotated[
        str,
        Meta(description="class, method, interface, property, component, file, module, type or constructor."),
    ] = ""
    language: LanguageName = ""
    limit: Annotated[int, Meta(description="Maximum number of results.", ge=1, le=MAX_RESULTS)] = DEFAULT_RESULTS


class LookupArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``lookup_symbol``."""

    qualified_name: Annotated[
        str, Meta(description='Exact qualified name, e.g. "MyApp.Auth.AuthService.Authenticate".', min_length=1)
    ]
    language: LanguageName = ""
    project_id: Project = ""


def search_symbols(context: ToolContext, arguments: SearchArguments) -> ToolResult:
    from codemap_core.storage.reading.symbol_search import SymbolFilter
    from codemap_plugins.codeagent.nodes import NodeType, kinds_of, language_named
    from codemap_plugins.codeagent.search import parsed, ranked_symbols

    language = language_named(arguments.language).value if arguments.language else ""
    kinds = kinds_of(arguments.node_type) if arguments.node_type else ()
    query = parsed(arguments.query)
    snapshot = snapshot_of(context)
    project = _project(snapshot, arguments.project_id)
    if arguments.node_type in (NodeType.FILE, NodeType.MODULE):
        rows = _ranked_nodes(snapshot, query, arguments, project, language)
    else:
        where = SymbolFilter(kinds=kinds, project=project)
        rows = ranked_symbols(snapshot, query, where, language, arguments.limit)
    notes = _notes(snapshot, language)
    if not rows and not notes:
        found = snapshot.reader.search_symbols(query, None, SymbolFilter(), 1, 0)
        notes = (_why_nothing(found.total, found.is_minimum),)
    return ToolResult(answer="", data=rows, notes=notes, snapshot=snapshot)


def _why_nothing(total: int, is_minimum: bool) -> str:
    """``total``: of symbols without the filters; with ``is_minimum`` there may be more."""
    from codemap_core.model.counting import counted

    if not total:
        return "No symbol of the index matches. A word is matched whole: add * for longer ones."
    count = f"{'at least ' if is_minimum else ''}{counted(total, 'symbol')}"
    return f"Without project_id, node_type and language, {count} {'matches' if total == 1 else 'match'}."


def _ranked_nodes(
    snapshot: Snapshot, query: MatchQuery, arguments: SearchArguments, project: str, language: str
) -> list[dict[str, Any]]:
    """Files or namespaces."""
    from codemap_core.repository import language_of
    from codemap_core.storage.reading.symbol_search import SymbolFilter
    from codemap_plugins.codeagent.nodes import Language, NodeType, described_file, described_namespace, kinds_of
    from codemap_plugins.codeagent.search import ranked_names, ranked_symbols

    if arguments.node_type == NodeType.MODULE:
        paths = {each.file_path for each in snapshot.reader.documents()}  # namespaces of TypeScript are files
        names = snapshot.reader.namespaces(project) if language in ("", Language.CSHARP) else ()
        found = ranked_names((name for name in names if name not in paths), query)
        rows = [{**described_namespace(name), "rank": rank} for name, rank in found]
        where = SymbolFilter(kinds=kinds_of(NodeType.MODULE), project=project)
        rows += ranked_symbols(snapshot, query, where, language, arguments.limit)
        return sorted(rows, key=lambda row: (row["rank"], row["qualified_name"]))[: arguments.limit]
    lines = {
        each.file_path: each.line_count
        for each in snapshot.reader.documents()
        if (not language or language_of(each.file_path) == language) and (not project or project in each.projects)
    }
    found = ranked_names(lines, query)
    return [{**described_file(path, lines[path]), "rank": rank} for path, rank in found[: arguments.limit]]


def lookup_symbol(context: ToolContext, arguments: LookupArguments) -> ToolResult:
    from codemap_core.errors import BudgetExceededError
    from codemap_core.model.counting import counted
    from codemap_plugins.codeagent.nodes import described, language_named
    from codemap_plugins.codeagent.search import named

    language = language_named(arguments.language).value if arguments.language else ""
    snapshot = snapshot_of(context)
    project = _project(snapshot, arguments.project_id)
    found = named(snapshot, arguments.qualified_name, project, language)
    if not found:
        others = named(snapshot, arguments.qualified_name, "", "") if project or language else ()
        has = f"{'has' if len(others) == 1 else 'have'} the qualified name '{arguments.qualified_name}'."
        raise NotFoundError(
            f"Without project_id and language, {counted(len(others), 'symbol')} {has}"
            if others
            else f"No symbol has the qualified name '{arguments.qualified_name}'. search_symbols finds names by their words."
        )
    if len(found) > MAX_NAMED:
        raise BudgetExceededError(f"More than {MAX_NAMED:,} symbols have that name. Say which project with project_id.")
    return ToolResult(answer="", data=[described(row) for row in found], snapshot=snapshot)


def _project(snapshot: Snapshot, project_id: str) -> str:
    """The path of the project of that name or path; empty for none. Raises: NotFoundError naming some that there are."""
    from codemap_core.queries.names.filter_values import unknown_project

    asked = project_id.strip()
    if not asked:
        return ""
    names = snapshot.reader.project_names
    for path, name in names.items():
        if asked.casefold() in (path.casefold(), name.casefold()):
            return path
    raise NotFoundError(str(unknown_project(snapshot, asked)), project_id=asked)


def _notes(snapshot: Snapshot, language: str) -> tuple[str, ...]:
    """Says when symbols of a language are not known at all."""
    from codemap_core.model import DocumentStatus
    from codemap_core.repository import language_of

    if not language:
        return ()
    of_it = [each for each in snapshot.reader.documents() if language_of(each.file_path) == language]
    if of_it and all(each.status is DocumentStatus.TEXT for each in of_it):
        return (f"The {language} files of this repository are indexed as text: their symbols are not known.",)
    return () if of_it else (f"This repository has no {language} files.",)


SEARCH_TOOLS: Final = (
    Tool(
        name="search_symbols",
        title="Search symbols",
        description="Full-text search across all indexed symbols, ranked by BM25.",
        arguments=SearchArguments,
        run=search_symbols,
    ),
    Tool(
        name="lookup_symbol",
        title="Look up a symbol",
        description="Symbols by exact qualified name: one, or all overloads of it.",
        arguments=LookupArguments,
        run=lookup_symbol,
    ),
)
