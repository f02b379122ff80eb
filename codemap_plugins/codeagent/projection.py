"""The built-in model's vectors: a sparse random projection of weighted features (Achlioptas 2003). Every feature adds to a few of the
dimensions that its hash chooses, weighed by how rare it is. Vectors are kept as bytes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_plugins.codeagent.features import Features, Hashes

DIMENSIONS: Final = 384
"""Of the built-in model."""
_SPREAD: Final = 4
"""Dimensions that one feature adds to."""
_RARITY: Final = 0.75
"""Less than 1: what only the neighbours in a type share does not outweigh everything else."""
_PORTION: Final = 4_096
"""Vectors that are made at a time."""
_STEPS: Final = 127

Bytes = NDArray[np.int8]
Counts = NDArray[np.int32]


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
