"""Every argument of every tool with values that break things: an answer or an error that helps, never a dead
process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.raw_client import RawClient

STRINGS = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "null",
    "true",
    "[]",
    "{}",
    '{"a": 1}',
    "[[",
    "*",
    "**",
    '"',
    "'; DROP TABLE symbols; --",
    "NEAR(",
    "a AND",
    "NOT",
    "name:x",
    "^x",
    "(((((((((((((((((",
    "-",
    "%",
    "_",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\Windows",
    "\\\\server\\share",
    "--help",
    "-rf",
    "HEAD~99999",
    "M:",
    "T:`1",
    "sym_",
    "sym_zzzzzzzzzzzzzzzz",
    "🛒",
    "\u202egnp.exe",
    "\u2028",
    "e\u0301" * 50,
    "x" * 100_000,
    "(a*)*$",
    "\\",
    "[[:alpha:]]",
    "(?P<x>",
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1 << 70,
    1.5,
    1e308,
    [],
    {},
    [[]],
    [None],
    ["\ud800"],
    {"file_path": "x"},
    [{"x": 1}],
)
BASE: dict[str, dict[str, Any]] = {
    "symbols.search": {"query": "Order"},
    "symbols.get_card": {"name": "Order"},
    "symbols.get_definition_span": {"name": "Order"},
    "symbols.outline": {"name": "Order"},
    "symbols.get_context": {"name": "Order"},
    "symbols.unreferenced": {},
    "code.get_span": {"file_path": "src/Shop/Order.cs"},
    "code.search_text": {"pattern": "TODO"},
    "repo.status": {},
    "index.ensure_baseline": {},
}
PROPERTIES = {
    "symbols.search": ("query", "kinds", "namespace", "file_path", "project_name", "limit", "offset", "commit_sha"),
    "symbols.get_card": ("symbol_id", "name", "name_filter", "include_code", "workspace_id", "virtual_files"),
    "symbols.get_definition_span": ("symbol_id", "max_lines", "context_lines", "max_chars"),
    "symbols.outline": ("file_path", "kinds", "visibility", "static", "attribute", "obsolete", "inherited", "limit"),
    "symbols.get_context": ("symbols", "symbol", "project"),
    "symbols.unreferenced": ("file_path", "namespace", "project_name", "kinds", "doubtful", "limit"),
    "code.get_span": ("file_path", "start_line", "end_line", "context_lines", "max_lines", "virtual_files"),
    "code.search_text": ("pattern", "file_path", "limit"),
    "repo.status": ("repo_path",),
    "index.ensure_baseline": ("commit_sha", "repo_path"),
}
CODES = {
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "AMBIGUOUS",
    "WORKSPACE_REQUIRED",
    "BUDGET_EXCEEDED",
}


@pytest.mark.parametrize("tool", PROPERTIES)
def test_nasty_values_are_answered(shop_client: RawClient, tool: str) -> None:
    for name in PROPERTIES[tool]:
        for value in (*STRINGS, *OTHERS):
            if tool == "code.search_text" and name != "pattern" and isinstance(value, str) and len(value) < 20:
                continue  # a search takes a process; one of each sort is enough
            answer, is_error = shop_client.call_json(tool, {**BASE[tool], name: value})
            where = f"{tool} {name}={value!r}"[:200]
            assert len(json.dumps(answer)) < 50_000, where
            if is_error:
                assert answer["code"] in CODES, f"{where}: {answer}"
                assert len(answer["message"]) <= 1_000, where
                assert "Traceback" not in answer["message"], where
    assert "result" in shop_client.ask("ping")


@pytest.mark.parametrize("text", ["[" * 4_000, "[" * 65 + "]" * 65, "[" * 65])
def test_json_text_that_is_nested_too_deeply(shop_client: RawClient, text: str) -> None:
    error, is_error = shop_client.call_json("symbols.search", {"query": "Order", "kinds": text})
    assert (is_error, error["code"]) == (True, "INVALID_ARGUMENT")
    assert "nested too deeply" in error["message"].lower()


@pytest.mark.parametrize("arguments", [None, [], "text", 5])
def test_arguments_that_are_no_object(shop_client: RawClient, arguments: Any) -> None:
    answer = shop_client.ask("tools/call", {"name": "repo.status", "arguments": arguments})
    assert ("result" in answer) == (arguments is None)
    assert "result" in shop_client.ask("ping")


@pytest.mark.parametrize("name", [None, "", 5, "x" * 10_000, "\ud800", "repo.status\n", ["repo.status"]])
def test_names_that_are_no_tool(shop_client: RawClient, name: Any) -> None:
    answer = shop_client.ask("tools/call", {"name": name, "arguments": {}})
    assert answer["error"]["code"] == -32602
    assert len(json.dumps(answer)) < 2_000 or name == "x" * 10_000
    assert "result" in shop_client.ask("ping")
