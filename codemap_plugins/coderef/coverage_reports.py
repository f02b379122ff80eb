"""Coverage reports as test runners leave them: Cobertura and OpenCover (XML) and lcov, read into hits by line. What they say is data: no
external entity, no document type, bounded size."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

MAX_BYTES: Final = 256 << 20
"""Larger reports are left out."""
MAX_REPORTS: Final = 200
_PLACES: Final = (
    "TestResults",
    "testresults",
    "coverage",
    "Coverage",
    "CoverageResults",
    "coverage-results",
    "artifacts",
)
"""Folders of the repository and of its projects in which reports are looked for, with those below them."""
_DEPTH: Final = 4
_REPORT: Final = re.compile(
    r"(?:.*[._-])?(?:cobertura|opencover)(?:[._-].*)?\.xml|coverage\.xml|(?:lcov|coverage)(?:\..*)?\.info", re.I
)

Hits = dict[int, int]
"""Executions by 1-based line, of lines that could be executed."""


def find_reports(root: Path, folders: Iterator[str]) -> list[Path]:
    """Reports in the root of a working tree and in ``folders`` of it (relative), directly or in the places where runners put them; sorted.
    Symbolic links are not followed."""
    found: set[Path] = set()
    for folder in dict.fromkeys(("", *folders)):
        base = root / folder
        found.update(_reports_in(base, 0))
        for place in _PLACES:
            found.update(_reports_in(base / place, _DEPTH))
    return sorted(found)[:MAX_REPORTS]


def _reports_in(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda each: each.name) if not folder.is_symlink() else []
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if depth:
                yield from _reports_in(folder / entry.name, depth - 1)
        elif _REPORT.fullmatch(entry.name) and _is_readable(entry):
            yield folder / entry.name


def _is_readable(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size <= MAX_BYTES


def read_report(path: Path) -> dict[str, Hits]:
    """Hits by path as the report writes it, ``/`` between parts. A report that cannot be read to its end says nothing."""
    try:
        with path.open("rb") as stream:
            if path.suffix.lower() == ".info":
                return _lcov(stream)
            return _xml(stream)
    except (OSError, ParseError, DefusedXmlException, ValueError):
        return {}


def _lcov(stream: IO[bytes]) -> dict[str, Hits]:
    found: dict[str, Hits] = {}
    current: Hits | None = None
    for raw in stream:
        line = raw.decode("utf-8", "replace").strip()
        if line.startswith("SF:"):
            current = found.setdefault(_path(line[3:]), {})
        elif line.startswith("DA:") and current is not None:
            number, _, count = line[3:].partition(",")
            _add(current, number, count.partition(",")[0])
        elif line == "end_of_record":
            current = None
    return found


def _xml(stream: IO[bytes]) -> dict[str, Hits]:
    """Cobertura: ``class filename`` with ``line number hits``. OpenCover: ``File uid fullPath``, then ``SequencePoint vc sl el fileid``, of
    a module each. A report of both kinds of elements is none that exists."""
    found: dict[str, Hits] = {}
    sources: list[str] = []
    files: dict[str, str] = {}
    current: Hits | None = None
    for event, element in iterparse(stream, events=("start", "end"), forbid_dtd=False, forbid_entities=True):
        name = element.tag.rpartition("}")[2]
        if event == "start":
            if name == "class" and element.get("filename"):
                current = found.setdefault(_path(element.get("filename", "")), {})
            elif name == "File" and element.get("uid"):
                files[element.get("uid", "")] = _path(element.get("fullPath", ""))
            elif name == "Module":
                files = {}
            continue
        if name == "line" and current is not None:
            _add(current, element.get("number", ""), element.get("hits", ""))
        elif name == "SequencePoint":
            _add_point(found, files, element)
        elif name == "source" and element.text:
            sources.append(_path(element.text))
        elif name == "class":
            current = None
        element.clear()
    if len(sources) == 1:
        return {_joined(sources[0], path): hits for path, hits in found.items()}
    return found


def _add_point(found: dict[str, Hits], files: dict[str, str], point: Element) -> None:
    path = files.get(point.get("fileid", ""))
    first, last = point.get("sl", ""), point.get("el", "")
    if path is None or not first.isdecimal():
        return
    hits = found.setdefault(path, {})
    end = int(last) if last.isdecimal() else int(first)
    for line in range(int(first), min(end, int(first) + 1000) + 1):
        _add(hits, str(line), point.get("vc", ""))


def _add(hits: Hits, number: str, count: str) -> None:
    """Several entries of a line, of branches or of reports: it was executed as often as any of them says."""
    if number.isdecimal() and count.isdecimal():
        line = int(number)
        hits[line] = max(hits.get(line, 0), int(count))


def _path(text: str) -> str:
    return text.strip().replace("\\", "/")


def _joined(source: str, path: str) -> str:
    return path if path.startswith("/") or ":" in path[:3] or not source else f"{source.rstrip('/')}/{path}"
