"""A lock belongs to a living process."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from codemap_core.errors import CancelledError
from codemap_core.storage.files.lock import build_lock


def test_threads_take_turns(tmp_path: Path) -> None:
    inside: list[str] = []

    def hold(name: str) -> None:
        with build_lock(tmp_path / "index.db"):
            inside.append(f"{name} in")
            inside.append(f"{name} out")

    threads = [threading.Thread(target=hold, args=(str(number),)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(inside[i].split()[0] == inside[i + 1].split()[0] for i in range(0, 10, 2))
    assert list(tmp_path.iterdir()) == []


def test_waiting_can_be_given_up(tmp_path: Path) -> None:
    def give_up(seconds: float) -> None:
        raise CancelledError("no")

    with build_lock(tmp_path / "index.db"), pytest.raises(CancelledError), build_lock(tmp_path / "index.db", give_up):
        pass
    with build_lock(tmp_path / "index.db"):
        pass


@pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_worker_does_not_hold_its_parents_lock(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    ready, done = os.pipe(), os.pipe()
    with build_lock(path):
        child = os.fork()
        if child == 0:
            os.write(ready[1], b"x")
            os.read(done[0], 1)
            os._exit(0)
        os.read(ready[0], 1)
    with build_lock(path):
        os.write(done[1], b"x")
    os.waitpid(child, 0)
    for descriptor in (*ready, *done):
        os.close(descriptor)
