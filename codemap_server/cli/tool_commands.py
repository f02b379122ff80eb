"""Tools from the shell: ``codemap call`` as JSON, ``search``, ``show`` and ``status`` as tables. All by the server's
own code path."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.command_registry import FAILED, NOTHING_FOUND
from codemap_server.cli.terminal import console, fail, say, table
from codemap_server.delivery import AnswerFormat

REPOSITORY = Annotated[
    Path | None, typer.Option("--repo", metavar="PATH", help="The repository; default: the current one.")
]
JSON = Annotated[bool, typer.Option("--json", help="Print the tool's whole answer as JSON.")]


def register(app: typer.Typer) -> None:
    app.command("search", rich_help_panel="Ask")(search)
    app.command("show", rich_help_panel="Ask")(show)
    app.command("status", rich_help_panel="Ask")(status)
    app.command("call", rich_help_panel="Agents")(call)


def call(
    tool: Annotated[str, typer.Argument(help="Name of a tool: symbols.search.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="Arguments; lists and numbers as JSON.")
    ] = None,
    args: Annotated[str, typer.Option("--args", metavar="JSON", help="All arguments as one JSON object.")] = "",
    answer_format: Annotated[
        AnswerFormat | None, typer.Option("--format", help="text, or json; text on a terminal, json elsewhere.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As --format json: the contract's envelope.")] = False,
    repo: REPOSITORY = None,
) -> None:
    """Call any MCP tool from the shell and print its answer.

    Example: [bold]codemap call symbols.search query=OrderService 'kinds=["class"]'[/]"""
    from codemap_server.serve import call_tool
    from codemap_server.toolset import UnknownToolError

    given = _from_json(args) if args else {}
    for argument in arguments or ():
        key, equals, value = argument.partition("=")
        if not equals or not key:
            raise InvalidArgumentError(f"{argument!r} is no argument: write KEY=VALUE, or pass all with --args JSON.")
        given[key] = _value(value)
    try:
        answer = call_tool(tool, given, repo, answer_format=_format(answer_format, json))
    except UnknownToolError as error:
        fail(error.message)
        raise typer.Exit(FAILED) from None
    typer.echo(answer.text)
    if answer.is_error:
        raise typer.Exit(FAILED)


def _format(chosen: AnswerFormat | None, json: bool) -> AnswerFormat:
    if chosen is None and not json and sys.stdout.isatty():
        return AnswerFormat.TEXT
    return AnswerFormat.JSON if json or chosen is None else chosen


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


def ask(tool: str, arguments: Mapping[str, Any], repo: Path | None, json: bool) -> dict[str, Any] | None:
    """The decoded answer of a tool; null after it has been printed as JSON. An error ends the command."""
    from codemap_server.serve import call_tool

    answer = call_tool(tool, {key: value for key, value in arguments.items() if value not in ("", None, [])}, repo)
    if answer.is_error:
        decoded = msgspec.json.decode(answer.text, type=dict[str, Any])
        fail(str(decoded.get("message", answer.text)))
        raise typer.Exit(NOTHING_FOUND if decoded.get("code") == "NOT_FOUND" else FAILED)
    if json:
        typer.echo(answer.text)
        return None
    return msgspec.json.decode(answer.text, type=dict[str, Any])


def search(
    query: Annotated[str, typer.Argument(help='Words, camel-case parts, prefix*, "phrase", OR, NOT.')] = "",
    kind: Annotated[list[str] | None, typer.Option("--kind", "-k", help="Kind of symbol; repeatable.")] = None,
    namespace: Annotated[str, typer.Option("--namespace", "-n", help="Only in this namespace and below.")] = "",
    file: Annotated[str, typer.Option("--file", "-f", help="Only in files whose path begins so.")] = "",
    project: Annotated[str, typer.Option("--project", "-p", help="Only in this project.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=100, help="At most so many.")] = 20,
    commit: Annotated[str, typer.Option("--commit", metavar="REV", help="Commit, branch or tag; default: HEAD.")] = "",
    repo: REPOSITORY = None,
    json: JSON = False,
) -> None:
    """Search symbols by name, signature and documentation.

    Examples: [bold]codemap search OrderService[/] · [bold]codemap search 'Order*' -k class[/] · [bold]codemap search -k
    interface[/]"""
    arguments = {
        "query": query,
        "kinds": kind or [],
        "namespace": namespace,
        "file_path": file,
        "project_name": project,
        "limit": limit,
        "commit_sha": commit,
    }
    answer = ask("symbols.search", arguments, repo, json)
    if answer is None:
        return
    _show_hits(answer["data"]["hits"])
    say(answer["answer"])


def _show_hits(hits: list[dict[str, Any]]) -> None:
    """Two lines a hit: what and where, then its signature."""
    from rich.text import Text

    out = console()
    for hit in hits:
        place = f"{hit['file_path']}:{hit['line']}"
        head = Text.assemble(
            (f"{hit['kind']:<12}", "cyan"), (hit["fully_qualified_name"], "bold"), "  ", (place, "dim")
        )
        out.print(head, soft_wrap=True)
        out.print(Text(" " * 12 + hit["signature"]), soft_wrap=True)


def show(
    symbol: Annotated[str, typer.Argument(help="A name, a symbol id (M:Shop.Order.Submit) or a stable id (sym_…).")],
    code: Annotated[bool, typer.Option("--code/--no-code", help="With its source.")] = True,
    commit: Annotated[str, typer.Option("--commit", metavar="REV", help="Commit, branch or tag; default: HEAD.")] = "",
    repo: REPOSITORY = None,
    json: JSON = False,
) -> None:
    """Show one symbol: signature, documentation, place and source."""
    is_id = symbol.startswith("sym_") or symbol[1:2] == ":"
    arguments = {("symbol_id" if is_id else "name"): symbol, "include_code": code, "commit_sha": commit}
    answer = ask("symbols.get_card", arguments, repo, json)
    if answer is not None:
        _show_card(answer["data"])
        for note in answer["meta"].get("notes", ()):
            say(note["text"])


def _show_card(card: Mapping[str, Any]) -> None:
    from rich.syntax import Syntax
    from rich.text import Text

    out = console()
    out.print(Text.assemble((card.get("kind", "symbol"), "cyan"), " ", (card["fully_qualified_name"], "bold")))
    if card.get("signature"):
        out.print(Text(card["signature"]))
    if card.get("documentation"):
        out.print(Text(card["documentation"], style="italic"))
    if "file_path" in card:
        place = f"{card['file_path']}:{card['span_start']}-{card['span_end']}  {card['visibility']}"
    elif card["origin"] == "implicit":
        place = f"implicit, not written; its type is {card['container_id']}"
    else:
        place = f"from metadata of {card.get('assembly', 'a library')} {card.get('version', '')}".rstrip()
    out.print(Text(place, style="dim"))
    out.print(Text(f"{card['symbol_id']}  {card.get('stable_id', '')}", style="dim"))
    for fact in card.get("facts", ()):
        out.print(Text(f"{fact['kind']}: {fact['value']}", style="green"))
    if card.get("source_code"):
        out.print()
        if out.is_terminal:
            out.print(Syntax(card["source_code"], "csharp", background_color="default", word_wrap=True))
        else:
            out.file.write(card["source_code"] + "\n")


def status(repo: REPOSITORY = None, json: JSON = False) -> None:
    """Show the repository's state and whether its commit is indexed."""
    answer = ask("repo.status", {}, repo, json)
    if answer is None:
        return
    data = answer.get("data", answer)
    edits = "" if data["is_clean"] else ", with uncommitted edits"
    rows = [
        ("repository", str(data.get("root", ""))),
        ("commit", f"{data['current_commit_sha'][:12]} on {data['branch_name']}{edits}"),
        ("indexed", _indexed(data)),
    ]
    if data.get("index_problem"):
        rows.append(("problem", data["index_problem"]))
    for key, value in (data.get("index") or {}).items():
        if key == "is_current":
            rows.append(("is current", _current(data["index"])))
        elif key in ("not_current_because", "scope"):
            continue
        elif isinstance(value, bool):
            rows.append((key.replace("_", " "), "yes" if value else "no"))
        elif not isinstance(value, (list, dict)):
            rows.append((key.replace("_", " "), f"{value:,}" if isinstance(value, int) else str(value)))
    rows += _quality_rows((data.get("index") or {}).get("quality") or {})
    table((("", {"style": "dim"}), ("", {"overflow": "fold"})), rows)


def _indexed(status: Mapping[str, Any]) -> str:
    if status["baseline_index_exists"]:
        return "yes"
    parts = ", ".join(each.get("subtree") or each.get("solution") for each in status["indexes"])
    return f"{parts} only: codemap index {status['root']} indexes all of it" if parts else "no: run codemap index"


def _current(index: Mapping[str, Any]) -> str:
    """Whether an index is as this program would build it; else why not, and what to do."""
    if index["is_current"]:
        return "yes"
    return f"no, {index['not_current_because']}: run codemap index"


def _quality_rows(quality: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the index could not say: faults, syntax errors, unresolved names."""
    if not quality:
        return []
    statuses = quality["files_by_status"]
    rows = [("problem", message) for message in quality["repository_problems"]]
    rows.append(("files with syntax errors", f"{statuses.get('fallback', 0):,}"))
    rows += [("", f"{each['file_path']}: {each['message']}") for each in quality["syntax_errors"]]
    if statuses.get("skipped"):
        rows.append(("skipped files", f"{statuses['skipped']:,}"))
    rows.append(("failed files", f"{quality['failure_count']:,}"))
    rows += [("", f"{each['file_path']}: {each['message']}") for each in quality["failures"]]
    rows.append(("unresolved", f"{quality['unresolved_count']:,} references, {quality['unresolved_share']:.1%}"))
    rows += [("", f"{count:,} {reason}") for reason, count in quality["unresolved_by_reason"].items()]
    return rows
