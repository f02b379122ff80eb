"""Symbols that are like one another: vectors of an index, made when they are first asked for and kept beside it. Of a workspace, the
vectors of what its edits concern are kept beside it, and all others are its baseline's: rows that no refresh has replaced have the same
numbers in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from codemap_core.config import Settings
from codemap_core.model.documentation_id import METHOD_PREFIX, PROPERTY_PREFIX, TYPE_PREFIX
from codemap_core.storage.files.beside import vectors_beside
from codemap_core.storage.reading import bulk_rows
from codemap_core.storage.reading.bulk_rows import Declared
from codemap_core.storage.reading.reader import IndexReader
from codemap_plugins.codeagent.projection import Bytes, Frequencies
from codemap_plugins.codeagent.sentence_model import SentenceModel
from codemap_plugins.codeagent.structural_model import StructuralModel
from codemap_plugins.codeagent.vector_store import open_vectors, write_vectors
from codemap_plugins.codeagent.vectors import VectorContent, VectorHead, Vectors, VectorStore

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

_CODE: Final = (METHOD_PREFIX, PROPERTY_PREFIX)


def _group(symbol: Declared) -> int:
    """Types are compared with types, code with code, data with data."""
    return 0 if symbol.prefix == TYPE_PREFIX else 1 if symbol.prefix in _CODE else 2


class EmbeddingModel(Protocol):
    """What makes vectors. ``name``: what a client is told. ``version``: of the vectors that it makes."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def vectors(
        self, reader: IndexReader, symbols: list[Declared], corpus: Frequencies | None, check: Callable[[], None]
    ) -> tuple[Bytes, Frequencies]:
        """As ``StructuralModel.vectors``."""
        ...


def model_of(settings: Settings) -> EmbeddingModel:
    """The model that the user has named, else the built-in one."""
    if settings.embedding_model:
        return SentenceModel(settings.embedding_model, settings.models_directory)
    return StructuralModel()


class Similarity:
    """Vectors of indexes by one model."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model: Final = model

    def vectors(self, snapshot: Snapshot, committed: Snapshot | None = None) -> Vectors | None:
        """The vectors of a snapshot, if they have been made. ``committed``: of the same commit, without edits; null where there is none."""
        found = self._file(snapshot)
        if found is None or not found.head.base:
            return Vectors(found) if found is not None else None
        base = self._file(committed) if committed is not None else None
        return Vectors(base, found) if base is not None and base.head.identity == found.head.base else None

    def build(
        self, snapshot: Snapshot, committed: Snapshot | None = None, check: Callable[[], None] = lambda: None
    ) -> Vectors:
        """The vectors of a snapshot, which are made unless they are there. Of a workspace whose baseline is ``committed``, those of what
        its edits concern are made, on top of the baseline's. ``check`` is called meanwhile, and raises to stop. Raises: OSError;
        EngineUnavailableError where the model is not there."""
        found = self.vectors(snapshot, committed)
        if found is not None:
            return found
        base = None
        if committed is not None and _is_baseline_of(committed, snapshot):
            self.build(committed, None, check)
            base = self._file(committed)
        if committed is None or base is None:
            content = self._all(snapshot, check)
        else:
            content = self._edited(snapshot, committed, base, check)
        path = vectors_beside(snapshot.reader.path)
        head = VectorHead(
            model=self._model.version,
            identity=_state_of(snapshot),
            base=base.head.identity if base is not None else (),
            rows=content.frequencies.rows,
        )
        write_vectors(path, head, content)
        made = self.vectors(snapshot, committed)
        if made is None:
            raise OSError(f"{path} cannot be read")
        return made

    def _file(self, snapshot: Snapshot) -> VectorStore | None:
        found = open_vectors(vectors_beside(snapshot.reader.path))
        expected = (self._model.version, _state_of(snapshot))
        return found if found is not None and (found.head.model, found.head.identity) == expected else None

    def _all(self, snapshot: Snapshot, check: Callable[[], None]) -> VectorContent:
        symbols = bulk_rows.declared(snapshot.reader)
        vectors, frequencies = self._model.vectors(snapshot.reader, symbols, None, check)
        return VectorContent(
            numbers=np.array([symbol.row for symbol in symbols], dtype=np.int64),
            groups=np.array([_group(symbol) for symbol in symbols], dtype=np.int8),
            vectors=vectors,
            frequencies=frequencies,
        )

    def _edited(
        self, snapshot: Snapshot, committed: Snapshot, base: VectorStore, check: Callable[[], None]
    ) -> VectorContent:
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
        vectors, _ = self._model.vectors(snapshot.reader, symbols, base.frequencies, check)
        rows = set(fresh)
        kept = [place for place, symbol in enumerate(symbols) if symbol.row in rows or symbol.number in concerned]
        numbers = np.array([symbols[place].row for place in kept], dtype=np.int64)
        return VectorContent(
            numbers=numbers,
            groups=np.array([_group(symbols[place]) for place in kept], dtype=np.int8),
            vectors=vectors[kept],
            hidden=np.array(sorted(before.keys() & {*gone, *numbers.tolist()}), dtype=np.int64),
        )


def _is_baseline_of(committed: Snapshot, snapshot: Snapshot) -> bool:
    """Whether a snapshot is of a workspace that shows edits of that commit."""
    return snapshot.workspace_id is not None and committed.identity[:-2] == snapshot.identity[:-2]


def _state_of(snapshot: Snapshot) -> tuple[str, ...]:
    """Of two workspaces that had the same name and number of refreshes, one is older."""
    workspace = snapshot.workspace
    return (
        snapshot.identity if workspace is None else (*snapshot.identity, workspace.created_at, workspace.refreshed_at)
    )
