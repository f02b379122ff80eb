"""One-line excerpts of indexed texts: what stands at a place, as evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.source_text import split_lines

EXCERPT_CHARACTERS: Final = 200

Place = tuple[str, int]
"""Path and 1-based line."""


def excerpts(snapshot: Snapshot, places: Iterable[Place]) -> dict[Place, str]:
    """Lines by (path, 1-based line): trimmed, cut to 200 characters."""
    return {place: excerpt(line) for place, line in lines_at(snapshot, places).items()}


def lines_at(snapshot: Snapshot, places: Iterable[Place]) -> dict[Place, str]:
    """Lines as they are, of those places that have an indexed text; each file is read once."""
    wanted = set(places)
    texts = snapshot.reader.file_texts({path for path, _ in wanted})
    lines = {path: split_lines(text) for path, text in texts.items()}
    return {
        (path, line): lines[path][line - 1] for path, line in wanted if path in lines and 1 <= line <= len(lines[path])
    }


def excerpt(line: str) -> str:
    trimmed = line.strip()
    return trimmed if len(trimmed) <= EXCERPT_CHARACTERS else f"{trimmed[: EXCERPT_CHARACTERS - 3]}..."
