"""What differs from HEAD is found anew after whatever may have changed it, and git is asked no more often than that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemap_core.repository import Repository
from codemap_server.checked_out import CheckedOutFiles
from codemap_server.folder_events import FolderEvents
from tests.clone import Clone

CHANGES: dict[str, tuple[Callable[[Clone], object], tuple[str, ...]]] = {
    "nothing": (lambda clone: None, ()),
    "an edit": (lambda clone: clone.write({"src/b.cs": "class C { }"}), ("src/b.cs",)),
    "a new file": (lambda clone: clone.write({"src/new.cs": ""}), ("src/new.cs",)),
    "a new folder": (lambda clone: clone.write({"new/deep/c.cs": ""}), ("new/",)),
    "a removed file": (lambda clone: clone.remove("a.cs"), ("a.cs",)),
    "a removed folder": (lambda clone: clone.remove("src"), ("src/b.cs",)),
    "a staged file": (lambda clone: _stage(clone, "src/new.cs"), ("src/new.cs",)),
    "a commit": (lambda clone: clone.commit({"src/b.cs": "class C { }"}), ()),
    "an ignored file": (lambda clone: clone.write({"src/b.log": ""}), ()),
    "a rule that ignores less": (lambda clone: clone.write({".gitignore": ""}), (".gitignore", "old.log")),
}


def _stage(clone: Clone, path: str) -> None:
    clone.write({path: ""})
    clone.git("add", path)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    found = Clone(tmp_path / "tree")
    found.commit({"a.cs": "class A { }", "src/b.cs": "class B { }", ".gitignore": "*.log\n"})
    found.write({"old.log": ""})
    return found


@pytest.fixture(params=["told", "asked"])
def files(clone: Clone, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[CheckedOutFiles]:
    if request.param == "asked":
        monkeypatch.setattr(FolderEvents, "of", lambda *_: None)
    found = CheckedOutFiles(Repository.open(clone.root))
    yield found
    found.close()


@pytest.mark.parametrize("change", CHANGES)
def test_what_differs_is_found_after_any_change(clone: Clone, files: CheckedOutFiles, change: str) -> None:
    assert files.uncommitted() == files.uncommitted() == ()
    make, differing = CHANGES[change]
    make(clone)
    assert files.uncommitted() == files.uncommitted() == differing


def test_changes_that_follow_each_other_are_found(clone: Clone, files: CheckedOutFiles) -> None:
    clone.write({"src/b.cs": "class C { }", "new/c.cs": ""})
    assert files.uncommitted() == ("new/", "src/b.cs")
    clone.write({"src/b.cs": "class B { }", "other/d.cs": ""})
    assert files.uncommitted() == ("new/", "other/")
    clone.remove("new/c.cs")
    assert files.uncommitted() == ("other/",)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of changes")
def test_git_is_asked_once_while_nothing_changes(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Repository] = []
    changed_files = Repository.changed_files

    def counted(repository: Repository) -> tuple[str, ...]:
        asked.append(repository)
        return changed_files(repository)

    monkeypatch.setattr(Repository, "changed_files", counted)
    files = CheckedOutFiles(Repository.open(clone.root))
    for content in ("class C { }", "class D { }"):
        clone.write({"a.cs": content})
        assert [files.uncommitted() for _ in range(3)] == [("a.cs",)] * 3
    assert len(asked) == 2
    files.close()
