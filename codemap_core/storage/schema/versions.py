"""Which revisions the schemas of baselines and of overlays are at, and the tables that say so in a file. Light: read before a database
library is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SCHEMA_FILE: Final = Path(__file__).with_name("baseline.sql")
"""The tables of a baseline as SQL. Its first line is a comment that names the revision."""
COMMENT: Final = "-- "


def _revision_of_the_text() -> str:
    with SCHEMA_FILE.open(encoding="utf-8") as lines:
        return lines.readline().removeprefix(COMMENT).strip()


BASELINE_HEAD: Final = _revision_of_the_text()
"""Newest revision of migrations/baseline; a test compares the two."""
OVERLAY_HEAD: Final = "o0004_copied_rows"
"""Newest revision of migrations/overlay; a test compares the two."""
BASELINE_VERSION_TABLE: Final = "baseline_schema_version"
OVERLAY_VERSION_TABLE: Final = "overlay_schema_version"
