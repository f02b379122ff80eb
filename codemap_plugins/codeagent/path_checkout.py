"""A checkout where folders cannot be opened relative to an open folder, as on Windows.

A path is resolved, with every link and junction in it, and refused where it leads outside. Then the file is opened, and the system is asked
what was opened: that has to lie inside, too, and is what is read. A folder has no descriptor here: when it has been listed, it is resolved
again, and has to be the same.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Final

from codemap_core.errors import CodeMapError, InvalidArgumentError, NotFoundError
from codemap_plugins.codeagent.checkout import Entry, components, entry_of, is_of_git, refusal
from codemap_plugins.codeagent.failures import EngineUnavailableError, PathEscapeError

_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOINHERIT", 0)
)
_JUNCTION: Final = 0xA0000003
"""``IO_REPARSE_TAG_MOUNT_POINT``."""
_LONGEST: Final = 32_768
"""Characters of a path of Windows."""

if sys.platform == "win32":

    def opened_path(descriptor: int) -> str:
        """The path of what a descriptor has open. Raises: OSError."""
        import ctypes
        import msvcrt

        text = ctypes.create_unicode_buffer(_LONGEST)
        handle = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))
        length = ctypes.windll.kernel32.GetFinalPathNameByHandleW(handle, text, _LONGEST, 0)
        if not 0 < length < _LONGEST:
            raise ctypes.WinError()
        found = text.value.removeprefix("\\\\?\\")
        return f"\\\\{found[4:]}" if found.startswith("UNC\\") else found

else:

    def opened_path(descriptor: int) -> str:
        """The path of what a descriptor has open, as Linux tells it. Raises: OSError."""
        return str(Path(f"/proc/self/fd/{descriptor}").readlink())


class PathCheckout:
    """As ``Checkout``."""

    def __init__(self, root: Path) -> None:
        self._root: Final = os.path.realpath(root)
        if not os.path.isdir(self._root):  # noqa: PTH112 - a text, as all paths here
            raise EngineUnavailableError("The repository's folder cannot be opened.")

    @contextmanager
    def folder(self, path: str) -> Iterator[PathFolder]:
        place, status = self._found(path)
        if not stat.S_ISDIR(status.st_mode):
            raise InvalidArgumentError(f"'{path}' is a file. Give the path of a directory.")
        yield PathFolder(self, place)

    @contextmanager
    def file(self, path: str) -> Iterator[int]:
        place, status = self._found(path)
        if stat.S_ISDIR(status.st_mode):
            raise InvalidArgumentError(f"'{path}' is a directory. Give the path of a file.")
        with self.opened(place, path) as descriptor:
            yield descriptor

    @contextmanager
    def opened(self, place: str, asked: str) -> Iterator[int]:
        """A regular file at a resolved path. Raises: as ``file``."""
        try:
            descriptor = os.open(place, _FILE)
        except OSError as error:
            raise refusal(error, asked) from error
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise InvalidArgumentError(f"'{asked}' is neither a regular file nor a directory.")
            try:
                place = opened_path(descriptor)
            except OSError as error:
                raise EngineUnavailableError(
                    "Files cannot be read safely: the system does not say what was opened."
                ) from error
            self.inside(place, asked)
            yield descriptor
        finally:
            os.close(descriptor)

    def resolved(self, place: str, asked: str) -> tuple[str, os.stat_result]:
        """Where a path leads, and what is there. Raises: as ``file``."""
        try:
            real = os.path.realpath(place)
            self.inside(real, asked)
            status = os.lstat(real)
        except OSError as error:
            raise refusal(error, asked) from error
        except ValueError as error:  # a name that cannot be encoded
            raise NotFoundError(f"'{asked}' does not exist.") from error
        if is_link(status):
            raise NotFoundError(f"'{asked}' is a link that leads to itself, or became one while it was opened.")
        if not stat.S_ISDIR(status.st_mode) and not stat.S_ISREG(status.st_mode):
            raise InvalidArgumentError(f"'{asked}' is neither a regular file nor a directory.")
        return real, status

    def inside(self, place: str, asked: str) -> None:
        """Raises: PathEscapeError for a resolved path outside the root, or in git's folder."""
        root, here = PurePath(os.path.normcase(self._root)), PurePath(os.path.normcase(place))
        if not here.is_relative_to(root):
            raise PathEscapeError(f"'{asked}' leads outside the repository through a link.")
        if any(is_of_git(name) for name in here.relative_to(root).parts):
            raise PathEscapeError(f"'{asked}' belongs to git itself, not to the repository's files.")

    def _found(self, path: str) -> tuple[str, os.stat_result]:
        names = components(path)
        if any(is_of_git(name) for name in names):
            raise PathEscapeError(f"'{path}' belongs to git itself, not to the repository's files.")
        if sys.platform == "win32" and any(":" in name for name in names):
            raise NotFoundError(f"'{path}' names a stream of a file. Give the path of a file.")
        return self.resolved(os.path.join(self._root, *names), path)  # noqa: PTH118


class PathFolder:
    """As ``Folder``."""

    def __init__(self, checkout: PathCheckout, place: str) -> None:
        self._checkout: Final = checkout
        self._place: Final = place

    def entries(self) -> list[Entry]:
        try:
            names = sorted(os.listdir(self._place))  # noqa: PTH208
            found = [entry for name in names if not is_of_git(name) and (entry := self._entry(name)) is not None]
            is_same = os.path.realpath(self._place) == self._place
        except OSError as error:
            raise refusal(error, PurePath(self._place).name) from error
        if not is_same:
            raise PathEscapeError("The directory became a link while it was listed.")
        return found

    def read(self, name: str, limit: int) -> bytes:
        place = self._at(name)
        try:
            if not stat.S_ISREG(os.lstat(place).st_mode):
                return b""
            with self._checkout.opened(place, name) as descriptor, open(descriptor, "rb", closefd=False) as file:
                return file.read(limit)
        except (OSError, CodeMapError):
            return b""

    @contextmanager
    def inner(self, name: str) -> Iterator[PathFolder | None]:
        place = self._at(name)
        try:
            status = os.lstat(place)
        except OSError:
            yield None
            return
        is_folder = stat.S_ISDIR(status.st_mode) and not is_link(status)
        yield PathFolder(self._checkout, place) if is_folder else None

    def _entry(self, name: str) -> Entry | None:
        place = self._at(name)
        try:
            status = os.lstat(place)
            if not is_link(status):
                return entry_of(name, status)
            return entry_of(name, self._checkout.resolved(place, name)[1], is_link=True)
        except (OSError, CodeMapError):
            return None

    def _at(self, name: str) -> str:
        return os.path.join(self._place, name)  # noqa: PTH118


def is_link(status: os.stat_result) -> bool:
    """Whether it leads elsewhere: a symbolic link, or a junction of Windows."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION
