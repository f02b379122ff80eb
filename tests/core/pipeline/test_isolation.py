"""A plug-in's fault is one file's failure; a cancelled or failed run leaves what was there."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from codemap_core.errors import CancelledError
from codemap_core.forking import can_fork
from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import (
    AnalysedDocument,
    AnalysisSettings,
    FrontEnd,
    UnitKey,
    Universe,
)
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import ANY, Interests
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.hooks.registry import Registry
from codemap_core.model import Confidence, DocumentStatus, FactRow, SymbolKind, SymbolRow, Visibility
from codemap_core.model.bound import BoundDeclaration, BoundDocument
from codemap_core.pipeline import BaselineResult
from codemap_core.queries.indexes.repository import quality_of
from codemap_core.queries.snapshot import Snapshot
from tests.clone import Clone
from tests.core.pipeline.conftest import dump

Index = Callable[..., BaselineResult]


class WordLanguage(FrontEnd):
    """Each line of a ``.word`` file is a symbol. ``crash`` ends the process that analyses it, ``raise`` raises."""

    name = "word"
    dialects: Mapping[str, str] = {".word": "word"}

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        text = content.decode()
        if text.startswith("crash"):
            os._exit(9)
        if text.startswith("raise"):
            raise ValueError("no such word")
        return AnalysedDocument(unit=content[:100], text=text, line_count=1, status=DocumentStatus.CLEAN)

    def declare(self, universe: Universe) -> dict[UnitKey, str]:
        return {key: unit.decode().split()[0] for key, unit in universe.units.items()}

    def symbols(self, table: dict[UnitKey, str], unit: UnitKey) -> Iterable[SymbolRow]:
        word = table[unit]
        if word == "unspeakable":
            raise ValueError("cannot say it")
        if word == "deadly":
            os._exit(9)
        yield SymbolRow(
            symbol_id=f"T:{word}",
            stable_id="sym_0123456789abcdef",
            kind=SymbolKind.CLASS,
            name=word,
            fully_qualified_name=word,
            signature=word,
            documentation=None,
            namespace="",
            containing_type=None,
            container_id=None,
            file_path=unit.file_path,
            span_start=1,
            span_end=1,
            name_line=1,
            name_column=1,
            visibility=Visibility.PUBLIC,
            project=unit.project_path,
            content_hash="0123456789abcdef",
        )

    def bind(self, table: dict[UnitKey, str], unit: UnitKey, interests: Interests) -> BoundDocument:
        word = table[unit]
        declaration = BoundDeclaration(symbol_id=f"T:{word}", kind=SymbolKind.CLASS, name=word)
        return BoundDocument(file_path=unit.file_path, declarations=(declaration,))


class WordFacts:
    kinds = ("length",)
    language = "word"
    interests = Interests(declarations=ANY)

    def __init__(self, name: str, forbidden: str) -> None:
        self.name = name
        self.forbidden = forbidden

    def extract(self, seen: Seen) -> Iterable[FactRow]:
        (declaration,) = seen.declarations
        if declaration.name == self.forbidden:
            raise KeyError(declaration.name)
        return [
            FactRow(
                kind="length",
                value=f"{self.name}|{len(declaration.name)}",
                symbol_id=declaration.symbol_id,
                file_path=seen.file_path,
                line_start=1,
                line_end=1,
                confidence=Confidence.HIGH,
            )
        ]


class Words:
    """A third party's plug-in."""

    @hookimpl
    def codemap_register_languages(self, registry: Registry[Any]) -> None:
        registry.add(WordLanguage())

    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[Any]) -> None:
        registry.add(WordFacts("a", "apple"))
        registry.add(WordFacts("b", "banana"))


@pytest.fixture
def words() -> PluginHost:
    host = load_plugins(extra={"words": Words()})
    assert not host.problems
    return host


PADDING = " " * 20_000
"""Makes files large enough that they are shared out to workers."""


def names(result: BaselineResult) -> list[str]:
    return sorted(json.loads(row)["symbol_id"] for row in dump(result)["symbols"])


def test_an_analyser_that_raises_loses_its_file_only(clone: Clone, index: Index, words: PluginHost) -> None:
    clone.commit({"a.word": "apple", "b.word": "raise", "c.word": "cherry"})
    found = index(clone.root, plugins=words)
    assert names(found) == ["T:apple", "T:cherry"]
    assert found.statuses == {"clean": 2, "failed": 1}


def test_what_failed_is_tried_again(clone: Clone, index: Index, words: PluginHost) -> None:
    clone.commit({"a.word": "apple", "b.word": "raise"})
    index(clone.root, plugins=words)
    again = index(clone.root, plugins=words, rebuild=True)
    assert (again.analysed_files, again.cached_files) == (1, 1)


def test_an_analyser_that_ends_its_process_loses_its_file_only(clone: Clone, index: Index, words: PluginHost) -> None:
    clone.commit({f"{i:02}.word": f"word{i}{PADDING}" for i in range(60)} | {"30.word": "crash" + PADDING})
    found = index(clone.root, plugins=words, jobs=2)
    assert names(found) == sorted(f"T:word{i}" for i in range(60) if i != 30)
    assert found.statuses == {"clean": 59, "failed": 1}


@pytest.mark.skipif(not can_fork(), reason="where processes are spawned, a small repository is indexed in this one")
@pytest.mark.parametrize("word", ["crash", "deadly"])
def test_a_crash_in_a_small_repository_loses_its_file_only(
    clone: Clone, index: Index, words: PluginHost, word: str
) -> None:
    clone.commit({"a.word": "apple", "b.word": word, "c.word": "cherry"})
    assert names(index(clone.root, plugins=words, jobs=1)) == ["T:apple", "T:cherry"]


@pytest.mark.skipif(not can_fork(), reason="where processes are spawned, a few documents are bound in this one")
def test_a_crash_of_the_binder_loses_its_file_only_in_the_next_index_too(
    clone: Clone, index: Index, host: PluginHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.commit({f"{i:02}.cs": f"class C{i:02} {{ }}" for i in range(20)})
    index(clone.root)
    csharp = type(next(each for each in host.languages if each.name == "csharp"))
    bind: Callable[..., BoundDocument] = csharp.bind

    def crashing(front_end: FrontEnd, table: Any, unit: UnitKey, interests: Interests) -> BoundDocument:
        if unit.file_path == "03.cs":
            if multiprocessing.parent_process() is None:
                raise RuntimeError("this would have ended the run")
            os.kill(os.getpid(), signal.SIGKILL)
        return bind(front_end, table, unit, interests)

    monkeypatch.setattr(csharp, "bind", crashing)
    clone.commit({"02.cs": "class C02 { class Inner { } }", "03.cs": "class C03 { class Lost { } }"})
    found = index(clone.root, jobs=2)
    assert found.bound_files == 2
    ((extractor, path, said),) = [(each.extractor, each.file_path, each.message) for each in found.failures]
    assert (extractor, path) == ("csharp", "03.cs")
    assert said.startswith("it ended its process")
    assert {"T:C01", "T:C02.Inner"} <= set(names(found))


def test_what_cannot_be_listed_is_a_problem_of_the_repository(clone: Clone, index: Index, tmp_path: Path) -> None:
    inner = Clone(tmp_path / "inner")
    inner.commit({"i.cs": "class I {}"})
    clone.commit({"a.cs": "class A {}"})
    clone.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "libs/inner")
    clone.commit({"b.cs": "class B {}"})
    with Snapshot.open(index(clone.root).path) as snapshot:
        (problem,) = quality_of(snapshot).repository_problems
    assert problem.startswith("1 submodule is not part of this index")


def test_an_extractor_that_ends_its_process_loses_its_file_only(clone: Clone, index: Index, words: PluginHost) -> None:
    clone.commit({f"{i:02}.word": f"word{i}" for i in range(70)} | {"50.word": "deadly"})
    found = index(clone.root, plugins=words, jobs=2)
    assert len(names(found)) == 69
    assert [(f.extractor, f.file_path) for f in found.failures] == [("word", "50.word")]


def test_an_extractor_that_raises_is_reported_and_the_others_go_on(
    clone: Clone, index: Index, words: PluginHost
) -> None:
    clone.commit({"a.word": "apple", "b.word": "banana", "u.word": "unspeakable"})
    found = index(clone.root, plugins=words)
    assert names(found) == ["T:apple", "T:banana"]
    assert sorted((f.extractor, f.file_path, f.message) for f in found.failures) == [
        ("a", "a.word", "KeyError: 'apple'"),
        ("b", "b.word", "KeyError: 'banana'"),
        ("word", "u.word", "ValueError: cannot say it"),
    ]
    facts = [json.loads(row) for row in dump(found)["facts"]]
    assert sorted((f["file_path"], f["value"]) for f in facts) == [
        ("a.word", "b|5"),
        ("b.word", "a|6"),
        ("u.word", "a|11"),
        ("u.word", "b|11"),
    ]
    with Snapshot.open(found.path) as snapshot:
        kept = quality_of(snapshot)
    assert kept.failure_count == 3
    assert [(each.file_path, each.message) for each in kept.failures] == [
        ("a.word", "a (words): KeyError: 'apple'"),
        ("b.word", "b (words): KeyError: 'banana'"),
        ("u.word", "word (words): ValueError: cannot say it"),
    ]


class Mended(Words):
    """In which faults can be repaired without another version."""

    def __init__(self) -> None:
        self.first, self.second = WordFacts("a", "apple"), WordFacts("b", "apple")

    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[Any]) -> None:
        registry.add(self.first)
        registry.add(self.second)


def test_what_failed_is_tried_again_alone(clone: Clone, index: Index) -> None:
    """Of the same version, so that the index is current all the while."""
    plugin = Mended()
    host = load_plugins(extra={"words": plugin})
    clone.commit({"a.word": "apple", "b.word": "banana", "u.word": "unspeakable", "c.cs": "class C { }"})
    broken = index(clone.root, plugins=host)
    assert len(broken.failures) == 3
    plugin.first.forbidden = ""
    assert index(clone.root, plugins=host).already_existed
    half = index(clone.root, plugins=host, retry=True)
    assert (half.bound_files, half.analysed_files) == (2, 0)
    assert [(each.extractor, each.file_path) for each in half.failures] == [("b", "a.word"), ("word", "u.word")]
    plugin.second.forbidden = ""
    whole = index(clone.root, plugins=host, retry=True)
    assert dump(whole) == dump(index(clone.root, plugins=host, home="another"))
    with Snapshot.open(whole.path) as snapshot:
        assert [each.file_path for each in quality_of(snapshot).failures] == ["u.word"]


def failing(universe: Universe) -> dict[UnitKey, str]:
    raise KeyError(universe)


def test_a_declaration_that_failed_is_tried_again(clone: Clone, index: Index) -> None:
    language = WordLanguage()
    plugin = Words()
    plugin.codemap_register_languages = hookimpl(lambda registry: registry.add(language))  # type: ignore[method-assign]
    clone.commit({"a.word": "apple", "b.word": "cherry", "c.cs": "class C { }"})
    declare = language.declare
    language.declare = failing  # type: ignore[method-assign]
    assert names(index(clone.root, plugins=load_plugins(extra={"words": plugin}))) == ["T:C"]
    language.declare = declare  # type: ignore[method-assign]
    assert names(index(clone.root, plugins=load_plugins(extra={"words": plugin}), retry=True)) == [
        "T:C",
        "T:apple",
        "T:cherry",
    ]


@pytest.mark.parametrize("stage", ["discover", "analyse", "declare", "bind"])
def test_cancelling_in_any_stage_publishes_nothing(clone: Clone, index: Index, stage: str) -> None:
    clone.commit({f"{i}.cs": f"class C{i} {{ }}" for i in range(5)})
    stop = False

    def progress(at: str, _done: int, _total: int) -> None:
        nonlocal stop
        stop = stop or at == stage

    with pytest.raises(CancelledError):
        index(clone.root, progress=progress, cancelled=lambda: stop)
    stop = False
    found = index(clone.root, cancelled=lambda: False)
    assert not found.already_existed
    assert len(dump(found)["symbols"]) == 5
    if stage in ("declare", "bind"):
        assert (found.analysed_files, found.cached_files) == (0, 5), "what was analysed is lost"
    left = {p.name for p in found.path.parent.iterdir()} - {found.path.name, "repository.json"}
    assert not left, "half-made files are left"


def test_a_plugin_of_another_version_makes_the_index_stale(clone: Clone, index: Index, words: PluginHost) -> None:
    clone.commit({"a.cs": "class A { }", "a.word": "apple"})
    first = index(clone.root)
    second = index(clone.root, plugins=words)
    assert not second.already_existed
    assert second.replaced
    assert second.path == first.path
    assert names(second) == ["T:A", "T:apple"]
