"""What extractors conclude from the notes of all documents, as an index keeps it and as another state takes it over.

Invariant: an extractor whose notes are the same concludes the same, so that its rows are taken from the index; only one that left other
notes, that failed, or whose rows name another project now, concludes again. Every concluded row is owned by one document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import FactRow, ReferenceRow, SymbolRow
from codemap_core.pipeline.extract import Documents, Extractors
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.reuse import Reuse
from codemap_core.pipeline.row_checks import Extracted
from codemap_core.storage.writing.document_records import DocumentRecord, digest_of

_encode: Final = msgspec.msgpack.encode
_NOTHING: Final[Mapping[str, bytes]] = {}


class Concluded(Struct, frozen=True):
    """What an extractor concluded from all of its notes."""

    said: Mapping[str, bytes]
    """Its rows, as ``said_of`` gives them."""
    failures: tuple[ExtractionFailure, ...] = ()


def said_of(concluded: Extracted) -> dict[str, bytes]:
    """Rows by the path of the document that owns them: of each an encoded ``Extracted``."""
    by_path: defaultdict[str, tuple[list[SymbolRow], list[ReferenceRow], list[FactRow]]]
    by_path = defaultdict(lambda: ([], [], []))
    for symbol in concluded.symbols:
        by_path[symbol.file_path][0].append(symbol)
    for reference in concluded.references:
        by_path[reference.file_path][1].append(reference)
    for fact in concluded.facts:
        by_path[fact.file_path][2].append(fact)
    return {
        path: _encode(Extracted(tuple(symbols), tuple(references), tuple(facts)))
        for path, (symbols, references, facts) in by_path.items()
    }


def conclude(extractors: Extractors, documents: Documents, only: AbstractSet[str]) -> dict[str, Concluded]:
    """What these extractors conclude, by their labels; one without notes concludes nothing."""
    found = {label: Concluded({}) for label in extractors.labels.values() if label in only}
    for label, rows, faults in extractors.conclusions(documents, only):
        found[label] = Concluded(said_of(rows), faults)
    return found


def doubted(
    reuse: Reuse,
    records: Mapping[UnitKey, DocumentRecord],
    texts: AbstractSet[str],
    digests: Mapping[str, Mapping[str, bytes]],
    unsettled: Iterable[str],
) -> set[str]:
    """Labels of the extractors that must conclude again. ``records`` and ``texts``: as for ``Reuse.noted_otherwise``. ``digests``: of
    what the index holds, as ``Previous.conclusions``; ``unsettled``: the extractors that failed while they concluded it."""
    placed = reuse.placed_otherwise()
    moved = {label for label, said in digests.items() if not placed.isdisjoint(said)}
    return reuse.noted_otherwise(records, texts) | moved | {*unsettled}


def said_of_replaced(
    replaced: AbstractSet[str],
    concluded: Mapping[str, Concluded],
    digests: Mapping[str, Mapping[str, bytes]],
    stored: Callable[[AbstractSet[str]], Mapping[str, Mapping[str, bytes]]],
) -> dict[str, Mapping[str, bytes]]:
    """The encoded rows of documents that are replaced, by label and path: of extractors that did not conclude again as the index has
    them. ``digests``: as for ``doubted``; ``stored``: gives what the index has of some documents."""
    known = stored(replaced & {*chain.from_iterable(digests.values())})
    said = {label: each for label, each in known.items() if label in digests and label not in concluded}
    for label, now in concluded.items():
        said[label] = {path: rows for path, rows in now.said.items() if path in replaced}
    return said


def digests_after(
    before: Mapping[str, Mapping[str, bytes]], concluded: Mapping[str, Concluded]
) -> dict[str, Mapping[str, bytes]]:
    """Digests by label and path, of extractors that have said something, once those of ``concluded`` have concluded again."""
    now = {label: {path: digest_of(rows) for path, rows in each.said.items()} for label, each in concluded.items()}
    return {label: each for label, each in {**before, **now}.items() if each}


def without(digests: Mapping[str, Mapping[str, bytes]], paths: Collection[str]) -> Mapping[str, Mapping[str, bytes]]:
    """Digests by label and path, without those of some documents."""
    if not paths:
        return digests
    left = {
        label: {path: digest for path, digest in each.items() if path not in paths} for label, each in digests.items()
    }
    return {label: each for label, each in left.items() if each}


def said_otherwise(
    before: Mapping[str, Mapping[str, bytes]], now: Mapping[str, Mapping[str, bytes]], labels: Iterable[str]
) -> set[str]:
    """Paths of the documents that own other rows now of these extractors: digests by label and path."""
    found: set[str] = set()
    for label in labels:
        one, other = before.get(label, _NOTHING), now.get(label, _NOTHING)
        found.update(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    return found
