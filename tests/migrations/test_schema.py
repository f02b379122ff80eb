"""Tables and revisions say the same, and every database that was ever written can be opened or says what to do."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from codemap_core.config import Settings
from codemap_core.storage import migrate
from codemap_core.storage.errors import CorruptIndexError, NewerIndexError, RebuildRequiredError
from codemap_core.storage.files import examine
from codemap_core.storage.migrate import SchemaName, Standing
from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.storage.schema.versions import BASELINE_HEAD, OVERLAY_HEAD
from codemap_core.testing.sample_index import write_sample_index

ROOT = Path(__file__).parents[2]
DATABASES = ROOT / "testdata" / "databases"
ASSETS = sorted(DATABASES.glob("*/*.db"))


def schema_of(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Every table and index with its columns and constraints, in no order; those that FTS5 makes itself left out."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    found = {name: re.sub(r"[\s\"]+", "", sql) for name, sql in rows if not re.match(r"\w+_fts_", name)}
    return {name: sorted(re.split(r"[,()]", sql)) for name, sql in found.items()}


@pytest.mark.parametrize("schema", SchemaName)
def test_tables_and_revisions_agree(schema: SchemaName) -> None:
    found = {check.schema: check for check in migrate.check()}[schema]
    assert found.heads == (schema.head,)
    assert found.differences == ()
    assert found.is_good


def test_a_fresh_baseline_is_what_the_revisions_make(tmp_path: Path) -> None:
    write_sample_index(tmp_path / "fresh.db")
    with (
        closing(sqlite3.connect(tmp_path / "fresh.db")) as fresh,
        closing(sqlite3.connect(":memory:", check_same_thread=False)) as revised,
    ):
        migrate.create_by_revisions(revised, SchemaName.BASELINE)
        assert schema_of(fresh) == schema_of(revised)
        for table in ("baseline_schema_version", "symbols_fts_config"):
            assert (
                fresh.execute(f"SELECT * FROM {table}").fetchall()
                == revised.execute(f"SELECT * FROM {table}").fetchall()
            )


def test_the_schemas_share_no_version_table() -> None:
    assert SchemaName.BASELINE.version_table == "baseline_schema_version"
    assert SchemaName.OVERLAY.version_table == "overlay_schema_version"


def test_every_constraint_has_a_name() -> None:
    for schema in SchemaName:
        for table in schema.metadata.tables.values():
            assert all(constraint.name for constraint in table.constraints), table.name


def test_every_revision_has_a_database() -> None:
    for schema in SchemaName:
        revisions = {path.stem for path in (ROOT / "migrations" / schema.value / "versions").glob("[bo]*.py")}
        assert schema.head in revisions
        assert {path.stem for path in ASSETS if path.parent.name == schema.value} == revisions


@pytest.mark.parametrize("asset", ASSETS, ids=lambda path: path.stem)
def test_every_historical_database_is_upgraded_or_must_be_rebuilt(asset: Path, tmp_path: Path) -> None:
    schema = SchemaName(asset.parent.name)
    path = tmp_path / asset.name
    shutil.copy(asset, path)
    if migrate.status(path, schema).standing is Standing.MUST_BE_REBUILT:
        with pytest.raises(RebuildRequiredError, match="codemap index"):
            migrate.upgrade_file(path, schema)
        return
    migrate.upgrade_file(path, schema)
    assert migrate.status(path, schema).standing is Standing.CURRENT
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    with (
        closing(sqlite3.connect(path)) as upgraded,
        closing(sqlite3.connect(":memory:", check_same_thread=False)) as revised,
    ):
        migrate.create_by_revisions(revised, schema)
        assert schema_of(upgraded) == schema_of(revised)
    if schema is SchemaName.BASELINE:
        write_sample_index(tmp_path / "now.db")
        with IndexReader.open(path) as old, IndexReader.open(tmp_path / "now.db") as new:
            assert {name: list(rows(old)) for name, rows in DUMPS.items()} == {
                name: list(rows(new)) for name, rows in DUMPS.items()
            }


@pytest.fixture
def next_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program whose baseline schema is one revision ahead: a table ``colours`` more."""
    scripts = tmp_path / "migrations"
    shutil.copytree(ROOT / "migrations", scripts, ignore=shutil.ignore_patterns("__pycache__"))
    revision = scripts / "baseline" / "versions" / "b9000_colours.py"
    revision.write_text(
        "from alembic import op\n"
        "import sqlalchemy as sa\n"
        "revision = 'b9000_colours'\n"
        f"down_revision = '{BASELINE_HEAD}'\n"
        "requires_rebuild = False\n"
        "def upgrade():\n"
        "    op.create_table('colours', sa.Column('id', sa.Integer(), nullable=False))\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(migrate, "migrations_directory", lambda: scripts)
    monkeypatch.setitem(migrate._HEADS, SchemaName.BASELINE, "b9000_colours")
    monkeypatch.setattr(examine, "BASELINE_HEAD", "b9000_colours")
    return revision


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}


def test_an_older_index_is_upgraded_when_it_is_opened(tmp_path: Path, next_revision: Path) -> None:
    path = tmp_path / "index" / "index.db"
    write_sample_index(path)
    assert migrate.status(path, SchemaName.BASELINE).standing is Standing.UPGRADABLE
    with IndexReader.open(path) as reader:
        assert reader.symbols_called(["OrderService"], SymbolFilter())
    assert "colours" in tables(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["index.db"]


def test_a_revision_may_ask_for_a_rebuild(tmp_path: Path, next_revision: Path) -> None:
    next_revision.write_text(next_revision.read_text().replace("requires_rebuild = False", "requires_rebuild = True"))
    path = tmp_path / "index" / "index.db"
    write_sample_index(path)
    with pytest.raises(RebuildRequiredError, match="codemap index"):
        IndexReader.open(path)
    assert "colours" not in tables(path)


def test_a_revision_that_fails_leaves_the_old_index(tmp_path: Path, next_revision: Path) -> None:
    next_revision.write_text(next_revision.read_text() + "    op.execute('SELECT * FROM nowhere')\n")
    path = tmp_path / "index" / "index.db"
    write_sample_index(path)
    before = path.read_bytes()
    with pytest.raises(CorruptIndexError, match="nowhere"):
        IndexReader.open(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["index.db"]


def test_all_databases_of_the_data_directory(tmp_path: Path, next_revision: Path) -> None:
    settings = Settings(data_directory=tmp_path / "data")
    assert migrate.current(settings) == ()
    good, bad = settings.baseline_file("repo", "a" * 40), settings.baseline_file("repo", "b" * 40)
    future = settings.overlay_file("repo", "agent")
    write_sample_index(good)
    bad.write_bytes(b"broken")
    future.parent.mkdir(parents=True)
    shutil.copy(DATABASES / "overlay" / f"{OVERLAY_HEAD}.db", future)
    with closing(sqlite3.connect(future)) as connection:
        connection.execute("UPDATE overlay_schema_version SET version_num = 'o9999'")
        connection.commit()
    assert [(status.path, status.standing) for status in migrate.current(settings)] == [
        (good, Standing.UPGRADABLE),
        (bad, Standing.CORRUPT),
        (future, Standing.NEWER),
    ]
    outcomes = migrate.upgrade(settings)
    assert [outcome.upgraded for outcome in outcomes] == [True, False, False]
    assert "codemap index" in outcomes[1].error
    assert "pip install -U codemap" in outcomes[2].error
    assert migrate.current(settings)[0].standing is Standing.CURRENT
    assert migrate.upgrade(settings)[0].upgraded is False


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    write_sample_index(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE baseline_schema_version SET version_num = 'b9999'")
        connection.commit()
    with pytest.raises(NewerIndexError):
        migrate.upgrade_file(path, SchemaName.BASELINE)


def test_the_wheel_contains_the_scripts(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    # Compiling the binder takes a minute and adds no scripts.
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"CODEMAP_PURE": "1"})
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    for schema in SchemaName:
        folder = f"codemap_core/_migrations/{schema.value}"
        assert {f"{folder}/env.py", f"{folder}/script.py.mako", f"{folder}/versions/{schema.head}.py"} <= names
    assert not any("__pycache__" in name for name in names)


def test_the_source_distribution_holds_the_pages_and_no_tests(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"CODEMAP_PURE": "1"})
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    linked = re.findall(r"\]\((docs/[\w/.-]+\.md)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert linked and set(linked) <= names
    assert {name.partition("/")[0] for name in names}.isdisjoint({"tests", "testdata"})
