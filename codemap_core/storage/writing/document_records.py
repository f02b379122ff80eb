"""What an index keeps of how its rows came to be, so that another state of the repository can take them over: of each document as one
project compiles it, what it was made from and showed to others, and the notes that its extractors left; and the rows that they concluded.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Container, Iterable
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct


class DocumentRecord(Struct, frozen=True, array_like=True, gc=False):
    key: bytes = b""
    """Under which its unit is cached; empty for a file of no language."""
    surface: bytes = b""
    """An encoded ``Surface``; empty where its language shows none."""
    symbols: int = 0
    """How many rows it gave, repeated ones counted."""
    references: int = 0
    notes: tuple[tuple[str, bytes], ...] = ()
    """(extractor, encoded notes)."""


_decode: Final = msgspec.msgpack.Decoder(DocumentRecord).decode
_RECORDS: Final = """
SELECT coalesce(projects.project_path, ''), files.path, data FROM document_records
JOIN files ON files.id = file_id LEFT JOIN projects ON projects.id = project_id
"""
_DIGESTS: Final = "SELECT extractor, files.path, digest FROM conclusions JOIN files ON files.id = file_id"
_CONCLUDED: Final = """
SELECT extractor, files.path, data FROM json_each(?) asked JOIN files ON files.path = asked.value
JOIN conclusions ON conclusions.file_id = files.id
"""
_COMPRESSION: Final = 1
"""Names and ids are repeated in nearly every row: the fastest leaves a twentieth."""


_LIBRARIES: Final = """
SELECT s.symbol_id FROM json_each(?) asked JOIN symbol_ids s ON s.symbol_id = asked.value JOIN library_symbols l ON l.id = s.id
"""
_DECLARING: Final = """
SELECT s.symbol_id, f.path FROM json_each(?) asked JOIN symbol_ids s ON s.symbol_id = asked.value
JOIN symbols d ON d.symbol = s.id JOIN files f ON f.id = d.file_id
"""
_NEEDED: Final = """
WITH own AS (SELECT id FROM files WHERE path IN (SELECT value FROM json_each(?))),
declared AS (SELECT DISTINCT symbol FROM symbols WHERE file_id IN own)
SELECT s.symbol_id FROM declared d JOIN symbol_ids s ON s.id = d.symbol WHERE d.symbol IN (
    SELECT base FROM library_bases WHERE base IN declared
    UNION ALL SELECT container FROM library_symbols WHERE container IN declared)
    OR EXISTS (SELECT 1 FROM refs r WHERE r.to_symbol = d.symbol AND r.file_id NOT IN own)
"""


def needed_of(connection: sqlite3.Connection, paths: Iterable[str]) -> set[str]:
    """Ids that documents declare, and rows of other documents or of libraries need. Raises: sqlite3.Error."""
    listed = msgspec.json.encode(sorted(paths)).decode()
    return {symbol_id for (symbol_id,) in connection.execute(_NEEDED, (listed,))}


def not_known(connection: sqlite3.Connection, symbol_ids: Iterable[str], kept: Container[str]) -> list[str]:
    """Those of the ids that no document of ``kept`` declares, by its path, and about which no library's metadata is stored. Raises:
    sqlite3.Error."""
    asked = list(symbol_ids)
    described = {each for (each,) in connection.execute(_LIBRARIES, (msgspec.json.encode(asked).decode(),))}
    asked = [each for each in asked if each not in described]
    found = connection.execute(_DECLARING, (msgspec.json.encode(asked).decode(),))
    declared = {symbol_id for symbol_id, path in found if path in kept}
    return [each for each in asked if each not in declared]


def digest_of(rows: bytes) -> bytes:
    """Of the encoded rows of a document that one extractor concluded."""
    return blake2b(rows, digest_size=8).digest()


def pack_rows(rows: bytes) -> bytes:
    """Encoded rows as they are stored."""
    return zlib.compress(rows, _COMPRESSION)


def concluded_rows(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[str, dict[str, bytes]]:
    """The encoded rows that extractors concluded of documents, by extractor and path. Raises: sqlite3.Error."""
    found: dict[str, dict[str, bytes]] = {}
    listed = msgspec.json.encode(sorted(paths)).decode()
    for extractor, path, data in connection.execute(_CONCLUDED, (listed,)):
        try:
            found.setdefault(extractor, {})[path] = zlib.decompress(data)
        except zlib.error as error:
            raise sqlite3.DatabaseError(f"concluded rows of {path} cannot be read") from error
    return found


def encode_record(record: DocumentRecord) -> bytes:
    return msgspec.msgpack.encode(record)


class Recorded(Struct, frozen=True):
    """``documents``: by the path of the project, empty for a file that none compiles, and of the file. ``conclusions``: digests of
    concluded rows, by the extractor and the path of the document that owns them."""

    documents: dict[tuple[str, str], DocumentRecord]
    conclusions: dict[str, dict[str, bytes]]


def read_records(connection: sqlite3.Connection) -> Recorded | None:
    """Everything that an index keeps; null when it cannot be read."""
    try:
        documents = {(project, path): _decode(data) for project, path, data in connection.execute(_RECORDS)}
        conclusions: dict[str, dict[str, bytes]] = {}
        for extractor, path, digest in connection.execute(_DIGESTS):
            conclusions.setdefault(extractor, {})[path] = digest
        return Recorded(documents, conclusions)
    except (sqlite3.Error, msgspec.MsgspecError):
        return None
