"""Alembic: two environments, baseline and overlay, each with its own scripts, metadata and version table.

Fresh databases are made from the tables and stamped (``fresh_baseline``), as that takes milliseconds; existing
ones go through the revisions. A test holds both ways to the same schema. An index file is never changed in place: its
upgraded copy replaces it.

The only module that imports Alembic; import it only where a schema may have to change.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.runtime.environment import EnvironmentContext
from alembic.script import Script, ScriptDirectory
from msgspec import Struct
from sqlalchemy import Connection, Engine, MetaData, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from codemap_core.config import Settings
from codemap_core.errors import StorageError
from codemap_core.storage.errors import CorruptIndexError, NewerIndexError, RebuildRequiredError
from codemap_core.storage.files.durable_files import put_in_place, temporary_file, unwritable
from codemap_core.storage.files.examine import read_only_uri
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.schema import baseline_tables, overlay_tables
from codemap_core.storage.schema.fulltext import FULLTEXT_TABLES
from codemap_core.storage.schema.versions import (
    BASELINE_HEAD,
    BASELINE_VERSION_TABLE,
    OVERLAY_HEAD,
    OVERLAY_VERSION_TABLE,
)

_context_lock: Final = threading.Lock()
"""Alembic keeps its context in globals."""


class SchemaName(StrEnum):
    """The two environments, named like their folders in ``migrations/``."""

    BASELINE = "baseline"
    OVERLAY = "overlay"

    @property
    def metadata(self) -> MetaData:
        return _METADATA[self]

    @property
    def version_table(self) -> str:
        return _VERSION_TABLES[self]

    @property
    def head(self) -> str:
        return _HEADS[self]


_METADATA: Final = {
    SchemaName.BASELINE: baseline_tables.BaselineBase.metadata,
    SchemaName.OVERLAY: overlay_tables.OverlayBase.metadata,
}
_VERSION_TABLES: Final = {
    SchemaName.BASELINE: BASELINE_VERSION_TABLE,
    SchemaName.OVERLAY: OVERLAY_VERSION_TABLE,
}
_HEADS: Final = {
    SchemaName.BASELINE: BASELINE_HEAD,
    SchemaName.OVERLAY: OVERLAY_HEAD,
}


class Standing(StrEnum):
    """Where a database file stands among the revisions."""

    CURRENT = "current"
    UPGRADABLE = "upgradable"
    MUST_BE_REBUILT = "must_be_rebuilt"
    """A revision on the way declares that what the file holds must be extracted again."""
    NEWER = "newer"
    CORRUPT = "corrupt"


class DatabaseStatus(Struct, frozen=True):
    path: Path
    schema: SchemaName
    revision: str | None
    """Null when the file cannot be read."""
    head: str
    standing: Standing
    problem: str = ""


class UpgradeOutcome(Struct, frozen=True):
    """``before`` is what was found; ``error`` why it could not be repaired, or empty."""

    before: DatabaseStatus
    upgraded: bool
    error: str = ""


class SchemaCheck(Struct, frozen=True):
    """Whether tables and revisions of one environment say the same; ``differences`` are Alembic's, as text."""

    schema: SchemaName
    heads: tuple[str, ...]
    differences: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        return self.heads == (self.schema.head,) and not self.differences


def migrations_directory() -> Path:
    """The scripts: shipped inside the package, or in the repository when running from a checkout."""
    shipped = Path(str(resources.files("codemap_core"))) / "_migrations"
    if shipped.is_dir():
        return shipped
    checkout = shipped.parent.parent / "migrations"
    if checkout.is_dir():
        return checkout
    raise StorageError("The database migrations are missing from this installation: install codemap again.")


def current(settings: Settings) -> tuple[DatabaseStatus, ...]:
    """The state of every database in the data directory, by path."""
    return tuple(status(path, schema) for path, schema in _databases(settings))


def upgrade(settings: Settings) -> tuple[UpgradeOutcome, ...]:
    """Brings every database in the data directory up to date, by path; one that cannot be is reported, not raised."""
    outcomes: list[UpgradeOutcome] = []
    for path, schema in _databases(settings):
        before = status(path, schema)
        if before.standing is Standing.CURRENT:
            outcomes.append(UpgradeOutcome(before, upgraded=False))
            continue
        try:
            upgrade_file(path, schema)
        except StorageError as error:
            outcomes.append(UpgradeOutcome(before, upgraded=False, error=error.message))
        else:
            outcomes.append(UpgradeOutcome(before, upgraded=True))
    return tuple(outcomes)


def check() -> tuple[SchemaCheck, ...]:
    """Compares the tables with what the revisions make of an empty database."""
    return tuple(_check(schema) for schema in SchemaName)


def newest_revision(schema: SchemaName) -> str:
    """Raises: StorageError where two revisions follow the same one."""
    heads = _heads(schema)
    if len(heads) != 1:
        raise StorageError(f"The revisions of {schema} have several heads: {', '.join(heads)}.")
    return heads[0]


def status(path: Path, schema: SchemaName) -> DatabaseStatus:
    """Where one file stands. Never raises for what is in the file."""
    try:
        revision = _revision_of(path, schema)
    except sqlite3.Error as error:
        return DatabaseStatus(path, schema, None, schema.head, Standing.CORRUPT, str(error))
    if revision is None:
        return DatabaseStatus(path, schema, None, schema.head, Standing.CORRUPT, "it has no schema version")
    return DatabaseStatus(path, schema, revision, schema.head, _standing(revision, schema))


def upgrade_file(path: Path, schema: SchemaName) -> None:
    """Brings one file to the head revision by way of a copy; does nothing when it is there already. Raises:
    NewerIndexError, RebuildRequiredError, CorruptIndexError; StorageError when the folder cannot be written."""
    with build_lock(path):
        found = status(path, schema)
        _refuse(found)
        if found.standing is Standing.CURRENT:
            return
        copy = temporary_file(path)
        try:
            _copy_database(path, copy)
            with closing(sqlite3.connect(copy)) as raw:
                _upgrade_connection(raw, schema)
            put_in_place(copy, path)
        except OSError as error:
            raise unwritable(path, error) from error
        except (sqlite3.Error, DBAPIError) as error:
            raise CorruptIndexError(
                f"The database {path} could not be upgraded ({error}): run 'codemap index' to build it again.",
                path=str(path),
            ) from error
        finally:
            copy.unlink(missing_ok=True)


def create_by_revisions(connection: sqlite3.Connection, schema: SchemaName, revision: str = "head") -> None:
    """Runs the revisions on an empty database."""
    _upgrade_connection(connection, schema, revision)


def run_environment(context: EnvironmentContext, schema: SchemaName) -> None:
    """The work of ``migrations/*/env.py``. The connection comes from this module, so that Alembic's own command cannot
    touch the wrong file."""
    connection = context.config.attributes.get("connection")
    if connection is None:
        raise StorageError("Migrations run through 'codemap db upgrade', which knows the database files.")
    context.configure(connection=connection, **_options(schema))
    with context.begin_transaction():
        context.run_migrations()


def _options(schema: SchemaName) -> dict[str, Any]:
    return {
        "target_metadata": schema.metadata,
        "version_table": schema.version_table,
        "render_as_batch": True,
        "transaction_per_migration": True,
        "include_object": _is_ours,
    }


def _is_ours(item: object, name: str | None, kind: str, reflected: bool, compare_to: object) -> bool:
    """Full-text tables are made by hand in revisions; Alembic sees only their shadow tables."""
    return not (kind == "table" and name is not None and name.startswith(FULLTEXT_TABLES))


def _config(schema: SchemaName, connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_directory() / schema.value).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _upgrade_connection(raw: sqlite3.Connection, schema: SchemaName, revision: str = "head") -> None:
    engine = _engine_of(raw)
    with _context_lock, engine.connect() as connection:
        command.upgrade(_config(schema, connection), revision)
        connection.commit()


def _engine_of(raw: sqlite3.Connection) -> Engine:
    return create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)


def _standing(revision: str, schema: SchemaName) -> Standing:
    if revision == schema.head:
        return Standing.CURRENT
    scripts = ScriptDirectory.from_config(_config(schema))
    ahead = _revisions_after(scripts, revision)
    if ahead is None:
        return Standing.NEWER
    if any(getattr(script.module, "requires_rebuild", False) for script in ahead):
        return Standing.MUST_BE_REBUILT
    return Standing.UPGRADABLE


def _revisions_after(scripts: ScriptDirectory, revision: str) -> list[Script] | None:
    """The revisions from ``revision``, excluded, to the head; null when it is unknown."""
    after: list[Script] = []
    for script in scripts.walk_revisions():
        if script.revision == revision:
            return after
        after.append(script)
    return None


def _refuse(found: DatabaseStatus) -> None:
    where = {"path": str(found.path)}
    if found.standing is Standing.NEWER:
        raise NewerIndexError(
            f"The database {found.path} has schema {found.revision}, which is newer than this CodeMap: "
            "upgrade codemap with 'pip install -U codemap', or replace it with 'codemap index --rebuild'.",
            **where,
        )
    if found.standing is Standing.MUST_BE_REBUILT:
        raise RebuildRequiredError(
            f"The database {found.path} has schema {found.revision}, and what it holds must be extracted again: "
            "run 'codemap index'.",
            **where,
        )
    if found.standing is Standing.CORRUPT:
        raise CorruptIndexError(
            f"The database {found.path} is damaged ({found.problem}): run 'codemap index' to build it again.", **where
        )


def refuse_newer(path: Path, schema: SchemaName) -> None:
    """Raises: NewerIndexError when the file at ``path`` was written by a newer CodeMap."""
    found = status(path, schema)
    if found.standing is Standing.NEWER:
        _refuse(found)


def _revision_of(path: Path, schema: SchemaName) -> str | None:
    immutable = schema is SchemaName.BASELINE
    with closing(sqlite3.connect(read_only_uri(path, immutable), uri=True)) as connection:
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if connection.execute(query, (schema.version_table,)).fetchone() is None:
            return None
        row = connection.execute(f"SELECT version_num FROM {schema.version_table}").fetchone()
    return None if row is None else str(row[0])


def _copy_database(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(read_only_uri(source, immutable=False), uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)


def _databases(settings: Settings) -> Iterator[tuple[Path, SchemaName]]:
    for path in sorted(settings.baselines_directory.glob("*/*.db")):
        yield path, SchemaName.BASELINE
    for path in sorted(settings.overlays_directory.glob("*/*.db")):
        yield path, SchemaName.OVERLAY


def _heads(schema: SchemaName) -> tuple[str, ...]:
    return tuple(sorted(ScriptDirectory.from_config(_config(schema)).get_heads()))


def _check(schema: SchemaName) -> SchemaCheck:
    heads = _heads(schema)
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as raw:
        create_by_revisions(raw, schema)
        with _engine_of(raw).connect() as connection:
            options = {"compare_type": True, "include_object": _is_ours, "version_table": schema.version_table}
            context = MigrationContext.configure(connection, opts=options)
            differences = tuple(str(difference) for difference in compare_metadata(context, schema.metadata))
    return SchemaCheck(schema, heads, differences)
