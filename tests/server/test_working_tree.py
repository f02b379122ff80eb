"""How long questions about a working tree wait for edits that take long to take up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.errors import CancelledError
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.pipeline.refresh import Refreshed
from codemap_core.repository import Repository
from codemap_server import working_tree
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess, ReadyRequest, Request
from codemap_server.open_indexes import OpenIndexes
from codemap_server.working_tree import WorkingTree
from tests.clone import Clone


class Busy(IndexProcess):
    """An index process that takes edits up when ``done`` says so, and then fails."""

    def __init__(self) -> None:
        super().__init__()
        self.done = threading.Event()

    def refresh(self, request: Request, control: CallControl) -> Refreshed:
        self.done.wait()
        raise CancelledError("The server is ending.")

    def make_ready(self, request: ReadyRequest, control: CallControl, hurried: threading.Event) -> None:
        return


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    clone = Clone(tmp_path / "tree")
    clone.commit({"a.cs": "class A { }"})
    return clone


@pytest.fixture
def followed(clone: Clone, tmp_path: Path) -> Iterator[WorkingTree]:
    host, settings, process = load_plugins(), Settings(data_directory=tmp_path / "home"), Busy()
    repository = Repository.open(clone.root)
    ensure_baseline(repository, host, settings)
    tree = WorkingTree(settings, repository, OpenIndexes(settings, host), process)
    yield tree
    process.done.set()
    tree.close()


def test_who_asks_again_while_edits_are_taken_up_hardly_waits(
    clone: Clone, followed: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working_tree, "PATIENCE", 2.0)
    monkeypatch.setattr(working_tree, "_AFTERWARDS", 0.0)

    def times_told() -> int:
        """How often a question is told that edits are taken up while it waits for them."""
        told: list[str] = []
        control = replace(CallControl(), progress=lambda stage, _done, _total: told.append(stage))
        (note,) = followed.snapshot(control).notes
        assert "goes on" in note.text
        return len(told)

    assert followed.snapshot(CallControl()).notes == ()
    (clone.root / "b.cs").write_text("class B { }", encoding="utf-8")
    assert times_told() > 2
    assert times_told() == 1
