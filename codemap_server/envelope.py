"""The text of an answer: the contract's envelope (API schema 2.5) and error object (2.6) as compact JSON.

Nulls are left out, names are snake_case, every string is sanitised. An answer is text and nothing else: hosts that are
given structured content as well show the model one of the two, and not the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from codemap_core.config import HARD_CAPS
from codemap_core.errors import CodeMapError, ErrorCode
from codemap_core.hooks.tool import ToolResult
from codemap_core.storage.savings import cost_avoided
from codemap_server.sanitised import sanitised
from codemap_server.toolset import Toolset

ERROR_MESSAGE_LENGTH: Final = 1_000
"""Characters of an error's message; longer ones are cut."""
DETAIL_LENGTH: Final = 500
_COST_MODEL: Final = "claude_sonnet"
"""The contract's rate for ``cost_avoided``."""
ENVELOPE_ALLOWANCE: Final = 8_000
"""Characters that the envelope may add to a budgeted answer before the whole counts as over budget."""


class Timing(msgspec.Struct, frozen=True):
    """Milliseconds. ``cache_lookup_ms``: finding repository, commit and open index; ``db_query_ms``: the rest of the
    tool's own work."""

    total_ms: float
    db_query_ms: float
    cache_lookup_ms: float


def render_answer(
    result: ToolResult, toolset: Toolset, timing: Timing, tokens_saved: Callable[[int], int]
) -> tuple[str, int]:
    """The answer's text and the tokens it saved. ``tokens_saved``: those an answer of so many characters saves.

    Raises: CodeMapError with BUDGET_EXCEEDED when a tool answers more than any budget allows."""
    data = sanitised(msgspec.to_builtins(result.data, str_keys=True))
    if not result.enveloped:
        return _encode(data), 0
    actions = [{**msgspec.to_builtins(action), "tool": toolset.spelt(action.tool)} for action in result.next_actions]
    payload = {
        "answer": sanitised(toolset.respelt(result.answer)),
        "data": data,
        "evidence": sanitised(msgspec.to_builtins(result.evidence)),
        "next_actions": sanitised(actions),
        "confidence": result.confidence.value,
    }
    meta = _meta(result, timing)
    characters = len(_encode({**payload, "meta": meta}))
    if characters > HARD_CAPS.max_chars + ENVELOPE_ALLOWANCE:
        raise _OverBudgetError(
            f"The answer has {characters} characters, more than the {HARD_CAPS.max_chars} a tool may send. "
            "Ask for less: a lower limit, a filter, or fewer lines."
        )
    meta["tokens_saved"] = saved = tokens_saved(characters)
    meta["cost_avoided"] = cost_avoided(saved)[_COST_MODEL]
    return _encode({**payload, "meta": meta}), saved


def render_error(error: CodeMapError, toolset: Toolset) -> str:
    return _error_object(error.code, toolset.respelt(error.message), error.details, error.retryable)


def render_failure(error: BaseException) -> str:
    """What a client is told about a bug. The log has the traceback."""
    said = f"{type(error).__name__}: {error}"[:300]
    message = f"The tool failed, which is a bug in CodeMap or one of its plug-ins ({said}). The server's log has more."
    return _error_object(ErrorCode.INTERNAL_ERROR, message, {}, retryable=False)


class _OverBudgetError(CodeMapError):
    code = ErrorCode.BUDGET_EXCEEDED


def _error_object(code: ErrorCode, message: str, details: Mapping[str, Any], retryable: bool) -> str:
    payload = {
        "code": code.value,
        "message": _clipped(message, ERROR_MESSAGE_LENGTH),
        "details": _clipped(msgspec.to_builtins(details, str_keys=True), DETAIL_LENGTH) or None,
        "retryable": retryable,
    }
    return _encode(sanitised(payload))


def _clipped(value: Any, length: int) -> Any:
    """``value`` with its strings cut to ``length`` characters and its lists to 20 items."""
    if isinstance(value, str):
        return value if len(value) <= length else f"{value[: length - 1]}…"
    if isinstance(value, dict):
        return {key: _clipped(each, length) for key, each in value.items()}
    if isinstance(value, list):
        return [_clipped(each, length) for each in value[:20]]
    return value


def _meta(result: ToolResult, timing: Timing) -> dict[str, Any]:
    snapshot = result.snapshot
    meta: dict[str, Any] = {"timing": msgspec.to_builtins(timing)}
    if snapshot is not None:
        meta["baseline_commit_sha"] = snapshot.commit_sha
    meta["limits_applied"] = sanitised(msgspec.to_builtins(result.limits_applied))
    meta |= {"tokens_saved": 0, "cost_avoided": 0.0}
    if snapshot is not None:
        if snapshot.workspace_id:
            meta["workspace_id"] = snapshot.workspace_id
        meta["overlay_revision"] = snapshot.overlay_revision
        meta["semantic_level"] = snapshot.semantic_level
    return meta


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()
