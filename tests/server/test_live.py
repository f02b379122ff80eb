"""``serve --live``: questions see the files as they are on disk, without a call before them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.server import shop
from tests.server.asking import done, found, index_processes, refused
from tests.server.raw_client import RawClient
from tests.server.shop import ORDER, add_member, edit

NEW = "src/Shop/New.cs"
PATIENCE = 60.0
"""Seconds that a busy machine may take."""


@pytest.fixture
def live(folder: Path, home: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(home, "live=True", str(folder)) as client:
        client.initialize()
        yield client


def notes_of(answer: dict[str, Any]) -> str:
    return json.dumps(answer["meta"].get("notes", ()))


def test_edits_are_seen_without_a_call(live: RawClient, folder: Path) -> None:
    assert refused(live, "symbols.search", query="Order")["code"] == "INDEX_NOT_AVAILABLE"
    done(live, "index.ensure_baseline")
    clean = done(live, "symbols.search", query="Order")
    assert "workspace_id" not in clean["meta"]
    add_member(folder, "Edited")
    assert found(live, "Edited") == [ORDER]
    (folder / NEW).write_text("class Fresh { int M(Shop.Ordering.Order o) => o.Edited(2); }\n", encoding="utf-8")
    callers = done(live, "graph.callers", symbol="Order.Edited")
    assert "Fresh.M" in json.dumps(callers["data"])
    assert callers["meta"]["overlay_revision"] == 2
    assert "notes" not in callers["meta"]
    assert callers["meta"]["timing"]["roslyn_compile_ms"] > 0
    (folder / NEW).rename(folder / "src/Shop/Renamed.cs")
    assert found(live, "Fresh") == ["src/Shop/Renamed.cs"]
    (folder / "src/Shop/Renamed.cs").unlink()
    assert "notes" not in done(live, "symbols.search", query="Fresh")["meta"]
    assert found(live, "Fresh") == []
    shop.git(folder, "checkout", "--quiet", ".")
    back = done(live, "symbols.search", query="Edited")
    assert back["data"]["hits"] == []
    assert "workspace_id" not in back["meta"]


def test_the_status_tells_of_the_tree_and_not_of_what_its_workspace_showed_last(
    folder: Path, home: dict[str, str]
) -> None:
    with RawClient(home, "live=True, answer_format=AnswerFormat.TEXT", str(folder)) as client:
        client.initialize()
        client.call("index.ensure_baseline", {})
        client.call("workspace.create", {"workspace_id": "mine"})
        add_member(folder, "Edited")
        (edited,) = client.call("symbols.search", {"query": "Edited"})["content"]
        assert ORDER in edited["text"]
        shop.git(folder, "checkout", "--quiet", ".")
        (content,) = client.call("repo.status", {})["content"]
        status = content["text"]
    assert f"{folder.resolve()} on main, clean" in status
    assert "workspace mine  revision 0" in status
    assert "edited file" in status
    assert "workspace working-tree" not in status


def test_whatever_is_edited_next_is_seen(live: RawClient, folder: Path, home: dict[str, str]) -> None:
    """After the first refresh, those files alone are taken up that look otherwise, as long as nothing else has changed."""
    (folder / ".gitignore").write_text("*.cache.cs\n", encoding="utf-8")
    shop.commit(folder, "Ignore")
    done(live, "index.ensure_baseline")
    add_member(folder, "First")
    assert found(live, "First") == [ORDER]
    edit(folder, ORDER, "First", "Second")
    assert (found(live, "First"), found(live, "Second")) == ([], [ORDER])
    aside = folder / "src/Shop/Order.new"  # as editors save
    aside.write_text((folder / ORDER).read_text(encoding="utf-8").replace("Second", "Third"), encoding="utf-8")
    aside.replace(folder / ORDER)
    assert found(live, "Third") == [ORDER]
    (folder / "src/Shop/New.cache.cs").write_text("class Cached { }\n", encoding="utf-8")
    edit(folder, ORDER, "Third", "Fourth")
    assert (found(live, "Fourth"), found(live, "Cached")) == ([ORDER], [])
    (folder / ".gitignore").write_text("", encoding="utf-8")
    assert found(live, "Cached") == ["src/Shop/New.cache.cs"]
    with RawClient(home, "live=True", str(folder)) as other:
        other.initialize()
        edit(folder, ORDER, "Fourth", "Fifth")
        edit(folder, "src/Shop/New.cache.cs", "Cached", "Kept")
        assert (found(other, "Fifth"), found(other, "Kept")) == ([ORDER], ["src/Shop/New.cache.cs"])
        edit(folder, ORDER, "Fifth", "Sixth")
        assert (found(live, "Sixth"), found(live, "Kept")) == ([ORDER], ["src/Shop/New.cache.cs"])
    (folder / "src/Shop/Long.cs").unlink()
    edit(folder, ORDER, "Sixth", "Seventh")
    assert (found(live, "Seventh"), found(live, "Long")) == ([ORDER], [])


def test_files_are_seen_in_a_folder_that_was_empty(live: RawClient, folder: Path) -> None:
    done(live, "index.ensure_baseline")
    (folder / "src/New/Deep").mkdir(parents=True)
    assert found(live, "Fresh") == []
    (folder / "src/New/Deep/Fresh.cs").write_text("class Fresh { }\n", encoding="utf-8")
    assert found(live, "Fresh") == ["src/New/Deep/Fresh.cs"]
    shutil.rmtree(folder / "src/New")
    assert found(live, "Fresh") == []


def test_the_commit_can_still_be_asked_about(live: RawClient, folder: Path) -> None:
    done(live, "index.ensure_baseline")
    add_member(folder, "Edited")
    assert found(live, "Edited") == [ORDER]
    assert found(live, "Edited", consistency="committed") == []
    assert found(live, "Edited", commit_sha="HEAD") == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_the_first_edit_is_prepared_for(live: RawClient, folder: Path) -> None:
    done(live, "index.ensure_baseline")
    done(live, "symbols.search", query="Order")
    until = time.monotonic() + PATIENCE
    while not (index_processes(live) and done(live, "workspace.list")["data"]["workspaces"]):
        assert time.monotonic() < until, live.log
        time.sleep(0.05)


def test_a_branch_is_switched_in_one_batch(live: RawClient, folder: Path) -> None:
    shop.git(folder, "checkout", "--quiet", "-b", "other")
    for number in range(30):
        path = folder / f"src/Shop/Other{number}.cs"
        path.write_text(f"class Other{number} {{ }}\n", encoding="utf-8")
    (folder / "src/Shop/Long.cs").unlink()
    shop.commit(folder, "Another branch")
    shop.git(folder, "checkout", "--quiet", "main")
    done(live, "index.ensure_baseline")
    assert found(live, "Long") == ["src/Shop/Long.cs"]
    shop.git(folder, "checkout", "--quiet", "other")
    assert found(live, "Other17") == ["src/Shop/Other17.cs"]
    assert found(live, "Long") == []
    (state,) = done(live, "workspace.list")["data"]["workspaces"]
    assert (state["overlay_revision"], state["modified_file_count"]) == (1, 31)
    done(live, "index.ensure_baseline")
    edit(folder, "src/Shop/Other3.cs", "Other3", "Changed")
    assert found(live, "Changed") == ["src/Shop/Other3.cs"]
    (state,) = done(live, "workspace.list")["data"]["workspaces"]
    assert state["modified_file_count"] == 1
    assert not state.get("is_stale")


def test_many_edits_are_taken_back_at_once(live: RawClient, folder: Path) -> None:
    """The index of the commit answers at once, and the workspace follows."""
    paths = [f"src/Shop/Other{number}.cs" for number in range(20)]
    for number, path in enumerate(paths):
        (folder / path).write_text(f"class Other{number} {{ }}\n", encoding="utf-8")
    shop.commit(folder, "More files")
    done(live, "index.ensure_baseline")
    for number, path in enumerate(paths):
        edit(folder, path, f"Other{number} ", f"Changed{number} ")
    assert found(live, "Changed17") == [paths[17]]
    shop.git(folder, "checkout", "--quiet", "--", *paths[1:])
    assert (found(live, "Changed17"), found(live, "Changed0")) == ([], [paths[0]])
    for number, path in enumerate(paths[1:], 1):
        edit(folder, path, f"Other{number} ", f"Again{number} ")
    assert found(live, "Again3") == [paths[3]]
    shop.git(folder, "checkout", "--quiet", ".")
    back = done(live, "symbols.search", query="Other3")
    assert [hit["file_path"] for hit in back["data"]["hits"]] == [paths[3]]
    assert "workspace_id" not in back["meta"]
    edit(folder, paths[5], "Other5", "Last")
    assert (found(live, "Last"), found(live, "Other3"), found(live, "Again4")) == ([paths[5]], [paths[3]], [])
    (state,) = done(live, "workspace.list")["data"]["workspaces"]
    assert state["modified_file_count"] == 1
    shop.git(folder, "checkout", "--quiet", ".")
    assert (found(live, "Last"), found(live, "Other5")) == ([], [paths[5]])


def test_ignored_files_are_not_seen(live: RawClient, folder: Path) -> None:
    (folder / ".gitignore").write_text("obj/\n", encoding="utf-8")
    shop.commit(folder, "Ignore")
    done(live, "index.ensure_baseline")
    (folder / "src/Shop/obj").mkdir()
    (folder / "src/Shop/obj/Made.cs").write_text("class Made { }\n", encoding="utf-8")
    assert found(live, "Made") == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_what_is_lost_is_made_again(live: RawClient, folder: Path) -> None:
    done(live, "index.ensure_baseline")
    add_member(folder, "Edited")
    assert found(live, "Edited") == [ORDER]
    (state,) = done(live, "workspace.list")["data"]["workspaces"]
    assert done(live, "workspace.delete", workspace_id=state["workspace_id"])["data"]["deleted"]
    assert found(live, "Edited") == [ORDER]
    (process,) = index_processes(live)
    os.kill(process, signal.SIGKILL)
    edit(folder, ORDER, "Edited", "Again")
    assert found(live, "Again") == [ORDER]


def test_two_servers_follow_one_tree_and_one_is_killed(live: RawClient, home: dict[str, str], folder: Path) -> None:
    with RawClient(home, "live=True", str(folder)) as other, ThreadPoolExecutor() as pool:
        other.initialize()
        done(live, "index.ensure_baseline")
        add_member(folder, "First")
        assert list(pool.map(lambda server: found(server, "First"), (live, other))) == [[ORDER], [ORDER]]
        edit(folder, ORDER, "First", "Second")
        assert list(pool.map(lambda server: found(server, "Second"), (live, other))) == [[ORDER], [ORDER]]
        (process,) = index_processes(other)
        assert [process] != index_processes(live)
        edit(folder, ORDER, "Second", "Third")
        os.kill(other.server_id, signal.SIGKILL)
        assert found(live, "Third") == [ORDER]
        until = time.monotonic() + PATIENCE
        while Path(f"/proc/{process}").exists():
            assert time.monotonic() < until, "its index process goes on without it"
            time.sleep(0.05)


def test_a_server_that_may_not_write_follows_nothing(home: dict[str, str], folder: Path) -> None:
    with RawClient(home, "live=True, read_only=True", str(folder)) as client:
        assert client.wait() != 0
        client.join_log()
        assert "--live" in client.log


@pytest.mark.skipif(sys.platform != "linux", reason="looks open files up in /proc")
def test_states_that_are_gone_are_closed(live: RawClient, folder: Path) -> None:
    def still_open() -> list[str]:
        opened = [str(each.readlink()) for each in Path(f"/proc/{live.server_id}/fd").iterdir()]
        return [each for each in opened if each.endswith(("(deleted)", ".db"))]

    done(live, "index.ensure_baseline")
    add_member(folder, "Edited0")
    held = []
    for number in range(8):
        edit(folder, ORDER, f"Edited{number}", f"Edited{number + 1}")
        done(live, "graph.trace_feature", entry_point="Order.Submit(int)")
        if number % 4 == 3:
            shop.commit(folder, "Change")
            done(live, "index.ensure_baseline")
        held.append(len(still_open()))
    assert max(held[4:]) <= max(held[:4]) + 1, held
