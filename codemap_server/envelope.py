"""An answer as JSON: the contract's envelope (API schema 2.5) and error object (2.6), compact.

Names are snake_case, every string is sanitised. What has its default is left out: nulls, empty evidence and limits, high confidence,
times of zero. An answer is text and nothing else: hosts that are given structured content as well show the model one of the two, and
not the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from codemap_core.errors import ErrorCode
from codemap_core.model import Confidence
from codemap_core.storage.savings import cost_avoided
from codemap_server.delivery import Delivery, ErrorLimits
from codemap_server.sanitised import sanitised
from codemap_server.toolset import Toolset

DETAIL_LENGTH: Final = 500
"""Characters of a text in an error's details; longer ones are cut."""
_COST_MODEL: Final = "claude_sonnet"
"""The contract's rate for ``cost_avoided``."""


def render_data(data: Any) -> str:
    """The data of an answer as JSON."""
    return _encode(sanitised(msgspec.to_builtins(data, str_keys=True)))


def render_answer(delivery: Delivery, toolset: Toolset, data: str) -> str:
    """``data``: that of the delivery, as ``render_data`` gives it."""
    result = delivery.result
    shown = f"Shown: {delivery.rows_shown}." if delivery.rows_shown else ""
    parts = (*delivery.said_first, result.answer, shown, *delivery.said_after)
    payload: dict[str, Any] = {
        "answer": " ".join(toolset.respelt(said) for said in parts if said),
        "data": None if result.data is None else msgspec.Raw(data.encode()),
    }
    if result.evidence:
        payload["evidence"] = msgspec.to_builtins(result.evidence)
    if result.next_actions:
        actions = msgspec.to_builtins(result.next_actions)
        payload["next_actions"] = [{**action, "tool": toolset.spelt(action["tool"])} for action in actions]
    if result.confidence is not Confidence.HIGH:
        payload["confidence"] = result.confidence.value
    payload["meta"] = _meta(delivery)
    return _encode(sanitised(payload))


def render_error(
    code: ErrorCode, message: str, details: Mapping[str, Any], retryable: bool, limits: ErrorLimits
) -> str:
    payload = {
        "code": code.value,
        "message": clipped(message, limits.message),
        "details": _with_few(clipped(msgspec.to_builtins(details, str_keys=True), DETAIL_LENGTH), limits.items) or None,
        "retryable": retryable,
    }
    return _encode(sanitised(payload))


def clipped(value: Any, length: int) -> Any:
    """``value`` with its strings cut to ``length`` characters."""
    if isinstance(value, str):
        return value if len(value) <= length else f"{value[: length - 1]}…"
    if isinstance(value, dict):
        return {key: clipped(each, length) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [clipped(each, length) for each in value]
    return value


def _with_few(value: Any, items: int) -> Any:
    """``value`` with its lists cut to ``items``; those left without any are left out."""
    if isinstance(value, dict):
        kept = {key: _with_few(each, items) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each != [] or value[key] == []}
    if isinstance(value, list):
        return [_with_few(each, items) for each in value[:items]]
    return value


def _meta(delivery: Delivery) -> dict[str, Any]:
    result, snapshot, workspace = delivery.result, delivery.result.snapshot, delivery.result.workspace
    times = msgspec.to_builtins(delivery.timing)
    meta: dict[str, Any] = {"timing": {phase: milliseconds for phase, milliseconds in times.items() if milliseconds}}
    if delivery.was_cached:
        meta["cache_hit"] = True
    if snapshot is not None:
        meta["baseline_commit_sha"] = snapshot.commit_sha
    elif workspace is not None:
        meta["baseline_commit_sha"] = workspace.base_commit_sha
        meta["workspace_id"] = workspace.workspace_id
        meta["overlay_revision"] = workspace.overlay_revision or None
        meta["semantic_level"] = workspace.semantic_level.value
    if delivery.cursor:
        meta["cursor"] = delivery.cursor
    if delivery.notes:
        meta["notes"] = msgspec.to_builtins(delivery.notes)
    if result.limits_applied:
        meta["limits_applied"] = msgspec.to_builtins(result.limits_applied)
    if delivery.tokens_saved:
        meta["tokens_saved"] = delivery.tokens_saved
        meta["cost_avoided"] = cost_avoided(delivery.tokens_saved)[_COST_MODEL]
    if snapshot is not None:
        meta["workspace_id"] = snapshot.workspace_id
        meta["overlay_revision"] = snapshot.overlay_revision or None
        meta["semantic_level"] = snapshot.semantic_level.value
        meta["project_diagnostics"] = msgspec.to_builtins(delivery.project_diagnostics) or None
    return meta


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()
