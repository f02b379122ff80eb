"""``mcp__coderef__validate`` and ``mcp__coderef__batch_validate``: references checked, one by one or many at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from codemap_core.hooks.tool import ToolContext, ToolResult
from codemap_plugins.coderef.arguments import BatchValidateArguments, ValidateArguments
from codemap_plugins.coderef.asked import snapshot_of
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.issues import Issue, Severity
from codemap_plugins.coderef.validation import Existence, Verdict, check

MAX_REFERENCES: Final = 10_000
_PORTION: Final = 50
"""References that a worker checks at a time."""
_FAILURES: Final = (Severity.ERROR, Severity.CRITICAL)


class Validated(Struct, frozen=True):
    reference: str
    status: str
    is_valid: bool
    issues: tuple[Issue, ...]
    validation_time_ms: float


class ValidateAnswer(Struct, frozen=True):
    status: str
    total_references: int
    valid_count: int
    invalid_count: int
    results: list[Validated]
    validation_status: str


class BatchResult(Struct, frozen=True):
    reference: str
    status: str
    is_valid: bool
    issue_count: int
    error_count: int
    warning_count: int


class BatchSummary(Struct, frozen=True):
    success_rate: float
    average_validation_time_ms: float


class BatchAnswer(Struct, frozen=True):
    """``status``: ``partial`` when the time was over before all were checked; ``not_validated`` counts the rest."""

    status: str
    total_items: int
    successful: int
    failed: int
    warnings: int
    results: list[BatchResult]
    summary: BatchSummary
    batch_execution_time_ms: float
    not_validated: int | UnsetType = UNSET
    message: str | UnsetType = UNSET


def validate(context: ToolContext, arguments: ValidateArguments) -> ToolResult:
    references = _given(arguments)
    snapshot = snapshot_of(context, arguments) if arguments.validate_existence else None
    existence = Existence(snapshot) if snapshot is not None else None
    results = []
    for text in references:
        context.check_cancelled()
        started = time.perf_counter()
        verdict = check(text)
        if existence is not None:
            verdict = existence.check(verdict)
        results.append(
            Validated(
                reference=text,
                status=_status(verdict),
                is_valid=verdict.is_valid,
                issues=verdict.issues,
                validation_time_ms=_milliseconds(started),
            )
        )
    valid = sum(each.is_valid for each in results)
    answer = ValidateAnswer(
        status="success",
        total_references=len(results),
        valid_count=valid,
        invalid_count=len(results) - valid,
        results=results,
        validation_status="success",
    )
    return ToolResult(answer="", data=answer, snapshot=snapshot)


def _given(arguments: ValidateArguments) -> Sequence[str]:
    """Raises: CodeRefError unless exactly one of the two was given, and not too much of it."""
    one, several = arguments.reference, arguments.references
    if isinstance(one, str) and not isinstance(several, tuple):
        return (one,)
    if isinstance(several, tuple) and not isinstance(one, str):
        _check_count(several)
        return several
    both = "Both were given." if isinstance(one, str) else "None was given."
    raise CodeRefError(
        CodeRefCode.INVALID_REQUEST,
        f"Give either reference or references. {both}",
        "reference",
        "Pass reference for one, references for several.",
    )


def batch_validate(context: ToolContext, arguments: BatchValidateArguments) -> ToolResult:
    _check_count(arguments.references)
    started = time.perf_counter()
    deadline = started + arguments.timeout_ms / 1000
    if arguments.parallel:
        done = _in_parallel(context, arguments.references, arguments.max_workers, deadline)
    else:
        done = _one_by_one(context, arguments.references, deadline)
    results = [
        BatchResult(
            reference=text,
            status=_status(verdict),
            is_valid=verdict.is_valid,
            issue_count=len(verdict.issues),
            error_count=verdict.count(*_FAILURES),
            warning_count=verdict.count(Severity.WARNING),
        )
        for text, verdict, _ in done
    ]
    successful = sum(each.is_valid for each in results)
    left = len(arguments.references) - len(results)
    answer = BatchAnswer(
        status="partial" if left else "success",
        total_items=len(arguments.references),
        successful=successful,
        failed=len(results) - successful,
        warnings=sum(each.warning_count for each in results),
        results=results,
        summary=BatchSummary(
            success_rate=round(100 * successful / len(results), 1) if results else 0.0,
            average_validation_time_ms=round(sum(each[2] for each in done) / len(done), 4) if done else 0.0,
        ),
        batch_execution_time_ms=_milliseconds(started),
        not_validated=left or UNSET,
        message=f"The time of {arguments.timeout_ms:,} ms was over before {left:,} of them were checked."
        if left
        else UNSET,
    )
    return ToolResult(answer="", data=answer)


_Done = tuple[str, Verdict, float]
"""A reference, what was found, and the milliseconds that it took."""


def _one_by_one(context: ToolContext, references: Sequence[str], deadline: float) -> list[_Done]:
    done: list[_Done] = []
    for text in references:
        context.check_cancelled()
        if time.perf_counter() > deadline:
            break
        done.append(_timed(text))
    return done


def _in_parallel(context: ToolContext, references: Sequence[str], workers: int, deadline: float) -> list[_Done]:
    """Results in the order of the references; of those that were checked in time."""
    portions = [references[at : at + _PORTION] for at in range(0, len(references), _PORTION)]
    with ThreadPoolExecutor(max_workers=min(workers, len(portions))) as pool:
        futures: list[Future[list[_Done]]] = [pool.submit(_until(deadline), portion) for portion in portions]
        running = set(futures)
        try:
            while running:
                context.check_cancelled()
                _, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return [each for future in futures for each in future.result()]


def _until(deadline: float) -> Callable[[Sequence[str]], list[_Done]]:
    def check_portion(portion: Sequence[str]) -> list[_Done]:
        return [_timed(text) for text in portion if time.perf_counter() <= deadline]

    return check_portion


def _timed(text: str) -> _Done:
    started = time.perf_counter()
    verdict = check(text)
    return text, verdict, (time.perf_counter() - started) * 1000


def _check_count(references: Sequence[str]) -> None:
    if not references:
        raise CodeRefError(CodeRefCode.INVALID_REQUEST, "references is empty: give at least one.", "references")
    if len(references) > MAX_REFERENCES:
        raise CodeRefError(
            CodeRefCode.INVALID_REQUEST,
            f"references has {len(references):,} items; the maximum is {MAX_REFERENCES:,}.",
            "references",
            "Send them in several calls.",
        )


def _status(verdict: Verdict) -> str:
    return "valid" if verdict.is_valid else "invalid"


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
