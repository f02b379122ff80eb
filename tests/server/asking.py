"""Asking a server, and what it answers with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.raw_client import RawClient


def done(client: RawClient, tool: str, **arguments: Any) -> dict[str, Any]:
    answer, is_error = client.call_json(tool, arguments)
    assert not is_error, answer
    assert isinstance(answer, dict)
    return answer


def refused(client: RawClient, tool: str, **arguments: Any) -> dict[str, Any]:
    answer, is_error = client.call_json(tool, arguments)
    assert is_error, answer
    assert isinstance(answer, dict)
    return answer


def found(client: RawClient, name: str, **arguments: Any) -> list[str]:
    hits = done(client, "symbols.search", query=name, **arguments)["data"]["hits"]
    return [hit["file_path"] for hit in hits if hit["fully_qualified_name"].rpartition(".")[2] == name]


def index_processes(client: RawClient) -> list[int]:
    """Ids of the server's children that refresh workspaces."""
    own = client.server_id
    children = Path(f"/proc/{own}/task").glob("*/children")
    ids = {int(each) for path in children for each in path.read_text(encoding="ascii").split()}
    return sorted(each for each in ids if b"index_process" in Path(f"/proc/{each}/cmdline").read_bytes())
