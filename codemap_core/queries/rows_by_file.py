"""Rows under the files they are about, and these under folders: what many rows have in common is said once above them.

A line that ends with ``/`` is a folder, and the files below it, by one space, are named from there on. Rows are below their file by two.
So a path is what stands behind the last folder, put behind it, and a line without indentation begins a whole path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from codemap_core.queries.plain_lines import row

_MOST_FILES_OF_A_FOLDER: Final = 40
"""Files named from one folder on: further down it would be out of sight."""
_LEAST_SAVED: Final = 8
"""Characters that a folder has to save: a line more to read is worth some."""


def by_file(rows: Iterable[tuple[str, str]], marked: Collection[str] = (), mark: str = "") -> Iterator[str]:
    """Rows of (path, text that begins with a line's number). Those of one path that follow each other are indented under it; a single one
    stands beside it: ``src/Order.cs:42  …``. ``marked``: paths that ``mark`` is said of."""
    return by_file_and_level(((path, 1, text) for path, text in rows), marked, mark)


def by_file_and_level(
    rows: Iterable[tuple[str, int, str]], marked: Collection[str] = (), mark: str = ""
) -> Iterator[str]:
    """As ``by_file``, of rows with their level, from 1 on; only one of the first level stands beside its path."""
    files: list[tuple[str, str, list[str]]] = []
    for path, same in groupby(rows, key=itemgetter(0)):
        several = [(level, text) for _, level, text in same]
        if len(several) == 1 and several[0][0] == 1:
            files.append((path, f":{several[0][1]}", []))
        else:
            files.append((path, "", ["  " * level + text for level, text in several]))
    for (path, beside, below), (folder, named) in zip(files, under_folders([each[0] for each in files]), strict=True):
        if folder:
            yield folder
        yield row(f"{named}{beside}", mark if path in marked else "")
        yield from below


def under_folders(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """For each path the folder that begins to hold with it, if one does, and the path as it stands: whole, or one space and the rest.

    Folders are those with which all the paths take the fewest characters; a path that follows those of a folder and is not in it stands
    whole, or under a folder of its own.
    """
    shared = [_length_of_common_folder(one, other) for one, other in pairwise(paths)]
    shortest = [0] * (len(paths) + 1)
    ends = [0] * len(paths)
    for start in range(len(paths) - 1, -1, -1):
        whole = len(paths[start])
        shortest[start], ends[start] = whole + shortest[start + 1], start + 1
        length = whole
        for end in range(start + 1, min(start + _MOST_FILES_OF_A_FOLDER, len(paths))):
            length = min(length, shared[end - 1])
            if not length:
                break
            whole += len(paths[end])
            count = end - start + 1
            said = whole - (length - 1) * count + length + 1 + _LEAST_SAVED + shortest[end + 1]
            if said < shortest[start]:
                shortest[start], ends[start] = said, end + 1
    start = 0
    while start < len(paths):
        end = ends[start]
        if end == start + 1:
            yield "", paths[start]
        else:
            length = min(shared[start : end - 1])
            for nth in range(start, end):
                yield paths[start][:length] if nth == start else "", f" {paths[nth][length:]}"
        start = end


def _length_of_common_folder(first: str, second: str) -> int:
    """Characters of the path of the last folder that both are in, with its ``/``; 0 for none."""
    length = 0
    for place, (one, other) in enumerate(zip(first, second, strict=False), start=1):
        if one != other:
            break
        if one == "/":
            length = place
    return length
