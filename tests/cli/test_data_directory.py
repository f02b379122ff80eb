"""``codemap list``, ``codemap prune`` and what ``codemap doctor`` says of the data directory."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codemap_core.storage.files.lock import file_lock
from tests.cli.conftest import Shell
from tests.clone import Clone


def listed(codemap: Shell, *arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(codemap("list", "--json", *arguments).stdout)
    return found


def pruned(codemap: Shell, *arguments: str | Path) -> list[str]:
    """Names of the files that would go or went."""
    return sorted(
        Path(each["path"]).name for each in json.loads(codemap("prune", "--json", *arguments).stdout)["files"]
    )


@pytest.fixture
def three(clone: Clone) -> list[str]:
    """Three commits, the oldest first."""
    return [clone.commit({"src/A.cs": f"class A{number} {{ }}"}) for number in range(3)]


def test_indexes_are_listed_with_what_they_are_of(codemap: Shell, clone: Clone, three: list[str]) -> None:
    assert "0 indexes" in codemap("list").stderr
    codemap("index", clone.root, "--commit", three[0])
    codemap("index", clone.root / "src")
    found = listed(codemap)["indexes"]
    assert [(each["commit_sha"], each["scope"]["subtree"], each["is_whole"]) for each in found] == [
        (three[2], "src", False),
        (three[0], "", True),
    ]
    assert all(each["repository"] == str(clone.root) and each["is_current"] and each["size"] > 0 for each in found)
    shown = codemap("list").stdout
    assert three[2][:12] in shown
    assert "src" in shown


def test_pruning_removes_nothing_until_told_to(codemap: Shell, clone: Clone, three: list[str]) -> None:
    for commit in three:
        codemap("index", clone.root, "--commit", commit)
    assert pruned(codemap) == []
    assert pruned(codemap, "--keep", "1") == sorted(f"{commit}.db" for commit in three[:2])
    assert len(listed(codemap)["indexes"]) == 3
    pruned(codemap, "--keep", "1", "--yes")
    assert [each["commit_sha"] for each in listed(codemap)["indexes"]] == [three[2]]
    assert codemap.ids(clone.root) == ["T:A2"]


def test_old_indexes_go_when_asked(codemap: Shell, clone: Clone, three: list[str]) -> None:
    for commit in three:
        codemap("index", clone.root, "--commit", commit)
    for days, commit in zip((20, 10, 5), three, strict=True):
        (path,) = codemap.home.glob(f"baselines/*/{commit}.db")
        os.utime(path, (time.time() - days * 86_400,) * 2)
    assert pruned(codemap, "--older-than", "1w") == sorted(f"{commit}.db" for commit in three[:2])
    assert pruned(codemap, "--older-than", "1w", "--keep", "2") == [f"{three[0]}.db"]
    assert "12h, 30d or 8w" in codemap("prune", "--older-than", "soon", fails=2).stderr
    assert len(listed(codemap)["indexes"]) == 3
    codemap("prune", "--older-than", "1w", "--yes", fails=0)
    assert [each["commit_sha"] for each in listed(codemap)["indexes"]] == [three[2]]
    assert "Removed 0 files" in codemap("prune", "--older-than", "1w", "--yes", fails=0).stderr


def test_an_index_that_is_not_current_goes(codemap: Shell, clone: Clone, three: list[str], tmp_path: Path) -> None:
    codemap("index", clone.root)
    (path,) = codemap.home.glob("baselines/*/*.db")
    path.write_bytes(path.read_bytes()[:5000])
    (found,) = listed(codemap)["indexes"]
    assert (found["is_current"], found["scope"]) == (False, None)
    assert "truncated" in codemap("prune", "--yes").stdout
    assert not path.parent.exists()


def test_one_repository_alone(codemap: Shell, clone: Clone, three: list[str], tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    other.commit({"B.cs": "class B { }"})
    codemap("index", clone.root)
    codemap("index", other.root)
    (found,) = listed(codemap, "--repo", other.root)["indexes"]
    assert found["repository"] == str(other.root)
    assert pruned(codemap, "--repo", other.root, "--keep", "0", "--yes") == [Path(found["path"]).name]
    assert [each["repository"] for each in listed(codemap)["indexes"]] == [str(clone.root)]


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be made there as another process would")
def test_leftovers_go_and_what_a_running_build_uses_stays(codemap: Shell, clone: Clone, three: list[str]) -> None:
    codemap("index", clone.root)
    (index,) = codemap.home.glob("baselines/*/*.db")
    dead = index.parent / f"{'0' * 40}.db.77-1.building"
    dead.write_bytes(b"half-made")
    (index.parent / f"{'0' * 40}.db.lock").touch()
    assert "2 leftovers of killed builds" in codemap("list").stderr
    assert "killed builds left" in codemap("doctor").stdout
    with file_lock(index):
        live = index.with_name(f"{index.name}.78-1.building")
        live.write_bytes(b"in the making")
        assert {Path(each["path"]).name for each in listed(codemap)["leftovers"] if each["in_use"]} == {
            live.name,
            f"{index.name}.lock",
        }
        gone = pruned(codemap, "--keep", "0", "--yes")
        assert gone == sorted([dead.name, f"{'0' * 40}.db.lock"])
        assert live.exists()
        assert index.exists()
    assert not dead.exists()
    assert listed(codemap)["leftovers"] == [{"path": str(live), "size": 13, "in_use": False}]
    assert pruned(codemap, "--yes") == [live.name]


def test_the_cache_forgets_what_no_run_used_for_long(codemap: Shell, clone: Clone, three: list[str]) -> None:
    codemap("index", clone.root)
    codemap("prune", "--yes")
    codemap("index", clone.root, "--rebuild")
    assert codemap.index(clone.root, "--rebuild")["stats"]["cached_files"] == 1
    time.sleep(1.1)
    codemap("prune", "--older-than", "0h", "--yes")
    assert codemap.index(clone.root)["stats"].get("cached_files", 0) == 0  # zero is left out


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="wants a folder that nobody can write to")
def test_it_is_made_for_its_user_alone_and_one_that_exists_is_left_as_it_is(
    codemap: Shell, clone: Clone, tmp_path: Path
) -> None:
    clone.commit({"A.cs": "class A { }"})
    codemap("index", "-q", cwd=clone.root)
    assert stat.S_IMODE(codemap.home.stat().st_mode) == 0o700
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    codemap("index", "-q", cwd=clone.root, CODEMAP_HOME=str(shared))
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    assert stat.S_IMODE((shared / "baselines").stat().st_mode) & 0o055


def test_doctor_tries_to_write(codemap: Shell) -> None:
    assert "cannot be written" in codemap("doctor", fails=1, CODEMAP_HOME="/proc/nowhere").stdout
    assert not list(codemap.home.glob("*.building"))


def working_tree(clone: Clone, folder: Path) -> Path:
    clone.git("worktree", "add", "-q", "--detach", str(folder))
    return folder


def test_workspaces_are_listed_and_those_without_a_tree_are_pruned(
    codemap: Shell, clone: Clone, three: list[str], tmp_path: Path
) -> None:
    codemap("index", clone.root)
    assert listed(codemap)["workspaces"] == []
    assert "1 index, " in codemap("list").stderr
    other = working_tree(clone, tmp_path / "other")
    codemap("call", "workspace.create", "workspace_id=mine", "--repo", clone.root)
    codemap("call", "workspace.create", "workspace_id=second", "--repo", other)
    clone.write({"src/New.cs": "class New { }"})
    codemap("call", "index.refresh_overlay", "workspace_id=mine", "--repo", clone.root)
    found = {each["workspace_id"]: each for each in listed(codemap)["workspaces"]}
    assert {name: (each["root"], each["commit_sha"], each["changed_files"]) for name, each in found.items()} == {
        "mine": (str(clone.root), three[2], 1),
        "second": (str(other), three[2], 0),
    }
    shown = codemap("list")
    assert "1 index and 2 workspaces" in shown.stderr
    assert "1 edited file" in shown.stdout
    assert "mine  revision 1" in codemap("status", clone.root).stdout
    (state,) = [
        each
        for each in json.loads(codemap("call", "repo.status", "--repo", clone.root, "--json").stdout)["data"][
            "workspaces"
        ]
        if each["workspace_id"] == "mine"
    ]
    assert (state["overlay_revision"], state["modified_file_count"]) == (1, 1)
    assert pruned(codemap) == []
    clone.remove(str(other))
    assert "working tree is gone" in codemap("list").stdout
    assert pruned(codemap, "--yes") == ["second.db"]
    assert [each["workspace_id"] for each in listed(codemap)["workspaces"]] == ["mine"]


def test_pruning_keeps_what_a_workspace_is_based_on(codemap: Shell, clone: Clone, three: list[str]) -> None:
    for commit in three:
        codemap("index", clone.root, "--commit", commit)
    codemap("call", "workspace.create", "workspace_id=old", f"commit_sha={three[0]}", "--repo", clone.root)
    assert pruned(codemap, "--keep", "1") == [f"{three[1]}.db"]
    assert pruned(codemap, "--older-than", "1h") == []
    (path,) = [Path(each["path"]) for each in listed(codemap)["workspaces"]]
    path.write_bytes(b"no database")
    assert "damaged" in codemap("list").stdout
    assert pruned(codemap, "--keep", "1", "--yes") == sorted([f"{three[0]}.db", f"{three[1]}.db", "old.db"])


def test_forgetting_a_repository_leaves_no_file_of_its_workspaces(
    codemap: Shell, clone: Clone, three: list[str]
) -> None:
    codemap("index", clone.root)
    codemap("call", "workspace.create", "workspace_id=mine", "--repo", clone.root)
    (path,) = [Path(each["path"]) for each in listed(codemap)["workspaces"]]
    beside = path.with_name(f"{path.name}-wal")
    beside.write_bytes(b"")
    codemap("call", "index.remove_repo", "dry_run=false", "--repo", clone.root)
    assert not path.exists()
    assert not beside.exists()
