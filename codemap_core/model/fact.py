"""Architectural facts: a value of a kind at a place, owned by a symbol. The eight kinds of the contract; plug-ins may add kinds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct, field

from codemap_core.model.documentation_id import SymbolId
from codemap_core.model.symbol import Confidence


class FactKind(StrEnum):
    """The kinds of the contract (API schema section 2.2). ``FactRow.kind`` is a plain string: a plug-in may register further ones."""

    ROUTE = "route"
    CONFIG = "config"
    DB_TABLE = "db_table"
    DI_REGISTRATION = "di_registration"
    MIDDLEWARE = "middleware"
    EXCEPTION = "exception"
    LOG = "log"
    RETRY_POLICY = "retry_policy"


DOCUMENTED: Final = "documented"
"""The metadata of an exception that a comment documents, and that need not be thrown."""
CATCH: Final = "catch"
"""The kind, besides those, of facts about catch clauses: what they guard decides which exceptions leave a member."""
HOLE: Final = "{?"
"""How a piece of a value begins that is not known: ``{?name}``."""
_METADATA_BEHIND_FIRST_BAR: Final = frozenset({FactKind.MIDDLEWARE, FactKind.DI_REGISTRATION})


def split_value(kind: str, value: str) -> tuple[str, str]:
    """What names a fact, and its metadata, which is empty where there is none. The metadata is behind the last ``|``, of middleware and
    registrations behind the first one; a route has none."""
    if kind == FactKind.ROUTE or "|" not in value:
        return value, ""
    if kind in _METADATA_BEHIND_FIRST_BAR:
        display, _, metadata = value.partition("|")
    else:
        display, _, metadata = value.rpartition("|")
    return display, metadata


class FactRow(Struct, frozen=True, kw_only=True):
    kind: str
    value: str
    """``display|metadata``, pipe-separated where the kind says so."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """Typed keys, as JSON can hold them; a key without a value is left out."""
    symbol_id: SymbolId | None = None
    """The owner; null for what no symbol owns, such as a line of a settings file."""
    file_path: str
    line_start: int
    line_end: int
    confidence: Confidence = Confidence.HIGH
    project: str = ""
