"""In which dialect of SQL code is likely to be: by the type that it is handed to, else by the packages of the project."""

from __future__ import annotations

from typing import Final

from codemap_core.model import Project
from codemap_core.model.bound import Event

_BY_TYPE: Final = {
    "Sql": "tsql",
    "Npgsql": "postgres",
    "MySql": "mysql",
    "Sqlite": "sqlite",
    "SQLite": "sqlite",
    "Oracle": "oracle",
    "Snowflake": "snowflake",
    "DuckDB": "duckdb",
    "ClickHouse": "clickhouse",
}
_TYPE_ENDINGS: Final = ("Connection", "Command", "DbConnection", "DbCommand", "BatchCommand")
_BY_PACKAGE: Final = {
    "clickhouse": "clickhouse",
    "duckdb": "duckdb",
    "mysql": "mysql",
    "npgsql": "postgres",
    "oracle": "oracle",
    "snowflake": "snowflake",
    "sqlclient": "tsql",
    "sqlite": "sqlite",
    "sqlserver": "tsql",
}
"""By a part of the package's name, in lower case."""


def dialect_of(event: Event, project: Project | None) -> str:
    """A name of sqlglot's; empty where nothing tells, or where the project has packages for several databases."""
    type_ = event.receiver.type if event.receiver is not None else event.type
    name = type_.name if type_ is not None else ""
    for ending in _TYPE_ENDINGS:
        known = _BY_TYPE.get(name.removesuffix(ending)) if name.endswith(ending) else None
        if known is not None:
            return known
    return _of_packages(project) if project is not None else ""


def _of_packages(project: Project) -> str:
    found = {dialect for each in project.packages for part, dialect in _BY_PACKAGE.items() if part in each.id.lower()}
    return found.pop() if len(found) == 1 else ""
