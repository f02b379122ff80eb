"""The text that a client receives, in either format: an answer or an error."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from codemap_core.errors import CodeMapError, ErrorCode
from codemap_core.hooks.registry import Owner
from codemap_server import envelope, plain_text
from codemap_server.delivery import AnswerFormat, Delivery
from codemap_server.sanitised import sanitised
from codemap_server.toolset import Toolset

_ANSWERS: Final = {AnswerFormat.TEXT: plain_text.render_answer, AnswerFormat.JSON: envelope.render_answer}
_ERRORS: Final = {AnswerFormat.TEXT: plain_text.render_error, AnswerFormat.JSON: envelope.render_error}


def render(delivery: Delivery, toolset: Toolset, answer_format: AnswerFormat) -> str:
    return _ANSWERS[answer_format](delivery, toolset)


def render_error(error: CodeMapError, toolset: Toolset, answer_format: AnswerFormat) -> str:
    return _ERRORS[answer_format](error.code, toolset.respelt(error.message), error.details, error.retryable)


def render_failure(error: BaseException, answer_format: AnswerFormat, owner: Owner | None = None) -> str:
    """The message for a client about a bug, of the plug-in that the tool comes from. The log has the traceback."""
    said = f"{type(error).__name__}: {error}"[:300]
    whose = "CodeMap" if owner is None or owner.built_in else f"the plug-in {owner}"
    message = f"The tool failed, which is a bug in {whose} ({said}). The server's log has more."
    return _ERRORS[answer_format](ErrorCode.INTERNAL_ERROR, message, {}, False)


def own_value(value: Any) -> Any:
    """What a family with a contract of its own answers, ready to be written as JSON; its nulls stay."""
    return sanitised(msgspec.to_builtins(value, str_keys=True), with_nulls=True)


def render_own(value: Any) -> str:
    """The same as JSON text."""
    return msgspec.json.encode(own_value(value)).decode()
