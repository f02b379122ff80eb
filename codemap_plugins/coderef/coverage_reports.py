"""Coverage reports as test runners leave them: Cobertura and OpenCover (XML) and lcov, read into hits by line. What they say is data: no
external entity, no document type, bounded size."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import IO, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, iterparse

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
_DECLARED_UTF_16: Final = re.compile(rb"<\?xml[^>]*encoding=[\"']utf-16[\"']", re.I)
"""A declaration in single bytes, which is therefore wrong."""
_DECLARATION: Final = 200
"""Bytes within which a declaration ends."""
_UTF_16: Final = "utf-16"
_LCOV: Final = "utf-8-sig"
"""Of lcov, with a byte order mark or without."""
_HIDDEN: Final = 0xFEEFEE
"""The line of code that a compiler made, in debugging information."""

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
    try:
        return entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size <= MAX_BYTES
    except OSError:
        return False


def read_report(path: Path) -> dict[str, Hits]:
    """Hits by path as the report writes it, ``/`` between parts. A report that cannot be read to its end says nothing."""
    try:
        with path.open("rb") as stream:
            encoding = _encoding(stream)
            if path.suffix.lower() == ".info":
                with TextIOWrapper(stream, encoding if encoding == _UTF_16 else _LCOV, "replace") as lines:
                    return _lcov(lines)
            return _xml(stream, encoding)
    except (OSError, ParseError, DefusedXmlException, ValueError, LookupError):
        return {}


def _encoding(stream: BufferedReader) -> str | None:
    """The one that the first bytes show; null where they show none that differs from what XML declares and lcov has. Shells write UTF-16,
    and .NET declares that in every text of XML that it makes in memory, whatever bytes are written in the end."""
    head = stream.peek(_DECLARATION)[:_DECLARATION]
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _UTF_16
    return "utf-8" if head.startswith(BOM_UTF8) or _DECLARED_UTF_16.match(head) else None


def _lcov(lines: Iterable[str]) -> dict[str, Hits]:
    found: dict[str, Hits] = {}
    current: Hits | None = None
    for line in map(str.strip, lines):
        if line.startswith("SF:"):
            current = found.setdefault(_path(line[3:]), {})
        elif line.startswith("DA:") and current is not None:
            number, _, count = line[3:].partition(",")
            _add(current, number, count.partition(",")[0])
        elif line == "end_of_record":
            current = None
    return found


def _xml(stream: IO[bytes], encoding: str | None) -> dict[str, Hits]:
    """Cobertura: ``class filename`` with ``line number hits``. OpenCover: ``File uid fullPath``, then ``SequencePoint vc sl el fileid``, of
    a module each; its older versions say the file once, in the method's ``FileRef uid``. A report of both kinds of elements is none that
    exists. ``encoding``: in place of the declared one."""
    found: dict[str, Hits] = {}
    sources: list[str] = []
    files: dict[str, str] = {}
    file_of_method = ""
    current: Hits | None = None
    parser = DefusedXMLParser(encoding=encoding, forbid_dtd=False, forbid_entities=True)
    for event, element in iterparse(stream, events=("start", "end"), parser=parser):
        name = element.tag.rpartition("}")[2]
        if event == "start":
            if name == "class" and element.get("filename"):
                current = found.setdefault(_path(element.get("filename", "")), {})
            elif name == "File" and element.get("uid"):
                files[element.get("uid", "")] = _path(element.get("fullPath", ""))
            elif name == "FileRef":
                file_of_method = element.get("uid", "")
            elif name == "Method":
                file_of_method = ""
            elif name == "Module":
                files = {}
            continue
        if name == "line" and current is not None:
            _add(current, element.get("number", ""), element.get("hits", ""))
        elif name == "SequencePoint":
            _add_point(found, files.get(element.get("fileid", file_of_method)), element)
        elif name == "source" and element.text:
            sources.append(_path(element.text))
        elif name == "class":
            current = None
        element.clear()
    if len(sources) == 1:
        return {_joined(sources[0], path): hits for path, hits in found.items()}
    return found


def _add_point(found: dict[str, Hits], path: str | None, point: Element) -> None:
    first, last = point.get("sl", ""), point.get("el", "")
    if path is None or not first.isdecimal() or int(first) == _HIDDEN:
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
