"""What a type derives from and implements, and what derives from or implements it."""

from __future__ import annotations

from typing import Final

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import RelationKind, RelationRow
from codemap_core.model.documentation_id import readable_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.symbol_targets import Target
from codemap_core.queries.views_graph import TypeHierarchyResponse, TypeRef

_OBJECT: Final = "T:System.Object"


def get_hierarchy(snapshot: Snapshot, target: Target, limit: int = 500, offset: int = 0) -> TypeHierarchyResponse:
    """Direct relations of a type, with the further types it inherits from and the number of indirectly derived ones; ``limit`` derived
    types after ``offset``. Of a library's
    type only what is derived from it is known. Raises: InvalidArgumentError for what is not a type."""
    if not target.is_type:
        kind = target.kind.value if target.kind is not None else "member"
        raise InvalidArgumentError(
            f"{target.display_name} is a {kind}, not a type: ask for the type that contains it.",
            symbol_id=target.symbol_id,
        )
    reader = snapshot.reader
    above = reader.relations_from(target.symbol_id)
    bases = [row for row in above if row.kind is RelationKind.BASE_TYPE and row.to_symbol != _OBJECT]
    interfaces = [row for row in above if row.kind is RelationKind.INTERFACE]
    derived = sorted({row.from_symbol for row in reader.relations_to(target.symbol_id)})
    page = derived[offset : offset + limit]
    direct = {row.to_symbol for row in above}
    inherited = [each for each in reader.ancestors(target.symbol_id) if each not in direct and each != _OBJECT]
    names = reader.full_names([*page, *inherited])
    base_types = _as_written(bases)
    return TypeHierarchyResponse(
        target_type=target.symbol_id,
        base_type=base_types[0] if base_types else None,
        interfaces=_as_written(interfaces),
        derived_types=tuple(_named(each, names) for each in page),
        derived_count=len(derived),
        indirect_derived_count=len(set(reader.descendants(target.symbol_id)) - set(derived)),
        inherited=tuple(_named(each, names) for each in inherited),
        truncated=offset + len(page) < len(derived),
        external=target.is_external,
    )


def _as_written(rows: list[RelationRow]) -> tuple[TypeRef, ...]:
    """One for each type: several projects and parts may say the same."""
    first = {row.to_symbol: row for row in reversed(rows)}
    return tuple(
        TypeRef(row.to_symbol, row.display_name, row.external)
        for _, row in sorted(first.items(), key=lambda item: item[0])
    )


def _named(symbol_id: str, names: dict[str, str]) -> TypeRef:
    name = names.get(symbol_id)
    if name is not None:
        return TypeRef(symbol_id, name)
    return TypeRef(symbol_id, symbol_id[2:] if symbol_id.startswith("!:") else readable_name(symbol_id), external=True)
