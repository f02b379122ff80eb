"""What a file is good for is known before it is read."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from codemap_core.errors import CodeMapError, IndexNotAvailableError
from codemap_core.storage.errors import CorruptIndexError, NewerIndexError
from codemap_core.storage.files.examine import IndexState, check_pages, examine_baseline
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.testing.sample_index import write_sample_index


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_sample_index(tmp_path / "index.db")
    return tmp_path / "index.db"


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def refusal(path: Path, fingerprint: str | None = None) -> CodeMapError:
    with pytest.raises(CodeMapError) as caught:
        IndexReader.open(path, fingerprint)
    return caught.value


def test_missing(tmp_path: Path) -> None:
    assert examine_baseline(tmp_path / "none.db").state is IndexState.MISSING
    error = refusal(tmp_path / "none.db")
    assert isinstance(error, IndexNotAvailableError)
    assert "codemap index" in error.message


def test_another_fingerprint_is_stale(path: Path) -> None:
    assert examine_baseline(path, "other").state is IndexState.STALE
    assert isinstance(refusal(path, "other"), IndexNotAvailableError)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"no database at all, but quite long" * 100])
def test_no_database_is_corrupt(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index.db").write_bytes(content)
    assert examine_baseline(tmp_path / "index.db").state is IndexState.CORRUPT
    assert isinstance(refusal(tmp_path / "index.db"), CorruptIndexError)


def test_a_database_of_somebody_else_is_corrupt(tmp_path: Path) -> None:
    change(tmp_path / "index.db", "CREATE TABLE info (id INTEGER)")
    assert examine_baseline(tmp_path / "index.db").state is IndexState.CORRUPT


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_a_truncated_file_is_corrupt(path: Path, part: float) -> None:
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    found = examine_baseline(path)
    assert found.state is IndexState.CORRUPT
    assert "truncated" in found.problem
    assert isinstance(refusal(path), CorruptIndexError)


def test_damaged_pages_are_found(path: Path) -> None:
    content = bytearray(path.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    content[page:] = b"\xa5" * (len(content) - page)
    path.write_bytes(content)
    found = examine_baseline(path)
    assert found.state is IndexState.CORRUPT
    assert check_pages(path) is not None


def test_damage_found_while_reading_is_explained(path: Path) -> None:
    with IndexReader.open(path) as reader:
        pass
    content = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        root: int = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'symbols'").fetchone()[0]
    page = int.from_bytes(content[16:18], "big")
    content[(root - 1) * page : root * page] = b"\xa5" * page
    path.write_bytes(content)
    assert examine_baseline(path).is_ready
    with IndexReader.open(path) as reader, pytest.raises(CorruptIndexError, match="codemap index"):
        reader.symbols_called(["Order"], SymbolFilter())


@pytest.mark.parametrize("statement", ["UPDATE info SET state = 'incomplete'", "DELETE FROM info"])
def test_never_completed(path: Path, statement: str) -> None:
    change(path, statement)
    assert examine_baseline(path).state is IndexState.INCOMPLETE
    assert isinstance(refusal(path), IndexNotAvailableError)


@pytest.mark.parametrize("column", ["project_diagnostics", "semantic_level", "file_count"])
def test_an_info_row_that_makes_no_sense_is_corrupt(path: Path, column: str) -> None:
    change(path, f"UPDATE info SET {column} = 'nonsense'")
    assert examine_baseline(path).state is IndexState.CORRUPT


def test_a_newer_schema_is_refused(path: Path) -> None:
    change(path, "UPDATE baseline_schema_version SET version_num = 'b9999_from_the_future'")
    before = path.read_bytes()
    error = refusal(path)
    assert isinstance(error, NewerIndexError)
    assert "pip install -U codemap" in error.message
    assert path.read_bytes() == before


def test_looking_imports_no_sqlalchemy() -> None:
    script = (
        "import sys; import codemap_core.config, codemap_core.storage.files.examine, codemap_core.storage.files.lock; "
        "print([name for name in ('sqlalchemy', 'alembic') if name in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
        == "[]"
    )


def test_reading_imports_no_alembic() -> None:
    script = (
        "import sys; import codemap_core.storage.reading.reader, codemap_core.storage.writing.writer, codemap_core.storage.reading.dump; "
        "print('alembic' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
        == "False"
    )
