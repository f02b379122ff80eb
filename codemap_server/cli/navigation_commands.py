"""``codemap refs``, ``callers``, ``callees`` and ``hierarchy``: from symbol to symbol, each step with the line that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from codemap_server.cli.terminal import console, say
from codemap_server.cli.tool_commands import JSON, REPOSITORY, ask

_SYMBOL = Annotated[
    str, typer.Argument(help="A name (OrderService.Submit), a symbol id (M:Shop.Order.Submit) or a stable id.")
]
_COMMIT = Annotated[str, typer.Option("--commit", metavar="REV", help="Commit, branch or tag; default: HEAD.")]
_DEPTH = Annotated[int, typer.Option("--depth", "-d", min=1, max=6, help="Levels.")]
_LIMIT = Annotated[
    int, typer.Option("--limit", "-l", min=1, max=500, help="At most so many; of a graph, for each level.")
]


def register(app: typer.Typer) -> None:
    app.command("refs", rich_help_panel="Ask")(refs)
    app.command("callers", rich_help_panel="Ask")(callers)
    app.command("callees", rich_help_panel="Ask")(callees)
    app.command("hierarchy", rich_help_panel="Ask")(hierarchy)


def refs(
    symbol: _SYMBOL,
    kind: Annotated[
        str,
        typer.Option("--kind", "-k", help="call, read, write, instantiate, override, implementation, type, …; all."),
    ] = "",
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="Places with the same name that could not be resolved.")
    ] = False,
    limit: _LIMIT = 50,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Skip so many.")] = 0,
    commit: _COMMIT = "",
    repo: REPOSITORY = None,
    json: JSON = False,
) -> None:
    """Find every place that means a symbol, of a library too.

    Examples: [bold]codemap refs Order.Total -k write[/] · [bold]codemap refs ILogger -k type[/]"""
    arguments = {
        **_meant(symbol, commit),
        "kind": kind,
        "resolution_state": "unresolved" if unresolved else "",
        "limit": limit,
        "offset": offset,
    }
    answer = ask("refs.find", arguments, repo, json)
    if answer is None:
        return
    for reference in answer["data"]["references"]:
        _show_place(
            reference["kind"],
            f"{reference['file_path']}:{reference['line_start']}:{reference['column']}",
            _within(reference.get("from_symbol")),
            reference.get("excerpt", ""),
            _doubt(reference),
        )
    say(answer["answer"])


def callers(
    symbol: _SYMBOL,
    depth: _DEPTH = 1,
    follow_interface: Annotated[
        bool, typer.Option("--follow-interface", "-i", help="Through interface and base members too.")
    ] = False,
    limit: _LIMIT = 50,
    commit: _COMMIT = "",
    repo: REPOSITORY = None,
    json: JSON = False,
) -> None:
    """Show who calls a method, constructor, property or event, with the calling lines.

    Example: [bold]codemap callers OrderService.Submit --depth 2 --follow-interface[/]"""
    arguments = {
        **_meant(symbol, commit),
        "depth": depth,
        "limit_per_level": limit,
        "follow_interface": follow_interface,
    }
    _graph("graph.callers", arguments, "to_symbol", repo, json)


def callees(
    symbol: _SYMBOL,
    depth: _DEPTH = 1,
    kind: Annotated[
        str, typer.Option("--kind", "-k", help="Kinds to follow; default call,instantiate,ctor_initializer.")
    ] = "",
    limit: _LIMIT = 50,
    commit: _COMMIT = "",
    repo: REPOSITORY = None,
    json: JSON = False,
) -> None:
    """Show what a method calls, with the calling lines."""
    arguments = {**_meant(symbol, commit), "depth": depth, "limit_per_level": limit, "kind": kind}
    _graph("graph.callees", arguments, "from_symbol", repo, json)


def hierarchy(symbol: _SYMBOL, commit: _COMMIT = "", repo: REPOSITORY = None, json: JSON = False) -> None:
    """Show what a type derives from and implements, and what derives from or implements it; of a library's type the latter."""
    from rich.text import Text

    answer = ask("types.hierarchy", _meant(symbol, commit), repo, json)
    if answer is None:
        return
    data = answer["data"]
    groups = (
        ("base", [data["base_type"]] if data.get("base_type") else []),
        ("implements", data.get("interfaces", [])),
        ("inherits", data.get("inherited", [])),
        ("derived", data.get("derived_types", [])),
        ("fills", data.get("slots", [])),
        ("filled by", data.get("fillers", [])),
    )
    out = console()
    for title, types in groups:
        for each in types:
            said = Text.assemble((f"{title:<12}", "cyan"), each["display_name"], (f"  {each['symbol_id']}", "dim"))
            out.print(said, soft_wrap=True)
    say(answer["answer"])


def _meant(symbol: str, commit: str) -> dict[str, Any]:
    is_id = symbol.startswith("sym_") or symbol[1:2] == ":"
    return {("symbol_id" if is_id else "name"): symbol, "commit_sha": commit}


def _graph(tool: str, arguments: Mapping[str, Any], origin: str, repo: Any, json: bool) -> None:
    """The graph as a tree: every node once, under the node that reaches it first."""
    from rich.text import Text

    answer = ask(tool, arguments, repo, json)
    if answer is None:
        return
    nodes = {node["symbol_id"]: node for node in answer["data"]["nodes"]}
    root = nodes.pop(answer["data"]["root"])
    place = f"  {root['file_path']}:{root['line']}" if root.get("file_path") else ""
    console().print(Text.assemble((root["display_name"], "bold"), (place, "dim")), soft_wrap=True)
    shown = {root["symbol_id"]}

    def show(parent: Mapping[str, Any], depth: int) -> None:
        for symbol_id in sorted(parent.get("edges_to", ()), key=lambda each: _first_place(nodes.get(each))):
            if symbol_id in shown or symbol_id not in nodes or nodes[symbol_id]["depth"] != depth:
                continue
            shown.add(symbol_id)
            node = nodes[symbol_id]
            sites = [site for site in node.get("call_sites", ()) if site.get(origin) == parent["symbol_id"]]
            _show_node(node, sites, "  " * depth)
            show(node, depth + 1)

    show(root, 1)
    say(answer["answer"])


def _first_place(node: Mapping[str, Any] | None) -> tuple[str, int, int]:
    if node is None:
        return "", 0, 0
    return min(((site["file_path"], site["line"], site["column"]) for site in node["call_sites"]), default=("", 0, 0))


def _show_node(node: Mapping[str, Any], sites: list[Mapping[str, Any]], indent: str) -> None:
    from rich.text import Text

    place = f"  {node['file_path']}:{node['line']}" if node.get("file_path") else "  external"
    out = console()
    out.print(Text.assemble(indent, (node["display_name"], "bold"), (place, "dim")), soft_wrap=True)
    for site in sites:
        further = f"  (+{site['count'] - 1} more)" if site.get("count", 1) > 1 else ""
        via = f"  via {_short(site['via'])}" if site.get("via") else ""
        said = Text.assemble(
            f"{indent}  ",
            (f"{site['file_path']}:{site['line']}:{site['column']}", "cyan"),
            f"  {site.get('excerpt', '')}",
            (f"{further}{via}", "dim"),
        )
        out.print(said, soft_wrap=True)


def _show_place(kind: str, place: str, within: str, excerpt: str, doubt: str) -> None:
    """Two lines: what and where, then the source line."""
    from rich.text import Text

    out = console()
    head = Text.assemble(
        (f"{kind:<16}", "cyan"), (place, "bold"), (f"  {within}" if within else "", "dim"), (doubt, "yellow")
    )
    out.print(head, soft_wrap=True)
    out.print(Text(" " * 16 + excerpt), soft_wrap=True)


def _within(symbol_id: str | None) -> str:
    return f"in {_short(symbol_id)}" if symbol_id else ""


def _short(symbol_id: str) -> str:
    """Type and member of an id, without namespace and parameters."""
    bare = symbol_id.partition(":")[2].partition("(")[0]
    return ".".join(bare.rsplit(".", 2)[-2:])


def _doubt(reference: Mapping[str, Any]) -> str:
    if reference.get("reason"):
        return f"  {reference['reason']}"
    return f"  {reference['confidence']} confidence" if "confidence" in reference else ""
