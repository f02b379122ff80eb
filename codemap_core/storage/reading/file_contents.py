"""What the content of each indexed file is, looked up once for each file: an index does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from codemap_core.storage.reading.prepared import Prepared, given
from codemap_core.storage.schema import baseline_tables as t


class FileContent(NamedTuple):
    """``digest``: SHA-256, empty where the content was not read. ``size`` in bytes. ``blob_id``: git's."""

    digest: str
    size: int
    blob_id: str


_CONTENTS: Final = Prepared(
    select(t.File.path, t.File.sha256, t.File.size, t.File.blob_id).where(t.File.path.in_(given("paths")))
)


class FileContents:
    """Asks one index. ``reading`` gives a connection."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading: Final = reading
        self._known: Final[dict[str, FileContent]] = {}

    def of(self, file_paths: Iterable[str]) -> dict[str, FileContent]:
        """By path, for those that are indexed."""
        wanted = dict.fromkeys(file_paths)
        missing = [path for path in wanted if path not in self._known]
        if missing:
            with self._reading() as connection:
                for path, *content in _CONTENTS.rows(connection, paths=missing):
                    self._known[path] = FileContent(*content)
        return {path: self._known[path] for path in wanted if path in self._known}
