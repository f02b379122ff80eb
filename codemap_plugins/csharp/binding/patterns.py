"""Patterns and deconstruction (ECMA-334 §11, §12.21.2)."""

from __future__ import annotations

from typing import Any

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import UNKNOWN_VALUE, BoundValue, underlying, value, value_from
from codemap_plugins.csharp.binding.calls import indexed_type, slice_type
from codemap_plugins.csharp.binding.chains import bind_chain
from codemap_plugins.csharp.binding.deconstruction import deconstructed
from codemap_plugins.csharp.binding.doubt import is_sure
from codemap_plugins.csharp.binding.locals import LocalScope, variable
from codemap_plugins.csharp.binding.member_access import extension_property, tuple_element
from codemap_plugins.csharp.binding.members import UNKNOWN, MemberKind
from codemap_plugins.csharp.binding.names import bind_head, imported_statically
from codemap_plugins.csharp.binding.special_types import tuple_elements
from codemap_plugins.csharp.binding.usage import Usage
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.types import ArrayType, ErrorType, NamedType, Type


def bind_pattern(b: Binder, node: Lowered | None, matched: BoundValue, scope: LocalScope) -> None:
    """Binds a pattern against a value."""
    if node is None:
        return
    op = node[0]
    if op == Op.CONSTANT_PATTERN:
        b.value_of(node[1], scope, underlying(matched).type)
    elif op == Op.TYPE_PATTERN:
        _type_or_constant(b, node[1], scope)
    elif op == Op.DECLARATION_PATTERN:
        written = node[1]
        declared = matched if written[0] == "var" else value(b.type(written, scope.resolver))
        bind_designation(b, node[2], declared, scope)
    elif op == Op.RECURSIVE_PATTERN:
        _recursive(b, node, matched, scope)
    elif op == Op.LIST_PATTERN:
        _list(b, node, matched, scope)
    elif op == Op.SLICE_PATTERN:
        bind_pattern(b, node[2], matched, scope)
    elif op == Op.RELATIONAL_PATTERN:
        b.value_of(node[3], scope, underlying(matched).type)
    elif op == Op.NOT_PATTERN:
        bind_pattern(b, node[2], matched, scope)
    elif op in (Op.AND_PATTERN, Op.OR_PATTERN):
        current = matched
        for part in node[1]:
            bind_pattern(b, part, current, scope)
            if op == Op.AND_PATTERN:
                current = narrowed(b, part, current, scope)
    elif op in (Op.DISCARD, Op.VARIABLE, Op.DECONSTRUCTION):
        bind_designation(b, node, matched, scope)
    else:
        b.value_of(node, scope, matched.type)


def narrowed(b: Binder, node: Lowered | None, matched: BoundValue, scope: LocalScope) -> BoundValue:
    """What a value is known to be where a pattern has matched."""
    if node is None:
        return matched
    if node[0] in (Op.TYPE_PATTERN, Op.DECLARATION_PATTERN) and node[1][0] != "var":
        found = scope.resolver.resolve(node[1][0])
        return value(found) if not isinstance(found, ErrorType) else matched
    if node[0] == Op.RECURSIVE_PATTERN and node[2] is not None:
        return value(scope.resolver.resolve(node[2][0]))
    return matched


def bind_test(b: Binder, node: Lowered, tested: BoundValue, scope: LocalScope) -> None:
    """The right side of ``is``: a name there is a type where it can be one (ECMA-334 §12.12.12.1)."""
    if node[0] == Op.TYPE_PATTERN and not isinstance(scope.resolver.resolve(str(node[1][0])), ErrorType):
        b.type(node[1], scope.resolver)
    else:
        bind_pattern(b, node, tested, scope)


def _type_or_constant(b: Binder, lowered: list[Any], scope: LocalScope) -> None:
    """``A.B`` in a pattern: a type, or a constant written as a name. Of both the constant that is a member of the types around it."""
    text: str = lowered[0]
    is_type = not isinstance(scope.resolver.resolve(text), ErrorType)
    if "." not in text:
        is_constant = text.isidentifier() and (
            _constant_member(b, text, scope)
            or (not is_type and (scope.find(text) is not None or bool(imported_statically(b, text, scope, False))))
        )
        if is_constant and len(lowered) == 2:
            b.finish(bind_head(b, [Op.NAME.value, lowered[1], text], scope, Usage.READ, None, None))
        else:
            b.type(lowered, scope.resolver)
        return
    holder, _, name = text.rpartition(".")
    if is_type or not name.isidentifier():
        b.type(lowered, scope.resolver)
        return
    *parts, last = lowered[1:]
    links = [[Op.MEMBER.value, last, name, 0, None]]
    names = holder.split(".")
    if len(names) == len(parts) and all(each.isidentifier() for each in names):
        head = [Op.NAME.value, parts[0], names[0]]
        links = [*([Op.MEMBER.value, o, n, 0, None] for o, n in zip(parts[1:], names[1:], strict=True)), *links]
    else:
        # A predefined or constructed type.
        head = [Op.TYPE.value, [holder, *parts]]
    b.finish(bind_chain(b, [Op.CHAIN.value, head, links, last], scope, Usage.READ, None))


def _constant_member(b: Binder, name: str, scope: LocalScope) -> bool:
    within = scope.within
    if within is None:
        return False
    for level in within.enclosing:
        own = level.own_type
        found = b.hierarchy.lookup(own, name)
        if found and found[0].member.kind is MemberKind.FIELD:
            type_ = b.hierarchy.member_type(found[0])
            # Color Color: a field named like its type leaves the name to the type.
            return not (isinstance(type_, NamedType) and type_.definition.name == name)
    return False


def _recursive(b: Binder, node: Lowered, matched: BoundValue, scope: LocalScope) -> None:
    _, _, written, positional, properties, designation = node
    tested = value(b.type(written, scope.resolver)) if written is not None else underlying(matched)
    if positional is not None:
        # The names of positional subpatterns are a tuple's elements, or parameters of `Deconstruct`: no references.
        elements = deconstructed(b, tested, len(positional), scope)
        for subpattern, element in zip(positional, elements, strict=True):
            if subpattern[1] and tuple_elements(tested.type) is not None:
                _property(b, subpattern[1][0], tested, scope)
            bind_pattern(b, subpattern[2], element, scope)
    for subpattern in properties or ():
        current = tested
        for name_node in subpattern[1]:
            current = _property(b, name_node, underlying(current), scope)
        bind_pattern(b, subpattern[2], current, scope)
    bind_designation(b, designation, tested, scope)


def _property(b: Binder, name_node: Lowered, matched: BoundValue, scope: LocalScope) -> BoundValue:
    _, offset, name = name_node[0], name_node[1], name_node[2]
    type_ = matched.type
    if isinstance(type_, ErrorType):
        b.unresolved(RefKind.READ, offset, name, UnresolvedReason.MATCHED_TYPE_UNKNOWN)
        return UNKNOWN_VALUE
    element = tuple_element(b, matched, name, offset, Usage.READ)
    if element is not None:
        return element
    found = [f for f in b.hierarchy.lookup(type_, name) if b.hierarchy.can_access(f, scope.within)]
    if not found:
        extension = extension_property(b, matched, name, offset, scope, Usage.READ)
        if extension is not None:
            return extension
        b.unresolved(RefKind.READ, offset, name, UnresolvedReason.NO_SUCH_MEMBER)
        return UNKNOWN_VALUE
    sure = not matched.is_unsure and is_sure(b.hierarchy, type_, found[0])
    b.member_reference(RefKind.READ, offset, found[0], Confidence.HIGH if sure else Confidence.LOW)
    return BoundValue(b.hierarchy.member_type(found[0]), is_unsure=not sure)


def _list(b: Binder, node: Lowered, matched: BoundValue, scope: LocalScope) -> None:
    _, _, elements, designation = node
    element = value_from(_list_element(b, matched.type), matched)
    for each in elements:
        if each is not None and each[0] == Op.SLICE_PATTERN:
            if each[2] is not None:
                bind_pattern(b, each[2], value_from(slice_type(b, matched.type), matched), scope)
        else:
            bind_pattern(b, each, element, scope)
    bind_designation(b, designation, matched, scope)


def _list_element(b: Binder, type_: Type) -> Type:
    if isinstance(type_, ArrayType):
        return type_.element
    return indexed_type(b, type_, "Index") or indexed_type(b, type_, "Int32") or UNKNOWN


def bind_designation(b: Binder, node: Lowered | None, given: BoundValue, scope: LocalScope) -> None:
    """Declares the variables of a designation."""
    if node is None or node[0] == Op.DISCARD:
        return
    if node[0] == Op.VARIABLE:
        scope.declare(node[2], variable(given.type, given.is_unsure))
        b.note_type(node[1], given)
    elif node[0] == Op.DECONSTRUCTION:
        for element, each in zip(node[2], deconstructed(b, given, len(node[2]), scope), strict=True):
            bind_designation(b, element, each, scope)
    else:
        bind_pattern(b, node, given, scope)
