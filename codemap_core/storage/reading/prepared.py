"""SELECTs that are written once and asked often. SQLAlchemy composes each one, the first time it is asked; after that SQLite is asked
directly, as composing and compiling a statement costs ten times what a lookup by index does.

Invariant: rows are tuples as SQLite gives them; in particular a truth value is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast

import msgspec
from sqlalchemy import BindParameter, ClauseElement, Connection, Select, bindparam, column, func, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler

_DIALECT: Final = sqlite.dialect(paramstyle="qmark")

Row = tuple[Any, ...]


def parameter(name: str) -> BindParameter[Any]:
    """The value that a question gives as ``name``."""
    return bindparam(name, required=False)


def given(name: str) -> Select[Any]:
    """For the right-hand side of ``IN``: the list that a question gives as ``name``, of any length."""
    return select(column("value")).select_from(func.json_each(parameter(name)))


class Prepared:
    """``statement``: a SELECT in which ``parameter(name)`` and ``given(name)`` stand for what each question gives."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement: Final = statement

    @cached_property
    def _compiled(self) -> tuple[str, Sequence[str], Mapping[str, Any]]:
        """The statement, the names of its parameters in order, and the values of those that are constant."""
        compiled = cast(
            SQLCompiler, self._statement.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
        )
        constants = {name: value for name, value in compiled.params.items() if value is not None}
        return compiled.string, compiled.positiontup or (), constants

    def rows(self, connection: Connection, **values: object) -> list[Row]:
        """All rows. Each of ``values`` is a value, or a list of them for ``given``."""
        text, names, constants = self._compiled
        known = {
            **constants,
            **{name: _listed(each) if isinstance(each, list) else each for name, each in values.items()},
        }
        cursor = connection.connection.cursor()
        cursor.execute(text, [known[name] for name in names])
        return list(cursor.fetchall())


def _listed(values: list[Any]) -> str:
    return msgspec.json.encode(values).decode()
