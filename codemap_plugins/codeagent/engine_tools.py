"""``index_files`` and ``get_status``: the life of the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from codemap_core.errors import BudgetExceededError, CodeMapError, IndexNotAvailableError
from codemap_core.hooks.capabilities import BUILDS, WORKSPACES
from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import (
    checkout_of,
    committed_of,
    is_watched,
    repository_of,
    snapshot_of,
    workspace_of,
)
from codemap_plugins.codeagent.failures import FailureCode, failure_code, failure_message

if TYPE_CHECKING:
    from datetime import datetime

    from codemap_core.queries.snapshot import Snapshot

MAX_PATHS: Final = 100
_UNREAD: Final = "The file is not part of the index, as it is reached through a link."


class IndexArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index_files``."""

    paths: Annotated[tuple[str, ...], Meta(description="Repo-relative file paths to index; at most 100.", min_length=1)]


class StatusArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``get_status``."""


def index_files(context: ToolContext, arguments: IndexArguments) -> ToolResult:
    """Files as they are on disk are brought into the workspace of this working tree; one that is indexed and has been deleted is taken
    out. Of a repository without an index of HEAD, that is built first."""
    from codemap_plugins.codeagent.checkout import components
    from codemap_plugins.codeagent.listing import Lister

    if len(arguments.paths) > MAX_PATHS:
        raise BudgetExceededError(f"There are {len(arguments.paths)} paths; the maximum is {MAX_PATHS} for one call.")
    checkout = checkout_of(context)
    errors: dict[str, dict[str, Any]] = {}
    there: dict[str, str] = {}
    absent: dict[str, str] = {}
    for path in dict.fromkeys(arguments.paths):
        name = "/".join(components(path))
        try:
            with checkout.file(path):
                there[name] = path
        except CodeMapError as error:
            code = failure_code(error)
            if code is FailureCode.PATH_ESCAPE:
                raise
            errors[path] = _error(path, code, failure_message(error))
            if code is FailureCode.NOT_FOUND:
                absent[name] = path
    repository = repository_of(context)
    exclude_file = repository.common_dir / "info" / "exclude"
    lister = Lister(checkout, exclude_file, repository.tracked_despite_ignore, check=context.check_cancelled)
    if there:
        _ensure_index(context)
        committed = context.snapshot(committed=True).reader
        for name in [each for each in there if committed.document(each) is None and lister.hides(each)]:
            path = there.pop(name)
            errors[path] = _error(path, FailureCode.INDEX_ERROR, "git ignores the file.")
    deleted = _indexed(context, absent)
    if there or deleted:
        try:
            _refresh(context, (*there, *deleted))
        except IndexNotAvailableError:  # an earlier release's can be read, and takes up no edits
            context.ask(BUILDS).ensure_baseline()
            _refresh(context, (*there, *deleted))
        snapshot = snapshot_of(context)
        for path in deleted.values():
            del errors[path]
        for name, path in there.items():
            if snapshot.reader.document(name) is None:
                errors[path] = _error(path, FailureCode.INDEX_ERROR, _UNREAD)
    indexed = len(set(arguments.paths)) - len(errors)
    return ToolResult(answer="", data={"indexed": indexed, "errors": list(errors.values())})


def _indexed(context: ToolContext, absent: dict[str, str]) -> dict[str, str]:
    """Those of the files that are not on disk which the index still has."""
    if not absent:
        return {}
    try:
        reader = snapshot_of(context).reader
    except IndexNotAvailableError:
        return {}
    return {name: path for name, path in absent.items() if reader.document(name) is not None}


def _refresh(context: ToolContext, paths: tuple[str, ...]) -> None:
    """Brings files, as they are on disk, into the workspace of this working tree, which is made if there is none. A server that follows
    the working tree takes them up whenever it is asked."""
    if is_watched(context):
        context.snapshot()
        return
    workspaces, workspace = context.ask(WORKSPACES).of(), workspace_of(repository_of(context))
    listed = workspaces.list()
    known = next((each for each in listed.workspaces if each.workspace_id == workspace), None)
    if known is None:
        workspaces.create(workspace, "", "")
    elif known.is_stale:
        workspaces.rebase(workspace, "")
    workspaces.refresh(workspace, paths)


def _ensure_index(context: ToolContext) -> None:
    try:
        context.snapshot(committed=True)
    except IndexNotAvailableError:
        context.ask(BUILDS).ensure_baseline()


def _error(path: str, code: FailureCode, message: str) -> dict[str, Any]:
    return {"path": path, "code": code, "message": message}


def get_status(context: ToolContext, arguments: StatusArguments) -> ToolResult:
    from codemap_core.config import load_settings
    from codemap_core.storage.schema.versions import BASELINE_HEAD
    from codemap_plugins.codeagent.similarity import Similarity, model_of

    status: dict[str, Any] = {
        "healthy": False,
        "schema_version": int(BASELINE_HEAD.partition("_")[0].lstrip("b")),
        "indexed_files": 0,
        "indexed_symbols": 0,
        "languages": [],
        "watcher_active": False,
        "last_batch_at": None,
        "embedding_model": None,
        "embeddings_count": 0,
    }
    try:
        snapshot = snapshot_of(context)
    except CodeMapError as error:
        return ToolResult(answer="", data=status, notes=(failure_message(error),))
    info = snapshot.reader.info
    model = model_of(load_settings())
    committed = committed_of(context, snapshot)
    similarity = Similarity(model)
    vectors = similarity.vectors(snapshot, committed)
    if vectors is None and committed is not None:
        vectors = similarity.vectors(committed)
    status |= {
        "healthy": True,
        "indexed_files": info.file_count,
        "indexed_symbols": info.symbol_count,
        "languages": _languages(snapshot),
        "watcher_active": is_watched(context),
        "last_batch_at": _as_utc(_last_batch(context, snapshot)),
        "embedding_model": model.name,
        "embeddings_count": len(vectors) if vectors is not None else 0,
    }
    return ToolResult(answer="", data=status, snapshot=snapshot)


def _languages(snapshot: Snapshot) -> list[str]:
    """Those whose files were analysed."""
    from codemap_core.model import DocumentStatus

    unread = (DocumentStatus.TEXT, DocumentStatus.SKIPPED, DocumentStatus.FAILED)
    return sorted({each.language for each in snapshot.reader.documents() if each.status not in unread})


def _last_batch(context: ToolContext, snapshot: Snapshot) -> datetime:
    """When edits were last taken up, or else the index was made. Edits that were undone on disk have been taken up too, though the index of
    their commit answers again."""
    from datetime import datetime

    workspaces = context.ask(WORKSPACES).of().list().workspaces if context.follows_working_tree else ()
    watched = [each.refreshed_at for each in workspaces if each.follows_working_tree and each.overlay_revision]
    workspace = snapshot.workspace
    shown = workspace.refreshed_at if workspace is not None and workspace.revision else snapshot.reader.info.created_at
    return max(map(datetime.fromisoformat, (shown, *watched)))


def _as_utc(moment: datetime) -> str:
    """``2026-02-24T10:15:30Z``."""
    from datetime import UTC

    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


ENGINE_TOOLS: Final = (
    Tool(
        name="index_files",
        title="Index files",
        description="Bring files as they are on disk into the index, which is built if there is none.",
        arguments=IndexArguments,
        run=index_files,
        read_only=False,
    ),
    Tool(
        name="get_status",
        title="Status",
        description="Engine health and indexing status.",
        arguments=StatusArguments,
        run=get_status,
    ),
)
