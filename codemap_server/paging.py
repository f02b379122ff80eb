"""Answers in pages: how many rows fit into a budget, and the cursor that continues after them.

A cursor is ``{token}:{offset}``. The token is a digest of the index and of the question, without the arguments that say how much of the
answer is shown; a cursor of another question or of an index that was rebuilt is refused rather than answered wrongly.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import Listing, NestedListing, ToolResult

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

CURSOR: Final = "cursor"
_OFFSET: Final = "offset"
_HOW_MUCH: Final = frozenset({CURSOR, _OFFSET, "limit", "max_chars", "max_lines"})
"""Arguments that may differ from page to page."""
_TOKEN_CHARACTERS: Final = 5
_CURSOR: Final = re.compile(rf"([0-9a-f]{{{_TOKEN_CHARACTERS}}}):([0-9]{{1,9}})")
_NEARLY_FULL: Final = 0.9
"""Share of a budget that need not be filled better."""
_GUESSES: Final = 4
"""Proportional guesses before the search halves."""


def with_offset(arguments: Struct) -> Struct:
    """``arguments`` with its cursor, if there is one, decoded into ``offset``. Raises: InvalidArgumentError for what is not a cursor."""
    cursor = getattr(arguments, CURSOR, "").strip()
    if not cursor:
        return arguments
    if getattr(arguments, _OFFSET):
        raise InvalidArgumentError("Give cursor or offset, not both.")
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise _foreign(cursor)
    return replace(arguments, **{_OFFSET: int(match[2])})


def check_cursor(arguments: Struct, tool: str, result: ToolResult) -> None:
    """Raises: InvalidArgumentError for the cursor of another question or another index."""
    cursor = getattr(arguments, CURSOR, "").strip()
    if cursor and (result.snapshot is None or not cursor.startswith(f"{_token(arguments, tool, result)}:")):
        raise _foreign(cursor)


def next_cursor(arguments: Struct, tool: str, result: ToolResult) -> str:
    """Continues ``result`` after the rows that it holds; empty when there are no more, or the tool takes no cursor."""
    page, view = result.page, result.data
    if page is None or not isinstance(view, Listing) or not hasattr(arguments, CURSOR):
        return ""
    if result.snapshot is None or not page.continues_after(view.row_count):
        return ""
    return f"{_token(arguments, tool, result)}:{page.offset + view.row_count}"


def sufficient(result: ToolResult) -> ToolResult:
    """``result`` with the rows alone that are most likely all that was asked for, where it says which these are; its cursor leads on."""
    view, count = result.data, result.sufficient_rows
    if not count or not isinstance(view, Listing) or view.row_count <= count:
        return result
    return replace(result, data=view.cut(count))


def fitted(result: ToolResult, max_chars: int, characters: Callable[[ToolResult], int]) -> ToolResult:
    """``result`` with as many rows as fit into ``max_chars``, but one at least; of a single one that lists rows in turn, as many of those.
    ``characters``: the length of the whole answer that a result becomes."""
    view = result.data
    if not isinstance(view, Listing):
        return result
    size = characters(result)
    if size <= max_chars:
        return result

    @cache
    def cut(count: int) -> ToolResult:
        return replace(result, data=view.cut(count))

    kept = _most_that_fit(view.row_count, size, max_chars, lambda count: characters(cut(count)))
    shown = cut(max(1, kept)) if view.row_count > 1 else result
    first = shown.data
    if kept or not isinstance(first, NestedListing) or not first.row_count:
        return shown
    size = characters(shown)
    if size <= max_chars:
        return shown
    rows = _most_that_fit(
        first.first_row_count,
        size,
        max_chars,
        lambda count: characters(replace(shown, data=first.cut_first(count))),
    )
    return replace(shown, data=first.cut_first(max(1, rows)))


def _most_that_fit(over: int, over_size: int, max_chars: int, size_of: Callable[[int], int]) -> int:
    """How many rows fit, of fewer than ``over``, which have ``over_size`` characters and are too many; 0 where not even one does."""
    best, best_size = 0, 0
    guesses = 0
    while over - best > 1 and not (best and best_size >= _NEARLY_FULL * max_chars):
        share = (max_chars - best_size) / (over_size - best_size) if guesses < _GUESSES else 0.5
        guesses += 1
        count = min(over - 1, max(best + 1, best + int(share * (over - best))))
        size = size_of(count)
        if size <= max_chars:
            best, best_size = count, size
        else:
            over, over_size = count, size
    return best


def _token(arguments: Struct, tool: str, result: ToolResult) -> str:
    asked = {name: value for name, value in msgspec.to_builtins(arguments).items() if name not in _HOW_MUCH}
    asked_of: list[Snapshot] = [each for each in (result.snapshot, result.older) if each is not None]
    question = msgspec.json.encode([*(each.identity for each in asked_of), tool, asked], order="sorted")
    return hashlib.sha256(question).hexdigest()[:_TOKEN_CHARACTERS]


def _foreign(cursor: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"cursor {cursor[:40]!r} does not continue this question on this index. Repeat the call without cursor; with one, "
        "all arguments but limit and max_chars stay as they were."
    )
