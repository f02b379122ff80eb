"""A look at a working tree sees whatever was changed before it, whether the system tells of changes or everything is looked at."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemap_core.repository import Repository
from codemap_server import tree_looks
from codemap_server.folder_events import FolderEvents, mounts_in
from codemap_server.tree_looks import TreeLooks
from tests.clone import Clone

FILES = ("a.cs", "src/b.cs", "src/deep/c.cs")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    clone = Clone(tmp_path / "tree")
    clone.commit(dict.fromkeys(FILES, "class A { }"))
    return clone.root


@pytest.fixture(params=["told", "looked at"])
def looks(root: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[TreeLooks]:
    if request.param == "looked at":
        monkeypatch.setattr(FolderEvents, "of", lambda *_: None)
    found = TreeLooks(Repository.open(root))
    found.follow(
        (str(root), str(root / "src"), str(root / "src/deep"), str(root / "missing")),
        (*(str(root / path) for path in FILES), str(root / "missing/d.cs")),
    )
    yield found
    found.close()


def _replace(root: Path) -> None:
    (root / "new").write_text("class B { }")
    (root / "new").replace(root / "src/b.cs")


def _move_folder(root: Path) -> None:
    (root / "src").rename(root / "aside")
    shutil.copytree(root / "aside", root / "src")


def _overflow(root: Path) -> None:
    limit = Path("/proc/sys/fs/inotify/max_queued_events")
    for number in range(int(limit.read_text()) + 8 if limit.exists() else 8):
        os.utime(root / FILES[number % 2], ns=(number, number))
    (root / "src/deep/c.cs").write_text("class D { }")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is written": lambda root: (root / "src/b.cs").write_text("class B { }"),
    "a file is replaced": _replace,
    "a file is touched": lambda root: os.utime(root / "a.cs"),
    "a file goes": lambda root: (root / "a.cs").unlink(),
    "a file comes": lambda root: (root / "src/deep/e.cs").write_text(""),
    "a folder goes": lambda root: shutil.rmtree(root / "src"),
    "a folder comes": lambda root: (root / "missing").mkdir(),
    "another folder takes its place": _move_folder,
    "more happens than is told": _overflow,
    "another commit": lambda root: (root / ".git/HEAD").write_text("ref: refs/heads/other\n"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen_and_so_is_the_next_one(
    root: Path, looks: TreeLooks, change: Callable[[Path], object]
) -> None:
    before = looks.look()
    assert looks.look() == before
    change(root)
    after = looks.look()
    assert after != before
    assert looks.look() == after
    assert after.stats == tuple(map(tree_looks._stat, looks.places))
    (root / "missing").mkdir(exist_ok=True)
    looks.look()
    for path in (*FILES, "missing/d.cs"):
        seen = looks.look()
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("class Next { }")
        now = looks.look()
        assert [place for place, one, other in zip(looks.places, seen.stats, now.stats, strict=True) if one != other][
            -1
        ] == str(root / path)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.parametrize("looks", ["told"], indirect=True)
def test_as_long_as_nothing_is_told_no_file_is_looked_at(
    root: Path, looks: TreeLooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = FolderEvents.of(str(root), [])
    if events is None:
        pytest.skip("this file system does not tell")
    events.close()
    before = looks.look()
    looked: list[str] = []
    stat = tree_looks._stat

    def noted(place: str) -> tree_looks.Stat:
        looked.append(place)
        return stat(place)

    monkeypatch.setattr(tree_looks, "_stat", noted)
    assert looks.look() == before
    assert looked == []
    (root / "src/b.cs").write_text("class B { }")
    assert looks.look() != before
    assert sorted(looked) == [str(root / "src"), str(root / "src/b.cs")]
    monkeypatch.setattr(tree_looks, "TRUSTED_SECONDS", 0.0)
    looks.look()
    assert len(looked) > len(looks.places)


def test_where_file_systems_are_mounted() -> None:
    table = "22 1 0:20 / / rw shared:1 - ext4 /dev/vda rw\n31 22 0:33 / /home/a\\040b/\u00fc rw - nfs4 server:/x rw\n"
    assert dict(mounts_in(table)) == {"/": "ext4", "/home/a b/\u00fc": "nfs4"}
