"""What is kept beside an index of how its rows came to be: made here, stored by ``storage.document_records``, read by ``reuse``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

import msgspec

from codemap_core.hooks.extractors import Note
from codemap_core.model import FactRow, ReferenceRow, SymbolRow
from codemap_core.pipeline.analyse import AnalysedUnit
from codemap_core.pipeline.extraction import DocumentRows
from codemap_core.pipeline.row_checks import Extracted
from codemap_core.storage.writing.document_records import DocumentRecord

_NO_UNIT: Final = AnalysedUnit(b"", b"")
_encode: Final = msgspec.msgpack.encode
decode_notes: Final = msgspec.msgpack.Decoder(tuple[Note, ...]).decode


def record_of(rows: DocumentRows, analysed: AnalysedUnit | None, labels: Mapping[int, str]) -> DocumentRecord:
    """``labels``: of extractors, by number."""
    unit = analysed if analysed is not None else _NO_UNIT
    notes = tuple((labels[number], _encode(each.notes)) for number, each in rows.further if each.notes)
    return DocumentRecord(unit.key, unit.surface, len(rows.symbols), len(rows.references), notes)


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


class Conclusions:
    """Digests of concluded rows, by the document that owns them."""

    def __init__(self) -> None:
        self._said: Final[dict[str, list[bytes]]] = {}

    def add(self, said: Mapping[str, bytes]) -> None:
        """``said``: by one extractor, see ``said_of``."""
        for path, rows in said.items():
            self._said.setdefault(path, []).append(rows)

    def digests(self) -> dict[str, bytes]:
        return {path: blake2b(b"\0".join(said), digest_size=8).digest() for path, said in self._said.items()}


def otherwise(before: Mapping[str, bytes], now: Mapping[str, bytes]) -> set[str]:
    """Documents with other digests, or that only one of both names."""
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
