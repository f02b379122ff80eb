"""``symbols.outline`` and ``symbols.get_context``: what is declared, and what is read together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolResult
from codemap_core.model import Visibility
from codemap_core.queries.names.wanted import Wanted
from codemap_core.toolkit.arguments import (
    AS_TEXT,
    RARE,
    Names,
    SymbolArguments,
    find_target,
    open_snapshot,
    parse_kinds,
)
from codemap_core.toolkit.budget import Budget
from codemap_plugins.index_tools.several import SeveralArguments, find_declared

if TYPE_CHECKING:
    from codemap_core.queries.cards.outline import OutlineFilter
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.outline import Outline

CONTEXT_PIECES = 60
"""Pieces of source that a page of a context is cut from."""


class OutlineArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.outline``: a type, or a file."""

    file_path: Annotated[str, Meta(description="In place of a type.")] = ""
    kinds: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()
    kind: Names = ()
    visibility: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()
    static: Annotated[bool | None, Meta(extra_json_schema=RARE)] = None
    attribute: str = ""
    obsolete: Annotated[bool | None, Meta(extra_json_schema=RARE)] = None
    inherited: Annotated[bool, Meta(description="Members of base types too.", extra_json_schema=RARE)] = False
    limit: Annotated[int, Meta(ge=1, extra_json_schema=RARE)] = HARD_CAPS.max_results


class ContextArguments(SeveralArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.get_context``."""


def outline(context: ToolContext, arguments: OutlineArguments) -> ToolResult:
    from codemap_core.queries.cards.outline import outline_of_file, why_unread

    snapshot = open_snapshot(context, arguments)
    budget = Budget()
    limit = budget.clamped("max_references", arguments.limit, HARD_CAPS.max_results, HARD_CAPS.max_references)
    where = _filter(snapshot, arguments)
    named = any(text.strip() for text in (arguments.symbol, arguments.symbol_id, arguments.name))
    if named and arguments.file_path.strip():
        raise InvalidArgumentError("Give a type as symbol, or a file as file_path, not both.")
    if arguments.file_path.strip():
        found = outline_of_file(snapshot, arguments.file_path, where, limit=limit, offset=arguments.offset)
        unread = "" if found.rows else why_unread(snapshot, found.file_path)
    else:
        found, unread = _of_type(snapshot, arguments, where, limit), ""
    return ToolResult(
        answer=_outline_answer(found, where),
        data=found,
        page=Page(arguments.offset, found.total_count),
        limits_applied=budget.limits_applied,
        notes=(unread,) if unread else (),
        snapshot=snapshot,
    )


def _of_type(snapshot: Snapshot, arguments: OutlineArguments, where: OutlineFilter, limit: int) -> Outline:
    from codemap_core.queries.cards.outline import outline_of_type

    target = find_target(snapshot, arguments, Wanted.TYPE)
    if target.symbol is None:
        raise InvalidArgumentError(
            f"{target.display_name} is a library's type: its members are not in the index.", symbol_id=target.symbol_id
        )
    return outline_of_type(
        snapshot, target.symbol, where, inherited=arguments.inherited, limit=limit, offset=arguments.offset
    )


def _filter(snapshot: Snapshot, arguments: OutlineArguments) -> OutlineFilter:
    from codemap_core.queries.cards.outline import OutlineFilter

    return OutlineFilter(
        kinds=parse_kinds((*arguments.kinds, *arguments.kind), snapshot),
        visibilities=_visibilities(arguments.visibility),
        is_static=arguments.static,
        attribute=arguments.attribute.strip(),
        obsolete=arguments.obsolete,
    )


def _visibilities(texts: tuple[str, ...]) -> tuple[Visibility, ...]:
    """Raises: InvalidArgumentError listing them."""
    known = {each.value.replace(" ", ""): each for each in Visibility}
    found = []
    for text in (part for each in texts for part in each.split(",")):
        spelt = text.lower().replace(" ", "").replace("_", "")
        if spelt and spelt not in known:
            values = ", ".join(each.value for each in Visibility)
            raise InvalidArgumentError(f"There is no visibility {text.strip()!r}. Visibilities: {values}.")
        if spelt:
            found.append(known[spelt])
    return tuple(dict.fromkeys(found))


def _outline_answer(found: Outline, where: OutlineFilter) -> str:
    from codemap_core.model.counting import counted, kinds_counted
    from codemap_core.queries.cards.outline import OutlineFilter

    of = found.symbol_id or found.file_path
    kinds = kinds_counted(found.counts)
    hidden = ""
    if where != OutlineFilter():
        hidden = f" {counted(found.left_out, 'declaration does', 'declarations do')} not pass the filter."
    bases = f" Members of {', '.join(found.unknown_bases)} are not known here." if found.unknown_bases else ""
    if not found.total_count:
        nothing = "Nothing passes the filter" if found.left_out else "Nothing is declared"
        return f"{nothing} in {of}.{hidden}{bases}"
    return f"{of}: {kinds}.{hidden}{bases}"


def get_context(context: ToolContext, arguments: ContextArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.cards.context import get_context as context_of

    snapshot = open_snapshot(context, arguments)
    symbols, notes = find_declared(snapshot, arguments)
    found = context_of(snapshot, symbols, limit=CONTEXT_PIECES, offset=arguments.offset)
    one = len(symbols) == 1
    of = symbols[0].fully_qualified_name if one else counted(len(symbols), "symbol")
    called = found.source_count - found.asked_count
    calls = f" and {counted(called, 'declaration')} that {'it calls' if one else 'they call'}" if called else ""
    return ToolResult(
        answer=f"{of}{calls}.",
        data=found,
        page=Page(arguments.offset, found.total_count),
        notes=notes,
        snapshot=snapshot,
    )


OUTLINE = Tool(
    name="symbols.outline",
    title="Outline",
    description="Members of a type or a file, methods first, one line each.",
    arguments=OutlineArguments,
    run=outline,
    of_index=True,
)
CONTEXT = Tool(
    name="symbols.get_context",
    title="Source in context",
    description="Source of a member and of what it calls, in one answer.",
    arguments=ContextArguments,
    run=get_context,
    of_index=True,
)
