"""Remarks that a reader needs beside an answer, made by the server for all tools: which part of the commit answered, that an index was
built for the question, and which files differ on disk."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.model.counting import counted

FILES_NAMED: Final = 3
FILES_LISTED: Final = 20
"""In JSON; the text says how many there are."""


class NoteKind(StrEnum):
    PART = "part"
    """The index is of a folder or a solution, and says nothing of the rest."""
    INDEXED = "indexed"
    """The commit was indexed for this question."""
    EDITED = "edited"
    """Files of the answer are not on disk as they were indexed."""
    UNCOMMITTED = "uncommitted"
    """Nothing was found, or every file has a part in the answer, and files of the checkout are not as they were indexed."""
    HEAD = "head"
    """The same, and the commit asked about is not HEAD; or the workspace asked about is on another commit."""
    PENDING = "pending"
    """The index follows the working tree, and has not caught up with it."""


class Note(Struct, frozen=True, omit_defaults=True):
    """``files``: what the note is about, the first ``FILES_LISTED``."""

    kind: NoteKind
    text: str
    files: tuple[str, ...] = ()

    @property
    def comes_first(self) -> bool:
        """Whether the answer means something else to who does not know it: it stands in the first line."""
        return self.kind is NoteKind.PART


def of_part(label: str) -> Note:
    return Note(NoteKind.PART, f"Index of {label} only: nothing outside it is seen.")


def of_build(commit: str, seconds: float) -> Note:
    return Note(NoteKind.INDEXED, f"Commit {commit[:12]} was indexed for this question, in {seconds:.1f} s.")


def of_edits(files: Sequence[str]) -> Note:
    return Note(
        NoteKind.EDITED, f"Differs on disk from what was indexed: {_named(files)}.", tuple(files[:FILES_LISTED])
    )


def of_uncommitted(files: Sequence[str]) -> Note:
    """``files``: folders too, of which git tracks nothing; those end with a slash."""
    if any(each.endswith("/") for each in files):
        changed = counted(len(files), "file or folder has", "files or folders have")
    else:
        changed = counted(len(files), "file has", "files have")
    return Note(
        NoteKind.UNCOMMITTED,
        f"{changed} uncommitted changes, which the index does not show: {_named(files)}.",
        tuple(files[:FILES_LISTED]),
    )


def of_another_head(head: str, indexed: str) -> Note:
    return Note(NoteKind.HEAD, f"HEAD is {head[:12]} now, but this index is of {indexed[:12]}.")


def of_edits_not_shown(because: str) -> Note:
    return Note(NoteKind.PENDING, f"The latest edits of the working tree are not shown: {because.rstrip('.')}.")


def of_stale_workspace(workspace_id: str, head: str, base: str) -> Note:
    return Note(
        NoteKind.HEAD,
        f"HEAD is {head[:12]} now, but workspace {workspace_id!r} is on {base[:12]}: workspace.rebase moves it and keeps its edits.",
    )


def _named(files: Sequence[str]) -> str:
    further = len(files) - FILES_NAMED
    shown = files[:FILES_NAMED] if further > 1 else files
    return ", ".join(shown) + (f" and {further:,} others" if further > 1 else "")
