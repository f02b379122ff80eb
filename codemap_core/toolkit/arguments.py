"""Arguments that several tools share, and what they mean: which index, which symbol, which kinds."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta, Struct, field

from codemap_core.config import HARD_CAPS
from codemap_core.errors import BudgetExceededError, InvalidArgumentError, WorkspaceRequiredError
from codemap_core.hooks.tool import ToolContext
from codemap_core.model import SymbolKind
from codemap_core.queries.wanted import Wanted

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import FoundSymbol, Target
    from codemap_core.storage.symbol_search import SymbolFilter

KINDS: Final = tuple(kind.value for kind in SymbolKind)
MAX_VIRTUAL_CHARACTERS: Final = HARD_CAPS.max_chars

RepoPath = Annotated[str, Meta(description="Folder in the repository; optional when the server knows one.")]
CommitSha = Annotated[str, Meta(description="Commit, branch or tag; HEAD when left out.")]
WorkspaceId = Annotated[str, Meta(description="Workspace to ask; the indexed commit when left out.")]
Kind = Annotated[str, Meta(extra_json_schema={"enum": list(KINDS)})]
FilePathPrefix = Annotated[str, Meta(description="Path or beginning of one, relative to the repository's root.")]


class RepositoryArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which repository."""

    repo_path: RepoPath = ""


class SnapshotArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which index of a repository."""

    commit_sha: CommitSha = ""
    workspace_id: WorkspaceId = ""


class VirtualFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An unsaved file (contract, section 5)."""

    file_path: str
    content: str


VirtualFiles = Annotated[
    tuple[VirtualFile, ...], Meta(description="Unsaved contents to read in place of files; workspaces only.")
]


class NameFilter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Narrows what a ``name`` may mean."""

    namespace: str = ""
    file_path: str = ""
    project_name: str = ""
    kinds: tuple[str, ...] = ()


class SymbolArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One symbol, by id or by name."""

    symbol_id: Annotated[
        str, Meta(description="Documentation-comment id (M:Shop.Order.Submit(System.Int32)) or stable id (sym_…).")
    ] = ""
    name: Annotated[
        str, Meta(description="In place of symbol_id: OrderService or OrderService.Submit. AMBIGUOUS lists candidates.")
    ] = ""
    name_filter: Annotated[NameFilter, Meta(description="Narrows name.")] = field(default_factory=NameFilter)


def open_snapshot(
    context: ToolContext, arguments: SnapshotArguments, virtual_files: tuple[VirtualFile, ...] = ()
) -> Snapshot:
    """The index that was asked for. Raises: as ``ToolContext.snapshot``; WorkspaceRequiredError and
    BudgetExceededError for virtual files."""
    size = sum(len(each.content) for each in virtual_files)
    if size > MAX_VIRTUAL_CHARACTERS:
        raise BudgetExceededError(
            f"virtual_files hold {size} characters; at most {MAX_VIRTUAL_CHARACTERS} are accepted. "
            "Send the files that matter."
        )
    if virtual_files and not arguments.workspace_id:
        raise WorkspaceRequiredError(
            "virtual_files are read in a workspace only, and none was named. Leave virtual_files out to ask about the "
            "indexed commit."
        )
    return context.snapshot(arguments.repo_path, arguments.commit_sha, arguments.workspace_id)


def find_symbol(snapshot: Snapshot, arguments: SymbolArguments) -> FoundSymbol:
    """The declared symbol that was asked for. Raises: InvalidArgumentError, NotFoundError, AmbiguousError."""
    from codemap_core.queries.symbol_targets import get_symbol

    return get_symbol(snapshot, _asked(arguments), _name_filter(arguments))


def find_target(snapshot: Snapshot, arguments: SymbolArguments, wanted: Wanted = Wanted.ANY) -> Target:
    """The symbol that was asked for, of a library too. ``wanted``: what the tool can answer about. Raises:
    InvalidArgumentError, NotFoundError, AmbiguousError."""
    from codemap_core.queries import symbol_targets

    return symbol_targets.find_target(snapshot, _asked(arguments), _name_filter(arguments), wanted)


def _asked(arguments: SymbolArguments) -> str:
    asked = arguments.symbol_id.strip() or arguments.name.strip()
    if not asked:
        raise InvalidArgumentError(
            "Say which symbol: symbol_id as symbols.search returns it, or name, for example name='OrderService.Submit'."
        )
    return asked


def _name_filter(arguments: SymbolArguments) -> SymbolFilter:
    from codemap_core.queries.symbol_search import symbol_filter

    wanted = arguments.name_filter
    return symbol_filter(parse_kinds(wanted.kinds), wanted.namespace, wanted.file_path, wanted.project_name)


def parse_kinds(kinds: Iterable[str]) -> tuple[SymbolKind, ...]:
    """Symbol kinds as a client writes them, ``Class`` or ``class``. Raises: InvalidArgumentError listing them."""
    parsed = []
    for text in kinds:
        name = text.strip().lower()
        if name not in KINDS:
            near = difflib.get_close_matches(name, KINDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InvalidArgumentError(f"There is no kind {text!r}.{hint} Kinds: {', '.join(KINDS)}.")
        parsed.append(SymbolKind(name))
    return tuple(dict.fromkeys(parsed))
