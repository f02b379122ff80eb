"""Sentences agree with what they count: nothing, one and two of each, as the tools answer them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from codemap_core.model import SymbolKind
from codemap_core.model.counting import with_article
from codemap_core.queries.views.repository import FactCount
from tests import counted_repository
from tests.counted_repository import disagreements
from tests.server.raw_client import RawClient

QUESTIONS: Final[dict[str, tuple[str, dict[str, Any], tuple[str, ...]]]] = {
    "callers": ("graph.callers", {"symbol": "Called.{}"}, ("caller", "callers")),
    "callees": ("graph.callees", {"symbol": "Calls.{}"}, ("callee", "callees")),
    "references": ("refs.find", {"symbol": "Called.{}"}, ("reference", "references")),
    "derived types": ("types.hierarchy", {"symbol": "I{}"}, ("derived type", "derived types")),
    "text": ("code.search_text", {"pattern": "//.*{}", "ignore_case": True}, ("match", "matches")),
    "symbols": ("symbols.search", {"query": "{}", "kinds": "interface"}, ("symbol", "symbols")),
    "members": ("symbols.outline", {"symbol": "Members{}"}, ("method", "methods")),
    "members of a card": ("symbols.get_card", {"symbol": "Members{}"}, ()),
    "calls with their sources": ("symbols.get_context", {"symbol": "Calls.{}"}, ()),
    "facts": ("surfaces.list_facts", {"kind": "exception", "filter": "{}Exception"}, ("fact", "facts")),
    "unused declarations": ("symbols.unreferenced", {"file_path": "P/Unused{}.cs"}, ("member", "members")),
}
WORDS: Final = {"text": ("nowhere", "once", "twice"), "symbols": ("Nowhere", "IOne", "IOne OR ITwo")}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("in 1 files", "in 1 file"), ("2 file", "2 files"), ("0 match", "0 matches"), ("1 more callers", "1 more caller")],
)
def test_the_check_can_fail(wrong: str, right: str) -> None:
    assert disagreements(wrong)
    assert disagreements(right) == []


def test_every_kind_of_symbol_has_its_article() -> None:
    spoken = {with_article(kind.value) for kind in SymbolKind}
    assert {each for each in spoken if each.startswith("an ")} == {
        *("an interface", "an enum", "an event", "an indexer", "an operator")
    }


@pytest.fixture(scope="module")
def counted(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    root: Path = counted_repository.create(tmp_path_factory.mktemp("counted") / "repository").root
    with RawClient(environment, options="answer_format=AnswerFormat.TEXT", cwd=str(root)) as server:
        server.initialize()
        assert not server.call("index.ensure_baseline").get("isError")
        yield server


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_agree_with_their_counts(counted: RawClient, question: str, count: int) -> None:
    tool, arguments, nouns = QUESTIONS[question]
    word = WORDS.get(question, ("None", "One", "Two"))[count]
    asked = {key: value.replace("{}", word) if isinstance(value, str) else value for key, value in arguments.items()}
    (content,) = counted.call(tool, asked)["content"]
    text = content["text"]
    assert disagreements(text) == []
    if count and nouns:
        assert f"{count} {nouns[count > 1]}" in text


def test_kinds_of_facts_read_well_within_a_sentence() -> None:
    said = [FactCount("x", title, count).said for title, count in (("Catch clauses", 1), ("SQL texts", 1_200), ("", 0))]
    assert said == ["catch clauses 1", "SQL texts 1,200", " 0"]
