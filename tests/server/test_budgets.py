"""Answers of every tool that has a budget are no longer than ``max_chars``, in both formats: random questions about the sample, of a fixed
seed. An answer of one row whose names are longer says so."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.server.raw_client import RawClient

CALLS: Final = 250
LONG_ENOUGH: Final = 3_000
"""Characters for any row of the sample, with its ids whole."""
TOO_SMALL: Final = "This is the shortest answer; it is longer than max_chars="
WORDS: Final = ("Order", "Service", "Handler", "Async", "Repository", "Event", "Options", "Product", "Endpoint", "Id")


@pytest.fixture(scope="module", params=["JSON", "TEXT"])
def client(request: pytest.FixtureRequest, sample_folder: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(environment, f"answer_format=AnswerFormat.{request.param}", str(sample_folder)) as server:
        server.initialize()
        yield server


@pytest.fixture(scope="module")
def symbols(sample_folder: Path, environment: dict[str, str]) -> list[dict[str, Any]]:
    """Hits of a search for each word."""
    with RawClient(environment, cwd=str(sample_folder)) as server:
        server.initialize()
        found = [
            server.call_json("symbols.search", {"query": word, "limit": 100, "max_chars": 40_000}) for word in WORDS
        ]
    return [hit for answer, _ in found for hit in answer["data"]["hits"]]


Questions = dict[str, Callable[[random.Random], dict[str, Any]]]


def questions(symbols: list[dict[str, Any]]) -> Questions:
    def symbol(chance: random.Random) -> str:
        hit = chance.choice(symbols)
        return str(chance.choice((hit["symbol_id"], hit["fully_qualified_name"], chance.choice(WORDS))))

    def file(chance: random.Random) -> str:
        return str(chance.choice(symbols)["file_path"])

    return {
        "repo.status": lambda chance: {},
        "symbols.search": lambda chance: {"query": chance.choice(WORDS), "limit": chance.choice((1, 5, 100))},
        "symbols.get_card": lambda chance: {
            "include_code": chance.random() < 0.5,
            **(
                {"symbol": symbol(chance)} if chance.random() < 0.7 else {"symbols": [symbol(chance) for _ in range(5)]}
            ),
        },
        "symbols.get_definition_span": lambda chance: {"symbol": symbol(chance)},
        "symbols.outline": lambda chance: {"symbol": symbol(chance)},
        "symbols.get_context": lambda chance: {"symbol": symbol(chance)},
        "symbols.unreferenced": lambda chance: {"doubtful": chance.random() < 0.5},
        "code.get_span": lambda chance: {"file_path": file(chance), "end_line": chance.choice((3, 60, 400))},
        "code.search_text": lambda chance: {"pattern": chance.choice(WORDS), "context_lines": chance.choice((0, 2, 5))},
        "refs.find": lambda chance: {"symbol": symbol(chance), "kind": "all"},
        "graph.callers": lambda chance: {
            "symbol": symbol(chance),
            "depth": chance.choice((1, 3)),
            "follow_interface": True,
        },
        "graph.callees": lambda chance: {"symbol": symbol(chance), "depth": chance.choice((1, 3))},
        "graph.trace_feature": lambda chance: {"entry_point": symbol(chance), "depth": chance.choice((2, 6))},
        "codemap.summarize": lambda chance: chance.choice(({}, {"section": "projects"}, {"section": "data"})),
        "codemap.export": lambda chance: {"format": chance.choice(("markdown", "json"))},
        "index.diff": lambda chance: {"from_commit": "HEAD~1"},
        "index.list_baselines": lambda chance: {},
        "types.hierarchy": lambda chance: {"symbol": symbol(chance)},
        "surfaces.list_endpoints": lambda chance: {},
        "surfaces.list_config_keys": lambda chance: {},
        "surfaces.list_db_tables": lambda chance: {},
        "surfaces.list_facts": lambda chance: {
            "kind": chance.choice(("exception", "di_registration", "config", "log"))
        },
        "workspace.list": lambda chance: {},
    }


def answer_of(client: RawClient, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    """The text, and whether it is an error's."""
    result = client.call(tool, arguments)
    (content,) = result["content"]
    return str(content["text"]), bool(result.get("isError"))


def test_no_answer_is_longer_than_it_may_be(client: RawClient, symbols: list[dict[str, Any]]) -> None:
    chance = random.Random(20)
    asked = questions(symbols)
    too_long = []
    answered = set()
    for _ in range(CALLS):
        tool = chance.choice(sorted(asked))
        max_chars = int(1_000 * 40 ** chance.random() ** 2)  # most of them small
        arguments = {**asked[tool](chance), "max_chars": max_chars}
        text, is_error = answer_of(client, tool, arguments)
        if is_error:
            continue
        answered.add(tool)
        if len(text) > max_chars and (max_chars >= LONG_ENOUGH or f"{TOO_SMALL}{max_chars}." not in text):
            too_long.append((len(text), tool, json.dumps(arguments)))
    assert not too_long
    assert answered == set(asked)


@pytest.mark.parametrize("max_chars", [1_000, 1_500, 3_000])
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("graph.callers", {"symbol": "Handle"}, "AMBIGUOUS"),
        ("refs.find", {"symbol": "OrderServise"}, "NOT_FOUND"),
        ("symbols.get_card", {"symbol": "x" * 2_000}, "NOT_FOUND"),
        ("symbols.search", {"query": "Order", "kinds": ["klass"]}, "INVALID_ARGUMENT"),
    ],
)
def test_an_error_is_no_longer_either(
    client: RawClient, tool: str, arguments: dict[str, Any], code: str, max_chars: int
) -> None:
    text, is_error = answer_of(client, tool, {**arguments, "max_chars": max_chars})
    assert is_error
    assert code in text
    assert len(text) <= max_chars


@pytest.mark.parametrize(
    ("tool", "arguments", "max_chars"),
    [
        ("repo.status", {}, 1_400),
        ("symbols.get_card", {"symbol": "OrderEndpoints.MapOrders", "include_code": False}, 2_000),
    ],
)
def test_what_has_no_rows_or_one_is_shortened_and_says_so(
    client: RawClient, tool: str, arguments: dict[str, Any], max_chars: int
) -> None:
    whole, _ = answer_of(client, tool, arguments)
    text, is_error = answer_of(client, tool, {**arguments, "max_chars": max_chars})
    assert not is_error
    assert len(text) <= max_chars
    assert ("items_per_list" in text) == (len(whole) > max_chars)


@pytest.mark.parametrize("max_chars", [1_500, 3_000, 12_000])
def test_many_uncommitted_files_are_counted_and_the_first_named(
    client: RawClient, sample_folder: Path, max_chars: int
) -> None:
    new = [
        sample_folder / f"a new file of a long name, which git lists by itself, {number:03}.cs" for number in range(400)
    ]
    try:
        for path in new:
            path.touch()
        text, is_error = answer_of(client, "symbols.search", {"query": "Nowhere", "max_chars": max_chars})
    finally:
        for path in new:
            path.unlink()
    assert not is_error
    assert "400 files have uncommitted changes" in text
    assert new[0].name in text
    assert len(text) <= max_chars
