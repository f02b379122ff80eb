"""How often symbols are referred to: their weight when some of them have to be chosen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import func, select

from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema import baseline_tables as t

_PORTION: Final = 500


def reference_counts(reader: IndexReader, symbol_ids: Iterable[str]) -> dict[str, int]:
    """Resolved references to each symbol, by id; those without any are left out."""
    wanted = sorted(set(symbol_ids))
    found: dict[str, int] = {}
    with reader.streaming() as connection:
        for start in range(0, len(wanted), _PORTION):
            query = (
                select(t.SymbolId.symbol_id, func.count())
                .join(t.Ref, t.Ref.to_symbol == t.SymbolId.id)
                .where(t.SymbolId.symbol_id.in_(wanted[start : start + _PORTION]))
                .group_by(t.SymbolId.symbol_id)
            )
            found.update({row[0]: row[1] for row in connection.execute(query)})
    return found
