"""Regular expressions over the text of all files, line by line, within a time bound that holds for any pattern.

The search runs in a child process that is killed when its time is over, whatever ``re`` is doing; what had been found
by then is the answer. The child costs some hundredths of a second and keeps the server responsive, as it holds
another interpreter's lock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError, StorageError
from codemap_core.queries.search.path_globs import path_expressions
from codemap_core.queries.search.pattern_literal import required_literal, token_expression
from codemap_core.queries.search.pattern_process import run_pattern
from codemap_core.queries.snapshot import Snapshot, normalise_path_prefix
from codemap_core.queries.views.symbols import TextMatch, TextSearchResponse
from codemap_core.storage.errors import CorruptIndexError

DEFAULT_SECONDS: Final = 5.0
EXCERPT_CHARACTERS: Final = 300
_MAX_PATTERN: Final = 2000


class TextFilter(Struct, frozen=True, kw_only=True):
    """Which files to search; all that is given must hold. Globs are those of ``.gitignore``: ``*.cs`` anywhere, ``src/**/*.json`` from
    the root, ``{a,b}`` for either."""

    path_prefix: str = ""
    globs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def search_text(
    snapshot: Snapshot,
    pattern: str,
    where: TextFilter | None = None,
    limit: int = 50,
    offset: int = 0,
    *,
    ignore_case: bool = False,
    context_lines: int = 0,
    seconds: float = DEFAULT_SECONDS,
    check: Callable[[], None] = lambda: None,
) -> TextSearchResponse:
    """Lines in which the Python regular expression ``pattern`` matches, by path and line, ``limit`` of them after ``offset``, each with
    ``context_lines`` on both sides, no line twice. ``seconds``: after that the search ends with what it has. ``check`` is called while it
    runs and raises to stop it. Raises: InvalidArgumentError for a pattern that is not one."""
    _check(pattern)
    where = where or TextFilter()
    literal = required_literal(pattern)
    request = {
        "path": str(snapshot.reader.path.absolute()),
        "sealed": snapshot.reader.is_sealed,
        "unsaved": dict(snapshot.unsaved),
        "pattern": pattern,
        "ignore_case": ignore_case,
        "literal": literal.lower() if ignore_case else literal,
        "tokens": token_expression(literal),
        "prefix": normalise_path_prefix(where.path_prefix),
        "include": path_expressions(where.globs),
        "exclude": path_expressions(where.exclude),
        "offset": offset,
        "limit": limit,
        "context": context_lines,
        "excerpt": EXCERPT_CHARACTERS,
        "seconds": seconds,
    }
    lines, timed_out = run_pattern(json.dumps(request), seconds, check)
    files = 0
    counts: tuple[int, int] | None = None
    matches: list[TextMatch] = []
    for message in map(json.loads, lines):
        if isinstance(message, list):
            path, line, text, before, after = message
            matches.append(TextMatch(path, line, text, tuple(before), tuple(after)))
            continue
        if "bad_pattern" in message:
            raise _bad_pattern(pattern, message["bad_pattern"])
        if "damaged" in message:
            raise CorruptIndexError(
                f"The index {snapshot.reader.path} is damaged ({message['damaged']}): run 'codemap index' to build it again."
            )
        files = message.get("files", files)
        if "matches" in message:
            counts = message["matches"], message["matching_files"]
    if counts is None and not timed_out:
        raise StorageError("The text search ended unexpectedly: run it again, and 'codemap doctor' if it fails again.")
    total, matching_files = counts or (offset + len(matches), len({match.file_path for match in matches}))
    return TextSearchResponse(
        pattern=pattern,
        matches=tuple(matches),
        total_count=total,
        file_count=matching_files,
        total_files=files,
        truncated=offset + len(matches) < total or counts is None,
        timed_out=counts is None,
    )


def _check(pattern: str) -> None:
    if not pattern:
        raise InvalidArgumentError("pattern is empty: give a regular expression, for example 'AddScoped<.*>'.")
    if len(pattern) > _MAX_PATTERN:
        raise InvalidArgumentError(f"pattern has {len(pattern)} characters; the maximum is {_MAX_PATTERN}.")


def _bad_pattern(pattern: str, problem: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"pattern is not a regular expression of Python's re: {problem}. To search for the text itself, escape it: "
        f"{re.escape(pattern)[:200]}",
        pattern=pattern,
    )
