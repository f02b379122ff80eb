"""The command-line client of the MCP Inspector, a third party's, against every tool, in both protocol eras and both formats.

Needs Node and the package registry for the first run: ``pytest -m long tests/server/test_inspector.py``.
``MCP_INSPECTOR`` may name an installed ``mcp-inspector`` command. Every test starts it once or twice.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_server.delivery import AnswerFormat
from tests.server.conftest import served_at
from tests.server.example_calls import EXAMPLES, shipped_families
from tests.server.raw_client import RawClient, server_command

INSPECTOR = os.environ.get("MCP_INSPECTOR", "npx --yes @modelcontextprotocol/inspector@2.12.0")
TIMEOUT = 300
PATIENCE = ("--connect-timeout", "120000")
"""Milliseconds until the server answers first, on a machine that is busy."""
Inspect = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which(shlex.split(INSPECTOR)[0]) is None, reason="needs Node's npx"),
    pytest.mark.parametrize("era", ["legacy", "modern"]),
]
OWN = {tool.name for family in load_plugins().tool_families if family.contract for tool in family.tools}
"""Tools that answer in JSON of their own, whatever the format."""
FORMATS = pytest.mark.parametrize("answer_format", list(AnswerFormat))


@pytest.fixture
def inspect(environment: dict[str, str], indexed: Path, tmp_path: Path) -> Inspect:
    """Runs the Inspector against a server that stands in the indexed shop."""

    def run(era: str, answer_format: AnswerFormat, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = tmp_path / "server.py"  # whose options the Inspector does not take for its own
        options = f"toolsets={shipped_families()!r}, answer_format=AnswerFormat.{answer_format.name}"
        # The Inspector hands on only what every program needs of the environment, not where the index is.
        given = {name: value for name, value in environment.items() if name.startswith("CODEMAP_")}
        where = f"import os; os.environ.update({given!r})\n"
        program.write_text(where + server_command(options)[-1], encoding="utf-8")
        server = [server_command()[0], str(program)]
        command = [*shlex.split(INSPECTOR), "--cli", *server, "--protocol-era", era, *PATIENCE, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=indexed, timeout=TIMEOUT
        )

    return run


@FORMATS
def test_it_lists_every_tool_and_finds_no_fault(inspect: Inspect, era: str, answer_format: AnswerFormat) -> None:
    listed = inspect(era, answer_format, "--method", "tools/list", "--strict", "--format", "json", "-q")
    assert listed.returncode == 0, listed.stderr
    answer = json.loads(listed.stdout)
    assert {tool["name"] for tool in answer.get("result", answer)["tools"]} == set(EXAMPLES)


OF_A_WORKSPACE = {"index.refresh_overlay", "workspace.rebase", "workspace.reset", "workspace.delete"}


@FORMATS
@pytest.mark.parametrize("tool", EXAMPLES)
def test_it_calls_every_tool(
    inspect: Inspect,
    era: str,
    answer_format: AnswerFormat,
    tool: str,
    indexed: Path,
    start: Callable[..., RawClient],
) -> None:
    if tool in OF_A_WORKSPACE:
        server = start(cwd=indexed)
        server.initialize()
        made, is_error = server.call_json("workspace.create", EXAMPLES["workspace.create"])
        assert not is_error, made
    arguments = ("--tool-name", tool, "--tool-args-json", json.dumps(EXAMPLES[tool]))
    called = inspect(era, answer_format, "--method", "tools/call", *arguments)
    assert called.returncode == 0, called.stderr
    content, *_ = json.loads(called.stdout)["content"]
    if tool in OWN:
        assert isinstance(json.loads(content["text"]), dict | list)
    elif answer_format is AnswerFormat.JSON:
        assert json.loads(content["text"])["answer"]
    else:
        assert content["text"].strip()
        assert not content["text"].startswith("{")


@FORMATS
def test_an_error_is_the_tools(inspect: Inspect, era: str, answer_format: AnswerFormat) -> None:
    arguments = ("--tool-name", "symbols.get_card", "--tool-args-json", '{"symbol": "NoSuchThing"}')
    called = inspect(era, answer_format, "--method", "tools/call", *arguments)
    assert called.returncode == 5
    assert "NOT_FOUND" in called.stdout


ONE_OF_EACH_FAMILY = {
    family.name: next(tool.name for tool in family.tools if tool.name in EXAMPLES)
    for family in load_plugins().tool_families
    if family.name in shipped_families()
}


@pytest.mark.parametrize("transport", ["HTTP", "SSE"])
def test_it_reaches_every_family_over_the_network(
    start: Callable[..., RawClient], indexed: Path, era: str, transport: str
) -> None:
    if transport == "SSE" and era == "modern":
        pytest.skip("server-sent events are of the older era")
    url = served_at(start(f"transport=Transport.{transport}, port=0, toolsets=('all',)", cwd=indexed))
    command = [
        *shlex.split(INSPECTOR),
        "--cli",
        url,
        "--transport",
        transport.lower(),
        "--protocol-era",
        era,
        *PATIENCE,
    ]

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, timeout=TIMEOUT)

    listed = run("--method", "tools/list", "--format", "json", "-q")
    assert listed.returncode == 0, listed.stderr
    answer = json.loads(listed.stdout)
    assert {tool["name"] for tool in answer.get("result", answer)["tools"]} >= set(EXAMPLES)
    for tool in ONE_OF_EACH_FAMILY.values():
        given = json.dumps(EXAMPLES[tool])
        called = run("--method", "tools/call", "--tool-name", tool, "--tool-args-json", given)
        assert called.returncode == 0, called.stderr
        assert json.loads(json.loads(called.stdout)["content"][0]["text"])
