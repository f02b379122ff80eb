"""A further column of a table of rows costs four files: its model, its table, a revision, and the text that is made of them.

Each table gets a text and a number in a copy of the program; they are written and read back, by a program that knows them by name alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import codemap_core
from codemap_core.storage.schema.stored_fields import ROWS
from codemap_core.storage.schema.versions import BASELINE_HEAD

ROOT: Final = Path(__file__).parents[3]
CORE: Final = Path(codemap_core.__file__).parent
MODELS: Final = {
    "symbols": ("model/symbol.py", "class SymbolRow(Struct, frozen=True, kw_only=True):\n"),
    "refs": ("model/reference.py", "class ReferenceRow(Struct, frozen=True, kw_only=True):\n"),
    "relations": ("model/relation.py", "class RelationRow(Struct, frozen=True, kw_only=True):\n"),
    "facts": ("model/fact.py", "class FactRow(Struct, frozen=True, kw_only=True):\n"),
}
FIELDS: Final = "    colour: str | None = None\n    weight: int = 7\n    source: SymbolId | None = None\n"
PACKED: Final = "    symbols: tuple[str | None, ...] = ()\n"
PACKED_FIELDS: Final = "    colour: _Numbers = ()\n    weight: _Numbers = ()\n    source: _Numbers = ()\n"
REVISION: Final = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "b9000_colours", "{head}"
requires_rebuild = True


def upgrade():
    op.add_column("{table}", sa.Column("colour", sa.{text}(), nullable=True))
    op.add_column("{table}", sa.Column("weight", sa.Integer(), server_default=sa.text("7"), nullable=False))
    op.add_column("{table}", sa.Column("source", sa.Integer(), nullable=True))
"""
PROGRAM: Final = """
import sys
from pathlib import Path
from msgspec.structs import replace
from codemap_core.model.reference import pack
from codemap_core.storage import migrate
from codemap_core.storage.reading import row_pages
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.testing import sample_index as sample

table, path = sys.argv[1], Path(sys.argv[2])
assert all(check.is_good for check in migrate.check()), migrate.check()

def coloured(kind, rows):
    if kind != table:
        return rows
    first, *others = rows
    return [replace(first, colour="red", weight=3, source="M:Shop.Paint"), *others]

sample.symbols, symbols = lambda: coloured("symbols", symbols()), sample.symbols
sample.references, references = lambda: coloured("refs", references()), sample.references
sample.relations, relations = lambda: coloured("relations", relations()), sample.relations
sample.facts, facts = lambda: coloured("facts", facts()), sample.facts
sample.write_sample_index(path)
given = {"symbols": sample.symbols, "refs": sample.references, "relations": sample.relations, "facts": sample.facts}[table]()
if table == "refs":
    assert list(pack(given)) == given
with IndexReader.open(path) as reader:
    first = given[0]
    match table:
        case "symbols":
            read = reader.symbols_with_id(first.symbol_id)
        case "refs":
            read = row_pages.references(reader, (), "", ("", ""), "", "", 100, 0)[0]
        case "relations":
            read = reader.relations_from(first.from_symbol)
        case "facts":
            read = row_pages.facts(reader, "", "", "", "", "", 100, 0)[0]
found = {(row.colour, row.weight, row.source) for row in read}
assert ("red", 3, "M:Shop.Paint") in found, found
"""


@pytest.mark.parametrize("table", ROWS)
def test_a_further_column_needs_its_model_its_table_and_a_revision(table: str, tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copytree(CORE, program / "codemap_core", ignore=shutil.ignore_patterns("__pycache__", "_migrations"))
    shutil.copytree(ROOT / "migrations", program / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    model, head = MODELS[table]
    changes = [(program / "codemap_core" / model, head, head + FIELDS)]
    text = "Integer" if table == "refs" else "Text"
    columns = f"    colour: Mapped[{'int' if table == 'refs' else 'str'} | None]\n    source: Mapped[int | None]\n"
    columns += '    weight: Mapped[int] = mapped_column(server_default=text("7"))\n'
    name = f'    __tablename__ = "{table}"\n'
    changes.append((program / "codemap_core/storage/schema/row_tables.py", name, name + columns))
    if table == "refs":
        changes.append((program / "codemap_core" / model, PACKED, PACKED_FIELDS + PACKED))
    for path, old, new in changes:
        source = path.read_text(encoding="utf-8")
        assert source.count(old) == 1
        path.write_text(source.replace(old, new), encoding="utf-8")
    revision = program / "migrations/baseline/versions/b9000_colours.py"
    revision.write_text(REVISION.format(head=BASELINE_HEAD, table=table, text=text), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(program)}
    for arguments in (
        ["-m", "codemap_core.storage.writing.schema_text"],
        ["-c", PROGRAM, table, str(tmp_path / "index.db")],
    ):
        done = subprocess.run(
            [sys.executable, *arguments], cwd=program, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert "weight" in (program / "codemap_core/storage/schema/baseline.sql").read_text(encoding="utf-8")
