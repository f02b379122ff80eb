"""How a server of the codeagent tools ends, and how it follows a working tree: nothing that it has acknowledged is lost, nothing is half
done, and ``get_status`` says what is so."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.codeagent import auth_app
from tests.process_tree import descendants
from tests.server.raw_client import RawClient

CROWD = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return auth_app.create(tmp_path / "app")


@pytest.fixture
def home(tmp_path: Path, environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "CODEMAP_HOME": str(tmp_path / "data")}


def serve(home: dict[str, str], folder: Path, options: str = ", live=False") -> RawClient:
    return RawClient(home, f'toolsets=("codeagent",){options}', str(folder))


def crowd(folder: Path, first: int = 0) -> list[str]:
    """Writes files, and gives their paths."""
    paths = [f"src/Auth/Crowd{first + number}.cs" for number in range(CROWD)]
    for path in paths:
        (folder / path).write_text(f"namespace MyApp; public class {Path(path).stem} {{ }}\n", encoding="utf-8")
    return paths


def workspace(home: dict[str, str]) -> Path:
    (path,) = Path(home["CODEMAP_HOME"]).glob("overlays/*/*.db")
    return path


def revisions(home: dict[str, str]) -> int:
    with closing(sqlite3.connect(f"{workspace(home).as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (revision,) = connection.execute("SELECT revision FROM workspace").fetchone()
        return int(revision)


def status(server: RawClient) -> dict[str, Any]:
    found, is_error = server.call_json("get_status")
    assert not is_error, found
    assert isinstance(found, dict)
    return found


def indexed(server: RawClient, paths: list[str]) -> None:
    assert server.call_json("index_files", {"paths": paths}) == ({"indexed": len(paths), "errors": []}, False)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_server_that_is_ended_while_it_indexes_loses_nothing(home: dict[str, str], folder: Path) -> None:
    """Whenever it is told to end, it ends cleanly; what was acknowledged is there, and what was not is there whole or not at all."""
    with serve(home, folder) as server:
        server.initialize()
        indexed(server, ["notes.txt"])
        before = status(server)["indexed_files"]
    known = 0
    for attempt, delay in enumerate((0.0, 0.2, 0.6, 1.5)):
        paths = crowd(folder, attempt * CROWD)
        with serve(home, folder) as server:
            server.initialize()
            assert status(server)["indexed_files"] == before + known * CROWD
            server.request("tools/call", {"name": "index_files", "arguments": {"paths": paths}})
            time.sleep(delay)
            server.signal(signal.SIGTERM)
            assert server.wait() == 0
            assert "Traceback" not in server.log
        assert revisions(home) >= known
        with serve(home, folder) as server:
            server.initialize()
            assert status(server)["indexed_files"] in (before + known * CROWD, before + (known + 1) * CROWD)
            indexed(server, paths)
            known += 1
            assert status(server)["indexed_files"] == before + known * CROWD
            server.close_input()
            assert server.wait() == 0
        assert not [each for each in workspace(home).parent.iterdir() if each.name.endswith("-wal")], "checkpointed"


def test_a_burst_is_one_batch_and_ignored_folders_are_none(home: dict[str, str], folder: Path) -> None:
    with serve(home, folder, ", live=True") as server:
        server.initialize()
        indexed(server, ["notes.txt"])
        crowd(folder)
        first = status(server)
        assert first["watcher_active"] is True
        batches = revisions(home)

        ignored = folder / "src/Auth/bin"
        ignored.mkdir(exist_ok=True)
        for number in range(100):
            (ignored / f"Made{number}.cs").write_text("class Made { }\n", encoding="utf-8")
        assert status(server) == first
        assert revisions(home) == batches, "git ignores what was written"

        began = datetime.now(UTC).replace(microsecond=0)
        crowd(folder, CROWD)
        found = status(server)
        assert found["indexed_files"] == first["indexed_files"] + CROWD
        assert found["indexed_symbols"] == first["indexed_symbols"] + CROWD
        assert began <= datetime.fromisoformat(found["last_batch_at"]) <= datetime.now(UTC)
        assert revisions(home) - batches in (1, 2), (
            "all at once, or in two parts where a look of its own fell into the burst"
        )
        assert status(server) == found


@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
def test_edits_behind_more_events_than_the_system_keeps_are_taken_up(home: dict[str, str], folder: Path) -> None:
    """A file that comes, one that goes and one that changes, in a folder of which nothing is told as the queue was full of others before;
    and what comes after that."""
    elsewhere = (folder / "notes.txt", folder / "src/Controllers/LoginController.cs")
    store, gone = folder / "src/Auth/UserStore.cs", folder / "src/Auth/UserStore.Saving.cs"
    with serve(home, folder, ", live=True") as server:
        server.initialize()
        indexed(server, ["notes.txt"])
        before = status(server)
        for number in range(int(Path("/proc/sys/fs/inotify/max_queued_events").read_text()) + 8):
            os.utime(elsewhere[number % 2], ns=(number, number))
        (folder / "src/Auth/Late.cs").write_text("class Late { }\n", encoding="utf-8")
        store.write_text(store.read_text(encoding="utf-8").replace("Find(", "Seek("), encoding="utf-8")
        gone.unlink()
        found = status(server)
        assert (found["watcher_active"], found["indexed_files"]) == (True, before["indexed_files"])
        assert found["last_batch_at"] >= before["last_batch_at"]
        assert [row["name"] for row in server.call_json("search_symbols", {"query": "Seek OR Late OR Save"})[0]] == [
            *("Late", "Seek")
        ]
        (folder / "src/Auth/Late.cs").write_text("class Later { }\n", encoding="utf-8")
        assert [row["name"] for row in server.call_json("search_symbols", {"query": "Late*"})[0]] == ["Later"]


def watches(server: RawClient) -> int:
    """Folders of whose changes the system tells a server and its processes."""
    pids = {server.process.pid, *descendants(server.process.pid)}
    infos = [info.read_text() for pid in pids for info in Path(f"/proc/{pid}/fdinfo").iterdir()]
    return sum(text.count("inotify wd:") for text in infos)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_ignored_folders_are_not_watched(home: dict[str, str], folder: Path) -> None:
    with serve(home, folder, ", live=True") as server:
        server.initialize()
        indexed(server, ["notes.txt"])
        first, before = status(server), watches(server)
        assert before
        for number in range(200):
            (folder / f"bin/Debug/part{number}").mkdir(parents=True)
        assert status(server) == first
        assert watches(server) == before


def test_a_tree_without_edits_is_watched_and_shows_none(home: dict[str, str], folder: Path) -> None:
    """What ``index_files`` has brought in for another server is no edit of the tree; and edits that are undone are a batch."""
    store = folder / "src/Auth/UserStore.cs"
    text = store.read_text(encoding="utf-8")
    with serve(home, folder) as told:
        told.initialize()
        store.write_text(text + "class Undone { }\n", encoding="utf-8")
        indexed(told, ["src/Auth/UserStore.cs"])
        assert status(told)["watcher_active"] is False
    store.write_text(text, encoding="utf-8")
    for path in ("logo.png", ".codeagent/config.json"):  # what is not committed
        (folder / path).unlink()
    with serve(home, folder, ", live=True") as server:
        server.initialize()
        clean = status(server)
        assert clean["watcher_active"] is True
        assert server.call("search_symbols", {"query": "Undone"})["content"][0]["text"] == "[]"

        store.write_text(text + "class Undone { }\n", encoding="utf-8")
        edited = status(server)
        assert edited["indexed_symbols"] == clean["indexed_symbols"] + 1
        assert edited["last_batch_at"] >= clean["last_batch_at"]
        store.write_text(text, encoding="utf-8")
        undone = status(server)
        assert undone["indexed_symbols"] == clean["indexed_symbols"]
        assert undone["last_batch_at"] >= edited["last_batch_at"]


def test_without_an_index_nothing_is_watched(home: dict[str, str], folder: Path) -> None:
    with serve(home, folder, ", live=True") as server:
        server.initialize()
        answer = server.call("get_status")["content"][0]["text"]
        assert '"healthy":false' in answer
        assert '"watcher_active":false,"last_batch_at":null' in answer


def test_an_index_of_another_release_takes_up_edits_after_it_is_made_again(home: dict[str, str], folder: Path) -> None:
    """It can be asked, and edits cannot be added to it: other plug-ins made it."""
    with serve({**home, "CODEMAP_BLOCK_PLUGINS": "log"}, folder) as older:
        older.initialize()
        indexed(older, ["notes.txt"])
    with serve(home, folder) as server:
        server.initialize()
        assert status(server)["healthy"] is True
        (folder / "src/Auth/Later.cs").write_text("class Later { }\n", encoding="utf-8")
        indexed(server, ["src/Auth/Later.cs"])
        found, _ = server.call_json("lookup_symbol", {"qualified_name": "Later"})
        assert [row["file_path"] for row in found] == ["src/Auth/Later.cs"]
