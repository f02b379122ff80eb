"""A repository whose own configuration names commands everywhere git allows it: reading it must run none of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.repository import CommitFiles, Repository
from tests.core.repository.conftest import Clone
from tests.core.repository.on_disk import on_disk

_COMMAND_KEYS = (
    "core.fsmonitor",
    "core.sshCommand",
    "core.pager",
    "core.editor",
    "core.askPass",
    "core.alternateRefsCommand",
    "diff.external",
    "diff.evil.textconv",
    "diff.evil.command",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "filter.e=v.i l.clean",
    "credential.helper",
    "gpg.program",
    "uploadpack.packObjectsHook",
    "alias.status",
    "alias.ls-files",
)


@pytest.fixture
def marker(clone: Clone, tmp_path: Path) -> Path:
    """What a command of the configuration would write; the repository is left with stale timestamps and a change, so that git has
    every reason to look at contents."""
    marker = tmp_path / "marker"
    script = tmp_path / "evil.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $@" >> {marker}\ncat\n')
    script.chmod(0o755)
    attributes = '*.cs filter=evil diff=evil\n*.txt filter="e=v.i l"\n'
    clone.commit({"a.cs": "class A;", "b.cs": "class B;", "c.txt": "c", ".gitattributes": attributes})
    for key in _COMMAND_KEYS:
        clone.git("config", key, str(script))
    clone.git("config", "filter.evil.required", "true")
    hooks = clone.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman"):
        (hooks / hook).write_text(script.read_text())
        (hooks / hook).chmod(0o755)
    for name in ("a.cs", "b.cs", "c.txt"):
        os.utime(clone.root / name, (1, 1))
    clone.write({"b.cs": "class C;"})
    return marker


def test_reading_runs_no_command(clone: Clone, marker: Path) -> None:
    repository = Repository.open(clone.root)
    assert repository.is_clean() is False
    clone.root.joinpath("b.cs").write_bytes(b"class B;")
    assert repository.is_clean() is True
    with CommitFiles(repository, repository.resolve_commit("HEAD")) as files:
        assert files.read("a.cs") == b"class A;"
        assert dict(files.read_many(["b.cs"])) == {"b.cs": b"class B;"}
        with on_disk(repository) as tree:
            assert tree.blobs == files.blobs
    repository.submodules("HEAD")
    assert repository.refs() == ["main"]
    assert not marker.exists(), marker.read_text()


def test_the_marker_would_be_written_without_our_care(clone: Clone, marker: Path) -> None:
    subprocess.run(["git", "status"], cwd=clone.root, capture_output=True, check=False)
    assert marker.exists()


@pytest.mark.parametrize("worktree", ["elsewhere", ".", "/"])
def test_a_configuration_cannot_make_other_folders_the_repository(clone: Clone, tmp_path: Path, worktree: str) -> None:
    """``core.worktree`` is the one setting that says where files lie: of a folder that does not lead back it is refused."""
    clone.commit({"src/a.cs": "class A;"})
    (tmp_path / "elsewhere").mkdir()
    clone.git("config", "core.worktree", str((tmp_path / worktree).resolve()))
    for folder in (clone.root, clone.root / "src", clone.root / ".git"):
        with pytest.raises(InvalidArgumentError, match=r"core\.worktree"):
            Repository.open(folder)


def test_a_folder_that_looks_like_a_git_directory_claims_nothing_around_it(clone: Clone) -> None:
    """A commit can hold such a folder, with a configuration of its own."""
    clone.commit({"inner/a.cs": "class A;"})
    bare = clone.root / "inner" / "claims"
    clone.git("init", "--quiet", "--bare", str(bare))
    config = bare / "config"
    config.write_text(config.read_text().replace("bare = true", "bare = false\n\tworktree = ../.."))
    with pytest.raises(InvalidArgumentError, match=r"core\.worktree"):
        Repository.open(bare)
    assert Repository.open(clone.root / "inner").root == clone.root


def test_a_folder_with_a_line_break_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "two\nlines"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    with pytest.raises(InvalidArgumentError, match="line break"):
        Repository.open(folder)
