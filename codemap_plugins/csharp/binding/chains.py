"""Names, member accesses, invocations and element accesses: chains of links, bound from left to right (ECMA-334 §12.8.4 to .12)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from codemap_core.model import Confidence, RefKind
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.conversions import is_tuple, nullable_element, tuple_elements
from codemap_plugins.csharp.binding.hierarchy import Found
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope
from codemap_plugins.csharp.binding.members import INDEXER_NAME, UNKNOWN, Member, MemberKind
from codemap_plugins.csharp.binding.operands import UNKNOWN_VALUE, Argument, Operand, OperandKind, value
from codemap_plugins.csharp.binding.overloads import Candidate
from codemap_plugins.csharp.bodies import Access, Lowered, Op
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.scopes import Namespace, class_type_parameters, generic_type
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    NamedType,
    PointerType,
    Type,
    TypeParameterType,
    substitute,
)
from codemap_plugins.csharp.unit import DeclarationKind


class Usage(IntEnum):
    """What happens to what a name means; decides the kind of reference."""

    READ = 0
    WRITE = 1
    SUBSCRIBE = 2
    NAMEOF = 3


_NAMES = frozenset({Op.NAME, Op.GENERIC_NAME, Op.ALIAS_NAME})
_KINDS = {
    Usage.READ: RefKind.READ,
    Usage.WRITE: RefKind.WRITE,
    Usage.SUBSCRIBE: RefKind.WRITE,
    Usage.NAMEOF: RefKind.NAMEOF,
}


@binds(Op.NAME, Op.GENERIC_NAME, Op.ALIAS_NAME)
def bind_name_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    return bind_head(b, node, scope, Usage.READ, None, target)


@binds(Op.THIS)
def bind_this(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    within = scope.within
    return value(NamedType(within, b.hierarchy.table.own_arguments(within))) if within is not None else UNKNOWN_VALUE


@binds(Op.BASE)
def bind_base(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    within = scope.within
    if within is None:
        return UNKNOWN_VALUE
    base = b.hierarchy.base_class(NamedType(within, b.hierarchy.table.own_arguments(within)))
    if base is None or _base_is_missing(b, within):
        return UNKNOWN_VALUE
    return value(base)


def _base_is_missing(b: Binder, within: SourceTypeDefinition) -> bool:
    return any(isinstance(base, ErrorType) for base in b.hierarchy.table.bases_of(within))


@binds(Op.TYPE)
def bind_type_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    return Operand(OperandKind.TYPE, b.type(node[1], scope.resolver), node, scope)


@binds(Op.CHAIN)
def bind_chain_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    return bind_chain(b, node, scope, Usage.READ, target)


@binds(Op.NAMEOF)
def bind_nameof(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    inner = node[2]
    if inner is not None:
        if inner[0] == Op.CHAIN:
            bind_chain(b, inner, scope, Usage.NAMEOF, None)
        elif inner[0] in (Op.NAME, Op.GENERIC_NAME, Op.ALIAS_NAME):
            operand = bind_head(b, inner, scope, Usage.NAMEOF, None, None)
            _nameof_group(b, operand)
        elif inner[0] == Op.TYPE:
            b.type(inner[1], scope.resolver, RefKind.NAMEOF)
        else:
            b.statement(inner, scope)
    return value(b.system("String"))


def _nameof_group(b: Binder, operand: Operand) -> None:
    if operand.kind is OperandKind.METHOD_GROUP and operand.found:
        offset, name = operand.node
        if len({f.member.symbol_id for f in operand.found}) == 1:
            b.member_reference(RefKind.NAMEOF, offset, operand.found[0])
        else:
            b.unresolved(RefKind.NAMEOF, offset, name, "names a group of methods")


def bind_target(b: Binder, node: Lowered | None, scope: LocalScope, usage: Usage = Usage.WRITE) -> Type:
    """What is assigned to, or passed by reference; its type."""
    if node is None:
        return UNKNOWN
    op = node[0]
    if op in (Op.NAME, Op.GENERIC_NAME, Op.ALIAS_NAME):
        return b.finish(bind_head(b, node, scope, usage, None, None))
    if op == Op.CHAIN:
        return b.finish(bind_chain(b, node, scope, usage, None))
    if op == Op.DECLARATION:
        type_ = node[3]
        declared = UNKNOWN if type_ is None or type_[0] == "var" else b.type(type_, scope.resolver)
        scope.declare(node[2], declared)
        return declared
    if op == Op.REF:
        return bind_target(b, node[2], scope, usage)
    return b.value_of(node, scope)


# Simple names


def bind_head(
    b: Binder, node: Lowered, scope: LocalScope, usage: Usage, next_link: Lowered | None, target: Type | None
) -> Operand:
    """A simple name (ECMA-334 §12.8.4). ``next_link``: what follows it in a chain."""
    op = node[0]
    if op == Op.ALIAS_NAME:
        return _alias_name(b, node, scope, usage)
    offset, name = node[1], node[2]
    arguments = node[3] if op == Op.GENERIC_NAME else None
    invoked = next_link is not None and next_link[0] == Op.CALL
    if arguments is None:
        local = scope.find(name)
        if local is not None:
            return (
                Operand(OperandKind.METHOD_GROUP, UNKNOWN, (offset, name), scope)
                if isinstance(local, LocalFunction)
                else value(local)
            )
    elif isinstance(scope.find(name), LocalFunction):
        for argument in arguments:
            b.type(argument, scope.resolver)
        return Operand(OperandKind.METHOD_GROUP, UNKNOWN, (offset, name), scope)
    arity = len(arguments) if arguments is not None else 0
    member = _member_of_enclosing(b, name, scope, invoked, arity)
    if member is not None:
        if isinstance(member, Operand):
            return member
        color = _color_color(b, member, name, arity, scope, next_link, usage)
        if color is not None:
            if color.kind is OperandKind.TYPE:
                _type_name(b, offset, name, color.type, usage)
            return color
        return _use(b, member, None, False, offset, name, arguments, scope, usage)
    found = _type_or_namespace(b, name, arity, scope)
    if isinstance(found, Namespace):
        operand = Operand(OperandKind.NAMESPACE)
        operand.name = found.name
        return operand
    if isinstance(found, TypeParameterType):
        return Operand(OperandKind.TYPE, found, node, scope)
    if isinstance(found, NamedType):
        _type_name(b, offset, name, found, usage)
        if arguments is not None:
            own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments)
            found = NamedType(found.definition, (*found.arguments, *own))
        return Operand(OperandKind.TYPE, found, node, scope)
    imported = _imported_statically(b, name, scope, invoked)
    if imported:
        return _use(b, imported, None, True, offset, name, arguments, scope, usage)
    if arguments is not None:
        for argument in arguments:
            if argument[0]:
                b.type(argument, scope.resolver)
    if name != "_":
        kind = RefKind.CALL if invoked else _KINDS[usage]
        reason = "ambiguous" if isinstance(found, ErrorType) else _reason_for_missing(b, scope)
        b.unresolved(kind, offset, name, reason)
    return UNKNOWN_VALUE


def _reason_for_missing(b: Binder, scope: LocalScope) -> str:
    within = scope.within
    if within is not None:
        for level in within.enclosing():
            if not b.hierarchy.is_complete(NamedType(level, b.hierarchy.table.own_arguments(level))):
                return "a base type is not known"
    return "no declaration of this name is in view"


def _type_name(b: Binder, offset: int, name: str, type_: Type, usage: Usage) -> None:
    if isinstance(type_, NamedType):
        b.type_reference(offset, type_.definition, name, RefKind.NAMEOF if usage is Usage.NAMEOF else RefKind.TYPE)


def _member_of_enclosing(
    b: Binder, name: str, scope: LocalScope, invoked: bool, arity: int
) -> tuple[Found, ...] | Operand | None:
    """A member, or captured primary-constructor parameter, of the enclosing types, from the inside out."""
    within = scope.within
    if within is None:
        return None
    hierarchy = b.hierarchy
    in_initializer = scope.surroundings.in_initializer
    for level in within.enclosing():
        if in_initializer and level is within:
            parameter = _primary_parameter(b, level, name)
            if parameter is not None:
                return parameter
        own = NamedType(level, hierarchy.table.own_arguments(level))
        found = hierarchy.accessible(own, name, within)
        if arity and found:
            found = tuple(f for f in found if f.member.kind is MemberKind.METHOD)
        if found and invoked and found[0].member.kind is not MemberKind.METHOD and not _is_invocable(b, found[0]):
            found = ()
        if found:
            return found
        parameter = _primary_parameter(b, level, name)
        if parameter is not None:
            return parameter
    return None


def _primary_parameter(b: Binder, level: SourceTypeDefinition, name: str) -> Operand | None:
    for part in level.parts:
        if not part.declaration.has_primary_constructor:
            continue
        for parameter in part.declaration.parameters:
            if parameter.name == name and parameter.type is not None:
                resolver = b.hierarchy.table.resolver_for(part, level)
                return value(resolver.resolve(parameter.type.text))
    return None


def _is_invocable(b: Binder, found: Found) -> bool:
    type_ = b.hierarchy.member_type(found)
    return isinstance(type_, (ErrorType, DynamicType)) or b.hierarchy.delegate_invoke(type_) is not None


def _type_or_namespace(b: Binder, name: str, arity: int, scope: LocalScope) -> Namespace | Type | None:
    resolver = scope.resolver
    if arity == 0 and name in resolver.own_parameters:
        return resolver.own_parameters[name]
    if resolver.enclosing is not None:
        found = b.hierarchy.table.lookup_in_type(resolver.enclosing, name, arity)
        if found is not None:
            return found
    return b.document.lookup_in_namespaces(resolver.scope, name, arity)


def _imported_statically(b: Binder, name: str, scope: LocalScope, invoked: bool) -> tuple[Found, ...]:
    """Static members through ``using static`` (ECMA-334 §14.5.4): those declared in the type itself, extension methods left out."""
    for level in b.document.levels(scope.resolver.scope):
        if level.scope < 0:
            continue
        found: list[Found] = []
        for target, is_static in b.document.imports(level.scope):
            if not is_static or not isinstance(target, NamedType):
                continue
            for member in b.hierarchy.members.of(target.definition).get(name, ()):
                each = Found(member, target, 0)
                if (
                    member.is_static
                    and not member.is_extension
                    and b.hierarchy.can_access(each, scope.within)
                    and each not in found
                ):
                    found.append(each)
        if found:
            return tuple(found)
    return ()


def _alias_name(b: Binder, node: Lowered, scope: LocalScope, usage: Usage) -> Operand:
    alias_offset, alias, offset, name, arguments = node[1], node[2], node[3], node[4], node[5]
    arity = len(arguments) if arguments else 0
    project = b.shared.project
    namespace: Namespace | Type | None = Namespace("") if alias == "global" else _type_or_namespace(b, alias, 0, scope)
    own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
    if isinstance(namespace, Namespace):
        full = f"{namespace.name}.{name}" if namespace.name else name
        definition = project.types_in(namespace.name, name, arity, b.document.key.file_path)
        if definition is not None:
            found = NamedType(definition, own)
            _type_name(b, offset, name, found, usage)
            return Operand(OperandKind.TYPE, found, node, scope)
        if project.has_namespace(full):
            operand = Operand(OperandKind.NAMESPACE)
            operand.name = full
            return operand
    b.unresolved(RefKind.TYPE, offset, name, "type not found", alias if alias_offset else None)
    return UNKNOWN_VALUE


def _color_color(
    b: Binder,
    found: tuple[Found, ...],
    name: str,
    arity: int,
    scope: LocalScope,
    next_link: Lowered | None,
    usage: Usage,
) -> Operand | None:
    """ECMA-334 §12.8.7.2: a name that means both a variable and that variable's type is what the member after it needs. A type operand is
    the answer when it is the type; null leaves the variable."""
    if (
        next_link is None
        or next_link[0] != Op.MEMBER
        or arity
        or found[0].member.kind in (MemberKind.METHOD, MemberKind.INDEXER)
    ):
        return None
    type_ = b.hierarchy.member_type(found[0])
    if not isinstance(type_, NamedType) or type_.definition.name != name:
        return None
    meant = _type_or_namespace(b, name, 0, scope)
    if not isinstance(meant, NamedType) or meant.definition is not type_.definition:
        return None
    wanted = next_link[2]
    members = b.hierarchy.lookup(type_, wanted)
    is_type = (bool(members) and members[0].member.is_static) or b.hierarchy.table.nested_type(
        meant, wanted, 0
    ) is not None
    return Operand(OperandKind.TYPE, meant, None, scope) if is_type else None


def _color_color_local(b: Binder, local: Type, name: str, scope: LocalScope, next_link: Lowered | None) -> Type | None:
    if (
        next_link is None
        or next_link[0] != Op.MEMBER
        or not isinstance(local, NamedType)
        or local.definition.name != name
    ):
        return None
    meant = _type_or_namespace(b, name, 0, scope)
    if not isinstance(meant, NamedType) or meant.definition is not local.definition:
        return None
    members = b.hierarchy.lookup(local, next_link[2])
    return meant if members and members[0].member.is_static else None


# Members


def _use(
    b: Binder,
    found: Sequence[Found],
    receiver: Type | None,
    receiver_is_type: bool,
    offset: int,
    name: str,
    arguments: Any,
    scope: LocalScope,
    usage: Usage,
) -> Operand:
    """What lookup found, as an operand; a property, field or event is a reference."""
    first = found[0].member
    if first.kind in (MemberKind.METHOD, MemberKind.OPERATOR, MemberKind.CONSTRUCTOR):
        operand = Operand(OperandKind.METHOD_GROUP, UNKNOWN, (offset, name), scope)
        operand.found = found
        operand.receiver = receiver
        operand.receiver_is_type = receiver_is_type
        operand.name = name
        if arguments is not None:
            operand.type_arguments = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments)
        return operand
    _data_reference(b, found[0], offset, usage)
    return value(b.hierarchy.member_type(found[0]))


def _data_reference(b: Binder, found: Found, offset: int, usage: Usage) -> None:
    member = found.member
    if not member.symbol_id:
        return
    kind = _KINDS[usage]
    if usage is Usage.SUBSCRIBE and member.kind is MemberKind.EVENT:
        kind = RefKind.EVENT_SUBSCRIBE
    b.member_reference(kind, offset, found)


def bind_chain(b: Binder, node: Lowered, scope: LocalScope, usage: Usage, target: Type | None) -> Operand:
    head, links = node[1], node[2]
    count = len(links)
    if all(link[0] == Op.SUPPRESS for link in links) and head is not None and head[0] not in _NAMES:
        return b.expression(head, scope, target)
    first = links[0] if links else None
    last_usage = usage
    conditional = False
    current = _chain_head(
        b, head, scope, first, last_usage if count == 0 else (Usage.NAMEOF if usage is Usage.NAMEOF else Usage.READ)
    )
    for index, link in enumerate(links):
        op = link[0]
        is_last = index == count - 1
        step_usage = last_usage if is_last else (Usage.NAMEOF if usage is Usage.NAMEOF else Usage.READ)
        following = links[index + 1] if not is_last else None
        if op == Op.MEMBER:
            if link[3] == Access.CONDITIONAL:
                conditional = True
                current = _unwrapped(current)
            elif link[3] == Access.POINTER and isinstance(current.type, PointerType):
                current = value(current.type.element)
            current = _member(b, current, link, following, scope, step_usage)
        elif op == Op.CALL:
            current = _call(b, current, link, scope, target if is_last else None)
        elif op == Op.INDEX:
            if link[3] == Access.CONDITIONAL:
                conditional = True
                current = _unwrapped(current)
            current = _index(b, current, link, scope, step_usage)
    if conditional and current.kind is OperandKind.VALUE:
        type_ = current.type
        is_value = (
            isinstance(type_, NamedType) and type_.definition.is_value_type and type_.definition.system_name != "Void"
        )
        if is_value and nullable_element(type_) is None:
            return value(generic_type(b.shared.project, "System", "Nullable", (type_,)))
    if usage is Usage.NAMEOF:
        _nameof_group(b, current)
    return current


def _unwrapped(operand: Operand) -> Operand:
    if operand.kind is OperandKind.VALUE:
        inner = nullable_element(operand.type)
        if inner is not None:
            return value(inner)
    return operand


def _chain_head(b: Binder, head: Lowered | None, scope: LocalScope, first: Lowered | None, usage: Usage) -> Operand:
    if head is None:
        return UNKNOWN_VALUE
    if head[0] in _NAMES:
        if head[0] == Op.NAME:
            local = scope.find(head[2])
            if local is not None and not isinstance(local, LocalFunction):
                meant = _color_color_local(b, local, head[2], scope, first)
                if meant is not None:
                    _type_name(b, head[1], head[2], meant, usage)
                    return Operand(OperandKind.TYPE, meant, head, scope)
        return bind_head(b, head, scope, usage, first, None)
    operand = b.expression(head, scope)
    if operand.kind in (OperandKind.VALUE, OperandKind.TYPE, OperandKind.NAMESPACE, OperandKind.METHOD_GROUP):
        return operand
    return value(b.finish(operand))


def _member(
    b: Binder, receiver: Operand, link: Lowered, following: Lowered | None, scope: LocalScope, usage: Usage
) -> Operand:
    offset, name, arguments = link[1], link[2], link[4]
    invoked = following is not None and following[0] == Op.CALL
    kind = receiver.kind
    if kind is OperandKind.NAMESPACE:
        return _member_of_namespace(b, receiver, offset, name, arguments, scope, usage)
    if kind is OperandKind.METHOD_GROUP:
        b.method_group_reference(receiver, None)
        _missing(b, offset, name, arguments, invoked, usage, scope, "the receiver's type is not known")
        return UNKNOWN_VALUE
    type_ = receiver.type
    is_type = kind is OperandKind.TYPE
    if isinstance(type_, ErrorType):
        _missing(b, offset, name, arguments, invoked, usage, scope, "the receiver's type is not known", type_.text)
        return UNKNOWN_VALUE
    if isinstance(type_, DynamicType):
        _missing(b, offset, name, arguments, invoked, usage, scope, "dynamic")
        return value(type_)
    if not is_type and is_tuple(type_):
        element = _tuple_element(b, type_, name, offset, usage)
        if element is not None:
            return value(element)
    within = scope.within
    found = b.hierarchy.accessible(type_, name, within)
    if arguments and found:
        found = tuple(f for f in found if f.member.kind is MemberKind.METHOD)
    if found and invoked and found[0].member.kind is not MemberKind.METHOD and not _is_invocable(b, found[0]):
        found = ()
    if is_type and usage is not Usage.NAMEOF:
        static = found if all(f.member.is_static for f in found) else tuple(f for f in found if f.member.is_static)
        if not static:
            nested = _nested(b, type_, name, arguments, offset, scope, usage)
            if nested is not None:
                return nested
        found = static or found
    elif is_type and not found:
        nested = _nested(b, type_, name, arguments, offset, scope, usage)
        if nested is not None:
            return nested
    if not found:
        if not is_type:
            extension = _extension_property(b, receiver, name, offset, scope, usage) if not invoked else None
            if extension is not None:
                return extension
            operand = Operand(OperandKind.METHOD_GROUP, UNKNOWN, (offset, name), scope)
            operand.receiver, operand.name = type_, name
            if arguments is not None:
                operand.type_arguments = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments)
            if invoked or any(b.shared.extensions.groups(b.document, scope.resolver.scope, name)):
                return operand
        else:
            own = _of_blocks(b, type_, name)
            if own:
                return _use(b, own, type_, True, offset, name, arguments, scope, usage)
            static_extension = _static_extension(b, type_, name, offset, arguments, scope, usage)
            if static_extension is not None:
                return static_extension
        reason = "no such member" if b.hierarchy.is_complete(type_) else "a base type is not known"
        _missing(b, offset, name, arguments, invoked, usage, scope, reason, _display(type_))
        return UNKNOWN_VALUE
    return _use(b, found, type_, is_type, offset, name, arguments, scope, usage)


def _display(type_: Type) -> str | None:
    return type_.definition.name if isinstance(type_, NamedType) else None


def _missing(
    b: Binder,
    offset: int,
    name: str,
    arguments: Any,
    invoked: bool,
    usage: Usage,
    scope: LocalScope,
    reason: str,
    hint: str | None = None,
) -> None:
    for argument in arguments or ():
        if argument[0]:
            b.type(argument, scope.resolver)
    b.unresolved(RefKind.CALL if invoked else _KINDS[usage], offset, name, reason, hint)


def _tuple_element(b: Binder, type_: Type, name: str, offset: int, usage: Usage) -> Type | None:
    elements = tuple_elements(type_)
    if elements is None or not isinstance(type_, NamedType):
        return None
    if name in type_.element_names:
        index = type_.element_names.index(name)
        if index < 7:
            # A named element is the field of its place.
            for found in b.hierarchy.lookup(type_, f"Item{index + 1}"):
                _data_reference(b, found, offset, usage)
        return elements[index] if index < len(elements) else None
    if name.startswith("Item") and name[4:].isdigit() and 0 < int(name[4:]) <= len(elements):
        return elements[int(name[4:]) - 1] if len(elements) > 7 else None
    return None


def _nested(
    b: Binder, type_: Type, name: str, arguments: Any, offset: int, scope: LocalScope, usage: Usage
) -> Operand | None:
    if not isinstance(type_, NamedType):
        return None
    nested = b.hierarchy.table.nested_type(type_, name, len(arguments) if arguments else 0)
    if not isinstance(nested, NamedType):
        return None
    _type_name(b, offset, name, nested, usage)
    if arguments:
        own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments)
        nested = NamedType(nested.definition, (*nested.arguments, *own))
    return Operand(OperandKind.TYPE, nested, None, scope)


def _member_of_namespace(
    b: Binder, receiver: Operand, offset: int, name: str, arguments: Any, scope: LocalScope, usage: Usage
) -> Operand:
    project = b.shared.project
    full = f"{receiver.name}.{name}" if receiver.name else name
    definition = project.types_in(receiver.name, name, len(arguments) if arguments else 0, b.document.key.file_path)
    if definition is not None:
        own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
        found = NamedType(definition, own)
        _type_name(b, offset, name, found, usage)
        return Operand(OperandKind.TYPE, found, None, scope)
    if project.has_namespace(full):
        operand = Operand(OperandKind.NAMESPACE)
        operand.name = full
        return operand
    _missing(b, offset, name, arguments, False, usage, scope, "type not found", receiver.name)
    return UNKNOWN_VALUE


def _extension_property(
    b: Binder, receiver: Operand, name: str, offset: int, scope: LocalScope, usage: Usage
) -> Operand | None:
    """A property of an ``extension`` block in view (C# 14)."""
    for group in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        properties = [f for f in group if f.member.kind is MemberKind.PROPERTY and not f.member.is_static]
        if not properties:
            continue
        candidate = b.overloads.resolve(properties, (), (), scope.within, receiver).candidate
        if candidate is not None:
            _data_reference(b, candidate.found, offset, usage)
            return value(candidate.return_type)
    return None


def _static_extension(
    b: Binder, type_: Type, name: str, offset: int, arguments: Any, scope: LocalScope, usage: Usage
) -> Operand | None:
    """A static member of an ``extension`` block whose receiver is this type (C# 14)."""
    for group in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        fitting = [f for f in group if f.member.is_static and _extends(b, f.member, type_)]
        if fitting:
            return _use(b, fitting, type_, True, offset, name, arguments, scope, usage)
    return None


def _of_blocks(b: Binder, type_: Type, name: str) -> tuple[Found, ...]:
    """Members of a static class's ``extension`` blocks, which the class has in their static form (C# 14)."""
    definition = type_.definition if isinstance(type_, NamedType) else None
    if not isinstance(definition, SourceTypeDefinition):
        return ()
    return tuple(
        Found(member, NamedType(block), 0)
        for block in definition.nested.values()
        if block.declaration_kind is DeclarationKind.EXTENSION_BLOCK
        for member in b.hierarchy.members.of(block).get(name, ())
        if member.kind is MemberKind.METHOD
    )


def _extends(b: Binder, member: Member, type_: Type) -> bool:
    definition = member.definition
    if not isinstance(definition, SourceTypeDefinition):
        return False
    receiver = definition.parts[0].declaration.receiver
    if receiver is None or receiver.type is None:
        return False
    part = definition.parts[0]
    extended = b.hierarchy.table.resolver_for(part, definition).resolve(receiver.type.text)
    if isinstance(extended, NamedType) and isinstance(type_, NamedType) and class_type_parameters(definition):
        return extended.definition is type_.definition
    return b.conversions.reference(type_, extended)


# Calls


def _call(b: Binder, callee: Operand, link: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    arguments = b.arguments(link[2], scope)
    kind = callee.kind
    if kind is OperandKind.METHOD_GROUP:
        offset, name = callee.node
        local = scope.find(name) if not callee.found and callee.receiver is None else None
        if isinstance(local, LocalFunction):
            return _call_local(b, local, arguments)
        return _call_group(b, callee, arguments, offset, name, scope)
    if kind is OperandKind.VALUE:
        invoke = b.hierarchy.delegate_invoke(callee.type)
        if invoke is not None:
            candidate = b.resolve((invoke,), arguments, (), scope).candidate
            b.settle_arguments(arguments, candidate if candidate is not None else _positional(invoke, arguments))
            return value(substitute(invoke.member.type, invoke.container.arguments))
    b.settle_arguments(arguments, None)
    return value(callee.type) if isinstance(callee.type, DynamicType) else UNKNOWN_VALUE


def _positional(found: Found, arguments: Sequence[Argument]) -> Candidate | None:
    """Arguments paired with parameters by place, for settling what nothing else decides."""
    parameters = found.member.parameters
    if not parameters or len(arguments) > len(parameters):
        return None
    targets = [(p, substitute(p.type, found.container.arguments)) for p in parameters[: len(arguments)]]
    return Candidate(found, targets, (), False, False)


def _call_local(b: Binder, local: LocalFunction, arguments: Sequence[Argument]) -> Operand:
    parameters = local.parameters
    for index, argument in enumerate(arguments):
        parameter = next((p for p in parameters if p.name == argument.name), None) if argument.name else None
        if parameter is None and index < len(parameters):
            parameter = parameters[index]
        target = parameter.type if parameter is not None and not local.type_parameter_count else None
        operand = argument.operand
        if operand.kind is OperandKind.OUT_VARIABLE:
            if operand.node and operand.scope is not None:
                operand.scope.declare(operand.node, target if target is not None else UNKNOWN)
        else:
            b.convert(operand, target)
    return value(local.returns if not local.type_parameter_count else UNKNOWN)


def _call_group(
    b: Binder, callee: Operand, arguments: Sequence[Argument], offset: int, name: str, scope: LocalScope
) -> Operand:
    group = callee.found
    if callee.receiver is not None and not callee.receiver_is_type:
        group = b.hierarchy.instance_members(group)
    if any(b.is_dynamic(a.operand) for a in arguments) and len(group) != 1:
        b.settle_arguments(arguments, None)
        b.unresolved(RefKind.CALL, offset, name, "dynamic")
        return value(DynamicType())
    rejected: Sequence[Found] = group
    if group:
        resolution = b.resolve(group, arguments, callee.type_arguments, scope)
        if resolution.candidate is not None:
            return _called(b, resolution.candidate, arguments, offset, 0, resolution.exact)
        rejected = resolution.rejected
        decided = len(rejected) < len(group)
    else:
        decided = False
    if callee.receiver is not None and not callee.receiver_is_type and not decided:
        extension = scope.extensions(name, value(callee.receiver), arguments, callee.type_arguments)
        if extension.candidate is not None:
            return _called(b, extension.candidate, arguments, offset, 1, extension.exact)
        if not group:
            rejected = extension.rejected
    return _undecided_call(b, callee, rejected, arguments, offset, name, scope)


def _called(
    b: Binder, candidate: Candidate, arguments: Sequence[Argument], offset: int, skip: int, exact: bool
) -> Operand:
    b.member_reference(RefKind.CALL, offset, candidate.found, Confidence.HIGH if exact else Confidence.MEDIUM)
    b.settle_arguments(arguments, candidate, skip)
    return value(candidate.return_type)


def _undecided_call(
    b: Binder,
    callee: Operand,
    rejected: Sequence[Found],
    arguments: Sequence[Argument],
    offset: int,
    name: str,
    scope: LocalScope,
) -> Operand:
    """No method is applicable, or several are. One that alone fits by its number of parameters is named, with less confidence, when an
    argument's type is not known."""
    own = [f for f in rejected if callee.found]
    fitting = [f for f in own if _accepts_count(f, len(arguments))] or own
    ids = {f.member.symbol_id for f in fitting}
    if len(ids) == 1 and (len(own) == 1 or b.any_unknown(arguments)):
        found = fitting[0]
        b.member_reference(RefKind.CALL, offset, found, Confidence.MEDIUM)
        b.settle_arguments(arguments, _positional(found, arguments))
        if found.member.signature.type_parameters:
            return UNKNOWN_VALUE
        return value(b.hierarchy.member_type(found))
    b.settle_arguments(arguments, None)
    if not rejected:
        complete = callee.receiver is None or b.hierarchy.is_complete(callee.receiver)
        reason = "no method of this name is in view" if complete else "a base type is not known"
    else:
        reason = "several overloads fit" if len(fitting) > 1 else "no overload fits the arguments"
    b.unresolved(RefKind.CALL, offset, name, reason, _display(callee.receiver) if callee.receiver is not None else None)
    results = {b.hierarchy.member_type(f) for f in fitting if not f.member.signature.type_parameters}
    return value(results.pop()) if len(results) == 1 and len(fitting) == len(own) else UNKNOWN_VALUE


def _accepts_count(found: Found, count: int) -> bool:
    parameters = found.member.parameters
    required = sum(not p.is_optional and not p.is_params for p in parameters)
    return required <= count and (count <= len(parameters) or (bool(parameters) and parameters[-1].is_params))


# Element access


def _index(b: Binder, receiver: Operand, link: Lowered, scope: LocalScope, usage: Usage) -> Operand:
    arguments = b.arguments(link[2], scope)
    offset = link[1]
    type_ = receiver.type
    if receiver.kind is not OperandKind.VALUE or isinstance(type_, (ErrorType, DynamicType)):
        b.settle_arguments(arguments, None)
        return value(type_) if isinstance(type_, DynamicType) else UNKNOWN_VALUE
    if isinstance(type_, (ArrayType, PointerType)):
        b.settle_arguments(arguments, None)
        if arguments and _is_system(arguments[0].operand.type, "Range"):
            return value(type_)
        return value(type_.element)
    group = b.hierarchy.accessible(type_, INDEXER_NAME, scope.within)
    resolution = b.resolve(group, arguments, (), scope)
    candidate = resolution.candidate
    if candidate is not None:
        kind = RefKind.NAMEOF if usage is Usage.NAMEOF else RefKind.READ if usage is Usage.READ else RefKind.WRITE
        b.member_reference(kind, offset, candidate.found, Confidence.HIGH if resolution.exact else Confidence.MEDIUM)
        b.settle_arguments(arguments, candidate)
        return value(candidate.return_type)
    b.settle_arguments(arguments, None)
    if arguments and _is_system(arguments[0].operand.type, "Range"):
        return _slice(b, type_)
    if arguments and _is_system(arguments[0].operand.type, "Index"):
        integer = [
            f for f in group if len(f.member.parameters) == 1 and _is_system(f.member.parameters[0].type, "Int32")
        ]
        if integer:
            b.member_reference(RefKind.READ if usage is Usage.READ else RefKind.WRITE, offset, integer[0])
            return value(b.hierarchy.member_type(integer[0]))
    if len(group) == 1:
        return value(b.hierarchy.member_type(group[0]))
    return UNKNOWN_VALUE


def _slice(b: Binder, type_: Type) -> Operand:
    """A range of a type with ``Slice`` or, of strings, ``Substring`` (ECMA-334 §18.8)."""
    if _is_system(type_, "String"):
        return value(type_)
    for found in b.hierarchy.lookup(type_, "Slice"):
        if len(found.member.parameters) == 2:
            return value(b.hierarchy.member_type(found))
    return UNKNOWN_VALUE


def _is_system(type_: Type, name: str) -> bool:
    return isinstance(type_, NamedType) and type_.definition.system_name == name
