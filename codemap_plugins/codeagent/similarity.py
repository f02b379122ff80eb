"""Symbols that are like one another: vectors of an index, made when they are first asked for and kept beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from codemap_core.model import SymbolKind
from codemap_core.storage import bulk_rows
from codemap_core.storage.data_directory import vectors_beside
from codemap_plugins.codeagent.features import features_of
from codemap_plugins.codeagent.vectors import VectorFile, project

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

MODEL: Final = "codemap-structural-1"
"""A change of what features or vectors are takes another name, so that files that were made before are made again."""
_TYPES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_type)
_CODE: Final = frozenset(
    each.value
    for each in (
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.OPERATOR,
        SymbolKind.PROPERTY,
        SymbolKind.INDEXER,
    )
)


def _group(kind: str) -> int:
    """Types are compared with types, code with code, data with data."""
    return 0 if kind in _TYPES else 1 if kind in _CODE else 2


def vector_file(snapshot: Snapshot) -> VectorFile | None:
    """The vectors of an index, if they have been made."""
    found = VectorFile.open(vectors_beside(snapshot.reader.path))
    return found if found is not None and (found.model, found.identity) == (MODEL, snapshot.identity) else None


def build_vectors(snapshot: Snapshot, check: Callable[[], None] = lambda: None) -> VectorFile | None:
    """The vectors of an index, which are made unless they are there; null for one without symbols. ``check`` is called meanwhile,
    and raises to stop. Raises: OSError."""
    found = vector_file(snapshot)
    if found is not None:
        return found
    symbols = bulk_rows.declared(snapshot.reader)
    vectors = project(features_of(snapshot.reader, symbols, check), len(symbols))
    numbers = np.array([symbol.row for symbol in symbols], dtype=np.int64)
    groups = np.array([_group(symbol.kind) for symbol in symbols], dtype=np.int8)
    VectorFile.write(vectors_beside(snapshot.reader.path), MODEL, snapshot.identity, numbers, groups, vectors)
    return vector_file(snapshot)
