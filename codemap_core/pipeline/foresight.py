"""What another process finds out while this one makes the tables that binding needs: which documents may be bound otherwise, and what
extractors conclude from the notes of all that will not be."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

from codemap_core.hooks.contracts import UnitKey
from codemap_core.pipeline.dependencies import Affected
from codemap_core.pipeline.extract import Documents, Extractors
from codemap_core.pipeline.records import said_of
from codemap_core.pipeline.resident import Concluded
from codemap_core.pipeline.reuse import Reuse


class Foreseen(Struct, frozen=True):
    affected: Affected
    extracted: frozenset[UnitKey]
    """Units whose notes were left out."""
    concluded: Mapping[str, Concluded]
    """By the label of an extractor that left notes of others."""

    def holds(self, reuse: Reuse) -> bool:
        """Whether the notes were those of all that is not extracted, and there were some."""
        return bool(self.concluded) and self.extracted == reuse.extracted


def foresee(reuse: Reuse, extractors: Extractors, documents: Documents, texts: AbstractSet[str]) -> Foreseen:
    """``texts``: paths of the files of no language that are taken over. Nothing is concluded where the index must be asked what else is
    extracted, or where an extractor is not built in: that is for the process that made this one."""
    affected = reuse.affected()
    if affected.continued or not extractors.are_built_in():
        return Foreseen(affected, frozenset(), {})
    extracted = reuse.with_affected(affected.units)
    extractors.remember(reuse.notes(texts, without=extracted))
    return Foreseen(affected, frozenset(extracted), conclude(extractors, documents))


def conclude(
    extractors: Extractors, documents: Documents, only: AbstractSet[str] | None = None
) -> dict[str, Concluded]:
    """What extractors conclude, by their labels. ``only``: as for ``Extractors.conclusions``."""
    found = extractors.conclusions(documents, only)
    return {label: Concluded(rows, said_of(rows), faults) for label, rows, faults in found}
