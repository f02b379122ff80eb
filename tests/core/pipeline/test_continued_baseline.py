"""The next baseline made by a process that knows the repository: it equals one made from scratch, and where it cannot be made so, nothing
is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.errors import CancelledError
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline import BaselineResult, baseline_path, ensure_baseline, next_baseline
from codemap_core.pipeline.continued_baseline import continue_baseline
from codemap_core.pipeline.refresh import Refresher
from codemap_core.pipeline.resident import Resident
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import Repository
from codemap_core.storage.files.lock import build_lock
from tests.clone import Clone
from tests.core.pipeline.differences import differences_of
from tests.core.pipeline.edit_law import ResidentBench, WatchedBench
from tests.core.pipeline.editor import Editor
from tests.core.pipeline.project_edits import PROJECT_EDITS
from tests.core.pipeline.source_edits import SOURCE_EDITS
from tests.core.pipeline.test_edit_law import FILES

_EDIT: Final = {"Lib/Line.cs": FILES["Lib/Line.cs"].replace("Take(int count)", "Take(long count)")}


@pytest.mark.parametrize("seed", range(2))
def test_random_edits(host: PluginHost, tmp_path: Path, seed: int) -> None:
    bench = ResidentBench(tmp_path / "bench", FILES, host)
    editor = Editor(dict(FILES), random.Random(200 + seed))
    for number in range(8):
        done = [editor.edit(SOURCE_EDITS if number % 4 else PROJECT_EDITS) for _ in range(2)]
        step = bench.take_up(editor.files)
        assert not step.found, "\n".join((*done, *step.found))
    assert bench.continued == 8


@pytest.mark.parametrize("seed", range(2))
def test_random_edits_that_a_workspace_has_taken_up(host: PluginHost, tmp_path: Path, seed: int) -> None:
    bench = WatchedBench(tmp_path / "bench", FILES, host)
    editor = Editor(dict(FILES), random.Random(300 + seed))
    steps = []
    for number in range(8):
        done = [editor.edit(SOURCE_EDITS if number % 4 else PROJECT_EDITS) for _ in range(2)]
        steps.append(bench.take_up(editor.files))
        assert not steps[-1].found, "\n".join((*done, *steps[-1].found))
    assert bench.continued == 8
    assert 0 in [step.bound for step in steps], "what the workspace has bound is not bound again"


class Office:
    """A repository with an index, a process that knows it, and a further commit."""

    def __init__(self, root: Path, host: PluginHost) -> None:
        self.root: Final = root
        self.host: Final = host
        self.clone: Final = Clone(root / "tree")
        self.first: Final = self.clone.commit(FILES)
        self.settings: Final = Settings(data_directory=root / "home")
        self.repository: Final = Repository.open(self.clone.root)
        self.resident = Resident()
        ensure_baseline(self.repository, host, self.settings)
        Workspaces(self.settings, self.repository).create("one", self.first, wait=lambda _: None)
        self.refresher().make_ready("one", lambda: False)
        self.second: Final = self.clone.commit(_EDIT)

    def refresher(self) -> Refresher:
        return Refresher(self.repository, self.host, self.settings, resident=self.resident)

    def continued(self, commit: str = "", resident: Resident | None = None) -> BaselineResult | None:
        return continue_baseline(
            self.repository, self.host, self.settings, resident or self.resident, commit or self.second
        )

    def path(self, commit: str = "") -> Path:
        return baseline_path(self.repository, self.settings, commit or self.second)


@pytest.fixture
def office(host: PluginHost, tmp_path: Path) -> Office:
    return Office(tmp_path, host)


def _equals_a_cold_one(office: Office, made: BaselineResult) -> bool:
    settings = Settings(data_directory=office.root / "cold")
    cold = ensure_baseline(office.repository, office.host, settings, commit=made.info.commit_sha, rebuild=True)
    return not list(differences_of(made.path, cold.path))


def test_a_commit_follows_another_one(office: Office) -> None:
    made = office.continued()
    assert made is not None
    assert (made.bound_files, made.analysed_files, made.already_existed) == (2, 1, False)
    assert _equals_a_cold_one(office, made)
    third = office.clone.commit({"Lib/Later.cs": "namespace Lib; class Later : Entity { }\n"})
    again = office.continued(third)
    assert again is not None
    assert again.bound_files == 1
    assert _equals_a_cold_one(office, again)
    office.refresher().rebase("one", third)
    office.clone.write({"Lib/Later.cs": "namespace Lib; class Later : Order { }\n"})
    assert office.refresher().refresh("one").documents_replaced == 1, (
        "what is known of the commit serves its workspaces"
    )


def test_what_a_workspace_has_bound_is_not_bound_again(office: Office) -> None:
    later = {"Lib/Later.cs": "namespace Lib; class Later : Entity { }\n"}
    office.refresher().rebase("one", office.first)
    office.clone.write(later)
    assert office.refresher().refresh("one").documents_replaced == 3
    third = office.clone.commit(later)
    made = office.continued(third)
    assert made is not None
    assert made.bound_files == 0
    assert _equals_a_cold_one(office, made)


def test_a_part_of_what_a_workspace_has_bound_is_bound_again(office: Office) -> None:
    """A commit without one of the files is another state."""
    office.clone.write({"Lib/Later.cs": "namespace Lib; class Later : Entity { }\n"})
    office.refresher().refresh("one")
    made = office.continued()
    assert made is not None
    assert made.bound_files == 2
    assert _equals_a_cold_one(office, made)


def test_a_repository_that_a_process_has_not_seen_is_left_to_another(office: Office) -> None:
    assert office.continued(resident=Resident()) is None
    assert not office.path().exists()


def test_an_index_that_is_not_known_is_read(office: Office) -> None:
    """As where the tree was edited already when the process was prepared."""
    office.resident = Resident()
    office.refresher().refresh("one")
    made = office.continued()
    assert made is not None
    assert made.bound_files == 0, "what the workspace gave serves the commit"
    assert _equals_a_cold_one(office, made)


def test_no_index_is_left_to_go_on_from(office: Office) -> None:
    office.path(office.first).unlink()
    assert office.continued() is None
    assert not office.path().exists()


def test_much_to_bind_is_left_to_another(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(next_baseline, "MOST_BESIDE", 1)
    assert office.continued() is None
    assert [each.name for each in office.path().parent.iterdir() if each.stem.startswith(office.second)] == []


def _written(path: Path) -> tuple[int, int, int]:
    """Which file it is, and when it was written last; when it was read is nothing of it."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def test_an_index_that_another_process_makes_or_has_made_is_left_alone(office: Office) -> None:
    with build_lock(office.path()):
        assert office.continued() is None
    made = ensure_baseline(office.repository, office.host, office.settings)
    before = _written(made.path)
    assert office.continued() is None
    assert _written(made.path) == before


def test_a_shared_cache_is_asked_by_another(office: Office) -> None:
    settings = replace(office.settings, shared_cache=str(office.root / "shared"))
    assert continue_baseline(office.repository, office.host, settings, office.resident, office.second) is None


def test_cancelling_leaves_nothing(office: Office) -> None:
    common = (office.repository, office.host, office.settings, office.resident, office.second)
    with pytest.raises(CancelledError):
        continue_baseline(*common, cancelled=lambda: True)
    assert list(office.path().parent.glob(f"{office.second}*")) == []
    assert office.continued() is not None
