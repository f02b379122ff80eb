"""Where code hands SQL to a database: methods of Dapper and EF Core, methods of connections and commands, commands that are created or
given their text.

Which of them a call is, is told by what declares its method; where that was not found, by the method's name. SQL that is handed to methods
of the repository's own, or to what was not found, is said with low confidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from msgspec import Struct

from codemap_core.facts import fact
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.bound import Event, EventKind, Value
from codemap_core.model.documentation_id import container_of
from codemap_plugins.db_table.migration_reading import MIGRATION
from codemap_plugins.db_table.rows import shown
from codemap_plugins.db_table.sql_mentions import Use
from codemap_plugins.db_table.sql_tables import NamedTable, is_statement, sql_tables
from codemap_plugins.db_table.sql_texts import sql_texts

_DAPPER_METHODS: Final = tuple(
    f"{name}{suffix}"
    for name in (
        *("Execute", "ExecuteReader", "ExecuteScalar", "Query", "QueryFirst", "QueryFirstOrDefault"),
        *("QueryMultiple", "QuerySingle", "QuerySingleOrDefault"),
    )
    for suffix in ("", "Async")
)
_EF_METHODS: Final = (
    *("ExecuteSql", "ExecuteSqlAsync", "ExecuteSqlCommand", "ExecuteSqlCommandAsync", "ExecuteSqlInterpolated"),
    *("ExecuteSqlInterpolatedAsync", "ExecuteSqlRaw", "ExecuteSqlRawAsync", "FromSql", "FromSqlInterpolated"),
    *("FromSqlRaw", "Sql", "SqlQuery", "SqlQueryRaw"),
)
_NAMES: Final = frozenset({*_DAPPER_METHODS, *_EF_METHODS, "QueryUnbufferedAsync"})
"""What SQL is handed to where the method was not found."""
INVOCATIONS: Final = ("AddTemplate", "CreateCommand", "Execute*", "FromSql*", "Query*", "Scalar*", "Sql*")
"""Wider than the names above: a method on a connection may have any name."""
COMMANDS: Final = (
    *(
        "AseCommand",
        "ClickHouseCommand",
        "DB2Command",
        "DuckDBCommand",
        "DuckDbCommand",
        "FbCommand",
        "HanaCommand",
        "IngresCommand",
    ),
    *(
        "MySqlCommand",
        "NpgsqlBatchCommand",
        "NpgsqlCommand",
        "OdbcCommand",
        "OleDbCommand",
        "OracleCommand",
        "SQLiteCommand",
    ),
    *("SnowflakeDbCommand", "SqlCeCommand", "SqlCommand", "SqliteCommand", "VerticaCommand"),
)
_ADAPTERS: Final = tuple(f"{each.removesuffix('Command')}DataAdapter" for each in COMMANDS)
CREATIONS: Final = ("CommandDefinition", *COMMANDS, *_ADAPTERS)
ASSIGNMENTS: Final = ("CommandText",)

_DAPPER: Final = "T:Dapper.SqlMapper"
_DAPPER_COMMAND: Final = "T:Dapper.CommandDefinition"
_EF_CORE: Final = "T:Microsoft.EntityFrameworkCore."
_DATABASE: Final = frozenset(
    f"T:System.Data.{name}"
    for name in (
        *("IDbConnection", "IDbCommand", "Common.DbConnection", "Common.DbCommand"),
        *("Common.DbBatch", "Common.DbBatchCommand", "Common.DbDataSource"),
    )
)


class _How(Enum):
    """How sure it is that a text is SQL for a database."""

    RULE = "rule"
    OTHER_LIBRARY = "other_library"
    GUESS = "guess"


class _Sql(Struct, frozen=True):
    """``texts``: several where it is one of several or put together in steps."""

    texts: tuple[str, ...]
    how: _How


def sql_facts(seen: Seen, event: Event) -> Iterator[FactRow]:
    """The tables of the SQL that an event hands over, each once."""
    found = _sql(seen, event)
    if found is None:
        return
    tables = [table for text in found.texts for table in sql_tables(text)]
    named: dict[tuple[str, str], NamedTable] = {}
    for table in sorted(tables, key=lambda each: each.is_defined):
        named.setdefault((table.schema.lower(), table.table.lower()), table)
    for table in named.values():
        yield _row(seen, event, table, found.how)


def _sql(seen: Seen, event: Event) -> _Sql | None:
    match event.kind:
        case EventKind.ASSIGNMENT:
            return _assigned(seen, event)
        case EventKind.CREATION:
            return _created(seen, event)
        case EventKind.INVOCATION:
            return _invoked(seen, event)
    return None


def _assigned(seen: Seen, event: Event) -> _Sql | None:
    """``command.CommandText = "…"``. A property so named of another type may be anything."""
    if event.target is None:
        return _statement(seen, event, _How.GUESS)
    if not event.arguments or not _is_database(seen, container_of(event.target)):
        return None
    texts = sql_texts(seen, event.arguments[0].value)
    return _Sql(texts, _How.RULE) if texts else None


def _created(seen: Seen, event: Event) -> _Sql | None:
    if event.target == _DAPPER_COMMAND:
        return _argument(seen, event, "commandText")
    if event.target is None:
        return _statement(seen, event, _How.GUESS)
    if _is_database(seen, event.target):
        return _statement(seen, event, _How.RULE)
    return _statement(seen, event, _How.OTHER_LIBRARY) if event.name in _ADAPTERS else None


def _invoked(seen: Seen, event: Event) -> _Sql | None:
    if event.target is None:
        return _statement(seen, event, _How.GUESS) if event.name in _NAMES else None
    container = container_of(event.target)
    if container == _DAPPER:
        return _argument(seen, event, "sql")
    if container.startswith(_EF_CORE):
        return _argument(seen, event, "sql")
    type_ = event.receiver.type if event.receiver is not None else None
    is_on_database = type_ is not None and bool(type_.id) and _is_database(seen, type_.id)
    if not event.external:
        return _statement(seen, event, _How.GUESS) if is_on_database or event.name in _NAMES else None
    if is_on_database:
        return _statement(seen, event, _How.RULE)
    return _statement(seen, event, _How.OTHER_LIBRARY)


def _argument(seen: Seen, event: Event, parameter: str) -> _Sql | None:
    value = next((each.value for each in event.arguments if each.parameter == parameter), None)
    texts = sql_texts(seen, value) if value is not None else ()
    return _Sql(texts, _How.RULE) if texts else None


def _statement(seen: Seen, event: Event, how: _How) -> _Sql | None:
    """The first text among the arguments that is a statement."""
    for argument in event.arguments:
        texts = sql_texts(seen, argument.value) if _may_be_text(argument.value) else ()
        if any(is_statement(text) for text in texts):
            return _Sql(texts, how)
    return None


def _may_be_text(value: Value) -> bool:
    return value.type is None or value.type.name in ("String", "FormattableString")


def _is_database(seen: Seen, type_id: str) -> bool:
    """Whether a type is a connection or command of ADO.NET."""
    return type_id in _DATABASE or not _DATABASE.isdisjoint(seen.bases_of(type_id))


def _row(seen: Seen, event: Event, table: NamedTable, how: _How) -> FactRow:
    is_beyond = how is _How.OTHER_LIBRARY or table.use is Use.USING
    confidence = event.confidence
    if how is _How.GUESS or table.is_defined or table.has_hole:
        confidence = Confidence.LOW
    elif is_beyond and confidence is Confidence.HIGH:
        confidence = Confidence.MEDIUM
    detail: dict[str, Any] = {
        "table": table.table,
        "schema": table.schema if table.schema and not table.has_hole else None,
        "source": "sql",
        "use": table.use.value,
        "past": event.target is not None and container_of(event.target) == MIGRATION,
        "beyond": is_beyond,
    }
    return fact(
        seen, event, FactKind.DB_TABLE, shown(table.table, table.schema, "Raw SQL"), detail, confidence=confidence
    )
