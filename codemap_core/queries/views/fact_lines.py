"""How a fact reads beside the symbol that owns it."""

from __future__ import annotations

from typing import Final

from codemap_core.model import CATCH, FactKind, split_value
from codemap_core.queries.plain_lines import clipped, row

SEEN_IN_SOURCE: Final = frozenset(
    {
        CATCH,
        FactKind.DI_REGISTRATION.value,
        FactKind.EXCEPTION.value,
        FactKind.LOG.value,
        FactKind.MIDDLEWARE.value,
        FactKind.RETRY_POLICY.value,
    }
)
"""Kinds of facts that say nothing which the source beside them does not."""


def fact_line(kind: str, value: str) -> str:
    """A fact in one line: ``route: GET /orders``."""
    return f"{kind}: {said_value(kind, value)}"


def said_value(kind: str, value: str) -> str:
    """A fact's value without the bars that part it: ``Orders  Raw SQL``."""
    display, metadata = split_value(kind, value)
    return row(clipped(display), clipped(metadata_in_words(metadata)))


def metadata_in_words(metadata: str) -> str:
    """Metadata as a reader is told it: ``position 2, terminal`` for ``pos:2|terminal``."""
    return ", ".join(
        each.replace("pos:", "position ") if each.startswith("pos:") else each for each in metadata.split("|")
    )
