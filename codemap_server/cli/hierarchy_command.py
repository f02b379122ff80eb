"""``codemap hierarchy``: the types above and below a type, and what fills a member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import ERROR_PREFIX
from codemap_server.cli.asking import Asker, asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.editor import open_in_editor
from codemap_server.cli.messages import shown_of
from codemap_server.cli.options import AskedRevision, Format, GraphOutput, Meant, Paging, Place, Symbol
from codemap_server.cli.search_commands import whole_answer
from codemap_server.cli.terminal import note, print_json
from codemap_server.cli.trees import Edge, Graph, Node, print_graph

if TYPE_CHECKING:
    from codemap_core.queries.views.hierarchy import MemberHierarchyResponse, TypeHierarchyResponse, TypeRef


def register(app: typer.Typer) -> None:
    add_command(app, "hierarchy", hierarchy, "Ask")


def hierarchy(
    symbol: Symbol,
    place: Place,
    where: Meant,
    paging: Paging,
    revision: AskedRevision,
    output: GraphOutput,
    transitive: Annotated[
        bool, typer.Option("--transitive", "-t", help="Include types that derive from it indirectly.")
    ] = False,
) -> None:
    """Show what a type derives from, and what derives from it.

    Of a member: what it implements or overrides, and what implements or overrides it. Of a library's type, what
    derives from it here.

    \b
    Examples:
      codemap hierarchy IOrderService
      codemap hierarchy BaseEntity --transitive
      codemap hierarchy IOrderService.PlaceAsync
    """
    format_ = output.chosen()
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        found = asks.pages(
            "types.hierarchy",
            paging,
            _below,
            **asks.meaning(symbol, where),
            transitive=transitive,
        )
        data = found[0].data
        below = [each for result in found for each in _below(result.data)]
        above = _above(data)
        if format_ is Format.JSON:
            print_json(whole_answer(found, "fillers" if hasattr(data, "fillers") else "derived_types"))
        else:
            _show_hierarchy(asks, data, above, below, format_)
            if not output.quiet:
                for said in dict.fromkeys(each for result in found for each in result.notes):
                    note(said)
                _say_hierarchy(data, len(below), paging)
        if output.open:
            first = next((each for each in below if each.file_path), None)
            if first is not None and first.file_path is not None:
                open_in_editor(asks.repository.root, first.file_path, first.line or 1)
        if not below and not above:
            raise typer.Exit(NOTHING_FOUND)


def _below(data: TypeHierarchyResponse | MemberHierarchyResponse) -> tuple[TypeRef, ...]:
    return data.fillers if hasattr(data, "fillers") else data.derived_types


def _above(data: TypeHierarchyResponse | MemberHierarchyResponse) -> tuple[TypeRef, ...]:
    if hasattr(data, "slots"):
        return data.slots
    return (*((data.base_type,) if data.base_type else ()), *data.interfaces, *data.inherited)


def _show_hierarchy(
    asks: Asker, data: Any, above: Sequence[TypeRef], below: Sequence[TypeRef], format_: Format
) -> None:
    from codemap_core.model.documentation_id import readable_name
    from codemap_core.queries.plain_lines import short_name

    asked = getattr(data, "target_member", None) or data.target_type
    declared = asks.snapshot().reader.symbols_with_id(asked)
    middle = Node(symbol_id=asked, name=short_name(asked), full=readable_name(asked), children=[])
    if declared:
        middle.full = declared[0].fully_qualified_name
        middle.file_path, middle.line = declared[0].file_path, declared[0].name_line
    made = {asked: middle}
    labels = {data.base_type.symbol_id: "base type"} if getattr(data, "base_type", None) else {}
    labels |= {each.symbol_id: "inherited" for each in getattr(data, "inherited", ())}
    otherwise = "implemented or overridden" if hasattr(data, "slots") else "interface"
    edges = []
    for each in below:
        node = made.setdefault(each.symbol_id, _type_node(each))
        made.get(each.through or asked, middle).children.append(node)
        edges.append(Edge(each.symbol_id, each.through or asked))
    tops = []
    for each in above:
        node = made.setdefault(each.symbol_id, _type_node(each))
        node.note = f"[{labels.get(each.symbol_id, otherwise)}]"
        tops.append(node)
        edges.append(Edge(each.through or asked, each.symbol_id))
    if format_.has_columns:
        columns = asks.name_columns(made)
        for node in made.values():
            node.column = columns.get((node.symbol_id, node.file_path, node.line), 0)
    print_graph(Graph((*tops, middle), tuple(edges)), format_, asks.repository.root)


def _type_node(each: TypeRef) -> Node:
    from codemap_core.queries.plain_lines import short_name

    return Node(
        symbol_id=each.symbol_id,
        name=short_name(each.symbol_id),
        full=each.display_name,
        kind="" if each.kind is None else each.kind.value,
        file_path=each.file_path or "",
        line=each.line or 0,
        note="[library]" if each.external else "",
        children=[],
    )


def _say_hierarchy(data: Any, shown: int, paging: Paging) -> None:
    if hasattr(data, "fillers"):
        verb = "implements or overrides" if data.total_count == 1 else "implement or override"
        note(f"{counted(data.total_count, 'member')} {verb} it.", shown_of(shown, paging.offset, data.total_count))
        return
    indirect = data.indirect_derived_count
    more = f", {indirect:,} more indirectly" if indirect else ""
    hint = " (--transitive)" if indirect and shown <= data.derived_count else ""
    asked = data.target_type
    unknown = f"{asked.removeprefix(ERROR_PREFIX)} is not declared here nor found in a library; by its name alone:"
    note(
        unknown if asked.startswith(ERROR_PREFIX) else "",
        f"{_derive(data.derived_count)}{more}{hint}.",
        _may_derive(data.unresolved_count),
        shown_of(shown, paging.offset, data.total_count or data.derived_count),
    )


def _may_derive(count: int) -> str:
    if not count:
        return ""
    more = counted(count, "more type")
    return f"{more} may derive from it: what the base list names so could not be resolved (codemap refs --kind type --unresolved)."


def _derive(count: int) -> str:
    if not count:
        return "Nothing derives from it"
    return f"{counted(count, 'type')} {'derives' if count == 1 else 'derive'} from it"
