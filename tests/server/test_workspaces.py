"""Workspaces through a server: an agent's edits are seen by its questions and by nobody else's, and nothing that goes wrong loses them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.workspace_file import open_workspace
from tests.server import shop
from tests.server.asking import done, found, index_processes, refused
from tests.server.raw_client import RawClient
from tests.server.shop import ORDER, add_member, edit

KINDS = ("symbols", "refs", "relations", "facts", "files", "projects")


@pytest.fixture
def server(folder: Path, home: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(home, cwd=str(folder)) as client:
        client.initialize()
        done(client, "index.ensure_baseline")
        yield client


def dump(environment: dict[str, str], folder: Path, *options: str) -> dict[str, str]:
    run = "import sys; from codemap_server.cli import main; sys.exit(main())"
    return {
        kind: subprocess.run(
            [sys.executable, "-c", run, "dump", kind, str(folder), *options],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for kind in KINDS
    }


def stored(environment: dict[str, str], workspace_id: str) -> dict[str, list[bytes]]:
    """The rows in the file of a workspace."""
    (path,) = Path(environment["CODEMAP_HOME"]).glob(f"overlays/*/{workspace_id}.db")
    index, _ = open_workspace(path)
    with index:
        return {kind: [msgspec.json.encode(row) for row in DUMPS[kind](index)] for kind in KINDS}


def test_edits_are_seen_once_they_are_taken_up(server: RawClient, folder: Path) -> None:
    made = done(server, "workspace.create", workspace_id="one")["data"]
    assert (made["current_revision"], made["baseline_commit_sha"]) == (0, shop.git(folder, "rev-parse", "HEAD").strip())
    add_member(folder, "Brandnew")
    assert found(server, "Brandnew", workspace_id="one") == []
    refreshed = done(server, "index.refresh_overlay", workspace_id="one")["data"]
    assert (refreshed["files_reindexed"], refreshed["new_overlay_revision"]) == (1, 1)
    assert refreshed["changed_files"] == [ORDER]
    assert found(server, "Brandnew", workspace_id="one") == [ORDER]
    assert found(server, "Brandnew") == []
    callers = done(server, "graph.callers", symbol="Order.Brandnew", workspace_id="one")
    assert "Submit(System.String)" in json.dumps(callers["data"])
    assert callers["meta"]["workspace_id"] == "one"
    assert callers["meta"]["overlay_revision"] == 1
    text = done(server, "code.search_text", pattern="Brandnew", workspace_id="one")["data"]
    assert [match["line"] for match in text["matches"]] == [17, 18]
    explained = done(server, "code.explain", file_path=ORDER, line=17, symbol="Brandnew", workspace_id="one")["data"]
    assert "M:Shop.Ordering.Order.Brandnew(System.Int32)" in json.dumps(explained)
    again = done(server, "index.refresh_overlay", workspace_id="one")["data"]
    assert (again["files_reindexed"], again["new_overlay_revision"]) == (0, 1)


def test_tools_that_change_a_workspace_say_what_it_shows(server: RawClient, folder: Path) -> None:
    """In ``meta``, as the tools that ask it do (contract 8); a revision of 0 is left out."""
    head = shop.git(folder, "rev-parse", "HEAD").strip()

    def said(tool: str) -> tuple[object, ...]:
        meta = done(server, tool, workspace_id="one")["meta"]
        names = ("baseline_commit_sha", "workspace_id", "overlay_revision", "semantic_level")
        return tuple(meta.get(name) for name in names)

    assert said("workspace.create") == (head, "one", None, "full")
    add_member(folder, "Brandnew")
    assert said("index.refresh_overlay") == (head, "one", 1, "full")
    rebased = said("workspace.rebase")
    (listed,) = done(server, "workspace.list")["data"]["workspaces"]
    assert rebased == (head, "one", listed["overlay_revision"], "full")
    assert said("workspace.reset") == (head, "one", None, "full")


def test_a_workspace_dumps_what_its_state_indexed_afresh_does(
    server: RawClient, folder: Path, home: dict[str, str]
) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Staged")
    shop.git(folder, "add", ".")
    (folder / "src/Shop/Added.cs").write_text(
        "namespace Shop;\nclass Added : Ordering.IOrderService { }\n", encoding="utf-8"
    )
    (folder / "src/Shop/Long.cs").unlink()
    (folder / "src/Shop/Order.Lines.cs").rename(folder / "src/Shop/Moved.cs")
    done(server, "index.refresh_overlay", workspace_id="one")
    edit(folder, "src/Shop/Added.cs", "class Added", "public sealed class Added")
    edit(folder, "src/Shop/Shop.csproj", "net9.0<", "net8.0<")
    done(server, "index.refresh_overlay", workspace_id="one", file_paths=["src/Shop/Added.cs", "src/Shop/Shop.csproj"])
    in_workspace = dump(home, folder, "--workspace", "one")
    shop.commit(folder, "All of it")
    done(server, "index.ensure_baseline")
    assert in_workspace == dump(home, folder)
    assert "Staged" in in_workspace["symbols"]
    assert "Moved.cs" in in_workspace["files"]
    assert "Long.cs" not in in_workspace["files"]


def test_the_solution_of_a_workspace_is_one_of_the_commit(server: RawClient, folder: Path) -> None:
    solution = folder / "Shop.slnx"
    solution.write_text('<Solution><Project Path="src/Shop/Shop.csproj" /></Solution>\n', encoding="utf-8")
    shop.commit(folder, "A solution")
    done(server, "index.ensure_baseline")
    for number, path in enumerate(("Shop.slnx", "./Shop.slnx", str(solution))):
        done(server, "workspace.create", workspace_id=f"of {number}", solution_path=path)
    for path in ("Shopp.slnx", "src/Shop/Shop.csproj"):
        error = refused(server, "workspace.create", workspace_id="none", solution_path=path)
        assert error["code"] == "INVALID_ARGUMENT"
        assert error["details"]["solutions"] == ["Shop.slnx"]
    outside = refused(server, "workspace.create", workspace_id="none", solution_path="../Shop.slnx")
    assert outside["code"] == "INVALID_ARGUMENT"
    listed = done(server, "workspace.list")["data"]["workspaces"]
    assert [each["workspace_id"] for each in listed] == ["of 0", "of 1", "of 2"]


def test_a_workspace_shows_the_solution_that_was_named(server: RawClient, folder: Path) -> None:
    for name in ("A", "B"):
        (folder / f"{name}.slnx").write_text(
            '<Solution><Project Path="src/Shop/Shop.csproj" /></Solution>\n', encoding="utf-8"
        )
    shop.commit(folder, "Two solutions")
    done(server, "index.ensure_baseline", solution_path="A.slnx")
    error = refused(server, "workspace.create", workspace_id="one", solution_path="B.slnx")
    assert error["code"] == "INDEX_NOT_AVAILABLE"
    assert error["details"]["solution_path"] == "B.slnx"
    done(server, "workspace.create", workspace_id="one", solution_path=str(folder / "A.slnx"))


def test_listed_files_alone_are_taken_up(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Wanted")
    (folder / "src/Shop/Other.cs").write_text("class Unwanted { }\n", encoding="utf-8")
    done(server, "index.refresh_overlay", workspace_id="one", file_paths=[str(folder / ORDER)])
    assert found(server, "Wanted", workspace_id="one") == [ORDER]
    assert found(server, "Unwanted", workspace_id="one") == []
    missing = refused(server, "index.refresh_overlay", workspace_id="one", file_paths=["src/Nowhere.cs"])
    assert missing["code"] == "NOT_FOUND"
    assert "src/Nowhere.cs" in missing["message"]
    (folder / ORDER).unlink()
    done(server, "index.refresh_overlay", workspace_id="one", file_paths=[ORDER])
    assert found(server, "Wanted", workspace_id="one") == []


def test_two_agents_and_one_that_asks_about_the_commit(server: RawClient, folder: Path, home: dict[str, str]) -> None:
    with RawClient(home, cwd=str(folder)) as other:
        other.initialize()
        done(server, "workspace.create", workspace_id="one")
        done(other, "workspace.create", workspace_id="two")
        add_member(folder, "OfOne")
        done(server, "index.refresh_overlay", workspace_id="one")
        edit(folder, ORDER, "OfOne", "OfTwo")
        done(other, "index.refresh_overlay", workspace_id="two")
        for client in (server, other):
            assert found(client, "OfOne", workspace_id="one") == [ORDER]
            assert found(client, "OfTwo", workspace_id="one") == []
            assert found(client, "OfTwo", workspace_id="two") == [ORDER]
            assert found(client, "OfOne", workspace_id="two") == []
            assert found(client, "OfOne") == found(client, "OfTwo") == []
            committed = done(client, "symbols.search", query="OfOne", workspace_id="one", consistency="committed")
            assert committed["data"]["hits"] == []
            assert "workspace_id" not in committed["meta"]
        # What one has taken up stays, although the file has changed since, when it takes up another file.
        (folder / "src/Shop/Other.cs").write_text("class Late { }\n", encoding="utf-8")
        done(server, "index.refresh_overlay", workspace_id="one", file_paths=["src/Shop/Other.cs"])
        assert found(server, "OfOne", workspace_id="one") == [ORDER]
        assert found(server, "Late", workspace_id="one") == ["src/Shop/Other.cs"]


def test_workspaces_outlive_the_server(server: RawClient, folder: Path, home: dict[str, str]) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Kept")
    done(server, "index.refresh_overlay", workspace_id="one")
    server.close_input()
    server.wait()
    with RawClient(home, cwd=str(folder)) as client:
        client.initialize()
        (listed,) = done(client, "workspace.list")["data"]["workspaces"]
        assert (listed["workspace_id"], listed["overlay_revision"], listed["modified_file_count"]) == ("one", 1, 1)
        assert found(client, "Kept", workspace_id="one") == [ORDER]


def test_a_moved_head_is_said_and_a_rebase_keeps_the_edits(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Kept")
    done(server, "index.refresh_overlay", workspace_id="one")
    shop.git(folder, "stash")
    (folder / "src/Shop/Meanwhile.cs").write_text("class Meanwhile { }\n", encoding="utf-8")
    shop.commit(folder, "Meanwhile")
    shop.git(folder, "stash", "pop")
    stale = done(server, "symbols.search", query="Kept", workspace_id="one")
    assert "workspace.rebase" in json.dumps(stale["meta"]["notes"])
    assert done(server, "workspace.list")["data"]["workspaces"][0]["is_stale"]
    assert refused(server, "workspace.rebase", workspace_id="one")["code"] == "INDEX_NOT_AVAILABLE"
    assert found(server, "Kept", workspace_id="one") == [ORDER]
    done(server, "index.ensure_baseline")
    moved = done(server, "workspace.rebase", workspace_id="one")["data"]
    assert moved["modified_file_count"] == 1
    assert found(server, "Kept", workspace_id="one") == [ORDER]
    assert found(server, "Meanwhile", workspace_id="one") == ["src/Shop/Meanwhile.cs"]
    assert "notes" not in done(server, "symbols.search", query="Kept", workspace_id="one")["meta"]


def test_a_rewritten_head_is_said_and_loses_nothing(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Kept")
    done(server, "index.refresh_overlay", workspace_id="one")
    shop.git(folder, "commit", "--amend", "--quiet", "-m", "Rewritten")
    shop.git(folder, "reflog", "expire", "--expire=now", "--all")
    shop.git(folder, "gc", "--quiet", "--prune=now")
    answer = done(server, "symbols.search", query="Kept", workspace_id="one")
    assert [hit["file_path"] for hit in answer["data"]["hits"]] == [ORDER]
    assert "workspace.rebase" in json.dumps(answer["meta"]["notes"])
    edit(folder, ORDER, "Kept", "Newer")
    gone = refused(server, "index.refresh_overlay", workspace_id="one")
    assert "workspace.rebase" in gone["message"]
    done(server, "index.ensure_baseline")
    done(server, "workspace.rebase", workspace_id="one")
    assert found(server, "Newer", workspace_id="one") == [ORDER]


def test_a_workspace_that_is_deleted_while_it_is_asked(server: RawClient, folder: Path, home: dict[str, str]) -> None:
    done(server, "workspace.create", workspace_id="one")
    done(server, "workspace.create", workspace_id="two")
    assert found(server, "Order", workspace_id="one")
    with RawClient(home, cwd=str(folder)) as other:
        other.initialize()
        assert done(other, "workspace.delete", workspace_id="one")["data"]["deleted"]
        assert not done(other, "workspace.delete", workspace_id="one")["data"]["deleted"]
    for tool, arguments in (
        ("symbols.search", {"query": "Order"}),
        ("index.refresh_overlay", {}),
        ("workspace.reset", {}),
    ):
        error = refused(server, tool, workspace_id="one", **arguments)
        assert error["code"] == "NOT_FOUND"
        assert "There is two." in error["message"]
        assert "workspace.create" in error["message"]


def test_a_reset_forgets_the_edits(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Forgotten")
    done(server, "index.refresh_overlay", workspace_id="one")
    reset = done(server, "workspace.reset", workspace_id="one")["data"]
    assert (reset["previous_revision"], reset["new_revision"]) == (1, 0)
    assert found(server, "Forgotten", workspace_id="one") == []
    assert found(server, "Order", workspace_id="one")
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "Forgotten", workspace_id="one") == [ORDER]


def test_modes_that_lack_a_workspace_say_so(server: RawClient) -> None:
    for arguments in ({"consistency": "workspace"}, {"consistency": "ephemeral"}):
        error = refused(server, "symbols.search", query="Order", **arguments)
        assert error["code"] == "WORKSPACE_REQUIRED"
        assert "workspace.create" in error["message"]
    unknown = refused(server, "symbols.search", query="Order", consistency="eventual")
    assert unknown["code"] == "INVALID_ARGUMENT"
    assert "ephemeral" in unknown["message"]
    assert refused(server, "workspace.create", workspace_id="../elsewhere")["code"] == "INVALID_ARGUMENT"
    assert refused(server, "workspace.create")["code"] == "INVALID_ARGUMENT"


def test_another_working_tree_of_the_clone_needs_a_workspace_of_its_own(
    server: RawClient, folder: Path, tmp_path: Path
) -> None:
    done(server, "workspace.create", workspace_id="one")
    shop.git(folder, "worktree", "add", "--quiet", "-b", "beside", str(tmp_path / "beside"))
    other = {"repo_path": str(tmp_path / "beside")}
    error = refused(server, "index.refresh_overlay", workspace_id="one", **other)
    assert error["code"] == "INVALID_ARGUMENT"
    assert str(folder) in error["message"]
    done(server, "workspace.create", workspace_id="two", **other)
    add_member(tmp_path / "beside", "Beside")
    done(server, "index.refresh_overlay", workspace_id="two", **other)
    assert found(server, "Beside", workspace_id="two", **other) == [ORDER]
    assert found(server, "Beside", workspace_id="one") == []


def test_unsaved_files_are_seen_by_one_question_and_gone_after_it(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Saved")
    done(server, "index.refresh_overlay", workspace_id="one")
    text = (folder / ORDER).read_text(encoding="utf-8").replace("Saved", "Unsaved")
    unsaved = [
        {"file_path": ORDER, "content": text},
        {"file_path": "src/Shop/New.cs", "content": "class Fresh { int M(Shop.Ordering.Order o) => o.Unsaved(2); }\n"},
    ]
    asked = {"workspace_id": "one", "virtual_files": unsaved}
    assert found(server, "Unsaved", **asked, consistency="ephemeral") == [ORDER]
    assert found(server, "Saved", **asked) == []
    callers = done(server, "graph.callers", symbol="Order.Unsaved", **asked)
    assert "Fresh.M" in json.dumps(callers["data"])
    assert "notes" not in callers["meta"]
    explained = done(server, "code.explain", file_path="src/Shop/New.cs", line=1, symbol="Unsaved", **asked)
    assert "M:Shop.Ordering.Order.Unsaved(System.Int32)" in json.dumps(explained["data"])
    matches = done(server, "code.search_text", pattern="Unsaved", **asked)["data"]
    assert [each["file_path"] for each in matches["matches"]] == ["src/Shop/New.cs", ORDER, ORDER]
    span = done(server, "symbols.get_definition_span", symbol="Fresh", **asked)["data"]
    assert "o.Unsaved(2)" in json.dumps(span)
    assert found(server, "Saved", workspace_id="one") == [ORDER]
    assert found(server, "Unsaved", workspace_id="one") == found(server, "Fresh", workspace_id="one") == []
    edit(folder, ORDER, "Saved", "Later")
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "Later", workspace_id="one") == [ORDER]
    alone = refused(server, "symbols.search", query="Order", virtual_files=unsaved)
    assert alone["code"] == "WORKSPACE_REQUIRED"
    mixed = refused(server, "symbols.search", query="Order", consistency="workspace", **asked)
    assert mixed["code"] == "INVALID_ARGUMENT"


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_refresh_that_is_killed_leaves_what_was_there(server: RawClient, folder: Path, home: dict[str, str]) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Before")
    done(server, "index.refresh_overlay", workspace_id="one")
    before = stored(home, "one")
    edit(folder, ORDER, "Before", "After")
    request = json.dumps({"type": "refresh", "root": str(folder), "workspace_id": "one"}).encode() + b"\n"
    for delay in (0.05, 0.4, 0.8, 1.2):
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "codemap_server.index_process"],
            env=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert child.stdin is not None
        child.stdin.write(request)
        child.stdin.flush()
        time.sleep(delay)
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        if found(server, "After", workspace_id="one"):
            break
        assert stored(home, "one") == before
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "After", workspace_id="one") == [ORDER]
    assert found(server, "Before", workspace_id="one") == []


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_a_full_disk_leaves_what_was_there(
    server: RawClient, folder: Path, home: dict[str, str], tmp_path: Path
) -> None:
    done(server, "workspace.create", workspace_id="one")
    words = "".join(f"    public int Fresh{n}() => {n};\n" for n in range(4000))
    (folder / "src/Shop/Large.cs").write_text(f"class Large\n{{\n{words}}}\n", encoding="utf-8")
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)); "
        "from codemap_server.index_process import main; sys.exit(main())"
    )
    request = json.dumps({"type": "refresh", "root": str(folder), "workspace_id": "one"}).encode() + b"\n"
    child = subprocess.Popen(
        [sys.executable, "-c", limited], env=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(request)
    child.stdin.flush()
    lines = (json.loads(line) for line in child.stdout)
    error = next(line["error"] for line in lines if "progress" not in line)
    _, log = child.communicate()
    assert error["code"] in ("STORAGE_FAILED", "CANCELLED"), log
    assert found(server, "Fresh1", workspace_id="one") == []
    assert found(server, "Order", workspace_id="one")
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "Fresh1", workspace_id="one") == ["src/Shop/Large.cs"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_a_question_on_a_full_disk_does_not_speak_of_writing(
    server: RawClient, folder: Path, home: dict[str, str]
) -> None:
    """Even who reads a workspace needs a small file beside it, where nobody else has it open."""
    done(server, "workspace.create", workspace_id="one")
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
        "from codemap_server.cli import main; sys.argv[0] = 'codemap'; sys.exit(main())"
    )
    question = ("call", "symbols.search", "query=Order", "workspace_id=one", "--repo", str(folder))
    asked = subprocess.run(
        [sys.executable, "-c", limited, *question], env=home, capture_output=True, text=True, check=False, timeout=100
    )
    said = asked.stdout + asked.stderr
    assert "STORAGE_FAILED" in said
    assert "could not be read" in said
    assert "written" not in said
    assert found(server, "Order", workspace_id="one")


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_the_index_process_is_kept_and_may_be_killed_at_any_time(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    assert index_processes(server) == []
    add_member(folder, "First")
    done(server, "index.refresh_overlay", workspace_id="one")
    (process,) = index_processes(server)
    edit(folder, ORDER, "First", "Second")
    done(server, "index.refresh_overlay", workspace_id="one")
    assert index_processes(server) == [process]
    os.kill(process, signal.SIGKILL)
    edit(folder, ORDER, "Second", "Third")
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "Third", workspace_id="one") == [ORDER]
    (another,) = index_processes(server)
    assert another != process
    server.close_input()
    server.wait()
    assert not Path(f"/proc/{another}").exists()


def test_a_workspace_leaves_nothing_behind_when_it_goes(
    server: RawClient, folder: Path, home: dict[str, str], start: Callable[..., RawClient]
) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Gone")
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "Gone", workspace_id="one")
    done(server, "workspace.delete", workspace_id="one")
    left = [path for path in (Path(home["CODEMAP_HOME"]) / "overlays").rglob("*") if path.is_file()]
    assert left == []
    shutil.rmtree(folder / "src")
