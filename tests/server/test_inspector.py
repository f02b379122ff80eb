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

from codemap_server.delivery import AnswerFormat
from tests.server.example_calls import EXAMPLES, shipped_families
from tests.server.raw_client import server_command

INSPECTOR = os.environ.get("MCP_INSPECTOR", "npx --yes @modelcontextprotocol/inspector@2.12.0")
TIMEOUT = 300
Inspect = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which(shlex.split(INSPECTOR)[0]) is None, reason="needs Node's npx"),
    pytest.mark.parametrize("era", ["legacy", "modern"]),
]
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
        command = [*shlex.split(INSPECTOR), "--cli", *server, "--protocol-era", era, *arguments]
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


@FORMATS
@pytest.mark.parametrize("tool", EXAMPLES)
def test_it_calls_every_tool(inspect: Inspect, era: str, answer_format: AnswerFormat, tool: str) -> None:
    arguments = ("--tool-name", tool, "--tool-args-json", json.dumps(EXAMPLES[tool]))
    called = inspect(era, answer_format, "--method", "tools/call", *arguments)
    assert called.returncode == 0, called.stderr
    (content,) = json.loads(called.stdout)["content"]
    if answer_format is AnswerFormat.JSON:
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
