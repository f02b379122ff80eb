"""The official conformance suite of MCP over HTTP: every scenario is run or has a reason why CodeMap has nothing to show it.

Needs Node and the package registry for the first run: ``pytest -m long tests/server/test_conformance.py``. ``MCP_CONFORMANCE`` may name an
installed ``conformance`` command; 0.1.11 is the last release that runs on Node 20.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server import shop
from tests.server.conftest import lay_out, served_at
from tests.server.raw_client import TIMEOUT, RawClient
from tests.server.test_http import HEADERS

CONFORMANCE = os.environ.get("MCP_CONFORMANCE", "npx --yes @modelcontextprotocol/conformance@0.1.11")
PATIENCE = 300
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "tools-call-with-progress",
    "dns-rebinding-protection",
)
TEXT_ALONE = "Tools of CodeMap answer in text."
ASKS_NOTHING = "CodeMap asks nothing of its client."
NO_SESSIONS = "Streamable HTTP keeps no sessions, so there is no stream that one could come back to."
UNLIKE = {
    "tools-call-image": TEXT_ALONE,
    "tools-call-audio": TEXT_ALONE,
    "tools-call-embedded-resource": TEXT_ALONE,
    "tools-call-mixed-content": TEXT_ALONE,
    "tools-call-with-logging": "The log goes to standard error, not to clients.",
    "tools-call-sampling": ASKS_NOTHING,
    "tools-call-elicitation": ASKS_NOTHING,
    "elicitation-sep1034-defaults": ASKS_NOTHING,
    "elicitation-sep1330-enums": ASKS_NOTHING,
    "json-schema-2020-12": "Schemas of arguments are made from types and are flat: they have no $defs to be kept.",
    "server-sse-polling": NO_SESSIONS,
    "server-sse-multiple-streams": NO_SESSIONS,
}
"""Scenarios that want a server to do what this one does not, and why it does not."""
NOT_OFFERED = {
    "logging-set-level": "logging/setLevel",
    "completion-complete": "completion/complete",
    "resources-list": "resources/list",
    "resources-read-text": "resources/read",
    "resources-read-binary": "resources/read",
    "resources-templates-read": "resources/templates/list",
    "resources-subscribe": "resources/subscribe",
    "resources-unsubscribe": "resources/unsubscribe",
    "prompts-list": "prompts/list",
    "prompts-get-simple": "prompts/get",
    "prompts-get-with-args": "prompts/get",
    "prompts-get-embedded-resource": "prompts/get",
    "prompts-get-with-image": "prompts/get",
}
"""Scenarios of capabilities that the server does not declare, and the method that they ask for."""
needs_node = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which(shlex.split(CONFORMANCE)[0]) is None, reason="needs Node's npx"),
]


@pytest.fixture(scope="module")
def url(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that has the suite's tools too and stands in a repository without an index."""
    site = tmp_path_factory.mktemp("conformance")
    lay_out(site, "conformance_plugin.py", "codemap_conformance")
    folder = shop.create(tmp_path_factory.mktemp("shop") / "shop")
    with_tools = {**environment, "PYTHONPATH": os.pathsep.join([str(site), environment["PYTHONPATH"]])}
    with RawClient(with_tools, "transport=Transport.HTTP, port=0, toolsets=('all',)", str(folder)) as server:
        yield served_at(server)


def post(url: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = httpx2.post(url, json=message, headers=HEADERS, timeout=TIMEOUT)
    received = json.loads(answer.text.partition("data: ")[2] or answer.text)
    assert isinstance(received, dict)
    return received


@pytest.mark.parametrize("method", sorted(set(NOT_OFFERED.values())))
def test_what_is_not_offered_is_refused_as_the_protocol_says(url: str, method: str) -> None:
    params: dict[str, dict[str, Any]] = {
        "completion/complete": {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}},
        "logging/setLevel": {"level": "info"},
        "prompts/get": {"name": "x"},
    }
    given = params.get(method, {} if method.endswith("list") else {"uri": "test://x"})
    assert post(url, method, given)["error"]["code"] == -32601


def test_the_page_names_every_scenario_once() -> None:
    page = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
    for scenario in (*SCENARIOS, *UNLIKE, *NOT_OFFERED):
        assert page.count(f"`{scenario}`") == 1, scenario


def test_only_tools_are_declared(url: str) -> None:
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    capabilities = post(url, "initialize", client)["result"]["capabilities"]
    assert {name for name, each in capabilities.items() if each is not None} <= {"tools", "experimental"}


def conformance(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*shlex.split(CONFORMANCE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


class TestTheSuite:
    pytestmark = needs_node

    def test_every_scenario_is_run_or_has_a_reason(self) -> None:
        listed = conformance("list").stdout.partition("Client scenarios")[0]
        assert set(re.findall(r"^ +- (\S+)$", listed, re.MULTILINE)) == {*SCENARIOS, *UNLIKE, *NOT_OFFERED}

    @pytest.mark.parametrize("scenario", SCENARIOS)
    def test_scenario(self, url: str, scenario: str) -> None:
        run = conformance("server", "--url", url, "--scenario", scenario)
        assert run.returncode == 0, run.stdout + run.stderr
        assert ", 0 failed, 0 warnings" in run.stdout
        assert "Passed: 0/0" not in run.stdout
