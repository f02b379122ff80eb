"""A server of the codeagent tools, in a repository of its own that is indexed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.codeagent import auth_app
from tests.server.raw_client import RawClient

Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def app_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return auth_app.create(tmp_path_factory.mktemp("codeagent") / "app")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("environment")
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CODEMAP_", "CLAUDE_"))}
    return {**own, "CODEMAP_HOME": str(folder / "data"), "HOME": str(folder)}


@pytest.fixture(scope="session")
def server(app_folder: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    """Over standard input and output, as an agent starts it."""
    with RawClient(environment, 'toolsets=("codeagent",), live=False', str(app_folder)) as client:
        client.initialize()
        made, is_error = client.call_json("index.ensure_baseline")
        assert not is_error, made
        yield client


@pytest.fixture(scope="session")
def ask(server: RawClient) -> Ask:
    """One answer: the value in the first text of what a tool sends."""

    def ask_server(tool: str, **arguments: Any) -> Any:
        import json

        result = server.call(tool, arguments)
        value = json.loads(result["content"][0]["text"])
        assert result.get("isError", False) == (isinstance(value, dict) and "error" in value), result
        return value

    return ask_server
