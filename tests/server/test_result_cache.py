"""A question that is asked again is answered from memory, as it would be without, and never about another state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server import shop
from tests.server.asking import done, found
from tests.server.raw_client import RawClient
from tests.server.shop import ORDER, add_member, edit

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("symbols.search", {"query": "Order", "limit": 3}),
    ("symbols.get_card", {"symbol": "Order.Submit(int)"}),
    ("symbols.get_definition_span", {"symbol": "Order.Submit(int)"}),
    ("symbols.outline", {"symbol": "Order"}),
    ("symbols.get_context", {"symbol": "Order.Submit(int)"}),
    ("symbols.unreferenced", {"file_path": ORDER}),
    ("refs.find", {"symbol": "Order"}),
    ("graph.callers", {"symbol": "Order.Submit(int)"}),
    ("graph.callees", {"symbol": "Order.Submit(int)"}),
    ("graph.trace_feature", {"entry_point": "Order.Submit(int)"}),
    ("types.hierarchy", {"symbol": "Order"}),
    ("surfaces.list_facts", {"kind": "exception"}),
]


@pytest.fixture
def server(folder: Path, home: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(home, cwd=str(folder)) as client:
        client.initialize()
        done(client, "index.ensure_baseline")
        yield client


def hits(answer: dict[str, Any]) -> bool:
    return bool(answer["meta"].get("cache_hit", False))


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in answer["meta"].items() if name not in ("timing", "cache_hit")}
    return {**answer, "meta": kept}


@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS, ids=[tool for tool, _ in QUESTIONS])
def test_the_same_question_has_the_same_answer(
    shop_client: RawClient, tool: str, arguments: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    own = {**arguments, "max_chars": 20_000 + len(request.node.name)}  # nobody else has asked this of the shared server
    first, again = done(shop_client, tool, **own), done(shop_client, tool, **own)
    assert (hits(first), hits(again)) == (False, True)
    assert without_times(first) == without_times(again)


def test_another_question_is_another_answer(server: RawClient) -> None:
    assert not hits(done(server, "symbols.search", query="Order", limit=2))
    assert not hits(done(server, "symbols.search", query="Order", limit=3))
    page = done(server, "symbols.search", query="Order", limit=2)
    assert hits(page)
    following = done(server, "symbols.search", query="Order", limit=2, cursor=page["meta"]["cursor"])
    assert not hits(following)
    assert following["data"]["hits"] != page["data"]["hits"]


def test_a_revision_is_another_state(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_member(folder, "Brandnew")
    question = {"symbol": "Order.Brandnew", "workspace_id": "one"}
    assert found(server, "Brandnew", workspace_id="one") == []
    done(server, "index.refresh_overlay", workspace_id="one")
    assert found(server, "Brandnew", workspace_id="one") == [ORDER]
    first = done(server, "symbols.get_card", **question)
    assert hits(done(server, "symbols.get_card", **question))
    edit(folder, ORDER, "Brandnew(int", "Brandnew(long")
    done(server, "index.refresh_overlay", workspace_id="one")
    other = done(server, "symbols.get_card", **question)
    assert not hits(other)
    assert "long" in json.dumps(other["data"])
    assert "long" not in json.dumps(first["data"])
    assert found(server, "Brandnew") == []


def test_a_commit_is_another_state_and_so_are_unsaved_files(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    text = (folder / ORDER).read_text(encoding="utf-8").replace("Submit(string reason)", "Unsaved()")
    unsaved = {"workspace_id": "one", "virtual_files": [{"file_path": ORDER, "content": text}]}
    assert found(server, "Unsaved", workspace_id="one") == []
    for _ in range(2):
        asked = done(server, "symbols.search", query="Unsaved", consistency="ephemeral", **unsaved)
        assert (len(asked["data"]["hits"]), hits(asked)) == (1, False)
    assert found(server, "Unsaved", workspace_id="one") == []
    add_member(folder, "Committed")
    assert found(server, "Committed") == []
    shop.commit(folder, "A member more")
    done(server, "index.ensure_baseline")
    assert found(server, "Committed") == [ORDER]


def test_what_is_said_of_the_files_on_disk_is_of_the_present(server: RawClient, folder: Path) -> None:
    question = {"symbol": "Order.Submit(int)"}
    assert "uncommitted" not in json.dumps(done(server, "symbols.get_card", **question))
    edit(folder, ORDER, "TODO: retry", "TODO: retry it")
    again = done(server, "symbols.get_card", **question)
    assert hits(again)
    assert again["meta"]["notes"]


@pytest.mark.parametrize(("cached", "expected"), [(2, [False, False, True, False, False]), (0, [False] * 5)])
def test_as_many_as_the_settings_say(folder: Path, home: dict[str, str], cached: int, expected: list[bool]) -> None:
    data = Path(home["CODEMAP_HOME"])
    data.mkdir(exist_ok=True)
    (data / "config.json").write_text(json.dumps({"cached_results": cached}), encoding="utf-8")
    with RawClient(home, cwd=str(folder)) as client:
        client.initialize()
        done(client, "index.ensure_baseline")
        asked = ["Order", "Long", "Order", "Shop", "Long"]
        assert [hits(done(client, "symbols.search", query=query)) for query in asked] == expected
