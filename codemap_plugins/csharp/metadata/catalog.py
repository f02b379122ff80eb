"""A catalog: the surfaces of many assemblies in one file, made once and read lazily.

Layout: an 8-byte magic, CRC-32 of all that follows and length of the header (``<II``), the header and chunks, each of
zlib. Directory chunks list the types of namespaces (what lookups need); surface chunks hold whole ``TypeSurface``s,
found through the directory. Types are sorted by namespace, name and assembly, so one namespace lies together. The same
assemblies give the same bytes.

A catalog is shipped with CodeMap (``baked/``) and one is cached for each folder of the user's (``reference_folders``).
A file that is not a catalog of this format raises ``CatalogError``; a cache is then rebuilt.
"""

from __future__ import annotations

import hashlib
import mmap
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from struct import Struct as Layout
from typing import TypeVar

import msgspec
from msgspec import Struct

from codemap_core.errors import CodeMapError
from codemap_core.model import SymbolKind
from codemap_plugins.csharp.metadata.surface import AssemblySurface, TypeSurface

FORMAT = 1
"""Rises with every change of the layout or of the structs of ``surface``."""

_MAGIC = b"CMLIB\0\0" + bytes([FORMAT])
_T = TypeVar("_T")
_LENGTH = Layout("<I")
_PREFIX = Layout("<II")
_PREFIX_END = 16
_CHUNK_SIZE = 128 * 1024
"""Bytes before compression at which a chunk is closed."""
_KINDS = (SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.DELEGATE)
_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}


class CatalogError(CodeMapError):
    """The file is not a catalog, or has another format. For the shipped one: reinstall CodeMap."""


class AssemblyEntry(Struct, frozen=True, array_like=True, gc=False):
    """An assembly of a catalog. ``is_framework``: part of .NET itself, seen by every project."""

    name: str
    version: tuple[int, int, int, int]
    references: tuple[str, ...] = ()
    is_framework: bool = False


class TypeEntry(Struct, frozen=True, array_like=True, gc=False):
    """A type in the directory. ``path``: its metadata name without the namespace."""

    path: str
    assembly: int
    kind: int
    flags: int
    base: str
    interfaces: tuple[str, ...]
    size: int
    """Bytes of its surface; surfaces follow each other in the order of the entries."""


class _Group(Struct, frozen=True, array_like=True, gc=False):
    """Types of one namespace whose surfaces lie in one chunk, from ``start`` on."""

    chunk: int
    start: int
    types: tuple[TypeEntry, ...]


class _NamespaceEntry(Struct, frozen=True, array_like=True, gc=False):
    name: str
    assemblies: tuple[int, ...]
    chunk: int
    start: int
    size: int


class _Header(Struct, frozen=True, array_like=True, gc=False):
    digest: str
    assemblies: tuple[AssemblyEntry, ...]
    namespaces: tuple[_NamespaceEntry, ...]
    chunks: tuple[int, ...]
    """Compressed sizes, in file order."""


class LocatedType(Struct, frozen=True, gc=False):
    """A directory entry and where its surface is."""

    entry: TypeEntry
    chunk: int
    start: int

    @property
    def kind(self) -> SymbolKind:
        return _KINDS[self.entry.kind]


class Catalog:
    """Reads a catalog. Opening costs the header; chunks are read when a lookup needs them. Not for concurrent use by
    threads; processes that fork share the pages."""

    def __init__(self, content: bytes | mmap.mmap) -> None:
        """Raises: CatalogError."""
        if len(content) < _PREFIX_END or content[:8] != _MAGIC:
            raise CatalogError("not a catalog of library types of this version")
        self._content = content
        self._checksum, length = _PREFIX.unpack_from(content, 8)
        position = _PREFIX_END + length
        try:
            header = _HEADER_DECODER.decode(zlib.decompress(content[_PREFIX_END:position]))
        except (zlib.error, msgspec.DecodeError) as error:
            raise CatalogError(f"the catalog of library types is damaged: {error}") from error
        self._bounds = []
        for size in header.chunks:
            self._bounds.append((position, position + size))
            position += size
        if position != len(content):
            raise CatalogError("the catalog of library types is truncated")
        self.digest = header.digest
        self.assemblies = header.assemblies
        self._namespaces = {entry.name: entry for entry in header.namespaces}
        self._chunks: dict[int, bytes] = {}

    @classmethod
    def open(cls, path: Path) -> Catalog:
        """Maps a file. Raises: CatalogError when it is missing or none."""
        try:
            with path.open("rb") as file:
                return cls(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError) as error:
            raise CatalogError(f"cannot read the catalog of library types {path.name}: {error}") from error

    def declaring(self, namespace: str) -> Iterator[int]:
        """Numbers of the assemblies that declare types in a namespace, or in one inside it; some more than once."""
        own = self._namespaces.get(namespace)
        if own is not None:
            yield from own.assemblies
        inside = f"{namespace}."
        names = self.namespaces
        for position in range(bisect_left(names, inside), len(names)):
            if not names[position].startswith(inside):
                break
            yield from self._namespaces[names[position]].assemblies

    @cached_property
    def namespaces(self) -> Sequence[str]:
        """Those that declare types, sorted."""
        return sorted(self._namespaces)

    def types_of(self, namespace: str) -> list[LocatedType]:
        """All types of a namespace, nested ones too, sorted by path and assembly. Raises: CatalogError."""
        entry = self._namespaces.get(namespace)
        if entry is None:
            return []
        content = self._chunk(entry.chunk)[entry.start : entry.start + entry.size]
        located = []
        for group in self._decode(_GROUPS_DECODER, content):
            start = group.start
            for type_entry in group.types:
                located.append(LocatedType(type_entry, group.chunk, start))
                start += type_entry.size
        return located

    def surface(self, located: LocatedType) -> TypeSurface:
        """The members of a type. Raises: CatalogError."""
        content = self._chunk(located.chunk)[located.start : located.start + located.entry.size]
        return self._decode(_SURFACE_DECODER, content)

    def verify(self) -> None:
        """Checks every byte (1 ms a megabyte). Raises: CatalogError when the file is damaged."""
        if zlib.crc32(memoryview(self._content)[12:]) != self._checksum:
            raise CatalogError("the catalog of library types is damaged: wrong checksum")

    def _chunk(self, number: int) -> bytes:
        chunk = self._chunks.get(number)
        if chunk is None:
            start, end = self._bounds[number]
            try:
                chunk = self._chunks[number] = zlib.decompress(self._content[start:end])
            except zlib.error as error:
                raise CatalogError(f"the catalog of library types is damaged: {error}") from error
        return chunk

    @staticmethod
    def _decode(decoder: msgspec.msgpack.Decoder[_T], content: bytes) -> _T:
        try:
            return decoder.decode(content)
        except msgspec.DecodeError as error:
            raise CatalogError(f"the catalog of library types is damaged: {error}") from error


_HEADER_DECODER = msgspec.msgpack.Decoder(_Header)
_GROUPS_DECODER = msgspec.msgpack.Decoder(tuple[_Group, ...])
_SURFACE_DECODER = msgspec.msgpack.Decoder(TypeSurface)


class _ChunkWriter:
    """Packs pieces into chunks."""

    def __init__(self, level: int) -> None:
        self._level = level
        self.chunks: list[bytes] = []
        self._open = bytearray()

    def add(self, piece: bytes) -> tuple[int, int]:
        """Appends a piece; its chunk and place in it."""
        if self._open and len(self._open) + len(piece) > _CHUNK_SIZE:
            self.close()
        start = len(self._open)
        self._open += piece
        return len(self.chunks), start

    def close(self) -> None:
        if self._open:
            self.chunks.append(zlib.compress(bytes(self._open), self._level))
            self._open = bytearray()


def encode_catalog(
    assemblies: Iterable[AssemblySurface], framework: frozenset[str] = frozenset(), level: int = 4
) -> bytes:
    """The catalog of these assemblies, of which at most one has each name. ``framework``: names of those that are part
    of .NET itself. ``level``: zlib's, which changes the size alone."""
    ordered = sorted(assemblies, key=lambda assembly: assembly.name)
    entries = tuple(AssemblyEntry(a.name, a.version, a.references, a.name in framework) for a in ordered)
    types = sorted(
        (*_split(surface.name), number, surface)
        for number, assembly in enumerate(ordered)
        for surface in assembly.types
    )
    encoder = msgspec.msgpack.Encoder()
    surfaces, directory = _ChunkWriter(level), _ChunkWriter(level)
    digest = hashlib.sha256(encoder.encode((FORMAT, entries)))
    namespaces = []
    for namespace, members in groupby(types, key=lambda item: item[0]):
        groups: list[tuple[int, int, list[TypeEntry]]] = []
        owners = set()
        for _, path, number, surface in members:
            content = encoder.encode(surface)
            digest.update(content)
            chunk, start = surfaces.add(content)
            if not groups or groups[-1][0] != chunk:
                groups.append((chunk, start, []))
            kind = _KIND_NUMBER[surface.kind]
            entry = TypeEntry(path, number, kind, surface.flags, surface.base, surface.interfaces, len(content))
            groups[-1][2].append(entry)
            owners.add(number)
        namespaces.append((namespace, tuple(sorted(owners)), groups))
    surfaces.close()
    listed = []
    for namespace, numbers, groups in namespaces:
        content = encoder.encode([_Group(chunk, start, tuple(found)) for chunk, start, found in groups])
        digest.update(content)
        chunk, start = directory.add(content)
        listed.append(_NamespaceEntry(namespace, numbers, len(surfaces.chunks) + chunk, start, len(content)))
    directory.close()
    chunks = [*surfaces.chunks, *directory.chunks]
    sizes = tuple(len(content) for content in chunks)
    header = zlib.compress(encoder.encode(_Header(digest.hexdigest()[:16], entries, tuple(listed), sizes)), level)
    rest = b"".join([_LENGTH.pack(len(header)), header, *chunks])
    return _MAGIC + _LENGTH.pack(zlib.crc32(rest)) + rest


def _split(name: str) -> tuple[str, str]:
    """Namespace and path of a metadata name."""
    outer, plus, nested = name.partition("+")
    namespace, _, first = outer.rpartition(".")
    return namespace, first + plus + nested
