"""Tags of Razor components: the type that a tag names, and what its parameters are given (the Blazor documentation, component parameters).

A generic component is found whatever the number of its type parameters; those that the tag does not say are unknown.
"""

from __future__ import annotations

from typing import Final

from codemap_core.model import RefKind
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundMethodGroup,
    UnboundLambda,
    value,
)
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope, LocalVariable
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    ErrorType,
    NamedType,
    Type,
    TypeDefinition,
    TypeParameterType,
)

_MOST_TYPE_PARAMETERS: Final = 4
_CALLBACK: Final = "EventCallback"
_CONTENT: Final = "ChildContent"
_TEMPLATE: Final = "RenderFragment"
_COMPONENTS: Final = "Microsoft.AspNetCore.Components"


@binds(Op.COMPONENT)
def bind_component(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """What means no type is a parameter of the component around it, or an element of HTML."""
    _, (text, *offsets), number, around, said = node
    definition, count = _definition(scope.resolver, text)
    if definition is None:
        return UNKNOWN_VALUE
    if offsets:
        b.type_reference(offsets[-1], definition)
    given = _cascading(b, scope, around)
    given.update({name: scope.resolver.resolve(type_) for name, type_ in said})
    parameters = b.shared.members.type_parameters(definition)[-count:] if count else ()
    scope.declare(_tag(number), NamedType(definition, tuple(given.get(each.name, UNKNOWN) for each in parameters)))
    return UNKNOWN_VALUE


def _cascading(b: Binder, scope: LocalScope, around: int) -> dict[str, Type]:
    """Type arguments of the component around a tag, which may cascade to type parameters of the same name."""
    outer = _component(scope, around)
    if outer is None or not outer.arguments:
        return {}
    parameters = b.shared.members.type_parameters(outer.definition)
    return {each.name: type_ for each, type_ in zip(parameters, outer.arguments, strict=False)}


@binds(Op.COMPONENT_PARAMETER)
def bind_parameter(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, offset, name, number, is_code, given = node
    component = _component(scope, number)
    found = _parameter(b, component, name)
    if component is None or found is None:
        if is_code:
            b.settled(given, scope)
        return UNKNOWN_VALUE
    b.member_reference(RefKind.WRITE, offset, found)
    wanted = b.hierarchy.member_type(found)
    if is_code or wanted != b.system("String"):
        type_ = _take(b, given, scope, wanted)
        if UNKNOWN in component.arguments and found.container.definition is component.definition:
            scope.declare(_tag(number), _inferred(b, component, found.member.type, type_))
    return UNKNOWN_VALUE


@binds(Op.COMPONENT_CONTEXT)
def bind_context(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """Content that is given nothing sees what the content around it is given."""
    _, name, element, number, around = node
    found = _parameter(b, _component(scope, number), _CONTENT) or _parameter(b, _component(scope, around), element)
    content = b.hierarchy.member_type(found) if found is not None else UNKNOWN
    if isinstance(content, NamedType) and content.definition.name == _TEMPLATE and content.arguments:
        return value(content.arguments[0])
    outer = scope.parent.find(name) if scope.parent is not None else None
    if isinstance(outer, LocalVariable):
        return value(outer.type)
    return value(outer) if outer is not None and not isinstance(outer, LocalFunction) else UNKNOWN_VALUE


def _tag(number: int) -> str:
    """What a scope calls a component; no variable is called so."""
    return f"<{number}>"


def _component(scope: LocalScope, number: int) -> NamedType | None:
    found = scope.find(_tag(number))
    return found if isinstance(found, NamedType) else None


def _parameter(b: Binder, component: NamedType | None, name: str) -> Found | None:
    return next(iter(b.hierarchy.lookup(component, name)), None) if component is not None else None


def _inferred(b: Binder, component: NamedType, parameter: Type, given: Type) -> NamedType:
    """The component with what a value says of its type arguments: the type of a parameter is a type parameter, or made of one, and the
    value has that type or derives from it."""
    arguments = list(component.arguments)
    pending = [(parameter, given)]
    while pending:
        wanted, type_ = pending.pop()
        if isinstance(wanted, TypeParameterType) and not wanted.of_method and wanted.ordinal < len(arguments):
            if arguments[wanted.ordinal] is UNKNOWN:
                arguments[wanted.ordinal] = type_
        elif isinstance(wanted, NamedType) and wanted.arguments:
            base = b.hierarchy.find_base(type_, wanted.definition)
            if base is not None:
                pending += zip(wanted.arguments, base.arguments, strict=False)
        elif isinstance(wanted, ArrayType) and isinstance(type_, ArrayType):
            pending.append((wanted.element, type_.element))
    return NamedType(component.definition, tuple(arguments))


def _take(b: Binder, given: Lowered, scope: LocalScope, wanted: Type) -> Type:
    """The type of what a parameter is given."""
    if isinstance(wanted, NamedType) and _is_callback(wanted.definition):
        handler = b.expression(given, scope)
        return b.convert(handler, _delegate(b, handler, wanted.arguments[0] if wanted.arguments else None))
    return b.value_of(given, scope, wanted if not isinstance(wanted, ErrorType) else None)


def _delegate(b: Binder, handler: BoundExpression, given: Type | None) -> Type | None:
    """The delegate that a handler of a callback becomes, which may leave out what it is given (``EventCallbackFactory.Create``)."""
    types = (given,) if given is not None else ()
    if isinstance(handler, UnboundLambda):
        takes = len(handler.shape().types)
        return b.generic("System", "Action", *(types or (UNKNOWN,))[:takes]) if takes <= 1 else None
    if isinstance(handler, BoundMethodGroup) and len(handler.found) > 1:
        task = b.generic("System.Threading.Tasks", "Task")
        for taken in (types, ()):
            for delegate in (b.generic("System", "Func", *taken, task), b.generic("System", "Action", *taken)):
                if b.overloads.method_for_delegate(handler, delegate).candidate is not None:
                    return delegate
    return None


def _is_callback(definition: TypeDefinition) -> bool:
    return definition.name == _CALLBACK and definition.namespace == _COMPONENTS


def _definition(resolver: TypeResolver, text: str) -> tuple[TypeDefinition | None, int]:
    """The component of that name, and the number of its type parameters."""
    for count in range(_MOST_TYPE_PARAMETERS + 1):
        found = resolver.resolve(f"{text}<{',' * (count - 1)}>" if count else text)
        if isinstance(found, NamedType):
            return found.definition, count
    return None, 0
