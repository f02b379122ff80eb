"""One call of a tool, from the client's arguments to the text of the answer: the same path for MCP and the shell.

Nothing a tool does ends the process: what it raises becomes an error object. Called in worker threads.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from threading import Event
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from codemap_core.errors import CancelledError, CodeMapError, InvalidArgumentError
from codemap_core.hooks.contracts import ProgressCallback
from codemap_core.hooks.tool import ToolContext, ToolResult
from codemap_server.arguments import decode_arguments
from codemap_server.envelope import Timing, render_answer, render_error, render_failure
from codemap_server.sanitised import sanitised
from codemap_server.toolset import Toolset, UnknownToolError

MAX_ARGUMENTS: Final = 1 << 20
"""Bytes of a call's arguments as JSON."""

_log = logging.getLogger(__name__)


def _no_progress(stage: str, done: int, total: int) -> None:
    pass


class CallControl(Struct, frozen=True):
    """How a running call and its caller talk: progress goes out, cancellation comes in."""

    progress: ProgressCallback = _no_progress
    cancelled: Event = msgspec.field(default_factory=Event)


class CallContext(ToolContext, Protocol):
    """What the composition root gives each call."""

    @property
    def lookup_seconds(self) -> float:
        """Time this call has spent finding and opening what it asks."""
        ...

    def tokens_saved(self, snapshot: Any, answer_files: tuple[str, ...], answer_characters: int) -> int:
        """What reading the files would have taken beyond reading the answer."""
        ...

    def record_savings(self, tokens: int) -> None:
        """Adds to the running total."""
        ...


class Answer(Struct, frozen=True):
    text: str
    is_error: bool = False


class ToolCaller:
    """Calls tools of ``toolset``; ``new_context`` makes what one call may use."""

    def __init__(self, toolset: Toolset, new_context: Callable[[CallControl], CallContext]) -> None:
        self.toolset = toolset
        self._new_context = new_context

    def call(self, name: str, arguments: Mapping[str, Any], control: CallControl | None = None) -> Answer:
        """Runs one tool. Raises: UnknownToolError, for which the protocol has an error of its own."""
        control = control or CallControl()
        start = time.perf_counter()
        try:
            if control.cancelled.is_set():
                raise CancelledError("The call was cancelled before it started.")
            return Answer(self._run(name, arguments, control, start))
        except UnknownToolError:
            raise
        except CodeMapError as error:
            return Answer(render_error(error, self.toolset), is_error=True)
        except BaseException as error:
            _log.exception("tool %s failed", name)
            return Answer(render_failure(error), is_error=True)

    def _run(self, name: str, arguments: Mapping[str, Any], control: CallControl, start: float) -> str:
        tool = self.toolset.find(name)
        given = sanitised(arguments)
        size = len(msgspec.json.encode(given))
        if size > MAX_ARGUMENTS:
            raise InvalidArgumentError(f"The arguments take {size} bytes; at most {MAX_ARGUMENTS} are accepted.")
        context = self._new_context(control)
        result: object = tool.run(context, decode_arguments(self.toolset.spelt(tool.name), tool.arguments, given))
        if not isinstance(result, ToolResult):
            raise TypeError(f"{tool.name} must return a ToolResult, not {type(result).__name__}")
        total = time.perf_counter() - start
        timing = Timing(
            total_ms=_milliseconds(total),
            db_query_ms=_milliseconds(total - context.lookup_seconds),
            cache_lookup_ms=_milliseconds(context.lookup_seconds),
        )

        def tokens_saved(characters: int) -> int:
            if not result.answer_files:
                return 0
            return context.tokens_saved(result.snapshot, result.answer_files, characters)

        text, saved = render_answer(result, self.toolset, timing, tokens_saved)
        if saved:
            context.record_savings(saved)
        return text


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)
