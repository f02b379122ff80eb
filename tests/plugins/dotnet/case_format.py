"""Reads the case files in ``cases/``: each case is a small repository and what its projects must evaluate to.

    ##### name of the case: the rule it shows
    --- path/of/a/file
    its content
    --- expect
    {"path/of/App.csproj": {"files": ["a.cs"]}}

Only the fields given are compared; ``problems`` is a list of texts that must occur in the project's problems, ``absent`` a list of
projects that must not be found, and ``solution`` the solution that is chosen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

CASES = Path(__file__).parent / "cases"


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


def read_cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*.txt")):
        for block in path.read_text(encoding="utf-8").split("##### ")[1:]:
            name, _, body = block.partition("\n")
            files: dict[str, bytes] = {}
            for part in f"\n{body}".split("\n--- ")[1:]:
                file_path, _, content = part.partition("\n")
                for one in file_path.split():
                    files[one.replace("%20", " ")] = content.encode()
            yield Case(f"{path.stem}: {name.strip()}", files, json.loads(files.pop("expect")))
