"""A working tree that is edited, and what must hold of its workspaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline import ensure_baseline
from codemap_core.pipeline.refresh import Refresher
from codemap_core.pipeline.resident import Resident
from codemap_core.pipeline.reuse import Standing, read_previous
from codemap_core.progress import ProgressCallback, unreported
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import Repository
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.workspace_file import open_workspace
from tests.clone import Clone
from tests.core.pipeline.differences import differences_between


class Desk:
    """A working tree that is edited, its workspaces, and the process that keeps them up to date."""

    def __init__(self, root: Path, host: PluginHost, files: Mapping[str, str]) -> None:
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

    def refresher(self, progress: ProgressCallback = unreported) -> Refresher:
        return Refresher(self.repository, self._host, self.settings, jobs=1, resident=self.resident, progress=progress)

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
                stored = read_previous(EarlierIndex.read_by(index), known.discovered.discovery, known.discovered.places)
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
