"""Reads files of cases for project loaders: each case is a small repository and what its projects must evaluate to.

    ##### name of the case: the rule it shows
    --- path/of/a/file
    its content
    --- expect
    {"path/of/App.csproj": {"files": ["a.cs"]}}

Only the fields given are compared; ``problems`` is a list of texts that must occur in the project's problems, ``defined`` and ``undefined``
are preprocessor symbols that must and must not be among its own, ``absent`` is a list of projects that must not be found, and ``solution``
the solution that is chosen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from codemap_core.hooks.contracts import ProjectLoader


class Case(Struct):
    name: str
    files: dict[str, bytes]
    expect: dict[str, Any]


class MemoryFiles:
    """A ``FileSet`` of a dictionary; ``subtree`` narrows ``paths`` as an index of a folder would."""

    def __init__(self, files: dict[str, bytes], subtree: str = "") -> None:
        self._files = files
        self.all_paths = sorted(files)
        self.paths = [path for path in self.all_paths if path.startswith(subtree)]

    def exists(self, path: str) -> bool:
        return path in self._files

    def read(self, path: str) -> bytes:
        return self._files[path]


def read_cases(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("##### ")[1:]:
            name, _, body = block.partition("\n")
            files: dict[str, bytes] = {}
            for part in f"\n{body}".split("\n--- ")[1:]:
                file_path, _, content = part.partition("\n")
                for one in file_path.split():
                    files[one.replace("%20", " ")] = content.encode()
            yield Case(f"{path.stem}: {name.strip()}", files, json.loads(files.pop("expect")))


def check(loader: ProjectLoader, case: Case) -> None:
    """Loads the case's projects and compares them with what it expects."""
    expect = dict(case.expect)
    absent = expect.pop("absent", [])
    graph = loader.load(MemoryFiles(case.files), expect.pop("solution", None))
    projects = {project.project_path: project for project in graph.projects}
    assert not set(absent) & set(projects)
    for path, wanted in expect.items():
        messages = [problem.message for problem in graph.problems if problem.project_path == path]
        problems = wanted.pop("problems", [])
        assert all(any(text in message for message in messages) for text in problems), messages
        if not problems:
            assert messages == []
        if not wanted and path not in projects:
            continue
        row = to_builtins(projects[path])
        assert set(wanted.pop("defined", ())) <= set(row["defines"])
        assert set(row["defines"]).isdisjoint(wanted.pop("undefined", ()))
        row["packages"] = [str(package) for package in projects[path].packages]
        have = {key: list(value) if isinstance(value := row[key], tuple) else value for key in wanted}
        assert _json_like(have) == wanted


def _json_like(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [_json_like(one) for one in value]
    if isinstance(value, dict):
        return {key: _json_like(one) for key, one in value.items()}
    return value
