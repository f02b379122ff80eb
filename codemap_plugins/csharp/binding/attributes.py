"""Attributes (ECMA-334 §22): ``[X]`` is the type ``X`` or ``XAttribute``, its arguments choose a constructor and set members."""

from __future__ import annotations

from codemap_core.model import RefKind
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.creation import choose_constructor, creation_reference, missing_initialized
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.member_access import simple_name
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type


def attribute_type(b: Binder, text: str, scope: LocalScope) -> tuple[Type, str]:
    """The attribute's type and the text it was found under (ECMA-334 §22.2.2): both forms are sought, an attribute class wins."""
    resolver = scope.resolver
    name, angle, arguments = text.partition("<")
    long_text = f"{name}Attribute{angle}{arguments}"
    plain, suffixed = resolver.resolve(text), resolver.resolve(long_text)
    if _is_attribute(b, plain):
        return plain, text
    if _is_attribute(b, suffixed):
        return suffixed, long_text
    if isinstance(plain, NamedType) and not b.hierarchy.is_complete(plain):
        return plain, text
    if isinstance(suffixed, NamedType) or isinstance(plain, NamedType):
        # A type that is not an attribute class is not meant, even where the one that is meant is not known.
        return suffixed, long_text
    return plain, text


def _is_attribute(b: Binder, type_: Type) -> bool:
    return isinstance(type_, NamedType) and any(
        each.definition.system_name == "Attribute" for each in b.hierarchy.class_chain(type_)
    )


def bind_attribute(b: Binder, node: Lowered, scope: LocalScope) -> None:
    _, lowered, arguments = node
    text: str = lowered[0]
    type_, found_text = attribute_type(b, text, scope)
    own = type_.definition if isinstance(type_, NamedType) else None
    offset = -1
    names = scope.resolver.names(found_text)
    for index, (ordinal, definition) in enumerate(names):
        if ordinal + 1 >= len(lowered):
            continue
        if own is not None and definition is own and offset < 0:
            offset = lowered[ordinal + 1]
        elif definition is not None or index < len(names) - 1 or own is not None:
            b.written_type_reference(lowered[ordinal + 1], definition, text, ordinal)
    positional = [a for a in arguments or () if a[0] != Op.MEMBER_INITIALIZER]
    named = [a for a in arguments or () if a[0] == Op.MEMBER_INITIALIZER]
    bound = b.arguments(positional, scope)
    made = choose_constructor(b, type_, bound, scope)
    if own is not None and offset >= 0:
        creation_reference(b, RefKind.ATTRIBUTE, offset, own, type_, made, bound)
    elif isinstance(type_, ErrorType) and len(lowered) > 1:
        b.written_type_reference(lowered[-1], None, text, 0, RefKind.ATTRIBUTE)
    for each in named:
        _named_argument(b, each, type_, scope)


def _named_argument(b: Binder, node: Lowered, type_: Type, scope: LocalScope) -> None:
    _, offset, name, inner, _ = node
    found = b.hierarchy.lookup(type_, name) if isinstance(type_, NamedType) else ()
    member_type: Type = UNKNOWN
    if found:
        b.member_reference(RefKind.WRITE, offset, found[0])
        member_type = b.hierarchy.member_type(found[0])
    else:
        b.unresolved(RefKind.WRITE, offset, name, missing_initialized(b, type_), simple_name(type_))
    b.value_of(inner, scope, member_type)
