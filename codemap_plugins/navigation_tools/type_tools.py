"""``types.hierarchy``: what a type derives from, and what derives from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from codemap_core.hooks.tool import Evidence, NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence
from codemap_core.queries.wanted import Wanted
from codemap_core.toolkit.arguments import SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import EVIDENCE_SHOWN, Budget, fitting

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import Target
    from codemap_core.queries.views import TypeHierarchyResponse


class HierarchyArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``types.hierarchy``."""


def hierarchy(context: ToolContext, arguments: HierarchyArguments) -> ToolResult:
    from codemap_core.queries.type_hierarchy import get_hierarchy

    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.TYPE)
    found = get_hierarchy(snapshot, target)
    budget = Budget()
    derived = tuple(fitting(found.derived_types, context.budgets.max_chars, budget.limits_applied))
    if len(derived) < len(found.derived_types):
        found = replace(found, derived_types=derived, truncated=True)
    evidence = _evidence(snapshot, target, found)
    return ToolResult(
        answer=_answer(context, snapshot, target, found),
        data=found,
        evidence=evidence,
        next_actions=_actions(target, found),
        confidence=target.symbol.confidence if target.symbol is not None else Confidence.HIGH,
        limits_applied=budget.limits_applied,
        answer_files=tuple(dict.fromkeys(pointer.file_path for pointer in evidence)),
        snapshot=snapshot,
    )


def _evidence(snapshot: Snapshot, target: Target, found: TypeHierarchyResponse) -> tuple[Evidence, ...]:
    """The declarations that say so: the type's own, then derived ones."""
    ids = [each.symbol_id for each in found.derived_types[:EVIDENCE_SHOWN]]
    declared = snapshot.reader.first_declarations(ids)
    symbols = ([target.symbol] if target.symbol is not None else []) + [
        declared[each] for each in ids if each in declared
    ]
    return tuple(
        Evidence(snapshot.repo_id, each.file_path, each.span_start, each.span_end, symbol_id=each.symbol_id)
        for each in symbols[:EVIDENCE_SHOWN]
    )


def _answer(context: ToolContext, snapshot: Snapshot, target: Target, found: TypeHierarchyResponse) -> str:
    base = f"base {found.base_type.display_name}" if found.base_type is not None else "no declared base type"
    indirect = f", {found.indirect_derived_count} more indirectly" if found.indirect_derived_count else ""
    derived = f"{found.derived_count} derived{indirect}"
    shown = f"; shown: {len(found.derived_types)}" if found.truncated else ""
    if target.is_external:
        said = f"library type {target.display_name}: {derived}{shown}. Its own base types are not indexed."
    else:
        count = len(found.interfaces)
        interfaces = f"{count} interface{'' if count == 1 else 's'}"
        said = f"{target.display_name}: {base}, {interfaces}, {derived}{shown}."
    if target.note:
        said = f"{target.note} {said}"
    changes = "" if found.derived_count else context.changes_since(snapshot)
    return f"{said} {changes}".rstrip()


def _actions(target: Target, found: TypeHierarchyResponse) -> tuple[NextAction, ...]:
    actions = []
    if found.derived_types and (found.indirect_derived_count or found.derived_count == 1):
        first = {"symbol_id": found.derived_types[0].symbol_id}
        actions.append(NextAction("types.hierarchy", "what derives from the first derived type", first))
    if found.truncated:
        everything = {"symbol_id": target.symbol_id, "kind": "type", "limit": 500}
        actions.append(NextAction("refs.find", "every mention of the type, base lists among them", everything))
    if not target.is_external:
        actions.append(NextAction("symbols.get_card", "the type with its members", {"symbol_id": target.symbol_id}))
    return tuple(actions)


TYPES = ToolFamily(
    name="types",
    title="Types",
    tools=(
        Tool(
            name="types.hierarchy",
            title="Type hierarchy",
            description=(
                "Base type, interfaces, subclasses and implementations of a class, interface, struct or record; of a library's type what "
                "derives from it here."
            ),
            arguments=HierarchyArguments,
            run=hierarchy,
        ),
    ),
)
