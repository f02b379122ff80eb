"""What extractors conclude from notes, in the process that compares states or, if the notes will be those of the index, ahead of time in
another one while documents are bound."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from codemap_core.pipeline.extract import Documents, Extractors
from codemap_core.pipeline.records import said_of
from codemap_core.pipeline.resident import Concluded
from codemap_core.pipeline.reuse import Reuse

Foreseen = Mapping[str, Concluded]
"""What extractors conclude, by their labels."""


def foresee(reuse: Reuse, extractors: Extractors, documents: Documents) -> Foreseen:
    """What is concluded if no extractor leaves other notes than before; of those that do it is worth nothing."""
    extractors.remember(reuse.notes_before())
    return conclude(extractors, documents)


def conclude(
    extractors: Extractors, documents: Documents, only: AbstractSet[str] | None = None
) -> dict[str, Concluded]:
    """What extractors conclude, by their labels. ``only``: as for ``Extractors.conclusions``."""
    found = extractors.conclusions(documents, only)
    return {label: Concluded(said_of(rows), faults) for label, rows, faults in found}
