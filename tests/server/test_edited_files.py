"""Uncommitted edits, said by every tool whose answer names a file that was edited, and by none when the edit is taken back."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codemap_core.hooks.manager import load_plugins
from tests.benchmarks.agent_economy import with_whole_paths
from tests.server import shop
from tests.server.example_calls import EXAMPLES
from tests.server.raw_client import RawClient

SAMPLE = Path(__file__).parents[2] / "testdata" / "SampleSolution"
SERVICE = "src/Brewline.Domain/Orders/OrderService.cs"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("symbols.search", {"query": "OrderService"}),
    ("symbols.get_card", {"symbol": "OrderService"}),
    ("symbols.get_card", {"symbols": ["OrderService.PayAsync", "Order.Status"]}),
    ("symbols.get_definition_span", {"symbol": "OrderService.PayAsync"}),
    ("symbols.get_definition_span", {"symbols": ["OrderService.PayAsync", "Order.Status"]}),
    ("symbols.outline", {"symbol": "OrderService"}),
    ("symbols.outline", {"file_path": SERVICE}),
    ("symbols.get_context", {"symbol": "OrderService.PayAsync"}),
    ("symbols.get_context", {"symbol": "OrderService.PayAsync", "max_chars": 1_500}),
    ("symbols.unreferenced", {"file_path": "src/Brewline.Domain", "doubtful": True, "limit": 20}),
    ("code.explain", {"file_path": SERVICE, "line": 50}),
    ("code.get_span", {"file_path": SERVICE}),
    ("code.search_text", {"pattern": "OrderService"}),
    ("refs.find", {"symbol": "Order", "kind": "all"}),
    ("refs.find", {"symbol": "Order", "kind": "all", "group_by": "file"}),
    ("refs.find", {"symbol": "Order", "kind": "all", "group_by": "member"}),
    ("graph.callers", {"symbol": "OrderService.PayAsync", "depth": 2, "follow_interface": True}),
    ("graph.callees", {"symbol": "OrderEndpoints.MapOrders", "depth": 2}),
    ("types.hierarchy", {"symbol": "OrderService"}),
    ("types.hierarchy", {"symbol": "OrderEvent", "transitive": True}),
    ("types.hierarchy", {"symbol": "IOrderService.PayAsync"}),
    ("types.hierarchy", {"symbol": "OrderService.PayAsync"}),
    ("graph.trace_feature", {"entry_point": "OrderEndpoints.PayAsync"}),
    ("surfaces.list_endpoints", {}),
    ("surfaces.list_config_keys", {}),
    ("surfaces.list_db_tables", {}),
    ("surfaces.list_facts", {"kind": "log"}),
]
NAME_NO_FILES = {
    "repo.status",
    "index.cleanup",
    "index.ensure_baseline",
    "index.list_baselines",
    "index.refresh_overlay",
    "index.remove_repo",
    "workspace.create",
    "workspace.delete",
    "workspace.list",
    "workspace.rebase",
    "workspace.reset",
}
OF_REVISIONS = {"index.diff"}
"""Compares commits, and edits change none."""
OF_EVERY_FILE: list[tuple[str, dict[str, Any]]] = [
    ("codemap.summarize", {"section": "entry_points"}),
    ("codemap.export", {"max_tokens": 2_000}),
]
"""Any file may have a part in these answers."""


@pytest.fixture(scope="module")
def edited_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edited") / "brewline"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("bin", "obj"))
    shop.git(folder, "init", "--quiet", "--initial-branch=main")
    shop.commit(folder, "First")
    return folder


@pytest.fixture(scope="module")
def json_server(edited_folder: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(environment, cwd=str(edited_folder)) as server:
        server.initialize()
        made, is_error = server.call_json("index.ensure_baseline")
        assert not is_error, made
        yield server


@pytest.fixture(scope="module")
def text_server(json_server: RawClient, edited_folder: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(environment, "answer_format=AnswerFormat.TEXT", str(edited_folder)) as server:
        server.initialize()
        yield server


def edited(server: RawClient, tool: str, arguments: dict[str, Any]) -> set[str]:
    answer, is_error = server.call_json(tool, arguments)
    assert not is_error, answer
    notes = {note["kind"]: note for note in answer["meta"].get("notes", ())}
    return set(notes["edited"]["files"]) if "edited" in notes else set()


def kinds_of_notes(server: RawClient, tool: str, arguments: dict[str, Any]) -> list[str]:
    answer, is_error = server.call_json(tool, arguments)
    assert not is_error, answer
    return [note["kind"] for note in answer["meta"].get("notes", ())]


def test_every_tool_is_asked_here() -> None:
    own = {tool.name for family in load_plugins().tool_families if family.contract for tool in family.tools}
    assert {tool for tool, _ in (*CALLS, *OF_EVERY_FILE)} | NAME_NO_FILES | OF_REVISIONS == set(EXAMPLES) - own


@pytest.mark.parametrize(("tool", "arguments"), OF_EVERY_FILE)
def test_an_answer_that_draws_on_every_file_says_what_is_not_committed(
    edited_folder: Path, json_server: RawClient, tool: str, arguments: dict[str, Any]
) -> None:
    assert not kinds_of_notes(json_server, tool, arguments)
    files = {path: path.read_bytes() for path in edited_folder.rglob("*.cs")}
    try:
        for path, content in files.items():
            path.write_bytes(content + b"// edited\n")
        assert kinds_of_notes(json_server, tool, arguments) == ["uncommitted"]
    finally:
        for path, content in files.items():
            path.write_bytes(content)


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[f"{tool} {json.dumps(given)}" for tool, given in CALLS])
def test_edits_are_said_while_they_last(
    edited_folder: Path, json_server: RawClient, text_server: RawClient, tool: str, arguments: dict[str, Any]
) -> None:
    (content,) = text_server.call(tool, arguments)["content"]
    shown = "\n".join(with_whole_paths(content["text"]))
    files = {path.relative_to(edited_folder).as_posix(): path for path in edited_folder.rglob("*") if path.is_file()}
    named = {name for name in files if re.search(rf"(?<![\w./]){re.escape(name)}(?![\w/]|\.\w)", shown)}
    if "file_path" in arguments and arguments["file_path"] in files:
        named.add(arguments["file_path"])
    assert named
    assert edited(json_server, tool, arguments) == set()
    before = {name: files[name].read_bytes() for name in named}
    try:
        for name in named:
            files[name].write_bytes(before[name] + b"// edited\n")
        assert named <= edited(json_server, tool, arguments)
        (content,) = text_server.call(tool, arguments)["content"]
        assert "Differs on disk from what was indexed: " in content["text"]
    finally:
        for name in named:
            files[name].write_bytes(before[name])
    assert edited(json_server, tool, arguments) == set()


def test_the_type_asked_about_counts(edited_folder: Path, json_server: RawClient) -> None:
    """Its base list may be another by now, though no line of the answer is from its file."""
    path = edited_folder / SERVICE
    before = path.read_bytes()
    try:
        path.write_bytes(before.replace(b"class OrderService", b"class  OrderService"))
        assert edited(json_server, "types.hierarchy", {"symbol": "OrderService"}) == {SERVICE}
        assert SERVICE in edited(json_server, "graph.callers", {"symbol": "OrderService.PayAsync"})
    finally:
        path.write_bytes(before)
