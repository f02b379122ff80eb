"""Small C# programs, one for each rule and combination of rules, bound as the compiler binds them, position by position.

``testdata/differential`` holds the programs, a namespace each, and the compiler's answers (``make_differential.py`` makes
them again). Every reference must agree in kind, target and constructor, with the shipped library index alone. ``known.txt``
lists the positions that do not yet, each with its reason; one that begins to agree must leave the list.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.model import RefKind, ResolutionState
from codemap_core.testing.source_index import index_sources

FOLDER: Final = Path(__file__).parents[3] / "testdata" / "differential"
Answer = tuple[str, str, str]
"""Kind, target, constructor."""
Place = tuple[int, int]
"""Line within the program, counted from its ``namespace``, and column."""


@cache
def starts() -> Mapping[str, list[tuple[int, str]]]:
    """By file, the 1-based line and the name of each program."""
    return {
        path.name: [
            (number, line.removeprefix("namespace ").split()[0])
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if line.startswith("namespace ")
        ]
        for path in sorted(FOLDER.glob("*.cs"))
    }


def place_of(file: str, line: int, column: int) -> tuple[str, Place]:
    start, name = max((s for s in starts()[file] if s[0] <= line), default=(1, file))
    return name, (line - start, column)


@cache
def expected() -> Mapping[str, Mapping[Place, set[Answer]]]:
    found: dict[str, dict[Place, set[Answer]]] = defaultdict(lambda: defaultdict(set))
    for path in FOLDER.glob("*.jsonl"):
        for text in path.read_text(encoding="utf-8").splitlines():
            line, column, kind, target, *constructor = json.loads(text)
            program, place = place_of(path.with_suffix(".cs").name, line, column)
            found[program][place].add((kind, target, *constructor, "")[:3])
    return found


@cache
def bound() -> Mapping[str, Mapping[Place, set[Answer]]]:
    files = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in (".cs", ".csproj")}
    found: dict[str, dict[Place, set[Answer]]] = defaultdict(lambda: defaultdict(set))
    for row in index_sources(files, load_plugins()).references:
        if row.kind is RefKind.IMPORT:
            continue
        program, place = place_of(row.file_path, row.line, row.column)
        resolved = row.resolution_state is ResolutionState.RESOLVED
        target = (row.to_symbol or "") if resolved else f"unresolved: {row.reason}"
        found[program][place].add((row.kind.value, target, row.constructor or ""))
    return found


@cache
def known() -> Mapping[str, set[Place]]:
    """``program line:column  # reason``, a position a line."""
    found: dict[str, set[Place]] = defaultdict(set)
    for text in (FOLDER / "known.txt").read_text(encoding="utf-8").splitlines():
        entry, _, reason = text.partition("#")
        if not entry.strip():
            continue
        assert reason.strip(), f"no reason given: {text}"
        program, place = entry.split()
        line, _, column = place.partition(":")
        found[program].add((int(line), int(column)))
    return found


@pytest.mark.parametrize("program", [name for programs in starts().values() for _, name in programs])
def test_binds_as_the_compiler_does(program: str) -> None:
    wanted, ours = expected().get(program, {}), bound().get(program, {})
    differing = {place for place in {*wanted, *ours} if wanted.get(place, set()) != ours.get(place, set())}
    excused = known().get(program, set())
    assert not excused - differing, f"agrees now, take it off known.txt: {sorted(excused - differing)}"
    new = sorted(differing - excused)
    assert not new, "\n".join(
        f"{line}:{column} compiler {sorted(wanted.get((line, column), set()))}, we {sorted(ours.get((line, column), set()))}"
        for line, column in new
    )


def test_programs_are_many_and_the_exceptions_few() -> None:
    programs = [name for names in starts().values() for _, name in names]
    positions = sum(len(places) for places in expected().values())
    assert len(programs) >= 300
    assert len(programs) == len(set(programs))
    assert sum(len(places) for places in known().values()) < 0.02 * positions
