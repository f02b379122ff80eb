"""Documents: the files of one commit as an index sees them, and what was wrong with their text."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct


class TextSpan(Struct, frozen=True, array_like=True):
    """Half-open byte span in the document's UTF-8 text."""

    start: int
    end: int


class Blob(Struct, frozen=True):
    """One file of a commit or of a working tree before it is read. ``blob_id``: git's object id (40 or 64 hex digits)."""

    path: str
    blob_id: str
    size: int


class DocumentStatus(StrEnum):
    CLEAN = "clean"
    """Parsed without a syntax error."""
    REPAIRED = "repaired"
    """Parsed after length-preserving repairs of constructs the grammar lacks."""
    FALLBACK = "fallback"
    """Syntax errors remain; declarations around them are of low confidence."""
    SKIPPED = "skipped"
    """Too large or binary; listed, not analysed."""
    FAILED = "failed"
    """An analyser raised; a bug to report. The file is listed without symbols."""
    TEXT = "text"
    """A file of no analysed language; its text can be searched."""


class Problem(Struct, frozen=True):
    """What is wrong with a document, as data. ``line`` is 1-based; 0 means the whole file."""

    code: str
    message: str
    line: int = 0


ANALYSER_FAILED: Final = "analyser_failed"
"""Code of the problem of a document whose analyser raised."""
EXTRACTOR_FAILED: Final = "extractor_failed"
"""Code of the problem that a document has for each extractor that raised for it; the message begins with its name."""
FAULTS: Final = (ANALYSER_FAILED, EXTRACTOR_FAILED)
"""Codes of problems that are faults of a plug-in."""


class DocumentRow(Struct, frozen=True, kw_only=True):
    file_path: str
    sha256: str
    """The digest of the bytes in git."""
    blob_id: str
    language: str
    """``csharp``, or the kind of text: ``xml``, ``json``, ``markdown``, ``text``…"""
    projects: tuple[str, ...]
    """``Project.project_path`` of every project that compiles it, in path order."""
    line_count: int
    """A last line without a newline counts; an empty file has 0."""
    size: int
    generated: bool = False
    status: DocumentStatus = DocumentStatus.CLEAN
    problems: tuple[Problem, ...] = ()
    text: str | None = None
    """The decoded text; null when skipped."""
