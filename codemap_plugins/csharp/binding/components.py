"""Tags of Razor components: the type that a tag names, and what its parameters are given (the Blazor documentation, component parameters).

A generic component is found whatever the number of its type parameters; those that the tag does not say are unknown. A tag within a
component may name a parameter that takes markup instead, and is then its content.
"""

from __future__ import annotations

from typing import Final

from codemap_core.model import RefKind
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundMethodGroup,
    UnboundLambda,
)
from codemap_plugins.csharp.binding.locals import LocalScope
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
    contains_error,
    substitute,
)

_MOST_TYPE_PARAMETERS: Final = 4
_CALLBACK: Final = "EventCallback"
_CONTENT: Final = "ChildContent"
_CONTEXT: Final = "context"
_COMPONENT: Final = "IComponent"
_TEMPLATE: Final = "RenderFragment"
_COMPONENTS: Final = "Microsoft.AspNetCore.Components"


@binds(Op.COMPONENT)
def bind_component(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """What means no component is a parameter of the component around it, or an element of HTML."""
    _, (text, *offsets), number, around, said = node
    definition, count = _definition(scope.resolver, text)
    if definition is None or not _may_be_component(b, definition):
        content = _content(b, _component(scope, around), text)
        if content is not None and offsets:
            b.member_reference(RefKind.WRITE, offsets[-1], content)
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
        parameter = found.member.type
        is_open = UNKNOWN in component.arguments and found.container.definition is component.definition
        operand = b.expression(given, scope, None if _is_callback(wanted) or isinstance(wanted, ErrorType) else wanted)
        if is_open and isinstance(operand, BoundMethodGroup):
            component = _inferred_from_result(b, component, parameter, operand)
            wanted = substitute(parameter, component.arguments)
        type_ = _take(b, operand, wanted)
        if is_open:
            scope.declare(_tag(number), _inferred(b, component, parameter, type_))
    return UNKNOWN_VALUE


@binds(Op.COMPONENT_CONTEXT)
def bind_context(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """Declares what content is given. Content that is given nothing declares nothing, and sees what the content around it is given; of an
    element that is not known, nothing says which it is."""
    _, said, said_around, element, number, around = node
    component, name = _component(scope, number), said or _CONTEXT
    content = _content(b, component or _component(scope, around), _CONTENT if component is not None else element)
    if component is None and content is not None:
        inherited = said_around or _CONTEXT
        _hide(scope, inherited, around)
        name = said or inherited
    template = b.hierarchy.member_type(content) if content is not None else None
    is_missed = content is None and (component is None or not b.hierarchy.is_complete(component))
    if isinstance(template, NamedType) and template.arguments:
        scope.declare(name, template.arguments[0])
    elif is_missed and (said or scope.find(name) is None):
        scope.declare(name, UNKNOWN)
    return UNKNOWN_VALUE


def _tag(number: int) -> str:
    """What a scope calls a component; no variable is called so."""
    return f"<{number}>"


def _component(scope: LocalScope, number: int) -> NamedType | None:
    found = scope.find(_tag(number))
    return found if isinstance(found, NamedType) else None


def _hide(scope: LocalScope, name: str, number: int) -> None:
    """Beside its elements a component has no content, so nothing that this would be given: the name means what it does outside."""
    tag, outside = _tag(number), scope
    while tag not in outside.names and outside.parent is not None:
        outside = outside.parent
    outer = outside.find(name)
    if scope.find(name) is not outer:
        scope.declare(name, outer if outer is not None else UNKNOWN)


def _may_be_component(b: Binder, definition: TypeDefinition) -> bool:
    """Unless all that the type is made from is known and says otherwise."""
    type_ = NamedType(definition)
    return not b.hierarchy.is_complete(type_) or any(
        _is_of_components(each.definition, _COMPONENT) for each in b.hierarchy.all_interfaces(type_)
    )


def _content(b: Binder, component: NamedType | None, name: str) -> Found | None:
    """The parameter of that name, if it takes markup."""
    found = _parameter(b, component, name)
    type_ = b.hierarchy.member_type(found) if found is not None else None
    is_template = isinstance(type_, NamedType) and _is_of_components(type_.definition, _TEMPLATE)
    return found if is_template else None


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


def _inferred_from_result(b: Binder, component: NamedType, parameter: Type, group: BoundMethodGroup) -> NamedType:
    """The component with what a method that is given to a delegate says of its type arguments by what it returns, where all that the
    delegate takes is known (ECMA-334 §12.6.3.7)."""
    delegates = b.hierarchy.delegates
    declared, wanted = delegates.signature(parameter), delegates.signature(substitute(parameter, component.arguments))
    if declared is None or wanted is None or any(contains_error(each) for each in wanted.types):
        return component
    result = b.overloads.group_result(group, wanted.types, [each.passing for each in wanted.parameters])
    return _inferred(b, component, declared.returns, result) if result is not None else component


def _take(b: Binder, given: BoundExpression, wanted: Type) -> Type:
    """The type of what a parameter is given."""
    if isinstance(wanted, NamedType) and _is_callback(wanted):
        return b.convert(given, _delegate(b, given, wanted.arguments[0] if wanted.arguments else None))
    return b.convert(given, wanted if not isinstance(wanted, ErrorType) else None)


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


def _is_callback(type_: Type) -> bool:
    return isinstance(type_, NamedType) and _is_of_components(type_.definition, _CALLBACK)


def _is_of_components(definition: TypeDefinition, name: str) -> bool:
    return definition.name == name and definition.namespace == _COMPONENTS


def _definition(resolver: TypeResolver, text: str) -> tuple[TypeDefinition | None, int]:
    """The component of that name, and the number of its type parameters."""
    for count in range(_MOST_TYPE_PARAMETERS + 1):
        found = resolver.resolve(f"{text}<{',' * (count - 1)}>" if count else text)
        if isinstance(found, NamedType):
            return found.definition, count
    return None, 0
