"""The container of .NET metadata: PE file, CLI header, metadata root and its streams (ECMA-335 II.24 and II.25).

Input is untrusted. Whatever is wrong with it, the one exception is ``BadImageFormatError``; every bound is checked
against the bytes at hand, so work is linear in the size of the file.
"""

from __future__ import annotations

from struct import Struct as Layout
from struct import unpack_from

from codemap_core.errors import CodeMapError

_DIRECTORY = Layout("<II")
_CLI_DIRECTORY = 14
_MAX_STREAMS = 64


class BadImageFormatError(CodeMapError):
    """The bytes are not an assembly: not a PE file, without CLI metadata (a native library), truncated, or corrupt."""


def metadata_streams(data: bytes) -> dict[str, memoryview]:
    """The metadata streams of a PE image by name (``#~``, ``#Strings``, ``#Blob``, …).

    Raises: BadImageFormatError when ``data`` holds no CLI metadata; struct.error and IndexError when it ends too early,
    which the caller (``ecma335.read_assembly``) turns into the same.
    """
    view = memoryview(data)
    root = view[_metadata_offset(data) :]
    if bytes(root[:4]) != b"BSJB":
        raise BadImageFormatError("no metadata signature: not a .NET assembly")
    (version_length,) = unpack_from("<I", root, 12)
    if version_length > 256:
        raise BadImageFormatError("metadata version string is too long: the assembly is corrupt")
    position = 16 + version_length
    (count,) = unpack_from("<xxH", root, position)
    position += 4
    if count > _MAX_STREAMS:
        raise BadImageFormatError("too many metadata streams: the assembly is corrupt")
    streams: dict[str, memoryview] = {}
    for _ in range(count):
        offset, size = _DIRECTORY.unpack_from(root, position)
        name = bytes(root[position + 8 : position + 40]).split(b"\0", 1)[0].decode("ascii", "replace")
        position += 8 + (len(name) // 4 + 1) * 4
        if offset + size > len(root):
            raise BadImageFormatError(f"stream {name} ends outside the file: the assembly is truncated")
        streams.setdefault(name, root[offset : offset + size])
    return streams


def _metadata_offset(data: bytes) -> int:
    """File offset of the metadata root."""
    if data[:2] != b"MZ":
        raise BadImageFormatError("not a PE file")
    (pe,) = unpack_from("<I", data, 0x3C)
    if data[pe : pe + 4] != b"PE\0\0":
        raise BadImageFormatError("no PE signature")
    section_count, optional_size = unpack_from("<H12xH", data, pe + 6)
    optional = pe + 24
    (magic,) = unpack_from("<H", data, optional)
    directories = optional + {0x10B: 96, 0x20B: 112}.get(magic, 0)
    if directories == optional:
        raise BadImageFormatError("unknown PE optional header")
    (directory_count,) = unpack_from("<I", data, directories - 4)
    if directory_count <= _CLI_DIRECTORY:
        raise BadImageFormatError("a native library: no CLI header")
    cli_rva, _ = _DIRECTORY.unpack_from(data, directories + 8 * _CLI_DIRECTORY)
    if cli_rva == 0:
        raise BadImageFormatError("a native library: no CLI header")
    first_section = optional + optional_size
    sections = [unpack_from("<8xIIII", data, first_section + 40 * index) for index in range(section_count)]

    def file_offset(rva: int) -> int:
        for virtual_size, virtual_address, raw_size, raw_offset in sections:
            if virtual_address <= rva < virtual_address + max(virtual_size, raw_size):
                return int(rva - virtual_address + raw_offset)
        raise BadImageFormatError("an address lies outside every section: the assembly is corrupt")

    metadata_rva, _ = _DIRECTORY.unpack_from(data, file_offset(cli_rva) + 8)
    return file_offset(metadata_rva)
