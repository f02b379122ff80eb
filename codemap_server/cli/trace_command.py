"""``codemap trace``: what a request does, as a tree or a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import CATCH, FactKind
from codemap_core.model.counting import counted
from codemap_server.cli.asking import asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.completion import projects, symbols
from codemap_server.cli.messages import shown_of
from codemap_server.cli.options import AskedRevision, Depth, Format, GraphOutput, Paging, Place
from codemap_server.cli.search_commands import whole_answer
from codemap_server.cli.terminal import note, print_json
from codemap_server.cli.trees import Edge, Graph, Node, print_graph

if TYPE_CHECKING:
    from codemap_core.queries.views.trace import FeatureTraceResponse, TraceNode

_GREATEST_DEPTH: Final = 6
_LEFT_OUT_OF_DIAGRAMS: Final = frozenset({CATCH, FactKind.ROUTE.value, FactKind.EXCEPTION.value, FactKind.LOG.value})
_FACT: Final = "fact:"
"""Begins the ids of facts among the nodes of a diagram."""


def register(app: typer.Typer) -> None:
    add_command(app, "trace", trace, "Ask")


def trace(
    entry_point: Annotated[
        str,
        typer.Argument(
            metavar="ROUTE|METHOD",
            autocompletion=symbols,
            help="A route ('POST /orders', '/orders/5'), a method, or a message that is handled.",
        ),
    ],
    place: Place,
    paging: Paging,
    revision: AskedRevision,
    output: GraphOutput,
    depth: Depth = 3,
    project: Annotated[
        str,
        typer.Option(
            "--project", "-p", metavar="NAME", autocompletion=projects, help="The entry point is in this project."
        ),
    ] = "",
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Same as --format mermaid.")] = False,
) -> None:
    """Trace what a request does.

    It follows calls from the entry point down, through implementations and message handlers, and names the tables,
    settings, exceptions and logs of each method.

    \b
    Examples:
      codemap trace 'POST /orders'
      codemap trace OrderService.Submit --depth 5
      codemap trace 'GET /orders/5' --mermaid
    """
    format_ = Format.MERMAID if mermaid else output.chosen()
    if depth > _GREATEST_DEPTH:
        raise InvalidArgumentError(f"--depth {depth} is more than {_GREATEST_DEPTH} levels.")
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        found = asks.pages(
            "graph.trace_feature",
            paging,
            lambda data: data.rows,
            entry_point=entry_point,
            depth=depth,
            project=project,
        )
        data: FeatureTraceResponse = found[0].data
        shown = sum(len(result.data.rows) for result in found)
        if format_ is Format.JSON:
            print_json(whole_answer(found, "nodes"))
        else:
            nodes = [node for result in found for node in result.data.nodes]
            print_graph(
                _graph(nodes, with_facts=format_ in (Format.MERMAID, Format.DOT)), format_, asks.repository.root
            )
            if not output.quiet:
                total = data.total_nodes_traversed - data.root_count
                kinds = ", ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in data.annotation_counts.items())
                further = counted(data.leads_further_count, "member leads", "members lead")
                note(
                    f"{data.entry_point_route}:" if data.entry_point_route else "",
                    f"{counted(total, 'member')} in {counted(data.depth, 'level')} of calls.",
                    f"Facts: {kinds}." if kinds else "",
                    f"{further} further (--depth)." if data.leads_further_count else "",
                    f"{counted(data.unresolved_count, 'call')} could not be resolved." if data.unresolved_count else "",
                    shown_of(shown, paging.offset, total, at_least=data.total_is_minimum),
                )
                for said in dict.fromkeys(each for result in found for each in result.notes):
                    note(said)
    if not data.nodes:
        raise typer.Exit(NOTHING_FOUND)


def _graph(nodes: Sequence[TraceNode], *, with_facts: bool) -> Graph:
    """``with_facts``: tables, settings and the like are nodes of their own."""
    made: dict[str, Node] = {}
    edges: list[Edge] = []
    roots: list[Node] = []

    def add(each: TraceNode, above: Node | None) -> None:
        node = made.setdefault(each.symbol_id, _node(each))
        if above is None:
            roots.append(node)
        else:
            above.children.append(node)
            edges.append(Edge(above.symbol_id, node.symbol_id, _label(each)))
        edges.extend(Edge(node.symbol_id, other) for other in each.also)
        if with_facts:
            for fact in _facts(each):
                if fact.symbol_id not in made:
                    node.children.append(made.setdefault(fact.symbol_id, fact))
                edges.append(Edge(node.symbol_id, fact.symbol_id))
        for child in each.children:
            add(child, node)

    for node in nodes:
        add(node, made.get(node.parent) if node.parent else None)
    return Graph(tuple(roots), tuple(edges), lists_roots=True)


def _node(each: TraceNode) -> Node:
    from codemap_core.model.library_symbol import kind_of
    from codemap_core.queries.plain_lines import called_name
    from codemap_core.queries.views.trace import facts_said, marks_of

    name, kind = called_name(each.symbol_id), kind_of(each.symbol_id)
    return Node(
        symbol_id=each.symbol_id,
        name=name,
        full=name,
        kind="" if kind is None else kind.value,
        file_path=each.file_path,
        line=each.line,
        text="  ".join(facts_said(each)),
        note=" ".join(marks_of(each)),
        children=[],
    )


def _facts(each: TraceNode) -> list[Node]:
    from codemap_core.queries.views.trace import label_of

    return [
        Node(symbol_id=f"{_FACT}{said}", name=said, full=said, children=[])
        for said in dict.fromkeys(
            f"{label_of(fact.kind)} {fact.value}" for fact in each.annotations if fact.kind not in _LEFT_OUT_OF_DIAGRAMS
        )
    ]


def _label(each: TraceNode) -> str:
    from codemap_core.queries.plain_lines import short_name

    if each.via is None:
        return ""
    return f"{'via' if each.basis is not None else 'handles'} {short_name(each.via)}"
