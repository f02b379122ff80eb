"""The tables that a text of SQL names: the one way in.

A text may have holes, ``{?name}`` where something is put in that is not known, and places for values (``{0}``, ``{=id}``). A table whose
name has a hole in it is not named at all; one whose schema has a hole is.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from codemap_plugins.db_table.sql_mentions import DEFINING, Mention, Use, changed_rows, tables_of
from codemap_plugins.db_table.sql_scanned import scan
from codemap_plugins.db_table.sql_tokens import HOLE_WORD, first_keyword, keywords, tokens_of

_LONGEST: Final = 200_000
"""Characters; what is longer is data."""
_HOLE: Final = re.compile(r"\{(\?[^{}]*|=\w+|\d[^{}]*)\}")
_POSITIONAL: Final = re.compile(r"\?(\w+)\?")
"""Dapper's parameters for databases that know no names: ``?id?``."""
_FILLED: Final = re.compile(rf"{HOLE_WORD}(\d+)_")
_WORTH_READING: Final = re.compile(
    r"(?:\b|(?<=\d))(?:from|join|into|insert|update|delete|merge|table|index|truncate)\b", re.IGNORECASE
)
_SET: Final = re.compile(r"\bset\b", re.IGNORECASE)
_VERBS: Final = keywords(
    """ALTER BEGIN CALL COPY CREATE DECLARE DELETE DROP EXEC EXECUTE IF INSERT MERGE REPLACE SELECT SET TRUNCATE UPDATE USE
    WITH"""
)


class NamedTable(Struct, frozen=True):
    """``schema``: empty where none is written. ``has_hole``: something in the schema is not known, and stands in it as ``{?name}``."""

    table: str
    schema: str
    use: Use
    has_hole: bool = False

    @property
    def is_defined(self) -> bool:
        """It is only created, altered or dropped, or filled by ``SELECT … INTO``."""
        return self.use in DEFINING


def is_statement(text: str) -> bool:
    """Whether a text begins like a statement of SQL."""
    verb = first_keyword(text)
    return verb in _VERBS and (verb != "UPDATE" or _SET.search(text) is not None)


def sql_tables(text: str) -> tuple[NamedTable, ...]:
    """Each table once, with its first use, in the order of the text."""
    if len(text) > _LONGEST or not _WORTH_READING.search(text):
        return ()
    holes: list[str] = []

    def fill(match: re.Match[str]) -> str:
        holes.append(match[0] if match[1].startswith("?") else "{?}")
        return f"{HOLE_WORD}{len(holes) - 1}_"

    filled = _POSITIONAL.sub("@\\1", _HOLE.sub(fill, text))
    found = tables_of(scan(tokens_of(filled)), changed_rows(filled))
    return tuple(_named(each, holes) for each in found if not _FILLED.search(each.table))


def _named(mention: Mention, holes: list[str]) -> NamedTable:
    schema, count = _FILLED.subn(lambda match: holes[int(match[1])], mention.schema)
    return NamedTable(mention.table, schema, mention.use, count > 0)
