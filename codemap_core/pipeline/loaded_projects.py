"""What project loaders give, kept beside the units of analysed files: a loader that is built in is asked again only where files came or
went, or one that it read holds something else that may matter.

Invariant: what is taken from there is what the loader would give. It decides by the paths of the repository's files and the contents of
those that it reads; the key says which loader it is, by its release and fingerprint, and for which part and solution.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from functools import partial
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import JudgesContents, ProjectLoader
from codemap_core.hooks.registry import Owner
from codemap_core.model import ProjectGraph
from codemap_core.pipeline.apart import asked_apart
from codemap_core.pipeline.guard import ExtractionFailure, RowError
from codemap_core.pipeline.recorded_files import RecordedFiles
from codemap_core.repository import RepositoryFiles
from codemap_core.storage.sharing.unit_cache import UnitCache

_FORMAT: Final = 1
_QUICKLY: Final = 1


class LoadedProjects(Struct, frozen=True, array_like=True):
    """``read``: the files whose contents the loader asked for, with their blob ids; an empty one for what was not there."""

    graph: ProjectGraph
    read: tuple[tuple[str, str], ...]


_encode: Final = msgspec.msgpack.encode
_decode: Final = msgspec.msgpack.Decoder(LoadedProjects).decode


def load(
    loader: ProjectLoader, owner: Owner, files: RepositoryFiles, solution: str, cache: UnitCache | None
) -> tuple[LoadedProjects | None, ExtractionFailure | None]:
    """What a loader gives, or what was wrong. ``cache``: where it is kept; null where it is asked in any case."""
    key = _key(loader, owner, files, solution) if cache is not None and owner.built_in else b""
    known = _known(cache, key) if cache is not None and key else None
    if known is not None and not any(
        decides(loader, owner, known.graph, path, files) for path in _changed(known, files)
    ):
        return known, None
    data, failure = asked_apart(owner, loader.name, partial(_asked, loader, files, solution), "load")
    if failure is not None:
        return None, failure
    if cache is not None and key:
        cache.put_many({key: zlib.compress(data, _QUICKLY)})
    return _decode(data), None


def decides(loader: ProjectLoader, owner: Owner, graph: ProjectGraph, path: str, files: RepositoryFiles) -> bool:
    """Whether what a file that the loader has read holds now, or held when it gave ``graph``, may decide something about projects."""
    if not isinstance(loader, JudgesContents) or any(path == project.project_path for project in graph.projects):
        return True
    judging = loader

    def judged() -> bytes:
        return b"yes" if judging.may_matter(path, files.read(path)) else b"no"

    answer, _ = asked_apart(owner, loader.name, judged, "may_matter")
    return answer != b"no"


def _key(loader: ProjectLoader, owner: Owner, files: RepositoryFiles, solution: str) -> bytes:
    fingerprint = str(getattr(loader, "fingerprint", ""))
    parts = f"{_FORMAT}", owner.distribution, owner.version, loader.name, fingerprint, solution
    digest = hashlib.sha256("\0".join(("projects", *parts)).encode("utf-8", "surrogatepass"))
    for paths in (files.all_paths, files.paths if len(files.paths) != len(files.all_paths) else ()):
        digest.update(b"\0\0" + "\0".join(paths).encode("utf-8", "surrogatepass"))
    return digest.digest()


def _known(cache: UnitCache, key: bytes) -> LoadedProjects | None:
    data = cache.get_many((key,)).get(key)
    try:
        return _decode(zlib.decompress(data)) if data is not None else None
    except (zlib.error, msgspec.MsgspecError):
        return None


def _changed(known: LoadedProjects, files: RepositoryFiles) -> Iterable[str]:
    return (path for path, blob_id in known.read if _blob_id(files, path) != blob_id)


def _blob_id(files: RepositoryFiles, path: str) -> str:
    blob = files.blob(path)
    return blob.blob_id if blob is not None else ""


def _asked(loader: ProjectLoader, files: RepositoryFiles, solution: str) -> bytes:
    """Every field of its type. Raises: RowError."""
    recorded = RecordedFiles(files)
    graph: object = loader.load(recorded, solution or None)
    if not isinstance(graph, ProjectGraph):
        raise RowError(f"it returned {type(graph).__name__}, not a ProjectGraph")
    try:
        data = _encode(
            LoadedProjects(graph, tuple((path, _blob_id(files, path)) for path in sorted(recorded.read_paths)))
        )
        _decode(data)
        return data
    except (TypeError, ValueError) as error:
        raise RowError(f"it returned a project that cannot be stored: {error}") from error
