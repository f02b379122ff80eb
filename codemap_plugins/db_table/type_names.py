"""Tables that are named for the type of their entity: by Entity Framework 6 in the plural, ``Order`` → ``Orders``, whatever the property is
called (PluralizingTableNameConvention); in the singular where a model leaves that convention out, or that of Entity Framework Core which
takes the property's name (TableNameFromDbSetConvention).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.model import Project
from codemap_core.model.bound import Event

CONFIGURED_IN: Final = ("OnModelCreating", "ConfigureConventions")
"""Members of a context that may leave conventions out."""
_CONVENTIONS: Final = frozenset({"PluralizingTableNameConvention", "TableNameFromDbSetConvention"})
_CLASSIC_PACKAGE: Final = "entityframework"
_CORE_PACKAGES: Final = "microsoft.entityframeworkcore"
_VOWELS: Final = "aeiou"
_HISSING: Final = ("ch", "sh", "ss", "x", "z")
_IRREGULAR: Final = ("s", "o", "f", "fe", "man", "child", "person", "foot", "mouse", "sheep", "series", "data", "media")
"""Ends of words whose plural a rule does not tell."""


def leaves_names_to_types(event: Event) -> bool:
    """``Conventions.Remove<PluralizingTableNameConvention>()``, ``Conventions.Remove(typeof(TableNameFromDbSetConvention))``."""
    return event.name == "Remove" and any(each in _CONVENTIONS for each in _types_of(event))


def _types_of(event: Event) -> Iterator[str]:
    yield from (each.name for each in event.type_arguments)
    for argument in event.arguments:
        made = argument.value.type_operand or argument.value.type
        if made is not None:
            yield made.name


def is_classic(project: Project | None) -> bool:
    """Whether a set whose library is not at hand is one of Entity Framework 6: what the project names tells."""
    packages = [each.id.lower() for each in project.packages] if project is not None else []
    return _CLASSIC_PACKAGE in packages and not any(each.startswith(_CORE_PACKAGES) for each in packages)


def plural_name(entity: str, property_name: str) -> str | None:
    """The table of an entity in the plural; null where no rule tells it. A property that begins as the entity does is taken for its plural:
    ``Person`` and ``Persons`` are left to whoever wrote it."""
    if property_name.startswith(entity[:-1]) and len(entity) > 1:
        return property_name
    lower = entity.lower()
    if not entity.isascii() or not entity.isalpha() or (lower.endswith(_IRREGULAR) and not lower.endswith("ss")):
        return None
    if lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        return f"{entity[:-1]}ies"
    return f"{entity}es" if lower.endswith(_HISSING) else f"{entity}s"
