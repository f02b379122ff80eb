"""The contract's tools, asked over the wire about a small indexed repository."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server import shop
from tests.server.raw_client import RawClient

Start = Callable[..., RawClient]
SUBMIT = "M:Shop.Ordering.Order.Submit(System.Int32)"


@pytest.fixture
def ask(shop_client: RawClient) -> Callable[..., dict[str, Any]]:
    def ask_tool(tool: str, **arguments: Any) -> dict[str, Any]:
        answer, is_error = shop_client.call_json(tool, arguments)
        assert not is_error, answer
        assert isinstance(answer, dict)
        return answer

    return ask_tool


@pytest.fixture
def refuse(shop_client: RawClient) -> Callable[..., dict[str, Any]]:
    def refuse_tool(tool: str, **arguments: Any) -> dict[str, Any]:
        answer, is_error = shop_client.call_json(tool, arguments)
        assert is_error, answer
        assert set(answer) <= {"code", "message", "details", "retryable"}
        assert isinstance(answer, dict)
        return answer

    return refuse_tool


Ask = Callable[..., dict[str, Any]]


def test_the_envelope_has_the_contracts_members_in_order(ask: Ask) -> None:
    answer = ask("symbols.search", query="Order", limit=2)
    assert list(answer) == ["answer", "data", "meta"]
    assert list(answer["meta"]) == ["timing", "baseline_commit_sha", "cursor", "semantic_level"]
    assert answer["meta"]["timing"].keys() <= {"total_ms", "db_query_ms", "cache_lookup_ms", "ranking_ms"}
    parts = ask("symbols.get_definition_span", symbol="Order", max_lines=1_000)
    assert list(parts) == ["answer", "data", "evidence", "meta"]
    assert set(parts["evidence"][0]) == {"repo_id", "file_path", "line_start", "line_end"}
    assert parts["meta"]["limits_applied"] == {"max_lines": {"requested": 1_000, "hard_cap": 400}}
    none = ask("refs.find", symbol="T:Shop.Ordering.Order", kind="write")
    assert none["next_actions"][0]["parameters"]["kind"] == "type"


def test_status_and_a_second_baseline(ask: Ask, indexed: Path) -> None:
    status = ask("repo.status")["data"]
    assert status["current_commit_sha"] == shop.git(indexed, "rev-parse", "HEAD")
    assert (status["branch_name"], status["is_clean"], status["baseline_index_exists"]) == ("main", True, True)
    assert "workspaces" not in status
    assert status["index"]["file_count"] == len(shop.FILES)
    assert status["index"]["is_current"] is True
    again = ask("index.ensure_baseline")["data"]
    assert (again["already_existed"], again["commit_sha"]) == (True, status["current_commit_sha"])


def test_search_ranks_the_exact_name_first_and_pages(ask: Ask) -> None:
    first = ask("symbols.search", query="Order", limit=2)
    assert first["data"]["hits"][0]["symbol_id"] == "T:Shop.Ordering.Order"
    assert (first["data"]["truncated"], len(first["data"]["hits"])) == (True, 2)
    seen = [hit["symbol_id"] for hit in first["data"]["hits"]]
    page = first
    while page["data"].get("truncated"):
        page = ask("symbols.search", query="Order", cursor=page["meta"]["cursor"])
        seen += [hit["symbol_id"] for hit in page["data"]["hits"]]
    assert "cursor" not in page["meta"]
    assert len(seen) == len(set(seen)) == first["data"]["total_count"]


def test_browsing_and_filters(ask: Ask) -> None:
    assert [hit["symbol_id"] for hit in ask("symbols.search", kinds=["Interface", "enum"])["data"]["hits"]] == [
        "T:Shop.Ordering.IOrderService",
        "T:Shop.Ordering.OrderState",
    ]
    assert ask("symbols.search", query="*", kinds="class", namespace="Shop.Ordering")["data"]["total_count"] == 1
    assert ask("symbols.search", query="Submit", file_path="src/Shop/Order.cs")["data"]["total_count"] == 2
    assert ask("symbols.search", query="Submit", project_name="shop")["data"]["total_count"] == 2
    assert ask("symbols.search", query="Submit", project="shop")["data"]["total_count"] == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"query": "Zyzzyva"}, "Try a part of the name"),
        ({"query": "Submit zyzzyva"}, "Nothing has 'zyzzyva'. Alone: 'Submit'"),
        ({"query": "Submit", "namespace": "Elsewhere"}, "Without namespace='Elsewhere', 2 symbols match. There is no"),
        ({"query": "Submit", "kinds": ["class"]}, "Without kinds='class', 2 symbols match."),
        ({"query": "Submit", "file_path": "lib/"}, "No indexed path begins with 'lib/'"),
        ({"query": "Submit", "file_path": "Shop/Order.cs"}, "Similar: src/Shop/Order.cs."),
        ({"query": "Submit", "namespace": "ordering"}, "There is no namespace 'ordering'. Similar: Shop.Ordering."),
        ({"kinds": ["record"]}, "No symbol passes the filter."),
    ],
)
def test_no_hits_say_why(ask: Ask, arguments: dict[str, Any], reason: str) -> None:
    answer = ask("symbols.search", **arguments)
    assert answer["data"]["hits"] == []
    assert reason in answer["answer"]


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "message"),
    [
        ("symbols.search", {}, "INVALID_ARGUMENT", "Give a query, or a filter to browse"),
        ("symbols.search", {"query": "x", "kinds": ["clas"]}, "INVALID_ARGUMENT", "Did you mean 'class'?"),
        ("symbols.search", {"qery": "x"}, "INVALID_ARGUMENT", "'qery' (did you mean 'query'?)"),
        (
            "symbols.search",
            {"query": "x", "limit": 0},
            "INVALID_ARGUMENT",
            "limit: expected a whole number of at least 1",
        ),
        (
            "symbols.search",
            {"query": "x", "limit": "many"},
            "INVALID_ARGUMENT",
            "limit: expected a whole number, got a text",
        ),
        (
            "symbols.search",
            {"query": "x", "kinds": [["class"]]},
            "INVALID_ARGUMENT",
            "kinds[0]: expected a text, got a list",
        ),
        ("symbols.get_card", {}, "INVALID_ARGUMENT", "Say which symbol"),
        ("symbols.get_card", {"name": "Submit"}, "AMBIGUOUS", SUBMIT),
        ("symbols.get_card", {"symbol_id": "T:Shop.Ordering.Ordr"}, "NOT_FOUND", "There is no symbol"),
        ("symbols.get_card", {"symbol_id": "T:Shop.Order"}, "NOT_FOUND", "T:Shop.Ordering.Order"),
        ("symbols.get_card", {"symbol_id": "sym_0123456789abcdef"}, "NOT_FOUND", "stable id"),
        ("symbols.get_card", {"name": "Order", "workspace_id": "w"}, "NOT_FOUND", "no workspace 'w'"),
        ("symbols.get_card", {"name": "Order", "commit_sha": "nope"}, "NOT_FOUND", "no commit 'nope'"),
        ("symbols.get_card", {"name": "Order", "repo_path": "/no/such"}, "NOT_FOUND", "does not exist"),
        (
            "symbols.search",
            {"query": "x", "virtual_files": [{"file_path": "a", "content": "b"}]},
            "WORKSPACE_REQUIRED",
            "seen on top of a workspace, and none was named",
        ),
        (
            "code.get_span",
            {"file_path": "a", "virtual_files": [{"file_path": "a", "content": "b" * 50_000}]},
            "BUDGET_EXCEEDED",
            "the maximum is 40000",
        ),
        ("code.get_span", {"file_path": "../secret"}, "INVALID_ARGUMENT", "not a path inside the repository"),
        ("code.get_span", {"file_path": "/etc/passwd"}, "INVALID_ARGUMENT", "not a path inside the repository"),
        ("code.get_span", {"file_path": "src/Shop/Ordr.cs"}, "NOT_FOUND", "Did you mean src/Shop/Order.cs"),
        ("code.get_span", {"file_path": "appsettings.json", "start_line": 9}, "INVALID_ARGUMENT", "has 1 line;"),
        ("code.get_span", {}, "INVALID_ARGUMENT", "needs file_path"),
        ("code.search_text", {"pattern": "(a"}, "INVALID_ARGUMENT", "escape it"),
        ("index.ensure_baseline", {"solution_path": "../x.sln"}, "INVALID_ARGUMENT", "leaves the repository"),
        ("index.ensure_baseline", {"commit_sha": "feature"}, "NOT_FOUND", "no commit 'feature'"),
    ],
)
def test_what_cannot_be_answered_says_why(
    refuse: Ask, tool: str, arguments: dict[str, Any], code: str, message: str
) -> None:
    error = refuse(tool, **arguments)
    assert error["code"] == code
    assert message in str(error)


def test_a_symbol_is_found_by_every_kind_of_name(ask: Ask) -> None:
    card = ask("symbols.get_card", symbol_id=SUBMIT)["data"]
    by_stable_id = ask("symbols.get_card", symbol_id=card["stable_id"])["data"]
    corrected = ask("symbols.get_card", symbol_id=SUBMIT.removeprefix("M:"))
    assert by_stable_id == card == corrected["data"]
    span = ask("symbols.get_definition_span", symbol_id=card["stable_id"], context_lines=0)
    assert span["data"]["start_line"] == card["span_start"]
    narrowed = ask("symbols.get_card", name="Order", name_filter={"kinds": ["class"], "namespace": "Shop"})
    assert narrowed["data"]["symbol_id"] == "T:Shop.Ordering.Order"
    assert ask("symbols.get_card", name="Order", name_filter='{"kinds": ["class"]}')["data"]["kind"] == "class"


def test_a_types_card_lists_members_parts_and_source(ask: Ask) -> None:
    answer = ask("symbols.get_card", name="Order")
    card = answer["data"]
    assert card["documentation"] == "What a customer asked for."
    assert card["file_path"] == "src/Shop/Order.Lines.cs"
    assert [part["file_path"] for part in card["evidence"]] == ["src/Shop/Order.cs"]
    assert [member["kind"] for member in card["members"]] == ["method", "method", "property", "constructor", "field"]
    assert card["member_kinds"] == {"method": 2, "property": 1, "constructor": 1, "field": 1}
    members = {member["symbol_id"]: member for member in card["members"]}
    assert "file_path" not in members["P:Shop.Ordering.Order.LineCount"]
    assert members[SUBMIT]["file_path"] == "src/Shop/Order.cs"
    assert members[SUBMIT]["line"] == 11
    whole = ask("symbols.get_card", symbol="IOrderService")["data"]
    assert "void Place(Order order);" in whole["source_code"]
    assert whole["member_count"] == 1
    bare = ask("symbols.get_card", symbol="IOrderService", include_code=False)["data"]
    assert "source_code" not in bare
    assert len(bare["members"]) == 1


def test_lines_are_numbered_and_cut_at_the_budget(ask: Ask) -> None:
    span = ask("code.get_span", file_path="src/Shop/Order.cs", start_line="10", end_line=11)
    assert span["data"]["content"].split("\n")[1] == "   11 |     public void Submit(int times)"
    cut = ask("code.get_span", file_path="src/Shop/Long.cs", max_lines=100_000)
    assert cut["meta"]["limits_applied"] == {
        "max_lines": {"requested": 100_000, "hard_cap": 400},
    }
    assert len(cut["data"]["content"]) <= 12_000
    assert cut["data"]["truncated"]
    following = ask("code.get_span", file_path="src/Shop/Long.cs", cursor=cut["meta"]["cursor"])
    assert following["data"]["start_line"] == cut["data"]["end_line"] + 1
    asked = ask("code.get_span", file_path="src/Shop/Long.cs", start_line=300, end_line=500, max_chars=40_000)
    assert (asked["data"]["start_line"], asked["data"]["end_line"]) == (300, 500)
    capped = ask("code.get_span", file_path="src/Shop/Long.cs", max_lines=400, max_chars=1_000_000)
    assert capped["meta"]["limits_applied"]["max_chars"] == {"requested": 1_000_000, "hard_cap": 40_000}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("symbols.search", {"query": "Member*", "limit": 100}),
        ("symbols.get_card", {"name": "Long"}),
        ("symbols.get_definition_span", {"name": "Long"}),
        ("code.get_span", {"file_path": "src/Shop/Long.cs"}),
        ("code.search_text", {"pattern": "Member", "limit": 200}),
    ],
)
def test_a_default_answer_keeps_the_budget(shop_client: RawClient, tool: str, arguments: dict[str, Any]) -> None:
    result = shop_client.call(tool, arguments)
    (content,) = result["content"]
    answer = json.loads(content["text"])
    assert len(content["text"]) <= 12_000
    assert answer["meta"]["cursor"]
    assert "limits_applied" not in answer["meta"]


def test_text_search_finds_what_is_no_symbol(ask: Ask) -> None:
    answer = ask("code.search_text", pattern="TODO|Corner")
    assert [(match["file_path"], match["line"]) for match in answer["data"]["matches"]] == [
        ("appsettings.json", 1),
        ("src/Shop/Order.cs", 13),
    ]
    assert (answer["data"]["total_count"], answer["data"]["file_count"]) == (2, 2)
    none = ask("code.search_text", pattern="todo", file_path="src")
    assert "Case counts" in none["answer"]
    assert "No file under lib" in ask("code.search_text", pattern="x", file_path="lib")["answer"]


def test_odd_letters_come_back_as_they_are(ask: Ask) -> None:
    answer = ask("symbols.get_card", name="Größe")
    assert answer["data"]["file_path"] == "src/Shop/Größe und Maß.cs"
    assert "μ \\u0001 🛒" in answer["data"]["source_code"]


def test_tokens_saved_count_the_files_that_hold_the_answer(ask: Ask, shop_client: RawClient) -> None:
    arguments = {"file_path": "src/Shop/Long.cs", "end_line": 3}
    text = shop_client.call("code.get_span", arguments)["content"][0]["text"]
    saved = json.loads(text)["meta"]["tokens_saved"]
    whole = len(shop.FILES["src/Shop/Long.cs"].encode()) / 4
    assert saved == pytest.approx(whole - len(text) / 4, abs=20)
    assert "tokens_saved" not in ask("code.get_span", file_path="appsettings.json")["meta"]


def test_edits_and_new_commits_are_said_but_not_shown(
    start: Start, environment: dict[str, str], tmp_path: Path
) -> None:
    folder = shop.create(tmp_path / "edited")
    server = start(cwd=folder)
    server.initialize()
    error, is_error = server.call_json("symbols.search", {"query": "Order"})
    assert (is_error, error["code"], error["retryable"]) == (True, "INDEX_NOT_AVAILABLE", True)
    assert "index.ensure_baseline" in error["message"]
    made, _ = server.call_json("index.ensure_baseline")
    assert (made["data"]["already_existed"], made["data"]["stats"]["file_count"]) == (False, len(shop.FILES))
    first = made["data"]["commit_sha"]

    order = folder / "src/Shop/Order.cs"
    order.write_text(order.read_text(encoding="utf-8").replace("TODO", "DONE"), encoding="utf-8")
    span, _ = server.call_json("code.get_span", {"file_path": "src/Shop/Order.cs"})
    assert "Differs on disk from what was indexed: src/Shop/Order.cs." in span["answer"]
    assert "TODO" in span["data"]["content"]
    miss, _ = server.call_json("code.search_text", {"pattern": "DONE"})
    assert "uncommitted changes" in miss["answer"]

    second = shop.commit(folder, "Second")
    error, is_error = server.call_json("symbols.search", {"query": "Order"})
    assert (is_error, error["details"]["indexed_commits"]) == (True, [first])
    old, _ = server.call_json("code.search_text", {"pattern": "DONE", "commit_sha": first[:10]})
    assert f"HEAD is {second[:12]} now" in old["answer"]
    made, _ = server.call_json("index.ensure_baseline", {"commit_sha": "main"})
    assert (made["data"]["commit_sha"], made["data"]["stats"]["analysed_files"]) == (second, 1)
    found, _ = server.call_json("code.search_text", {"pattern": "DONE"})
    assert len(found["data"]["matches"]) == 1


def test_building_reports_progress_and_can_be_cancelled(start: Start, tmp_path: Path) -> None:
    folder = shop.create(tmp_path / "watched")
    server = start(cwd=folder)
    server.initialize()
    arguments = {"name": "index.ensure_baseline", "arguments": {}, "_meta": {"progressToken": "p1"}}
    cancelled = server.request("tools/call", arguments)
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": cancelled}}
    server.send(json.dumps(note).encode() + b"\n")
    wanted = server.request("tools/call", arguments)
    values = []
    while (message := server.receive()).get("id") != wanted:
        assert message["method"] == "notifications/progress"
        assert message["params"]["progressToken"] == "p1"
        values.append(message["params"]["progress"])
    assert values
    assert json.loads(message["result"]["content"][0]["text"])["data"]["already_existed"] is False


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGTERM"])
def test_a_server_that_dies_while_building_leaves_nothing_half_done(
    environment: dict[str, str], tmp_path: Path, end: str
) -> None:
    folder = shop.create(tmp_path / "big", copies=12)
    own = {**environment, "CODEMAP_HOME": str(tmp_path / "data")}
    for _ in range(2):
        with RawClient(own, cwd=str(folder)) as server:
            server.initialize()
            arguments = {"name": "index.ensure_baseline", "arguments": {}, "_meta": {"progressToken": 1}}
            server.request("tools/call", arguments)
            assert server.receive()["method"] == "notifications/progress"
            server.signal(signal.Signals[end])
            assert server.wait() == (-signal.SIGKILL if end == "SIGKILL" else 0)
    with RawClient(own, cwd=str(folder)) as server:
        server.initialize()
        error, is_error = server.call_json("symbols.search", {"query": "Order"})
        assert (is_error, error["code"]) == (True, "INDEX_NOT_AVAILABLE")
        made, is_error = server.call_json("index.ensure_baseline")
        assert not is_error, made
        assert made["data"]["stats"]["file_count"] == len(shop.FILES) + 12
        assert not server.call_json("symbols.get_card", {"name": "Copy7"})[1]


def test_which_repository_is_meant(start: Start, indexed: Path, tmp_path: Path) -> None:
    server = start(cwd=tmp_path)
    server.initialize()
    error, _ = server.call_json("repo.status")
    assert (error["code"], "repo_path" in error["message"]) == ("INVALID_ARGUMENT", True)
    status, _ = server.call_json("repo.status", {"repo_path": str(indexed / "src" / "Shop")})
    assert status["data"]["subtree"] == "src/Shop"
    status, _ = server.call_json("repo.status")
    assert status["data"]["root"] == str(indexed)
    other = shop.create(tmp_path / "other")
    server.call_json("repo.status", {"repo_path": str(other)})
    error, _ = server.call_json("repo.status")
    assert (error["code"], str(other) in error["message"]) == ("INVALID_ARGUMENT", True)


def test_the_running_total_of_saved_tokens_is_kept(
    environment: dict[str, str], shop_folder: Path, tmp_path: Path
) -> None:
    total = 0
    for _ in range(2):
        with RawClient({**environment, "CODEMAP_HOME": str(tmp_path)}, cwd=str(shop_folder)) as server:
            server.initialize()
            server.call_json("index.ensure_baseline")
            answer, _ = server.call_json("code.get_span", {"file_path": "src/Shop/Long.cs", "end_line": 3})
            total += answer["meta"]["tokens_saved"]
            server.close_input()
            assert server.wait() == 0
        assert json.loads((tmp_path / "_savings.json").read_bytes())["tokens_saved_total"] == total


@pytest.mark.parametrize("tool", ["symbols.get_card", "symbols.get_definition_span"])
def test_a_librarys_symbol_is_told_from_metadata(ask: Ask, tool: str) -> None:
    answer = ask(tool, symbol="Console.WriteLine")
    assert "of a library" in answer["answer"]
    assert answer["data"]["origin"] == "metadata"


def test_a_search_says_first_that_a_word_was_misspelt(ask: Ask) -> None:
    answer = ask("symbols.search", query="OrderServce")["answer"]
    assert answer == "No symbol matches 'OrderServce'. 1 symbol matches IOrderService."
    assert ask("symbols.search", query="Order")["answer"].endswith("symbols match 'Order'.")


def test_a_shared_index_is_taken_and_said_to_be(environment: dict[str, str], indexed: Path, tmp_path: Path) -> None:
    shared = {"CODEMAP_CACHE_DIR": str(tmp_path / "shared"), "CODEMAP_MACHINE_LIBRARIES": "0"}
    for machine, is_taken in (("one", False), ("other", True)):
        with RawClient({**environment, **shared, "CODEMAP_HOME": str(tmp_path / machine)}, "", str(indexed)) as client:
            client.initialize()
            answer, is_error = client.call_json("index.ensure_baseline")
            assert not is_error
            data = answer["data"]
            assert (data["already_existed"], data.get("from_cache", False)) == (is_taken, is_taken)
            assert ("stats" in data) is not is_taken
            assert ("shared cache" in answer["answer"]) is is_taken
            status, _ = client.call_json("repo.status")
            assert status["data"]["index"]["is_current"]


def test_paths_may_be_given_from_the_root_of_the_file_system(
    ask: Ask, refuse: Callable[..., dict[str, Any]], indexed: Path
) -> None:
    root = str(indexed.resolve())
    (path,) = {each["file_path"] for each in ask("symbols.search", query="Order.Submit", limit=1)["data"]["hits"]}

    def both(tool: str, **arguments: Any) -> None:
        """The same answer, whichever way its paths are written."""
        absolute = {
            name: value.replace("@", f"{root}/") if isinstance(value, str) else value
            for name, value in arguments.items()
        }
        relative = {
            name: value.replace("@", "") if isinstance(value, str) else value for name, value in arguments.items()
        }
        assert ask(tool, **absolute)["data"] == ask(tool, **relative)["data"]

    both("code.get_span", file_path=f"@{path}", end_line=3)
    both("symbols.outline", file_path=f"@{path}")
    both("refs.find", symbol=SUBMIT, path=f"!@{path},@src/")
    both("code.search_text", pattern="Submit", glob=f"@{path}", exclude="@tests/**")
    both("symbols.search", query="Order", file_path="@src/")
    assert ask("symbols.search", query="Order", file_path=root)["data"] == ask("symbols.search", query="Order")["data"]
    for outside in (f"{root}x/{path}", f"{root}/../{path}", "/etc/passwd"):
        assert refuse("code.get_span", file_path=outside)["code"] == "INVALID_ARGUMENT"
