"""An index as the pipeline continues it: its documents, projects and records. The database library is not loaded for it; where a reader
has the index open already, that one is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codemap_core.errors import IndexNotAvailableError
from codemap_core.model import DocumentRow, Project
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.examine import IndexInfo, examine_baseline, note_damage, open_read_only
from codemap_core.storage.reading import stored_documents
from codemap_core.storage.writing.document_records import Recorded, concluded_rows, needed_of, not_known, read_records

if TYPE_CHECKING:  # it takes long to import
    from codemap_core.storage.reading.reader import IndexReader

_REFERRED_LIBRARIES: Final = (
    "SELECT ids.symbol_id FROM library_symbols AS known JOIN symbol_ids AS ids USING (id) "
    "WHERE EXISTS (SELECT 1 FROM refs WHERE to_symbol = known.id) "
    "OR EXISTS (SELECT 1 FROM refs WHERE constructor = known.id) "
    "OR EXISTS (SELECT 1 FROM refs WHERE from_symbol = known.id) "
    "OR EXISTS (SELECT 1 FROM relations WHERE to_symbol = known.id)"
)
"""The owner of a fact is declared in a document, unless the fact was concluded: then libraries have been described before."""


class EarlierIndex:
    """Methods raise CorruptIndexError."""

    def __init__(self, info: IndexInfo, connect: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        self.info: Final = info
        self._connect: Final = connect

    @classmethod
    def read_by(cls, reader: IndexReader) -> EarlierIndex:
        """One that is open already."""
        return cls(reader.info, reader.below)

    def documents(self) -> tuple[DocumentRow, ...]:
        """All documents without their text, in path order."""
        with self._connect() as connection:
            return tuple(stored_documents.documents(connection))

    def projects(self) -> tuple[Project, ...]:
        """In path order; ``files`` are the indexed ones."""
        with self._connect() as connection:
            return stored_documents.projects(connection)

    def texts(self, file_paths: Collection[str]) -> dict[str, str]:
        """The decoded texts of those documents that have one, by path."""
        with self._connect() as connection:
            return stored_documents.texts(connection, file_paths) if file_paths else {}

    def count_symbols(self, file_paths: Iterable[str]) -> int:
        """Symbols that some documents declare; of paths that are not in the index none."""
        with self._connect() as connection:
            return stored_documents.count_symbols(connection, file_paths)

    def first_declaring(self, file_paths: Iterable[str]) -> set[str]:
        """Paths of the documents with the rows of partial symbols that documents of these paths go on with."""
        with self._connect() as connection:
            return stored_documents.first_declaring(connection, file_paths)

    def records(self) -> Recorded | None:
        """What is kept of how the rows came to be; null when it cannot be read."""
        with self._connect() as connection:
            return read_records(connection)

    def concluded(self, file_paths: Iterable[str]) -> dict[str, dict[str, bytes]]:
        """The encoded rows that extractors concluded of some documents, by the extractor's label and the path."""
        with self._connect() as connection:
            return concluded_rows(connection, file_paths)

    def needed_of(self, file_paths: Iterable[str]) -> set[str]:
        """Ids that some documents declare, and rows of other documents or of libraries need; of paths that are not in the index none."""
        with self._connect() as connection:
            return needed_of(connection, file_paths)

    def not_known(self, symbol_ids: Iterable[str], kept: Container[str]) -> list[str]:
        """Those of the ids that no document of ``kept`` declares, by its path, and about which no library's metadata is stored."""
        with self._connect() as connection:
            return not_known(connection, symbol_ids, kept)

    def referred_libraries(self) -> tuple[str, ...]:
        """Ids of the symbols of libraries that rows refer to."""
        with self._connect() as connection:
            return tuple(symbol_id for (symbol_id,) in connection.execute(_REFERRED_LIBRARIES))


@contextmanager
def open_earlier(path: Path) -> Iterator[EarlierIndex]:
    """The baseline at a path. Raises: IndexNotAvailableError when there is none, CorruptIndexError."""
    found = examine_baseline(path)
    if not found.is_ready or found.info is None:
        raise IndexNotAvailableError(f"The index {path} cannot be continued: {found.problem or found.state.value}.")
    try:
        with open_read_only(path) as connection:
            yield EarlierIndex(found.info, lambda: nullcontext(connection))
    except sqlite3.DatabaseError as error:
        note_damage(path, error)
        raise CorruptIndexError(
            f"The index {path} is damaged ({error}): run 'codemap index' to build it again.", path=str(path)
        ) from error
