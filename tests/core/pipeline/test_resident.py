"""What a process keeps from one refresh to the next does not show: after any sequence of edits, the workspace has the rows of a cold index
of its files, and what is known of it in memory is what its file says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline import ensure_baseline, resident
from codemap_core.pipeline.refresh import Refresher
from codemap_core.pipeline.resident import Resident
from codemap_core.pipeline.reuse import Standing, read_previous
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import Repository
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.workspace_file import open_workspace
from tests.clone import Clone
from tests.core.pipeline.edit_law import differences_between
from tests.core.pipeline.edits import PROJECT_EDITS, SOURCE_EDITS, Editor
from tests.core.pipeline.test_edit_law import FILES


class Desk:
    """A working tree that is edited, its workspaces, and the process that keeps them up to date."""

    def __init__(self, root: Path, host: PluginHost, files: Mapping[str, str] = FILES) -> None:
        self._host: Final = host
        self._tree: Final = Clone(root / "tree")
        self._cold: Final = Clone(root / "cold")
        self.settings: Final = Settings(data_directory=root / "data")
        self._on_disk: dict[str, str] = {}
        self._committed: dict[str, str] = {}
        self.resident = Resident()
        self._tree.commit(files)
        self._on_disk = dict(files)
        self.repository: Final = Repository.open(self._tree.root)
        ensure_baseline(self.repository, host, self.settings)
        self.workspaces: Final = Workspaces(self.settings, self.repository)

    def create(self, workspace_id: str) -> None:
        self.workspaces.create(workspace_id, self.repository.head_commit(), wait=lambda _: None)

    def refresher(self) -> Refresher:
        return Refresher(self.repository, self._host, self.settings, jobs=1, resident=self.resident)

    def write(self, files: Mapping[str, str]) -> None:
        for path in self._on_disk.keys() - files.keys():
            (self._tree.root / path).unlink()
        for path, text in files.items():
            if self._on_disk.get(path) != text:
                place = self._tree.root / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text.encode())
        self._on_disk = dict(files)

    def wrong(self, workspace_id: str, files: Mapping[str, str]) -> list[str]:
        """In what a workspace differs from a cold index of the files, and what is known of it from what its file says."""
        self._cold.remove(*(path for path in self._committed if path not in files))
        self._cold.commit({path: text for path, text in files.items() if self._committed.get(path) != text})
        self._committed = dict(files)
        made = ensure_baseline(Repository.open(self._cold.root), self._host, self.settings, rebuild=True)
        path = self.workspaces.existing(workspace_id)
        index, state = open_workspace(path)
        with index, IndexReader.open(made.path) as cold:
            found = list(differences_between(index, cold))
            known = self.resident.generation((path, path.stat().st_ino, state.revision))
            if known is not None:
                stored = read_previous(EarlierIndex.read_by(index), known.discovered.discovery)
                for what in stored.__struct_fields__:
                    have, want = getattr(known.previous, what), getattr(stored, what)
                    keys = [key for key in {*have, *want} if have.get(key) != want.get(key)]
                    found += [f"kept {what} of {key}: {have.get(key)} for {want.get(key)}" for key in keys[:3]]
                have_standing, standing = known.standing, Standing.of(known.previous, known.discovered.layout)
                found += [
                    f"kept {what} are others"
                    for what in ("keys", "surfaces", "unsettled", "layout")
                    if getattr(have_standing, what) != getattr(standing, what)
                ]
                for what in ("symbols", "references"):
                    if +Counter(getattr(have_standing, what)) != +Counter(getattr(standing, what)):
                        found.append(f"other numbers of {what} are kept")
        return found


@pytest.mark.parametrize("seed", range(2))
def test_a_long_sequence_of_refreshes(host: PluginHost, tmp_path: Path, seed: int) -> None:
    desk = Desk(tmp_path, host)
    desk.create("one")
    editor = Editor(dict(FILES), random.Random(100 + seed))
    for number in range(10):
        done = [editor.edit(SOURCE_EDITS if number % 5 else PROJECT_EDITS) for _ in range(1 + number % 2)]
        desk.write(editor.files)
        if number % 3 == 1:  # an edit that is not saved moves the table away, and back
            path = editor.source()
            desk.refresher().unsaved(
                "one", {path: editor.files[path] + "\nnamespace Lib { public class Order<T> { } }\n"}
            )
        desk.refresher().refresh("one")
        found = desk.wrong("one", editor.files)
        assert not found, "\n".join((str(number), *done, *found))


def test_two_workspaces_share_a_table(host: PluginHost, tmp_path: Path) -> None:
    desk = Desk(tmp_path, host)
    states: dict[str, Editor] = {}
    for number, name in enumerate(("one", "two")):
        desk.create(name)
        states[name] = Editor(dict(FILES), random.Random(number))
    for _ in range(4):
        for name, editor in states.items():
            done = editor.edit(SOURCE_EDITS)
            desk.write(editor.files)
            desk.refresher().refresh(name)
            found = desk.wrong(name, editor.files)
            assert not found, "\n".join((name, done, *found))


@pytest.mark.parametrize("left", [0, 1])
def test_most_edits_are_taken_back_at_once(host: PluginHost, tmp_path: Path, left: int) -> None:
    desk = Desk(tmp_path, host)
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    many = {f"Lib/Further{number}.cs": f"namespace Lib; class Further{number} {{ }}\n" for number in range(15)}
    desk.write({**FILES, **many})
    assert desk.refresher().refresh("one").symbols_updated == 15
    kept = {path: many[path] for path in sorted(many)[:left]}
    desk.write({**FILES, **kept})
    done = desk.refresher().refresh("one")
    assert (done.files_reindexed, done.symbols_updated) == (15 - left, 15 - left)
    assert not desk.wrong("one", {**FILES, **kept})
    desk.write({**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"})
    assert desk.refresher().refresh("one").files_reindexed == 1 + left
    assert not desk.wrong("one", {**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"})


def test_what_is_made_ready_ends_early_for_who_waits(host: PluginHost, tmp_path: Path) -> None:
    """It leaves out what is of use and not needed: files bound ahead. What the first refresh then gives is the same."""
    asked: dict[str, int] = {}

    def hurried_after(name: str, most: int) -> bool:
        asked[name] = asked.get(name, 0) + 1
        return asked[name] > most

    desk = Desk(tmp_path, host)
    for name, most in (("not waited for", 100), ("waited for", 1)):
        desk.create(name)
        desk.resident = Resident()
        desk.refresher().make_ready(name, partial(hurried_after, name, most))
    assert asked == {"not waited for": 1 + 2, "waited for": 2}, "before anything, and before a file of each project"
    edited = {**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"}
    desk.write(edited)
    desk.refresher().refresh("waited for")
    assert not desk.wrong("waited for", edited)


def test_a_loose_file_becomes_a_project_and_ceases_to_be_one(host: PluginHost, tmp_path: Path) -> None:
    desk = Desk(tmp_path, host)
    desk.create("one")
    loose = "class Loose { public Lib.Order Order; }\n"
    for text in (loose, loose + "\n", "#:project ../Lib\n" + loose, "#:project ../Lib\n\n" + loose, loose):
        files = {**FILES, "Tools/Loose.cs": text}
        desk.write(files)
        desk.refresher().refresh("one")
        assert not desk.wrong("one", files), text


def test_a_file_with_several_parts_of_a_type_is_edited(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = (
        "namespace Lib; public partial class Parts {{ int {} => 1; }}\npublic partial class Parts {{ public int B; }}\n"
    )
    desk = Desk(tmp_path, host, {**FILES, "Lib/Parts.cs": parts.format("A")})
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    monkeypatch.setattr(resident, "declare", None)  # the table that is there is changed
    files = {**FILES, "Lib/Parts.cs": parts.format("Other")}
    desk.write(files)
    assert desk.refresher().refresh("one").failures == ()
    monkeypatch.undo()
    assert not desk.wrong("one", files)


def test_a_table_that_cannot_be_changed_is_made_again(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("it cannot be changed")

    desk = Desk(tmp_path, host)
    desk.create("one")
    desk.refresher().make_ready("one", lambda: False)
    monkeypatch.setattr(type(host.languages[0]), "redeclare", fail)
    for number in range(2):
        files = {**FILES, "Lib/Later.cs": f"namespace Lib; class Later{number} {{ }}\n"}
        desk.write(files)
        assert desk.refresher().refresh("one").failures == ()
        assert not desk.wrong("one", files)


def test_a_file_is_deleted_that_was_not_bound(
    host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("nothing can be declared")

    desk = Desk(tmp_path, host)
    desk.create("one")
    monkeypatch.setattr(type(host.languages[0]), "declare", fail)
    desk.write({**FILES, "Lib/Later.cs": "namespace Lib; class Later { }\n"})
    assert desk.refresher().refresh("one").failures
    monkeypatch.undo()
    desk.write(FILES)
    assert desk.refresher().refresh("one").failures == ()
    assert not desk.wrong("one", FILES)
