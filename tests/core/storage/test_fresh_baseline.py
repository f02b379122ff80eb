"""A fresh index is made without the database library, from text that says what the tables do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from codemap_core.storage.schema.baseline_tables import BaselineBase
from codemap_core.storage.schema.table_text import columns_of_tables
from codemap_core.storage.schema.versions import SCHEMA_FILE
from codemap_core.storage.writing.schema_text import baseline_sql
from tests.clone import Clone

INDEX_TWICE = """
import sys
from pathlib import Path
from codemap_core.config import Settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.repository import Repository
host, settings = load_plugins(), Settings(data_directory=Path(sys.argv[2]))
for commit in ("HEAD~1", "HEAD"):
    result = ensure_baseline(Repository.open(Path(sys.argv[1])), host, settings, commit=commit, jobs=1)
print(result.bound_files, [name for name in ("sqlalchemy", "alembic") if name in sys.modules])
"""


def test_the_text_is_that_of_the_tables() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == baseline_sql(), (
        "run python -m codemap_core.storage.writing.schema_text"
    )


def test_columns_come_in_the_order_of_the_tables() -> None:
    tables = BaselineBase.metadata.tables
    assert {name: [column.name for column in columns] for name, columns in columns_of_tables().items()} == {
        name: [column.name for column in tables[name].columns] for name in sorted(tables)
    }


def test_neither_a_first_index_nor_the_next_one_loads_the_database_library(tmp_path: Path) -> None:
    clone = Clone(tmp_path / "clone")
    clone.commit({f"{name}.cs": f"class {name} {{ }}" for name in "ABC"})
    clone.commit({"A.cs": "class A { int one; }"})
    arguments = [sys.executable, "-c", INDEX_TWICE, str(clone.root), str(tmp_path / "home")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1 []"
