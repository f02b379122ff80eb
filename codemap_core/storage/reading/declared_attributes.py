"""Which attributes declarations carry, read off the references that name them.

An attribute belongs to the declaration when it stands before the declared name, or in another part of it; what stands
behind the name are attributes of parameters, accessors and bodies.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import and_, or_, select

from codemap_core.model import RefKind
from codemap_core.model.documentation_id import parse_id
from codemap_core.storage.reading import row_decoder
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES

SUFFIX: Final = "Attribute"
_PORTION: Final = 500
STANDS_BEFORE_NAME: Final = or_(
    t.Ref.file_id != t.Symbol.file_id,
    t.Ref.line < t.Symbol.name_line,
    and_(t.Ref.line == t.Symbol.name_line, t.Ref.column < t.Symbol.name_column),
)
"""Whether an attribute reference, joined to the symbol around it, belongs to that declaration itself."""


def attribute_names(reader: IndexReader, symbol_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By id, for those that have any: the simple names of their attributes without the suffix, by place. An attribute
    that was not resolved has the name it is written with."""
    wanted = sorted(set(symbol_ids))
    found: dict[str, dict[str, None]] = {}
    with reader.streaming() as connection:
        for start in range(0, len(wanted), _PORTION):
            query = (
                select(row_decoder.FROM_ID.symbol_id, row_decoder.TO_ID.symbol_id, row_decoder.NAME.value)
                .select_from(t.Ref)
                .join(row_decoder.FROM_ID, row_decoder.FROM_ID.id == t.Ref.from_symbol)
                .join(t.Symbol, t.Symbol.symbol == t.Ref.from_symbol)
                .join(t.File, t.File.id == t.Ref.file_id)
                .join(row_decoder.NAME, row_decoder.NAME.id == t.Ref.to_name)
                .outerjoin(row_decoder.TO_ID, row_decoder.TO_ID.id == t.Ref.to_symbol)
                .where(
                    row_decoder.FROM_ID.symbol_id.in_(wanted[start : start + _PORTION]),
                    t.Ref.kind == REF_KIND_CODES[RefKind.ATTRIBUTE],
                    t.Symbol.repeated.is_(False),
                    STANDS_BEFORE_NAME,
                )
                .order_by(row_decoder.FROM_ID.symbol_id, t.File.path, t.Ref.line, t.Ref.column)
            )
            for symbol_id, attribute_id, written in connection.execute(query):
                found.setdefault(symbol_id, {})[without_suffix(_simple(attribute_id) or written)] = None
    return {symbol_id: tuple(names) for symbol_id, names in found.items()}


def without_suffix(name: str) -> str:
    """``ObsoleteAttribute`` as it is mostly written: ``Obsolete``."""
    return name.removesuffix(SUFFIX) or name


def _simple(symbol_id: str | None) -> str:
    return "" if symbol_id is None else parse_id(symbol_id).name
