"""Simple names (ECMA-334 §12.8.4): locals, members of enclosing types from the inside out, types and namespaces, ``using static``;
and what a name that means two things means here (Color Color, §12.8.7.2)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Any, Final, NamedTuple

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundMethodGroup,
    BoundNamespace,
    BoundTypeName,
    BoundValue,
    value,
)
from codemap_plugins.csharp.binding.doubt import is_sure, may_miss_members
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope, LocalVariable
from codemap_plugins.csharp.binding.lookup import Found, LookupResult
from codemap_plugins.csharp.binding.members import UNKNOWN, MemberKind
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import is_system
from codemap_plugins.csharp.binding.usage import KINDS, Usage
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.page_names import OF_XAML
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.project_scope import Namespace
from codemap_plugins.csharp.symbols.types import (
    ErrorType,
    NamedType,
    Type,
    TypeDefinition,
    TypeParameterType,
)

_ALIAS_NAME: Final = Op.ALIAS_NAME.value
_CALL: Final = Op.CALL.value
_GENERIC_NAME: Final = Op.GENERIC_NAME.value
_MEMBER: Final = Op.MEMBER.value


@binds(Op.NAME, Op.GENERIC_NAME, Op.ALIAS_NAME)
def bind_name_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return bind_head(b, node, scope, Usage.READ, None, target)


@binds(Op.THIS)
def bind_this(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    within = scope.within
    return value(within.own_type) if within is not None else UNKNOWN_VALUE


@binds(Op.BASE)
def bind_base(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    within = scope.within
    if within is None:
        return UNKNOWN_VALUE
    base = b.hierarchy.base_class(within.own_type)
    if base is None or _base_is_missing(b, within):
        return UNKNOWN_VALUE
    return BoundValue(base, is_base=True)


def is_base(operand: BoundExpression) -> bool:
    """``base``, which protected members are reached through from anywhere in a derived class (ECMA-334 §7.5.4)."""
    return isinstance(operand, BoundValue) and operand.is_base


def _base_is_missing(b: Binder, within: SourceTypeDefinition) -> bool:
    return any(isinstance(base, ErrorType) for base in b.hierarchy.table.bases_of(within))


@binds(Op.TYPE)
def bind_type_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return BoundTypeName(b.type(node[1], scope.resolver))


def bind_head(
    b: Binder,
    node: Lowered,
    scope: LocalScope,
    usage: Usage,
    next_link: Lowered | None,
    target: Type | None,
    call: Lowered | None = None,
) -> BoundExpression:
    """A simple name (ECMA-334 §12.8.4). ``next_link``: what follows it in a chain; ``call``: what follows that, where it is a call."""
    op = node[0]
    if op == _ALIAS_NAME:
        return _alias_name(b, node, scope, usage)
    offset, name = node[1], node[2]
    arguments = node[3] if op == _GENERIC_NAME else None
    invoked = next_link is not None and next_link[0] == _CALL
    local = scope.find(name)
    if b.file.keeps_locals and local is not None:
        b.file.locals[offset] = local
    arity = len(arguments) if arguments is not None else 0
    if isinstance(local, LocalFunction):
        if invoked or arity in (0, local.type_parameter_count):
            own = tuple(b.type(a, scope.resolver) for a in arguments or ())
            return BoundMethodGroup(offset, name, scope, LookupResult(local.found), own)
    elif local is not None and arguments is None:
        if isinstance(local, LocalVariable):
            return BoundValue(
                local.type, local.constant, is_unsure=local.is_unsure, is_constant_text=local.is_constant_text
            )
        return value(local)
    member = _member_of_enclosing(b, name, scope, invoked, arity)
    if member is not None:
        if isinstance(member, BoundExpression):
            named = color_color_local(b, member.type, name, scope, next_link, call)
            if named is not None:
                type_name(b, offset, named, usage)
                return BoundTypeName(named)
            if b.file.keeps_locals:
                b.file.locals[offset] = member.type
            return member
        found_members = member.lookup.found
        color = _color_color(b, found_members, name, arity, scope, next_link, usage, call)
        if color is not None:
            if isinstance(color, BoundTypeName):
                type_name(b, offset, color.type, usage)
            return color
        accessed = next_link is not None and next_link[0] == _MEMBER
        unsure = member.unsure or (accessed and _may_name_its_type(b, found_members[0], name))
        return use_member(
            b, member.lookup, None, False, offset, name, arguments, scope, usage, home=member.home, unsure=unsure
        )
    found = _type_or_namespace(b, name, arity, scope)
    if isinstance(found, Namespace):
        return BoundNamespace(found.name)
    if isinstance(found, TypeParameterType):
        return BoundTypeName(found)
    imported: tuple[Found, ...] = ()
    if invoked or not isinstance(found, NamedType):
        imported = imported_statically(b, name, scope, invoked)
    elif next_link is None and _is_imported(b, found.definition, scope):
        # Of a type and methods that using directives bring alike, a value is of the methods.
        imported = tuple(f for f in imported_statically(b, name, scope, False) if f.member.kind is MemberKind.METHOD)
    if isinstance(found, NamedType) and not imported:
        doubt = _doubt_of_type(b, found, scope, usage, next_link)
        if doubt is _TypeDoubt.RULED_OUT:
            kind = RefKind.CALL if invoked else KINDS[usage]
            b.unresolved(kind, offset, name, UnresolvedReason.BASE_TYPE_UNKNOWN)
            return UNKNOWN_VALUE
        confidence = Confidence.LOW if doubt is _TypeDoubt.OPEN else Confidence.HIGH
        type_name(b, offset, found, usage, confidence)
        if arguments is not None:
            own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments)
            found = NamedType(found.definition, (*found.arguments, *own))
        return BoundTypeName(found)
    if imported:
        unsure = _may_be_inherited(b, scope)
        return use_member(b, LookupResult(imported), None, True, offset, name, arguments, scope, usage, unsure=unsure)
    if invoked and arity:
        of_other_arity = _member_of_enclosing(b, name, scope, invoked, None)
        if isinstance(of_other_arity, _Enclosed):
            lookup, home = of_other_arity.lookup, of_other_arity.home
            return use_member(b, lookup, None, False, offset, name, arguments, scope, usage, home=home)
    if arguments is not None:
        for argument in arguments:
            if argument[0]:
                b.type(argument, scope.resolver)
    if name != "_":
        kind = RefKind.CALL if invoked else KINDS[usage]
        reason = UnresolvedReason.AMBIGUOUS if isinstance(found, ErrorType) else _reason_for_missing(b, scope)
        b.unresolved(kind, offset, name, reason)
    return UNKNOWN_VALUE


def _reason_for_missing(b: Binder, scope: LocalScope) -> UnresolvedReason:
    return (
        UnresolvedReason.BASE_TYPE_UNKNOWN if _may_be_inherited(b, scope) else UnresolvedReason.NO_DECLARATION_IN_VIEW
    )


class _TypeDoubt(Enum):
    """Whether a name that means a type means a member instead, of a base that was not found: members come first (ECMA-334 §12.8.4)."""

    NONE = auto()
    OPEN = auto()
    RULED_OUT = auto()
    """It has to be a member: the name stands where a value does."""


def _doubt_of_type(
    b: Binder, type_: NamedType, scope: LocalScope, usage: Usage, next_link: Lowered | None
) -> _TypeDoubt:
    if not _may_be_inherited(b, scope) or _is_in_enclosing(type_.definition, scope):
        return _TypeDoubt.NONE
    if usage is Usage.NAMEOF:
        return _TypeDoubt.OPEN
    if next_link is None or next_link[0] != _MEMBER:
        return _TypeDoubt.RULED_OUT
    wanted = next_link[2]
    members = b.hierarchy.lookup(type_, wanted)
    if not members:
        return _TypeDoubt.NONE if b.hierarchy.table.nested_type(type_, wanted, 0) is not None else _TypeDoubt.OPEN
    return _TypeDoubt.NONE if any(each.member.is_static for each in members) else _TypeDoubt.RULED_OUT


def _is_imported(b: Binder, definition: TypeDefinition, scope: LocalScope) -> bool:
    """It is in view by a using directive, and neither nested in an enclosing type nor of a namespace around."""
    levels = b.document.levels(scope.resolver.scope)
    return not _is_in_enclosing(definition, scope) and all(level.namespace != definition.namespace for level in levels)


def _is_in_enclosing(definition: TypeDefinition, scope: LocalScope) -> bool:
    """It is an enclosing type, or nested in one."""
    levels = scope.within.enclosing if scope.within is not None else ()
    return any(definition is level or definition in level.nested.values() for level in levels)


def _may_be_inherited(b: Binder, scope: LocalScope) -> bool:
    """An enclosing type has a base that was not found."""
    hierarchy = b.hierarchy
    levels = scope.within.enclosing if scope.within is not None else ()
    return any(may_miss_members(hierarchy, level.own_type) for level in levels)


def type_name(b: Binder, offset: int, type_: Type, usage: Usage, confidence: Confidence = Confidence.HIGH) -> None:
    if isinstance(type_, NamedType):
        kind = RefKind.NAMEOF if usage is Usage.NAMEOF else RefKind.TYPE
        b.type_reference(offset, type_.definition, kind, confidence)


class _Enclosed(NamedTuple):
    """Members of an enclosing type, ``home``. ``unsure``: a type further in has a base that was not found."""

    lookup: LookupResult
    home: Type
    unsure: bool


def _member_of_enclosing(
    b: Binder, name: str, scope: LocalScope, invoked: bool, arity: int | None
) -> _Enclosed | BoundExpression | None:
    """A member, or captured primary-constructor parameter, of the enclosing types, from the inside out. ``arity``: how many type arguments
    stand behind the name, which a method has to take; null for a method that takes any."""
    within = scope.within
    if within is None:
        return None
    hierarchy = b.hierarchy
    unsure = False
    for level in within.enclosing:
        if scope.in_initializer and level is within:
            parameter = primary_parameter(b, level, name)
            if parameter is not None:
                return parameter
        if level.member_class is not level:
            continue  # what an ``extension`` block declares is found in the class around it
        own = level.own_type
        lookup = hierarchy.invocable(own, name, within) if invoked else hierarchy.accessible(own, name, within)
        # Without an instance the static members of a group are meant, where it has some (C# 7.3).
        lookup = with_static_forms(b, lookup.static if scope.surroundings.is_static else lookup, own, name)
        if arity is None:
            lookup = lookup.methods
        elif arity:
            lookup = lookup.of_arity(arity)
        if lookup.found:
            if not invoked and _is_nested_further_in(b, name, arity or 0, within, level, lookup.found[0]):
                return None
            return _Enclosed(lookup, own, unsure)
        unsure = unsure or may_miss_members(hierarchy, own)
        parameter = primary_parameter(b, level, name)
        if parameter is not None:
            return parameter
    return None


def _is_nested_further_in(
    b: Binder, name: str, arity: int, within: SourceTypeDefinition, level: SourceTypeDefinition, found: Found
) -> bool:
    """Whether a type of the name is nested nearer than a member that was found in ``level``: in a type further in, or in ``level`` itself
    below the base that declares the member (ECMA-334 §12.5, §12.8.4)."""
    table = b.hierarchy.table
    if found.level and table.nested_type(level.own_type, name, arity, inherited=False) is not None:
        return True
    for inner in within.enclosing:
        if inner is level:
            return False
        if inner.member_class is inner and table.nested_type(inner.own_type, name, arity) is not None:
            return True
    return False


def with_static_forms(b: Binder, found: LookupResult, type_: Type, name: str) -> LookupResult:
    """``found`` in a type, with the methods of its ``extension`` blocks, which it has in their static form (C# 14)."""
    definition = type_.definition if isinstance(type_, NamedType) else None
    if not isinstance(definition, SourceTypeDefinition):
        return found
    flags: int = definition.modifiers
    if not flags & bits.STATIC:
        return found
    if found.found and found.found[0].member.kind is not MemberKind.METHOD:
        return found
    return found.beside(
        tuple(
            Found(member, NamedType(block), 0)
            for block in definition.nested.values()
            if block.member_class is definition
            for member in b.hierarchy.members.of(block).get(name, ())
            if member.kind is MemberKind.METHOD
        )
    )


def primary_parameter(b: Binder, level: SourceTypeDefinition, name: str) -> BoundExpression | None:
    for part in level.parts:
        if not part.declaration.has_primary_constructor:
            continue
        for parameter in part.declaration.parameters:
            if parameter.name == name and parameter.type is not None:
                resolver = b.hierarchy.table.resolver_for(part, level)
                return value(resolver.resolve(parameter.type.text))
    return None


def _type_or_namespace(b: Binder, name: str, arity: int, scope: LocalScope) -> Namespace | Type | None:
    resolver = scope.resolver
    if arity == 0 and name in resolver.own_parameters:
        return resolver.own_parameters[name]
    if resolver.enclosing is not None:
        found = b.hierarchy.table.lookup_in_type(resolver.enclosing, name, arity)
        if found is not None:
            return found
    return b.document.lookup_in_namespaces(resolver.scope, name, arity)


def imported_statically(b: Binder, name: str, scope: LocalScope, invoked: bool) -> tuple[Found, ...]:
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
                    and not (invoked and member.kind is not MemberKind.METHOD and not b.hierarchy.is_invocable(each))
                    and b.hierarchy.can_access(each, scope.within)
                    and each not in found
                ):
                    found.append(each)
        if found:
            return tuple(found)
    return ()


def _alias_name(b: Binder, node: Lowered, scope: LocalScope, usage: Usage) -> BoundExpression:
    alias_offset, alias, offset, name, arguments = node[1], node[2], node[3], node[4], node[5]
    arity = len(arguments) if arguments else 0
    project = b.shared.project
    is_xaml = b.document.outline.page in OF_XAML
    targets: Iterable[Namespace | Type | None]
    if is_xaml:
        targets = b.document.joint_targets(alias)
    else:
        targets = (Namespace("") if alias == "global" else _type_or_namespace(b, alias, 0, scope),)
    own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
    for each in targets:
        if not isinstance(each, Namespace):
            continue
        full = f"{each.name}.{name}" if each.name else name
        definition = project.types_in(each.name, name, arity, b.document.key.file_path)
        if definition is not None:
            found = NamedType(definition, own)
            type_name(b, offset, found, usage)
            return BoundTypeName(found)
        if project.has_namespace(full):
            return BoundNamespace(full)
    hint = alias if alias_offset and not is_xaml else None
    b.unresolved(RefKind.TYPE, offset, name, UnresolvedReason.TYPE_NOT_FOUND, hint)
    return UNKNOWN_VALUE


def _color_color(
    b: Binder,
    found: tuple[Found, ...],
    name: str,
    arity: int,
    scope: LocalScope,
    next_link: Lowered | None,
    usage: Usage,
    call: Lowered | None,
) -> BoundExpression | None:
    """ECMA-334 §12.8.7.2: a name, perhaps an alias, that means both a variable and that variable's type is what the member after it needs.
    A type operand is the answer when it is the type; null leaves the variable."""
    if (
        next_link is None
        or next_link[0] != _MEMBER
        or arity
        or found[0].member.kind in (MemberKind.METHOD, MemberKind.INDEXER)
    ):
        return None
    type_ = b.hierarchy.member_type(found[0])
    meant = _of_its_name(b, type_, name, scope)
    if meant is None or not isinstance(type_, NamedType):
        return None
    wanted = next_link[2]
    is_type = _is_static(b, type_, wanted, call) or b.hierarchy.table.nested_type(meant, wanted, 0) is not None
    if usage is Usage.NAMEOF and not is_type:  # Nothing chooses from methods there, and the compiler says the type.
        is_type = any(each.member.kind is MemberKind.METHOD for each in b.hierarchy.lookup(type_, wanted)[:1])
    return BoundTypeName(meant) if is_type else None


def _of_its_name(b: Binder, type_: Type, name: str, scope: LocalScope) -> NamedType | None:
    """The type of a variable where its name, or an alias, is that of the variable too."""
    if not isinstance(type_, NamedType):
        return None
    if type_.definition.name != name and not b.document.has_alias(scope.resolver.scope, name):
        return None
    meant = _type_or_namespace(b, name, 0, scope)
    return meant if isinstance(meant, NamedType) and meant.definition is type_.definition else None


def _may_name_its_type(b: Binder, found: Found, name: str) -> bool:
    """The name may mean the variable's type, which is called so and was not found: what is accessed would tell."""
    if found.member.kind is MemberKind.METHOD:
        return False
    type_ = b.hierarchy.member_type(found)
    return isinstance(type_, ErrorType) and type_.text.rpartition(".")[2] == name


def _is_static(b: Binder, type_: Type, name: str, call: Lowered | None) -> bool:
    """The member of the name is static; of several methods, those are that take as many arguments as the call has."""
    members = b.hierarchy.lookup(type_, name)
    if call is not None:
        count = len(call[2])
        members = tuple(each for each in members if each.member.minimum <= count <= each.member.maximum) or members
    return bool(members) and all(each.member.is_static for each in members)


def color_color_local(
    b: Binder, local: Type, name: str, scope: LocalScope, next_link: Lowered | None, call: Lowered | None
) -> Type | None:
    if next_link is None or next_link[0] != _MEMBER:
        return None
    meant = _of_its_name(b, local, name, scope)
    return meant if meant is not None and _is_static(b, meant, next_link[2], call) else None


def use_member(
    b: Binder,
    lookup: LookupResult,
    receiver: Type | None,
    receiver_is_type: bool,
    offset: int,
    name: str,
    arguments: Any,
    scope: LocalScope,
    usage: Usage,
    through_base: bool = False,
    home: Type | None = None,
    unsure: bool = False,
) -> BoundExpression:
    """What lookup found, as an expression; a property, field or event is a reference. ``home`` and ``unsure`` are those of a
    ``BoundMethodGroup``."""
    found = lookup.found
    first = found[0].member
    if first.kind in (MemberKind.METHOD, MemberKind.OPERATOR, MemberKind.CONSTRUCTOR):
        own = tuple(b.type(a, scope.resolver) if a[0] else UNKNOWN for a in arguments or ())
        return BoundMethodGroup(
            offset, name, scope, lookup, own, receiver, receiver_is_type, through_base, home, unsure
        )
    sought = receiver if receiver is not None else home
    sure = not unsure and (sought is None or is_sure(b.hierarchy, sought, found[0]))
    data_reference(b, found[0], offset, usage, receiver, through_base, Confidence.HIGH if sure else Confidence.LOW)
    type_ = b.hierarchy.member_type(found[0])
    is_text = first.is_constant and is_system(type_, "String")
    return BoundValue(type_, b.hierarchy.constant(first), is_unsure=not sure, is_constant_text=is_text)


def data_reference(
    b: Binder,
    found: Found,
    offset: int,
    usage: Usage,
    receiver: Type | None = None,
    through_base: bool = False,
    confidence: Confidence = Confidence.HIGH,
) -> None:
    member = found.member
    if not member.symbol_id:
        return
    kind = KINDS[usage]
    if usage is Usage.SUBSCRIBE and member.kind is MemberKind.EVENT:
        kind = RefKind.EVENT_SUBSCRIBE
    elif usage is Usage.READ and member.is_command:
        kind = RefKind.METHOD_GROUP
    b.member_reference(kind, offset, found, confidence, receiver, through_base)
