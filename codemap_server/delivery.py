"""A result as it is sent: in which format, and with what the server adds to it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from codemap_core.hooks.tool import Listing, ToolResult
from codemap_server.notes import Note

if TYPE_CHECKING:
    from codemap_core.storage.files.examine import ProjectDiagnostic


class AnswerFormat(StrEnum):
    """How answers are written: ``text`` for models, ``json`` for programs."""

    TEXT = "text"
    JSON = "json"


class ErrorLimits(Struct, frozen=True):
    """How much an error may say: ``message`` in characters, ``items`` of each list in its details."""

    message: int = 1_000
    items: int = 20


class Timing(Struct, frozen=True):
    """Milliseconds. ``cache_lookup_ms``: finding repository, commit and open index; ``db_query_ms``: the rest of the tool's own work;
    ``roslyn_compile_ms``: analysing and binding C#, where the call built an index or took up edits; ``ranking_ms``: fitting the rows into
    the budget."""

    total_ms: float
    db_query_ms: float = 0.0
    cache_lookup_ms: float = 0.0
    roslyn_compile_ms: float = 0.0
    ranking_ms: float = 0.0


class Delivery(Struct, frozen=True, kw_only=True):
    """A result and what the server adds to it."""

    result: ToolResult
    timing: Timing
    cursor: str = ""
    """Continues the answer; empty when nothing follows."""
    notes: tuple[Note, ...] = ()
    """The server's; the tool's are the result's."""
    tokens_saved: int = 0
    was_cached: bool = False
    """The result was remembered from an earlier call."""
    project_diagnostics: tuple[ProjectDiagnostic, ...] = ()
    """The first projects with problems, of an index that is not ``full``."""

    @property
    def said_first(self) -> tuple[str, ...]:
        """The sentences before the answer."""
        return tuple(note.text for note in self.notes if note.comes_first)

    @property
    def said_after(self) -> tuple[str, ...]:
        return (*self.result.notes, *(note.text for note in self.notes if not note.comes_first))

    @property
    def rows_shown(self) -> str:
        """``15–28 of 93`` where the answer is a part of a listing, else empty."""
        page, view = self.result.page, self.result.data
        if page is None or not isinstance(view, Listing) or not (self.cursor or page.offset):
            return ""
        more = "at least " if page.total_is_minimum else ""
        if not view.row_count:
            return f"none of {more}{page.total:,}; {page.offset:,} skipped"
        return f"{page.offset + 1:,}–{page.offset + view.row_count:,} of {more}{page.total:,}"
