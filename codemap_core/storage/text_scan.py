"""A program of its own: searches the texts of an index for a regular expression, line by line.

``re`` cannot be interrupted and holds the interpreter's lock while it works, so this runs in a process that its
parent can stop at any moment (``codemap_core.queries.text_search``). It needs the standard library alone and starts
in a few hundredths of a second.

It ends by itself a little after its time and as soon as its standard input closes, which tells that its parent is gone;
both by signals that end a process whatever the interpreter is doing.

In: one line with a JSON object on standard input, which then stays open: ``path`` of a sealed index, ``pattern``,
``literal`` (a string every matching line contains, or empty), ``tokens`` (an FTS5 expression for candidate files, or
empty), ``prefix`` of paths,
``offset`` and ``limit`` of matches, ``excerpt`` (characters a line), ``seconds`` that the parent waits.
Out: JSON lines, flushed one by one: ``{"files": n}``, then ``[path, line, text]`` for each match of the page in path order, at last
``{"matches": n, "matching_files": n}`` over all pages; or ``{"bad_pattern": …}``, ``{"damaged": …}``.
"""

import faulthandler
import json
import math
import os
import re
import signal
import sqlite3
import sys
import zlib
from collections.abc import Iterator
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
        pattern = re.compile(request["pattern"])
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
    uri = f"{Path(request['path']).as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True)
    emit({"files": count_files(connection, request["prefix"])})
    first: int = request["offset"]
    behind: int = first + request["limit"]
    matches = matching_files = 0
    for path, text in candidates(connection, request["prefix"], request["tokens"]):
        before = matches
        for number, line in matching_lines(text, pattern, request["literal"]):
            if first <= matches < behind:
                emit([path, number, line.strip()[: request["excerpt"]]])
            matches += 1
        matching_files += matches > before
    emit({"matches": matches, "matching_files": matching_files})


def emit(message: object) -> None:
    """One line of ASCII, so that no encoding of the stream can matter."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def count_files(connection: sqlite3.Connection, prefix: str) -> int:
    query = "SELECT count(*) FROM files JOIN file_texts ON file_id = id WHERE " + WITH_PREFIX
    count: int = connection.execute(query, (prefix, prefix + LAST_CHARACTER)).fetchone()[0]
    return count


def candidates(connection: sqlite3.Connection, prefix: str, tokens: str) -> Iterator[tuple[str, str]]:
    """Path and text of each file to search, in path order."""
    query = "SELECT path, text FROM files JOIN file_texts ON file_id = id WHERE " + WITH_PREFIX
    parameters = [prefix, prefix + LAST_CHARACTER]
    if tokens:
        query += " AND id IN (SELECT rowid FROM files_fts WHERE files_fts MATCH ?)"
        parameters.append(tokens)
    for path, stored in connection.execute(query + " ORDER BY path", parameters):
        yield path, zlib.decompress(stored).decode("utf-8", "surrogatepass")


def matching_lines(text: str, pattern: re.Pattern[str], literal: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that the pattern matches somewhere."""
    if not text or literal not in text:
        return
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    search = pattern.search
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if literal in line and search(line) is not None:
            yield number, line


WITH_PREFIX = "path >= ? COLLATE NOCASE AND path < ? COLLATE NOCASE"

if __name__ == "__main__":
    main()
