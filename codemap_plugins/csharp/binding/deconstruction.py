"""Deconstruction: the values that one comes apart into (ECMA-334 §12.7)."""

from __future__ import annotations

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import BoundValue, value, value_from
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.members import UNKNOWN, Passing
from codemap_plugins.csharp.binding.special_types import tuple_elements
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type, substitute


def deconstructed(b: Binder, given: BoundValue, count: int, scope: LocalScope) -> list[BoundValue]:
    """What a value comes apart into. Of a tuple literal each element is as unsure as it is itself."""
    types = _element_types(b, given.type, count, scope)
    if len(given.parts) == count:
        return [value_from(type_, part) for type_, part in zip(types, given.parts, strict=True)]
    return [value_from(type_, given) for type_ in types]


def _element_types(b: Binder, type_: Type, count: int, scope: LocalScope) -> list[Type]:
    """Element types of a deconstruction (ECMA-334 §12.7): a tuple's, else those of ``Deconstruct``, instance before extension."""
    unknown: list[Type] = [UNKNOWN] * count
    elements = tuple_elements(type_)
    if elements is not None:
        return list(elements) if len(elements) == count else unknown
    if isinstance(type_, ErrorType):
        return unknown
    for found in b.hierarchy.lookup(type_, "Deconstruct"):
        parameters = found.member.parameters
        if len(parameters) == count and all(p.passing == Passing.OUT for p in parameters):
            return [substitute(p.type, found.container.arguments) for p in parameters]
    for group in b.shared.extensions.groups(b.document, scope.resolver.scope, "Deconstruct"):
        for found in group:
            parameters = found.member.parameters
            if len(parameters) != count + 1:
                continue
            arity = len(found.member.signature.type_parameters)
            inferred = b.shared.inference.infer(arity, [(value(type_), parameters[0].type, 0)]) if arity else ()
            if inferred is None:
                continue
            if b.conversions.reference(type_, substitute(parameters[0].type, (), inferred)) or (
                isinstance(type_, NamedType) and type_.definition.kind is SymbolKind.STRUCT and arity
            ):
                return [substitute(p.type, (), inferred) for p in parameters[1:]]
    return unknown
