"""A program of its own: searches the texts of an index for a regular expression, line by line.

``re`` cannot be interrupted and holds the interpreter's lock while it works, so this runs in a process that its
parent can stop at any moment (``codemap_core.queries.search.text_search``). It needs the standard library alone and starts
in a few hundredths of a second.

It ends by itself a little after its time and as soon as its standard input closes, which tells that its parent is gone;
both by signals that end a process whatever the interpreter is doing.

In: one line with a JSON object on standard input, which then stays open: ``path`` of an index, ``sealed`` (it never changes),
``unsaved`` (texts by path, instead of those in the index), ``pattern``, ``ignore_case``, ``literal`` (a string every matching line
contains, or empty; lower-case where case is ignored), ``tokens`` (an FTS5 expression for candidate files, or empty), ``prefix`` of
paths, ``include`` and ``exclude`` (regular expressions of paths: any of the former if there are some, none of the latter), ``offset``
and ``limit`` of matches, ``context`` (lines on both sides), ``excerpt`` (characters a line), ``seconds`` that the parent waits.
Out: JSON lines, flushed one by one: ``{"files": n}``, then ``[path, line, text, before, after]`` for each match of the page in path
order, where no two of them have a line in common; at last ``{"matches": n, "matching_files": n}`` over all pages; or
``{"bad_pattern": …}``, ``{"damaged": …}``.
"""

import faulthandler
import heapq
import json
import math
import os
import re
import signal
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LAST_CHARACTER = "\U0010ffff"
SPARE_SECONDS = 1
"""By which this process outlives the time after which its parent ends it."""


def main() -> None:
    request: dict[str, Any] = json.loads(sys.stdin.readline())
    limit_time(request["seconds"] + SPARE_SECONDS)
    end_with_parent()
    try:
        pattern = re.compile(request["pattern"], re.IGNORECASE if request["ignore_case"] else 0)
    except (re.error, OverflowError, RecursionError) as error:
        emit({"bad_pattern": str(error)})
        return
    try:
        search(request, pattern)
    except (sqlite3.DatabaseError, zlib.error, UnicodeDecodeError) as error:
        emit({"damaged": str(error)})


def limit_time(seconds: float) -> None:
    """Ends this process after ``seconds``, by the clock and by what it computes."""
    if sys.platform == "win32":
        faulthandler.dump_traceback_later(seconds, exit=True)  # a thread that needs no interpreter's lock
        return
    import resource

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM, signal.SIGXCPU, signal.SIGIO})
    signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = math.ceil(seconds) + 1
    if most == resource.RLIM_INFINITY or most > wanted:
        resource.setrlimit(resource.RLIMIT_CPU, (wanted, wanted))


def end_with_parent() -> None:
    """Asks for a signal when the other end of standard input closes, and leaves it to end this process."""
    if not hasattr(os, "O_ASYNC"):
        return
    import fcntl
    import select

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    closed, _, _ = select.select([0], [], [], 0)
    if closed:  # it closed before it was watched
        sys.exit(1)


def search(request: dict[str, Any], pattern: re.Pattern[str]) -> None:
    uri = f"{Path(request['path']).as_uri()}?mode=ro{'&immutable=1' if request['sealed'] else ''}"
    connection = sqlite3.connect(uri, uri=True)
    wanted = path_filter(request["include"], request["exclude"])
    unsaved: dict[str, str] = request["unsaved"]
    emit({"files": count_files(connection, request["prefix"], wanted, unsaved)})
    first: int = request["offset"]
    behind: int = first + request["limit"]
    context: int = request["context"]
    matches = matching_files = 0
    for path, text in candidates(connection, request["prefix"], request["tokens"], unsaved):
        if not wanted(path):
            continue
        lines = lines_of(text, request["literal"], request["ignore_case"])
        before = matches
        last = 0
        waiting: tuple[int, int] | None = (
            None  # a match whose neighbours end where the next one begins, and the match before it
        )
        for number in matching_lines(lines, pattern, request["literal"], request["ignore_case"]):
            if waiting is not None:
                emit([path, *shown(lines, *waiting, number, context, request["excerpt"])])
                waiting = None
            if first <= matches < behind:
                if context:
                    waiting = (number, last)
                else:
                    emit([path, number, lines[number - 1].strip()[: request["excerpt"]], [], []])
            last = number
            matches += 1
        if waiting is not None:
            emit([path, *shown(lines, *waiting, len(lines) + 1, context, request["excerpt"])])
        matching_files += matches > before
    emit({"matches": matches, "matching_files": matching_files})


def path_filter(include: list[str], exclude: list[str]) -> Callable[[str], bool]:
    included = [re.compile(each) for each in include]
    excluded = [re.compile(each) for each in exclude]

    def wanted(path: str) -> bool:
        if included and not any(each.match(path) for each in included):
            return False
        return not any(each.match(path) for each in excluded)

    return wanted


def shown(
    lines: list[str], number: int, previous: int, following: int, context: int, characters: int
) -> tuple[int, str, list[str], list[str]]:
    """Number and text of a match, the lines before it that are not yet shown, and those after it up to the next match."""
    start = max(1, number - context, previous + context + 1 if previous else 1)
    end = min(len(lines), number + context, following - 1)
    before = [line.rstrip()[:characters] for line in lines[start - 1 : number - 1]]
    after = [line.rstrip()[:characters] for line in lines[number:end]]
    return number, lines[number - 1].rstrip()[:characters], before, after


def emit(message: object) -> None:
    """One line of ASCII, so that no encoding of the stream can matter."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def count_files(
    connection: sqlite3.Connection, prefix: str, wanted: Callable[[str], bool], unsaved: dict[str, str]
) -> int:
    query = "SELECT path FROM files WHERE status <> 'skipped' AND " + WITH_PREFIX  # those have no text
    stored = {path for (path,) in connection.execute(query, (prefix, prefix + LAST_CHARACTER))}
    return sum(wanted(path) for path in stored.union(each for each in unsaved if has_prefix(each, prefix)))


def has_prefix(path: str, prefix: str) -> bool:
    return path.lower().startswith(prefix.lower())


def candidates(
    connection: sqlite3.Connection, prefix: str, tokens: str, unsaved: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Path and text of each file to search, in path order."""
    instead = sorted((path, text) for path, text in unsaved.items() if has_prefix(path, prefix))
    stored = (each for each in stored_candidates(connection, prefix, tokens) if each[0] not in unsaved)
    return heapq.merge(stored, instead, key=lambda each: each[0])


def stored_candidates(connection: sqlite3.Connection, prefix: str, tokens: str) -> Iterator[tuple[str, str]]:
    query = "SELECT path, text FROM files JOIN file_texts ON file_id = id WHERE " + WITH_PREFIX
    parameters = [prefix, prefix + LAST_CHARACTER]
    if tokens:
        query += " AND id IN (SELECT rowid FROM files_fts WHERE files_fts MATCH ?)"
        parameters.append(tokens)
    for path, stored in connection.execute(query + " ORDER BY path", parameters):
        yield path, zlib.decompress(stored).decode("utf-8", "surrogatepass")


def lines_of(text: str, literal: str, ignore_case: bool) -> list[str]:
    """None where no line can match."""
    if not text or literal not in (text.lower() if ignore_case else text):
        return []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n")


def matching_lines(lines: list[str], pattern: re.Pattern[str], literal: str, ignore_case: bool) -> Iterator[int]:
    """Numbers of the lines that the pattern matches somewhere."""
    search = pattern.search
    for number, line in enumerate(lines, start=1):
        if literal in (line.lower() if ignore_case else line) and search(line) is not None:
            yield number


WITH_PREFIX = "path >= ? COLLATE NOCASE AND path < ? COLLATE NOCASE"

if __name__ == "__main__":
    main()
