"""What pages of XAML create, set and show (XAML specification, *Object Elements* and *Members*; WPF and .NET MAUI documentation, MVVM).

An element of a type that is not found is one of a framework that is not at hand: it has no reference, and of its attributes only a method
of the page counts that can handle an event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.model import Confidence, RefKind, SymbolKind
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import UNKNOWN_VALUE, BoundValue, value
from codemap_plugins.csharp.binding.creation import choose_constructor, creation_reference
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import nullable_element
from codemap_plugins.csharp.bodies import Lowered, Op, XamlMember
from codemap_plugins.csharp.page_names import VIEW_MODEL, VIEW_MODEL_MEMBERS
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type, TypeDefinition

_EXTENSION: Final = "Extension"
_ARGUMENTS: Final = "EventArgs"
_HANDLED: Final = 2
"""Parameters of a method that handles events: what sends one, and what it says."""


@binds(Op.XAML_TYPE)
def bind_type(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, (text, *offsets), number, is_created = node
    type_ = scope.resolver.resolve(text)
    if not isinstance(type_, NamedType) and is_created:  # an extension may go without the end of its name
        type_ = scope.resolver.resolve(text + _EXTENSION)
    if not isinstance(type_, NamedType):
        return UNKNOWN_VALUE
    is_value = type_.definition.kind is SymbolKind.ENUM  # then the element is written for one of its members
    if is_created and offsets and not is_value:
        made = choose_constructor(b, type_, (), scope)
        creation_reference(b, RefKind.INSTANTIATE, offsets[-1], type_.definition, type_, made, ())
    elif offsets:
        b.type_reference(offsets[-1], type_.definition)
    scope.declare(_element(number), type_)
    return UNKNOWN_VALUE


@binds(Op.XAML_MEMBER)
def bind_member(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, offset, name, number, how, given = node
    owner = scope.find(_element(number))
    type_ = owner if isinstance(owner, NamedType) else None
    is_read = how == XamlMember.ATTACHED_READ
    found = _member(b, type_, name) if how == XamlMember.OWN else _attached(b, type_, name, is_read)
    if found is None:
        if given is not None and (type_ is None or not b.hierarchy.is_complete(type_)):
            _handler_by_shape(b, given, scope)
        return UNKNOWN_VALUE
    wanted = b.hierarchy.member_type(found)
    kind = RefKind.READ if is_read else RefKind.WRITE
    if found.member.kind is MemberKind.EVENT:
        kind = RefKind.EVENT_SUBSCRIBE
    elif found.member.kind is MemberKind.METHOD:
        kind, wanted = RefKind.CALL, found.member.parameters[-1].type
    b.member_reference(kind, offset, found)
    if given is not None:
        _given(b, given, nullable_element(wanted) or wanted, scope)
    return UNKNOWN_VALUE


@binds(Op.XAML_VALUE)
def bind_value(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, number, names = node
    if number < 0:
        return UNKNOWN_VALUE
    if number:
        element = scope.find(_element(number))
        return value(element) if isinstance(element, NamedType) else UNKNOWN_VALUE
    shown = _shown(b, scope.within, names.split())
    return BoundValue(shown, is_unsure=True) if shown is not None else UNKNOWN_VALUE


@binds(Op.XAML_PATH)
def bind_path(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """Members of an element that it has from a framework which is not at hand have no references."""
    _, number, name, chain = node
    element = scope.find(_element(number))
    if isinstance(element, NamedType) and _member(b, element, name) is not None:
        return b.expression(chain, scope)
    return UNKNOWN_VALUE


def _element(number: int) -> str:
    """What a scope calls the type with a number; no variable is called so."""
    return f"<{number}>"


def _member(b: Binder, type_: NamedType | None, name: str) -> Found | None:
    found = b.hierarchy.lookup(type_, name) if type_ is not None else ()
    return next((each for each in found if each.member.kind is not MemberKind.METHOD), None)


def _attached(b: Binder, type_: NamedType | None, name: str, is_read: bool) -> Found | None:
    """What sets an attached property or event, or reads it: ``SetRow``, ``AddClickHandler``, ``GetRow``; else the property itself, or what
    it is registered as."""
    if type_ is None:
        return None
    for called, takes in ((f"Get{name}", 1),) if is_read else ((f"Set{name}", 2), (f"Add{name}Handler", 2)):
        methods = [
            each
            for each in b.hierarchy.lookup(type_, called)
            if each.member.kind is MemberKind.METHOD and each.member.is_static and len(each.member.parameters) == takes
        ]
        if methods:
            return methods[0]
    registered = b.hierarchy.lookup(type_, f"{name}Property")
    return _member(b, type_, name) or next(iter(registered), None)


def _given(b: Binder, given: Lowered, wanted: Type, scope: LocalScope) -> None:
    """A text where a member of some type is set: the method that handles an event, or a member of an enumeration."""
    _, offset, name = given[:3]
    if not isinstance(wanted, NamedType):
        return
    if wanted.definition.kind is SymbolKind.DELEGATE:
        b.convert(b.expression(given, scope), wanted)
    elif wanted.definition.kind is SymbolKind.ENUM:
        for found in b.hierarchy.lookup(wanted, name):
            b.member_reference(RefKind.READ, offset, found)


def _handler_by_shape(b: Binder, given: Lowered, scope: LocalScope) -> None:
    """Whether an attribute is an event is not known: a method of that name which takes what handlers take is one."""
    _, offset, name = given[:3]
    within = scope.within
    if within is None:
        return
    fitting = [each for each in b.hierarchy.lookup(within.own_type, name) if _handles(each.member)]
    if len(fitting) == 1:
        b.member_reference(RefKind.METHOD_GROUP, offset, fitting[0], Confidence.MEDIUM)


def _handles(member: Member) -> bool:
    if member.kind is not MemberKind.METHOD or len(member.parameters) != _HANDLED:
        return False
    said = member.parameters[1].type
    if isinstance(said, ErrorType):
        return said.text.endswith(_ARGUMENTS)
    return isinstance(said, NamedType) and said.definition.name.endswith(_ARGUMENTS)


def _shown(b: Binder, within: SourceTypeDefinition | None, names: list[str]) -> Type | None:
    """What a page shows that does not say so: its property for that, what its constructor takes, or the one type that is called like it."""
    if within is None:
        return None
    own = within.own_type
    for name in VIEW_MODEL_MEMBERS:
        member = _member(b, own, name)
        if member is not None:
            type_ = b.hierarchy.member_type(member)
            return type_ if isinstance(type_, NamedType) else None
    taken = {
        each.type
        for constructor in b.hierarchy.constructors(own)
        for each in constructor.member.parameters
        if isinstance(each.type, NamedType) and each.type.definition.name.endswith(VIEW_MODEL)
    }
    if len(taken) == 1:
        return taken.pop()
    for name in names:
        found = list(_types_called(b, name))
        if found:
            return NamedType(found[0]) if len(found) == 1 else None
    return None


def _types_called(b: Binder, name: str) -> Iterator[TypeDefinition]:
    """The types of the code with a name, in whatever namespace, that the project can see."""
    project = b.shared.project
    for namespace in project.table.homes.get((name, 0), ()):
        definition = project.types_in(namespace, name, 0, b.document.key.file_path)
        if definition is not None and project.can_see(definition):
            yield definition
