"""Files of no language: what is binary is read once for each content, however many commits hold it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from codemap_core.pipeline.text_files import text_documents
from codemap_core.repository import CommitFiles, Repository
from codemap_core.storage.sharing.unit_cache import UnitCache
from tests.clone import Clone

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(1000)


class _Noted(CommitFiles):
    """The files of HEAD, and the paths that were read."""

    def __init__(self, clone: Clone) -> None:
        repository = Repository.open(clone.root)
        super().__init__(repository, repository.head_commit())
        self.was_read: list[str] = []

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for path, content in super().read_many(paths):
            self.was_read.append(path)
            yield path, content


def _listed_and_read(clone: Clone, cache: UnitCache | None) -> tuple[list[str], list[str]]:
    files = _Noted(clone)
    with files:
        return [row.file_path for row in text_documents(files, files.blobs, cache)], files.was_read


def test_a_binary_content_is_read_once(clone: Clone, tmp_path: Path) -> None:
    cache = UnitCache.open(tmp_path / "cache")
    assert cache is not None
    clone.commit({"picture.png": PICTURE, "notes.md": b"one"})
    assert _listed_and_read(clone, cache) == (["notes.md"], ["notes.md", "picture.png"])
    assert _listed_and_read(clone, cache) == (["notes.md"], ["notes.md"])
    clone.remove("picture.png")
    clone.commit({"moved.png": PICTURE, "other.bin": PICTURE + b"more"})
    assert _listed_and_read(clone, cache) == (["notes.md"], ["notes.md", "other.bin"])
    clone.commit({"other.bin": b"text now", "notes.md": b"\0"})
    assert _listed_and_read(clone, cache) == (["other.bin"], ["notes.md", "other.bin"])
    cache.close()


def test_without_a_cache_everything_is_read(clone: Clone) -> None:
    clone.commit({"picture.png": PICTURE, "notes.md": b"one"})
    for _ in range(2):
        assert _listed_and_read(clone, None) == (["notes.md"], ["notes.md", "picture.png"])
