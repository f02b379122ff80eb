"""The tables of a baseline as SQL text: ``baseline.sql``, from which a fresh index is made without loading the database library.

``python -m codemap_core.storage.writing.schema_text`` writes it again after ``baseline_tables`` changed or a revision was added; a test
compares them.
"""

from __future__ import annotations

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from codemap_core.storage.migrate import SchemaName, newest_revision
from codemap_core.storage.schema.baseline_tables import BaselineBase
from codemap_core.storage.schema.table_text import STATEMENT_END
from codemap_core.storage.schema.versions import BASELINE_VERSION_TABLE, COMMENT, SCHEMA_FILE


def baseline_sql() -> str:
    """The newest revision, as a comment; one statement for each table, and then for each index, in the order in which they are made."""
    dialect = sqlite.dialect()
    tables = BaselineBase.metadata.sorted_tables
    statements = [str(CreateTable(table).compile(dialect=dialect)) for table in tables]
    statements.append(
        f"CREATE TABLE {BASELINE_VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, "
        f"CONSTRAINT {BASELINE_VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
    )
    statements += [
        str(CreateIndex(index).compile(dialect=dialect))
        for table in tables
        for index in sorted(table.indexes, key=lambda each: each.name or "")
    ]
    lines = ("\n".join(line.rstrip() for line in each.strip().splitlines()) for each in statements)
    head = f"{COMMENT}{newest_revision(SchemaName.BASELINE)}\n\n"
    return head + "".join(each + STATEMENT_END for each in lines)


if __name__ == "__main__":
    SCHEMA_FILE.write_text(baseline_sql(), encoding="utf-8")
