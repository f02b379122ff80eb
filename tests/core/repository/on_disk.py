"""A working tree as a workspace takes it up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from codemap_core.repository import CommitFiles, EditedFiles, Repository, changed_paths, read_edits


@contextmanager
def on_disk(repository: Repository) -> Iterator[EditedFiles]:
    """HEAD with what differs from it on disk."""
    head = repository.head_commit()
    with CommitFiles(repository, head) as committed:
        yield EditedFiles(committed, read_edits(repository, changed_paths(repository, head), committed))
