"""The difference of two dumps: the canonical rows that ``codemap dump`` prints of one index and not of the other.

Law: ``applied(dump of the older, difference)`` is the dump of the newer, for every kind of rows, line order apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.storage.reading.dump import DUMPS, DumpRow, dumped
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.row_difference import document_differences, project_differences

_FROM_DOCUMENTS: Final = {"symbols": "symbols", "refs": "references", "facts": "facts"}


class RowChange(StrEnum):
    REMOVED = "removed"
    ADDED = "added"


class RowDifference(Struct, frozen=True):
    """One row of a dump that one of two indexes has. Of a row that changed, the older form is removed and the newer one added."""

    change: RowChange
    row: DumpRow


def row_differences(old: IndexReader, new: IndexReader, kind: str) -> Iterator[RowDifference]:
    """``kind``: one of ``DUMPS``. By document in path order, in each the removed rows before the added ones; relations by type. Raises:
    KeyError for another kind."""
    if kind == "projects":
        projects = project_differences(old, new)
        yield from _cancelled(old, new, projects.removed, projects.added)
    elif kind == "relations":  # the dump says each once, however many documents do
        before, after = ({msgspec.json.encode(row) for row in DUMPS[kind](each)} for each in (old, new))
        yield from (RowDifference(RowChange.REMOVED, msgspec.json.decode(row)) for row in sorted(before - after))
        yield from (RowDifference(RowChange.ADDED, msgspec.json.decode(row)) for row in sorted(after - before))
    elif kind == "files":
        for each in document_differences(old, new):
            if each.old != each.new:
                sides = [() if row is None else (row,) for row in (each.old, each.new)]
                yield from _cancelled(old, new, *sides)
    elif kind == "facts" and _said_of_projects(old, new) != _said_of_projects(new, old):
        # What the dump says of a fact's project is said of documents, too, whose own rows are the same.
        left, right = (_by_path(DUMPS[kind](each)) for each in (old, new))
        for path in sorted(left.keys() | right.keys()):
            yield from _differing(left.get(path, ()), right.get(path, ()))
    else:
        field = _FROM_DOCUMENTS[kind]
        for each in document_differences(old, new):
            changed = getattr(each, field)
            yield from _cancelled(old, new, changed.removed, changed.added)


def applied(rows: Iterable[DumpRow], differences: Iterable[RowDifference]) -> Iterator[bytes]:
    """The rows of the newer dump as encoded lines, made of those of the older one; in no order. Raises: ValueError for a row that is
    removed and was not there."""
    counts = Counter(msgspec.json.encode(row) for row in rows)
    for each in differences:
        counts[msgspec.json.encode(each.row)] += 1 if each.change is RowChange.ADDED else -1
    if missing := next((row for row, count in counts.items() if count < 0), None):
        raise ValueError(f"a row is removed that the older dump does not have: {missing.decode()}")
    return counts.elements()


def _cancelled(
    old: IndexReader, new: IndexReader, removed: Iterable[object], added: Iterable[object]
) -> Iterator[RowDifference]:
    """Without rows that differ only in what the dump leaves out."""
    yield from _differing([dumped(old, row) for row in removed], [dumped(new, row) for row in added])


def _said_of_projects(index: IndexReader, other: IndexReader) -> dict[str, tuple[str, bool]]:
    """What the dump of facts says of the projects that both indexes have, by path."""
    common = {each.project_path for each in other.projects()}
    return {each.project_path: (each.name, each.is_test) for each in index.projects() if each.project_path in common}


def _by_path(rows: Iterable[DumpRow]) -> dict[str, list[DumpRow]]:
    found: dict[str, list[DumpRow]] = {}
    for row in rows:
        found.setdefault(str(row["file_path"]), []).append(row)
    return found


def _differing(before: Sequence[DumpRow], after: Sequence[DumpRow]) -> Iterator[RowDifference]:
    left = Counter(map(msgspec.json.encode, before))
    right = Counter(map(msgspec.json.encode, after))
    yield from _surplus(before, left - right, RowChange.REMOVED)
    yield from _surplus(after, right - left, RowChange.ADDED)


def _surplus(rows: Iterable[DumpRow], surplus: Counter[bytes], change: RowChange) -> Iterator[RowDifference]:
    for row in rows:
        encoded = msgspec.json.encode(row)
        if surplus[encoded] > 0:
            surplus[encoded] -= 1
            yield RowDifference(change, row)
