"""The sets that a context inherits from those of ASP.NET Core Identity, and the tables that ``OnModelCreating`` of these maps them to.

``IdentityUserContext`` declares the sets of users, ``IdentityDbContext`` those of roles; both with a type parameter for each entity, so
that the base class that has them all says which entities they are. The names of the tables are the same in every version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.model.bound import BoundDeclaration, BoundType

_SPACE: Final = "T:Microsoft.AspNetCore.Identity.EntityFrameworkCore."


class InheritedSet(Struct, frozen=True):
    """``owner``: the id of the property. ``table``: what the library calls it."""

    owner: str
    name: str
    table: str
    entity: BoundType


class _Declared(Struct, frozen=True):
    """``argument``: which type argument of the base class the entity is."""

    name: str
    table: str
    argument: int


_DECLARED: Final = {
    f"{_SPACE}IdentityUserContext`": (
        _Declared("Users", "AspNetUsers", 0),
        _Declared("UserClaims", "AspNetUserClaims", 2),
        _Declared("UserLogins", "AspNetUserLogins", 3),
        _Declared("UserTokens", "AspNetUserTokens", 4),
    ),
    f"{_SPACE}IdentityDbContext`": (
        _Declared("Roles", "AspNetRoles", 1),
        _Declared("UserRoles", "AspNetUserRoles", 4),
        _Declared("RoleClaims", "AspNetRoleClaims", 6),
    ),
}
"""By how the id of the class begins. Passkeys are left out: whether they have a table is an option."""
_FEWEST_ARGUMENTS: Final = 5
"""Of a class that has a type parameter for each of its entities."""


def inherited_sets(context: BoundDeclaration) -> Iterator[InheritedSet]:
    """Of a class and its base list: another part of a partial class says nothing of them."""
    if not context.all_bases or all(each.id != context.all_bases[0].id for each in context.bases):
        return
    for beginning, declared in _DECLARED.items():
        bases = [
            each
            for each in context.all_bases
            if each.id.startswith(beginning) and len(each.arguments) >= _FEWEST_ARGUMENTS
        ]
        for each in declared if bases else ():
            declaring = bases[-1]
            yield InheritedSet(
                f"P:{declaring.id[2:]}.{each.name}", each.name, each.table, declaring.arguments[each.argument]
            )
