"""How answers name what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from codemap_core.model.counting import counted

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_targets import Target
    from codemap_core.queries.snapshot import Snapshot

_HANDLER: Final = "handler"
"""The kind of facts about what handles a message."""


def named(target: Target) -> str:
    """Type and member; ``symbol_id`` or the root of an answer has the namespace. ``library`` stands before what nothing here declares."""
    from codemap_core.model.documentation_id import readable_name, split_outside

    folder, _, qualified = readable_name(target.symbol_id).rpartition("/")
    parts = split_outside(qualified, ".")
    name = qualified if folder else ".".join(parts[-1 if target.is_type else -2 :])
    overloads = f" ({counted(len(target.overloads), 'overload')})" if target.overloads else ""
    return f"{'library symbol ' if target.is_external else ''}{name}{overloads}"


def run_by_a_framework(snapshot: Snapshot, target: Target) -> str:
    """What runs a member that no code calls, from the facts that it owns: ``It answers GET /orders.`` Empty where none says so."""
    from codemap_core.model import FactKind, split_value

    answers: dict[str, None] = {}
    handles: dict[str, None] = {}
    for fact in snapshot.reader.facts_of(target.symbol_id):
        name, _ = split_value(fact.kind, fact.value)
        if fact.kind == FactKind.ROUTE and fact.detail.get("handler") == target.symbol_id:
            answers[name] = None
        elif fact.kind == _HANDLER:
            handles[fact.detail.get("request") or name] = None
    both = (("answers", answers), ("handles", handles))
    return " ".join(f"It {verb} {', '.join(names)}." for verb, names in both if names)
