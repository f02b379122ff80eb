"""Small C# programs, one for each rule and combination of rules, bound as the compiler binds them, position by position.

``testdata/differential`` holds the programs, a namespace each, and the compiler's answers under several versions of C#
(``make_differential.py`` makes them again). Every reference must agree in kind, target and constructor, with the shipped
library index alone. ``known.txt`` lists the positions that do not yet, each with its reason; one that begins to agree must
leave the list.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.model import RefKind, ResolutionState
from codemap_core.testing.source_index import index_sources
from tests.plugins.csharp.make_differential import EARLIER, NEWEST

FOLDER: Final = Path(__file__).parents[3] / "testdata" / "differential"
VERSIONS: Final = (NEWEST, *EARLIER)
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


class Expected(NamedTuple):
    """What one version of C# answers. ``unjudged``: lines of ``file`` that do not compile in it."""

    answers: Mapping[str, Mapping[Place, set[Answer]]]
    unjudged: Mapping[str, frozenset[int]]


@cache
def expected(version: str) -> Expected:
    found: dict[str, dict[tuple[int, int], set[Answer]]] = {}
    unjudged: dict[str, frozenset[int]] = {}
    for file in starts():
        path = FOLDER / file
        rows = found[file] = _answers(path.with_suffix(".jsonl"))[0]
        if version != NEWEST:
            instead, nothing, unjudged[file] = _answers(path.with_suffix(f".{version}.jsonl"))
            for place in {*instead, *nothing}:
                rows[place] = instead.get(place, set())
    by_program: dict[str, dict[Place, set[Answer]]] = defaultdict(dict)
    for file, rows in found.items():
        for (line, column), answers in rows.items():
            if answers and line not in unjudged.get(file, ()):
                program, place = place_of(file, line, column)
                by_program[program][place] = answers
    return Expected(by_program, unjudged)


def _answers(path: Path) -> tuple[dict[tuple[int, int], set[Answer]], list[tuple[int, int]], frozenset[int]]:
    """As ``make_differential`` writes them: answers by line and column, places without one, lines that are not judged."""
    answers: dict[tuple[int, int], set[Answer]] = defaultdict(set)
    nothing: list[tuple[int, int]] = []
    unjudged: set[int] = set()
    for text in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        if isinstance(row, dict):
            if "nothing" in row:
                nothing.append((row["nothing"][0], row["nothing"][1]))
            else:
                unjudged.update(range(row["unjudged"][0], row["unjudged"][1] + 1))
        else:
            line, column, kind, target, *constructor = row
            answers[line, column].add((kind, target, *constructor, "")[:3])
    return answers, nothing, frozenset(unjudged)


@cache
def bound(version: str) -> Mapping[str, Mapping[Place, set[Answer]]]:
    files = {
        path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir() if path.suffix in (".cs", ".csproj")
    }
    project = files["Differential.csproj"]
    files["Differential.csproj"] = project.replace(f"<LangVersion>{NEWEST}<", f"<LangVersion>{version}<")
    assert version == NEWEST or project != files["Differential.csproj"]
    found: dict[str, dict[Place, set[Answer]]] = defaultdict(lambda: defaultdict(set))
    for row in index_sources(files, load_plugins()).references:
        if row.kind is RefKind.IMPORT or row.line in expected(version).unjudged.get(row.file_path, ()):
            continue
        program, place = place_of(row.file_path, row.line, row.column)
        resolved = row.resolution_state is ResolutionState.RESOLVED
        target = (row.to_symbol or "") if resolved else f"unresolved: {row.reason}"
        found[program][place].add((row.kind.value, target, row.constructor or ""))
    return found


@cache
def known(version: str) -> Mapping[str, set[Place]]:
    """``program line:column  # reason``, a position a line; before the reason the versions of C# that it is wrong in, none for
    all."""
    found: dict[str, set[Place]] = defaultdict(set)
    for text in (FOLDER / "known.txt").read_text(encoding="utf-8").splitlines():
        entry, _, reason = text.partition("#")
        if not entry.strip():
            continue
        assert reason.strip(), f"no reason given: {text}"
        program, place, *versions = entry.split()
        assert set(versions) <= set(VERSIONS)
        if versions and version not in versions:
            continue
        line, _, column = place.partition(":")
        found[program].add((int(line), int(column)))
    return found


@pytest.mark.parametrize("program", [name for programs in starts().values() for _, name in programs])
@pytest.mark.parametrize("version", VERSIONS)
def test_binds_as_the_compiler_does(program: str, version: str) -> None:
    wanted, ours = expected(version).answers.get(program, {}), bound(version).get(program, {})
    differing = {place for place in {*wanted, *ours} if wanted.get(place, set()) != ours.get(place, set())}
    excused = known(version).get(program, set())
    assert not excused - differing, f"agrees now, take it off known.txt: {sorted(excused - differing)}"
    new = sorted(differing - excused)
    assert not new, "\n".join(
        f"{line}:{column} compiler {sorted(wanted.get((line, column), set()))}, we {sorted(ours.get((line, column), set()))}"
        for line, column in new
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_programs_are_many_and_the_exceptions_few(version: str) -> None:
    programs = [name for names in starts().values() for _, name in names]
    positions = sum(len(places) for places in expected(version).answers.values())
    assert len(programs) >= 300
    assert len(programs) == len(set(programs))
    assert positions > 3000
    assert sum(len(places) for places in known(version).values()) < 0.02 * positions


def test_versions_differ() -> None:
    """The programs tell C# 7.3 from 10, and 12 from the newest: the same position means something else."""
    for earlier, later in (("7.3", "10"), ("12", NEWEST)):
        then = expected(earlier).answers
        assert any(
            then.get(program, {}).get(place, answers) != answers
            for program, places in expected(later).answers.items()
            for place, answers in places.items()
        )
