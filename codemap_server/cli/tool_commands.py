"""``codemap tools`` and ``codemap call``: the tools that agents use, from the shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.command_registry import FAILED, add_command
from codemap_server.cli.completion import tools as tool_names
from codemap_server.cli.options import Json, RepositoryOption
from codemap_server.cli.terminal import fail, print_json, say, table
from codemap_server.delivery import AnswerFormat

if TYPE_CHECKING:
    from codemap_core.hooks.tool import Tool, ToolFamily


def register(app: typer.Typer) -> None:
    add_command(app, "tools", tools, "Agents")
    add_command(app, "call", call, "Agents")


def tools(
    output: Json,
    name: Annotated[
        str, typer.Argument(metavar="TOOL", autocompletion=tool_names, help="A tool, to see its arguments.")
    ] = "",
) -> None:
    """List the MCP tools, or the arguments of one.

    \b
    Examples:
      codemap tools
      codemap tools symbols.search
    """
    from codemap_core.hooks.manager import load_plugins
    from codemap_server.toolset import Toolset

    toolset = Toolset(load_plugins().tool_families)
    if name:
        tool = toolset.find(name)
        if output.json:
            print_json(toolset.description(tool))
        else:
            _show_arguments(tool)
        return
    if output.json:
        print_json([toolset.description(tool) for tool in toolset.listed])
        return
    _show_tools(load_plugins().tool_families)


def _show_tools(families: tuple[ToolFamily, ...]) -> None:
    rows = [(tool.name, tool.title) for family in families for tool in family.tools]
    table((("tool", {"no_wrap": True}), ("does", {"overflow": "fold"})), rows)


def _show_arguments(tool: Tool) -> None:
    from codemap_server.arguments import input_schema

    typer.echo(f"{tool.name}: {tool.description}\n")
    schema = input_schema(tool.arguments, with_rare=True)
    required = schema.get("required", ())
    rows = []
    for name, described in schema["properties"].items():
        kind = described.get("type", "")
        kind = f"{described['items'].get('type', '')}s" if kind == "array" else kind
        rows.append((name, f"{kind}{', required' if name in required else ''}", described.get("description", "")))
    table((("argument", {"no_wrap": True}), ("type", {}), ("means", {"overflow": "fold"})), rows)


def call(
    tool: Annotated[
        str, typer.Argument(metavar="TOOL", autocompletion=tool_names, help="Name of a tool; without one: all tools.")
    ] = "",
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE...", help="Arguments; lists and numbers as JSON.")
    ] = None,
    args: Annotated[str, typer.Option("--args", metavar="JSON", help="All arguments as one JSON object.")] = "",
    answer_format: Annotated[
        AnswerFormat | None,
        typer.Option("--format", metavar="FORMAT", help="text or json; default: text on a terminal, json elsewhere."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False,
    repo: RepositoryOption = None,
) -> None:
    """Call an MCP tool and print its answer.

    \b
    Examples:
      codemap call
      codemap call symbols.search query=OrderService
      codemap call refs.find symbol=Order.Total --format text
    """
    from codemap_server.serve import call_tool
    from codemap_server.toolset import UnknownToolError

    if not tool:
        from codemap_core.hooks.manager import load_plugins

        _show_tools(load_plugins().tool_families)
        return
    given = _from_json(args) if args else {}
    for argument in arguments or ():
        key, equals, value = argument.partition("=")
        if not equals or not key:
            raise InvalidArgumentError(f"Expected KEY=VALUE, got {argument!r}; or pass all arguments with --args JSON.")
        given[key] = _value(value)
    chosen = AnswerFormat.JSON if json else answer_format
    if chosen is None:
        chosen = AnswerFormat.TEXT if sys.stdout.isatty() else AnswerFormat.JSON
    try:
        answer = call_tool(tool, given, repo, answer_format=chosen)
    except UnknownToolError as error:
        fail(error.message)
        raise typer.Exit(FAILED) from None
    text = answer.text
    if chosen is AnswerFormat.JSON and sys.stdout.isatty():
        text = msgspec.json.format(text, indent=2)
    typer.echo(text)
    for note in answer.notes:
        say(note)
    if answer.is_error:
        raise typer.Exit(FAILED)


def _from_json(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise InvalidArgumentError(f"--args must be one JSON object: {error}") from error


def _value(text: str) -> Any:
    """Lists, objects, booleans and numbers are JSON; everything else is the string as written."""
    if text[:1] in "[{" or text in ("true", "false") or text.removeprefix("-").isdigit():
        try:
            return msgspec.json.decode(text)
        except msgspec.MsgspecError:
            return text
    return text
