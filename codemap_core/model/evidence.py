"""Where a claim can be checked."""

from __future__ import annotations

from msgspec import Struct


class Evidence(Struct, frozen=True, omit_defaults=True):
    """A place that supports an answer (contract 2.3). Lines are 1-based and inclusive; ``line_end`` is null where it equals
    ``line_start``."""

    repo_id: str
    file_path: str
    line_start: int
    line_end: int | None = None
    symbol_id: str | None = None
    excerpt: str | None = None
