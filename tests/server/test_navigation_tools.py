"""The tools that go from symbol to symbol, asked over stdio about the sample solution."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server import shop
from tests.server.raw_client import RawClient

Ask = Callable[..., dict[str, Any]]
SAMPLE = Path(__file__).parents[2] / "testdata" / "SampleSolution"
PAY = "Brewline.Domain.Orders.OrderService.PayAsync"
PAY_ID = (
    f"M:{PAY}(Brewline.Domain.Orders.OrderId,Brewline.Domain.Payments.PaymentMethod,System.Threading.CancellationToken)"
)
IPAY_ID = PAY_ID.replace("OrderService", "IOrderService")
ORDER = "T:Brewline.Domain.Orders.Order"


@pytest.fixture(scope="module")
def sample_client(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """A server that stands in the indexed sample."""
    folder = tmp_path_factory.mktemp("sample") / "brewline"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("bin", "obj"))
    shop.git(folder, "init", "--quiet", "--initial-branch=main")
    shop.commit(folder, "First")
    with RawClient(environment, cwd=str(folder)) as server:
        server.initialize()
        made, is_error = server.call_json("index.ensure_baseline")
        assert not is_error, made
        yield server


@pytest.fixture
def ask(sample_client: RawClient) -> Ask:
    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        answer: dict[str, Any]
        answer, is_error = sample_client.call_json(tool, arguments)
        assert not is_error, answer
        return answer

    return call


@pytest.fixture
def refuse(sample_client: RawClient) -> Ask:
    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        error: dict[str, Any]
        error, is_error = sample_client.call_json(tool, arguments)
        assert is_error, error
        return error

    return call


def places(answer: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [
        (each["kind"], each["file_path"].rpartition("/")[2], each["line_start"])
        for each in answer["data"]["references"]
    ]


def names(answer: dict[str, Any], depth: int) -> list[str]:
    return [node["display_name"].split(".", 2)[2] for node in answer["data"]["nodes"] if node["depth"] == depth]


def test_references_come_with_place_line_and_user(ask: Ask) -> None:
    answer = ask("refs.find", name="Order.Cancel")
    (reference,) = [each for each in answer["data"]["references"] if each["file_path"].endswith("Endpoints.cs")]
    assert reference == {
        "kind": "call",
        "from_symbol": "M:Brewline.Api.Endpoints.OrderEndpoints.MapOrders(Microsoft.AspNetCore.Routing.IEndpointRouteBuilder)",
        "file_path": "src/Brewline.Api/Endpoints/OrderEndpoints.cs",
        "line_start": 21,
        "column": 19,
        "excerpt": 'order.Cancel("by the customer", clock.GetUtcNow());',
    }
    assert answer["data"]["total_count"] == len(answer["data"]["references"])


def test_kinds_select_and_the_others_are_counted(ask: Ask) -> None:
    writes = ask("refs.find", name="Order.Status", kind="Write")
    assert places(writes) == [("write", "Order.Transitions.cs", 60)]
    assert (
        writes["data"]["other_kinds"]["read"]
        == ask("refs.find", name="Order.Status", kind="read")["data"]["total_count"]
    )
    both = ask("refs.find", name="Order.Status", kind="read, write")
    everything = ask("refs.find", name="Order.Status", kind="all")
    assert (
        both["data"]["total_count"] + sum(both["data"].get("other_kinds", {}).values())
        == everything["data"]["total_count"]
    )


def test_pages_follow_each_other(ask: Ask) -> None:
    everything = ask("refs.find", symbol_id=ORDER, kind="all", limit=500)["data"]
    page = ask("refs.find", symbol_id=ORDER, kind="all", limit=7)
    seen = list(page["data"]["references"])
    while cursor := page["meta"].get("cursor"):
        page = ask("refs.find", symbol_id=ORDER, kind="all", limit=7, cursor=cursor)
        seen += page["data"]["references"]
    assert len(seen) == everything["total_count"]
    assert seen[: len(everything["references"])] == everything["references"]


def test_a_constructor_is_used_where_its_type_is_created(ask: Ask) -> None:
    constructor = "M:Brewline.Domain.Orders.Order.#ctor(Brewline.Domain.Orders.OrderId,System.String)"
    assert ("instantiate", "OrderService.cs", 28) in places(ask("refs.find", symbol_id=constructor))
    callers = ask("graph.callers", symbol_id=constructor)
    assert "Orders.OrderService.PlaceAsync" in names(callers, 1)
    base = "M:Brewline.Domain.Shared.DomainException.#ctor(System.String,System.String)"
    assert ("ctor_initializer", "OrderStatus.cs", 13) in places(ask("refs.find", symbol_id=base))


def test_library_symbols_are_found_by_id_and_by_name(ask: Ask) -> None:
    by_id = ask("refs.find", symbol_id="T:System.IParsable`1")
    by_name = ask("refs.find", name="IParsable")
    assert by_id["data"] == by_name["data"]
    assert by_id["data"]["external"] is True
    assert [place[0] for place in places(by_id)] == ["type"]
    assert "library symbol IParsable<T>" in by_id["answer"]
    assert ask("graph.callers", name="TimeProvider.GetUtcNow")["data"]["total_nodes_found"] >= 3


def test_a_type_that_is_only_mentioned_shows_its_mentions(ask: Ask) -> None:
    answer = ask("refs.find", name="IOrderService")
    assert {reference["kind"] for reference in answer["data"]["references"]} == {"type"}


def test_callers_through_the_interface_are_counted_then_shown(ask: Ask) -> None:
    direct = ask("graph.callers", symbol_id=PAY_ID)
    hint = direct["data"]["interface_implementation_hint"]
    assert hint["implements"] == [IPAY_ID]
    assert hint["additional_callers_via_interface"] == 1
    assert direct["next_actions"][0]["parameters"]["follow_interface"] is True
    assert "Api.Endpoints.OrderEndpoints.PayAsync" not in [each.removeprefix("Brewline.") for each in names(direct, 1)]

    followed = ask("graph.callers", **direct["next_actions"][0]["parameters"])
    (node,) = [node for node in followed["data"]["nodes"] if node["display_name"].endswith("OrderEndpoints.PayAsync")]
    (site,) = node["call_sites"]
    assert site["via"] == IPAY_ID
    assert site["to_symbol"] == PAY_ID
    assert site["confidence"] == "medium"
    assert site["excerpt"].startswith("OrderResponse.Of(await service.PayAsync(id")
    root = followed["data"]["nodes"][0]
    assert (root["symbol_id"], root["depth"]) == (PAY_ID, 0)
    assert node["symbol_id"] in root["edges_to"]


def test_levels_of_callers_and_callees(ask: Ask) -> None:
    up = ask("graph.callers", name="Order.MoveTo", depth=2, follow_interface=True)
    assert {name.rpartition(".")[2] for name in names(up, 1)} == {"Submit", "MarkPaid", "Ship", "Cancel"}
    assert "Orders.OrderService.PayAsync" in names(up, 2)
    down = ask("graph.callees", symbol_id=PAY_ID, depth=2)
    shown = {node["display_name"]: node for node in down["data"]["nodes"]}
    assert shown["Brewline.Domain.Orders.Order.MoveTo"]["depth"] == 2
    assert shown["Brewline.Domain.Payments.IPaymentGateway.ChargeAsync"]["kind"] == "method"


def test_a_level_is_cut_and_says_so(ask: Ask) -> None:
    cut = ask("graph.callees", symbol_id=PAY_ID, limit_per_level=2)
    everything = ask("graph.callees", symbol_id=PAY_ID, limit_per_level=900, depth=40)
    assert len(cut["data"]["nodes"]) == 3
    assert cut["data"]["truncated"] is True
    whole = ask("graph.callees", symbol_id=PAY_ID)["data"]
    assert cut["data"]["total_nodes_found"] == whole["total_nodes_found"]
    assert not any(node.get("external") for node in cut["data"]["nodes"])
    assert everything["meta"]["limits_applied"]["max_depth"] == {"requested": 40, "hard_cap": 6}
    assert everything["meta"]["limits_applied"]["max_references"] == {"requested": 900, "hard_cap": 500}


def test_hierarchies_of_declared_and_library_types(ask: Ask) -> None:
    event = ask("types.hierarchy", name="OrderEvent")["data"]
    (above,) = event["interfaces"]
    assert (above["symbol_id"], above["display_name"]) == ("T:Brewline.Domain.Shared.IDomainEvent", "IDomainEvent")
    assert (above["kind"], above["file_path"].rpartition("/")[2]) == ("interface", "IDomainEvent.cs")
    assert [each["symbol_id"].rpartition(".")[2] for each in event["derived_types"]] == [
        "OrderCancelled",
        "OrderPaid",
        "OrderShipped",
        "OrderSubmitted",
    ]
    paid = ask("types.hierarchy", name="OrderPaid")["data"]
    assert paid["base_type"]["symbol_id"] == "T:Brewline.Domain.Orders.OrderEvent"
    assert [each["symbol_id"] for each in paid["inherited"]] == ["T:Brewline.Domain.Shared.IDomainEvent"]
    interface = ask("types.hierarchy", name="IDomainEvent")["data"]
    assert (interface["derived_count"], interface["indirect_derived_count"]) == (3, 4)
    library = ask("types.hierarchy", symbol_id="T:System.Exception")["data"]
    assert library["external"] is True
    assert "T:Brewline.Domain.Shared.DomainException" in [each["symbol_id"] for each in library["derived_types"]]


def test_a_card_lists_what_is_called_most(ask: Ask) -> None:
    calls = ask("symbols.get_card", symbol_id=PAY_ID)["data"]["calls_top"]
    assert "Brewline.Domain.Orders.Order.MarkPaid" in [call["fully_qualified_name"] for call in calls]


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "message"),
    [
        ("graph.callers", {"name": "OrderService"}, "INVALID_ARGUMENT", "types are not called"),
        ("graph.callees", {"symbol_id": ORDER}, "INVALID_ARGUMENT", "types.hierarchy"),
        ("types.hierarchy", {"name": "Order", "transitive": True, "depth": 2}, "INVALID_ARGUMENT", "not both"),
        ("refs.find", {"name": "Order", "group_by": "colour"}, "INVALID_ARGUMENT", "Groups: file, project, member"),
        ("refs.find", {"symbols": "Order,Money", "name": "Order"}, "INVALID_ARGUMENT", "leave symbol"),
        ("refs.find", {"name": "Order", "kind": "calls"}, "INVALID_ARGUMENT", "There is no kind of reference 'calls'"),
        (
            "refs.find",
            {"name": "Order", "resolution_state": "maybe"},
            "INVALID_ARGUMENT",
            "States: resolved, unresolved",
        ),
        ("refs.find", {}, "INVALID_ARGUMENT", "Say which symbol"),
        ("refs.find", {"symbol_id": "T:System.Nowhere"}, "NOT_FOUND", "There is no symbol"),
        ("refs.find", {"name": "Nowhere"}, "NOT_FOUND", "There is no symbol"),
        ("graph.callers", {"name": "PayAsync"}, "AMBIGUOUS", PAY_ID),
        ("graph.callers", {"symbol_id": PAY_ID, "depth": 0}, "INVALID_ARGUMENT", "depth"),
    ],
)
def test_what_cannot_be_answered_says_why(
    refuse: Ask, tool: str, arguments: dict[str, Any], code: str, message: str
) -> None:
    error = refuse(tool, **arguments)
    assert (error["code"], message in str(error)) == (code, True), error


def test_none_is_explained(ask: Ask) -> None:
    none = ask("graph.callers", name="DomainExceptionHandler.TryHandleAsync")
    assert none["data"]["total_nodes_found"] == 0
    assert "Nothing in the indexed code calls it" in none["answer"]
    for tool in ("graph.callers", "refs.find"):
        endpoint = ask(tool, symbol="ProductsController.Save")["answer"]
        assert endpoint.endswith("It answers POST /api/products, PUT /api/products/{id:guid}.")
    leaf = ask("graph.callees", name="TimeProvider.GetUtcNow")
    assert "whose code is not indexed" in leaf["answer"]


def test_answers_keep_the_budget(sample_client: RawClient) -> None:
    for tool, arguments in (
        ("refs.find", {"symbol_id": ORDER, "kind": "all", "limit": 500}),
        ("graph.callees", {"name": "OrderEndpoints.MapOrders", "depth": 6, "limit_per_level": 500}),
    ):
        (content,) = sample_client.call(tool, {**arguments, "max_chars": 6_000})["content"]
        assert len(content["text"]) <= 6_000
        answer = json.loads(content["text"])
        assert answer["data"]["truncated"]
        assert answer["meta"]["cursor"]


def test_counts_are_said_in_the_right_number(ask: Ask) -> None:
    alone = ask("graph.callers", symbol="OrderService.PayAsync")["answer"]
    assert alone == (
        "1 caller of OrderService.PayAsync. 1 more only through IOrderService.PayAsync: follow_interface=true."
    )
    followed = ask("graph.callers", symbol="OrderService.PayAsync", follow_interface=True)["answer"]
    assert followed == "2 callers of OrderService.PayAsync, 1 of them only through IOrderService.PayAsync."
    none = ask("graph.callers", name="DomainExceptionHandler.TryHandleAsync")["answer"]
    assert none.startswith("No callers of DomainExceptionHandler.TryHandleAsync. Nothing in the indexed code calls it;")


def test_callees_of_an_interface_member_are_its_implementations(ask: Ask) -> None:
    answer = ask("graph.callees", symbol_id=IPAY_ID)
    assert answer["answer"] == "IOrderService.PayAsync has no body; 1 implementation here."
    assert answer["data"]["nodes"][1]["symbol_id"] == PAY_ID
    members = ask("types.hierarchy", symbol_id=IPAY_ID)
    assert members["answer"] == "IOrderService.PayAsync: implemented or overridden by 1 member."
    assert [each["symbol_id"] for each in members["data"]["fillers"]] == [PAY_ID]


def test_references_counted_grouped_and_of_several_symbols(ask: Ask) -> None:
    counted = ask("refs.find", symbol="Order.Status", count_only=True)["data"]
    assert counted["total_count"] > 0
    assert "references" not in counted
    groups = ask("refs.find", symbol="Order.Status", group_by="file")["data"]["groups"]
    assert sum(each["count"] for each in groups) == counted["total_count"]
    rows = ask("refs.find", symbols="Order.Status,Nothing.AtAll")["data"]["symbols"]
    assert rows[0]["count"] == counted["total_count"]
    assert rows[1]["problem"].startswith("NOT_FOUND")


def test_a_type_that_a_keyword_means_is_not_said_to_be_unused(ask: Ask) -> None:
    """Keywords are no names, so that references do not list them."""
    answer = ask("refs.find", symbol="string", kind="all")
    assert "The keyword string means it, too, and is not listed" in json.dumps(answer)
    assert "Nothing in the indexed code names it" not in answer["answer"]
    assert "keyword" not in json.dumps(ask("refs.find", symbol="Order", kind="all"))


def test_derived_types_over_all_levels(ask: Ask) -> None:
    whole = ask("types.hierarchy", name="IDomainEvent", transitive=True)["data"]
    assert (whole["total_count"], len(whole["derived_types"])) == (7, 7)
    assert all(each["file_path"] and each["line"] for each in whole["derived_types"])
