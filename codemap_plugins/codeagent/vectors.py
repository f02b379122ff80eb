"""Vectors of an index: which symbols are alike, told by the cosine of their vectors.

Every vector of a group is compared with what is looked for, and rows that are equally like are in the order of their numbers, so that
an answer does not depend on what keeps the vectors. Only rows of one group are compared with each other.
"""

from __future__ import annotations

from typing import Final, Protocol

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_plugins.codeagent.projection import Bytes, Frequencies

_PORTION: Final = 1_024
"""Vectors that are compared at a time: as numbers they stay in the processor's cache."""
_NO_LENGTH: Final = 1e-9

Numbers = NDArray[np.int64]
Lengths = NDArray[np.float32]


class Neighbour(Struct, frozen=True):
    """``number``: of the row. ``similarity``: the cosine, 1 for the same."""

    number: int
    similarity: float


class VectorContent(Struct, frozen=True, kw_only=True):
    """Vectors to be kept. ``numbers``: of the vectors' rows, ascending. ``groups`` and ``vectors``: parallel. ``hidden``: rows of
    the baseline, ascending, that this takes the place of. ``frequencies``: what the vectors of edits need to be made alike."""

    numbers: Numbers
    groups: Bytes
    vectors: Bytes
    hidden: Numbers = msgspec.field(default_factory=lambda: np.empty(0, dtype=np.int64))
    frequencies: Frequencies = msgspec.field(default_factory=lambda: Frequencies.none(0))


class VectorHead(Struct, frozen=True, kw_only=True):
    """``model``: its version. ``identity``: of the index that the vectors were made from. ``base``: of the index whose vectors are added
    to; empty where there is none. ``rows``: of which features were counted."""

    model: str
    identity: tuple[str, ...]
    base: tuple[str, ...] = ()
    rows: int = 0


class VectorStore(Protocol):
    """Vectors that are kept beside an index, or beside a workspace: those of its edits."""

    @property
    def head(self) -> VectorHead: ...

    @property
    def hidden(self) -> Numbers: ...

    @property
    def frequencies(self) -> Frequencies: ...

    def __len__(self) -> int:
        """How many rows have a vector, be it all zeros."""
        ...

    def vector(self, number: int) -> tuple[int, Bytes] | None:
        """The group and the vector of a row; null when it has none, or one that is all zeros."""
        ...

    def near(self, group: int, asked: Bytes, without: Numbers, limit: int) -> list[Neighbour]:
        """The rows of a group most like a vector, without some rows, the likest first. A vector of zeros is like none."""
        ...


def lengths_of(vectors: Bytes) -> Lengths:
    found = np.empty(len(vectors), dtype=np.float32)
    for first in range(0, len(vectors), _PORTION):
        part = vectors[first : first + _PORTION].astype(np.float32)
        np.einsum("ij,ij->i", part, part, out=found[first : first + _PORTION])
    lengths: Lengths = np.sqrt(found)
    return lengths


def cosines_of(vectors: Bytes, lengths: Lengths, asked: Bytes) -> Lengths:
    """Of each vector with one. Up to 1,040 dimensions the products are whole numbers that a float32 holds, so that no order of adding
    gives another cosine."""
    sought = asked.astype(np.float32)
    found = np.empty(len(vectors), dtype=np.float32)
    for first in range(0, len(vectors), _PORTION):  # np.einsum, as @ would start threads
        part = vectors[first : first + _PORTION].astype(np.float32)
        np.einsum("ij,j->i", part, sought, out=found[first : first + _PORTION])
    found /= np.maximum(lengths * np.linalg.norm(sought), _NO_LENGTH)
    return found


def likest(numbers: Numbers, cosines: Lengths, limit: int) -> list[Neighbour]:
    """The rows of the highest cosines; of equal ones those with the lowest numbers. A row whose cosine is not finite is left out."""
    if len(cosines) > limit:
        least = -np.partition(-cosines, limit - 1)[limit - 1]
        places = np.flatnonzero(cosines >= least)
    else:
        places = np.arange(len(cosines))
    places = places[np.isfinite(cosines[places])]
    order = np.lexsort((numbers[places], -cosines[places]))[:limit]
    return [Neighbour(int(numbers[each]), round(float(cosines[each]), 4)) for each in places[order]]


class Vectors:
    """The vectors that a question sees: those of ``base``, with those of ``edits`` on top where there are some."""

    def __init__(self, base: VectorStore, edits: VectorStore | None = None) -> None:
        self._base: Final = base
        self._edits: Final = edits

    def __len__(self) -> int:
        return len(self._base) + (0 if self._edits is None else len(self._edits) - len(self._edits.hidden))

    def nearest(self, number: int, limit: int) -> list[Neighbour] | None:
        """The rows of its group most like one of them, without it, the likest first; null when it has no vector."""
        own = np.array([number], dtype=np.int64)
        if self._edits is None:
            asked = self._base.vector(number)
            return None if asked is None else self._base.near(*asked, own, limit)
        asked = self._edits.vector(number)
        if asked is None and number not in self._edits.hidden:
            asked = self._base.vector(number)
        if asked is None:
            return None
        kept = self._base.near(*asked, np.append(self._edits.hidden, own), limit)
        found = kept + self._edits.near(*asked, own, limit)
        return sorted(found, key=lambda each: (-each.similarity, each.number))[:limit]
