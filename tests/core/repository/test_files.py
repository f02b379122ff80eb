"""The files of commits and of working trees."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.contracts import FileSet
from codemap_core.repository import CommitFiles, Repository, changed_paths, start_listing, untracked_folders
from tests.core.repository.conftest import Clone
from tests.core.repository.on_disk import on_disk


def commit_files(clone: Clone) -> CommitFiles:
    repository = Repository.open(clone.root)
    return CommitFiles(repository, repository.head_commit())


def test_a_commit_lists_its_files_sorted_with_git_ids_and_sizes(clone: Clone) -> None:
    clone.commit(
        {"b.cs": "bb", "a/z.cs": "z", "a.cs": "", "Zürich/ein name.cs": "ü", ".gitignore": "*.log\n", "kept.log": "x"}
    )
    with commit_files(clone) as files:
        assert isinstance(files, FileSet)
        assert list(files.paths) == [".gitignore", "Zürich/ein name.cs", "a.cs", "a/z.cs", "b.cs", "kept.log"]
        assert [(blob.path, blob.size) for blob in files.blobs if blob.path == "Zürich/ein name.cs"] == [
            ("Zürich/ein name.cs", 2)
        ]
        assert {blob.path: blob.blob_id for blob in files.blobs}["b.cs"] == clone.git("hash-object", "b.cs")
        assert files.exists("a/z.cs")
        assert not files.exists("a")
        assert not files.exists("A.cs")
        with pytest.raises(KeyError):
            files.read("none.cs")


def test_sizes_that_are_known_are_not_asked_for(clone: Clone) -> None:
    clone.commit({"kept.cs": "kept", "edited.cs": "one"})
    with commit_files(clone) as files:
        known = {blob.blob_id: blob.size for blob in files.blobs}
    second = clone.commit({"edited.cs": "another", "new.cs": "new"})
    repository = Repository.open(clone.root)
    with commit_files(clone) as all_asked:
        wanted = all_asked.blobs
    assert CommitFiles(repository, second, start_listing(repository, second, known)).blobs == wanted
    said = dict.fromkeys(known, 99)
    told = CommitFiles(repository, second, start_listing(repository, second, said)).blobs
    assert {blob.path: blob.size for blob in told} == {"kept.cs": 99, "edited.cs": 7, "new.cs": 3}


def test_a_commit_is_read_whatever_the_work_tree_holds(clone: Clone) -> None:
    first = clone.commit({"a.cs": "one"})
    clone.commit({"a.cs": "two"})
    clone.write({"a.cs": "three"})
    repository = Repository.open(clone.root)
    with CommitFiles(repository, first) as files:
        assert files.read("a.cs") == b"one"


def test_bulk_reading_keeps_order_and_bytes(clone: Clone) -> None:
    contents: dict[str, str | bytes] = {
        f"f{number:04}.bin": bytes([number % 256]) * (number * 37) for number in range(500)
    }
    clone.commit({**contents, "big.bin": os.urandom(300_000), "empty": b""})
    with commit_files(clone) as files:
        wanted = ["big.bin", *reversed(contents), "empty", "big.bin"]
        read = list(files.read_many(wanted))
        assert [path for path, _ in read] == wanted
        assert all(content == (clone.root / path).read_bytes() for path, content in read)
        assert next(iter(files.read_many(wanted)))[0] == "big.bin"
        assert files.read("empty") == b""


def test_symbolic_links_are_counted_not_followed(clone: Clone, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.cs").write_text("class Secret;")
    clone.write({"real/a.cs": "a"})
    (clone.root / "link.cs").symlink_to(tmp_path / "outside" / "secret.cs")
    (clone.root / "folder").symlink_to(tmp_path / "outside")
    clone.commit({})
    repository = Repository.open(clone.root)
    with CommitFiles(repository, repository.head_commit()) as files:
        assert list(files.paths) == ["real/a.cs"]
        assert files.skipped.symlinks == 2
    with on_disk(repository) as tree:
        assert list(tree.paths) == ["real/a.cs"]
        assert tree.skipped.symlinks == 2


def test_a_folder_replaced_by_a_link_hides_its_files(clone: Clone, tmp_path: Path) -> None:
    clone.commit({"folder/a.cs": "a", "b.cs": "b"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.cs").write_text("stolen")
    (clone.root / "folder" / "a.cs").unlink()
    (clone.root / "folder").rmdir()
    (clone.root / "folder").symlink_to(tmp_path / "outside")
    with on_disk(Repository.open(clone.root)) as tree:
        assert list(tree.paths) == ["b.cs"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that takes any bytes as a name")
def test_names_that_are_not_utf8_are_skipped_and_reported(clone: Clone) -> None:
    with open(os.path.join(os.fsencode(clone.root), b"b\xff.cs"), "wb"):  # noqa: PTH118, PTH123 - pathlib cannot hold such a name apart
        pass
    clone.commit({"a.cs": ""})
    with commit_files(clone) as files, on_disk(Repository.open(clone.root)) as tree:
        for skipped, paths in ((files.skipped, files.paths), (tree.skipped, tree.paths)):
            assert list(paths) == ["a.cs"]
            (problem,) = skipped.problems
            assert problem.code == "path_not_utf8"
            problem.message.encode()


def test_a_working_tree_has_changes_and_new_files_but_no_ignored_or_deleted_ones(clone: Clone) -> None:
    clone.commit({"same.cs": "same", "changed.cs": "old", "gone.cs": "", "src/.gitignore": "gen/\n", "src/a.cs": ""})
    clone.write({"changed.cs": "new", "src/gen/x.cs": "", "src/new.cs": "n"})
    (clone.root / "gone.cs").unlink()
    with on_disk(Repository.open(clone.root)) as tree:
        assert list(tree.paths) == ["changed.cs", "same.cs", "src/.gitignore", "src/a.cs", "src/new.cs"]
        ids = {blob.path: blob.blob_id for blob in tree.blobs}
        assert ids == {path: clone.git("hash-object", path) for path in tree.paths}
        assert dict(tree.read_many(["changed.cs", "gone.cs"])) == {"changed.cs": b"new"}
        assert isinstance(tree, FileSet)
    with on_disk(Repository.open(clone.root / "src")) as below:
        assert list(below.paths) == ["src/.gitignore", "src/a.cs", "src/new.cs"]
        assert below.exists("same.cs")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_counts_as_deleted(clone: Clone) -> None:
    clone.commit({"a.cs": "a"})
    clone.write({"secret.cs": "s"})
    (clone.root / "secret.cs").chmod(0)
    with on_disk(Repository.open(clone.root)) as tree:
        assert list(tree.paths) == ["a.cs"]


def test_a_repository_inside_the_work_tree_is_not_part_of_it(clone: Clone) -> None:
    clone.commit({"a.cs": "a"})
    inner = Clone(clone.root / "vendor")
    inner.root.mkdir()
    inner.git("init", "-q")
    inner.commit({"v.cs": ""})
    with on_disk(Repository.open(clone.root)) as tree:
        assert list(tree.paths) == ["a.cs"]


def test_folders_where_new_files_may_come(clone: Clone) -> None:
    clone.commit({"src/a.cs": "a", ".gitignore": "obj/\n"})
    assert untracked_folders(Repository.open(clone.root)) == ()
    for folder in ("empty", "src/new/ä b/deep", "src/new/obj/Debug", "obj", "vendor"):
        (clone.root / folder).mkdir(parents=True)
    Clone(clone.root / "vendor").git("init", "-q")
    (clone.root / "link").symlink_to(clone.root / "src", target_is_directory=True)
    found = untracked_folders(Repository.open(clone.root))
    assert found == ("empty", "src/new", "src/new/ä b", "src/new/ä b/deep")


def test_a_bare_repository_has_no_working_tree(clone: Clone, tmp_path: Path) -> None:
    clone.git("init", "-q", "--bare", str(tmp_path / "bare"))
    with pytest.raises(InvalidArgumentError, match="is bare"):
        changed_paths(Repository.open(tmp_path / "bare"), "0" * 40)


def test_sha256_repositories(tmp_path: Path) -> None:
    made = Clone(tmp_path / "sha256")
    made.root.mkdir()
    made.git("init", "-q", "--object-format=sha256")
    made.commit({"a.cs": "a"})
    made.write({"b.cs": "b"})
    repository = Repository.open(made.root)
    with CommitFiles(repository, repository.head_commit()) as files:
        assert dict(files.read_many(files.paths)) == {"a.cs": b"a"}
    with on_disk(repository) as tree:
        ids = {blob.path: blob.blob_id for blob in tree.blobs}
    assert ids == {path: made.git("hash-object", path) for path in ("a.cs", "b.cs")}


def test_a_partial_clone_is_not_completed_behind_the_users_back(clone: Clone, tmp_path: Path) -> None:
    clone.git("config", "uploadpack.allowFilter", "true")
    clone.commit({"a.cs": "a"})
    clone.git("clone", "-q", "--no-checkout", "--filter=blob:none", clone.root.as_uri(), str(tmp_path / "partial"))
    partial = Clone(tmp_path / "partial")
    with pytest.raises(InvalidArgumentError, match="fetch --refetch --no-filter"):
        commit_files(partial)
    repository = Repository.open(partial.root)
    with pytest.raises(InvalidArgumentError, match="fetch --refetch --no-filter"):
        CommitFiles(repository, head := repository.head_commit(), start_listing(repository, head, {"": 0}))
    partial.git("checkout", "-q", "main")
    with commit_files(partial) as files:
        assert files.read("a.cs") == b"a"
