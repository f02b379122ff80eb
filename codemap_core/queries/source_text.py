"""Spans of a file with line numbers, and a symbol's definition. Text comes from the index: the commit's, not the
working tree's."""

from __future__ import annotations

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import SymbolRow
from codemap_core.queries.snapshot import Snapshot, normalise_path
from codemap_core.queries.views import SpanResponse


def get_span(
    snapshot: Snapshot,
    file_path: str,
    start_line: int,
    end_line: int,
    context_lines: int = 0,
    max_lines: int = 120,
    max_chars: int = 12_000,
) -> SpanResponse:
    """Lines ``start_line`` to ``end_line`` and ``context_lines`` around them, cut to ``max_lines`` and ``max_chars``;
    a range that goes past the end stops there. Raises: InvalidArgumentError for a range that is none or begins after
    the end; NotFoundError."""
    if start_line < 1 or end_line < start_line:
        raise InvalidArgumentError(
            f"Lines {start_line} to {end_line} are no range: lines count from 1 and end_line is not before start_line.",
            start_line=start_line,
            end_line=end_line,
        )
    path = normalise_path(file_path)
    lines = split_lines(snapshot.file_text(path))
    if start_line > max(1, len(lines)):
        raise InvalidArgumentError(
            f"'{path}' has {len(lines)} lines; line {start_line} is past its end.", file_path=path
        )
    first = max(1, start_line - max(0, context_lines))
    last = min(len(lines), end_line + max(0, context_lines))
    return _span(path, lines, first, last, max_lines, max_chars)


def definition_span(
    snapshot: Snapshot, symbol: SymbolRow, context_lines: int = 2, max_lines: int = 120, max_chars: int = 12_000
) -> SpanResponse:
    """The declaration of a symbol, cut to ``max_lines``, with context around it."""
    lines = split_lines(snapshot.file_text(symbol.file_path))
    end = min(symbol.span_end, symbol.span_start + max_lines - 1, len(lines))
    first = max(1, symbol.span_start - max(0, context_lines))
    last = min(len(lines), end + max(0, context_lines))
    span = _span(symbol.file_path, lines, first, last, last - first + 1, max_chars)
    if end < min(symbol.span_end, len(lines)):
        return SpanResponse(
            file_path=span.file_path,
            start_line=span.start_line,
            end_line=span.end_line,
            total_file_lines=span.total_file_lines,
            content=span.content,
            truncated=True,
        )
    return span


def split_lines(text: str) -> list[str]:
    """Lines without their ends (``\\n``, ``\\r\\n``, ``\\r``; C# counts U+2028 and the like too, editors do not). An
    empty text has none."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _span(path: str, lines: list[str], first: int, last: int, max_lines: int, max_chars: int) -> SpanResponse:
    wanted_last = last
    last = min(last, first + max_lines - 1)
    numbered: list[str] = []
    size = 0
    for number in range(first, last + 1):
        line = f"{number:5} | {lines[number - 1]}"
        size += len(line) + 1
        if size > max_chars + 1:
            if not numbered:  # one line longer than all that may be shown
                numbered.append(line[:max_chars])
            break
        numbered.append(line)
    shown_last = first + len(numbered) - 1
    cut_inside = bool(numbered) and size > max_chars + 1 and len(numbered) == 1
    return SpanResponse(
        file_path=path,
        start_line=first,
        end_line=shown_last,
        total_file_lines=len(lines),
        content="\n".join(numbered),
        truncated=shown_last < wanted_last or cut_inside,
    )
