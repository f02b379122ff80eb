"""Which commits are indexed, and removing them: dry runs at first, never HEAD or what a workspace builds on unless all of it goes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone


class Indexed:
    def __init__(self, shell: Shell, clone: Clone) -> None:
        self._shell = shell
        self._clone = clone
        self.commits = []
        for number in range(4):
            self.commits.append(clone.commit({"A.cs": f"class A{number} {{ }}"}))
            shell("index", "-q", cwd=clone.root)

    def call(self, tool: str, *arguments: str) -> dict[str, Any]:
        done = self._shell("call", tool, *arguments, cwd=self._clone.root)
        data: dict[str, Any] = json.loads(done.stdout)["data"]
        return data

    def indexed(self) -> list[str]:
        return [each["commit_sha"] for each in self.call("index.list_baselines")["baselines"]]

    def text(self, tool: str, *arguments: str) -> str:
        said = self._shell("call", tool, *arguments, "--format", "text", cwd=self._clone.root).stdout
        return re.sub(r"[\d.]+ [KM]B", "SIZE", said)


@pytest.fixture
def indexed(tmp_path: Any) -> Indexed:
    (tmp_path / "user").mkdir()
    return Indexed(Shell(tmp_path / "data", tmp_path / "user"), Clone(tmp_path / "repository"))


def test_baselines_are_listed_kept_and_removed(indexed: Indexed) -> None:
    first, second, third, head = indexed.commits
    indexed.call("workspace.create", "workspace_id=w", f"commit_sha={second}")
    found = indexed.call("index.list_baselines")
    assert [each["commit_sha"] for each in found["baselines"]] == [head, third, second, first]
    assert [each.get("is_current_head", False) for each in found["baselines"]] == [True, False, False, False]
    assert [each.get("is_active_workspace_base", False) for each in found["baselines"]] == [False, False, True, False]
    assert found["total_size_bytes"] == sum(each["size_bytes"] for each in found["baselines"])

    assert indexed.call("index.cleanup")["removed_commits"] == []
    assert indexed.call("index.cleanup", "keep_count=0", "older_than_days=1")["removed_commits"] == []
    planned = indexed.call("index.cleanup", "keep_count=0")
    assert (planned["dry_run"], planned["removed_commits"]) == (True, [third, first])
    assert indexed.indexed() == [head, third, second, first]
    done = indexed.call("index.cleanup", "keep_count=2", "dry_run=false")
    assert (done["removed_commits"], done["kept_commits"]) == ([first], [head, third, second])
    assert done["bytes_reclaimed"] > 0
    assert indexed.indexed() == [head, third, second]

    planned = indexed.call("index.remove_repo")
    assert (planned["baselines_removed"], planned["workspaces_removed"], planned["dry_run"]) == (3, 1, True)
    assert indexed.indexed() == [head, third, second]
    done = indexed.call("index.remove_repo", "dry_run=false")
    assert (done["baselines_removed"], done["workspaces_removed"]) == (3, 1)
    assert done["bytes_freed"] == planned["bytes_freed"]
    assert indexed.indexed() == []
    assert indexed.call("workspace.list")["workspaces"] == []


def test_they_are_told_in_units_that_people_read_and_once(indexed: Indexed) -> None:
    first, second, third, head = (each[:12] for each in indexed.commits)
    listed = indexed.text("index.list_baselines").splitlines()
    assert listed[0] == "4 indexed commits, SIZE."
    assert listed[1].startswith(f"{head}  SIZE, ")
    assert indexed.text("index.cleanup").splitlines() == [
        "There is nothing to remove.",
        f"kept: {head}, {third}, {second}, {first}",
    ]
    assert indexed.text("index.remove_repo").splitlines() == [
        "4 indexed commits would be removed, SIZE. Nothing was: this is a dry run.",
        f"would be removed: {head}, {third}, {second}, {first}",
        "next: index.remove_repo dry_run=false",
    ]
    assert indexed.text("workspace.create", "workspace_id=w").splitlines() == [
        f"Workspace 'w' was created, for commit {head}.",
        "next: index.refresh_overlay workspace_id=w",
    ]
    assert indexed.text("workspace.reset", "workspace_id=w") == "Workspace 'w' has no edits any more.\n"
    assert indexed.text("index.remove_repo", "dry_run=false").splitlines() == [
        "4 indexed commits and 1 workspace removed, SIZE freed.",
        f"removed: {head}, {third}, {second}, {first}",
    ]
