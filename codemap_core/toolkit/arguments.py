"""Arguments that several tools share, and what they mean: which index, which symbol, which kinds, which page.

An argument marked ``UNLISTED`` is accepted and not shown to clients: it is another spelling of a listed one, or serves programs. One
marked ``RARE`` is seldom needed, and not shown to clients either, as every model that connects reads the listing; the documentation has it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct, field

from codemap_core.config import HARD_CAPS
from codemap_core.errors import BudgetExceededError, InvalidArgumentError, WorkspaceRequiredError
from codemap_core.hooks.tool import ToolContext
from codemap_core.model import SymbolKind
from codemap_core.model.symbol import FURTHER_KINDS
from codemap_core.queries.names.wanted import Wanted

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_targets import Target
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.storage.reading.symbol_search import SymbolFilter

KINDS: Final = tuple(kind.value for kind in (*SymbolKind, *FURTHER_KINDS))
MAX_VIRTUAL_CHARACTERS: Final = HARD_CAPS.max_chars

UNLISTED: Final[dict[str, Any]] = {"unlisted": True}
"""``extra_json_schema`` of an argument that is accepted and left out of listings."""
RARE: Final[dict[str, Any]] = {"unlisted": True, "rare": True}
"""``extra_json_schema`` of an argument that is accepted, documented, and left out of listings."""
AS_TEXT: Final[dict[str, Any]] = {"as_text": True}
"""``extra_json_schema`` of a list that clients are shown as one string with commas. Both are accepted."""

Names = Annotated[tuple[str, ...], Meta(extra_json_schema=UNLISTED)]
"""The unlisted one of ``kind`` and ``kinds``."""


class Consistency(StrEnum):
    """Which state a question is about (contract 2.2)."""

    COMMITTED = "committed"
    """The indexed commit."""
    WORKSPACE = "workspace"
    """That with the edits of a workspace."""
    EPHEMERAL = "ephemeral"
    """That with virtual files on top, for one question."""


class AnswerArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every tool takes: how long the answer may be. 0: the default of the settings. Not listed with each tool: the server's
    instructions say it once."""

    max_chars: Annotated[int, Meta(ge=0, extra_json_schema=UNLISTED)] = 0


class RepositoryArguments(AnswerArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which repository."""

    repo_path: str = ""


class VirtualFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An unsaved file (contract, section 5)."""

    file_path: str
    content: str


class SnapshotArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which index of a repository, and which page of the answer. The server decodes ``cursor`` into ``offset``, the number of rows to
    skip; a tool reads ``offset`` alone. ``repo_path`` and ``commit_sha`` are not listed with each tool: the server's instructions say them
    once."""

    repo_path: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    commit_sha: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    cursor: str = ""
    offset: Annotated[int, Meta(ge=0, extra_json_schema=UNLISTED)] = 0
    workspace_id: Annotated[str, Meta(extra_json_schema=RARE)] = ""
    consistency: Annotated[str, Meta(extra_json_schema=RARE)] = ""
    virtual_files: Annotated[tuple[VirtualFile, ...], Meta(extra_json_schema=UNLISTED)] = ()


class NameFilter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Narrows what a name may mean."""

    namespace: str = ""
    file_path: str = ""
    project_name: str = ""
    kinds: tuple[str, ...] = ()


class SymbolArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One symbol, by id or by name; ``project``: of several that declare it. ``symbol_id`` and ``name`` are other spellings of
    ``symbol``."""

    symbol: str = ""
    project: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    symbol_id: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    name: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    name_filter: Annotated[NameFilter, Meta(extra_json_schema=UNLISTED)] = field(default_factory=NameFilter)


def open_snapshot(context: ToolContext, arguments: SnapshotArguments) -> Snapshot:
    """The index that was asked for, in the mode of contract 4: ``committed`` ignores the workspace, the others need one. Without a mode the
    other arguments tell which is meant. Raises: as ``ToolContext.snapshot``; WorkspaceRequiredError; BudgetExceededError and
    InvalidArgumentError for virtual files."""
    mode = _mode(arguments)
    size = sum(len(each.content) for each in arguments.virtual_files)
    if size > MAX_VIRTUAL_CHARACTERS:
        raise BudgetExceededError(
            f"virtual_files hold {size} characters; the maximum is {MAX_VIRTUAL_CHARACTERS}. Send the files that matter."
        )
    if arguments.virtual_files and mode is Consistency.EPHEMERAL and not arguments.workspace_id:
        raise WorkspaceRequiredError(
            "virtual_files are seen on top of a workspace, and none was named: workspace.create makes one of this "
            "working tree; then pass its workspace_id."
        )
    if mode is not Consistency.COMMITTED and not arguments.workspace_id:
        raise WorkspaceRequiredError(
            f"Mode {mode.value!r} shows a workspace, and none was named: pass workspace_id (workspace.create makes one), or ask with "
            "consistency='committed'."
        )
    if arguments.virtual_files and mode is not Consistency.EPHEMERAL:
        raise InvalidArgumentError(f"virtual_files are read with consistency='ephemeral' only, not {mode.value!r}.")
    workspace_id = "" if mode is Consistency.COMMITTED else arguments.workspace_id
    is_said = bool(arguments.consistency.strip())
    committed = is_said and mode is Consistency.COMMITTED
    unsaved = {each.file_path: each.content for each in arguments.virtual_files}
    return context.snapshot(arguments.repo_path, arguments.commit_sha, workspace_id, committed, unsaved)


def _mode(arguments: SnapshotArguments) -> Consistency:
    """Raises: InvalidArgumentError."""
    written = arguments.consistency.strip().lower()
    if written:
        try:
            return Consistency(written)
        except ValueError as error:
            known = ", ".join(each.value for each in Consistency)
            raise InvalidArgumentError(
                f"There is no consistency {arguments.consistency!r}; there are {known}."
            ) from error
    if arguments.virtual_files:
        return Consistency.EPHEMERAL
    return Consistency.WORKSPACE if arguments.workspace_id else Consistency.COMMITTED


def find_target(
    snapshot: Snapshot, arguments: SymbolArguments, wanted: Wanted = Wanted.ANY, *, or_name: bool = False
) -> Target:
    """The symbol that was asked for, which may be a library's. ``wanted``: what the tool can answer about. ``or_name``: a name that only
    references have which could not be resolved is an answer, too. Raises: InvalidArgumentError, NotFoundError, AmbiguousError."""
    from codemap_core.queries.names import symbol_targets

    return symbol_targets.find_target(
        snapshot, _asked(arguments), _name_filter(snapshot, arguments), wanted, or_name=or_name
    )


def _asked(arguments: SymbolArguments) -> str:
    """Raises: InvalidArgumentError when nothing was named, or two different things were."""
    given = dict.fromkeys(
        text.strip() for text in (arguments.symbol, arguments.symbol_id, arguments.name) if text.strip()
    )
    if not given:
        raise InvalidArgumentError(
            "Say which symbol, for example symbol='OrderService.Submit' or symbol='T:Shop.Order'."
        )
    if len(given) > 1:
        raise InvalidArgumentError(f"Name one symbol, not {len(given)}: {', '.join(given)}.")
    return next(iter(given))


def _name_filter(snapshot: Snapshot, arguments: SymbolArguments) -> SymbolFilter:
    from codemap_core.queries.search.symbol_search import symbol_filter

    wanted = arguments.name_filter
    project = arguments.project or wanted.project_name
    return symbol_filter(parse_kinds(wanted.kinds, snapshot), wanted.namespace, wanted.file_path, project)


def parse_kinds(kinds: Iterable[str], *snapshots: Snapshot) -> tuple[SymbolKind, ...]:
    """Symbol kinds as a client writes them: ``Class`` or ``class``, in one text with commas or in several. Of kinds that plug-ins made up,
    those of which one of the ``snapshots`` has a symbol. Raises: InvalidArgumentError listing the others."""
    parsed = []
    for text in (part.strip() for each in kinds for part in each.split(",")):
        name = text.lower()
        if name and name not in KINDS and not any(_has_kind(snapshot, name) for snapshot in snapshots):
            near = difflib.get_close_matches(name, KINDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            from codemap_core.queries.plain_lines import clipped

            raise InvalidArgumentError(f"There is no kind {clipped(text)!r}.{hint} Kinds: {', '.join(KINDS)}.")
        if name:
            parsed.append(SymbolKind(name))
    return tuple(dict.fromkeys(parsed))


def _has_kind(snapshot: Snapshot, name: str) -> bool:
    try:
        kind = SymbolKind(name)
    except ValueError:
        return False
    return bool(snapshot.reading.symbols((kind,), limit=1).rows)
