"""What git remembers of the files that it has checked out or added: the blob of each, and the stat that the file had when its content was
that blob. Read from git's index file (gitformat-index(5), versions 2 to 4); no git process runs.

Invariant: an entry is left out wherever it proves nothing: a conflict, a file that was written as late as the index itself, or an index
whose entries are kept elsewhere or are of a version not known here. What is left out has to be read.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final, NamedTuple

_HEADER: Final = struct.Struct(">4sLL")
_STAT: Final = struct.Struct(">10L")
_FLAGS: Final = struct.Struct(">H")
_LOW: Final = 0xFFFFFFFF
_EXTENDED: Final = 0x4000
_STAGE: Final = 0x3000
_SPLIT: Final = b"link"
_SECOND: Final = 1_000_000_000


class FileStat(NamedTuple):
    """The parts of a stat that git keeps: times in nanoseconds, size and inode modulo 2³². ``inode`` is 0 where the platform has none."""

    modified: int
    changed: int
    size: int
    inode: int


def file_stat(modified: int, changed: int, size: int, inode: int) -> FileStat:
    """From the values of ``os.stat_result``, times in nanoseconds."""
    return FileStat(modified, changed, size & _LOW, inode & _LOW)


class StagedFile(NamedTuple):
    """``blob_id``: hexadecimal. ``stat``: of the file when it was known to hold that blob."""

    blob_id: str
    stat: FileStat


def read_staged_files(index: Path, hash_size: int = 20) -> dict[str, StagedFile]:
    """By path, the entries of an index file that prove something; none when it cannot be read. ``hash_size``: bytes of an object id,
    32 in a repository of format sha256."""
    try:
        written = index.stat().st_mtime_ns
        data = index.read_bytes()
        return _entries(data, written, hash_size)
    except (OSError, struct.error, ValueError):
        return {}


def _entries(data: bytes, written: int, hash_size: int) -> dict[str, StagedFile]:
    signature, version, count = _HEADER.unpack_from(data)
    if signature != b"DIRC" or version not in (2, 3, 4):
        return {}
    found: dict[str, StagedFile] = {}
    position = _HEADER.size
    path = b""
    for _ in range(count):
        start = position
        changed, changed_part, modified, modified_part, _, inode, _, _, _, size = _STAT.unpack_from(data, start)
        name = start + _STAT.size + hash_size + _FLAGS.size
        (flags,) = _FLAGS.unpack_from(data, name - _FLAGS.size)
        if flags & _EXTENDED:
            name += _FLAGS.size
        if version == 4:
            dropped, name = _offset(data, name)
            end = data.index(b"\0", name)
            path = path[: len(path) - dropped] + data[name:end]
            position = end + 1
        else:
            end = data.index(b"\0", name)
            path = data[name:end]
            position = start + (end - start + 8 & ~7)
        modified_at = modified * _SECOND + modified_part
        if flags & _STAGE or modified_at >= written:
            continue
        blob_id = data[start + _STAT.size : start + _STAT.size + hash_size].hex()
        stat = FileStat(modified_at, changed * _SECOND + changed_part, size, inode)
        found[path.decode("utf-8", "surrogateescape")] = StagedFile(blob_id, stat)
    return {} if _SPLIT in _extensions(data, position, hash_size) else found


def _offset(data: bytes, position: int) -> tuple[int, int]:
    """A number of variable length as git packs it (gitformat-pack(5), offset encoding), and where it ends."""
    byte = data[position]
    value = byte & 127
    while byte & 128:
        position += 1
        byte = data[position]
        value = (value + 1 << 7) | (byte & 127)
    return value, position + 1


def _extensions(data: bytes, position: int, hash_size: int) -> set[bytes]:
    names = set()
    while position + 8 <= len(data) - hash_size:
        name, size = struct.unpack_from(">4sL", data, position)
        names.add(name)
        position += 8 + size
    return names
