"""The files of a commit with some of them replaced: what a workspace shows, and what is not saved yet.

``changed_paths`` and ``read_edits`` find what of a working tree differs from a commit: edited, added, deleted or renamed; staged or not;
untracked files too, ignored ones not; and what was committed after it. Symbolic links are not files here, as in a commit.
``untracked_folders`` are where more of them may come.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import Blob
from codemap_core.repository.commit_files import CommitFiles, SkippedFiles
from codemap_core.repository.git_process import run_git
from codemap_core.repository.git_repository import Repository
from codemap_core.repository.listed_files import ListedFiles
from codemap_core.repository.text import MAX_SOURCE_SIZE


class Edit(Struct, frozen=True):
    """A file as it is now. ``read`` gives its content, which few are asked for: null where the file is too large to be analysed, or where
    nothing has kept what it held. Such a file is listed, and not read."""

    blob_id: str
    size: int
    read: Callable[[], bytes | None]


Edits = Mapping[str, Edit | None]
"""By path; null for a file that is not there any more."""


class EditedFiles(ListedFiles):
    """``RepositoryFiles`` of a commit under ``edits``. ``committed`` stays the caller's to close."""

    def __init__(self, committed: CommitFiles, edits: Edits) -> None:
        self._committed: Final = committed
        self._edits: Final = {path: edit for path, edit in edits.items() if edit is not None}
        files = {**committed.files}
        for path in edits.keys() - self._edits.keys():
            files.pop(path, None)
        are_added = not self._edits.keys() <= files.keys()
        files.update((path, Blob(path, edit.blob_id, edit.size)) for path, edit in self._edits.items())
        super().__init__(dict(sorted(files.items())) if are_added else files, committed.subtree)
        self.label = f"{committed.label} with edits"
        self.skipped: SkippedFiles = committed.skipped

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise KeyError(path)
        if path not in self._edits:
            return self._committed.read(path)
        content = self._edits[path].read()
        if content is None:
            raise KeyError(path)
        return content

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        wanted = [path for path in paths if path in self.files]
        committed = self._committed.read_many(path for path in wanted if path not in self._edits)
        ahead = next(committed, None)
        for path in wanted:
            if path in self._edits:
                content = self._edits[path].read()
                if content is not None:
                    yield path, content
            elif ahead is not None and ahead[0] == path:
                yield ahead
                ahead = next(committed, None)


def changed_paths(repository: Repository, commit: str) -> tuple[str, ...]:
    """Paths of the working tree that may differ from a full commit id, sorted; folders that hold another repository are left out. Asks
    git twice, side by side. Raises: InvalidArgumentError for a bare repository."""
    if repository.is_bare:
        raise InvalidArgumentError(f"{repository.root} is bare: it has no working tree whose edits could be seen.")
    compared = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", commit, "--")
    others = ("ls-files", "-z", "--others", "--exclude-standard")
    from concurrent.futures import ThreadPoolExecutor  # no index needs it: it loads what logs, too

    with ThreadPoolExecutor(max_workers=1) as beside:
        untracked = beside.submit(run_git, repository.root, *others)
        _, edited = run_git(repository.root, *compared, overrides=repository.disabled_filters())
        _, unknown = untracked.result()
    rows = {row for row in (*edited.split(b"\0"), *unknown.split(b"\0")) if row and not row.endswith(b"/")}
    return tuple(sorted(path for row in rows if (path := _decoded(row)) is not None))


def untracked_folders(repository: Repository) -> tuple[str, ...]:
    """Paths of folders in which git tracks nothing, empty ones too, sorted: a file that comes there is one of the working tree's. Ignored
    folders and those that hold another repository are left out. Asks git once, and again for each level of folders in such folders."""
    _, out = run_git(repository.root, "ls-files", "-z", "--others", "--exclude-standard", "--directory")
    level = [os.fsdecode(row.rstrip(b"/")) for row in out.split(b"\0") if row.endswith(b"/")]
    found: list[str] = []
    while level:
        inside = []
        for folder in level:
            names = _folders_in(repository.root / folder)
            if names is not None:
                found.append(folder)
                inside += [f"{folder}/{name}" for name in names]
        level = _not_ignored(repository, inside) if inside else []
    return tuple(sorted(found))


def _folders_in(place: Path) -> list[str] | None:
    """Names of the folders in a folder, links apart. Null where it cannot be read, or holds another repository."""
    try:
        with os.scandir(place) as entries:
            kinds = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
    except OSError:
        return None
    return None if ".git" in kinds else [name for name, is_folder in kinds.items() if is_folder]


def _not_ignored(repository: Repository, folders: list[str]) -> list[str]:
    given = b"".join(os.fsencode(folder) + b"\0" for folder in folders)
    accepted = frozenset({0, 1})  # 1: none is ignored
    _, out = run_git(repository.root, "check-ignore", "-z", "--stdin", given=given, accept=accepted)
    ignored = set(map(os.fsdecode, out.split(b"\0")))
    return [folder for folder in folders if folder not in ignored]


def read_edits(repository: Repository, paths: Iterable[str], committed: CommitFiles) -> dict[str, Edit | None]:
    """Those of ``paths`` that are on disk otherwise than in ``committed``, as they are there. What cannot be read counts as deleted."""
    new_hash = repository.object_hash
    folders: dict[str, bool] = {}
    edits: dict[str, Edit | None] = {}
    for path in paths:
        blob = committed.blob(path)
        edit = _on_disk(repository.root, path, folders, new_hash)
        if edit is None:
            if blob is not None:
                edits[path] = None
        elif blob is None or edit.blob_id != blob.blob_id:
            edits[path] = edit
    return edits


def edit_of(repository: Repository, content: bytes) -> Edit:
    """A file that holds ``content``."""
    return _edit(content, repository.object_hash)


def with_contents(edits: Edits) -> dict[str, Edit | None]:
    """The same, where what contents are read from will not be there."""
    return {path: None if edit is None else _held(edit) for path, edit in edits.items()}


def _held(edit: Edit) -> Edit:
    content = edit.read()
    return replace(edit, read=lambda: content)


def _edit(content: bytes, new_hash: str) -> Edit:
    return Edit(_blob_id(content, new_hash), len(content), lambda: content)


def _on_disk(root: Path, path: str, folders: dict[str, bool], new_hash: str) -> Edit | None:
    try:
        status = os.lstat(root / path)
        if not stat.S_ISREG(status.st_mode) or not _is_real(root, path.rpartition("/")[0], folders):
            return None
        if status.st_size > MAX_SOURCE_SIZE:
            mark = f"{path}\0{status.st_size}\0{status.st_mtime_ns}"
            blob_id = hashlib.new(new_hash, mark.encode(), usedforsecurity=False).hexdigest()
            return Edit(blob_id, status.st_size, lambda: None)
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(root / path, flags), "rb") as file:
            content = file.read(MAX_SOURCE_SIZE + 1)
    except (OSError, ValueError):
        return None
    return _edit(content, new_hash)


def _is_real(root: Path, folder: str, known: dict[str, bool]) -> bool:
    """Whether no part of the folder's path is a symbolic link."""
    if folder not in known:
        known[folder] = Path(os.path.realpath(root / folder)) == root / folder
    return known[folder]


def _blob_id(content: bytes, new_hash: str) -> str:
    return hashlib.new(new_hash, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _decoded(path: bytes) -> str | None:
    try:
        return path.decode("utf-8")
    except UnicodeDecodeError:
        return None
