"""Every listing tool, followed to its end through its cursor with hardly any budget: no row twice, none missing; and budgets that hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server import shop
from tests.server.raw_client import RawClient

Rows = Callable[[dict[str, Any]], list[Any]]


def listed(name: str, *keys: str) -> Rows:
    """Rows of ``data[name]``, told apart by ``keys``."""
    return lambda data: [tuple(each[key] for key in keys) for each in data[name]]


def lines(data: dict[str, Any]) -> list[Any]:
    return list(data["content"].split("\n"))


def traced(data: Any) -> list[Any]:
    """The members below the entry points, by rank."""
    found: list[Any] = []

    def collect(nodes: list[Any]) -> None:
        for node in nodes:
            found.append(node)
            collect(node.get("children", []))

    collect(data["nodes"])
    return [node["symbol_id"] for node in sorted(found, key=lambda node: node.get("rank", 0)) if node.get("rank")]


LISTINGS: dict[str, tuple[dict[str, Any], Rows]] = {
    "symbols.search": ({"query": "Order", "limit": 100}, listed("hits", "symbol_id")),
    "symbols.get_card": ({"symbol": "OrderService", "include_code": False}, listed("members", "symbol_id")),
    "symbols.get_definition_span": ({"symbol": "OrderService"}, lines),
    "code.get_span": ({"file_path": "src/Brewline.Domain/Orders/OrderService.cs", "end_line": 60}, lines),
    "code.search_text": ({"pattern": "OrderStatus|PayAsync", "limit": 20}, listed("matches", "file_path", "line")),
    "refs.find": (
        {"symbol": "T:Brewline.Domain.Orders.Order", "kind": "all", "limit": 500},
        listed("references", "file_path", "line_start", "column"),
    ),
    "graph.callers": (
        {"symbol": "OrderService.PayAsync", "depth": 3, "follow_interface": True, "limit_per_level": 2},
        lambda data: [node["symbol_id"] for node in data["nodes"] if node["depth"]],
    ),
    "graph.callees": (
        {"symbol": "OrderEndpoints.MapOrders", "depth": 3, "limit_per_level": 2},
        lambda data: [node["symbol_id"] for node in data["nodes"] if node["depth"]],
    ),
    "symbols.outline": ({"symbol": "OrderService"}, listed("rows", "symbol_id")),
    "symbols.get_context": ({"symbol": "OrderService.PayAsync"}, listed("pieces", "symbol_id", "start_line")),
    "symbols.unreferenced": ({"doubtful": True}, listed("rows", "symbol_id")),
    "code.explain": (
        {"file_path": "src/Brewline.Api/Endpoints/OrderEndpoints.cs", "line": 46},
        lambda data: [each["explanation"]["column"] for each in data["names"]],
    ),
    "graph.trace_feature": ({"entry_point": "OrderEndpoints.MapOrders", "depth": 4}, traced),
    "codemap.summarize": (
        {"section": "projects"},
        lambda data: [each for section in data["sections"] for each in section["rows"]],
    ),
    "index.diff": (
        {"from_commit": "HEAD~1", "section": "symbols"},
        listed("symbol_changes", "file_path", "line", "change_type"),
    ),
    "types.hierarchy": ({"symbol": "OrderEvent"}, listed("derived_types", "symbol_id")),
    "surfaces.list_endpoints": ({}, listed("endpoints", "http_method", "route_path", "file_path", "line")),
    "surfaces.list_config_keys": ({}, listed("keys", "key", "file_path", "line")),
    "surfaces.list_db_tables": (
        {},
        lambda data: [(each.get("schema"), each["table_name"]) for each in data["tables"]],
    ),
    "surfaces.list_facts": ({"kind": "di_registration"}, listed("facts", "value", "file_path", "line")),
}
NOT_LISTINGS = {"repo.status", "index.ensure_baseline", "codemap.export"}


@pytest.fixture(scope="module")
def json_client(sample_folder: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(environment, cwd=str(sample_folder)) as server:
        server.initialize()
        yield server


@pytest.fixture(scope="module")
def text_client(sample_folder: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(environment, "answer_format=AnswerFormat.TEXT", str(sample_folder)) as server:
        server.initialize()
        yield server


def text_of(client: RawClient, tool: str, arguments: dict[str, Any]) -> str:
    result = client.call(tool, arguments)
    (content,) = result["content"]
    assert not result.get("isError"), content["text"]
    text = content["text"]
    assert isinstance(text, str)
    return text


def test_every_tool_that_takes_a_cursor_is_followed_here(json_client: RawClient) -> None:
    tools = json_client.ask("tools/list")["result"]["tools"]
    built_in = {tool["name"] for tool in tools if not tool["name"].startswith("toy.")}
    assert built_in - NOT_LISTINGS == set(LISTINGS)
    for tool in tools:
        if tool["name"] in LISTINGS:
            assert "cursor" in tool["inputSchema"]["properties"]


@pytest.mark.parametrize("tool", sorted(LISTINGS))
def test_pages_hold_every_row_once(json_client: RawClient, tool: str) -> None:
    arguments, rows = LISTINGS[tool]
    whole = json.loads(text_of(json_client, tool, {**arguments, "max_chars": 40_000}))
    expected = rows(whole["data"])
    while cursor := whole["meta"].get("cursor"):  # a limit below the number of rows
        whole = json.loads(text_of(json_client, tool, {**arguments, "max_chars": 40_000, "cursor": cursor}))
        expected += rows(whole["data"])
    seen: list[Any] = []
    cursor = None
    pages = 0
    while pages == 0 or cursor:
        page = json.loads(
            text_of(json_client, tool, {**arguments, "max_chars": 1, **({"cursor": cursor} if cursor else {})})
        )
        seen += rows(page["data"])
        cursor = page["meta"].get("cursor")
        assert bool(cursor) == page["data"].get("truncated", False)
        pages += 1
    assert seen == expected
    assert len(set(map(str, seen))) == len(seen) == pages > 2


@pytest.mark.parametrize("tool", sorted(LISTINGS))
def test_text_pages_end_with_the_last_row(text_client: RawClient, json_client: RawClient, tool: str) -> None:
    arguments, rows = LISTINGS[tool]
    offsets = [0]
    cursor: dict[str, str] = {}
    total = 0
    while True:
        text = text_of(text_client, tool, {**arguments, "max_chars": 500, **cursor})
        more = re.search(r"^more: cursor=(\w+:(\d+)) \((\d+)–(\d+) of (\d+) shown\)$", text, re.M)
        if more is None:
            break
        assert int(more[3]) == offsets[-1] + 1
        assert int(more[4]) == int(more[2])
        assert total in (0, int(more[5]))
        total = int(more[5])
        offsets.append(int(more[2]))
        cursor = {"cursor": more[1]}
    assert offsets == sorted(set(offsets))
    last = json.loads(text_of(json_client, tool, {**arguments, "offset": offsets[-1], "max_chars": 40_000}))
    assert offsets[-1] + len(rows(last["data"])) == (total or len(rows(last["data"])))


@pytest.mark.parametrize("max_chars", [1_500, 3_000, 12_000])
@pytest.mark.parametrize("tool", sorted(LISTINGS))
def test_the_whole_answer_keeps_its_budget(
    text_client: RawClient, json_client: RawClient, tool: str, max_chars: int
) -> None:
    arguments, rows = LISTINGS[tool]
    asked = {**arguments, "max_chars": max_chars}
    assert len(text_of(text_client, tool, asked)) <= max_chars
    text = text_of(json_client, tool, asked)
    answer = json.loads(text)
    assert len(text) <= max_chars or len(rows(answer["data"])) == 1


@pytest.mark.parametrize("max_chars", [1_000, 3_000])
def test_an_export_keeps_the_budget_of_characters_too(
    text_client: RawClient, json_client: RawClient, max_chars: int
) -> None:
    for client in (text_client, json_client):
        assert len(text_of(client, "codemap.export", {"max_chars": max_chars})) <= max_chars


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("symbols.search", {"query": "Order", "cursor": "abcde:3"}),
        ("symbols.search", {"query": "Order", "cursor": "3"}),
        ("refs.find", {"symbol": "Order.Status", "cursor": "OF ANOTHER"}),
    ],
)
def test_a_cursor_of_another_question_is_refused(json_client: RawClient, tool: str, arguments: dict[str, Any]) -> None:
    first = json.loads(text_of(json_client, "refs.find", {"symbol": "Order.Status", "kind": "read", "limit": 2}))
    foreign = first["meta"]["cursor"]
    given = {**arguments, "cursor": arguments["cursor"].replace("OF ANOTHER", foreign)}
    error, is_error = json_client.call_json(tool, given)
    assert is_error
    assert error["code"] == "INVALID_ARGUMENT"
    assert "Repeat the call without cursor" in error["message"]


def test_a_cursor_outlives_other_limits(json_client: RawClient) -> None:
    first = json.loads(text_of(json_client, "refs.find", {"symbol": "Order.Status", "limit": 2}))
    arguments = {"symbol": "Order.Status", "limit": 5, "max_chars": 9_000, "cursor": first["meta"]["cursor"]}
    assert len(json.loads(text_of(json_client, "refs.find", arguments))["data"]["references"]) == 5
    error, _ = json_client.call_json("refs.find", {**arguments, "offset": 3})
    assert "not both" in error["message"]


@pytest.mark.parametrize("spelling", [{"kind": ["read"]}, {"kinds": "read"}, {"kinds": ["Read"]}, {"kind": "read"}])
def test_kinds_in_every_spelling(json_client: RawClient, spelling: dict[str, Any]) -> None:
    answer = json.loads(text_of(json_client, "refs.find", {"symbol": "Order.Status", **spelling}))
    assert set(answer["data"]["by_kind"]) == {"read"}


def test_the_file_alone_browses(json_client: RawClient) -> None:
    path = "src/Brewline.Domain/Orders/OrderService.cs"
    answer = json.loads(text_of(json_client, "symbols.search", {"file_path": path}))
    assert {hit["file_path"] for hit in answer["data"]["hits"]} == {path}


@pytest.mark.parametrize(
    ("state", "lines"),
    [("", [3, 3]), ("both", [3, 3]), ("resolved", [3]), ("unresolved", [3])],
)
def test_places_that_only_have_the_name_stand_last(
    environment: dict[str, str], tmp_path: Path, state: str, lines: list[int]
) -> None:
    """The receiver's type is not known, so that what is called cannot be."""
    folder = shop.create(tmp_path / "unknown")
    text = "public class Parcel {\n    public void Ship() {}\n    void Both(Parcel one, Missing other) { other.Ship(); one.Ship(); }\n}\n"
    (folder / "src/Shop/Parcel.cs").write_text(text, encoding="utf-8")
    shop.commit(folder, "Second")
    with RawClient(environment, cwd=str(folder)) as server:
        server.initialize()
        server.call_json("index.ensure_baseline")
        answer, _ = server.call_json("refs.find", {"symbol": "Parcel.Ship", "resolution_state": state})
        callers, _ = server.call_json("graph.callers", {"symbol": "Parcel.Ship"})
        short, _ = server.call_json("refs.find", {"symbol": "Ship", "resolution_state": "resolved"})
    of_what = dict.fromkeys(("", "both", "resolved"), "1 reference (call).")
    assert answer["answer"].startswith(of_what.get(state, "1 unresolved occurrence of the name of Parcel.Ship."))
    assert short["answer"].startswith("1 reference to Parcel.Ship (call). ")
    possible = "1 place of the name 'Ship' could not be resolved and may mean it: src/Shop/Parcel.cs:3."
    assert callers["answer"] == f"1 caller of Parcel.Ship. {possible}"
    references = answer["data"]["references"]
    assert [each["line_start"] for each in references] == lines
    states = [each.get("resolution_state", "resolved") for each in references]
    assert states == {"resolved": ["resolved"], "unresolved": ["unresolved"]}.get(state, ["resolved", "unresolved"])
    assert answer["data"]["unresolved_count"] == 1


def test_what_nothing_known_is_called_is_listed_as_not_resolved(environment: dict[str, str], tmp_path: Path) -> None:
    """As where the package of an attribute is missing: counted, paged, with low confidence, and never as resolved."""
    folder = shop.create(tmp_path / "unknown")
    text = "[Absent]\npublic class Crate {\n    [Absent] public int Weight;\n    [Absent] public Absent Lid;\n}\n"
    (folder / "src/Shop/Crate.cs").write_text(text, encoding="utf-8")
    shop.commit(folder, "Second")
    asked = {"symbol": "Absent", "kind": "attribute"}
    with RawClient(environment, cwd=str(folder)) as server:
        server.initialize()
        server.call_json("index.ensure_baseline")
        whole, _ = server.call_json("refs.find", asked)
        pages = [server.call_json("refs.find", {**asked, "limit": 2, "offset": offset})[0] for offset in (0, 2)]
        none, _ = server.call_json("refs.find", {"symbol": "Absent", "kind": "write"})
        groups, _ = server.call_json("refs.find", {**asked, "group_by": "file"})
        refused, is_error = server.call_json("refs.find", {**asked, "resolution_state": "resolved"})
    places = [(each["file_path"], each["line_start"]) for each in whole["data"]["references"]]
    assert places == [("src/Shop/Crate.cs", line) for line in (1, 3, 4)]
    assert {each["resolution_state"] for each in whole["data"]["references"]} == {"unresolved"}
    assert [each for page in pages for each in page["data"]["references"]] == whole["data"]["references"]
    assert (whole["data"]["target_symbol"], whole["confidence"]) == ("!:Absent", "low")
    assert "external" not in whole["data"]
    said = "Absent is not declared here nor found in a library; {} could not be resolved."
    assert whole["answer"] == f"{said.format('3 references of that name (attribute)')} Other kinds: 1 type."
    assert none["answer"].startswith(said.format("no references of that name"))
    assert none["data"]["other_kinds"] == {"type": 1, "attribute": 3}
    assert [(each["key"], each["count"]) for each in groups["data"]["groups"]] == [("src/Shop/Crate.cs", 3)]
    assert (is_error, refused["code"]) == (True, "NOT_FOUND")


def test_what_may_call_or_derive_is_listed_where_nothing_known_does(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """As where the package of a base type is missing: with low confidence, and only where there is such a thing."""
    folder = shop.create(tmp_path / "unknown")
    text = (
        "public class Crate {\n    public void Ship() {}\n"
        "    void All(Absent one) {\n        one.Ship();\n        one.Ship();\n    }\n}\n"
        "public class Lid : Absent {}\npublic class Top : Lid {}\n"
    )
    (folder / "src/Shop/Crate.cs").write_text(text, encoding="utf-8")
    shop.commit(folder, "Second")
    with RawClient(environment, cwd=str(folder)) as server:
        server.initialize()
        server.call_json("index.ensure_baseline")
        callers, _ = server.call_json("graph.callers", {"symbol": "Crate.Ship"})
        first, _ = server.call_json("graph.callers", {"symbol": "Crate.Ship", "limit_per_level": 1})
        derived, _ = server.call_json("types.hierarchy", {"symbol": "Absent"})
        every, _ = server.call_json("types.hierarchy", {"symbol": "Absent", "transitive": True})
        refused, is_error = server.call_json("types.hierarchy", {"symbol": "Missing"})
        unnamed, was_error = server.call_json("types.hierarchy", {"symbol": "one"})
    places = "2 places of the name 'Ship' could not be resolved and may mean it"
    assert (callers["answer"], callers["confidence"]) == (f"No callers of Crate.Ship. {places}:", "low")
    possible = callers["data"]["possible_calls"]["references"]
    assert [(each["line_start"], each["resolution_state"]) for each in possible] == [
        (4, "unresolved"),
        (5, "unresolved"),
    ]
    assert first["answer"].endswith(f"{places}; the first 1:")
    assert first["next_actions"][0]["parameters"] == {
        "symbol": "M:Crate.Ship",
        "kind": "call",
        "resolution_state": "unresolved",
        "offset": 1,
    }
    said = "Absent is not declared here nor found in a library; 1 type has that name in the base list; 1 more derives from these."
    assert (derived["answer"], derived["confidence"]) == (said, "low")
    assert [each["symbol_id"] for each in derived["data"]["derived_types"]] == ["T:Lid"]
    assert derived["next_actions"][0]["parameters"] == {"symbol": "Absent", "transitive": True}
    assert [(each["symbol_id"], each["depth"]) for each in every["data"]["derived_types"][1:]] == [("T:Top", 2)]
    assert [(is_error, refused["code"]), (was_error, unnamed["code"])] == [(True, "NOT_FOUND")] * 2


def test_a_search_for_a_name_ends_with_what_is_called_so(text_client: RawClient, json_client: RawClient) -> None:
    """In text; the cursor goes on with the rest, programs have a whole page, and a number of rows that is asked for is honoured."""
    asked = {"query": "Order"}
    whole, _ = json_client.call_json("symbols.search", asked)
    first = text_client.call("symbols.search", asked)["content"][0]["text"]
    cursor = re.search(r"^more: cursor=(\S+) \(1–(\d+) of", first, re.MULTILINE)
    assert cursor is not None
    count = int(cursor[2])
    names = [each["fully_qualified_name"].rpartition(".")[2] for each in whole["data"]["hits"]]
    assert 0 < count < len(names)
    assert {*names[:count]} == {"Order"}
    further = {**asked, "cursor": cursor[1], "limit": 100}
    rest = text_client.call("symbols.search", further)["content"][0]["text"]
    assert len(re.findall(r":\d+  |^ +\d+  ", f"{first}\n{rest}", re.MULTILINE)) == whole["data"]["total_count"]
    counted = text_client.call("symbols.search", {**asked, "limit": count + 2})["content"][0]["text"]
    assert f"(1–{count + 2} of" in counted


def test_the_first_of_several_cards_is_cut_where_it_alone_is_too_long(
    text_client: RawClient, json_client: RawClient
) -> None:
    """The rest of it is a call away, and the others follow after the cursor."""
    max_chars = 1_500
    asked = {"symbols": "OrderService,Order,Nothing.AtAll", "max_chars": max_chars}
    text = text_of(text_client, "symbols.get_card", asked)
    assert len(text) <= max_chars
    assert "(cut: symbols.get_card symbol=T:Brewline.Domain.Orders.OrderService)" in text
    answer = json.loads(text_of(json_client, "symbols.get_card", asked))
    (card,) = answer["data"]["cards"]
    assert card["truncated"]
    following = {**asked, "cursor": answer["meta"]["cursor"], "max_chars": 40_000}
    (second,) = json.loads(text_of(json_client, "symbols.get_card", following))["data"]["cards"]
    assert second["symbol_id"] == "T:Brewline.Domain.Orders.Order"


def test_of_several_names_each_that_means_none_or_several_says_what_it_may_mean(text_client: RawClient) -> None:
    text = text_of(text_client, "symbols.get_card", {"symbols": "Order,PayAsync,Ordr", "include_code": False})
    assert re.search(r"'PayAsync' means \d symbols; say which: Brewline\.", text)
    assert "There is no symbol 'Ordr'. Did you mean one of these? Brewline." in text
    counts = text_of(text_client, "refs.find", {"symbols": "Order,Ordr"})
    assert "NOT_FOUND: There is no symbol 'Ordr'. Did you mean one of these? Brewline." in counts


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        ("attribute", "T:Shop.TagAttribute"),
        ("type", "T:Shop.TagAttribute"),
        ("read", "P:Shop.Parcel.Tag"),
        ("write", "P:Shop.Parcel.Tag"),
        ("all", "P:Shop.Parcel.Tag"),
    ],
)
def test_references_of_a_kind_are_those_of_what_has_such(
    environment: dict[str, str], tmp_path: Path, kind: str, target: str
) -> None:
    folder = shop.create(tmp_path / "tagged")
    text = "namespace Shop;\nclass TagAttribute : System.Attribute { }\nclass Parcel { [Tag] int Tag { get; set; } int Two => Tag; }\n"
    (folder / "src/Shop/Parcel.cs").write_text(text, encoding="utf-8")
    shop.commit(folder, "Second")
    with RawClient(environment, cwd=str(folder)) as server:
        server.initialize()
        server.call_json("index.ensure_baseline")
        answer, is_error = server.call_json("refs.find", {"symbol": "Tag", "kind": kind})
    assert not is_error, answer
    assert answer["data"]["target_symbol"] == target


def test_the_path_filter_of_references_has_the_name_of_other_tools_too(json_client: RawClient) -> None:
    listed = [
        json.loads(text_of(json_client, "refs.find", {"symbol": "Order.Status", spelt: "src/Brewline.Api"}))["data"]
        for spelt in ("path", "file_path")
    ]
    assert listed[0] == listed[1]
    assert listed[0]["total_count"] > 0
