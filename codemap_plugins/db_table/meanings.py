"""What calls of Entity Framework Core do with tables."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_id, type_ids
from codemap_core.model.meanings import Does, EntityStore, LibraryCalls, Meanings

_SPACE: Final = "Microsoft.EntityFrameworkCore."
_CONTEXT: Final = type_id(f"{_SPACE}DbContext")

ENTITY_FRAMEWORK: Final = Meanings(
    name="entity_framework",
    calls=(LibraryCalls(does=Does.SAVES, types=(_CONTEXT,), names=("SaveChanges",)),),
    stores=(
        EntityStore(
            contexts=(_CONTEXT,),
            of_type=("Find", "FindAsync", "Set"),
            of_object=tuple(
                f"{name}{ending}"
                for name in ("Add", "Attach", "Remove", "Update")
                for ending in ("", "Async", "Range", "RangeAsync")
            ),
            changing=type_ids(
                f"{_SPACE}DbSet`1",
                f"{_SPACE}EntityFrameworkQueryableExtensions",
                f"{_SPACE}RelationalQueryableExtensions",
            ),
            changes=(
                *("Add", "AddAsync", "AddRange", "AddRangeAsync", "Update", "UpdateRange", "Remove", "RemoveRange"),
                *("ExecuteDelete", "ExecuteDeleteAsync", "ExecuteUpdate", "ExecuteUpdateAsync"),
            ),
        ),
    ),
)
