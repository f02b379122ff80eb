"""What is kept beside an index of how its rows came to be: made here, stored by ``storage.document_records``, read by ``reuse``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from codemap_core.hooks.extractors import Note
from codemap_core.pipeline.analyse import AnalysedUnit
from codemap_core.pipeline.extraction import DocumentRows
from codemap_core.storage.writing.document_records import DocumentRecord

_NO_UNIT: Final = AnalysedUnit(b"", b"")
_encode: Final = msgspec.msgpack.encode
decode_notes: Final = msgspec.msgpack.Decoder(tuple[Note, ...]).decode


def record_of(rows: DocumentRows, analysed: AnalysedUnit | None, labels: Mapping[int, str]) -> DocumentRecord:
    """``labels``: of extractors, by number."""
    unit = analysed if analysed is not None else _NO_UNIT
    notes = tuple((labels[number], _encode(each.notes)) for number, each in rows.further if each.notes)
    return DocumentRecord(unit.key, unit.surface, len(rows.symbols), len(rows.references), notes)
