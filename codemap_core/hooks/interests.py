"""What extractors want to see of bound documents. The union over all of them decides what binding keeps, so that what nobody asks for
costs nothing.

Names are simple names, compared exactly, without type arguments: a name matches what is bound to it under any alias, and what could not
be bound but is spelt so. ``ANY`` in place of names asks for everything of that sort.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

ANY: Final = ("*",)


class Interests(Struct, frozen=True, kw_only=True, omit_defaults=True):
    invocations: tuple[str, ...] = ()
    """Invoked methods: ``MapGet``."""
    creations: tuple[str, ...] = ()
    """Created types: ``HttpClient``."""
    element_accesses: tuple[str, ...] = ()
    """Types that declare the indexer: ``IConfiguration``."""
    assignments: tuple[str, ...] = ()
    """Assigned properties, fields and events; a created object's initialisers come with its creation."""
    throws: bool = False
    catches: bool = False
    attributes: tuple[str, ...] = ()
    """Attribute classes, or base classes of theirs, without the suffix ``Attribute``: declarations that carry one."""
    base_types: tuple[str, ...] = ()
    """Base types and interfaces, inherited ones too: types that have one."""
    declarations: tuple[str, ...] = ()
    """Kinds of declarations: ``class``, ``method``."""

    @property
    def events(self) -> bool:
        """Something inside bodies is asked for."""
        return bool(
            self.invocations
            or self.creations
            or self.element_accesses
            or self.assignments
            or self.throws
            or self.catches
        )

    @property
    def is_empty(self) -> bool:
        return not (self.events or self.attributes or self.base_types or self.declarations)


NOTHING: Final = Interests()


def union(interests: Iterable[Interests]) -> Interests:
    """What any of them asks for."""
    every = tuple(interests)

    def names(each: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        found = sorted({name for names in each for name in names})
        return ANY if ANY[0] in found else tuple(found)

    return Interests(
        invocations=names(each.invocations for each in every),
        creations=names(each.creations for each in every),
        element_accesses=names(each.element_accesses for each in every),
        assignments=names(each.assignments for each in every),
        throws=any(each.throws for each in every),
        catches=any(each.catches for each in every),
        attributes=names(each.attributes for each in every),
        base_types=names(each.base_types for each in every),
        declarations=names(each.declarations for each in every),
    )


def wants(names: tuple[str, ...], name: str) -> bool:
    return bool(names) and (names is ANY or names[0] == ANY[0] or name in names)
