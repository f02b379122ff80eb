"""Symbols that are like one another: vectors of an index, made when they are first asked for and kept beside it. Of a workspace, the
vectors of what its edits concern are kept beside it, and all others are its baseline's: rows that no refresh has replaced have the same
numbers in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from codemap_core.model import SymbolKind
from codemap_core.storage import bulk_rows
from codemap_core.storage.data_directory import vectors_beside
from codemap_plugins.codeagent.features import features_of
from codemap_plugins.codeagent.vectors import VectorContent, VectorFile, Vectors, frequencies_of, project

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

MODEL: Final = "codemap-structural-2"
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


def vectors_of(snapshot: Snapshot, committed: Snapshot | None) -> Vectors | None:
    """The vectors of a snapshot, if they have been made. ``committed``: of the same commit, without edits; null where there is none."""
    found = _file_of(snapshot)
    if found is None or not found.base:
        return Vectors(found) if found is not None else None
    base = _file_of(committed) if committed is not None else None
    return Vectors(base, found) if base is not None and base.identity == found.base else None


def build_vectors(
    snapshot: Snapshot, committed: Snapshot | None = None, check: Callable[[], None] = lambda: None
) -> Vectors:
    """The vectors of a snapshot, which are made unless they are there. Of a workspace whose baseline is ``committed``, those of what its
    edits concern are made, on top of the baseline's. ``check`` is called meanwhile, and raises to stop. Raises: OSError."""
    found = vectors_of(snapshot, committed)
    if found is not None:
        return found
    base = None
    if committed is not None and is_baseline_of(committed, snapshot):
        build_vectors(committed, None, check)
        base = _file_of(committed)
    content = _all_vectors(snapshot, check) if committed is None or base is None else _edited(snapshot, committed, base)
    path = vectors_beside(snapshot.reader.path)
    VectorFile.write(path, MODEL, _state_of(snapshot), content, base.identity if base is not None else ())
    made = vectors_of(snapshot, committed)
    if made is None:
        raise OSError(f"{path} cannot be read")
    return made


def is_baseline_of(committed: Snapshot, snapshot: Snapshot) -> bool:
    """Whether a snapshot is of a workspace that shows edits of that commit."""
    return snapshot.workspace_id is not None and committed.identity[:-2] == snapshot.identity[:-2]


def _state_of(snapshot: Snapshot) -> tuple[str, ...]:
    """Of two workspaces that had the same name and number of refreshes, one is older."""
    workspace = snapshot.workspace
    return (
        snapshot.identity if workspace is None else (*snapshot.identity, workspace.created_at, workspace.refreshed_at)
    )


def _file_of(snapshot: Snapshot) -> VectorFile | None:
    found = VectorFile.open(vectors_beside(snapshot.reader.path))
    return found if found is not None and (found.model, found.identity) == (MODEL, _state_of(snapshot)) else None


def _all_vectors(snapshot: Snapshot, check: Callable[[], None]) -> VectorContent:
    symbols = bulk_rows.declared(snapshot.reader)
    features = features_of(snapshot.reader, symbols, check)
    frequencies = frequencies_of(features, len(symbols))
    return VectorContent(
        numbers=np.array([symbol.row for symbol in symbols], dtype=np.int64),
        groups=np.array([_group(symbol.kind) for symbol in symbols], dtype=np.int8),
        vectors=project(features, len(symbols), frequencies),
        frequencies=frequencies,
    )


def _edited(snapshot: Snapshot, committed: Snapshot, base: VectorFile) -> VectorContent:
    """Vectors of the symbols whose rows a refresh has replaced, and of the types that contain such."""
    now, before = bulk_rows.owners(snapshot.reader), bulk_rows.owners(committed.reader)
    replaced = {each.path for each in snapshot.workspace.replaced} if snapshot.workspace is not None else set()
    files = {number for number, path in snapshot.reader.edges.paths.items() if path in replaced}
    fresh = [row for row, owner in now.items() if owner[1] in files or before.get(row) != owner]
    gone = [row for row, owner in before.items() if now.get(row) != owner]
    ids = committed.reader.edges.ids_of(bulk_rows.numbers_at(committed.reader, gone))
    concerned = bulk_rows.numbers_at(snapshot.reader, fresh) | set(
        snapshot.reader.edges.numbers_of(ids.values()).values()
    )
    symbols = bulk_rows.declared(snapshot.reader, concerned)
    around = {symbol.container for symbol in symbols if symbol.container is not None}
    symbols = bulk_rows.declared(snapshot.reader, concerned | around)
    features = features_of(snapshot.reader, symbols, is_part=True)
    vectors = project(features, len(symbols), base.frequencies)
    rows = set(fresh)
    kept = [place for place, symbol in enumerate(symbols) if symbol.row in rows or symbol.number in concerned]
    numbers = np.array([symbols[place].row for place in kept], dtype=np.int64)
    return VectorContent(
        numbers=numbers,
        groups=np.array([_group(symbols[place].kind) for place in kept], dtype=np.int8),
        vectors=vectors[kept],
        hidden=np.array(sorted(before.keys() & {*gone, *numbers.tolist()}), dtype=np.int64),
    )
