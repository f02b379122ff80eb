"""What the index process does besides refreshing workspaces: the index of a commit from what it knows of an earlier one."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.config import load_settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import Repository
from codemap_server import index_process
from codemap_server.calls import CallControl
from codemap_server.child_process import stop_child
from codemap_server.index_process import Garbage, IndexProcess, NextRequest, ReadyRequest, resident_bytes, tidy
from tests.clone import Clone
from tests.server import shop
from tests.server.asking import done, found, index_processes
from tests.server.raw_client import RawClient
from tests.server.shop import ORDER, add_member, edit


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("CODEMAP_HOME", str(tmp_path / "home"))
    clone = Clone(tmp_path / "tree")
    commit = clone.commit({"a.cs": "class A { }\n", "b.cs": "class B : A { }\n"})
    settings, repository = load_settings(), Repository.open(clone.root)
    ensure_baseline(repository, load_plugins(), settings)
    Workspaces(settings, repository).create("one", commit, wait=lambda _: None)
    return clone


@pytest.fixture
def process(clone: Clone) -> Iterator[IndexProcess]:
    process = IndexProcess()
    process.make_ready(ReadyRequest(str(clone.root), "one"), CallControl(), threading.Event())
    yield process
    process.close()


def test_the_index_of_the_next_commit(clone: Clone, process: IndexProcess) -> None:
    stages: list[str] = []
    control = CallControl(lambda stage, _done, _total: stages.append(stage), threading.Event())
    for text in ("class B { }\n", "class C { }\n"):
        commit = clone.commit({"b.cs": text})
        report = process.continue_baseline(NextRequest(str(clone.root), commit), control)
        assert report is not None
        assert report.stats is not None
        assert (report.commit_sha, report.stats.bound_files, report.stats.symbol_count) == (commit, 1, 2)
    assert {"analyse", "bind", "publish"} <= set(stages)
    assert process.continue_baseline(NextRequest(str(clone.root), commit), control) is None, "it exists"


def test_a_process_that_does_not_run_is_not_started(clone: Clone) -> None:
    idle = IndexProcess()
    commit = clone.commit({"b.cs": "class B { }\n"})
    assert idle.continue_baseline(NextRequest(str(clone.root), commit), CallControl()) is None


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_process_that_is_killed_leaves_the_work_to_another(clone: Clone, process: IndexProcess) -> None:
    assert process._child is not None
    commit = clone.commit({"b.cs": "class B { }\n"})
    os.kill(process._child.pid, signal.SIGSTOP)
    killing = threading.Timer(0.3, os.kill, (process._child.pid, signal.SIGKILL))
    killing.start()
    assert process.continue_baseline(NextRequest(str(clone.root), commit), CallControl()) is None
    killing.join()


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_a_commit_after_an_edit_that_was_seen(home: dict[str, str], folder: Path) -> None:
    with RawClient(home, "live=True", str(folder)) as live:
        live.initialize()
        done(live, "index.ensure_baseline")
        add_member(folder, "First")
        for name in ("First", "Second"):
            edit(folder, ORDER, "First", name)
            assert found(live, name) == [ORDER]
            assert index_processes(live)
            shop.commit(folder, name)
            made = done(live, "index.ensure_baseline")["data"]
            assert made["stats"]["bound_files"] in (0, 1), "made from the index of the commit before, by either process"
            assert found(live, name, consistency="committed") == [ORDER]
            assert found(live, name) == [ORDER]


def test_a_child_that_has_ended_before_it_was_told_is_stopped() -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"], stdin=subprocess.PIPE)
    child.wait()
    assert child.stdin is not None
    child.stdin.write(b"{}\n")
    with pytest.raises(BrokenPipeError):
        child.stdin.flush()
    stop_child(child)
    assert child.stdin.closed


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="malloc_trim is a function of glibc")
def test_memory_that_nothing_holds_goes_back_to_the_system() -> None:
    kept = [bytes(2_000) if number % 50 == 0 else [bytes(2_000)] for number in range(50_000)]
    kept[:] = [each for each in kept if isinstance(each, bytes)]
    before = resident_bytes()
    tidy()
    assert resident_bytes() < before - 50_000_000
    assert len(kept) == 1_000


class _Ring:
    """Garbage as soon as nobody holds it, and gone when that is looked for."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def ring() -> weakref.ref[_Ring]:
    return weakref.ref(_Ring())


def _objects(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: number)


def test_garbage_is_looked_for_when_there_are_many_more_objects(
    monkeypatch: pytest.MonkeyPatch, ring: weakref.ref[_Ring]
) -> None:
    """The first request makes what the process keeps. What comes later may be tables that others have taken the place of."""
    garbage = Garbage(1 << 40)
    found = []
    for number in (1_000, 1_250, 1_251, 2_000):
        _objects(monkeypatch, number)
        assert garbage.leaves_room()
        found.append((garbage.is_due, ring() is None))
    assert found == [(False, False), (False, False), (True, False), (True, False)]
    _objects(monkeypatch, 2_001)
    assert garbage.leaves_room()
    assert (garbage.is_due, ring()) == (False, None)
    _objects(monkeypatch, 2_500)
    assert garbage.leaves_room()
    assert not garbage.is_due, "what was left is kept"


def test_garbage_is_looked_for_after_many_requests(monkeypatch: pytest.MonkeyPatch, ring: weakref.ref[_Ring]) -> None:
    _objects(monkeypatch, 1_000)
    garbage = Garbage(1 << 40)
    found = []
    for _ in range(96):
        assert garbage.leaves_room()
        found.append((garbage.is_due, ring() is None))
    assert found == [(False, False)] * 31 + [(True, False)] * 64 + [(False, True)]


@pytest.mark.parametrize(("left", "goes_on"), [(100, True), (101, False)], ids=["garbage", "kept"])
def test_memory_that_garbage_holds_ends_no_process(
    monkeypatch: pytest.MonkeyPatch, ring: weakref.ref[_Ring], left: int, goes_on: bool
) -> None:
    monkeypatch.setattr(index_process, "resident_bytes", lambda: 101 if ring() is not None else left)
    assert Garbage(100).leaves_room() is goes_on
    assert ring() is None
