"""Chains of links, ``a.b(1)?[2]``, bound from left to right; what is assigned to; ``nameof``."""

from __future__ import annotations

from typing import Final

from codemap_core.model import RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder, binds, binds_target
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundMethodGroup,
    BoundNamespace,
    BoundTypeName,
    BoundValue,
    underlying,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.calls import bind_call, bind_element_access
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope, LocalVariable
from codemap_plugins.csharp.binding.member_access import bind_member
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.names import bind_head, color_color_local, type_name
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import nullable_element
from codemap_plugins.csharp.binding.usage import Usage
from codemap_plugins.csharp.bodies import Access, Lowered, Op
from codemap_plugins.csharp.symbols.scopes import generic_type
from codemap_plugins.csharp.symbols.types import (
    NamedType,
    PointerType,
    Type,
)

_CALL: Final = Op.CALL.value
_CHAIN: Final = Op.CHAIN.value
_INDEX: Final = Op.INDEX.value
_MEMBER: Final = Op.MEMBER.value
_NAME: Final = Op.NAME.value
_SUPPRESS: Final = Op.SUPPRESS.value
_CONDITIONAL: Final = Access.CONDITIONAL.value
_POINTER: Final = Access.POINTER.value
_NAMES: Final = frozenset({Op.NAME.value, Op.GENERIC_NAME.value, Op.ALIAS_NAME.value})


@binds(Op.CHAIN)
def bind_chain_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return bind_chain(b, node, scope, Usage.READ, target)


@binds(Op.NAMEOF)
def bind_nameof(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    inner = node[2]
    if inner is not None:
        if inner[0] == _CHAIN:
            bind_chain(b, inner, scope, Usage.NAMEOF, None)
        elif inner[0] in _NAMES:
            operand = bind_head(b, inner, scope, Usage.NAMEOF, None, None)
            _nameof_group(b, operand)
        elif inner[0] == Op.TYPE:
            b.type(inner[1], scope.resolver, RefKind.NAMEOF)
        else:
            b.statement(inner, scope)
    return BoundValue(b.system("String"), is_constant_text=True)


def _nameof_group(b: Binder, operand: BoundExpression) -> None:
    if isinstance(operand, BoundMethodGroup) and operand.found:
        offset, name = operand.offset, operand.name
        if len({f.member.symbol_id for f in operand.found}) == 1:
            b.member_reference(RefKind.NAMEOF, offset, operand.found[0])
        else:
            b.unresolved(RefKind.NAMEOF, offset, name, UnresolvedReason.NAMES_A_GROUP)


@binds_target(*_NAMES)
def bind_name_target(b: Binder, node: Lowered, scope: LocalScope, usage: Usage) -> BoundValue:
    return b.as_value(bind_head(b, node, scope, usage, None, None))


@binds_target(Op.CHAIN)
def bind_chain_target(b: Binder, node: Lowered, scope: LocalScope, usage: Usage) -> BoundValue:
    return b.as_value(bind_chain(b, node, scope, usage, None))


@binds_target(Op.DECLARATION)
def bind_declared_target(b: Binder, node: Lowered, scope: LocalScope, usage: Usage) -> BoundValue:
    type_ = node[3]
    declared = UNKNOWN if type_ is None or type_[0] == "var" else b.type(type_, scope.resolver)
    if node[2] != "_":
        scope.declare(node[2], declared)
    return value(declared)


@binds_target(Op.REF)
def bind_ref_target(b: Binder, node: Lowered, scope: LocalScope, usage: Usage) -> BoundValue:
    return b.target(node[2], scope, usage)


def bind_chain(b: Binder, node: Lowered, scope: LocalScope, usage: Usage, target: Type | None) -> BoundExpression:
    head, links = node[1], node[2]
    count = len(links)
    # What is done with ``x!`` is done with ``x``.
    while count and links[count - 1][0] == _SUPPRESS:
        count -= 1
    if not count and head is not None and head[0] not in _NAMES:
        return b.expression(head, scope, target)
    first = links[0] if count else None
    call = links[1] if count > 1 and links[1][0] == _CALL else None
    last_usage = usage
    conditional = False
    current = _chain_head(
        b,
        head,
        scope,
        first,
        call,
        last_usage if count == 0 else (Usage.NAMEOF if usage is Usage.NAMEOF else Usage.READ),
    )
    for index, link in enumerate(links[:count]):
        op = link[0]
        is_last = index == count - 1
        step_usage = last_usage if is_last else (Usage.NAMEOF if usage is Usage.NAMEOF else Usage.READ)
        following = links[index + 1] if not is_last else None
        if op == _MEMBER:
            if link[3] == _CONDITIONAL:
                conditional = True
                current = underlying(current) if isinstance(current, BoundValue) else current
            elif link[3] == _POINTER and isinstance(current.type, PointerType):
                current = value_from(current.type.element, current)
            current = bind_member(b, current, link, following, scope, step_usage)
        elif op == _CALL:
            current = bind_call(b, current, link, scope, target if is_last else None)
        elif op == _INDEX:
            if link[3] == _CONDITIONAL:
                conditional = True
                current = underlying(current) if isinstance(current, BoundValue) else current
            current = bind_element_access(b, current, link, scope, step_usage)
    if conditional and isinstance(current, BoundValue):
        type_ = current.type
        is_value = (
            isinstance(type_, NamedType) and type_.definition.is_value_type and type_.definition.system_name != "Void"
        )
        if is_value and nullable_element(type_) is None:
            return value_from(generic_type(b.shared.project, "System", "Nullable", (type_,)), current)
    if usage is Usage.NAMEOF:
        _nameof_group(b, current)
    return current


def _chain_head(
    b: Binder,
    head: Lowered | None,
    scope: LocalScope,
    first: Lowered | None,
    call: Lowered | None,
    usage: Usage,
) -> BoundExpression:
    if head is None:
        return UNKNOWN_VALUE
    if head[0] in _NAMES:
        if head[0] == _NAME:
            local = scope.find(head[2])
            if local is not None and not isinstance(local, (LocalFunction, LocalVariable)):
                meant = color_color_local(b, local, head[2], scope, first, call)
                if meant is not None:
                    type_name(b, head[1], meant, usage)
                    return BoundTypeName(meant)
        return bind_head(b, head, scope, usage, first, None, call)
    operand = b.expression(head, scope)
    if isinstance(operand, (BoundValue, BoundTypeName, BoundNamespace, BoundMethodGroup)):
        return operand
    return b.as_value(operand)
