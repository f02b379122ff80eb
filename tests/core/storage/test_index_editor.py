"""What replaces documents of an index leaves what building it would, in every table that a question reads."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from codemap_core.model import SymbolRow
from codemap_core.storage.files.examine import read_info
from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.storage.schema.fulltext import Word
from codemap_core.storage.writing.index_editor import IndexEditor
from codemap_core.testing import sample_index
from codemap_core.testing.sample_index import GRAPH, ORDER_FILE, SERVICE_FILE


@pytest.fixture
def copied(sample_path: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copied.db"
    shutil.copy(sample_path, path)
    return path


def dumped(path: Path) -> dict[str, list[object]]:
    with IndexReader.open(path) as reader:
        return {name: list(rows(reader)) for name, rows in DUMPS.items()}


def edit(path: Path, work: Callable[[IndexEditor], None]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        info = read_info(connection)
        assert info is not None
        editor = IndexEditor(connection)
        work(editor)
        editor.finish(info)
        connection.commit()


def own(editor: IndexEditor, file_path: str, rename: Callable[[SymbolRow], SymbolRow] = lambda row: row) -> None:
    """All rows that the sample's document owns."""
    editor.add_symbols(rename(each) for each in sample_index.symbols() if each.file_path == file_path)
    editor.set_references(file_path, [[each for each in sample_index.references() if each.file_path == file_path]])
    editor.add_relations(each for each in sample_index.relations() if each.file_path == file_path)
    editor.add_facts(each for each in sample_index.facts() if each.file_path == file_path)


def found_by_word(path: Path, word: str) -> list[str]:
    with IndexReader.open(path) as reader:
        page = reader.search_symbols(Word(word), None, SymbolFilter(), 50)
        return [symbol.name for symbol, _ in page.symbols]


def files_with_token(path: Path, token: str) -> list[str]:
    query = "SELECT path FROM files WHERE id IN (SELECT rowid FROM files_fts WHERE files_fts MATCH ?)"
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute(query, (token,))]


def test_documents_replaced_by_themselves_change_nothing(copied: Path, sample_path: Path) -> None:
    def again(editor: IndexEditor) -> None:
        editor.set_projects(GRAPH)
        for document in sample_index.documents():
            editor.put(document)
        for document in sample_index.documents():
            own(editor, document.file_path)

    before = dumped(copied)
    edit(copied, again)
    assert dumped(copied) == before
    with IndexReader.open(copied) as edited, IndexReader.open(sample_path) as fresh:
        assert edited.info == fresh.info
        assert edited.library_symbols_called(["InvalidOperationException"]) == fresh.library_symbols_called(
            ["InvalidOperationException"]
        )
    assert found_by_word(copied, "submit") == found_by_word(sample_path, "submit") != []
    with closing(sqlite3.connect(copied)) as connection:
        connection.execute("INSERT INTO symbols_fts (symbols_fts) VALUES ('integrity-check')")


def test_a_removed_document_takes_its_rows_and_words_along(copied: Path) -> None:
    assert files_with_token(copied, "Store") == [SERVICE_FILE]
    edit(copied, lambda editor: _ignored(editor.remove(SERVICE_FILE)))
    assert SERVICE_FILE not in str(dumped(copied))
    assert found_by_word(copied, "submit") == []
    assert files_with_token(copied, "Store") == []
    with IndexReader.open(copied) as reader:
        assert reader.info.file_count == len(sample_index.documents()) - 1
        assert reader.info.symbol_count == sum(1 for _ in DUMPS["symbols"](reader))
        assert reader.info.reference_count == sum(1 for _ in DUMPS["refs"](reader))


def test_a_document_keeps_its_number_so_that_parts_elsewhere_still_point_at_it(copied: Path) -> None:
    lines = sample_index.LINES_FILE

    def replaced(editor: IndexEditor) -> None:
        editor.put(next(each for each in sample_index.documents() if each.file_path == lines))
        own(editor, lines)

    before = dumped(copied)
    edit(copied, replaced)
    assert dumped(copied) == before
    with IndexReader.open(copied) as reader:
        parts = [part for each in reader.symbols_with_id("T:Shop.Ordering.Order") for part in each.other_parts]
        assert lines in [part.file_path for part in parts]


def test_new_names_are_found_and_old_ones_are_not(copied: Path) -> None:
    def renamed(symbol: SymbolRow) -> SymbolRow:
        if symbol.name != "Submit":
            return symbol
        return replace(symbol, name="HandOver", fully_qualified_name="Shop.Ordering.OrderService.HandOver")

    def work(editor: IndexEditor) -> None:
        document = next(each for each in sample_index.documents() if each.file_path == SERVICE_FILE)
        assert document.text is not None
        editor.put(replace(document, text=document.text.replace("Submit", "HandOver")))
        own(editor, SERVICE_FILE, renamed)

    edit(copied, work)
    assert found_by_word(copied, "HandOver") == ["HandOver"]
    assert files_with_token(copied, "Submit") == []
    assert files_with_token(copied, "HandOver") == [SERVICE_FILE]
    assert files_with_token(copied, "Order") == [ORDER_FILE, sample_index.LINES_FILE, SERVICE_FILE]


def test_what_is_not_finished_is_not_there(copied: Path) -> None:
    before = dumped(copied)
    with closing(sqlite3.connect(copied)) as connection:
        editor = IndexEditor(connection)
        editor.remove(SERVICE_FILE)
        connection.rollback()
    assert dumped(copied) == before


def _ignored(_value: object) -> None:
    return None
