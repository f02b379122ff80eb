"""How answers name what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap_core.model.counting import counted

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_targets import Target


def named(target: Target) -> str:
    """Type and member; ``symbol_id`` or the root of an answer has the namespace. ``library`` stands before what nothing here declares."""
    from codemap_core.model.documentation_id import readable_name, split_outside

    folder, _, qualified = readable_name(target.symbol_id).rpartition("/")
    parts = split_outside(qualified, ".")
    name = qualified if folder else ".".join(parts[-1 if target.is_type else -2 :])
    overloads = f" ({counted(len(target.overloads), 'overload')})" if target.overloads else ""
    return f"{'library symbol ' if target.is_external else ''}{name}{overloads}"
