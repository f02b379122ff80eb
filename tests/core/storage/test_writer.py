"""An index is complete or invisible, whatever happens to its builder."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from codemap_core.errors import StorageError
from codemap_core.model import Confidence, DocumentRow, Problem, ProjectGraph, SymbolRow
from codemap_core.storage.files.examine import IndexState, check_pages, examine_baseline
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.reading.dump import DUMPS, iter_facts
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.writing.writer import BaselineWriter
from codemap_core.testing import sample_index as sample

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes and limits them as POSIX does")
BUILDER = Path(__file__).with_name("builder_process.py")


@contextmanager
def builder(path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(BUILDER), str(path), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def read_word(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def contents(path: Path) -> dict[str, list[object]]:
    with IndexReader.open(path) as reader:
        return {name: list(rows(reader)) for name, rows in DUMPS.items()}


def test_a_published_index_is_one_sealed_file(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    info = sample.write_sample_index(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["index.db"]
    assert check_pages(path) is None
    found = examine_baseline(path, sample.INFO.fingerprint)
    assert found.state is IndexState.READY
    assert found.info == info
    assert (info.file_count, info.symbol_count, info.reference_count) == (4, 8, 3)
    assert (info.project_count, info.relation_count, info.fact_count) == (2, 1, 1)
    assert info.project_problems == sample.GRAPH.problems


def test_the_folder_is_made(tmp_path: Path) -> None:
    sample.write_sample_index(tmp_path / "a" / "b" / "index.db")


def test_an_error_of_the_caller_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with pytest.raises(ZeroDivisionError), build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_projects(sample.GRAPH)
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


def test_leaving_without_publishing_leaves_the_old_index(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    sample.write_sample_index(path)
    before = path.read_bytes()
    with build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_projects(sample.GRAPH)
    assert path.read_bytes() == before


@pytest.mark.parametrize("stage", ["create", "documents", "rows"])
def test_killed_twice_then_built(tmp_path: Path, stage: str) -> None:
    path = tmp_path / "index.db"
    for _ in range(2):
        with builder(path, "stop-after", stage) as process:
            assert read_word(process) == "waiting"
            process.kill()
        assert examine_baseline(path).state is IndexState.MISSING
    with builder(path) as process:
        assert read_word(process) == "published"
    assert [entry.name for entry in tmp_path.iterdir()] == ["index.db"]
    assert examine_baseline(path).is_ready


def test_killed_after_publishing_the_index_is_there(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with builder(path, "stop-after", "publish") as process:
        assert read_word(process) == "waiting"
        process.kill()
    assert examine_baseline(path).is_ready
    with builder(path) as process:
        assert read_word(process) == "existed"


def test_a_second_builder_waits_and_finds_the_index(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with builder(path, "stop-after", "documents") as first:
        assert read_word(first) == "waiting"
        with builder(path) as second:
            assert read_word(second) == "blocked"
            first.kill()
            assert read_word(second) == "published"


def test_builders_at_once_give_one_index(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    command = [sys.executable, str(BUILDER), str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    last_words = sorted(process.communicate()[0].split()[-1] for process in processes)
    assert last_words == ["existed", "existed", "published"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["index.db"]


def test_what_other_dead_builders_left_is_removed(tmp_path: Path) -> None:
    with builder(tmp_path / "old.db", "stop-after", "rows") as process:
        assert read_word(process) == "waiting"
        process.kill()
    with builder(tmp_path / "busy.db", "stop-after", "rows") as live:
        assert read_word(live) == "waiting"
        sample.write_sample_index(tmp_path / "new.db")
        assert {entry.name.partition(".db")[0] for entry in tmp_path.iterdir() if "building" in entry.name} == {"busy"}


@pytest.mark.parametrize("size", [1000, 20_000, 200_000])
def test_a_full_disk_is_explained_and_leaves_nothing(tmp_path: Path, size: int) -> None:
    path = tmp_path / "index.db"
    with builder(path, "bytes", str(size)) as process:
        assert process.stdout is not None
        word = process.stdout.read().strip()
    assert word.startswith("failed: ")
    assert str(tmp_path) in word
    assert "CODEMAP_HOME" in word
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="CODEMAP_HOME"):
        sample.write_sample_index(tmp_path / "file" / "index.db")


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    forward, backward = tmp_path / "forward.db", tmp_path / "backward.db"
    sample.write_sample_index(forward)
    with build_lock(backward) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        graph = sample.GRAPH
        writer.add_projects(type(graph)(graph.projects[::-1], graph.solutions, graph.problems))
        writer.add_documents(sample.documents()[::-1])
        writer.add_facts(sample.facts()[::-1])
        writer.add_relations(sample.relations()[::-1])
        for reference in sample.references()[::-1]:
            writer.add_references([reference])
        writer.add_symbols(sample.symbols()[::-1])
        writer.publish()
    assert contents(forward) == contents(backward)


def test_rows_may_come_while_indexes_are_made(tmp_path: Path) -> None:
    first, last = tmp_path / "first.db", tmp_path / "last.db"
    facts = [replace(sample.facts()[0], value=f"value {number}") for number in range(3000)]
    for path in (first, last):
        with build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
            writer.add_projects(sample.GRAPH)
            writer.add_documents(sample.documents())
            if path is last:
                writer.settle()
                writer.settle()
            writer.add_symbols(sample.symbols())
            writer.add_references(sample.references())
            writer.add_facts(facts)
            assert writer.publish().fact_count == len(facts)
        assert check_pages(path) is None
    assert contents(first) == contents(last)


def test_an_index_that_cannot_be_made_is_an_error_that_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_projects(ProjectGraph((), sample.GRAPH.solutions[:1] * 2))
        writer.settle()
        with pytest.raises(sqlite3.IntegrityError, match=r"solutions\.path"):
            writer.publish()
    assert list(tmp_path.iterdir()) == []


def test_an_error_while_indexes_are_made_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    reference = sample.references()[0]
    with pytest.raises(ZeroDivisionError), build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_projects(sample.GRAPH)
        writer.add_documents(sample.documents())
        writer.add_references(replace(reference, column=number) for number in range(1, 100_000))
        writer.settle()
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


def test_rows_that_two_projects_repeat_are_one(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    shared = sample.references()[0]
    shared = type(shared)(
        **{**{name: getattr(shared, name) for name in shared.__struct_fields__}, "file_path": sample.ORDER_FILE}
    )
    fields = {name: getattr(shared, name) for name in shared.__struct_fields__}
    again = type(shared)(**{**fields, "project": sample.TESTS})
    elsewhere = type(shared)(**{**fields, "project": sample.TESTS, "condition": "NET48"})
    with build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_projects(sample.GRAPH)
        writer.add_documents(sample.documents())
        writer.add_references([shared, again, elsewhere])
        assert writer.publish().reference_count == 2


def test_facts_that_say_the_same_are_one(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    fact = sample.facts()[0]
    another_project = replace(fact, project=sample.TESTS, confidence=Confidence.LOW)
    another_value = replace(fact, value="KeyNotFoundException|throw new")
    another_detail = replace(fact, detail={"at": 10})
    with build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_projects(sample.GRAPH)
        writer.add_documents(sample.documents())
        writer.add_facts([fact, another_value])
        writer.add_facts([another_project, another_detail, fact])
        assert writer.publish().fact_count == 3
    with IndexReader.open(path) as reader:
        assert {row["project"] for row in iter_facts(reader)} == {"Shop"}
        assert {row["confidence"] for row in iter_facts(reader)} == {"high"}


def test_text_that_is_not_unicode_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    text = 'class A { string s = "\ud800"; }'
    document = DocumentRow(
        file_path="odd\udc80.cs",
        sha256="0" * 64,
        blob_id="0" * 40,
        language="csharp",
        projects=(),
        line_count=1,
        size=len(text),
        problems=(Problem("CM0001", "near '\ud800'", 1),),
        text=text,
    )
    symbol = sample.symbols()[0]
    fields = {name: getattr(symbol, name) for name in SymbolRow.__struct_fields__}
    odd = SymbolRow(
        **{
            **fields,
            "file_path": document.file_path,
            "signature": 'string s = "\ud800"',
            "project": "",
            "other_parts": (),
        }
    )
    with build_lock(path) as lock, BaselineWriter.create(lock, sample.INFO) as writer:
        writer.add_documents([document])
        writer.add_symbols([odd])
        writer.publish()
    with IndexReader.open(path) as reader:
        assert reader.file_text("odd\\udc80.cs") == text
        assert reader.symbols_with_id(symbol.symbol_id)[0].signature == 'string s = "\\ud800"'
