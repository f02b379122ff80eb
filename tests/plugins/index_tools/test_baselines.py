"""Which commits are indexed, and removing them: dry runs at first, never HEAD or what a workspace builds on unless all of it goes."""

from __future__ import annotations

import json
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
