"""``codemap refs``, ``callers`` and ``callees``: from symbol to symbol, each step with the line that says so."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_core.model.counting import counted
from codemap_server.cli.asking import Asker, asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.completion import reference_kinds
from codemap_server.cli.editor import open_in_editor
from codemap_server.cli.messages import kinds_said, shown_of
from codemap_server.cli.options import (
    AskedRevision,
    Depth,
    Format,
    GraphOutput,
    Meant,
    MeantBesideKind,
    Output,
    Paging,
    Place,
    Symbol,
    parts,
)
from codemap_server.cli.rows import Row
from codemap_server.cli.search_commands import finish, whole_answer
from codemap_server.cli.terminal import note, print_json
from codemap_server.cli.trees import Edge, Graph, Node, print_graph

if TYPE_CHECKING:
    from codemap_core.model import SymbolRow
    from codemap_core.queries.facts.entered import LeadingLinks
    from codemap_core.queries.views.graph import CallGraphNode, CallGraphResponse
    from codemap_core.queries.views.references import ClassifiedReference

_KIND = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        "-k",
        metavar="KIND",
        autocompletion=reference_kinds,
        help="Kind of reference: call, read, write, instantiate, type, …, or all; repeatable.",
    ),
]
_HARDEST_DEPTH = 6
_NAMES_SAID = 6


def register(app: typer.Typer) -> None:
    add_command(app, "refs", refs, "Ask")
    add_command(app, "callers", callers, "Ask")
    add_command(app, "callees", callees, "Ask")


def refs(
    symbol: Symbol,
    place: Place,
    where: MeantBesideKind,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
    kind: _KIND = None,
    inside: Annotated[
        str, typer.Option("--in", metavar="PREFIX", help="Only references in files whose path starts with PREFIX.")
    ] = "",
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="List the places with the same name that could not be resolved.")
    ] = False,
    group: Annotated[str, typer.Option("--group", metavar="BY", help="Count by file, project, member or kind.")] = "",
    count: Annotated[bool, typer.Option("--count", "-c", help="Print only the number.")] = False,
) -> None:
    """Find all references to a symbol, including library symbols.

    Without --kind it finds calls, reads, writes, creations, overrides and implementations; of a type that has none of
    these, all references.

    \b
    Examples:
      codemap refs Order.Total --kind write
      codemap refs ILogger --kind type --in src/Shop.Api
      codemap refs Order --kind all --group project
    """
    format_ = output.chosen()
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        arguments = {
            **asks.meaning(symbol, where),
            "kind": ",".join(parts(kind)),
            "resolution_state": "unresolved" if unresolved else "",
            "path": asks.within(inside),
            "group_by": group,
        }
        if count:
            counts = asks.ask("refs.find", **arguments, limit=1).data
            total = sum(counts.by_kind.values())  # places that only have the name are rows, and no references
            sys.stdout.write(f"{total}\n")
            if not output.quiet:
                note(_not_resolved(counts, unresolved))
            if not total:
                raise typer.Exit(NOTHING_FOUND)
            return
        listed = "groups" if group else "references"
        found = asks.pages("refs.find", paging, lambda data: getattr(data, listed), **arguments)
        shown = [each for result in found for each in getattr(result.data, listed)]
        data = found[0].data
        if group:
            _show_groups(found, shown, format_)
        else:
            finish(asks, output, format_, [_reference(each) for each in shown], found, "references")
        if not output.quiet and format_ is not Format.JSON:
            _say_references(data, len(shown), paging, unresolved=unresolved, grouped=bool(group))
            if not data.total_count:
                is_all = not (unresolved or data.is_of_name or data.other_kinds or data.elsewhere_count)
                note(asks.no_such_path(inside), *(_may_use(asks, data.target_symbol) if is_all else ()))
            elif not (unresolved or data.is_of_name or inside or paging.offset):
                note(*_may_use_too(asks, data.target_symbol))
        if not shown:
            raise typer.Exit(NOTHING_FOUND)


def _reference(each: ClassifiedReference) -> Row:
    within = _short(each.from_symbol) if each.from_symbol else ""
    return Row(
        file_path=each.file_path,
        line=each.line_start,
        column=each.column,
        kind=each.role or each.kind.value,
        name=within,
        text=each.excerpt or "",
        note=each.doubt(),
        symbol_id=each.from_symbol or "",
    )


def _show_groups(found: Sequence[Any], groups: Sequence[Any], format_: Format) -> None:
    if format_ is Format.JSON:
        print_json(whole_answer(found, "groups"))
        return
    width = max((len(f"{each.count}") for each in groups), default=0)
    for each in groups:
        key = each.key or "(none)"
        place = f"{each.file_path}:{each.line}" if each.file_path else ""
        if format_ is Format.TSV:
            sys.stdout.write(f"{each.count}\t{key}\t{place}\n")
        else:
            kinds = f"  ({kinds_said(each.by_kind)})" if len(each.by_kind) > 1 else ""
            sys.stdout.write(f"{each.count:>{width}}  {key}{f'  {place}' if place else ''}{kinds}\n")


def _say_references(data: Any, shown: int, paging: Paging, *, unresolved: bool, grouped: bool) -> None:
    from codemap_core.model.documentation_id import readable_name

    unresolved = unresolved or data.is_of_name
    noun = "unresolved place" if unresolved else "reference"
    target = f" {'of the name of' if unresolved else 'to'} {readable_name(data.target_symbol)}"
    tests = f", {data.test_count:,} of them in tests" if data.test_count else ""
    count = sum(data.by_kind.values())
    total = (
        f"{counted(count, noun)}{target} in {counted(data.file_count, 'file')}{tests}."
        if count
        else f"No {noun}{target}."
    )
    others = f"Of other kinds: {kinds_said(data.other_kinds)} (--kind all)." if data.other_kinds else ""
    elsewhere = f"{counted(data.elsewhere_count, 'reference')} in other files." if data.elsewhere_count else ""
    rows = data.group_count if grouped else data.total_count
    note(total, others, elsewhere, _not_resolved(data, unresolved), shown_of(shown, paging.offset, rows))


def _not_resolved(data: Any, unresolved: bool) -> str:
    """``unresolved``: these places are what was asked for."""
    if unresolved or data.is_of_name or not data.unresolved_count:
        return ""
    return f"{counted(data.unresolved_count, 'place')} of the same name could not be resolved (--unresolved)."


def callers(
    symbol: Symbol,
    place: Place,
    where: Meant,
    paging: Paging,
    revision: AskedRevision,
    output: GraphOutput,
    depth: Depth = 1,
    follow_interface: Annotated[
        bool, typer.Option("--follow-interface", "-i", help="Include calls through interface and base members.")
    ] = False,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Include what leads to it by requests, messages and jobs.")
    ] = False,
) -> None:
    """Show who calls a method, constructor, property or event.

    With the calling lines, over several levels.

    \b
    Examples:
      codemap callers OrderService.Submit
      codemap callers OrderService.Submit --depth 2 --follow-interface
      codemap callers Order.Pay --depth 3 --format mermaid
    """
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        arguments = {"follow_interface": follow_interface, "follow_links": follow_links}
        data, shown = _graph(asks, "graph.callers", symbol, where, paging, output, depth, arguments)
        if not output.quiet and output.chosen() is not Format.JSON:
            note(
                *_callers_said(asks, data, paging, are_linked=follow_links),
                _possible_said(asks, asks.meaning(symbol, where)),
                shown_of(shown, paging.offset, data.total_nodes_found, at_least=data.total_is_minimum),
            )
        if not shown:
            raise typer.Exit(NOTHING_FOUND)


def _callers_said(asks: Asker, data: CallGraphResponse, paging: Paging, *, are_linked: bool) -> tuple[str, ...]:
    """How many there are, how many more through interface and base members, and what else may run it. ``are_linked``: links were
    followed."""
    direct = f"{_counted_levels(data, 'caller')}." if data.total_nodes_found else ""
    hint = data.interface_implementation_hint
    more = 0 if hint is None or hint.included else hint.additional_callers_via_interface
    if not direct and not more:
        return ("No callers.", *_may_use(asks, data.root))
    linked = "" if are_linked else _linked(asks, data.root)
    besides = () if paging.offset else (linked, *_may_use_too(asks, data.root))
    if hint is None or not more:
        return direct, *besides
    through = f"through {', '.join(dict.fromkeys(map(_short, hint.implements)))} (--follow-interface)."
    if direct:
        return direct, f"{more:,} more {through}", *besides
    return "Nothing calls it directly;", f"{counted(more, 'caller')} {through}", *besides


def _may_use(asks: Asker, symbol_id: str) -> tuple[str, ...]:
    """What may use a symbol that no bound code uses: what a framework runs, or what is not seen."""
    from codemap_core.queries.facts.entered import leading_links, run_by_a_framework
    from codemap_core.queries.graph.unseen_uses import NOT_SEEN, other_files_said, unnamed_uses_said

    snapshot = asks.snapshot()
    declared = _declared(asks, symbol_id)
    unnamed = unnamed_uses_said(snapshot, declared)
    run_by, links = run_by_a_framework(snapshot, symbol_id), leading_links(snapshot, (symbol_id,))
    if run_by or links:
        return run_by, _links_said(links, "codemap refs"), unnamed
    return f"{NOT_SEEN[:1].upper()}{NOT_SEEN[1:]}.", unnamed, other_files_said(snapshot, declared)


def _may_use_too(asks: Asker, symbol_id: str) -> tuple[str, ...]:
    """What may use a symbol besides bound code."""
    from codemap_core.queries.graph.unseen_uses import unbound_files_said, unnamed_uses_said

    snapshot, declared = asks.snapshot(), _declared(asks, symbol_id)
    return unnamed_uses_said(snapshot, declared), unbound_files_said(snapshot, declared)


def _linked(asks: Asker, symbol_id: str) -> str:
    """How many links lead to a symbol besides its callers."""
    from codemap_core.queries.facts.entered import leading_links

    return _links_said(leading_links(asks.snapshot(), (symbol_id,)), "codemap refs -k link")


def _links_said(links: LeadingLinks | None, listed_by: str) -> str:
    if links is None:
        return ""
    return f"{links.said} ({'--follow-links, ' if links.come_from_symbols else ''}{listed_by})."


def _declared(asks: Asker, symbol_id: str) -> SymbolRow | None:
    return asks.snapshot().reader.first_declarations((symbol_id,)).get(symbol_id)


def _possible_said(asks: Asker, meant: dict[str, Any]) -> str:
    """How many calls of its name could not be resolved, and so may be of it."""
    from codemap_core.queries.graph.call_graph import CALLER_KINDS

    kinds = ",".join(kind.value for kind in CALLER_KINDS)
    count = asks.ask("refs.find", **meant, kind=kinds, resolution_state="unresolved", limit=1).data.total_count
    places = counted(count, "place")
    return f"{places} of the same name could not be resolved (codemap refs --unresolved)." if count else ""


def callees(
    symbol: Symbol,
    place: Place,
    where: MeantBesideKind,
    paging: Paging,
    revision: AskedRevision,
    output: GraphOutput,
    depth: Depth = 1,
    kind: _KIND = None,
    unresolved: Annotated[bool, typer.Option("--unresolved", help="Include calls that could not be resolved.")] = False,
    follow_interface: Annotated[
        bool,
        typer.Option("--follow-interface", "-i", help="Follow interface and base members to their implementations."),
    ] = False,
) -> None:
    """Show what a method calls, with the calling lines.

    \b
    Examples:
      codemap callees OrderService.PlaceAsync
      codemap callees OrderService.PlaceAsync --depth 2 --unresolved
    """
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        kinds = ",".join(parts(kind))
        arguments = {"kind": kinds, "unresolved": unresolved, "follow_interface": follow_interface}
        data, shown = _graph(asks, "graph.callees", symbol, where, paging, output, depth, arguments)
        if not output.quiet and output.chosen() is not Format.JSON:
            note(
                _callees_said(data),
                _unresolved_said(data),
                shown_of(shown, paging.offset, data.total_nodes_found, at_least=data.total_is_minimum),
            )
        if not shown:
            raise typer.Exit(NOTHING_FOUND)


def _callees_said(data: CallGraphResponse) -> str:
    resolved = data.total_nodes_found - data.unresolved_nodes
    if data.lacks_body:
        count = data.implementation_count
        known = (
            f"{counted(count, 'implementation')} {'is' if count == 1 else 'are'}" if count else "no implementation is"
        )
        return f"It has no body here; {known} indexed."
    if resolved:
        return f"{_counted_levels(data, 'callee')}."
    return "No callees are known." if data.unresolved_count else "No callees."


def _unresolved_said(data: CallGraphResponse) -> str:
    if not data.unresolved_count:
        return ""
    names = list(dict.fromkeys(each.name for each in data.unresolved_calls))
    left = len(names) - _NAMES_SAID
    more = f" and {counted(left, 'more name')} (--unresolved)" if left > 0 else ""
    return f"{counted(data.unresolved_count, 'call')} could not be resolved: {', '.join(names[:_NAMES_SAID])}{more}."


def _counted_levels(data: CallGraphResponse, noun: str) -> str:
    total = (
        f"{'At least ' if data.total_is_minimum else ''}{counted(data.total_nodes_found - data.unresolved_nodes, noun)}"
    )
    if len(data.nodes_by_level) < 2 or data.unresolved_nodes:
        return total
    return f"{total} ({' + '.join(f'{count:,}' for count in data.nodes_by_level)} by level)"


def _graph(
    asks: Asker,
    tool: str,
    symbol: str,
    where: Meant | MeantBesideKind,
    paging: Paging,
    output: GraphOutput,
    depth: int,
    arguments: dict[str, Any],
) -> tuple[CallGraphResponse, int]:
    """Asks and shows. The first answer, and how many nodes are shown."""
    format_ = output.chosen()
    if depth > _HARDEST_DEPTH:
        raise InvalidArgumentError(f"--depth {depth} is more than {_HARDEST_DEPTH} levels.")
    meant = asks.meaning(symbol, where)
    found = asks.pages(tool, paging, lambda data: data.rows, limit="limit_per_level", **meant, depth=depth, **arguments)
    rows = [node for result in found for node in result.data.rows]
    data: CallGraphResponse = found[0].data
    if format_ is Format.JSON:
        answer = whole_answer(found)
        import msgspec

        answer["data"]["nodes"] = msgspec.to_builtins((*data.nodes[: data.root_count], *rows))
        print_json(answer)
    else:
        print_graph(_call_tree(data, rows), format_, asks.repository.root)
        if not output.quiet:
            for said in dict.fromkeys(each for result in found for each in result.notes):
                note(said)
    if output.open and rows and rows[0].call_sites:
        site = rows[0].call_sites[0]
        open_in_editor(asks.repository.root, site.file_path, site.line, site.column)
    return data, len(rows)


def _call_tree(data: CallGraphResponse, rows: Sequence[CallGraphNode]) -> Graph:
    """Every node below the one that leads to it; what leads to it may be on an earlier page, then it hangs at the root."""
    made: dict[str, Node] = {}
    for root in data.nodes[: data.root_count]:
        made[root.symbol_id] = node = _node(root, root.file_path or "", root.line)
        if data.root_count > 1:
            parameters = _parameters(root.symbol_id)
            node.name, node.full = f"{node.name}{parameters}", f"{node.full}{parameters}"
    roots = tuple(made.values())
    edges: list[Edge] = []
    for row in rows:
        site = row.call_sites[0]
        node = _node(row, site.file_path, site.line, site.column, site.excerpt or "")
        node.kind, node.note = site.kind.value, _unusual(row)
        made.setdefault(row.symbol_id, node)
        parent = made.get(site.from_symbol or site.to_symbol or "", roots[0])
        parent.children.append(node)
        for each in row.call_sites:
            label = f"via {_short(each.via)}" if each.via else ""
            edges.append(Edge(each.from_symbol or row.symbol_id, each.to_symbol or row.symbol_id, label))
    return Graph(roots, tuple(edges))


def _node(each: CallGraphNode, file_path: str, line: int, column: int = 0, text: str = "") -> Node:
    name = each.display_name if each.unresolved_reason is not None else _short(each.symbol_id)
    return Node(
        symbol_id=each.symbol_id,
        name=name,
        full=each.display_name,
        file_path=file_path,
        line=line,
        column=column,
        text=text,
        children=[],
    )


def _unusual(each: CallGraphNode) -> str:
    from codemap_core.model import Confidence, RefKind

    site = each.call_sites[0]
    said = []
    if each.unresolved_reason is not None:
        said.append(f"unresolved: {each.unresolved_reason}")
    elif each.external:
        said.append("library")
    if site.kind is RefKind.LINK:
        said.append("by a link")
    if site.count > 1:
        said.append(f"{site.count} times")
    if site.via:
        said.append(f"via {_short(site.via)}")
    if site.condition:
        said.append(f"if {site.condition}")
    usual = Confidence.MEDIUM if site.condition else Confidence.HIGH
    if not site.via and site.confidence is not usual and each.unresolved_reason is None:
        said.append(f"{site.confidence.value} confidence")
    if each.sole_implementation:
        said.append(f"implemented by {_short(each.sole_implementation)}")
    elif each.implementation_count:
        said.append(counted(each.implementation_count, "implementation"))
    return f"[{', '.join(said)}]" if said else ""


def _short(symbol_id: str) -> str:
    from codemap_core.queries.plain_lines import short_name

    return short_name(symbol_id)


def _parameters(symbol_id: str) -> str:
    """What tells overloads apart: ``<T>(T, int)``; empty for what has no parameters to tell it by."""
    from codemap_core.queries.plain_lines import called_name, overload_name

    return overload_name(symbol_id).removeprefix(called_name(symbol_id))
