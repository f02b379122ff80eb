"""A program of its own: searches the texts of an index for a regular expression, line by line.

``re`` cannot be interrupted and holds the interpreter's lock while it works, so this runs in a process that its
parent can stop at any moment (``codemap_core.queries.text_search``). It needs the standard library alone and starts
in a few hundredths of a second.

In: one JSON object on standard input: ``path`` of a sealed index, ``pattern``, ``literal`` (a string every matching
line contains, or empty), ``tokens`` (an FTS5 expression for candidate files, or empty), ``prefix`` of paths,
``limit``, ``excerpt`` (characters a line).
Out: JSON lines, flushed one by one: ``{"files": n}``, then ``[path, line, text]`` for each match in path order (one
more than ``limit`` if there are more), at last ``{"done": true}``; or ``{"bad_pattern": …}``, ``{"damaged": …}``.
"""

import json
import re
import sqlite3
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LAST_CHARACTER = "\U0010ffff"


def main() -> None:
    request: dict[str, Any] = json.load(sys.stdin)
    try:
        pattern = re.compile(request["pattern"])
    except (re.error, OverflowError, RecursionError) as error:
        emit({"bad_pattern": str(error)})
        return
    try:
        search(request, pattern)
    except (sqlite3.DatabaseError, zlib.error, UnicodeDecodeError) as error:
        emit({"damaged": str(error)})


def search(request: dict[str, Any], pattern: re.Pattern[str]) -> None:
    uri = f"{Path(request['path']).as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True)
    emit({"files": count_files(connection, request["prefix"])})
    remaining: int = request["limit"] + 1
    for path, text in candidates(connection, request["prefix"], request["tokens"]):
        for number, line in matching_lines(text, pattern, request["literal"]):
            emit([path, number, line.strip()[: request["excerpt"]]])
            remaining -= 1
            if remaining == 0:
                emit({"done": True})
                return
    emit({"done": True})


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
