"""In what an index that was continued differs from one of the same state made from scratch: everything that ``codemap dump`` prints, and
what is known of projects and libraries."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.reader import IndexReader

_LIBRARIES: Final = """
SELECT s.symbol_id, l.kind, l.name, l.signature, l.assembly, l.version FROM library_symbols l JOIN symbol_ids s ON s.id = l.id ORDER BY 1
"""


def differences_between(first: IndexReader, second: IndexReader) -> Iterator[str]:
    """The first lines in which what an index that was continued holds differs from one made from scratch."""
    for kind, rows in DUMPS.items():
        have = [msgspec.json.encode(row).decode() for row in rows(first)]
        want = [msgspec.json.encode(row).decode() for row in rows(second)]
        if have != want:
            lines = difflib.unified_diff(want, have, "from scratch", "continued", n=0, lineterm="")
            yield from (f"{kind}: {line}" for line, _ in zip(lines, range(8), strict=False))
    for what in ("project_diagnostics", "semantic_level", "project_problems"):
        if getattr(first.info, what) != getattr(second.info, what):
            yield f"{what}: {getattr(first.info, what)} instead of {getattr(second.info, what)}"
    with first.below() as first_rows, second.below() as second_rows:
        have_known = set(first_rows.execute(_LIBRARIES))
        want_known = set(second_rows.execute(_LIBRARIES))
        yield from (f"library symbols: + {row}" for row in sorted(have_known - want_known, key=str)[:5])
        yield from (f"library symbols: - {row}" for row in sorted(want_known - have_known, key=str)[:5])


def differences_of(one: Path, other: Path) -> Iterator[str]:
    """As ``differences_between``, of two indexes in files."""
    with IndexReader.open(one) as first, IndexReader.open(other) as second:
        yield from differences_between(first, second)
