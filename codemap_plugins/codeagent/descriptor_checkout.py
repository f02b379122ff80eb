"""A checkout where folders can be opened relative to an open folder, as on Linux and macOS.

A path is walked from the root's descriptor one component at a time, and no component is followed that is a link (``O_NOFOLLOW``). Links
are read and walked by the same rules, so that one which stays inside is followed and one which leaves the root, by ``..`` or as an
absolute path, is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import Final

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_plugins.codeagent.checkout import MAX_LINKS, Entry, components, entry_of, is_of_git, refusal
from codemap_plugins.codeagent.failures import EngineUnavailableError, PathEscapeError

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


class DescriptorCheckout:
    """As ``Checkout``."""

    def __init__(self, root: Path) -> None:
        self._root: Final = root
        self._absolute: Final = PurePosixPath(root.as_posix())

    @contextmanager
    def folder(self, path: str) -> Iterator[DescriptorFolder]:
        with _Walk(self._root, self._absolute) as walk:
            if walk.to(components(path), path) is not None:
                raise InvalidArgumentError(f"'{path}' is a file. Give the path of a directory.")
            yield DescriptorFolder(walk)

    @contextmanager
    def file(self, path: str) -> Iterator[int]:
        with _Walk(self._root, self._absolute) as walk:
            found = walk.to(components(path), path)
            if found is None:
                raise InvalidArgumentError(f"'{path}' is a directory. Give the path of a file.")
            yield found


class DescriptorFolder:
    """As ``Folder``."""

    def __init__(self, walk: _Walk) -> None:
        self._walk: Final = walk

    def entries(self) -> list[Entry]:
        found = []
        for name in sorted(os.listdir(self._walk.here)):  # noqa: PTH208 - of a descriptor
            if not is_of_git(name) and (entry := self._entry(name)) is not None:
                found.append(entry)
        return found

    def read(self, name: str, limit: int) -> bytes:
        try:
            descriptor = os.open(name, _FILE, dir_fd=self._walk.here)
        except OSError:
            return b""
        with os.fdopen(descriptor, "rb") as file:
            return file.read(limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""

    @contextmanager
    def inner(self, name: str) -> Iterator[DescriptorFolder | None]:
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
                return entry_of(name, status)
            with self._walk.fork() as walk:
                found = walk.to([name], name)
                return entry_of(name, os.fstat(walk.here if found is None else found), is_link=True)
        except (OSError, NotFoundError, PathEscapeError, InvalidArgumentError):
            return None


class _Walk:
    """Open folders from the root to where a walk has come. Use it in a ``with``."""

    def __init__(self, root: Path, absolute: PurePosixPath) -> None:
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
                raise refusal(error, asked) from error
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
