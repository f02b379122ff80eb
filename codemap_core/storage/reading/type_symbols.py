"""Which rows of ``symbols`` are types, as SQL.

A kind of the contract means either types or members. Of further kinds, such as components of TypeScript, both may be: their ids tell.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, and_, exists, literal, or_, select

from codemap_core.model import SymbolKind
from codemap_core.model.documentation_id import TYPE_PREFIX
from codemap_core.storage.schema import baseline_tables as t

_KINDS: Final = tuple(kind.value for kind in SymbolKind)
_TYPES: Final = tuple(kind.value for kind in SymbolKind if kind.is_type)
_HAS_ID_OF_TYPE: Final = exists(
    select(literal(1))
    .where(t.SymbolId.id == t.Symbol.symbol, t.SymbolId.symbol_id.op("GLOB")(f"{TYPE_PREFIX}*"))
    .correlate(t.Symbol)
)
IS_TYPE: Final[ColumnElement[bool]] = or_(
    t.Symbol.kind.in_(_TYPES), and_(t.Symbol.kind.not_in(_KINDS), _HAS_ID_OF_TYPE)
)
"""About the row of ``symbols`` that is looked at; never null."""
