"""Which revisions the schemas of baselines and of overlays are at, and the tables that say so in a file. Light: read before a database
library is loaded."""

from __future__ import annotations

from typing import Final

BASELINE_HEAD: Final = "b0006_document_records"
"""Newest revision of migrations/baseline; a test compares the two."""
OVERLAY_HEAD: Final = "o0004_copied_rows"
"""Newest revision of migrations/overlay; a test compares the two."""
BASELINE_VERSION_TABLE: Final = "baseline_schema_version"
OVERLAY_VERSION_TABLE: Final = "overlay_schema_version"
