"""Ids of the types of .NET itself that rules and answers speak of."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_id

OBJECT: Final = type_id("System.Object")
ROOTS: Final = frozenset({OBJECT, type_id("System.ValueType"), type_id("System.Enum")})
"""Base classes that every class, struct or enumeration has, so that to have them says nothing."""
INTERNALS_VISIBLE_TO: Final = type_id("System.Runtime.CompilerServices.InternalsVisibleToAttribute")
