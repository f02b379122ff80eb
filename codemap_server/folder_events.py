"""What Linux tells of changes in folders, without a look at the files in them.

An event is there before the call that caused it returns, and events come in order: so whoever asks after a change hears of it. Told are not
changes through a mapping of memory before its file is closed, nor those by another name of the same file outside these folders: a look at
the files themselves must find these later.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inotify_simple import INotify

_NO_WATCH: Final = -1
_LOCAL: Final = frozenset({"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"})
"""File systems that nobody but this system changes. Of what others change, as over a network, it tells nothing."""


class FolderEvents:
    """Not for several threads at once."""

    def __init__(self, notifier: INotify, folders: Mapping[str, int]) -> None:
        """``folders``: with the number of their watch; none where there was no such folder."""
        self._notifier: Final = notifier
        self._folders: Final = folders
        self._by_watch: Final = {watch: folder for folder, watch in folders.items() if watch != _NO_WATCH}

    @classmethod
    def of(cls, root: str, folders: Iterable[str]) -> FolderEvents | None:
        """Events of everything directly in these folders, from now on: absolute paths, of ``root`` and below it. Null where not all of that
        is told: on another system, for another file system, or because there are too many folders or no permission to read one."""
        if sys.platform != "linux" or not _is_local(root):
            return None
        from inotify_simple import INotify, flags

        mask = flags.MODIFY | flags.ATTRIB | flags.CLOSE_WRITE | flags.CREATE | flags.DELETE
        mask |= flags.MOVED_FROM | flags.MOVED_TO | flags.DELETE_SELF | flags.MOVE_SELF
        mask |= flags.ONLYDIR | flags.DONT_FOLLOW
        try:
            notifier = INotify()
        except OSError:
            return None
        watched: dict[str, int] = {}
        for folder in folders:
            try:
                watched[folder] = notifier.add_watch(folder, mask)
            except (FileNotFoundError, NotADirectoryError):
                watched[folder] = _NO_WATCH  # the folder that it would be in tells when it comes
            except OSError:
                notifier.close()
                return None
        return cls(notifier, watched)

    def since_last(self) -> frozenset[str] | None:
        """Absolute paths of what may look otherwise than when this was last asked: folders, and what is in them. Null where that is not
        known: too much has happened, or one of the folders is another one now."""
        from inotify_simple import flags

        lost = flags.Q_OVERFLOW | flags.UNMOUNT | flags.IGNORED | flags.DELETE_SELF | flags.MOVE_SELF
        found: set[str] = set()
        for event in self._notifier.read(timeout=0):
            folder = self._by_watch.get(event.wd)
            if folder is None or event.mask & lost:
                return None
            place = f"{folder}/{event.name}" if event.name else folder
            if event.name and event.mask & flags.ISDIR and place in self._folders:
                return None
            found.update((folder, place))
        return frozenset(found)

    def close(self) -> None:
        self._notifier.close()


def _is_local(root: str) -> bool:
    """Whether a folder, and whatever is mounted in it, is on file systems that tell of every change."""
    try:
        mounts = dict(mounts_in(Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")))
    except (OSError, ValueError):
        return False
    folder = Path(root).resolve()
    around = next((kind for place in (folder, *folder.parents) if (kind := mounts.get(str(place)))), "")
    inside = [kind for place, kind in mounts.items() if folder in Path(place).parents]
    return _LOCAL.issuperset([around, *inside])


def mounts_in(table: str) -> Iterator[tuple[str, str]]:
    """Where something is mounted, and the type of its file system; see proc_pid_mountinfo(5)."""
    for line in table.splitlines():
        fields = line.split(" ")
        place = fields[4].encode("utf-8", "surrogateescape").decode("unicode_escape")
        yield place.encode("latin-1").decode("utf-8", "surrogateescape"), fields[fields.index("-") + 1]
