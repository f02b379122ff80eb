"""Vectors are kept in sqlite-vec or in a mapped file: both find exactly what comparing all of them finds, in the same order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from codemap_plugins.codeagent.mapped_vectors import MappedVectors
from codemap_plugins.codeagent.projection import DIMENSIONS
from codemap_plugins.codeagent.sqlite_vectors import SqliteVectors
from codemap_plugins.codeagent.vectors import VectorContent, VectorHead, Vectors, VectorStore


def kept_both_ways(folder: Path, content: VectorContent) -> tuple[VectorStore, VectorStore]:
    head = VectorHead(model="m", identity=("i",), rows=len(content.numbers))
    MappedVectors.write(folder / "mapped", head, content)
    SqliteVectors.write(folder / "sqlite", head, content)
    mapped, sqlite = MappedVectors.open(folder / "mapped"), SqliteVectors.open(folder / "sqlite")
    assert mapped is not None
    assert sqlite is not None
    return mapped, sqlite


def many(count: int) -> VectorContent:
    """Vectors in clusters, of two groups; every ninth is the one before it again, every fiftieth is all zeros."""
    chance = np.random.default_rng(3)
    centres = chance.normal(size=(50, DIMENSIONS))
    vectors = (centres[chance.integers(0, 50, count)] + chance.normal(size=(count, DIMENSIONS))).clip(-4, 4) * 30
    whole = np.rint(vectors).astype(np.int8)
    whole[9::9] = whole[8:-1:9]
    whole[::50] = 0
    groups = (np.arange(count) % 5 == 0).astype(np.int8)
    return VectorContent(numbers=np.arange(count) * 3, groups=groups, vectors=whole)


def test_both_ways_of_keeping_vectors_find_the_nearest_of_all(tmp_path: Path) -> None:
    content = many(5_000)
    stores = [Vectors(store) for store in kept_both_ways(tmp_path, content)]
    whole = content.vectors.astype(np.float64)
    lengths = np.maximum(np.linalg.norm(whole, axis=1), 1e-9)
    compared = content.vectors.any(axis=1)
    for row in range(1, 5_000, 250):
        cosines = whole @ whole[row] / (lengths * lengths[row])
        cosines[(content.groups != content.groups[row]) | ~compared] = -2
        cosines[row] = -2
        best = np.sort(cosines)[::-1][:10]
        mapped, sqlite = (store.nearest(row * 3, 10) for store in stores)
        assert mapped is not None
        assert mapped == sqlite
        assert [each.similarity for each in mapped] == pytest.approx(best.tolist(), abs=1e-4)
    assert [store.nearest(1, 10) for store in stores] == [None, None], "there is no such row"
    assert [store.nearest(0, 10) for store in stores] == [None, None], "a vector of zeros is like nothing"
    assert [len(store) for store in stores] == [5_000, 5_000]


def test_both_ways_agree_on_many_that_are_equally_like(tmp_path: Path) -> None:
    """More than are asked for at a time, so that the lowest numbers are not found at once."""
    content = many(2_000)
    content.vectors[500:1_500] = content.vectors[501]
    asked = int(content.numbers[901])
    mapped, sqlite = (Vectors(store).nearest(asked, 10) for store in kept_both_ways(tmp_path, content))
    assert mapped is not None
    assert mapped == sqlite
    group = content.groups[901]
    same = [int(content.numbers[row]) for row in range(500, 1_500) if content.groups[row] == group]
    assert [each.number for each in mapped] == same[:10]


def test_both_ways_agree_where_edits_hide_what_is_nearest(tmp_path: Path) -> None:
    content = many(2_000)
    found = []
    for name in ("mapped", "sqlite"):
        (tmp_path / name).mkdir()
    base = kept_both_ways(tmp_path / "mapped", content)
    nearest = Vectors(base[0]).nearest(3, 50)
    assert nearest is not None
    hidden = np.array(sorted(each.number for each in nearest), dtype=np.int64)
    edits = VectorContent(
        numbers=hidden[:5], groups=content.groups[hidden[:5] // 3], vectors=content.vectors[10:15], hidden=hidden
    )
    on_top = kept_both_ways(tmp_path / "sqlite", edits)
    for below, above in zip(base, on_top, strict=True):
        vectors = Vectors(below, above)
        assert len(vectors) == 2_000 - 45
        found.append(vectors.nearest(3, 50))
    assert found[0] is not None
    assert found[0] == found[1]
    assert not {each.number for each in found[0]} & set(hidden[5:].tolist())
