"""The official conformance suite of MCP over HTTP: the scenarios that ask nothing but what CodeMap has.

Needs Node and the package registry for the first run: ``pytest -m long tests/server/test_conformance.py``. ``MCP_CONFORMANCE`` may name an
installed ``conformance`` command; 0.1.11 is the last release that runs on Node 20.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

import pytest

from tests.server.raw_client import RawClient

CONFORMANCE = os.environ.get("MCP_CONFORMANCE", "npx --yes @modelcontextprotocol/conformance@0.1.11")
TIMEOUT = 300
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which(shlex.split(CONFORMANCE)[0]) is None, reason="needs Node's npx"),
]


@pytest.mark.parametrize("scenario", ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])
def test_scenario(http_server: tuple[str, RawClient], scenario: str) -> None:
    url, _ = http_server
    command = [*shlex.split(CONFORMANCE), "server", "--url", url, "--scenario", scenario]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert run.returncode == 0, run.stdout + run.stderr
    assert ", 0 failed, 0 warnings" in run.stdout
    assert "Passed: 0/0" not in run.stdout
