"""Solutions: which projects a .sln, .slnx or .slnf names. Paths come out as written, relative to the solution's folder
or filter's parent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from codemap_core.commented_json import without_comments
from codemap_plugins.dotnet.project_xml import Element, InvalidXmlError, parse_xml

SUFFIXES: Final = (".sln", ".slnx", ".slnf")
_FOLDER_TYPE: Final = "2150E333-8FDC-42A3-9474-1A3956D46DE8"
_PROJECT: Final = re.compile(
    r'^\s*Project\(\s*"\{?(?P<type>[^"}]*)\}?"\s*\)\s*=\s*"[^"]*"\s*,\s*"(?P<path>[^"]*)"', re.MULTILINE
)


class InvalidSolutionError(ValueError):
    """The file cannot be read as the kind of solution its name says; the message says why."""


class _FilteredSolution(msgspec.Struct):
    path: str = ""
    projects: tuple[str, ...] = ()


class _Filter(msgspec.Struct):
    solution: _FilteredSolution


def solution_projects(path: str, content: bytes) -> tuple[str, tuple[str, ...]]:
    """(path that the project paths are relative to the folder of, project paths as written). For a filter the former is
    the solution it filters, relative to the filter; otherwise empty. Raises: InvalidSolutionError."""
    read: Callable[[bytes], tuple[str, tuple[str, ...]]]
    if path.lower().endswith(".slnx"):
        read = _read_xml
    elif path.lower().endswith(".slnf"):
        read = _read_filter
    else:
        read = _read_text
    return read(content)


def _decode(content: bytes) -> str:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _read_text(content: bytes) -> tuple[str, tuple[str, ...]]:
    text = _decode(content)
    if "Microsoft Visual Studio Solution File" not in text[:1000]:
        raise InvalidSolutionError("it does not begin like a solution file")
    found = (match for match in _PROJECT.finditer(text) if match["type"].upper() != _FOLDER_TYPE)
    return "", tuple(match["path"] for match in found)


def _read_xml(content: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        root = parse_xml(content)
    except InvalidXmlError as error:
        raise InvalidSolutionError(str(error)) from error
    found: list[str] = []

    def walk(element: Element) -> None:
        for child in element.children:
            if child.name == "Project" and child.attributes.get("Path"):
                found.append(child.attributes["Path"])
            elif child.name == "Folder":
                walk(child)

    walk(root)
    return "", tuple(found)


def _read_filter(content: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        solution = msgspec.json.decode(without_comments(_decode(content)).encode(), type=_Filter).solution
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidSolutionError(f"not a solution filter: {error}") from error
    return solution.path, solution.projects
