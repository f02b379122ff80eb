"""One-line excerpts of indexed texts: what stands at a place, as evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.queries.snapshot import Snapshot

EXCERPT_CHARACTERS: Final = 200

Place = tuple[str, int]
"""Path and 1-based line."""


def excerpts(snapshot: Snapshot, places: Iterable[Place]) -> dict[Place, str]:
    """Lines by (path, 1-based line): trimmed, cut to 200 characters; of those places that have an indexed text."""
    wanted: dict[str, set[int]] = {}
    for path, line in places:
        wanted.setdefault(path, set()).add(line)
    found = snapshot.reader.lines(wanted)
    return {(path, line): excerpt(text) for path, lines in found.items() for line, text in lines.items()}


def excerpt(line: str) -> str:
    trimmed = line.strip()
    return trimmed if len(trimmed) <= EXCERPT_CHARACTERS else f"{trimmed[: EXCERPT_CHARACTERS - 3]}..."
