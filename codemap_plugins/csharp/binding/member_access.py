"""Member access ``E.I`` (ECMA-334 §12.8.7): members of namespaces, types and values, extension members last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundMethodGroup,
    BoundNamespace,
    BoundTypeName,
    BoundValue,
    in_doubt,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.constraints import satisfies_constraints
from codemap_plugins.csharp.binding.extensions import methods_of_values
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.lookup import Found, LookupResult, PassedOver
from codemap_plugins.csharp.binding.members import UNKNOWN, Member, MemberKind
from codemap_plugins.csharp.binding.names import data_reference, is_base, type_name, use_member, with_static_forms
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.binding.special_types import is_tuple, tuple_elements
from codemap_plugins.csharp.binding.usage import KINDS, Usage
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.definitions import LibraryExtensionBlock, SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import (
    DynamicType,
    ErrorType,
    NamedType,
    Type,
    documentation_id,
    substitute,
)

_CALL: Final = Op.CALL.value


def bind_member(
    b: Binder, receiver: BoundExpression, link: Lowered, following: Lowered | None, scope: LocalScope, usage: Usage
) -> BoundExpression:
    offset, name, arguments = link[1], link[2], link[4]
    invoked = following is not None and following[0] == _CALL
    if isinstance(receiver, BoundNamespace):
        return _member_of_namespace(b, receiver, offset, name, arguments, scope, usage)
    if isinstance(receiver, BoundMethodGroup):
        b.method_group_reference(receiver, None)
        _missing(b, offset, name, arguments, invoked, usage, scope, UnresolvedReason.RECEIVER_UNKNOWN)
        return UNKNOWN_VALUE
    type_ = receiver.type
    is_type = isinstance(receiver, BoundTypeName)
    if isinstance(type_, ErrorType):
        if type_.base is not None:
            # The type that was not found may hide what it inherits.
            lookup = b.hierarchy.invocable if invoked else b.hierarchy.accessible
            result = lookup(type_.base, name, scope.within, True)
            if result.found:
                return use_member(b, result, type_.base, False, offset, name, arguments, scope, usage, unsure=True)
        reason = UnresolvedReason.RECEIVER_UNKNOWN
        extending = _extending(b, type_, name, scope) if invoked and not is_type else ()
        if extending:
            own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
            return BoundMethodGroup(offset, name, scope, LookupResult(extending), own, type_)
        hint = _unresolved_before(b, offset) if type_ is UNKNOWN else simple_name(type_)
        written = _missing(b, offset, name, arguments, invoked, usage, scope, reason, hint)
        if invoked and not is_type:
            return BoundMethodGroup(offset, name, scope, type_arguments=written, receiver=type_)
        return UNKNOWN_VALUE
    if isinstance(type_, DynamicType):
        _missing(b, offset, name, arguments, invoked, usage, scope, UnresolvedReason.DYNAMIC)
        return value(type_)
    if not is_type and is_tuple(type_):
        element = tuple_element(b, receiver, name, offset, usage, invoked)
        if element is not None:
            return element
    unsure = in_doubt(receiver)
    within = scope.within
    lookup = b.hierarchy.invocable if invoked else b.hierarchy.accessible
    result = lookup(type_, name, within, not is_type and not is_base(receiver))
    if is_type:
        result = with_static_forms(b, result.static if usage is not Usage.NAMEOF else result, type_, name)
    if arguments:
        result = result.methods
    if is_type and usage is not Usage.NAMEOF:
        if not any(f.member.is_static or f.member.is_extension for f in result.found):
            nested = _nested(b, type_, name, arguments, offset, scope, usage)
            if nested is not None:
                return nested
    elif is_type and not result.found:
        nested = _nested(b, type_, name, arguments, offset, scope, usage)
        if nested is not None:
            return nested
    if not result.found:
        if not is_type:
            extension = extension_property(b, receiver, name, offset, scope, usage) if not invoked else None
            if extension is not None:
                return extension
            own_arguments = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
            operand = BoundMethodGroup(
                offset, name, scope, lookup=result, type_arguments=own_arguments, receiver=type_, unsure=unsure
            )
            groups = b.shared.extensions.groups(b.document, scope.resolver.scope, name)
            if invoked or any(map(methods_of_values, groups)):
                return operand
        else:
            static_extension = _static_extension(b, type_, name, offset, arguments, scope, usage)
            if static_extension is not None:
                return static_extension
        reason = (
            UnresolvedReason.NO_SUCH_MEMBER if b.hierarchy.is_complete(type_) else UnresolvedReason.BASE_TYPE_UNKNOWN
        )
        _missing(b, offset, name, arguments, invoked, usage, scope, reason, simple_name(type_), result.passed_over)
        return UNKNOWN_VALUE
    through_base = is_base(receiver)
    return use_member(b, result, type_, is_type, offset, name, arguments, scope, usage, through_base, unsure=unsure)


def _extending(b: Binder, type_: ErrorType, name: str, scope: LocalScope) -> tuple[Found, ...]:
    """The nearest extension methods in view that are declared for a type that was not found, by the name that it has where it is used."""
    if type_ is UNKNOWN:
        return ()
    for group in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        found = tuple(
            each
            for each in methods_of_values(group)
            if each.member.parameters and each.member.parameters[0].type is type_.as_written
        )
        if found:
            return found
    return ()


def _unresolved_before(b: Binder, offset: int) -> str:
    """The name before the dot, where that is all that is known of the receiver: ``Inner`` of ``Missing.Inner.None``, whether it names
    a type or a value. Else the text of what is unknown."""
    last = b.references[-1] if b.references else None
    if last is None or last.target is not None:
        return UNKNOWN.text
    return last.name if last.offset + len(last.name) + 1 == offset else UNKNOWN.text


def simple_name(type_: Type) -> str | None:
    """What a type is called, without its container and type arguments; null for one that has no name."""
    if isinstance(type_, ErrorType):
        return type_.text.rpartition(".")[2]
    return type_.definition.name if isinstance(type_, NamedType) else None


def _missing(
    b: Binder,
    offset: int,
    name: str,
    arguments: Any,
    invoked: bool,
    usage: Usage,
    scope: LocalScope,
    reason: UnresolvedReason,
    hint: str | None = None,
    passed_over: Sequence[PassedOver] = (),
) -> tuple[Type, ...]:
    """The type arguments, which are bound all the same."""
    own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
    use = Use(None, passed_over=passed_over) if passed_over and b.shared.keeps_losers else None
    b.unresolved(RefKind.CALL if invoked else KINDS[usage], offset, name, reason, hint, use)
    return own


def tuple_element(
    b: Binder, receiver: BoundExpression, name: str, offset: int, usage: Usage, invoked: bool = False
) -> BoundValue | None:
    """The element of a tuple that a name means. One that cannot be invoked is not meant where it is (ECMA-334 §12.5.1)."""
    type_ = receiver.type
    elements = tuple_elements(type_)
    if elements is None or not isinstance(type_, NamedType):
        return None
    if name in type_.element_names:
        index = type_.element_names.index(name)
    elif len(elements) > 7 and name.startswith("Item") and name[4:].isdigit() and 0 < int(name[4:]) <= len(elements):
        index = int(name[4:]) - 1
    else:
        return None
    if invoked and index < len(elements) and not b.hierarchy.can_be_invoked(elements[index]):
        return None
    confidence = Confidence.LOW if in_doubt(receiver) else Confidence.HIGH
    if len(elements) > 7:
        # Where tuples are nested, an element belongs to the constructed tuple as a whole: the compiler's id says so.
        target = f"F:{documentation_id(type_)}.Item{index + 1}"
        b.references.append(Reference(KINDS[usage], offset, name, target, external=True, confidence=confidence))
    else:
        # A named element is the field of its place.
        for found in b.hierarchy.lookup(type_, f"Item{index + 1}"):
            data_reference(b, found, offset, usage, confidence=confidence)
    return value_from(elements[index], receiver) if index < len(elements) else None


def _nested(
    b: Binder, type_: Type, name: str, arguments: Any, offset: int, scope: LocalScope, usage: Usage
) -> BoundExpression | None:
    if not isinstance(type_, NamedType):
        return None
    nested = b.hierarchy.table.nested_type(type_, name, len(arguments) if arguments else 0)
    if not isinstance(nested, NamedType) or not b.shared.project.can_see_nested(nested.definition, scope.within):
        return None
    type_name(b, offset, nested, usage)
    if arguments:
        own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments)
        nested = NamedType(nested.definition, (*nested.arguments, *own))
    return BoundTypeName(nested)


def _member_of_namespace(
    b: Binder, receiver: BoundNamespace, offset: int, name: str, arguments: Any, scope: LocalScope, usage: Usage
) -> BoundExpression:
    project = b.shared.project
    full = f"{receiver.name}.{name}" if receiver.name else name
    definition = project.types_in(receiver.name, name, len(arguments) if arguments else 0, b.document.key.file_path)
    if definition is not None:
        own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
        found = NamedType(definition, own)
        type_name(b, offset, found, usage)
        return BoundTypeName(found)
    if project.has_namespace(full):
        return BoundNamespace(full)
    _missing(b, offset, name, arguments, False, usage, scope, UnresolvedReason.TYPE_NOT_FOUND, receiver.name)
    return UNKNOWN_VALUE


def extension_property(
    b: Binder, receiver: BoundExpression, name: str, offset: int, scope: LocalScope, usage: Usage
) -> BoundValue | None:
    """A property of an ``extension`` block in view (C# 14)."""
    for group in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        properties = [f for f in group if f.member.kind is MemberKind.PROPERTY and not f.member.is_static]
        if not properties:
            continue
        candidate = b.overloads.resolve(properties, (), (), scope.within, receiver).candidate
        if candidate is not None:
            confidence = Confidence.LOW if in_doubt(receiver) else Confidence.HIGH
            data_reference(b, candidate.found, offset, usage, confidence=confidence)
            return value_from(candidate.return_type, receiver)
    return None


def _static_extension(
    b: Binder, type_: Type, name: str, offset: int, arguments: Any, scope: LocalScope, usage: Usage
) -> BoundExpression | None:
    """A static member of an ``extension`` block whose receiver is this type (C# 14)."""
    for group in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        taking = [(f, taken) for f in group if f.member.is_static and (taken := _extended(b, f.member, type_))]
        if not taking:
            continue
        data = [each for each in taking if each[0].member.kind is not MemberKind.METHOD]
        if data:
            found, taken = _most_specific(b, data)
            data_reference(b, found, offset, usage)
            return value(substitute(found.member.type, (), taken.arguments))
        methods = tuple(found for found, _ in taking)
        own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
        # What the receiver says of the block's type parameters goes ahead of the method's own, where they are known.
        given = {taken.arguments for _, taken in taking}
        if len(given) == 1 and (own or not any(found.member.arity for found in methods)):
            own = (*given.pop(), *own)
        return BoundMethodGroup(offset, name, scope, LookupResult(methods), own, type_, True)
    return None


class _Extended(NamedTuple):
    """What the ``extension`` block of a member extends, for a receiver; ``arguments``: those of the block's type parameters."""

    type: Type
    arguments: tuple[Type, ...]


def _most_specific(b: Binder, taking: Sequence[tuple[Found, _Extended]]) -> tuple[Found, _Extended]:
    """That of the type which converts to every other one."""
    return next(
        (each for each in taking if all(b.conversions.reference(each[1].type, other.type) for _, other in taking)),
        taking[0],
    )


def _extended(b: Binder, member: Member, type_: Type) -> _Extended | None:
    """Null where the block does not take in ``type_``."""
    definition = member.definition
    if isinstance(definition, LibraryExtensionBlock):
        extended = b.hierarchy.table.libraries.extended(definition)
        count = len(definition.declared.type_parameters)
    elif isinstance(definition, SourceTypeDefinition):
        part = definition.parts[0]
        receiver = part.declaration.receiver
        if receiver is None or receiver.type is None:
            return None
        extended = b.hierarchy.table.resolver_for(part, definition).resolve(receiver.type.text)
        count = len(definition.own_parameters)
    else:
        return None
    arguments: tuple[Type, ...] = ()
    if count:
        inferred = b.shared.inference.infer(count, ((value(type_), extended, 0),))
        if inferred is None or not satisfies_constraints(b.hierarchy, b.conversions, member, (), inferred):
            return None
        extended, arguments = substitute(extended, (), inferred), inferred
    return _Extended(extended, arguments) if b.conversions.reference(type_, extended) else None
