"""Specifications as literate Markdown: what rows given sources have, with the rule that says so in prose beside them.

A file is a suite. A section with blocks is a test, named after its headers; a section has blocks or subsections with
blocks, never both. A block is a file when its language is not one of the expectations below; a line that holds
nothing but a path in backticks, with or without a colon, names the file of the next block. Blocks without a name are
one file, ``Test`` and the language's suffix, in order.

    ```symbols kind visibility
    T:Shop.Order | class | internal
    ```

An expectation block lists every row of its sort, in source order, exactly: a row too many fails like one too few.
Rows begin with the sort's own columns: a symbol's id; a relation's kind, source and target; a reference's place, kind
and target; a fact's kind and value. ``facts.route`` lists the facts of one kind, without naming it again, and
``links`` the references that extractors found, with their role. The words after the sort are further columns: fields
of the row, keys of a fact's detail, or ``lines`` (first and last line of the declaration), ``place`` (line and
column), ``file``, ``static``, ``parts`` (the other parts of a partial symbol), ``summary`` and ``rest`` of its
documentation.

Files may be of any sort, projects too: a section without a .csproj is bound without a project, one with several
(``App/App.csproj``, ``Library/Library.csproj``, with the paths of their sources) as those projects say.

What is known to be wrong is stated, never left out. The expectation lists what holds by the rule; a block right after
it says, with the reason, what is found instead: ``-`` a row that is missing, ``+`` one that should not be there.

    ```known-wrong the value of a constant field is not followed
    - 4:18 | call | M:Desk.Use(System.Byte)
    + 4:18 | call | M:Desk.Use(System.Int32)
    ```

The test fails when anything else is found, the right rows too: then the block goes. Updating rewrites the block and
leaves the expectation before it alone.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.manager import PluginHost
from codemap_core.model import FactRow, RefKind
from codemap_core.testing.source_index import SourceIndex, index_sources

_FENCE: Final = re.compile(r"^(`{3,})([\w#+.-]*)[ \t]*(.*)$")
_HEADER: Final = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_PATH_LINE: Final = re.compile(r"^`([^`]+)`:?\s*$")
_KNOWN_WRONG: Final = "known-wrong"
_SUFFIXES: Final = {"csharp": ".cs", "cs": ".cs", "ts": ".ts", "xml": ".csproj", "json": ".json"}
_BASE_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "symbols": ("symbol_id",),
    "relations": ("kind", "from_symbol", "to_symbol"),
    "references": ("place", "kind", "to_symbol"),
    "links": ("place", "role", "to_symbol"),
    "facts": ("kind", "value"),
}
_OF_ONE_KIND: Final = "facts."


class SpecError(Exception):
    """A Markdown file that is not a well-formed suite."""


class KnownWrong(Struct, frozen=True):
    """How what is found differs from an expectation, for a known ``reason``. Lines as those of an expectation."""

    reason: str
    rows: tuple[str, ...]
    first_line: int
    last_line: int


class Expectation(Struct, frozen=True):
    """``first_line`` and ``last_line``: 0-based, of its rows in the file; half-open."""

    sort: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    first_line: int
    last_line: int
    known_wrong: KnownWrong | None = None


class Spec(Struct, frozen=True):
    """One test of a suite. ``line``: 1-based, of its header."""

    name: str
    line: int
    files: Mapping[str, str]
    expectations: tuple[Expectation, ...]


class _Section:
    def __init__(self, level: int, title: str, line: int) -> None:
        self.level = level
        self.title = title
        self.line = line
        self.files: dict[str, str] = {}
        self.expectations: list[Expectation] = []

    @property
    def is_test(self) -> bool:
        return bool(self.files or self.expectations)


def read_specs(text: str) -> list[Spec]:
    """The tests of a suite, in order. Raises: SpecError."""
    lines = text.split("\n")
    path: list[_Section] = [_Section(0, "", 1)]
    specs: list[Spec] = []
    named = ""
    index = 0

    def finish() -> None:
        section = path[-1]
        if not section.is_test:
            return
        if not section.expectations:
            raise SpecError(f"line {section.line}: {section.title!r} expects nothing")
        if any(outer.is_test for outer in path[:-1]):
            raise SpecError(f"line {section.line}: {section.title!r} is a test inside a test")
        name = "-".join(_slug(s.title) for s in path if s.level) or "test"
        if any(spec.name == name for spec in specs):
            raise SpecError(f"line {section.line}: a second test is called {name}")
        specs.append(Spec(name, section.line, section.files, tuple(section.expectations)))

    while index < len(lines):
        line = lines[index]
        fence = _FENCE.match(line)
        if fence is not None:
            end = next((i for i in range(index + 1, len(lines)) if lines[i].rstrip() == fence[1]), None)
            if end is None:
                raise SpecError(f"line {index + 1}: the block is not closed")
            body = lines[index + 1 : end]
            base = ("value",) if fence[2].startswith(_OF_ONE_KIND) else _BASE_COLUMNS.get(fence[2])
            if base is not None:
                columns = (*base, *fence[3].split())
                rows = tuple(row.strip() for row in body if row.strip())
                path[-1].expectations.append(Expectation(fence[2], columns, rows, index + 1, end))
            elif fence[2] == _KNOWN_WRONG:
                expectations = path[-1].expectations
                if not expectations or expectations[-1].known_wrong is not None or not fence[3].strip():
                    raise SpecError(f"line {index + 1}: known-wrong needs a reason and an expectation before it")
                rows = tuple(row.strip() for row in body if row.strip())
                expectations[-1] = replace(
                    expectations[-1], known_wrong=KnownWrong(fence[3].strip(), rows, index + 1, end)
                )
            elif fence[2]:
                place = named or "Test" + _SUFFIXES.get(fence[2], f".{fence[2]}")
                known = path[-1].files.get(place)
                path[-1].files[place] = "\n".join([*([known] if known is not None else []), *body, ""])
            named = ""
            index = end + 1
            continue
        header = _HEADER.match(line)
        if header is not None:
            finish()
            while path[-1].level >= len(header[1]):
                path.pop()
            path.append(_Section(len(header[1]), header[2], index + 1))
        path_line = _PATH_LINE.match(line)
        if path_line is not None:
            named = path_line[1]
        index += 1
    finish()
    return specs


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def actual_rows(index: SourceIndex, expectation: Expectation) -> list[str]:
    """The rows of the sort that an expectation is about, with its columns."""
    columns = expectation.columns
    return [" | ".join(_value(row, column) for column in columns) for row in _rows(index, expectation.sort)]


def _rows(index: SourceIndex, sort: str) -> Iterable[Any]:
    if sort.startswith(_OF_ONE_KIND):
        return (row for row in index.facts if row.kind == sort.removeprefix(_OF_ONE_KIND))
    if sort == "links":
        return (row for row in index.references if row.kind is RefKind.LINK)
    rows: Mapping[str, Iterable[Any]] = {
        "symbols": index.symbols,
        "relations": index.relations,
        "references": index.references,
        "facts": index.facts,
    }
    return rows[sort]


def _value(row: Any, column: str) -> str:
    special = _SPECIAL.get(column)
    if special is not None:
        value = special(row)
    elif isinstance(row, FactRow) and column not in FactRow.__struct_fields__:
        value = row.detail.get(column)
    else:
        value = getattr(row, column)
    if value is None or value == "" or value == ():
        return "-"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return " ".join(str(value).split())


def _lines(row: Any) -> str:
    first, last = (row.span_start, row.span_end) if hasattr(row, "span_start") else (row.line_start, row.line_end)
    return f"{first}-{last}"


def _place(row: Any) -> str:
    return f"{row.line}:{row.column}" if hasattr(row, "line") else f"{row.name_line}:{row.name_column}"


_SPECIAL: Final[Mapping[str, Callable[[Any], Any]]] = {
    "lines": _lines,
    "place": _place,
    "file": lambda row: row.file_path,
    "static": lambda row: row.is_static,
    "parts": lambda row: tuple(f"{p.file_path}:{p.span_start}-{p.span_end}" for p in row.other_parts),
    "summary": lambda row: row.documentation.summary if row.documentation else None,
    "rest": lambda row: row.documentation.rest if row.documentation else None,
}


def check(spec: Spec, host: PluginHost) -> str:
    """What differs between the rows a spec expects and those its sources have; empty when nothing does."""
    index = index_sources(spec.files, host)
    differences: list[str] = []
    for expectation in spec.expectations:
        found = actual_rows(index, expectation)
        known = expectation.known_wrong
        if known is None:
            if found != list(expectation.rows):
                differences.extend(difflib.unified_diff(expectation.rows, found, "expected", "found", lineterm="", n=1))
        elif found == list(expectation.rows):
            differences.append(f"no longer wrong ({known.reason}): remove the {_KNOWN_WRONG} block")
        elif (wrong := _wrong_rows(expectation, found)) != list(known.rows):
            differences.append(f"wrong in another way than known ({known.reason}):")
            differences.extend(difflib.unified_diff(known.rows, wrong, _KNOWN_WRONG, "found", lineterm="", n=1))
    return "\n".join(differences)


def _wrong_rows(expectation: Expectation, found: list[str]) -> list[str]:
    """The rows of a known-wrong block: what is missing and what is too much, in source order."""
    changes = difflib.unified_diff(expectation.rows, found, lineterm="", n=0)
    return [f"{change[0]} {change[1:]}" for change in changes if not change.startswith(("---", "+++", "@@"))]


def update(path: Path, host: PluginHost) -> None:
    """Rewrites every expectation of a suite to what its sources have, or the known-wrong block after it. Read the change
    before it is committed."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for spec in reversed(read_specs(text)):
        index = index_sources(spec.files, host)
        for expectation in reversed(spec.expectations):
            found, known = actual_rows(index, expectation), expectation.known_wrong
            if known is None:
                lines[expectation.first_line : expectation.last_line] = found
            else:
                lines[known.first_line : known.last_line] = _wrong_rows(expectation, found)
    path.write_text("\n".join(lines), encoding="utf-8")
