"""The files of one commit, read from git objects: no checkout is needed, and none is looked at.

Invariants: paths are UTF-8, relative to the git root, sorted by code point; symbolic links and submodules are not files
here. A file that ``.gitignore`` matches and somebody committed anyway is a file of the commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import Blob, Problem
from codemap_core.repository.git_process import GitCommandError, ObjectReader, StartedGit, run_git
from codemap_core.repository.git_repository import Repository
from codemap_core.repository.listed_files import ListedFiles

_SYMLINK: Final = b"120000"
_SUBMODULE: Final = b"160000"


class SkippedFiles(Struct, frozen=True):
    """Tree entries that are not listed as files: how many, and why. ``problems`` name single paths."""

    symlinks: int = 0
    submodules: int = 0
    problems: tuple[Problem, ...] = ()


class CommitFiles(ListedFiles):
    """A ``FileSet`` of one commit; ``read`` reaches the whole of it.

    Keeps one git process between calls; use it as a context manager, or ``close`` it. Not for several threads at once;
    a forked process starts its own git."""

    def __init__(self, repository: Repository, commit: str, listing: StartedListing | None = None) -> None:
        """``commit``: a full id, see ``Repository.resolve_commit``. ``listing``: of it, see ``start_listing``. Raises: InvalidArgumentError
        when a partial clone lacks files."""
        files, self.skipped = _list_tree(repository, commit, listing)
        super().__init__(files, repository.subtree)
        self.label = f"commit {commit[:12]}"
        self.subtree = repository.subtree
        self._folder = repository.root
        self._reader: ObjectReader | None = None

    def read(self, path: str) -> bytes:
        """Raises: KeyError when the commit has no such file, or a partial clone lacks its content."""
        content = self._open_reader().read(self.files[path].blob_id)
        if content is None:
            raise KeyError(path)
        return content

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) in the order asked for, through one git process of its own; paths whose content is missing are
        left out. Raises: KeyError for a path that the commit does not have."""
        wanted = [self.files[path] for path in paths]
        if not wanted:
            return
        reader = ObjectReader(self._folder)
        try:
            for blob, content in zip(wanted, reader.read_many(blob.blob_id for blob in wanted), strict=True):
                if content is not None:
                    yield blob.path, content
        finally:
            reader.close()

    def _open_reader(self) -> ObjectReader:
        if self._reader is None or self._reader.owner != os.getpid():
            self._reader = ObjectReader(self._folder)
        return self._reader

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def __enter__(self) -> CommitFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StartedListing:
    """git that lists the files of a commit while this process goes on. ``finish`` or ``end`` it."""

    def __init__(self, repository: Repository, commit: str, sizes: Mapping[str, int]) -> None:
        self._repository: Final = repository
        self._commit: Final = commit
        self._sizes: Final = sizes
        asked = () if sizes else ("--long",)
        self._git: Final = StartedGit(repository.root, "ls-tree", "-r", "-z", *asked, "--full-tree", commit)

    def finish(self) -> list[TreeEntry]:
        """Raises: as ``run_git``."""
        entries = [_entry(entry) for entry in self._git.finish().split(b"\0") if b"\t" in entry]
        if self._sizes:
            unknown = {each.object_id for each in entries if each.mode != _SUBMODULE} - self._sizes.keys()
            try:
                sizes = {**self._sizes, **_sizes(self._repository, unknown)}
            except KeyError:  # asked for all sizes, git says what is wrong
                return start_listing(self._repository, self._commit).finish()
            for each in entries:
                each.size = sizes.get(each.object_id, 0)
        return entries

    def end(self) -> None:
        """Whether it is done or not."""
        self._git.end()


class TreeEntry(Struct):
    mode: bytes
    object_id: str
    raw_path: bytes
    size: int
    """Bytes; 0 for a submodule."""


def start_listing(repository: Repository, commit: str, sizes: Mapping[str, int] | None = None) -> StartedListing:
    """Begins to list the files of a commit, which takes long where there are many and the size of each must be sought. ``sizes``: bytes of
    blobs, by their ids, as far as they are known. Raises: as ``run_git``."""
    return StartedListing(repository, commit, sizes or {})


def _entry(entry: bytes) -> TreeEntry:
    header, _, raw_path = entry.partition(b"\t")
    mode, _kind, object_id, *size = header.split()
    return TreeEntry(mode, object_id.decode("ascii"), raw_path, int(size[0]) if size and size[0].isdigit() else 0)


def _sizes(repository: Repository, object_ids: AbstractSet[str]) -> dict[str, int]:
    """Raises: KeyError where the repository lacks one; as ``run_git``."""
    if not object_ids:
        return {}
    given = "".join(f"{each}\n" for each in sorted(object_ids)).encode("ascii")
    _, out = run_git(repository.root, "cat-file", "--batch-check=%(objectname) %(objectsize)", given=given)
    found: dict[str, int] = {}
    for line in out.decode("ascii").splitlines():
        object_id, _, size = line.partition(" ")
        if not size.isdigit():
            raise KeyError(object_id)
        found[object_id] = int(size)
    return found


def _list_tree(
    repository: Repository, commit: str, listing: StartedListing | None
) -> tuple[Mapping[str, Blob], SkippedFiles]:
    try:
        entries = (listing or start_listing(repository, commit)).finish()
    except GitCommandError as error:
        if "promisor" not in error.message:
            raise
        raise InvalidArgumentError(
            f"{repository.root} is a partial clone and lacks files of commit {commit[:12]}. Fetch them: "
            f"git -C {repository.root} fetch --refetch --no-filter",
            commit=commit,
        ) from error
    blobs: dict[str, Blob] = {}
    problems: list[Problem] = []
    symlinks = submodules = 0
    for each in entries:
        if each.mode == _SYMLINK:
            symlinks += 1
        elif each.mode == _SUBMODULE:
            submodules += 1
        else:
            try:
                path = each.raw_path.decode("utf-8")
            except UnicodeDecodeError:
                problems.append(unreadable_name(each.raw_path))
                continue
            blobs[path] = Blob(path, each.object_id, each.size)
    ordered = dict(sorted(blobs.items()))
    return ordered, SkippedFiles(symlinks, submodules, tuple(problems))


def unreadable_name(raw_path: bytes) -> Problem:
    shown = raw_path.decode("utf-8", "backslashreplace")
    return Problem(code="path_not_utf8", message=f"skipped {shown}: its name is not UTF-8")
