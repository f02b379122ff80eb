"""Vectors of an index, in a file beside it: which symbols are alike, told in milliseconds at any size.

A vector of the built-in model is a sparse random projection of weighted features (Achlioptas 2003): every feature adds to a few of the
dimensions that its hash chooses, weighed by how rare it is. Vectors are kept as bytes, and as the signs of their dimensions: what is
looked for is compared with the signs of all vectors first, then with the bytes of those that fit best (cosine).

The file: a line of JSON, then arrays, each at a multiple of ``_PAGE`` bytes. It is written whole or not at all, and mapped, so that a
server that was never asked holds nothing of it. The file of a workspace has the vectors of what its edits concern, and says which
vectors of its baseline they hide.

Invariant: only rows of one group are compared with each other.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_core.storage.files.durable_files import TEMPORARY_SUFFIX
from codemap_plugins.codeagent.features import Features, Hashes

DIMENSIONS: Final = 384
"""Of the built-in model."""
_SPREAD: Final = 4
"""Dimensions that one feature adds to."""
_RARITY: Final = 0.75
"""Less than 1: what only the neighbours in a type share does not outweigh everything else."""
_PORTION: Final = 4_096
"""Vectors that are made at a time."""
_CANDIDATES: Final = 3_200
"""Vectors whose bytes are compared."""
_PAGE: Final = 4_096
_STEPS: Final = 127
_BITS: Final = 8
_SIGNS_OF_BYTE: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1
"""For each byte its bits, the highest first, as -1 or 1."""

Bytes = NDArray[np.int8]
Signs = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Counts = NDArray[np.int32]


class Neighbour(Struct, frozen=True):
    """``number``: of the row. ``similarity``: the cosine, 1 for the same."""

    number: int
    similarity: float


class Frequencies(Struct, frozen=True):
    """How many of ``rows`` have a feature. ``hashes``: of the features, ascending; ``counts``: parallel."""

    rows: int
    hashes: Hashes
    counts: Counts

    @classmethod
    def none(cls, rows: int) -> Frequencies:
        return cls(rows, np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32))

    def of(self, hashes: Hashes) -> Counts:
        """0 for a feature that none has."""
        if not len(self.hashes):
            return np.zeros(len(hashes), dtype=np.int32)
        at = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[at] == hashes, self.counts[at], 0).astype(np.int32)


def frequencies_of(features: Features, rows: int) -> Frequencies:
    order = np.argsort(features.hashes)
    counts = np.bincount(features.features, minlength=len(features.hashes)).astype(np.int32)
    return Frequencies(rows, features.hashes[order], counts[order])


def project(features: Features, count: int, corpus: Frequencies) -> Bytes:
    """A vector for each of ``count`` rows; ``corpus`` says how rare features are. A row without features that others have is all zeros."""
    own = np.bincount(features.features, minlength=len(features.hashes))
    frequency = np.maximum(own, corpus.of(features.hashes))
    rarity = np.where(frequency > 1, np.log1p(corpus.rows / np.maximum(frequency, 1)) ** _RARITY, 0.0).astype(
        np.float32
    )
    dimensions, signs = _directions(features.hashes)
    weights = features.weights * rarity[features.features]
    starts = np.searchsorted(features.rows, np.arange(0, count + _PORTION, _PORTION))
    made = np.zeros((count, DIMENSIONS), dtype=np.int8)
    for portion, first in enumerate(range(0, count, _PORTION)):
        here = slice(starts[portion], starts[portion + 1])
        size = min(_PORTION, count - first)
        cells = (features.rows[here] - first)[:, None].astype(np.int64) * DIMENSIONS + dimensions[
            features.features[here]
        ]
        values = weights[here][:, None] * signs[features.features[here]]
        dense = np.bincount(cells.ravel(), weights=values.ravel(), minlength=size * DIMENSIONS)
        made[first : first + size] = as_bytes(dense.reshape(size, DIMENSIONS))
    return made


def as_bytes(vectors: NDArray[Any]) -> Bytes:
    """Each vector scaled so that its largest dimension is a full byte."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    scaled: Bytes = np.rint(vectors / np.maximum(largest, 1e-12) * _STEPS).astype(np.int8)
    return scaled


def padded(vectors: Bytes) -> Bytes:
    """With zeros behind, so that signs fill whole bytes."""
    missing = -vectors.shape[1] % _BITS
    return np.pad(vectors, ((0, 0), (0, missing))) if missing else vectors


def _directions(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The dimensions of each feature, and the sign that it has in each."""
    state = hashes.copy()
    dimensions, signs = [], []
    for _ in range(_SPREAD):  # splitmix64
        state += np.uint64(0x9E3779B97F4A7C15)
        mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
        dimensions.append((mixed % np.uint64(DIMENSIONS)).astype(np.int64))
        signs.append(np.where(mixed >> np.uint64(63), np.float32(1), np.float32(-1)))
    return np.stack(dimensions, axis=1), np.stack(signs, axis=1)


class VectorContent(Struct, frozen=True, kw_only=True):
    """What a file of vectors holds. ``numbers``: of the vectors' rows, ascending. ``groups`` and ``vectors``: parallel. ``hidden``: rows of
    the baseline, ascending, that this takes the place of. ``frequencies``: what the vectors of edits need to be made alike."""

    numbers: Numbers
    groups: Bytes
    vectors: Bytes
    hidden: Numbers = msgspec.field(default_factory=lambda: np.empty(0, dtype=np.int64))
    frequencies: Frequencies = msgspec.field(default_factory=lambda: Frequencies.none(0))


class _Head(Struct, frozen=True):
    """``base``: the identity of the index whose vectors are added to; empty where there is none. ``dimensions``: a multiple of ``_BITS``.
    ``rows``: of which ``features`` were counted."""

    model: str
    identity: tuple[str, ...]
    base: tuple[str, ...]
    count: int
    dimensions: int
    hidden: int
    rows: int
    features: int

    def arrays(self) -> tuple[tuple[type[np.generic], tuple[int, ...]], ...]:
        """The type and shape of each array, in the order of the file."""
        return (
            (np.int64, (self.count,)),
            (np.int8, (self.count,)),
            (np.uint8, (self.dimensions // _BITS, self.count)),
            (np.int8, (self.count, self.dimensions)),
            (np.int64, (self.hidden,)),
            (np.uint64, (self.features,)),
            (np.int32, (self.features,)),
        )


class VectorFile:
    """Vectors that were written. ``identity``: of the index that they were made from; ``base``: of the one that has those of all other
    rows, empty where there are no others."""

    def __init__(self, head: _Head, arrays: Sequence[NDArray[Any]]) -> None:
        self.model: Final = head.model
        self.identity: Final = head.identity
        self.base: Final = head.base
        numbers, groups, signs, vectors, hidden, hashes, counts = arrays
        self.numbers: Final[Numbers] = numbers
        self.groups: Final[Bytes] = groups
        self._signs: Final[Signs] = signs
        self.vectors: Final[Bytes] = vectors
        self.hidden: Final[Numbers] = hidden
        self.frequencies: Final = Frequencies(head.rows, hashes, counts)

    def __len__(self) -> int:
        return len(self.numbers)

    @classmethod
    def open(cls, path: Path) -> VectorFile | None:
        """Null when there is none, or not one of this release."""
        try:
            with path.open("rb") as file:
                line = file.readline(_PAGE)
            head = msgspec.json.decode(line, type=_Head)
            places, end = _places(head)
            if path.stat().st_size != end:
                return None
            arrays = [
                np.memmap(path, kind, "r", place, shape) if math.prod(shape) else np.empty(shape, dtype=kind)
                for place, (kind, shape) in zip(places, head.arrays(), strict=True)
            ]
        except (OSError, ValueError, msgspec.MsgspecError):
            return None
        return cls(head, arrays)

    @classmethod
    def write(
        cls, path: Path, model: str, identity: tuple[str, ...], content: VectorContent, base: tuple[str, ...] = ()
    ) -> None:
        """Raises: OSError."""
        count, dimensions = content.vectors.shape
        known = content.frequencies
        head = _Head(model, identity, base, count, dimensions, len(content.hidden), known.rows, len(known.hashes))
        signs = np.packbits(content.vectors > 0, axis=1).T
        values: tuple[NDArray[Any], ...] = (
            content.numbers,
            content.groups,
            signs,
            content.vectors,
            content.hidden,
            known.hashes,
            known.counts,
        )
        places, end = _places(head)
        temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY_SUFFIX}")
        try:
            with temporary.open("wb") as file:
                file.write(msgspec.json.encode(head) + b"\n")
                for place, array in zip(places, values, strict=True):
                    file.seek(place)
                    file.write(array.tobytes())
                file.truncate(end)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def vector(self, number: int) -> tuple[int, Bytes] | None:
        """The group and the vector of a row; null when it has none, or one that is all zeros."""
        row = int(np.searchsorted(self.numbers, number))
        if row >= len(self.numbers) or self.numbers[row] != number or not self.vectors[row].any():
            return None
        return int(self.groups[row]), self.vectors[row]

    def near(self, group: int, asked: Bytes, without: Numbers, limit: int) -> list[Neighbour]:
        """The rows of a group most like a vector, without some rows, the likest first."""
        if not len(self) or self.vectors.shape[1] != len(asked):
            return []
        fits = self._fits(asked.astype(np.float32))
        fits[self.groups != group] = -np.inf
        at = np.minimum(np.searchsorted(self.numbers, without), len(self) - 1)
        fits[at[self.numbers[at] == without]] = -np.inf
        count = min(_CANDIDATES, len(fits))
        near = np.argpartition(-fits, count - 1)[:count]
        near = near[np.isfinite(fits[near])]
        vectors = self.vectors[near].astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked.astype(np.float32))
        products = np.einsum("ij,j->i", vectors, asked.astype(np.float32))  # @ would start threads
        cosines = products / np.maximum(lengths, 1e-9)
        order = np.lexsort((near, -cosines))[:limit]
        return [Neighbour(int(self.numbers[near[each]]), round(float(cosines[each]), 4)) for each in order]

    def _fits(self, asked: NDArray[np.float32]) -> NDArray[np.float32]:
        """The product of a vector with the signs of each: eight dimensions at a time, looked up by their byte."""
        found = np.zeros(len(self), dtype=np.float32)
        for signs, values in zip(self._signs, asked.reshape(-1, _BITS), strict=True):
            found += (_SIGNS_OF_BYTE @ values).take(signs)
        return found


class Vectors:
    """The vectors that a question sees: those of ``base``, with those of ``edits`` on top where there are some."""

    def __init__(self, base: VectorFile, edits: VectorFile | None = None) -> None:
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


def _places(head: _Head) -> tuple[list[int], int]:
    """Where the arrays begin, and where the file ends."""
    places = []
    end = _PAGE
    for kind, shape in head.arrays():
        places.append(-(-end // _PAGE) * _PAGE)
        end = places[-1] + math.prod(shape) * np.dtype(kind).itemsize
    return places, end
