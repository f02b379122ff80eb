"""Files that no language analyses: rows of those that are text, for search. Binary ones have no row, so that no index tells that they were
looked at; the unit cache does, by their contents, and they are not read again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from codemap_core.model import Blob, DocumentRow, DocumentStatus
from codemap_core.pipeline.cached_analysis import CachedAnalysis
from codemap_core.repository import DECODING, RepositoryFiles, decode_text, language_of
from codemap_core.storage.sharing.unit_cache import UnitCache

_BINARY: Final = msgspec.msgpack.encode(CachedAnalysis(b"", 0, DocumentStatus.SKIPPED, (), False))


def text_documents(files: RepositoryFiles, blobs: Sequence[Blob], cache: UnitCache | None) -> Iterator[DocumentRow]:
    """Rows of those that are text. ``cache``: which says what is known to be binary, and is told what is found to be; null to read every
    file."""
    keys = {blob.path: _key(blob) for blob in blobs} if cache is not None else {}
    known = cache.get_many(keys.values()) if cache is not None else {}
    by_path = {blob.path: blob for blob in blobs if keys.get(blob.path) not in known}
    binary: dict[bytes, bytes] = {}
    for path, content in files.read_many(by_path):
        decoded = decode_text(content)
        if not decoded.is_binary:
            blob, text = by_path[path], decoded.text
            yield DocumentRow(
                file_path=path,
                sha256=hashlib.sha256(content).hexdigest(),
                blob_id=blob.blob_id,
                language=language_of(path),
                projects=(),
                line_count=text.count("\n") + (1 if text and not text.endswith("\n") else 0),
                size=blob.size,
                status=DocumentStatus.TEXT,
                problems=decoded.problems,
                text=text,
            )
        elif cache is not None:
            binary[keys[path]] = _BINARY
    if cache is not None and binary:
        cache.put_many(binary)


def _key(blob: Blob) -> bytes:
    """What it is cached under that a content is binary."""
    return hashlib.sha256(f"{blob.blob_id}\0{DECODING}\0binary".encode()).digest()
