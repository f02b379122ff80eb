"""The text that a client receives, in either format: an answer or an error.

What costs time is drawing the data of an answer. That of what stands around it is cheap, so that it can be weighed with other notes or
another cursor.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from codemap_core.errors import CodeMapError, ErrorCode
from codemap_core.hooks.registry import Owner
from codemap_server import envelope, plain_text
from codemap_server.delivery import AnswerFormat, Delivery, ErrorLimits
from codemap_server.sanitised import sanitised
from codemap_server.toolset import Toolset

_DATA: Final = {AnswerFormat.TEXT: plain_text.render_data, AnswerFormat.JSON: envelope.render_data}
_ANSWERS: Final = {AnswerFormat.TEXT: plain_text.render_answer, AnswerFormat.JSON: envelope.render_answer}
_ERRORS: Final = {AnswerFormat.TEXT: plain_text.render_error, AnswerFormat.JSON: envelope.render_error}
_ERROR_LIMITS: Final = (
    *(ErrorLimits(items=items) for items in (20, 10, 5, 3, 1, 0)),
    *(ErrorLimits(message=length, items=0) for length in (500, 200)),
)
"""One after the other, until an error fits."""


class Renderer:
    """Writes what one call may answer, as often as it is weighed, and draws each value once."""

    def __init__(self, toolset: Toolset, answer_format: AnswerFormat) -> None:
        self._toolset: Final = toolset
        self._format: Final = answer_format
        self._drawn: Final[dict[int, tuple[Any, str]]] = {}
        """By identity, and the value with it, which keeps the identity its own."""

    def text(self, delivery: Delivery) -> str:
        return _ANSWERS[self._format](delivery, self._toolset, self._data(delivery.result.data))

    def _data(self, data: Any) -> str:
        known = self._drawn.get(id(data))
        if known is None:
            known = self._drawn[id(data)] = (data, _DATA[self._format](data))
        return known[1]


def render_error(error: CodeMapError, toolset: Toolset, answer_format: AnswerFormat, max_chars: int) -> str:
    """Within ``max_chars``, or as short as it gets."""
    message = toolset.respelt(error.message)
    text = ""
    for limits in _ERROR_LIMITS:
        text = _ERRORS[answer_format](error.code, message, error.details, error.retryable, limits)
        if len(text) <= max_chars:
            break
    return text


def render_failure(error: BaseException, answer_format: AnswerFormat, owner: Owner | None = None) -> str:
    """The message for a client about a bug, of the plug-in that the tool comes from. The log has the traceback."""
    said = f"{type(error).__name__}: {error}"[:300]
    whose = "CodeMap" if owner is None or owner.built_in else f"the plug-in {owner}"
    message = f"The tool failed, which is a bug in {whose} ({said}). The server's log has more."
    return _ERRORS[answer_format](ErrorCode.INTERNAL_ERROR, message, {}, False, _ERROR_LIMITS[0])


def own_value(value: Any) -> Any:
    """What a family with a contract of its own answers, ready to be written as JSON; its nulls stay."""
    return sanitised(msgspec.to_builtins(value, str_keys=True), with_nulls=True)


def render_own(value: Any) -> str:
    """The same as JSON text."""
    return msgspec.json.encode(own_value(value)).decode()
