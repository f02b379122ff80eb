"""Types above and below a type, over any number of base lists. Ids are sorted; a type is never above or below itself."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlalchemy.orm import InstrumentedAttribute

from codemap_core.storage import baseline_tables as t


def ancestors(connection: Connection, symbol_id: str) -> tuple[str, ...]:
    """Base types and interfaces, direct and inherited, as far as base lists in the index tell."""
    return _closure(connection, symbol_id, t.Relation.from_symbol, t.Relation.to_symbol)


def descendants(connection: Connection, symbol_id: str) -> tuple[str, ...]:
    """Types that derive from the type or implement it, direct and indirect."""
    return _closure(connection, symbol_id, t.Relation.to_symbol, t.Relation.from_symbol)


def _closure(
    connection: Connection,
    symbol_id: str,
    near: InstrumentedAttribute[int],
    far: InstrumentedAttribute[int],
) -> tuple[str, ...]:
    number = select(t.SymbolId.id).where(t.SymbolId.symbol_id == symbol_id).scalar_subquery()
    reached = select(far.label("id")).where(near == number).cte(recursive=True)
    reached = reached.union(select(far).join(reached, near == reached.c.id))
    query = (
        select(t.SymbolId.symbol_id)
        .join(reached, reached.c.id == t.SymbolId.id)
        .where(t.SymbolId.symbol_id != symbol_id)
        .order_by(t.SymbolId.symbol_id)
    )
    return tuple(connection.execute(query).scalars())
