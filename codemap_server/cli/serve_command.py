"""``codemap serve``: the MCP server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codemap_server.serve import ServeOptions, Transport, serve
from codemap_server.toolset import ToolNames


def register(app: typer.Typer) -> None:
    app.command("serve", rich_help_panel="Agents")(serve_command)


def serve_command(
    path: Annotated[
        Path | None, typer.Argument(help="The repository that calls without repo_path mean; default: the current one.")
    ] = None,
    transport: Annotated[
        Transport, typer.Option(help="stdio for local clients, http for streamable HTTP.")
    ] = Transport.STDIO,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8722,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option("--allowed-host", help="Host header to accept when listening beyond this machine; repeatable."),
    ] = None,
    toolsets: Annotated[
        str, typer.Option(help="Families of tools to list, separated by commas; all: every one.")
    ] = "all",
    tool_names: Annotated[
        ToolNames, typer.Option(help="Spelling in listings: symbols.search or symbols_search.")
    ] = ToolNames.DOTTED,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer no tool that writes, not even the index.")
    ] = False,
) -> None:
    """Serve MCP to an agent: symbols, cards, source and text of the indexed commits.

    Over stdio, a client starts it itself; the README shows how to connect one. A commit that is not indexed yet is
    indexed by the tool index.ensure_baseline."""
    chosen = (
        () if toolsets.strip() in ("", "all") else tuple(part.strip() for part in toolsets.split(",") if part.strip())
    )
    raise typer.Exit(
        serve(
            ServeOptions(
                path=path,
                transport=transport,
                host=host,
                port=port,
                allowed_hosts=tuple(allowed_host or ()),
                toolsets=chosen,
                tool_names=tool_names,
                read_only=read_only,
            )
        )
    )
