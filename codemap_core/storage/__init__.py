"""The database: one SQLite file per (repository, commit) baseline, one per workspace overlay. The only importer of
sqlalchemy, alembic and sqlite3 (``migrations/`` apart).

    errors           what can be wrong with an index file, as exceptions
    examine          is there a usable index? Standard library only, a few milliseconds
    lock             one builder per index file
    codes            numbers that stand for enum members in the widest table
    fulltext         the FTS5 tables, name tokens, match expressions
    row_tables       columns shared by baseline and overlay; baseline_tables, overlay_tables: the two schemas
    engine           connections and pragmas
    writer           BaselineWriter: complete or invisible;  row_encoder: model structs to database rows
    reader           IndexReader: lookups;  symbol_search: full text;  dump: canonical rows
    text_scan        regular expressions over file texts, in a process that can be stopped
    migrate          Alembic: upgrade, current, check
    savings          the running total of saved tokens

Importing this package, ``examine`` or ``lock`` imports no SQLAlchemy; ``reader`` and ``writer`` do, only ``migrate``
imports Alembic.
"""
