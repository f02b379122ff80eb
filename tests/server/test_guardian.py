"""Tools of a third party that end the server's process: the call is answered, and the client goes on as if nothing had been."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from codemap_core.forking import can_fork
from tests.process_tree import descendants, running
from tests.server import shop
from tests.server.asking import done
from tests.server.conftest import lay_out
from tests.server.raw_client import RawClient

pytestmark = pytest.mark.skipif(not can_fork(), reason="where no process can be forked, such a tool ends the server")
HOW = {"leave": "ended its process with exit code 3", "crash": "ended its process by SIGSEGV"}


@pytest.fixture
def ending(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """The environment with what ends its process installed."""
    site = tmp_path / "ending"
    site.mkdir()
    lay_out(site, "ending_plugin.py", "codemap_ending")
    return {**environment, "PYTHONPATH": os.pathsep.join((str(site), environment["PYTHONPATH"]))}


def test_a_tool_that_ends_the_server_is_named(ending: dict[str, str], indexed: Path) -> None:
    """Again and again; a call that was under way beside it is answered, and its session is that of before."""
    with RawClient(ending, cwd=str(indexed)) as client:
        client.initialize()
        assert "Order" in str(done(client, "symbols.search", query="Order")["data"])
        for name, how in HOW.items():
            slow = client.request("tools/call", {"name": "toy.wait", "arguments": {"number": 60}})
            beside = client.request("tools/call", {"name": "symbols.search", "arguments": {"query": "Order"}})
            fatal = client.request("tools/call", {"name": f"ending.{name}", "arguments": {}})
            answers: dict[int, Any] = {}
            while {beside, fatal, slow} - answers.keys():
                message = client.receive()
                answers[message["id"]] = message["result"]
            said = answers[fatal]["content"][0]["text"]
            assert answers[fatal]["isError"]
            assert f"ending.{name} or toy.wait of plug-in ending (of codemap-ending 2.0)" in said
            assert how in said
            assert answers[slow]["isError"]
            assert not answers[beside].get("isError")
            assert client.has_logged(how)
        assert "Order" in str(done(client, "symbols.search", query="Order")["data"])
        started = descendants(client.process.pid)
        client.close_input()
        assert client.wait() == 0
        assert not running(started)


def test_a_call_that_changes_something_is_not_made_twice(ending: dict[str, str], tmp_path: Path) -> None:
    with RawClient(ending, cwd=str(shop.create(tmp_path / "shop"))) as client:
        client.initialize()
        change = client.request("tools/call", {"name": "index.ensure_baseline", "arguments": {}})
        fatal = client.request("tools/call", {"name": "ending.leave", "arguments": {}})
        answers: dict[int, Any] = {}
        while {change, fatal} - answers.keys():
            message = client.receive()
            answers[message["id"]] = message["result"]
        assert answers[change]["isError"]
        said = answers[change]["content"][0]["text"]
        assert "The server ended while index.ensure_baseline was under way, and has been started again." in said
        assert not client.call_json("index.ensure_baseline")[1]


def test_a_tool_that_ends_the_shell(ending: dict[str, str], indexed: Path, tmp_path: Path) -> None:
    import subprocess
    import sys

    program = "from codemap_server.cli import main; main()"
    for name, how in HOW.items():
        command = [sys.executable, "-c", program, "call", f"ending.{name}", "--repo", str(indexed)]
        ended = subprocess.run(command, env=ending, capture_output=True, text=True, check=False, timeout=120)
        assert ended.returncode == 2, ended
        assert f"The tool ending.{name} of plug-in ending (of codemap-ending 2.0) {how}" in ended.stdout
        assert "Traceback" not in ended.stderr
