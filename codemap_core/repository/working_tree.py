"""The files of a working tree: tracked and untracked ones, ignored ones left out.

Invariants: as for a commit's files; symbolic links are never followed, neither as a file nor as a folder on the way to
one. A tracked file that git calls unchanged has the blob id of the index; any other the id git would give its bytes as
they are (no clean filter runs).
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import Blob, Problem
from codemap_core.repository.commit_files import SkippedFiles, unreadable_name
from codemap_core.repository.git_process import run_git
from codemap_core.repository.git_repository import Repository


class WorkingTreeFiles:
    """A ``FileSet`` of a working tree as it was when this was made; ``read`` reads the disk afresh."""

    def __init__(self, repository: Repository) -> None:
        """Raises: InvalidArgumentError for a bare repository."""
        if repository.is_bare:
            raise InvalidArgumentError(
                f"{repository.root} is bare: it has no working tree. Index a commit of it instead."
            )
        self.label = "the working tree"
        self._root = repository.root
        self._folders: dict[str, bool] = {}
        self._object_format = _object_format(repository)
        self._all, self.skipped = self._scan(repository)
        inside = f"{repository.subtree}/" if repository.subtree else ""
        self.blobs: tuple[Blob, ...] = tuple(blob for path, blob in self._all.items() if path.startswith(inside))
        self._paths: tuple[str, ...] = tuple(blob.path for blob in self.blobs)
        self._all_paths: tuple[str, ...] = tuple(self._all) if inside else self._paths

    @property
    def paths(self) -> Sequence[str]:
        return self._paths

    @property
    def all_paths(self) -> Sequence[str]:
        return self._all_paths

    def exists(self, path: str) -> bool:
        return path in self._all

    def blob(self, path: str) -> Blob | None:
        """A file of the whole working tree; null when it has none of that path."""
        return self._all.get(path)

    def read(self, path: str) -> bytes:
        """Raises: KeyError when there is no such file, or it has gone or cannot be read."""
        if path not in self._all:
            raise KeyError(path)
        try:
            return self._read(path)
        except OSError as error:
            raise KeyError(path) from error

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) in the order asked for; files that have gone since are left out."""
        for path in paths:
            try:
                yield path, self.read(path)
            except KeyError:
                continue

    def _scan(self, repository: Repository) -> tuple[dict[str, Blob], SkippedFiles]:
        filters = repository.disabled_filters()
        _, staged = run_git(self._root, "ls-files", "-z", "--stage", overrides=filters)
        _, modified = run_git(self._root, "ls-files", "-z", "--modified", overrides=filters)
        _, untracked = run_git(self._root, "ls-files", "-z", "--others", "--exclude-standard", overrides=filters)
        changed = set(modified.split(b"\0"))
        tracked: dict[bytes, tuple[bytes, bytes]] = {}
        for entry in staged.split(b"\0"):
            header, tab, raw_path = entry.partition(b"\t")
            if tab:
                mode, object_id, _stage = header.split()
                tracked[raw_path] = (mode, object_id)
        blobs: dict[str, Blob] = {}
        problems: list[Problem] = []
        symlinks = submodules = 0
        for raw_path in sorted({*tracked, *untracked.split(b"\0")} - {b""}):
            mode, object_id = tracked.get(raw_path, (b"", b""))
            if mode == b"160000" or raw_path.endswith(b"/"):  # the latter: a repository inside this one
                submodules += 1
                continue
            try:
                path = raw_path.decode("utf-8")
            except UnicodeDecodeError:
                problems.append(unreadable_name(raw_path))
                continue
            try:
                status = os.lstat(self._root / path)
                if stat.S_ISLNK(status.st_mode) or not self._real_folder(path):
                    symlinks += 1
                elif stat.S_ISREG(status.st_mode):
                    unchanged = bool(mode) and raw_path not in changed
                    blob_id = object_id.decode("ascii") if unchanged else self._blob_id(self._read(path))
                    blobs[path] = Blob(path, blob_id, status.st_size)
            except FileNotFoundError:
                continue  # deleted, not committed yet
            except OSError as error:
                problems.append(
                    Problem(code="unreadable", message=f"skipped {path}: {error.strerror or 'cannot be read'}")
                )
        return dict(sorted(blobs.items())), SkippedFiles(symlinks, submodules, tuple(problems))

    def _real_folder(self, path: str) -> bool:
        folder = path.rpartition("/")[0]
        known = self._folders.get(folder)
        if known is None:
            expected = self._root / folder
            known = self._folders[folder] = Path(os.path.realpath(expected)) == expected
        return known

    def _read(self, path: str) -> bytes:
        descriptor = os.open(self._root / path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as handle:
            return handle.read()

    def _blob_id(self, content: bytes) -> str:
        return hashlib.new(
            self._object_format, b"blob %d\0" % len(content) + content, usedforsecurity=False
        ).hexdigest()


def _object_format(repository: Repository) -> str:
    _, out = run_git(repository.root, "rev-parse", "--show-object-format")
    return out.decode("ascii").strip()
