"""Analysed files in one file, to be shared with the index that was made from them: for each its key, and its length and bytes.

What a pack holds is as trustworthy as who packed it. It is read within bounds, and what cannot be read ends the reading.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Final

from codemap_core.storage.files.durable_files import written
from codemap_core.storage.files.examine import open_read_only
from codemap_core.storage.sharing.unit_cache import MAX_UNIT, UnitCache
from codemap_core.storage.writing.document_records import read_records

_HEAD: Final = struct.Struct(">32sI")
_BATCH: Final = 256


def pack_units(index: Path, cache: UnitCache, target: Path) -> int:
    """Writes the units that a complete index was made from, as far as the cache has them; answers how many. Raises: StorageError."""
    try:
        with open_read_only(index) as connection:
            recorded = read_records(connection)
    except sqlite3.Error:
        recorded = None
    keys = iter(sorted({record.key for record in recorded.documents.values() if record.key}) if recorded else ())
    count = 0
    with written(target) as write:
        while batch := list(islice(keys, _BATCH)):
            for key, unit in cache.get_many(batch).items():
                write(_HEAD.pack(key, len(unit)) + unit)
                count += 1
    return count


def unpack_units(pack: Path, cache: UnitCache, is_readable: Callable[[bytes], bool]) -> int:
    """Keeps the units of a pack as shared ones, those that ``is_readable`` allows; answers how many."""
    count = 0
    with pack.open("rb") as file:
        units = _units(file)
        while batch := dict(islice(units, _BATCH)):
            readable = {key: unit for key, unit in batch.items() if is_readable(unit)}
            cache.put_shared(readable)
            count += len(readable)
    return count


def _units(file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        key, length = _HEAD.unpack(head)
        if length > MAX_UNIT or len(unit := file.read(length)) < length:
            return
        yield key, unit
