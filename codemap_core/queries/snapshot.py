"""Snapshot: what one question sees, a baseline or a workspace at one revision; its readers need not know."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from codemap_core.config import IndexScope
from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.model import SemanticLevel
from codemap_core.model.meanings import Meanings
from codemap_core.queries.reading import Reading
from codemap_core.storage.files.examine import ProjectDiagnostic
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.workspace_file import WorkspaceState, open_workspace

_Made = TypeVar("_Made")


class Snapshot:
    """An open index, whose state it shows, and what plug-ins know of the libraries in it. Close it, or use it as a context manager."""

    def __init__(
        self,
        reader: IndexReader,
        workspace: WorkspaceState | None = None,
        unsaved: Mapping[str, str] | None = None,
        meanings: Meanings | None = None,
    ) -> None:
        self.reader = reader
        self._meanings: Final = meanings
        self.unsaved: Mapping[str, str] = unsaved or {}
        """Texts by path that only this snapshot shows."""
        self.workspace = workspace
        """Null for a baseline."""
        self.workspace_id = None if workspace is None else workspace.workspace_id
        self.overlay_revision = 0 if workspace is None else workspace.revision
        self._kept: Final[dict[Callable[[Snapshot], Any], Any]] = {}
        self._continued: tuple[Hashable, Any] | None = None

    @classmethod
    def open(cls, path: Path, fingerprint: str | None = None, meanings: Meanings | None = None) -> Self:
        """A published baseline. Raises: as ``IndexReader.open``."""
        return cls(IndexReader.open(path, fingerprint), meanings=meanings)

    @classmethod
    def open_workspace(cls, path: Path, meanings: Meanings | None = None) -> Self:
        """A workspace at its newest revision, which it stays at. Raises: as ``workspace_file.open_workspace``."""
        return cls(*open_workspace(path), meanings=meanings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.reader.close()

    @property
    def meanings(self) -> Meanings:
        """What plug-ins know beyond the index. Raises: LookupError where it was opened without: to take nothing as known
        would give wrong answers."""
        if self._meanings is None:
            raise LookupError("this snapshot was opened for its rows alone, without what plug-ins know of libraries")
        return self._meanings

    @property
    def reading(self) -> Reading:
        """Rows of the index, for tools of any plug-in."""
        return Reading(self.reader)

    def kept(self, make: Callable[[Snapshot], _Made]) -> _Made:
        """What ``make`` gives for this snapshot, which does not change: made when it is first asked for."""
        if make not in self._kept:
            self._kept[make] = make(weakref.proxy(self))  # so that whoever gives up a snapshot gives it up at once
        made: _Made = self._kept[make]
        return made

    def continued(self, question: Hashable, make: Callable[[], _Made]) -> _Made:
        """What ``make`` gives for a question that is answered page by page: made for the first page, and kept until another is asked."""
        known = self._continued
        if known is None or known[0] != question:
            known = self._continued = (question, make())
        made: _Made = known[1]
        return made

    @property
    def repo_id(self) -> str:
        return self.reader.info.repo_id

    @property
    def commit_sha(self) -> str:
        return self.reader.info.commit_sha

    @property
    def scope(self) -> IndexScope:
        """The part of the commit that it covers."""
        return IndexScope(self.reader.info.subtree, self.reader.info.solution)

    @property
    def identity(self) -> tuple[str, ...]:
        """A key that two snapshots share if every question has the same answer in both."""
        info = self.reader.info
        index = (info.repo_id, info.commit_sha, info.fingerprint, info.subtree, info.solution)
        return (*index, self.workspace_id or "", str(self.overlay_revision))

    @property
    def semantic_level(self) -> SemanticLevel:
        return self.reader.info.semantic_level

    @property
    def project_diagnostics(self) -> tuple[ProjectDiagnostic, ...]:
        return self.reader.info.project_diagnostics

    def file_text(self, file_path: str) -> str:
        """The text of an indexed file at this snapshot's commit. Raises: NotFoundError naming similar paths."""
        path = normalise_path(file_path)
        text = self.reader.file_text(path)
        if text is None:
            raise self._no_text(path)
        return text

    def _no_text(self, path: str) -> NotFoundError:
        if self.reader.document(path) is not None:
            return NotFoundError(
                f"File '{path}' is indexed without its text: it is too large or binary.", file_path=path
            )
        similar = self._similar_paths(path)
        hint = f" Did you mean {', '.join(similar)}?" if similar else " Paths are relative to the repository's root."
        return NotFoundError(f"File '{path}' not found in the index.{hint}", file_path=path, candidates=similar)

    def _similar_paths(self, path: str) -> list[str]:
        """Up to three paths: of the same name first, then those spelt alike."""
        name = path.rpartition("/")[2].lower()
        paths = self.reader.file_paths()
        same_name = [each for each in paths if each.lower() == path.lower() or each.lower().endswith(f"/{name}")]
        if same_name:
            return same_name[:3]
        names = {each.rpartition("/")[2].lower(): each for each in reversed(paths)}
        return [names[close] for close in get_close_matches(name, names, n=3, cutoff=0.75)]


def normalise_path(path: str) -> str:
    """A path as a client may write it, as the index spells it: ``/`` between parts, no ``./``. Raises:
    InvalidArgumentError for an absolute path or one that leaves the repository."""
    spelt = path.strip().replace("\\", "/")
    while spelt.startswith("./"):
        spelt = spelt[2:]
    if not spelt or spelt.startswith("/") or ".." in spelt.split("/") or "\0" in spelt:
        raise InvalidArgumentError(
            f"'{path}' is not a path inside the repository: give it relative to the repository's root, with '/'.",
            file_path=path,
        )
    return spelt


def normalise_path_prefix(prefix: str) -> str:
    """The beginning of a path as a client may write it; empty or ``.`` for the whole repository. Raises:
    InvalidArgumentError for one that names no file, such as ``/`` or ``*``."""
    spelt = prefix.strip().replace("\\", "/")
    while spelt.startswith("./"):
        spelt = spelt[2:]
    if spelt in ("", "."):
        return ""
    spelt = spelt.lstrip("/")
    if not spelt.strip("*./"):
        raise InvalidArgumentError(
            f"'{prefix}' names no file or folder. Leave it out for the whole repository, or write the beginning of a "
            "path relative to the repository's root, for example 'src/'.",
            file_path=prefix,
        )
    return spelt
