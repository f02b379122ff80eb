"""What interpolated strings convert to besides ``string`` (ECMA-334 §10.2.5, C# 10)."""

from __future__ import annotations

from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType, Type


def is_handler(type_: Type) -> bool:
    """An interpolated string handler (C# 10): by its attribute, in libraries by the name that goes with it."""
    if not isinstance(type_, NamedType):
        return False
    definition = type_.definition
    if isinstance(definition, SourceTypeDefinition):
        return definition.bears_attribute("InterpolatedStringHandler")
    return definition.name.endswith("InterpolatedStringHandler")


def is_formattable(type_: Type) -> bool:
    """What an interpolated string converts to besides ``string`` (ECMA-334 §10.2.5)."""
    return (
        isinstance(type_, NamedType)
        and type_.definition.external
        and type_.definition.namespace == "System"
        and type_.definition.name in ("FormattableString", "IFormattable")
    )
