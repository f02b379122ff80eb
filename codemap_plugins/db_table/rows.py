"""What the rows of this plug-in look like: ``[schema.]table|how``, and what the kind of facts is called."""

from __future__ import annotations

from typing import Final

from codemap_core.model import FactKind, FactKindInfo

DB_TABLE: Final = FactKindInfo(
    name=FactKind.DB_TABLE,
    title="Database tables",
    value="[schema.]table|how",
    detail={
        "at": "line of the property, the attribute or the method's name",
        "table": "the table's name",
        "schema": "its schema",
        "schema_from": "default: the schema is the context's default one",
        "source": "dbset, attribute, to_table, migration, sql or snapshot",
        "entity": "simple name of the entity",
        "entity_id": "id of the entity",
        "named_by": "of a DbSet: property, attribute, to_table, snapshot (the model as migrations know it) or type",
        "context": "of a DbSet that a context inherits from a library: id of the context",
        "use": "of SQL, the first one: from, join, into, update, delete, using, create, alter, drop, truncate, index, select_into",
        "past": "true for what once was: a table that migrations have dropped or renamed since, or that is created where one is undone; "
        "the model that a migration keeps of itself; SQL that a migration runs",
        "renamed_to": "of a table that is past, what a migration has renamed it to",
        "beyond": "the table is named by another library than Entity Framework Core, Dapper and ADO.NET, by one that a context derives "
        "from, or by a class that is a context by the name of its base class alone",
    },
)


def shown(table: str, schema: str | None, how: str) -> str:
    """The value of a fact."""
    return f"{with_schema(table, schema)}|{how}"


def with_schema(table: str, schema: str | None) -> str:
    return f"{schema}.{table}" if schema else table
