"""Opening repositories of every kind, naming commits, identity, state, and what is said when it does not work."""

from __future__ import annotations

import hashlib
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.repository import CommitFiles, GitMissingError, Repository
from codemap_core.repository.git_process import GitCommandError, run_git
from codemap_core.repository.git_repository import normalised_url
from tests.core.repository.conftest import Clone


def test_opens_at_the_root_and_below_it(clone: Clone) -> None:
    commit = clone.commit({"src/App/a.cs": "a", "b.cs": "b"})
    at_root = Repository.open(clone.root)
    assert (at_root.root, at_root.subtree, at_root.is_bare) == (clone.root, "", False)
    below = Repository.open(clone.root / "src" / "App")
    assert (below.root, below.subtree) == (clone.root, "src/App")
    files = CommitFiles(below, commit)
    assert list(files.paths) == ["src/App/a.cs"]
    assert list(files.all_paths) == ["b.cs", "src/App/a.cs"]
    assert files.read("b.cs") == b"b"
    files.close()


def test_opens_from_inside_the_git_directory(clone: Clone) -> None:
    clone.commit({"a": ""})
    assert Repository.open(clone.root / ".git" / "refs").root == clone.root


def test_bare_repository_needs_no_checkout(clone: Clone, tmp_path: Path) -> None:
    commit = clone.commit({"a.cs": "class A;"})
    clone.git("clone", "-q", "--bare", str(clone.root), str(tmp_path / "bare.git"))
    bare = Repository.open(tmp_path / "bare.git")
    assert (bare.is_bare, bare.subtree, bare.is_clean(), bare.branch_name) == (True, "", True, "main")
    with CommitFiles(bare, bare.resolve_commit("main")) as files:
        assert files.label == f"commit {commit[:12]}"
        assert dict(files.read_many(files.paths)) == {"a.cs": b"class A;"}


def test_worktrees_share_the_identity_of_their_clone(clone: Clone, tmp_path: Path) -> None:
    clone.commit({"a.cs": ""})
    clone.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    main, side = Repository.open(clone.root), Repository.open(tmp_path / "side")
    assert side.repo_id == main.repo_id
    assert side.repo_id.startswith("local-")
    assert (main.branch_name, side.branch_name) == ("main", "side")
    assert side.root == (tmp_path / "side").resolve()


def test_head_is_told_without_a_process_where_it_can_be(clone: Clone) -> None:
    first, second = clone.commit({"a": "1"}), clone.commit({"a": "2"})
    repository = Repository.open(clone.root)
    assert (repository.is_head(first), repository.is_head(second)) == (False, True)
    clone.git("checkout", "-q", "--detach", first)
    assert (repository.is_head(first), repository.is_head(second)) == (True, False)
    clone.git("checkout", "-q", "-b", second)
    assert (repository.is_head(first), repository.is_head(second)) == (True, False)
    clone.git("pack-refs", "--all")
    assert not repository.is_head(first), "git is asked then"


def test_identity_comes_from_the_remote(clone: Clone) -> None:
    clone.commit({"a": ""})
    clone.git("remote", "add", "zeta", "https://example.org/z.git")
    first = Repository.open(clone.root).repo_id
    clone.git("remote", "add", "origin", " https://Example.org/Team/Repo.git/ ")
    expected = hashlib.sha256(b"https://example.org/team/repo").hexdigest()[:16]
    assert Repository.open(clone.root).repo_id == expected != first


@pytest.mark.parametrize("url", ["https://h/a/b", "https://h/a/b/", "https://h/a/b.git", " https://H/A/b.git/ "])
def test_urls_of_one_repository_are_one(url: str) -> None:
    assert normalised_url(url) == "https://h/a/b"


def test_submodules_are_listed_and_are_repositories_of_their_own(clone: Clone, tmp_path: Path) -> None:
    inner = Clone(tmp_path / "inner")
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner_commit = inner.commit({"lib.cs": "class L;"})
    clone.commit({"a.cs": ""})
    clone.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "libs/inner")
    commit = clone.commit({})
    outer = Repository.open(clone.root)
    (submodule,) = outer.submodules(commit)
    assert (submodule.path, submodule.commit, submodule.url) == ("libs/inner", inner_commit, str(inner.root))
    with CommitFiles(outer, commit) as files:
        assert list(files.paths) == [".gitmodules", "a.cs"]
        assert files.skipped.submodules == 1
    opened = Repository.open(clone.root / "libs" / "inner")
    assert opened.root == clone.root / "libs" / "inner"
    assert opened.head_commit() == inner_commit
    assert opened.repo_id != outer.repo_id


def test_commits_by_every_name(clone: Clone) -> None:
    first = clone.commit({"a": "1"})
    second = clone.commit({"a": "2"})
    clone.git("tag", "light", first)
    clone.git("tag", "-a", "-m", "x", "v1.0", first)
    clone.git("branch", "feature/x", first)
    repository = Repository.open(clone.root)
    for rev in (first, first[:7], first.upper(), "light", "v1.0", "feature/x", "HEAD~1", "main^"):
        assert repository.resolve_commit(rev) == first, rev
    assert repository.resolve_commit("") == repository.resolve_commit("HEAD") == repository.head_commit() == second


def test_an_unknown_commit_is_not_found_with_close_names(clone: Clone) -> None:
    clone.commit({"a": ""})
    clone.git("branch", "release/1.0")
    repository = Repository.open(clone.root)
    with pytest.raises(NotFoundError, match=r"release/1\.0"):
        repository.resolve_commit("relase/1.0")
    with pytest.raises(NotFoundError, match="git log"):
        repository.resolve_commit("0" * 40)
    for rev in ("--all", "-x", "a\nb"):
        with pytest.raises(InvalidArgumentError):
            repository.resolve_commit(rev)


def test_a_beginning_of_several_ids_is_ambiguous(clone: Clone) -> None:
    clone.commit({"a": ""})
    commits = "".join(f"commit refs/heads/many\ncommitter A <a@example.org> {n} +0000\ndata 0\n\n" for n in range(1500))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=clone.root, input=commits.encode(), check=True)
    starts = Counter(commit[:4] for commit in clone.git("rev-list", "--all").split())
    shared, count = starts.most_common(1)[0]
    with pytest.raises(AmbiguousError, match="Give more digits") as caught:
        Repository.open(clone.root).resolve_commit(shared)
    assert len(caught.value.details["candidates"]) == count > 1


def test_detached_head_says_so(clone: Clone) -> None:
    first = clone.commit({"a": "1"})
    clone.git("checkout", "-q", "--detach", first)
    assert Repository.open(clone.root).branch_name == "HEAD"


def test_an_empty_repository_opens_but_has_no_commit(clone: Clone) -> None:
    repository = Repository.open(clone.root)
    assert repository.branch_name == "main"
    for look in (
        repository.head_commit,
        lambda: repository.resolve_commit("main"),
        lambda: repository.resolve_commit(""),
    ):
        with pytest.raises(NotFoundError, match="has no commit yet"):
            look()


def test_clean_means_nothing_staged_changed_or_untracked(clone: Clone) -> None:
    clone.commit({"a.cs": "a", ".gitignore": "ignored/\n"})
    repository = Repository.open(clone.root)
    assert repository.is_clean()
    clone.write({"ignored/x.cs": ""})
    assert repository.is_clean()
    clone.write({"new.cs": ""})
    assert not repository.is_clean()
    (clone.root / "new.cs").unlink()
    clone.write({"a.cs": "other"})
    assert not repository.is_clean()


def test_changed_files_are_those_that_git_status_lists(clone: Clone) -> None:
    clone.commit({name: name for name in ("edited.cs", "staged.cs", "removed.cs", "untouched.cs", "kept/a.cs")})
    clone.commit({".gitignore": "ignored/\n*.tmp\n"})
    clone.write({"staged.cs": "other", "added.cs": "added"})
    clone.git("add", "-A")
    (clone.root / "removed.cs").unlink()
    clone.write({"edited.cs": "other", "kept/new.cs": "", "new/deep/a.cs": "", "new/b.tmp": "", "only/c.tmp": ""})
    clone.write({"ignored/d.cs": "", "Größe.cs": "", " spaced name.cs": ""})
    (clone.root / "empty" / "folder").mkdir(parents=True)
    (clone.root / "nested").mkdir()
    subprocess.run(["git", "init", "-q"], cwd=clone.root / "nested", check=True)
    listed = clone.git("status", "--porcelain", "-z", "--no-renames").split("\0")
    found = Repository.open(clone.root).changed_files()
    assert found == tuple(sorted(row[3:] for row in listed if row))
    assert {"edited.cs", "staged.cs", "added.cs", "removed.cs", "kept/new.cs", "new/", "nested/"} <= set(found)


def test_paths_that_are_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="does not exist"):
        Repository.open(tmp_path / "none")
    with pytest.raises(InvalidArgumentError, match="not in a git repository"):
        Repository.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgumentError, match="is a file"):
        Repository.open(tmp_path / "file")
    with pytest.raises(InvalidArgumentError, match="root of the file system"):
        Repository.open(tmp_path.anchor)
    with pytest.raises(InvalidArgumentError):
        Repository.open("bad\0path")


def test_a_repository_of_another_owner_says_how_to_trust_it(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.commit({"a": ""})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(InvalidArgumentError, match=r"git config --global --add safe\.directory"):
        Repository.open(clone.root)


def test_a_missing_git_says_so(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissingError, match="Install git"):
        Repository.open(clone.root)


@pytest.mark.parametrize(("end", "said"), [("kill -9 $$", "signal 9 ended it"), ("exit 7", "it ended with code 7")])
def test_a_git_that_ends_without_a_word(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, said: str
) -> None:
    silent = tmp_path / "git"
    silent.write_text(f"#!/bin/sh\n{end}\n")
    silent.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitCommandError, match=said):
        run_git(clone.root, "status")


def test_variables_of_a_running_hook_do_not_mislead(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = clone.commit({"a": ""})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    repository = Repository.open(clone.root)
    assert (repository.root, repository.head_commit(), repository.is_clean()) == (clone.root, commit, True)
