"""Files of the checkout, and nothing beyond it: the sandbox that every path of a client goes through.

A path is walked from the root's descriptor one component at a time, and no component is followed that is a link (``O_NOFOLLOW``). Links
are read and walked by the same rules, so that one which stays inside is followed and one which leaves the root, by ``..`` or as an
absolute path, is refused. What is checked is the descriptor that is then read, so exchanging a file for a link meanwhile gains nothing.

Invariants: nothing of git's own folder is opened, whatever its name is spelt like; neither is anything that is not a regular file or
a folder; a descriptor is closed when its ``with`` ends.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_plugins.codeagent.failures import EngineUnavailableError, PathEscapeError

MAX_PATH: Final = 4_096
"""Characters."""
MAX_LINKS: Final = 40
"""Links of one path, as Linux has it."""
_FOLDER: Final = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)
_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_GIT: Final = frozenset({".git", "git~1"})
"""As NTFS may shorten it too."""


class EntryType(StrEnum):
    FILE = "file"
    DIRECTORY = "directory"


class Entry(Struct, frozen=True):
    """What a folder holds. ``size``: bytes of a file. ``is_link``: reached through a link, which may lead to a folder above."""

    name: str
    type: EntryType
    size: int = 0
    is_link: bool = False


class Checkout:
    """The work tree under ``root``. Keeps nothing open."""

    def __init__(self, root: Path) -> None:
        self._root: Final = root
        self._absolute: Final = PurePosixPath(root.as_posix())

    @contextmanager
    def folder(self, path: str) -> Iterator[Folder]:
        """The folder at a path relative to the root; empty for the root. Raises: NotFoundError, PathEscapeError, InvalidArgumentError."""
        with _Walk(self._root, self._absolute) as walk:
            if walk.to(components(path), path) is not None:
                raise InvalidArgumentError(f"'{path}' is a file. Give the path of a directory.")
            yield Folder(walk)

    @contextmanager
    def file(self, path: str) -> Iterator[int]:
        """A descriptor of the regular file at a path relative to the root. Raises: as ``folder``."""
        with _Walk(self._root, self._absolute) as walk:
            found = walk.to(components(path), path)
            if found is None:
                raise InvalidArgumentError(f"'{path}' is a directory. Give the path of a file.")
            yield found


class Folder:
    """An open folder of a checkout."""

    def __init__(self, walk: _Walk) -> None:
        self._walk: Final = walk

    def entries(self) -> list[Entry]:
        """Files and folders in it, by name; links by what they lead to, and left out when they lead outside or nowhere."""
        found = []
        for name in sorted(os.listdir(self._walk.here)):  # noqa: PTH208 - of a descriptor
            if not is_of_git(name) and (entry := self._entry(name)) is not None:
                found.append(entry)
        return found

    def read(self, name: str, limit: int) -> bytes:
        """Up to ``limit`` bytes of a file in it that is not a link; nothing when there is none."""
        try:
            descriptor = os.open(name, _FILE, dir_fd=self._walk.here)
        except OSError:
            return b""
        with os.fdopen(descriptor, "rb") as file:
            return file.read(limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""

    @contextmanager
    def inner(self, name: str) -> Iterator[Folder | None]:
        """A folder in it; null when it has gone or become a link."""
        try:
            descriptor = os.open(name, _FOLDER, dir_fd=self._walk.here)
        except OSError:
            yield None
            return
        with self._walk.inside(descriptor):
            yield self

    def _entry(self, name: str) -> Entry | None:
        try:
            status = os.stat(name, dir_fd=self._walk.here, follow_symlinks=False)
            if not stat.S_ISLNK(status.st_mode):
                return _entry_of(name, status)
            with self._walk.fork() as walk:
                found = walk.to([name], name)
                return _entry_of(name, os.fstat(walk.here if found is None else found), is_link=True)
        except (OSError, NotFoundError, PathEscapeError, InvalidArgumentError):
            return None


def _entry_of(name: str, status: os.stat_result, *, is_link: bool = False) -> Entry | None:
    if stat.S_ISDIR(status.st_mode):
        return Entry(name, EntryType.DIRECTORY, is_link=is_link)
    return Entry(name, EntryType.FILE, status.st_size, is_link) if stat.S_ISREG(status.st_mode) else None


def components(path: str) -> list[str]:
    """The names that a client's path consists of, ``.`` and ``..`` taken out. Raises: PathEscapeError, InvalidArgumentError."""
    if len(path) > MAX_PATH or "\0" in path:
        raise InvalidArgumentError(f"A path has at most {MAX_PATH} characters, and NUL is not one of them.")
    spelt = path.replace("\\", "/")
    if spelt.startswith("/") or spelt[1:2] == ":":
        raise PathEscapeError(f"'{path}' is absolute. Give a path relative to the root of the repository.")
    names: list[str] = []
    for name in spelt.split("/"):
        if name == "..":
            if not names:
                raise PathEscapeError(f"'{path}' leaves the repository.")
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return names


def is_of_git(name: str) -> bool:
    """Whether a name means git's own folder on any file system: whatever its case, with dots, spaces or a stream behind it (NTFS), or
    with characters in it that are ignored (HFS+)."""
    shown = "".join(character for character in name if unicodedata.category(character) != "Cf")
    return shown.partition(":")[0].rstrip(". ").lower() in _GIT


class _Walk:
    """Open folders from the root to where a walk has come. Use it in a ``with``."""

    def __init__(self, root: Path, absolute: PurePosixPath) -> None:
        if os.open not in os.supports_dir_fd:
            raise EngineUnavailableError("Files cannot be read safely on this system: it has no directory descriptors.")
        self._root: Final = root
        self._absolute: Final = absolute
        self._opened: list[int] = []
        self._files = ExitStack()

    def __enter__(self) -> _Walk:
        if not self._opened:
            try:
                self._opened.append(os.open(self._root, _FOLDER))
            except OSError as error:
                raise EngineUnavailableError("The repository's folder cannot be opened.") from error
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()
        while self._opened:
            os.close(self._opened.pop())

    @property
    def here(self) -> int:
        """The descriptor of the folder it has come to."""
        return self._opened[-1]

    def fork(self) -> _Walk:
        """Another walk that begins here."""
        other = _Walk(self._root, self._absolute)
        other._opened = [os.dup(each) for each in self._opened]
        return other

    @contextmanager
    def inside(self, descriptor: int) -> Iterator[None]:
        """In an open folder of ``here``, which is closed at the end."""
        self._opened.append(descriptor)
        try:
            yield
        finally:
            os.close(self._opened.pop())

    def to(self, names: list[str], asked: str) -> int | None:
        """Goes down by ``names``; the descriptor of the file it ends at, or null when it ends at a folder. Raises: NotFoundError,
        PathEscapeError, InvalidArgumentError."""
        ahead = names[::-1]
        links = 0
        while ahead:
            name = ahead.pop()
            if name in ("", "."):
                continue
            if name == "..":
                self._up(asked)
                continue
            if is_of_git(name):
                raise PathEscapeError(f"'{asked}' belongs to git itself, not to the repository's files.")
            try:
                status = os.stat(name, dir_fd=self.here, follow_symlinks=False)
                if stat.S_ISLNK(status.st_mode):
                    links += 1
                    if links > MAX_LINKS:
                        raise NotFoundError(f"'{asked}' goes through more than {MAX_LINKS} links.")
                    ahead += self._target(os.readlink(name, dir_fd=self.here), asked)[::-1]
                elif stat.S_ISDIR(status.st_mode):
                    self._opened.append(os.open(name, _FOLDER, dir_fd=self.here))
                elif not stat.S_ISREG(status.st_mode):
                    raise InvalidArgumentError(f"'{asked}' is neither a regular file nor a directory.")
                elif any(each not in ("", ".") for each in ahead):
                    raise NotFoundError(f"'{asked}' does not exist: '{name}' is a file.")
                else:
                    return self._regular(name, asked)
            except OSError as error:
                raise _refusal(error, asked) from error
            except ValueError as error:  # a name that cannot be encoded
                raise NotFoundError(f"'{asked}' does not exist.") from error
        return None

    def _regular(self, name: str, asked: str) -> int:
        descriptor = os.open(name, _FILE, dir_fd=self.here)
        self._files.callback(os.close, descriptor)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise InvalidArgumentError(f"'{asked}' is neither a regular file nor a directory.")
        return descriptor

    def _up(self, asked: str) -> None:
        if len(self._opened) == 1:
            raise PathEscapeError(f"'{asked}' leads outside the repository through a link.")
        os.close(self._opened.pop())

    def _target(self, target: str, asked: str) -> list[str]:
        """The names of a link's target, from here, or from the root after going there."""
        if not target.startswith("/"):
            return target.split("/")
        try:
            inside = PurePosixPath(target).relative_to(self._absolute)
        except ValueError as error:
            raise PathEscapeError(f"'{asked}' leads outside the repository through a link.") from error
        while len(self._opened) > 1:
            os.close(self._opened.pop())
        return list(inside.parts)


def _refusal(error: OSError, asked: str) -> NotFoundError | PathEscapeError | InvalidArgumentError:
    if error.errno == errno.ELOOP:
        return PathEscapeError(f"'{asked}' became a link while it was opened.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return InvalidArgumentError(f"'{asked}' cannot be read: the server has no permission to.")
    return NotFoundError(f"'{asked}' does not exist.")
