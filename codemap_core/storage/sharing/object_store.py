"""Where shared files are kept: a folder, or whatever fsspec reaches by a URL (``s3://bucket/codemap``).

An object is named by a path of plain components. In a folder it appears whole or not at all; elsewhere a writer that dies may leave half of
one, so that whoever reads checks what was read. What lies there was written by others, names included: a name of another form is not seen.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, Protocol
from urllib.parse import urlsplit, urlunsplit

from codemap_core.errors import CodeMapError, InvalidArgumentError, StorageError
from codemap_core.storage.files.durable_files import TEMPORARY_SUFFIX, put_in_place, temporary_file

_NAME: Final = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)*", re.ASCII)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]+(::|://)", re.IGNORECASE)
EXTRA: Final = "codemap[cache]"


class ObjectStore(Protocol):
    """Methods raise StorageError when the store cannot be reached or refuses."""

    @property
    def location(self) -> str:
        """Where it is, as messages may show it: without a password."""

    def names(self, folder: str) -> list[str]:
        """Of all objects below a folder, sorted; none where there is no such folder."""

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Raises also: FileNotFoundError."""

    def put(self, name: str, content: Path) -> None:
        """Stores a file's content, in place of what has this name."""

    def remove(self, name: str) -> None:
        """Removes an object, if there is one."""


def open_store(location: str) -> ObjectStore:
    """``location``: a folder, which need not exist, or a URL. Raises: InvalidArgumentError when no driver for it is installed."""
    if location.lower().startswith("file://"):
        location = urlsplit(location).path
    if not _SCHEME.match(location):
        return FolderStore(Path(os.path.abspath(Path(location).expanduser())))  # noqa: PTH100 - links that the user chose stay
    return _RemoteStore(location)


class FolderStore:
    def __init__(self, root: Path) -> None:
        self._root: Final = root

    @property
    def location(self) -> str:
        return str(self._root)

    def names(self, folder: str) -> list[str]:
        start = self._root / folder
        try:
            found = [path for path in start.rglob("*") if path.is_file() and not path.is_symlink()]
        except OSError as error:
            raise _failure(self.location, error) from error
        names = (path.relative_to(self._root).as_posix() for path in found)
        return sorted(name for name in names if _NAME.fullmatch(name) and TEMPORARY_SUFFIX not in name)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with (self._root / name).open("rb") as file:
                yield file
        except FileNotFoundError:
            raise
        except OSError as error:
            raise _failure(self.location, error) from error

    def put(self, name: str, content: Path) -> None:
        target = self._root / name
        copy = temporary_file(target)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(content, copy)
            put_in_place(copy, target)
        except OSError as error:
            raise _failure(self.location, error) from error
        finally:
            _remove_quietly(copy)

    def remove(self, name: str) -> None:
        try:
            (self._root / name).unlink(missing_ok=True)
        except OSError as error:
            raise _failure(self.location, error) from error


class _RemoteStore:
    """Whatever fsspec has a driver for."""

    def __init__(self, url: str) -> None:
        self._url: Final = url
        try:
            import fsspec.core
        except ImportError as error:
            raise InvalidArgumentError(
                f"The shared cache {self.location} is reached through fsspec: install it with pip install '{EXTRA}', or name a folder."
            ) from error
        with self._reported():
            system, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
        self._system: Final[Any] = system
        self._root: Final = str(root).rstrip("/")

    @property
    def location(self) -> str:
        split = urlsplit(self._url)
        return urlunsplit(split._replace(netloc=split.netloc.rpartition("@")[2], query="", fragment=""))

    def names(self, folder: str) -> list[str]:
        with self._reported():
            try:
                found = self._system.find(f"{self._root}/{folder}")
            except FileNotFoundError:
                return []
        start = f"{self._root}/"
        names = (str(path)[len(start) :] for path in found if str(path).startswith(start))
        return sorted(name for name in names if _NAME.fullmatch(name))

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        with self._reported(), self._system.open(f"{self._root}/{name}", "rb") as file:
            yield file

    def put(self, name: str, content: Path) -> None:
        path = f"{self._root}/{name}"
        with self._reported():
            try:
                try:
                    self._system.put_file(str(content), path)
                except FileNotFoundError:  # its folders are missing, where the store has folders
                    self._make_folders(name)
                    self._system.put_file(str(content), path)
            except FileNotFoundError as error:
                raise _failure(self.location, error) from error

    def _make_folders(self, name: str) -> None:
        """Those of an object, but not where all objects lie: a mistake in a URL should make no bucket."""
        folder = self._root
        for part in name.split("/")[:-1]:
            folder = f"{folder}/{part}"
            with suppress(FileExistsError):
                self._system.mkdir(folder, create_parents=False)

    def remove(self, name: str) -> None:
        with self._reported():
            try:
                self._system.rm_file(f"{self._root}/{name}")
            except FileNotFoundError:
                return

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Drivers raise whatever their libraries do."""
        try:
            yield
        except (CodeMapError, FileNotFoundError):
            raise
        except (ImportError, ValueError) as error:
            raise InvalidArgumentError(f"The shared cache {self.location} cannot be used: {error}") from error
        except Exception as error:
            raise _failure(self.location, error) from error


def _failure(location: str, error: Exception) -> StorageError:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return StorageError(f"The shared cache {location} cannot be used ({said}).", location=location)


def _remove_quietly(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:  # the folder cannot be written, so there is no copy
        return
