"""Where library types come from on this machine: folders the user names, cached as catalogs, and the catalog shipped
with CodeMap."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from codemap_plugins.csharp.metadata.catalog import FORMAT, Catalog, CatalogError, encode_catalog
from codemap_plugins.csharp.metadata.ecma335 import MAX_SIZE, read_assembly
from codemap_plugins.csharp.metadata.image import BadImageFormatError
from codemap_plugins.csharp.metadata.library_types import LibraryTypes
from codemap_plugins.csharp.metadata.surface import AssemblySurface

_LOG = logging.getLogger(__name__)
_SHIPPED = Path(__file__).parent / "baked" / "libraries.catalog"


@cache
def shipped_catalog() -> Catalog:
    """The catalog shipped with CodeMap. Raises: CatalogError when it is missing or damaged: reinstall CodeMap."""
    return Catalog.open(_SHIPPED)


def library_types(folders: Sequence[str | Path] = (), cache_folder: Path | None = None) -> LibraryTypes:
    """Library types from the user's folders of assemblies (``CODEMAP_REFERENCES``) and the shipped catalog.

    ``cache_folder``: where catalogs of folders are kept (``CODEMAP_HOME/cache/metadata``); null reads the assemblies
    every time. A folder that does not exist, and files that are not assemblies, are logged and skipped; folders are not
    searched deeper. Raises: CatalogError when the shipped catalog is damaged.
    """
    catalogs = [folder_catalog(Path(folder), cache_folder) for folder in folders]
    return LibraryTypes([*(catalog for catalog in catalogs if catalog is not None), shipped_catalog()])


def folder_catalog(folder: Path, cache_folder: Path | None) -> Catalog | None:
    """The catalog of one folder's ``*.dll``, from the cache while names, sizes and times of its files are the same."""
    files = _assembly_files(folder)
    if not files:
        _LOG.warning("no assemblies in reference folder %s", folder)
        return None
    if cache_folder is None:
        return Catalog(encode_catalog(read_assemblies(path for path, _, _ in files)))
    key = hashlib.sha256(repr((FORMAT, [(str(path), size, time) for path, size, time in files])).encode()).hexdigest()[
        :32
    ]
    cached = cache_folder / f"{key}.catalog"
    try:
        catalog = Catalog.open(cached)
        catalog.verify()
        return catalog
    except CatalogError:
        pass
    content = encode_catalog(read_assemblies(path for path, _, _ in files))
    try:
        _write_atomically(cached, content)
    except OSError as error:
        _LOG.warning("cannot cache the library types of %s: %s", folder, error)
    return Catalog(content)


def read_assemblies(paths: Iterable[Path]) -> list[AssemblySurface]:
    """The assemblies of these files that can be read, the highest version of each name; what is none is logged and
    skipped."""
    highest: dict[str, AssemblySurface] = {}
    for path in paths:
        try:
            surface = read_assembly(path.read_bytes())
        except (BadImageFormatError, OSError) as error:
            _LOG.info("%s is not read: %s", path, error)
            continue
        held = highest.get(surface.name)
        if held is None or surface.version > held.version:
            highest[surface.name] = surface
    return list(highest.values())


def _assembly_files(folder: Path) -> list[tuple[Path, int, int]]:
    """(path, size, time in ns) of the folder's assemblies, sorted."""
    files = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.lower().endswith(".dll") and entry.is_file():
                    status = entry.stat()
                    if status.st_size <= MAX_SIZE:
                        files.append((Path(entry.path), status.st_size, status.st_mtime_ns))
    except OSError as error:
        _LOG.warning("cannot read reference folder %s: %s", folder, error)
    return sorted(files)


def _write_atomically(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
