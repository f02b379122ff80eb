"""Files of the checkout, and nothing beyond it: the sandbox that every path of a client goes through.

Two ways of opening keep the same promises: ``descriptor_checkout`` where the system can open relative to an open folder, and
``path_checkout`` elsewhere.

Invariants: a link that stays inside is followed, and one that leaves the root is refused; what is checked is the descriptor that is then
read, so exchanging a file for a link meanwhile gains nothing; nothing of git's own folder is opened, whatever its name is spelt like;
neither is anything that is not a regular file or a folder; a descriptor is closed when its ``with`` ends.
"""

from __future__ import annotations

import errno
import stat
import unicodedata
from contextlib import AbstractContextManager
from enum import StrEnum
from os import stat_result
from typing import Final, Protocol

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_plugins.codeagent.failures import PathEscapeError

MAX_PATH: Final = 4_096
"""Characters."""
MAX_LINKS: Final = 40
"""Links of one path, as Linux has it."""
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


class Checkout(Protocol):
    """The work tree under a folder. Keeps nothing open."""

    def folder(self, path: str) -> AbstractContextManager[Folder]:
        """The folder at a path relative to the root; empty for the root. Raises: NotFoundError, PathEscapeError, InvalidArgumentError."""
        ...

    def file(self, path: str) -> AbstractContextManager[int]:
        """A descriptor of the regular file at a path relative to the root. Raises: as ``folder``."""
        ...


class Folder(Protocol):
    """An open folder of a checkout."""

    def entries(self) -> list[Entry]:
        """Files and folders in it, by name; links by what they lead to, and left out when they lead outside or nowhere. Raises:
        PathEscapeError where it became a link meanwhile."""
        ...

    def read(self, name: str, limit: int) -> bytes:
        """Up to ``limit`` bytes of a file in it that is not a link; nothing when there is none."""
        ...

    def inner(self, name: str) -> AbstractContextManager[Folder | None]:
        """A folder in it; null when it has gone or become a link."""
        ...


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


def entry_of(name: str, status: stat_result, *, is_link: bool = False) -> Entry | None:
    """Null for what is neither a file nor a folder."""
    if stat.S_ISDIR(status.st_mode):
        return Entry(name, EntryType.DIRECTORY, is_link=is_link)
    return Entry(name, EntryType.FILE, status.st_size, is_link) if stat.S_ISREG(status.st_mode) else None


def refusal(error: OSError, asked: str) -> NotFoundError | PathEscapeError | InvalidArgumentError:
    """What to raise for an error of the system."""
    if error.errno == errno.ELOOP:
        return PathEscapeError(f"'{asked}' became a link while it was opened.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return InvalidArgumentError(f"'{asked}' cannot be read: the server has no permission to.")
    return NotFoundError(f"'{asked}' does not exist.")
