"""``serve --live`` where edits cannot be taken up, or not soon: every question is answered, and says of which state it speaks."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server import shop
from tests.server.asking import done, found, index_processes
from tests.server.conftest import lay_out
from tests.server.raw_client import RawClient
from tests.server.shop import ORDER, add_member

MANY = 2_000
ENDINGS = {
    "EndProcess": "it ended its process",
    "EndNever": "it did not end within 2 seconds",
    "EndMemory": "MemoryError",
}
PATIENCE = 300.0
"""Seconds that a busy machine may take."""


def pending(answer: dict[str, Any]) -> str:
    """What an answer says of edits that it does not show."""
    return " ".join(note["text"] for note in answer["meta"].get("notes", ()) if note["kind"] == "pending")


def names(answer: dict[str, Any]) -> set[str]:
    return {hit["fully_qualified_name"].rpartition(".")[2] for hit in answer["data"]["hits"]}


def index_head(home: dict[str, str], folder: Path) -> None:
    with RawClient(home, cwd=str(folder)) as client:
        client.initialize()
        done(client, "index.ensure_baseline")


def test_many_files_are_taken_up_in_one_batch(home: dict[str, str], folder: Path) -> None:
    shop.git(folder, "checkout", "--quiet", "-b", "other")
    for number in range(MANY):
        path = folder / f"src/Shop/Many/Other{number}.cs"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"class Other{number} {{ }}\n", encoding="utf-8")
    (folder / "src/Shop/Long.cs").unlink()
    shop.commit(folder, "Another branch")
    shop.git(folder, "checkout", "--quiet", "main")
    index_head(home, folder)
    with RawClient(home, "live=True", str(folder)) as live:
        live.initialize()
        assert names(done(live, "symbols.search", query="Long", kinds=["class"])) == {"Long"}
        shop.git(folder, "checkout", "--quiet", "other")
        until = time.monotonic() + PATIENCE
        while True:
            answer = done(live, "symbols.search", query="Other1999")
            gone = done(live, "symbols.search", query="Long", kinds=["class"])
            if not pending(answer):
                break
            assert (names(answer), names(gone)) in ((set(), {"Long"}), (set(), set()))
            assert "goes on" in pending(answer)
            assert time.monotonic() < until, live.log
        assert (names(answer), names(gone)) == ({"Other1999"}, set())
        assert answer["meta"]["overlay_revision"] == 1
        (state,) = done(live, "workspace.list")["data"]["workspaces"]
        assert (state["overlay_revision"], state["modified_file_count"]) == (1, MANY + 1)


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_a_server_that_is_closed_while_it_takes_up_edits_warns_of_nothing(home: dict[str, str], folder: Path) -> None:
    index_head(home, folder)
    with RawClient(home, "live=True", str(folder)) as live:
        live.initialize()
        add_member(folder, "Before")
        assert found(live, "Before")
        (process,) = index_processes(live)
        os.kill(process, signal.SIGSTOP)
        (folder / "src/Shop/Edited.cs").write_text("class Edited { }\n", encoding="utf-8")
        live.request("tools/call", {"name": "symbols.search", "arguments": {"query": "Edited"}})
        live.close_input()
        assert live.wait() == 0
        assert not live.has_logged("taken up")


def test_without_a_place_for_a_workspace_the_commit_answers(home: dict[str, str], folder: Path) -> None:
    index_head(home, folder)
    overlays = Path(home["CODEMAP_HOME"]) / "overlays"
    overlays.write_text("in the way", encoding="utf-8")
    with RawClient(home, "live=True", str(folder)) as live:
        live.initialize()
        add_member(folder, "Edited")
        for _ in range(2):
            answer = done(live, "symbols.search", query="Order")
            assert "Order" in names(answer)
            assert str(overlays) in pending(answer)
        overlays.unlink()
        shop.edit(folder, ORDER, "Edited", "Again")
        assert found(live, "Again") == [ORDER]


def test_plug_ins_that_end_hang_and_fill_the_index_process(home: dict[str, str], folder: Path, tmp_path: Path) -> None:
    """Each refresh answers with every other row, and the log names who failed; the process stays the same."""
    site = tmp_path / "ending"
    site.mkdir()
    lay_out(site, "ending_plugin.py", "codemap_ending")
    environment = {**home, "PYTHONPATH": os.pathsep.join((str(site), home["PYTHONPATH"]))}
    data = Path(home["CODEMAP_HOME"])
    data.mkdir(parents=True)
    (data / "config.json").write_text('{"extractor_seconds": 2}', encoding="utf-8")
    index_head(environment, folder)
    with RawClient(environment, "live=True", str(folder)) as live:
        live.initialize()
        add_member(folder, "First")
        assert found(live, "First") == [ORDER]
        (process,) = index_processes(live)
        before = "First"
        for word, said in ENDINGS.items():
            shop.edit(folder, ORDER, before, word)
            assert (found(live, word), found(live, before)) == ([ORDER], [])
            assert live.has_logged(f"warning: ending (codemap-ending 2.0) failed for {ORDER}: {said}")
            before = word
        assert index_processes(live) == [process]
        (folder / "end.process").write_text("now", encoding="utf-8")
        shop.edit(folder, ORDER, before, "Second")
        assert (found(live, "Second"), found(live, before)) == ([ORDER], [])
        assert index_processes(live) == [process]
        assert "Order" in json.dumps(done(live, "graph.callers", symbol="Order.Second")["data"])


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_tree_that_is_edited_before_the_server_starts(home: dict[str, str], folder: Path, is_indexed: bool) -> None:
    """``is_indexed``: HEAD is; else only a commit before it."""
    index_head(home, folder)
    if not is_indexed:
        add_member(folder, "Committed")
        shop.commit(folder, "Second")
    (folder / "src/Shop/New.cs").write_text("class Fresh { }\n", encoding="utf-8")
    with RawClient(home, "live=True", str(folder)) as live:
        live.initialize()
        assert found(live, "Fresh") == ["src/Shop/New.cs"]
        assert found(live, "Committed") == ([] if is_indexed else [ORDER])
