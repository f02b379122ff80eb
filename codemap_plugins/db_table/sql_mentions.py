"""Tables that a statement mentions, and what remains of the mentions once aliases and common table expressions are known.

Names are without their quotation marks. A name is compared without case, as databases do by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace


class Use(StrEnum):
    """What a statement does with a table."""

    FROM = "from"
    JOIN = "join"
    INTO = "into"
    """INSERT, MERGE."""
    UPDATE = "update"
    DELETE = "delete"
    USING = "using"
    """The source of MERGE, further tables of DELETE."""
    SELECT_INTO = "select_into"
    CREATE = "create"
    ALTER = "alter"
    DROP = "drop"
    TRUNCATE = "truncate"
    INDEX = "index"


DEFINING: Final = frozenset({Use.SELECT_INTO, Use.CREATE, Use.ALTER, Use.DROP, Use.TRUNCATE, Use.INDEX})
"""Uses that say what the database looks like, not what is read or written."""

_SYSTEM_SCHEMAS: Final = frozenset({"sys", "information_schema", "pg_catalog", "mysql", "performance_schema"})
_ALIASED: Final = frozenset({Use.UPDATE, Use.DELETE})
_TRIGGER: Final = re.compile(r"\b(?:create(?:\s+or\s+alter)?|alter)\s+trigger\b", re.IGNORECASE)
_CHANGED_ROWS: Final = frozenset({"inserted", "deleted"})


class Mention(Struct, frozen=True):
    """``start``: offset in the text. ``schema``: empty where none is written."""

    table: str
    schema: str
    use: Use
    start: int


class Statement(Struct):
    """What was read of one statement."""

    mentions: list[Mention]
    aliases: dict[str, Mention | None]
    """By name in lower case; null for what is not a table: a subquery, a function, a variable, a temporary table."""
    expressions: set[str]
    """Names of common table expressions, in lower case."""


def changed_rows(text: str) -> frozenset[str]:
    """What a text that defines a trigger calls the rows that set it off: in SQL Server names of no table, though written like tables."""
    return _CHANGED_ROWS if _TRIGGER.search(text) else frozenset()


def tables_of(statements: Iterable[Statement], no_tables: frozenset[str] = frozenset()) -> tuple[Mention, ...]:
    """Each table once, with its first use in the order of the text, those that read or write before all others. ``no_tables``: names in
    lower case that mean none in the whole text."""
    known = [replace(each, expressions=each.expressions | no_tables) for each in statements]
    found: dict[tuple[str, str], Mention] = {}
    for each in sorted((each for s in known for each in _resolved(s)), key=lambda each: (_rank(each), each.start)):
        found.setdefault((each.schema.lower(), each.table.lower()), each)
    return tuple(sorted(found.values(), key=lambda each: each.start))


def _rank(mention: Mention) -> int:
    return 2 if mention.use in DEFINING else 1 if mention.use is Use.USING else 0


def _resolved(statement: Statement) -> Iterable[Mention]:
    for each in statement.mentions:
        name = each.table.lower()
        if not each.schema and each.use in _ALIASED and name in statement.aliases:
            meant = statement.aliases[name]
            if meant is not None and _is_table(meant, statement):
                yield Mention(meant.table, meant.schema, each.use, each.start)
        elif _is_table(each, statement):
            yield each


def _is_table(mention: Mention, statement: Statement) -> bool:
    name, schema = mention.table.lower(), mention.schema.lower()
    if not name or name.startswith(("#", "sqlite_")) or schema in _SYSTEM_SCHEMAS:
        return False
    return bool(schema) or name not in statement.expressions
