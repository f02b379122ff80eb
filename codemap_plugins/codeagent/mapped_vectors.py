"""Vectors in a file of plain arrays, mapped into memory, so that a server that was never asked holds nothing of it.

The file: a line of JSON, then arrays, each at a multiple of ``_PAGE`` bytes. It is written whole or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_core.storage.files.durable_files import temporary_file
from codemap_plugins.codeagent.projection import Bytes, Frequencies
from codemap_plugins.codeagent.vectors import (
    Lengths,
    Neighbour,
    Numbers,
    VectorContent,
    VectorHead,
    cosines_of,
    lengths_of,
    likest,
)

_PAGE: Final = 4_096


class _Shape(Struct, frozen=True):
    """Of what the arrays have: ``count`` vectors of ``dimensions``, ``hidden`` rows, ``features``."""

    head: VectorHead
    count: int
    dimensions: int
    hidden: int
    features: int

    def arrays(self) -> tuple[tuple[type[np.generic], tuple[int, ...]], ...]:
        """The type and shape of each array, in the order of the file."""
        return (
            (np.int64, (self.count,)),
            (np.int8, (self.count,)),
            (np.float32, (self.count,)),
            (np.int8, (self.count, self.dimensions)),
            (np.int64, (self.hidden,)),
            (np.uint64, (self.features,)),
            (np.int32, (self.features,)),
        )


class MappedVectors:
    """A ``VectorStore``."""

    def __init__(self, head: VectorHead, arrays: Sequence[NDArray[Any]]) -> None:
        numbers, groups, lengths, vectors, hidden, hashes, counts = arrays
        self.head: Final = head
        self.hidden: Final[Numbers] = hidden
        self.frequencies: Final = Frequencies(head.rows, hashes, counts)
        self._numbers: Final[Numbers] = numbers
        self._groups: Final[Bytes] = groups
        self._lengths: Final[Lengths] = lengths
        self._vectors: Final[Bytes] = vectors

    def __len__(self) -> int:
        return len(self._numbers)

    @classmethod
    def open(cls, path: Path) -> MappedVectors | None:
        """Null when there is none, or not one of this release."""
        try:
            with path.open("rb") as file:
                line = file.readline(_PAGE)
            shape = msgspec.json.decode(line, type=_Shape)
            places, end = _places(shape)
            if path.stat().st_size != end:
                return None
            arrays = [
                np.memmap(path, kind, "r", place, size) if math.prod(size) else np.empty(size, dtype=kind)
                for place, (kind, size) in zip(places, shape.arrays(), strict=True)
            ]
        except (OSError, ValueError, msgspec.MsgspecError):
            return None
        return cls(shape.head, arrays)

    @classmethod
    def write(cls, path: Path, head: VectorHead, content: VectorContent) -> None:
        """Raises: OSError."""
        count, dimensions = content.vectors.shape
        shape = _Shape(head, count, dimensions, len(content.hidden), len(content.frequencies.hashes))
        values: tuple[NDArray[Any], ...] = (
            content.numbers,
            content.groups,
            lengths_of(content.vectors),
            content.vectors,
            content.hidden,
            content.frequencies.hashes,
            content.frequencies.counts,
        )
        places, end = _places(shape)
        temporary = temporary_file(path)
        try:
            with temporary.open("wb") as file:
                file.write(msgspec.json.encode(shape) + b"\n")
                for place, array in zip(places, values, strict=True):
                    file.seek(place)
                    file.write(array.tobytes())
                file.truncate(end)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def vector(self, number: int) -> tuple[int, Bytes] | None:
        row = int(np.searchsorted(self._numbers, number))
        if row >= len(self) or self._numbers[row] != number or not self._lengths[row]:
            return None
        return int(self._groups[row]), self._vectors[row]

    def near(self, group: int, asked: Bytes, without: Numbers, limit: int) -> list[Neighbour]:
        if not len(self) or self._vectors.shape[1] != len(asked):
            return []
        cosines = cosines_of(self._vectors, self._lengths, asked)
        cosines[(self._groups != group) | (self._lengths == 0)] = -np.inf
        at = np.minimum(np.searchsorted(self._numbers, without), len(self) - 1)
        cosines[at[self._numbers[at] == without]] = -np.inf
        return likest(self._numbers, cosines, limit)


def _places(shape: _Shape) -> tuple[list[int], int]:
    """Where the arrays begin, and where the file ends."""
    places = []
    end = _PAGE
    for kind, size in shape.arrays():
        places.append(-(-end // _PAGE) * _PAGE)
        end = places[-1] + math.prod(size) * np.dtype(kind).itemsize
    return places, end
