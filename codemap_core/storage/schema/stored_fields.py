"""In which column of its table each field of a row is stored, and how: the one list that writing, reading and comparing rows follow.

A field has the column of its own name unless one of the tables here says otherwise, and its form follows from its type and the column's:
a text in a column of numbers is the number of that text, a member of an enum its code, and so on. So a further field needs no line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from codemap_core.model import FactRow, ReferenceRow, RelationRow, SymbolRow
from codemap_core.model.documentation_id import SymbolId
from codemap_core.storage.schema.table_text import Column, columns_of_tables

SYMBOLS: Final = "symbols"
REFS: Final = "refs"
RELATIONS: Final = "relations"
FACTS: Final = "facts"
ROWS: Final[dict[str, type[Struct]]] = {
    SYMBOLS: SymbolRow,
    REFS: ReferenceRow,
    RELATIONS: RelationRow,
    FACTS: FactRow,
}
"""By table, the rows of the model that are stored in it."""
FILE: Final = "file_path"
PROJECT: Final = "project"
_SPAN: Final = "line_span"
_RENAMED: Final = {
    FILE: "file_id",
    PROJECT: "project_id",
    "symbol_id": "symbol",
    "container_id": "container",
    "resolution_state": "state",
    "line_end": _SPAN,
}
"""By field, the column that it has where none is called like it."""
_IN_PIECES: Final = frozenset({"documentation"})
"""Fields that several columns hold."""


class Form(Enum):
    """How a value is stored. The last four are numbers of rows: of ``symbol_ids``, ``strings``, ``files`` and ``projects``."""

    PLAIN = auto()
    TEXT = auto()
    TRUTH = auto()
    VALUE = auto()
    """The value of an enum's member."""
    CODE = auto()
    """The number of an enum's member in ``codes``."""
    WORDS = auto()
    """Texts without white space, separated by spaces."""
    JSON = auto()
    SPAN = auto()
    """How many lines behind the row's first one its last one is."""
    SYMBOL = auto()
    STRING = auto()
    FILE = auto()
    PROJECT = auto()


_OWN_FORM: Final = {FILE: Form.FILE, PROJECT: Form.PROJECT}


class StoredField(Struct, frozen=True):
    """``type``: that of the field, without null. ``allows_null``: the field; ``is_nullable``: the column, which has null for an empty text
    where the field does not."""

    name: str
    column: str
    form: Form
    type: Any
    allows_null: bool
    is_nullable: bool


@cache
def stored_fields(table: str) -> tuple[StoredField, ...]:
    """The fields of its rows that have one column each, in the order of the row."""
    row = ROWS[table]
    columns = {column.name: column for column in columns_of_tables()[table]}
    hints = get_type_hints(row, include_extras=True)
    found = []
    for name in row.__struct_fields__:
        column = columns.get(name) or columns.get(_RENAMED.get(name, ""))
        if column is not None and name not in _IN_PIECES:
            kind = _without_null(hints[name])
            form = _form(name, kind, column)
            found.append(StoredField(name, column.name, form, kind, kind != hints[name], column.is_nullable))
    return tuple(found)


def _without_null(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    return hint


def _form(name: str, kind: Any, column: Column) -> Form:
    if name in _OWN_FORM:
        return _OWN_FORM[name]
    if kind == SymbolId:
        return Form.SYMBOL
    if kind is str:
        return Form.STRING if column.is_number else Form.TEXT
    if kind is bool:
        return Form.TRUTH
    if kind is int:
        return Form.SPAN if column.name == _SPAN else Form.PLAIN
    if get_origin(kind) is tuple:
        return Form.WORDS
    if get_origin(kind) is Mapping:
        return Form.JSON
    assert issubclass(kind, Enum), f"no form is known for {name}: {kind}"
    return Form.CODE if column.is_number else Form.VALUE
