"""The database: one SQLite file for each (repository, commit) baseline, and one for each workspace overlay.

Only this package, and ``migrations/``, imports sqlalchemy, alembic and sqlite3. Importing the package itself, ``examine`` or ``lock``
does not import SQLAlchemy; ``reader`` and ``writer`` do, and only ``migrate`` imports Alembic.
"""
