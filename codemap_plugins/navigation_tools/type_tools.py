"""``types.hierarchy``: what a type derives from, and what derives from it; what implements or overrides a member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence
from codemap_core.queries.names.wanted import Wanted
from codemap_core.toolkit.arguments import RARE, SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import Budget
from codemap_plugins.navigation_tools.wording import named

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_targets import Target
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.hierarchy import MemberHierarchyResponse, TypeHierarchyResponse

_SHOWN: Final = 100


class HierarchyArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``types.hierarchy``."""

    transitive: Annotated[bool, Meta(description="All levels.")] = False
    depth: Annotated[int, Meta(description="Levels of derived types.", ge=1, extra_json_schema=RARE)] = 1
    limit: Annotated[int, Meta(ge=1, extra_json_schema=RARE)] = _SHOWN


def hierarchy(context: ToolContext, arguments: HierarchyArguments) -> ToolResult:
    from codemap_core.queries.graph.type_hierarchy import get_hierarchy, get_member_hierarchy

    if arguments.transitive and arguments.depth > 1:
        raise InvalidArgumentError("Give transitive or depth, not both.")
    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.TYPE, or_name=True)
    budget = Budget()
    limit = budget.clamped("max_references", arguments.limit, _SHOWN, HARD_CAPS.max_references)
    view: TypeHierarchyResponse | MemberHierarchyResponse
    actions: tuple[NextAction, ...] = ()
    if target.is_name_alone and not get_hierarchy(snapshot, target, limit=0).total_count:
        find_target(snapshot, arguments, Wanted.TYPE)  # raises, as nothing derives from what is called so
    if target.is_type or target.is_name_alone:
        depth = 0 if arguments.transitive else arguments.depth
        view = types = get_hierarchy(snapshot, target, depth, limit, arguments.offset)
        answer = _types_said(snapshot, target, types)
        if types.total_count < types.derived_count + types.indirect_derived_count:
            symbol = target.simple_name if target.is_name_alone else target.symbol_id
            everything = {"symbol": symbol, "transitive": True}
            actions = (NextAction("types.hierarchy", "with what derives indirectly", everything),)
    else:
        view = members = get_member_hierarchy(snapshot, target, limit, arguments.offset)
        answer = _members_said(target, members)
    return ToolResult(
        answer=f"{target.note} {answer}".strip(),
        data=view,
        page=Page(arguments.offset, view.total_count),
        next_actions=actions,
        confidence=_confidence(target),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _confidence(target: Target) -> Confidence:
    if target.is_name_alone:
        return Confidence.LOW
    return target.symbol.confidence if target.symbol is not None else Confidence.HIGH


def _types_said(snapshot: Snapshot, target: Target, found: TypeHierarchyResponse) -> str:
    from codemap_core.model.counting import counted

    if target.is_name_alone:
        name = target.simple_name
        types = counted(found.derived_count, "type has", "types have")
        indirect = counted(found.indirect_derived_count, "more derives", "more derive")
        more = f"; {indirect} from these" if found.indirect_derived_count else ""
        return f"{name} is not declared here nor found in a library; {types} that name in the base list{more}."
    indirect = f", {found.indirect_derived_count:,} more indirectly" if found.indirect_derived_count else ""
    derived = f"{counted(found.derived_count, 'derived type') if found.derived_count else 'no derived types'}"
    said = f"{named(target)}: {derived}{indirect}."
    if found.unresolved_count:
        said += (
            f" {counted(found.unresolved_count, 'more type')} may derive from it: what {target.simple_name!r} means "
            "in the base list could not be resolved."
        )
    library = snapshot.reader.library_symbol(target.symbol_id) if target.is_external else None
    if target.is_external and (library is None or not library.signature):
        said += " Its assembly was not at hand: its bases, and library types between, are not known."
    return said


def _members_said(target: Target, found: MemberHierarchyResponse) -> str:
    from codemap_core.model.counting import counted

    if found.total_count:
        return f"{named(target)}: implemented or overridden by {counted(found.total_count, 'member')}."
    return f"{named(target)}: no member here implements or overrides it."


TYPES = ToolFamily(
    name="types",
    title="Types",
    tools=(
        Tool(
            name="types.hierarchy",
            title="Type hierarchy",
            description="Bases, interfaces and derived types; of a member, implementations and overrides.",
            arguments=HierarchyArguments,
            run=hierarchy,
            of_index=True,
        ),
    ),
)
