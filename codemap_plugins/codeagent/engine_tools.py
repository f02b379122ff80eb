"""``index_files`` and ``get_status``: the life of the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from codemap_core.errors import BudgetExceededError, CodeMapError, IndexNotAvailableError
from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import checkout_of, repository_of, snapshot_of
from codemap_plugins.codeagent.failures import FailureCode, failure_code, failure_message

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

MAX_PATHS: Final = 100


class IndexArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index_files``."""

    paths: Annotated[tuple[str, ...], Meta(description="Repo-relative file paths to index; at most 100.", min_length=1)]


class StatusArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``get_status``."""


def index_files(context: ToolContext, arguments: IndexArguments) -> ToolResult:
    """Of a repository without an index of HEAD, that is built first. Files that are not on disk as they were committed are errors: they
    are not in this index."""
    from codemap_plugins.codeagent.checkout import components

    if len(arguments.paths) > MAX_PATHS:
        raise BudgetExceededError(f"There are {len(arguments.paths)} paths; the maximum is {MAX_PATHS} for one call.")
    checkout = checkout_of(context)
    errors: list[dict[str, Any]] = []
    there: list[str] = []
    for path in dict.fromkeys(arguments.paths):
        names = components(path)
        try:
            with checkout.file(path):
                there.append("/".join(names))
        except CodeMapError as error:
            if failure_code(error) is FailureCode.PATH_ESCAPE:
                raise
            errors.append(_error(path, failure_code(error), failure_message(error)))
    if there:
        snapshot = _built(context)
        errors += _unindexed(context, snapshot, there)
    return ToolResult(answer="", data={"indexed": len(set(arguments.paths)) - len(errors), "errors": errors})


def _built(context: ToolContext) -> Snapshot:
    try:
        return snapshot_of(context)
    except IndexNotAvailableError:
        context.ensure_baseline("", "", "")
        return snapshot_of(context)


def _unindexed(context: ToolContext, snapshot: Snapshot, paths: list[str]) -> list[dict[str, Any]]:
    from codemap_core.queries.working_copy import WorkingCopy

    differing = set(WorkingCopy(repository_of(context)).differing(snapshot, paths))
    errors = []
    for path in paths:
        if snapshot.reader.document(path) is None:
            errors.append(
                _error(path, FailureCode.INDEX_ERROR, "The file is not committed, and the index is of the commit.")
            )
        elif path in differing:
            errors.append(
                _error(
                    path, FailureCode.INDEX_ERROR, "The file has uncommitted changes, and the index is of the commit."
                )
            )
    return errors


def _error(path: str, code: FailureCode, message: str) -> dict[str, Any]:
    return {"path": path, "code": code, "message": message}


def get_status(context: ToolContext, arguments: StatusArguments) -> ToolResult:
    from codemap_core.storage.baseline_tables import HEAD_REVISION

    status: dict[str, Any] = {
        "healthy": False,
        "schema_version": int(HEAD_REVISION.partition("_")[0].lstrip("b")),
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
    status |= {
        "healthy": True,
        "indexed_files": info.file_count,
        "indexed_symbols": info.symbol_count,
        "languages": _languages(snapshot),
        "last_batch_at": _as_utc(info.created_at),
    }
    return ToolResult(answer="", data=status, snapshot=snapshot)


def _languages(snapshot: Snapshot) -> list[str]:
    """Those whose files were analysed."""
    from codemap_core.model import DocumentStatus

    unread = (DocumentStatus.TEXT, DocumentStatus.SKIPPED, DocumentStatus.FAILED)
    return sorted({each.language for each in snapshot.reader.documents() if each.status not in unread})


def _as_utc(created_at: str) -> str:
    """``2026-02-24T10:15:30Z``."""
    from datetime import UTC, datetime

    return datetime.fromisoformat(created_at).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


ENGINE_TOOLS: Final = (
    Tool(
        name="index_files",
        title="Index files",
        description="Make sure that files are in the index; builds it where there is none. Says of each file that is not why.",
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
