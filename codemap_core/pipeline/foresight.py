"""What extractors conclude from notes, in the process that compares states or, if the notes will be those of the index, ahead of time in
another one while documents are bound."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from codemap_core.hooks.contracts import UnitKey
from codemap_core.pipeline.extract import Documents, Extractors
from codemap_core.pipeline.records import said_of
from codemap_core.pipeline.resident import Concluded
from codemap_core.pipeline.reuse import Reuse
from codemap_core.storage.writing.document_records import DocumentRecord

Foreseen = Mapping[str, Concluded]
"""What extractors conclude, by their labels."""


def foresee(reuse: Reuse, extractors: Extractors, documents: Documents) -> Foreseen:
    """What is concluded if no extractor leaves other notes than before; of those that do it is worth nothing."""
    extractors.remember(reuse.notes_before())
    return conclude(extractors, documents)


def doubted(
    known: Foreseen, reuse: Reuse, records: Mapping[UnitKey, DocumentRecord], texts: AbstractSet[str]
) -> AbstractSet[str] | None:
    """Labels of the extractors that must conclude again: they left other notes, or ``known`` says rows of files that another project
    compiles first now. None for all, where nothing is known. ``records`` and ``texts``: as for ``Reuse.noted_otherwise``."""
    if not known:
        return None
    placed = reuse.placed_otherwise()
    said = {label for label, each in known.items() if not placed.isdisjoint(each.said)}
    return reuse.noted_otherwise(records, texts) | said


def conclude(
    extractors: Extractors, documents: Documents, only: AbstractSet[str] | None = None
) -> dict[str, Concluded]:
    """What extractors conclude, by their labels. ``only``: as for ``Extractors.conclusions``."""
    found = extractors.conclusions(documents, only)
    return {label: Concluded(said_of(rows), faults) for label, rows, faults in found}
