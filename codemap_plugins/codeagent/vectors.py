"""Vectors of an index, in a file beside it: which symbols are alike, told in milliseconds at any size.

A vector is a sparse random projection of weighted features (Achlioptas 2003): every feature adds to a few of the dimensions that its hash
chooses, weighed by how rare it is. Vectors are kept as bytes, and as the signs of their dimensions: the signs of all vectors are compared
first (Hamming distance), the bytes of the nearest after that (cosine).

The file: a line of JSON, then four arrays, each at a multiple of ``_PAGE`` bytes: the numbers of the rows, their groups, their signs, their
bytes. Only rows of one group are compared with each other. It is written whole or not at all, and mapped, so that a server that was never
asked holds nothing of it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_core.storage.lock import TEMPORARY_SUFFIX
from codemap_plugins.codeagent.features import Features

DIMENSIONS: Final = 384
_SPREAD: Final = 4
"""Dimensions that one feature adds to."""
_RARITY: Final = 0.75
"""Less than 1: what only the neighbours in a type share does not outweigh everything else."""
_PORTION: Final = 4_096
"""Vectors that are made at a time."""
_CANDIDATES: Final = 800
"""Vectors whose bytes are compared."""
_PAGE: Final = 4_096
_STEPS: Final = 127

Bytes = NDArray[np.int8]
Signs = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class _Head(Struct, frozen=True):
    model: str
    identity: tuple[str, ...]
    count: int


class Neighbour(Struct, frozen=True):
    """``number``: of the row. ``similarity``: the cosine, 1 for the same."""

    number: int
    similarity: float


def project(features: Features, count: int) -> Bytes:
    """A vector for each of ``count`` rows. A row without features that others have is all zeros."""
    frequency = np.bincount(features.features, minlength=len(features.hashes))
    rarity = np.where(frequency > 1, np.log1p(count / np.maximum(frequency, 1)) ** _RARITY, 0.0).astype(np.float32)
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


class VectorFile:
    """Vectors that were written. ``identity``: of the index that they were made from."""

    def __init__(self, head: _Head, numbers: Numbers, groups: Bytes, signs: Signs, vectors: Bytes) -> None:
        self.model: Final = head.model
        self.identity: Final = head.identity
        self._numbers: Final = numbers
        self._groups: Final = groups
        self._signs: Final = signs
        self._vectors: Final = vectors

    def __len__(self) -> int:
        return len(self._numbers)

    @classmethod
    def open(cls, path: Path) -> VectorFile | None:
        """Null when there is none, or not one of this release."""
        try:
            with path.open("rb") as file:
                line = file.readline(_PAGE)
            head = msgspec.json.decode(line, type=_Head)
            at = _places(head.count)
            if not head.count or path.stat().st_size != at.end:
                return None
            numbers = np.memmap(path, np.int64, "r", at.numbers, (head.count,))
            groups = np.memmap(path, np.int8, "r", at.groups, (head.count,))
            signs = np.memmap(path, np.uint64, "r", at.signs, (head.count, DIMENSIONS // 64))
            vectors = np.memmap(path, np.int8, "r", at.vectors, (head.count, DIMENSIONS))
        except (OSError, ValueError, msgspec.MsgspecError):
            return None
        return cls(head, numbers, groups, signs, vectors)

    @classmethod
    def write(
        cls, path: Path, model: str, identity: tuple[str, ...], numbers: Numbers, groups: Bytes, vectors: Bytes
    ) -> None:
        """``numbers``: of the vectors' rows, ascending. Raises: OSError."""
        head = _Head(model, identity, len(numbers))
        at = _places(head.count)
        temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY_SUFFIX}")
        try:
            with temporary.open("wb") as file:
                file.write(msgspec.json.encode(head) + b"\n")
                for place, content in (
                    (at.numbers, numbers.astype(np.int64).tobytes()),
                    (at.groups, groups.tobytes()),
                    (at.signs, _signs_of(vectors).tobytes()),
                    (at.vectors, vectors.tobytes()),
                ):
                    file.seek(place)
                    file.write(content)
                file.truncate(at.end)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def nearest(self, number: int, limit: int) -> list[Neighbour] | None:
        """The rows of its group most like one of them, without it, the likest first; null when it has no vector."""
        row = int(np.searchsorted(self._numbers, number))
        if row >= len(self._numbers) or self._numbers[row] != number or not self._vectors[row].any():
            return None
        distance = np.bitwise_count(self._signs ^ self._signs[row]).sum(axis=1, dtype=np.uint16)
        distance[self._groups != self._groups[row]] = DIMENSIONS + 1
        distance[row] = DIMENSIONS + 1
        count = min(_CANDIDATES, len(distance) - 1)
        near = np.argpartition(distance, count)[:count] if count > 0 else np.empty(0, dtype=np.int64)
        near = near[distance[near] <= DIMENSIONS]
        vectors = self._vectors[near].astype(np.float32)
        asked = self._vectors[row].astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked)
        cosines = vectors @ asked / np.maximum(lengths, 1e-9)
        order = np.lexsort((near, -cosines))[:limit]
        return [Neighbour(int(self._numbers[near[each]]), round(float(cosines[each]), 4)) for each in order]


def _signs_of(vectors: Bytes) -> Signs:
    return np.packbits(vectors > 0, axis=1).view(np.uint64)


class _Places(NamedTuple):
    """Where the arrays begin, and where the file ends."""

    numbers: int
    groups: int
    signs: int
    vectors: int
    end: int


def _places(count: int) -> _Places:
    groups = _aligned(_PAGE + count * 8)
    signs = _aligned(groups + count)
    vectors = _aligned(signs + count * DIMENSIONS // 8)
    return _Places(_PAGE, groups, signs, vectors, vectors + count * DIMENSIONS)


def _aligned(position: int) -> int:
    return -(-position // _PAGE) * _PAGE
