"""Breaking changes of a public API, rule by rule, over two versions of many small libraries."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from codemap_core.config import Settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.difference.comparison import Asked, Comparison
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_plugins.difference_tools.compatibility import Compatibility
from codemap_plugins.difference_tools.enumerations import computed
from codemap_plugins.difference_tools.rules import Rule
from tests.clone import Clone

_READ: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(
    Path(__file__).with_name("compatibility_cases.toml").read_text(encoding="utf-8")
)
CASES: Final = _READ["case"]
FRAMEWORKS: Final = _READ["frameworks"]
PROJECT: Final = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>'
ROOT: Final = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[str]]]:
    """By case, the changes of its library."""
    folder = tmp_path_factory.mktemp("libraries")
    clone, host, settings = Clone(folder / "repository"), load_plugins(), Settings(data_directory=folder / "home")
    indexes = []
    for side in ("before", "after"):
        clone.commit(
            {f"{case['name']}/{case['name']}.csproj": PROJECT for case in CASES}
            | {f"{case['name']}/Code.cs": case[side] for case in CASES}
            | {f"lost{number}/L.csproj": _project(case[side]) for number, case in enumerate(FRAMEWORKS)}
        )
        indexes.append(ensure_baseline(Repository.open(clone.root), host, settings).path)
    found: dict[str, list[str]] = defaultdict(list)
    with Snapshot.open(indexes[0]) as old, Snapshot.open(indexes[1]) as new:
        view = Comparison(old, new, Asked(), Compatibility).page(0, 10_000)
    for change in view.symbol_changes:
        name = (change.to_symbol_id or change.from_symbol_id or "").partition("(")[0]
        row = next(row for row in (new if change.to_symbol_id else old).reader.symbols_with_id(change.symbol_id))
        rules = ", ".join(sorted(each.rule for each in change.breaks))
        assert name
        found[change.file_path.partition("/")[0]].append(
            f"{change.change_type} {row.name}{': ' if rules else ''}{rules}"
        )
    for project in view.project_changes:
        found[project.project_path].extend(str(each) for each in project.breaks)
    yield found


def _project(frameworks: str) -> str:
    return f'<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>{frameworks}</TargetFrameworks></PropertyGroup></Project>'


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_changes_and_what_they_break(said: dict[str, list[str]], case: dict[str, Any]) -> None:
    assert sorted(said[case["name"]]) == sorted(case["said"])


@pytest.mark.parametrize("number", range(len(FRAMEWORKS)), ids=[case["before"] for case in FRAMEWORKS])
def test_target_frameworks_that_are_lost(said: dict[str, list[str]], number: int) -> None:
    lost = FRAMEWORKS[number]["lost"]
    broken = [f"projects for {lost} cannot use it (framework-lost: binary, source)"] if lost else []
    assert said[f"lost{number}/L.csproj"] == broken


def test_every_rule_has_a_case() -> None:
    """Except for the two that need several projects or types, and the one of projects."""
    written = "\n".join(each for case in CASES for each in case["said"])
    other = {"assembly-changed", "member-moved", "framework-lost"}
    assert {rule.rule for rule in Rule if rule.rule not in written} == other


def test_the_page_lists_the_rules() -> None:
    page = (ROOT / "docs" / "difference.md").read_text(encoding="utf-8")
    rows = [f"| `{rule.rule}` | {', '.join(rule.effects)} | {rule.title} |" for rule in Rule]
    assert [row for row in rows if row not in page] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("0x1F", 31),
        ("1 << 4", 16),
        ("A | B", 3),
        ("~A", -2),
        ("(byte)2", 2),
        ("10UL", 10),
        ("E.B", 2),
        ("1 << 9999", None),
        ("Other.Value", None),
        ("'a'", None),
        ("M()", None),
    ],
)
def test_values_of_enumeration_members(text: str, value: int | None) -> None:
    assert computed(text, {"A": 1, "B": 2}) == value
