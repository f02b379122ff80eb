"""The command-line client of the MCP Inspector, a third party's, against every tool in both protocol eras.

Needs Node and the package registry for the first run: ``pytest -m long tests/server/test_inspector.py``.
``MCP_INSPECTOR`` may name an installed ``mcp-inspector`` command.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.server.raw_client import server_command

INSPECTOR = os.environ.get("MCP_INSPECTOR", "npx --yes @modelcontextprotocol/inspector@2.12.0")
TIMEOUT = 300
CALLS: dict[str, dict[str, Any]] = {
    "repo.status": {},
    "index.ensure_baseline": {},
    "symbols.search": {"query": "Order"},
    "symbols.get_card": {"name": "Order"},
    "symbols.get_definition_span": {"name": "IOrderService", "max_lines": 3},
    "symbols.outline": {"name": "Order"},
    "symbols.get_context": {"name": "IOrderService.Place"},
    "symbols.unreferenced": {"file_path": "src"},
    "code.explain": {"file_path": "src/Shop/Order.cs", "line": 8},
    "code.get_span": {"file_path": "src/Shop/Order.cs", "start_line": 1, "end_line": 3},
    "code.search_text": {"pattern": "TODO"},
    "refs.find": {"name": "IOrderService"},
    "graph.callers": {"name": "IOrderService.Place"},
    "graph.callees": {"symbol_id": "M:Shop.Ordering.Order.Submit(System.Int32)"},
    "types.hierarchy": {"name": "IOrderService"},
}
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which(shlex.split(INSPECTOR)[0]) is None, reason="needs Node's npx"),
]


@pytest.fixture(params=["legacy", "modern"])
def inspect(request: pytest.FixtureRequest, environment: dict[str, str], indexed: Path, tmp_path: Path) -> Any:
    """Runs the Inspector against a server that stands in the indexed shop."""
    program = tmp_path / "server.py"
    program.write_text(
        server_command("toolsets=('symbols','code','repo','index','refs','graph','types')")[-1], encoding="utf-8"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        server = [server_command()[0], str(program)]
        command = [*shlex.split(INSPECTOR), "--cli", *server, "--protocol-era", request.param, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=indexed, timeout=TIMEOUT
        )

    return run


def test_it_lists_every_tool_and_finds_no_fault(inspect: Any) -> None:
    listed = inspect("--method", "tools/list", "--strict", "--format", "json", "-q")
    assert listed.returncode == 0, listed.stderr
    answer = json.loads(listed.stdout)
    assert {tool["name"] for tool in answer.get("result", answer)["tools"]} == set(CALLS)


@pytest.mark.parametrize("tool", CALLS)
def test_it_calls_every_tool(inspect: Any, tool: str) -> None:
    called = inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(CALLS[tool]))
    assert called.returncode == 0, called.stderr
    (content,) = json.loads(called.stdout)["content"]
    assert json.loads(content["text"])


def test_an_error_is_the_tools(inspect: Any) -> None:
    arguments = ("--tool-name", "symbols.get_card", "--tool-args-json", '{"name": "NoSuchThing"}')
    called = inspect("--method", "tools/call", *arguments)
    assert called.returncode == 5
    assert "NOT_FOUND" in called.stdout
