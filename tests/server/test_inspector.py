"""The MCP Inspector's command line, a third party's, against every tool, over every transport, in both protocol eras and both formats.

Needs Node and the package registry for the first run: ``pytest -m long tests/server/test_inspector.py``. ``MCP_INSPECTOR`` may name a
folder with the installed commands ``mcp-inspector`` and ``mcpdo``. A server is started once for each combination, and each call is a
process of ``mcpdo``, which keeps the connection.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from codemap_core.hooks.manager import load_plugins
from codemap_server.delivery import AnswerFormat
from tests.server.conftest import served_at
from tests.server.example_calls import EXAMPLES, shipped_families
from tests.server.raw_client import RawClient, server_command

PACKAGE: Final = "@modelcontextprotocol/inspector@2.12.0"
TIMEOUT: Final = 300
PATIENCE: Final = ("--connect-timeout", "120000")
"""Milliseconds until the server answers first, on a machine that is busy."""
pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")]
OWN: Final = {tool.name for family in load_plugins().tool_families if family.contract for tool in family.tools}
"""Tools that answer in JSON of their own, whatever the format."""


class Way(Struct, frozen=True):
    """How a client reaches a server, and what it is answered in."""

    transport: str
    era: str
    answer_format: AnswerFormat

    def __str__(self) -> str:
        return f"{self.transport}-{self.era}-{self.answer_format}"


WAYS: Final = [
    Way(transport, era, answer_format)
    for transport in ("stdio", "http", "sse")
    for era in ("legacy", "modern")
    for answer_format in AnswerFormat
    if (transport, era) != ("sse", "modern")  # server-sent events are of the older era
]
EVERY_WAY = pytest.mark.parametrize("way", WAYS, ids=str)


class Inspector:
    """The Inspector's commands against one server."""

    def __init__(self, folder: Path, target: list[str], environment: dict[str, str], cwd: Path, way: Way) -> None:
        self._folder: Final = folder
        self._target: Final = [*target, "--transport", way.transport]
        self._environment: Final = environment
        self._cwd: Final = cwd
        self._way: Final = way

    def lists(self) -> subprocess.CompletedProcess[str]:
        command = ("mcp-inspector", "--cli", *self._target, "--protocol-era", self._way.era, *PATIENCE)
        return self.run(*command, "--method", "tools/list", "--strict", "--format", "json", "-q")

    def connect(self) -> None:
        first, *rest = self._target
        made = self.run("mcpdo", "--connection", "shop", "connect", "--era", self._way.era, *PATIENCE, first, *rest)
        assert made.returncode == 0, made.stderr

    def call(self, tool: str, arguments: object) -> subprocess.CompletedProcess[str]:
        given = ("--tool-args-json", json.dumps(arguments))
        return self.run("mcpdo", "--connection", "shop", "--format", "json", "tools/call", tool, *given)

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self._folder / program), *arguments]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env=self._environment,
            cwd=self._cwd,
            timeout=TIMEOUT,
        )


@pytest.fixture(scope="module")
def installed() -> Path:
    """The folder of the Inspector's commands."""
    if given := os.environ.get("MCP_INSPECTOR"):
        return Path(given)
    found = subprocess.run(
        ["npx", "--yes", f"--package={PACKAGE}", "--call", "command -v mcp-inspector"],
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT,
    )
    return Path(found.stdout.strip()).parent


@pytest.fixture
def inspect(
    installed: Path,
    environment: dict[str, str],
    indexed: Path,
    tmp_path: Path,
    start: Callable[..., RawClient],
) -> Iterator[Callable[[Way], Inspector]]:
    """Gives the Inspector, with a daemon of its own, for a server that stands in the indexed shop."""
    private = {
        "MCP_INSPECTOR_DAEMON_DIR": str(tmp_path / "daemon"),
        "MCP_INSPECTOR_DAEMON_TOKEN": secrets.token_urlsafe(),
        "HOME": str(tmp_path),
    }
    made: list[Inspector] = []

    def make(way: Way) -> Inspector:
        options = f"toolsets={shipped_families()!r}, answer_format=AnswerFormat.{way.answer_format.name}"
        if way.transport == "stdio":
            program = tmp_path / "server.py"  # whose options the Inspector does not take for its own
            # The Inspector hands on only what every program needs of the environment, not where the index is.
            given = {name: value for name, value in environment.items() if name.startswith("CODEMAP_")}
            where = f"import os; os.environ.update({given!r})\n"
            program.write_text(where + server_command(options)[-1], encoding="utf-8")
            target = [server_command()[0], str(program)]
        else:
            target = [served_at(start(f"transport=Transport.{way.transport.upper()}, port=0, {options}", cwd=indexed))]
        made.append(Inspector(installed, target, {**environment, **private}, indexed, way))
        return made[-1]

    yield make
    for each in made:
        each.run("mcpdo", "daemon", "stop")


@EVERY_WAY
def test_it_lists_every_tool_and_finds_no_fault(inspect: Callable[[Way], Inspector], way: Way) -> None:
    listed = inspect(way).lists()
    assert listed.returncode == 0, listed.stderr
    answer = json.loads(listed.stdout)
    assert {tool["name"] for tool in answer.get("result", answer)["tools"]} == set(EXAMPLES)


@EVERY_WAY
def test_it_calls_every_tool(inspect: Callable[[Way], Inspector], way: Way) -> None:
    inspector = inspect(way)
    inspector.connect()
    for tool, arguments in EXAMPLES.items():
        called = inspector.call(tool, arguments)
        assert called.returncode == 0, (tool, called.stdout, called.stderr)
        content, *_ = json.loads(called.stdout)["content"]
        if tool in OWN:
            assert isinstance(json.loads(content["text"]), dict | list), tool
        elif way.answer_format is AnswerFormat.JSON:
            assert json.loads(content["text"])["answer"], tool
        else:
            assert content["text"].strip(), tool
            assert not content["text"].startswith("{"), tool


@EVERY_WAY
def test_an_error_is_the_tools(inspect: Callable[[Way], Inspector], way: Way) -> None:
    inspector = inspect(way)
    inspector.connect()
    called = inspector.call("symbols.get_card", {"symbol": "NoSuchThing"})
    assert called.returncode == 5
    assert "NOT_FOUND" in called.stdout
