"""Casts, ranges and the expressions that a keyword names (ECMA-334 §12.8 to §12.12): ``as``, ``is``, ``await``, ``throw``, ``ref``,
``default``, ``typeof``, ``sizeof``.
"""

from __future__ import annotations

from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundDefault,
    BoundThrow,
    BoundValue,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.constant_expressions import cast_constant, size_constant
from codemap_plugins.csharp.binding.explicit_conversions import are_unrelated, never_casts
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.types import (
    DynamicType,
    ErrorType,
    Type,
)


@binds(Op.CAST)
def bind_cast(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    type_ = b.type(node[2], scope.resolver)
    operand = b.expression(node[3], scope, type_)
    if isinstance(operand, BoundValue) and never_casts(b.hierarchy, operand.type, type_):
        b.recording.note_failure()
    b.convert(operand, type_)
    return BoundValue(type_, cast_constant(type_, operand, not scope.is_checked))


@binds(Op.AS)
def bind_as(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    source = b.value_of(node[2], scope)
    type_ = b.type(node[3], scope.resolver)
    if are_unrelated(b.hierarchy, source, type_):
        b.recording.note_failure()
    return value(type_)


@binds(Op.IS)
def bind_is(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    from codemap_plugins.csharp.binding.patterns import bind_test

    bind_test(b, node[3], b.settled(node[2], scope), scope)
    return value(b.system("Boolean"))


@binds(Op.AWAIT)
def bind_await(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    task = b.settled(node[2], scope)
    return value_from(awaited(b, task.type, scope), task)


def awaited(b: Binder, type_: Type, scope: LocalScope) -> Type:
    """``GetAwaiter().GetResult()`` (ECMA-334 §12.9.8.2)."""
    if isinstance(type_, (ErrorType, DynamicType)):
        return type_
    result = b.conversions.task_result(type_)
    if result is not None:
        return result
    awaiter: Type | None = None
    for found in b.hierarchy.lookup(type_, "GetAwaiter"):
        if not found.member.parameters:
            awaiter = b.hierarchy.member_type(found)
    if awaiter is None:
        candidate = b.extensions(scope, "GetAwaiter", value(type_), (), ()).candidate
        awaiter = candidate.return_type if candidate is not None else None
    if awaiter is not None:
        for found in b.hierarchy.lookup(awaiter, "GetResult"):
            return b.hierarchy.member_type(found)
    return UNKNOWN


@binds(Op.THROW)
def bind_throw(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    thrown = b.value_of(node[2], scope, b.system("Exception")) if node[2] is not None else UNKNOWN
    b.recording.note_throw(node[1], thrown)
    return BoundThrow()


@binds(Op.REF)
def bind_ref(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return b.expression(node[2], scope, target)


@binds(Op.RANGE)
def bind_range(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    for end in node[2:4]:
        if end is not None:
            b.value_of(end, scope)
    return value(b.system("Range"))


@binds(Op.DEFAULT)
def bind_default(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    if node[2] is None:
        return BoundDefault()
    return value(b.type(node[2], scope.resolver))


@binds(Op.TYPEOF)
def bind_typeof(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    if node[2] is not None:
        b.type(node[2], scope.resolver)
    return value(b.system("Type"))


@binds(Op.SIZEOF)
def bind_sizeof(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    if node[2] is not None:
        b.type(node[2], scope.resolver)
    return BoundValue(b.system("Int32"), size_constant(node[2][0]) if node[2] is not None else None)


@binds(Op.UNKNOWN)
def bind_unknown(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    for part in node[2]:
        b.statement(part, scope)
    return UNKNOWN_VALUE


@binds(Op.DECLARATION)
def bind_declaration(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return b.target(node, scope)
