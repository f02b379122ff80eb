"""An answer as plain text, for models: the sentence that answers, the lines of the view, how to go on, and what to know beside it.

A view without ``lines`` is shown by its fields, one a line; of a list of structs one line holds one item. Nothing is said that has its
default, and what the repository says stands in the lines alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from codemap_core.errors import ErrorCode
from codemap_core.hooks.tool import LimitApplied, Lined, NextAction
from codemap_core.model import Confidence, Evidence
from codemap_server.delivery import Delivery, ErrorLimits
from codemap_server.envelope import DETAIL_LENGTH, clipped
from codemap_server.sanitised import sanitised_text
from codemap_server.toolset import Toolset


def render_data(data: Any) -> str:
    """The lines of a view, or its fields. Source is several lines in one, of which empty ones stay."""
    lines = data.lines() if isinstance(data, Lined) else _fields(data)
    return sanitised_text("\n".join(line for line in lines if line))


def render_answer(delivery: Delivery, toolset: Toolset, data: str) -> str:
    """``data``: that of the delivery, as ``render_data`` gives it."""
    before = "\n".join(line for line in (*delivery.said_first, toolset.respelt(delivery.result.answer)) if line)
    after = "\n".join(line for line in _lines_after(delivery, toolset) if line)
    return "\n".join(part for part in (sanitised_text(before), data, sanitised_text(after)) if part)


def render_error(
    code: ErrorCode, message: str, details: Mapping[str, Any], retryable: bool, limits: ErrorLimits
) -> str:
    """``CODE: message``, then the candidates, one a line, that the message does not name."""
    lines = [f"{code.value}: {clipped(message, limits.message)}"]
    candidates = details.get("candidates", ())[: limits.items]
    named = (clipped(each, DETAIL_LENGTH) for each in _choices(candidates))
    lines += [f"  {each}" for each in dict.fromkeys(named) if each not in lines[0]]
    return sanitised_text("\n".join(lines))


def _choices(candidates: Sequence[Any]) -> Iterator[str]:
    """Candidates, one a line; types under their files, by names as short as they differ, which mean them too."""
    from codemap_core.model.documentation_id import is_type_id
    from codemap_core.queries.names.symbol_candidates import Candidate
    from codemap_core.queries.plain_lines import row, told_apart
    from codemap_core.queries.rows_by_file import by_file

    types = [
        each for each in candidates if isinstance(each, Candidate) and each.file_path and is_type_id(each.symbol_id)
    ]
    if not types or len(types) < len(candidates):
        yield from map(str, candidates)
        return
    names = told_apart([(each.display, True) for each in types])
    yield from by_file(
        (each.file_path, row(f"{each.line}", f"{each.kind or 'type'} {name}"))
        for name, each in zip(names, types, strict=True)
    )


def _lines_after(delivery: Delivery, toolset: Toolset) -> Iterator[str]:
    result = delivery.result
    yield from (_evidence(each) for each in result.evidence)
    if delivery.cursor:
        yield f"more: cursor={delivery.cursor} ({delivery.rows_shown} shown)"
    if result.confidence is not Confidence.HIGH and not isinstance(result.data, Lined):
        yield f"confidence: {result.confidence.value}"
    for name, limit in result.limits_applied.items():
        yield _limit(name, limit)
    yield from (toolset.respelt(said) for said in delivery.said_after)
    yield from (_next(action, toolset) for action in result.next_actions)


def _fields(data: Any) -> Iterator[str]:
    """Any value as indented lines."""
    value = msgspec.to_builtins(data, str_keys=True)
    if isinstance(value, Mapping):
        yield from _members(value, "")
    elif isinstance(value, list | tuple):
        yield from (_in_one_line(each) for each in value)
    elif value is not None:
        yield str(value)


def _members(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, each in value.items():
        if _is_nothing(each):
            continue
        if isinstance(each, Mapping):
            yield f"{indent}{name}:"
            yield from _members(each, f"{indent}  ")
        elif isinstance(each, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in each):
            yield f"{indent}{name}:"
            yield from (f"{indent}  {_in_one_line(item)}" for item in each)
        else:
            yield f"{indent}{name}: {_in_one_line(each)}"


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | tuple | dict) and not value)


def _in_one_line(value: Any) -> str:
    if isinstance(value, Mapping):
        return "  ".join(f"{name}={_in_one_line(each)}" for name, each in value.items() if not _is_nothing(each))
    if isinstance(value, list | tuple):
        return ", ".join(_in_one_line(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _evidence(place: Evidence) -> str:
    lines = f"{place.line_start}–{place.line_end}" if place.line_end else str(place.line_start)
    return f"see {place.file_path}:{lines}{f'  {place.excerpt}' if place.excerpt else ''}"


def _limit(name: str, limit: LimitApplied) -> str:
    return f"{name} {limit.requested} was brought down to {limit.hard_cap}, its maximum."


def _next(action: NextAction, toolset: Toolset) -> str:
    """``next: graph.callers symbol=Order.Submit depth=2``."""
    given = " ".join(f"{name}={_argument(value)}" for name, value in action.parameters.items())
    return f"next: {toolset.spelt(action.tool)} {given}".rstrip()


def _argument(value: Any) -> str:
    if isinstance(value, str) and value and not any(character in value for character in ' "\n'):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
