"""``codemap serve``: the MCP server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import Place, at_least
from codemap_server.delivery import AnswerFormat
from codemap_server.serve import ServeOptions, Transport, serve
from codemap_server.toolset import ToolNames


def register(app: typer.Typer) -> None:
    add_command(app, "serve", serve_command, "Agents")


def serve_command(
    place: Place,
    transport: Annotated[
        Transport,
        typer.Option(
            metavar="KIND", help="stdio for a client on this machine, http for streamable HTTP, sse for older clients."
        ),
    ] = Transport.STDIO,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", callback=at_least(0, most=65535), help="Port to listen on.")] = 8722,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host",
            metavar="NAME:PORT",
            help="Host header to accept when listening beyond this machine; repeatable.",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="A file whose first line clients must send as a bearer token; or set CODEMAP_TOKEN.",
        ),
    ] = None,
    toolsets: Annotated[
        str,
        typer.Option(
            metavar="A,B", help="List only these families of tools, or all; default: those most sessions need."
        ),
    ] = "",
    tool_names: Annotated[
        ToolNames, typer.Option(metavar="SPELLING", help="dotted lists symbols.search, snake lists symbols_search.")
    ] = ToolNames.DOTTED,
    answer_format: Annotated[
        AnswerFormat, typer.Option("--format", metavar="FORMAT", help="text for models, json for programs.")
    ] = AnswerFormat.JSON,
    auto_index: Annotated[
        bool, typer.Option("--auto-index", help="Index a commit when a question about it finds no index.")
    ] = False,
    live: Annotated[
        bool | None,
        typer.Option(
            "--live/--no-live",
            help="Answer about the files as they are on disk, or about the commit; default: the commit, unless a toolset says otherwise.",
            show_default=False,
        ),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Expose read-only tools only: no indexing.")] = False,
) -> None:
    """Serve MCP to an agent.

    Agents start it themselves, over standard input and output: codemap setup connects one. PATH is the default
    repository for calls that name none.

    \b
    Examples:
      codemap serve
      codemap serve ~/src/shop --read-only
      codemap serve --transport http --port 8722
    """
    chosen = tuple(part.strip() for part in toolsets.split(",") if part.strip())
    raise typer.Exit(
        serve(
            ServeOptions(
                path=place.folder,
                transport=transport,
                host=host,
                port=port,
                allowed_hosts=tuple(allowed_host or ()),
                token_file=token_file,
                toolsets=chosen,
                tool_names=tool_names,
                read_only=read_only,
                auto_index=auto_index,
                live=live,
                answer_format=answer_format,
            )
        )
    )
