"""One call of a tool, from the client's arguments to the text of the answer: the same path for MCP and the shell.

Nothing a tool does ends the process: what it raises becomes an error in the format asked for. Called in worker threads.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.errors import BudgetExceededError, CancelledError, CodeMapError, InvalidArgumentError
from codemap_core.hooks.tool import LimitApplied, Listing, Placed, Tool, ToolResult
from codemap_core.model import SemanticLevel
from codemap_core.progress import ProgressCallback, unreported
from codemap_server.absolute_paths import with_relative_paths
from codemap_server.arguments import decode_arguments
from codemap_server.call_times import CallTimes
from codemap_server.delivery import AnswerFormat, Delivery, Timing
from codemap_server.notes import Note
from codemap_server.paging import check_cursor, fitted, next_cursor, sufficient, with_offset
from codemap_server.rendering import Renderer, render_error, render_failure, render_own
from codemap_server.result_cache import RememberingContext, answered
from codemap_server.sanitised import sanitised, sanitised_text
from codemap_server.shortening import shortened
from codemap_server.toolset import Toolset, UnknownToolError

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.storage.files.examine import ProjectDiagnostic

MAX_ARGUMENTS: Final = 1 << 20
"""Bytes of a call's arguments as JSON."""
SAVINGS_ALLOWANCE: Final = 50
"""Characters that a budget keeps free for what is known last: the tokens that the answer saved, and times."""
DIAGNOSTICS_SHOWN: Final = 5

_log = logging.getLogger(__name__)


class CallControl(Struct, frozen=True):
    """How a running call and its caller talk: progress goes out, cancellation comes in."""

    progress: ProgressCallback = unreported
    cancelled: Event = msgspec.field(default_factory=Event)

    def check_cancelled(self) -> None:
        """Raises: CancelledError."""
        if self.cancelled.is_set():
            raise CancelledError("The call was cancelled.")


class CallContext(RememberingContext, Protocol):
    """The context that the composition root gives each call."""

    @property
    def times(self) -> CallTimes:
        """What this call has spent so far."""
        ...

    def close(self) -> None:
        """Ends what lasts for the call alone. The result is not asked for more after it."""
        ...

    def root(self, repo_path: str) -> Path:
        """Of the repository that is asked about. Raises: as ``ToolContext.snapshot`` for one that is not there."""
        ...

    def notes(self, result: ToolResult, file_paths: tuple[str, ...]) -> tuple[Note, ...]:
        """What a reader of an answer over these files of an index has to know. Where it lists nothing, or draws on every file, what is
        not committed may hold what was asked for."""
        ...

    def tokens_saved(self, snapshot: Any, answer_files: tuple[str, ...], answer_characters: int) -> int:
        """The tokens that reading the files would have taken beyond reading the answer."""
        ...

    def record_savings(self, tokens: int) -> None:
        """Adds to the running total."""
        ...


class Answer(Struct, frozen=True):
    """``notes``: what a reader has to know beside a ``text`` whose contract has no place for it."""

    text: str
    is_error: bool = False
    notes: tuple[str, ...] = ()


class ToolCaller:
    """Calls tools of ``toolset``; ``new_context`` makes what one call may use; answers are written in ``answer_format``."""

    def __init__(
        self,
        toolset: Toolset,
        new_context: Callable[[CallControl], CallContext],
        answer_format: AnswerFormat = AnswerFormat.JSON,
    ) -> None:
        self.toolset = toolset
        self._new_context = new_context
        self._format = answer_format

    def call(self, name: str, arguments: Mapping[str, Any], control: CallControl | None = None) -> Answer:
        """Runs one tool and writes its answer. Raises: UnknownToolError, for which the protocol has an error of its own."""
        contract = self.toolset.contract(name)
        control = control or CallControl()
        context = self._new_context(control)
        try:
            call = _Call(self.toolset, context, name, arguments, control)
            if contract is not None:
                notes = (*call.result.notes, *(note.text for note in call.notes_of(call.result)))
                return Answer(
                    render_own(contract.answer(call.tool, call.result)), notes=tuple(map(sanitised_text, notes))
                )
            return Answer(call.text(self._format))
        except UnknownToolError:
            raise
        except CodeMapError as error:
            if contract is not None:
                return Answer(render_own(contract.error(name, error)), is_error=True)
            max_chars = _characters(arguments) or context.budgets.max_chars
            return Answer(render_error(error, self.toolset, self._format, max_chars), is_error=True)
        except BaseException as error:
            _log.exception("tool %s failed", name)
            if contract is not None and isinstance(error, Exception):
                return Answer(render_own(contract.error(name, error)), is_error=True)
            return Answer(render_failure(error, self._format, self.toolset.owner(name)), is_error=True)
        finally:
            context.close()

    def run(self, name: str, arguments: Mapping[str, Any], control: CallControl | None = None) -> ToolResult:
        """One tool's typed result, without a budget of characters: as many rows as ``limit`` allows, after ``offset``.
        Raises: CodeMapError; whatever a faulty tool raises."""
        control = control or CallControl()
        context = self._new_context(control)
        try:
            call = _Call(self.toolset, context, name, arguments, control)
            said = (note.text for note in call.notes_of(call.result))
            return replace(call.result, notes=(*call.result.notes, *said))
        finally:
            context.close()


class _Call:
    """One call. Construction runs the tool. Raises: CodeMapError; whatever the tool raises."""

    def __init__(
        self,
        toolset: Toolset,
        context: CallContext,
        name: str,
        given: Mapping[str, Any],
        control: CallControl,
    ) -> None:
        self._start: Final = time.perf_counter()
        if control.cancelled.is_set():
            raise CancelledError("The call was cancelled before it started.")
        self._toolset: Final = toolset
        tool = toolset.find(name)
        self.tool: Final = tool.name
        decoded = _arguments(toolset, tool, given)
        has_own_contract = toolset.contract(name) is not None  # which says itself what a path is
        self._arguments: Final = (
            decoded
            if has_own_contract
            else with_relative_paths(decoded, lambda: context.root(getattr(decoded, "repo_path", "")))
        )
        self._context: Final = context
        result: object
        result, self._was_cached = answered(tool, context, self._arguments)
        if not isinstance(result, ToolResult):
            raise TypeError(f"{tool.name} must return a ToolResult, not {type(result).__name__}")
        check_cursor(self._arguments, tool.name, result)
        self.result: Final = result
        self._ran: Final = time.perf_counter()

    def notes_of(self, result: ToolResult) -> tuple[Note, ...]:
        """The server's own remarks beside the result."""
        if result.snapshot is None:
            return ()
        return self._context.notes(result, _files(result))

    def text(self, answer_format: AnswerFormat) -> str:
        """The whole answer, within its budget. Raises: BudgetExceededError for one that cannot be cut and is longer than any may be."""
        result, max_chars = self._with_budget()
        if answer_format is AnswerFormat.TEXT:
            result = sufficient(result)
        notes = self.notes_of(result)
        timing = self._timing()
        renderer = Renderer(self._toolset, answer_format)

        def delivered(each: ToolResult, said: tuple[Note, ...]) -> Delivery:
            cursor = next_cursor(self._arguments, self.tool, each)
            return Delivery(
                result=each,
                timing=timing,
                cursor=cursor,
                notes=said,
                project_diagnostics=_problems(each.snapshot),
                was_cached=self._was_cached,
            )

        def length(each: Delivery) -> int:
            return len(renderer.text(each)) + SAVINGS_ALLOWANCE

        shown = fitted(result, max_chars, lambda each: length(delivered(each, notes)))
        timing = self._timing()
        if shown is not result:
            notes = self.notes_of(shown)
        delivery = shortened(delivered(shown, notes), max_chars, length)
        shown = delivery.result
        text = renderer.text(delivery)
        size = len(text)
        if size > HARD_CAPS.max_chars and not isinstance(shown.data, Listing):
            raise BudgetExceededError(
                f"The answer has {size} characters, more than the {HARD_CAPS.max_chars} a tool may send. "
                "Ask for less: a lower limit, a filter, or fewer lines."
            )
        files = _files(shown)
        saved = self._context.tokens_saved(shown.snapshot, files, size) if files else 0
        if saved:
            self._context.record_savings(saved)
        return renderer.text(replace(delivery, tokens_saved=saved)) if saved else text

    def _with_budget(self) -> tuple[ToolResult, int]:
        """The result with what was done about ``max_chars``, and the characters that it may have."""
        requested = getattr(self._arguments, "max_chars", 0)
        if requested <= HARD_CAPS.max_chars:
            return self.result, requested or self._context.budgets.max_chars
        limits = {**self.result.limits_applied, "max_chars": LimitApplied(requested, HARD_CAPS.max_chars)}
        return replace(self.result, limits_applied=limits), HARD_CAPS.max_chars

    def _timing(self) -> Timing:
        total = self._ran - self._start
        looked_up = self._context.times.lookup
        built = (self._context.times.built or 0.0) + self._context.times.refreshed
        return Timing(
            total_ms=_milliseconds(time.perf_counter() - self._start),
            db_query_ms=_milliseconds(max(0.0, total - looked_up - built)),
            cache_lookup_ms=_milliseconds(looked_up),
            roslyn_compile_ms=_milliseconds(built),
            ranking_ms=_milliseconds(time.perf_counter() - self._ran),
        )


def _characters(given: Mapping[str, Any]) -> int:
    """The ``max_chars`` of arguments that may be wrong in other ways; 0 where there is none."""
    try:
        return msgspec.convert(given.get("max_chars") or 0, int, strict=False)
    except msgspec.ValidationError:
        return 0


def _arguments(toolset: Toolset, tool: Tool, given: Mapping[str, Any]) -> Struct:
    fit_to_send = sanitised(given)
    size = len(msgspec.json.encode(fit_to_send))
    if size > MAX_ARGUMENTS:
        raise InvalidArgumentError(f"The arguments take {size} bytes; the maximum is {MAX_ARGUMENTS}.")
    return with_offset(decode_arguments(toolset.spelt(tool.name), tool.arguments, fit_to_send))


def _problems(snapshot: Snapshot | None) -> tuple[ProjectDiagnostic, ...]:
    if snapshot is None or snapshot.semantic_level is SemanticLevel.FULL:
        return ()
    return tuple(each for each in snapshot.project_diagnostics if not each.compiled or each.errors)[:DIAGNOSTICS_SHOWN]


def _files(result: ToolResult) -> tuple[str, ...]:
    return result.data.files if isinstance(result.data, Placed) else ()


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)
