"""How tests cover the files of an index, as the reports in its working tree say.

Reports name files as the machine that ran the tests had them. A relative path begins in the folder of its report or in one above it, the
nearest in which there is such a file. Of any other, a file of the index is meant where the path ends in the file's, or the file's in it,
and no other file is; that may have another case, as on Windows. Reports are read again when they change on disk.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from posixpath import basename, dirname, join, normpath
from typing import Final

from msgspec import Struct, field

from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_plugins.coderef.coverage_reports import Hits, find_reports, read_report

_PACKAGE: Final = "package.json"
_LOOK_AGAIN: Final = 5.0
"""Seconds for which the list of reports is taken as it was."""


class Coverage(Struct, frozen=True):
    """Hits by path of the index. ``reports``: how many reports say so."""

    hits: Mapping[str, Hits]
    reports: int
    _counted: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)
    """By path, once it was asked for: its executable lines, and how many of those before each one tests executed."""

    def percentage(self, file_path: str, span: tuple[int, int] | None = None) -> float | None:
        """Of the executable lines of a span, or of the file, those that tests executed; null where no report knows any."""
        known = self.hits.get(file_path)
        if not known:
            return None
        lines, executed = self._counts(file_path, known)
        first, end = (0, len(lines)) if span is None else (bisect_left(lines, span[0]), bisect_right(lines, span[1]))
        return round(100 * (executed[end] - executed[first]) / (end - first), 1) if end > first else None

    def _counts(self, file_path: str, known: Hits) -> tuple[list[int], list[int]]:
        counted = self._counted.get(file_path)
        if counted is None:
            lines = sorted(known)
            executed = [0, *accumulate(known[line] > 0 for line in lines)]
            counted = self._counted[file_path] = (lines, executed)
        return counted


class CoverageOfTrees:
    """Coverage by working tree, kept while the reports stay as they are. Several threads may ask at once."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._lists: Final[dict[Path, tuple[float, tuple[Path, ...]]]] = {}
        self._read: Final[dict[Path, tuple[tuple[int, int], dict[str, Hits]]]] = {}
        self._joined: Final[dict[tuple[str, ...], tuple[object, Coverage]]] = {}

    def of(self, repository: Repository, snapshot: Snapshot) -> Coverage:
        """What the reports of a repository's working tree say of the files of a snapshot."""
        with self._lock:
            reports = self._reports(repository, snapshot)
            stamps = tuple((path, stamp) for path in reports if (stamp := _stamp(path)) is not None)
            known = self._joined.get(snapshot.identity)
            if known is not None and known[0] == stamps:
                return known[1]
            read = [(_folder(path, repository.root), self._hits(path, stamp)) for path, stamp in stamps]
            coverage = Coverage(hits_by_path(read, snapshot.reader.file_paths()) if read else {}, len(read))
            self._joined.clear()
            self._joined[snapshot.identity] = (stamps, coverage)
            return coverage

    def _reports(self, repository: Repository, snapshot: Snapshot) -> tuple[Path, ...]:
        if repository.is_bare:
            return ()
        known = self._lists.get(repository.root)
        if known is None or time.monotonic() - known[0] > _LOOK_AGAIN:
            known = (time.monotonic(), tuple(find_reports(repository.root, _tested_folders(snapshot))))
            self._lists[repository.root] = known
        return known[1]

    def _hits(self, path: Path, stamp: tuple[int, int]) -> dict[str, Hits]:
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = (stamp, read_report(path))
            self._read[path] = known
        return known[1]


def _tested_folders(snapshot: Snapshot) -> Iterator[str]:
    """Where runners leave reports: beside projects, and beside packages, which a workspace may have below its one project."""
    yield from (dirname(each.project_path) for each in snapshot.reader.projects())
    yield from (dirname(path) for path in snapshot.reader.file_paths() if basename(path) == _PACKAGE)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _folder(report: Path, root: Path) -> str:
    """Of a report, relative to the working tree; empty for its root."""
    return report.parent.relative_to(root).as_posix().removeprefix(".")


def hits_by_path(reports: Iterable[tuple[str, Mapping[str, Hits]]], paths: Collection[str]) -> dict[str, Hits]:
    """All reports together, each with its folder, by path of the index."""
    known = frozenset(paths)
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
    found: dict[str, Hits] = {}
    for folder, report in reports:
        for written, hits in report.items():
            candidates = by_name.get(written.rpartition("/")[2].casefold(), ())
            meant = _from_folder(written, folder, known) or _meant(written, candidates)
            if meant is None:
                continue
            joined = found.setdefault(meant, {})
            for line, count in hits.items():
                joined[line] = max(joined.get(line, 0), count)
    return found


def _from_folder(written: str, folder: str, known: Collection[str]) -> str | None:
    """The file of the index to which a relative path leads."""
    if written.startswith("/") or ":" in written[:3]:
        return None
    while True:
        path = normpath(join(folder, written))
        if path in known:
            return path
        if not folder:
            return None
        folder = dirname(folder)


def _meant(written: str, candidates: Collection[str]) -> str | None:
    """The file of the index that a report's path means, of those with its name; null for none or several."""
    for spelt in (str, str.casefold):
        bounded = f"/{spelt(written)}"
        inside = [each for each in candidates if bounded.endswith(f"/{spelt(each)}")]
        longest = max(map(len, inside), default=0)
        inside = [each for each in inside if len(each) == longest]
        found = inside or [each for each in candidates if f"/{spelt(each)}".endswith(bounded)]
        if found:
            return found[0] if len(found) == 1 else None
    return None
