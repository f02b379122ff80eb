"""Indexes that machines share, in an object store: each under its repository, commit and scope, and under what it was built with.

    {repo_id}/{commit}/{scope}/{key}.json       the entry: what there is, and the digests of its files
    {repo_id}/{commit}/{scope}/{sha256}.gz      a file of it, named by the digest of its content

Files are stored before the entry that names them, and are never changed, so that several writers need not know of each other. Nothing
here is believed: a file is taken over when its size and digest are those of its entry, and whoever takes it over examines what it says.
Entries are JSON, indexes are SQLite files; neither can name code.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from codemap_core.config import IndexScope
from codemap_core.errors import StorageError
from codemap_core.storage.files.durable_files import written
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.library_places import changed_place
from codemap_core.storage.sharing.object_store import ObjectStore

FORMAT: Final = 2
_CHUNK: Final = 1 << 20
_MAX_ENTRY: Final = 4 << 20
_GZIP: Final = 31
"""``wbits`` of zlib for a gzip file."""

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
CopiedCallback = Callable[[int, int], None]
"""Called with the bytes that were copied and those of the whole file; may raise to stop."""


class DamagedEntryError(StorageError):
    """What the cache holds is not what it says; the message is a clause that says why."""


class SharedFile(Struct, frozen=True):
    """``size``: bytes of its content; ``stored``: bytes that it takes in the store."""

    sha256: Digest
    size: Annotated[int, Meta(ge=0)]
    stored: Annotated[int, Meta(ge=0)]


class SharedIndex(Struct, frozen=True, kw_only=True):
    """An entry. ``units``: the analysed files that the index was made from, null where none were kept."""

    format: int
    repo_id: str
    commit_sha: str
    subtree: str
    solution: str
    fingerprint: str
    library_places: Mapping[str, str]
    codemap_version: str
    created_at: str
    symbol_count: int
    file_count: int
    index: SharedFile
    units: SharedFile | None = None

    @property
    def scope(self) -> IndexScope:
        return IndexScope(self.subtree, self.solution)

    @property
    def stored(self) -> int:
        return self.index.stored + (self.units.stored if self.units is not None else 0)

    def is_for(self, fingerprint: str) -> bool:
        """Whether this program would build the same here."""
        return self.fingerprint == fingerprint and changed_place(self.library_places) is None


class SharedCache:
    """Methods raise StorageError when the store cannot be reached or refuses."""

    def __init__(self, store: ObjectStore) -> None:
        self._store: Final = store

    @property
    def location(self) -> str:
        return self._store.location

    def entries(self, repo_id: str, commit: str = "") -> Iterator[SharedIndex]:
        """What is shared of a repository, or of one full commit of it. Entries that cannot be understood are passed over."""
        folder = f"{repo_id}/{commit}" if commit else repo_id
        for name in self._store.names(folder):
            if name.endswith(".json"):
                entry = self._read(name)
                if entry is not None and _entry_name(entry) == name:
                    yield entry

    def commits(self, repo_id: str) -> frozenset[str]:
        """Full ids of commits of which something is shared."""
        return frozenset(name.split("/")[1] for name in self._store.names(repo_id) if name.count("/") == 3)

    def find(self, repo_id: str, commit: str, scope: IndexScope, fingerprint: str) -> SharedIndex | None:
        """The index that this program would build here of a part of a full commit."""
        for entry in self.entries(repo_id, commit):
            if entry.commit_sha == commit and entry.scope == scope and entry.is_for(fingerprint):
                return entry
        return None

    def fetch(self, entry: SharedIndex, file: SharedFile, target: Path, copied: CopiedCallback) -> None:
        """Writes a file of an entry to ``target``. Raises also: DamagedEntryError."""
        digest = hashlib.sha256()
        size = 0
        try:
            with self._store.open(_file_name(entry, file)) as source, written(target) as write:
                for part in _unpacked(source):
                    size += len(part)
                    if size > file.size:
                        raise DamagedEntryError("a file is larger than its entry says")
                    digest.update(part)
                    write(part)
                    copied(size, file.size)
        except FileNotFoundError as error:
            raise DamagedEntryError("a file of it is missing") from error
        if digest.hexdigest() != file.sha256:
            raise DamagedEntryError("a file has another digest than its entry says")

    def store(self, info: IndexInfo, index: Path, units: Path | None, copied: CopiedCallback) -> SharedIndex:
        """Shares an index, and the analysed files that it was made from."""
        folder = _folder(info.repo_id, info.commit_sha, IndexScope(info.subtree, info.solution))
        with TemporaryDirectory(prefix="codemap-") as temporary:
            packed = Path(temporary) / "packed"
            shared = [None if each is None else self._put(folder, each, packed, copied) for each in (index, units)]
            assert shared[0] is not None
            entry = SharedIndex(
                format=FORMAT,
                repo_id=info.repo_id,
                commit_sha=info.commit_sha,
                subtree=info.subtree,
                solution=info.solution,
                fingerprint=info.fingerprint,
                library_places=info.library_places,
                codemap_version=info.codemap_version,
                created_at=info.created_at,
                symbol_count=info.symbol_count,
                file_count=info.file_count,
                index=shared[0],
                units=shared[1],
            )
            packed.write_bytes(msgspec.json.encode(entry))
            self._store.put(_entry_name(entry), packed)
        return entry

    def forget(self, entry: SharedIndex) -> None:
        """Removes an entry and its files."""
        self._store.remove(_entry_name(entry))
        for file in (entry.index, entry.units):
            if file is not None:
                self._store.remove(_file_name(entry, file))

    def _put(self, folder: str, path: Path, packed: Path, copied: CopiedCallback) -> SharedFile:
        digest = hashlib.sha256()
        size = 0
        total = path.stat().st_size
        packer = zlib.compressobj(1, wbits=_GZIP)
        with path.open("rb") as source, packed.open("wb") as sink:
            while part := source.read(_CHUNK):
                digest.update(part)
                size += len(part)
                sink.write(packer.compress(part))
                copied(size, total)
            sink.write(packer.flush())
        file = SharedFile(digest.hexdigest(), size, packed.stat().st_size)
        self._store.put(f"{folder}/{file.sha256}.gz", packed)
        return file

    def _read(self, name: str) -> SharedIndex | None:
        with suppress(FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            with self._store.open(name) as file:
                content = file.read(_MAX_ENTRY)
            entry = msgspec.json.decode(content, type=SharedIndex)
            if entry.format == FORMAT:
                return entry
        return None


def _unpacked(source: IO[bytes]) -> Iterator[bytes]:
    """The content of a stored file, in parts of bounded size."""
    unpacker = zlib.decompressobj(_GZIP)
    try:
        while packed := source.read(_CHUNK):
            while packed:
                yield unpacker.decompress(packed, _CHUNK)
                packed = unpacker.unconsumed_tail
        yield unpacker.flush()
    except zlib.error as error:
        raise DamagedEntryError(str(error)) from error


def _folder(repo_id: str, commit: str, scope: IndexScope) -> str:
    return f"{repo_id}/{commit}/{'whole' if scope.is_whole else scope.digest}"


def _entry_name(entry: SharedIndex) -> str:
    made_with = msgspec.json.encode((entry.fingerprint, entry.library_places), order="deterministic")
    key = hashlib.sha256(made_with).hexdigest()[:24]
    return f"{_folder(entry.repo_id, entry.commit_sha, entry.scope)}/{key}.json"


def _file_name(entry: SharedIndex, file: SharedFile) -> str:
    return f"{_folder(entry.repo_id, entry.commit_sha, entry.scope)}/{file.sha256}.gz"
