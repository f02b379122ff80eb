"""What a working tree looks like: a mark of HEAD, and the stat of every indexed file, of the folders they lie in and of those where git
tracks nothing yet, so that new files are found too.

A stat of everything takes tens of milliseconds in a large tree. Where the system tells of every change (``folder_events``), only the places
that it told of are looked at, and everything now and then or when events were lost.
Invariant: a look sees every change that was made before it began, except for those of which the system does not tell; these are seen within
``TRUSTED_SECONDS``.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Final

from msgspec import Struct

from codemap_core.repository import Repository
from codemap_server.folder_events import FolderEvents

TRUSTED_SECONDS: Final = 20.0
"""After a look at everything."""

Stat = tuple[int, int, int, int] | None
"""Times of modification and change in nanoseconds, size, and number; null for what cannot be read."""


class Seen(Struct, frozen=True):
    """Equal where nothing has changed. ``head``: see ``Repository.head_state``."""

    head: bytes | None
    stats: tuple[Stat, ...]
    """Of each place."""


class TreeLooks:
    """Safe to use from several threads."""

    def __init__(self, repository: Repository) -> None:
        self._repository: Final = repository
        self._lock: Final = threading.Lock()
        self._events: FolderEvents | None = None
        self._is_told = True
        """Whether it makes sense to listen."""
        self._stats: tuple[Stat, ...] = ()
        self._numbers: dict[str, int] = {}
        """Of each place, where events are told."""
        self._looked_at = 0.0
        """At everything."""
        self.folders: tuple[str, ...] = ()
        self.places: tuple[str, ...] = ()
        """What a look looks at: ``folders``, then files; absolute."""

    def follow(self, folders: tuple[str, ...], files: tuple[str, ...]) -> bool:
        """Looks at these absolute paths from now on; whether they are other ones."""
        with self._lock:
            if (*folders, *files) == self.places:
                return False
            self.folders, self.places = folders, (*folders, *files)
            self._is_told = True
            self._look_at_all()
            return True

    def look(self) -> Seen:
        """Raises nothing: what cannot be read is seen as missing."""
        with self._lock:
            told = self._events.since_last() if self._events is not None else None
            if told is None or time.monotonic() - self._looked_at > TRUSTED_SECONDS:
                self._look_at_all(again=told is None)
            elif told:
                stats = list(self._stats)
                for place in told & self._numbers.keys():
                    stats[self._numbers[place]] = _stat(place)
                self._stats = tuple(stats)
            return Seen(self._repository.head_state(), self._stats)

    def close(self) -> None:
        with self._lock:
            self._is_told = False
            self._end_listening()

    def _look_at_all(self, again: bool = True) -> None:
        """``again``: listens again, from now on."""
        self._looked_at = time.monotonic()
        if again and self._is_told:
            self._end_listening()
            if self.places:
                self._events = FolderEvents.of(str(self._repository.root), self.folders)
                self._is_told = self._events is not None
                self._numbers = {place: number for number, place in enumerate(self.places)} if self._is_told else {}
        self._stats = tuple(map(_stat, self.places))

    def _end_listening(self) -> None:
        if self._events is not None:
            self._events.close()
            self._events = None


def _stat(place: str) -> Stat:
    try:
        status = os.lstat(place)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
