"""Statements (ECMA-334 §13): scopes, declarations, loops, and what they give their parts."""

from __future__ import annotations

from collections.abc import Sequence

from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    in_doubt,
    is_constant_text,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.constant_expressions import constant_of
from codemap_plugins.csharp.binding.creation import bind_tuple_target
from codemap_plugins.csharp.binding.enumeration import element_type
from codemap_plugins.csharp.binding.functions import declare_local_functions
from codemap_plugins.csharp.binding.locals import LocalScope, LocalVariable, variable
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.patterns import bind_designation, bind_pattern
from codemap_plugins.csharp.binding.special_types import is_void_type
from codemap_plugins.csharp.bodies import LocalFlag, Lowered, Op
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, PointerType, Type


def bind_block(b: Binder, statements: Sequence[Lowered], scope: LocalScope) -> None:
    declare_local_functions(b, statements, scope)
    for statement in statements:
        b.statement(statement, scope)


@binds(Op.BLOCK)
def bind_block_statement(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    bind_block(b, node[2], scope.child())
    return UNKNOWN_VALUE


@binds(Op.STATEMENTS)
def bind_statements(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    bind_block(b, node[1], scope)
    return UNKNOWN_VALUE


@binds(Op.LOCAL)
def bind_local(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, flags, written, declarators = node
    implicit = written is None or written[0] == "var"
    if implicit and written is not None and isinstance(scope.resolver.resolve("var"), ErrorType) is False:
        implicit = False
    declared = UNKNOWN if implicit else b.type(written, scope.resolver)
    for _, _, name, initializer in declarators:
        if implicit:
            given = b.expression(initializer, scope)
            type_ = b.finish(given)
            if initializer is not None and initializer[0] == Op.STACKALLOC and isinstance(type_, NamedType):
                type_ = PointerType(type_.arguments[0])
            scope.declare(name, variable(type_, in_doubt(given)))
        else:
            scope.declare(name, declared)
            if initializer is not None:
                given = b.expression(initializer, scope, declared)
                b.convert_or_fail(given, declared)
                constant, is_text = constant_of(given), is_constant_text(given)
                if flags & LocalFlag.CONST and (constant is not None or is_text):
                    scope.declare(name, LocalVariable(declared, constant, is_constant_text=is_text))
    return UNKNOWN_VALUE


@binds(Op.LOCAL_DECONSTRUCTION)
def bind_local_deconstruction(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, written, designation, source = node
    given = b.settled(source, scope)
    if written is not None and written[0] != "var":
        b.type(written, scope.resolver)
    bind_designation(b, designation, given, scope)
    return UNKNOWN_VALUE


@binds(Op.RETURN)
def bind_return(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    if node[2] is None:
        return UNKNOWN_VALUE
    wanted = scope.return_type
    if wanted is not None:
        operand = b.expression(node[2], scope, wanted)
        b.note_type(node[1], operand)
        b.convert(operand, wanted if not is_void_type(wanted) else None)
        return UNKNOWN_VALUE
    operand = b.expression(node[2], scope)
    b.note_type(node[1], operand)
    if scope.returns is not None:
        scope.returns.append(operand)
    else:
        b.finish(operand)
    return UNKNOWN_VALUE


@binds(Op.YIELD)
def bind_yield(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    if node[2] is not None:
        wanted = scope.return_type
        element = element_type(b, wanted, scope) if wanted is not None else None
        if wanted is not None and (element is None or element is UNKNOWN):
            element = element_type(b, wanted, scope, is_async=True)
        if element is UNKNOWN and isinstance(wanted, NamedType) and wanted.arguments:
            # An iterator that returns its enumerator.
            element = wanted.arguments[0]
        b.value_of(node[2], scope, element)
    return UNKNOWN_VALUE


@binds(Op.IF)
def bind_if(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """Variables of a condition are in scope after the statement too."""
    for _, condition, statement in node[2]:
        b.value_of(condition, scope, b.system("Boolean"))
        _embedded(b, statement, scope)
    _embedded(b, node[3], scope)
    return UNKNOWN_VALUE


def _embedded(b: Binder, node: Lowered | None, scope: LocalScope) -> None:
    if node is not None:
        b.statement(node, scope.child())


@binds(Op.WHILE)
def bind_while(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    inner = scope.child()
    b.value_of(node[2], inner, b.system("Boolean"))
    _embedded(b, node[3], inner)
    return UNKNOWN_VALUE


@binds(Op.DO)
def bind_do(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    inner = scope.child()
    _embedded(b, node[2], inner)
    b.value_of(node[3], inner, b.system("Boolean"))
    return UNKNOWN_VALUE


@binds(Op.FOR)
def bind_for(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    inner = scope.child()
    for each in node[2]:
        b.statement(each, inner)
    if node[3] is not None:
        b.value_of(node[3], inner, b.system("Boolean"))
    for each in node[4]:
        b.statement(each, inner)
    _embedded(b, node[5], inner)
    return UNKNOWN_VALUE


@binds(Op.FOREACH)
def bind_foreach(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, flags, written, designation, collection, body = node
    inner = scope.child()
    source = b.settled(collection, scope)
    element = value_from(element_type(b, source.type, scope, bool(flags & LocalFlag.AWAIT)), source)
    if written is not None and written[0] != "var":
        element = value(b.type(written, scope.resolver))
    if designation is not None and designation[0] == Op.TUPLE:
        bind_tuple_target(b, designation, element, inner)
    else:
        bind_designation(b, designation, element, inner)
    _embedded(b, body, inner)
    return UNKNOWN_VALUE


@binds(Op.SWITCH)
def bind_switch(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    matched = b.settled(node[2], scope)
    block = scope.child()
    for _, _, statements in node[3]:
        declare_local_functions(b, statements, block)
    for _, labels, statements in node[3]:
        section = block.child()
        for _, pattern, guard in labels:
            if pattern is not None:
                bind_pattern(b, pattern, matched, section)
            if guard is not None:
                b.value_of(guard, section, b.system("Boolean"))
        of_labels = frozenset(section.names)
        for statement in statements:
            b.statement(statement, section)
        # What statements declare, in expressions too, sees the variables of the section's patterns and is itself in scope in the whole
        # switch block (ECMA-334 §13.8.3).
        for name, local in section.names.items():
            if name not in of_labels:
                block.declare(name, local)
    return UNKNOWN_VALUE


def _caught(b: Binder, type_: Type | None) -> Type:
    """The type of what a ``catch`` clause catches: whatever is written, it is or derives from ``System.Exception`` (ECMA-334 §13.11)."""
    exception = b.system("Exception")
    if isinstance(type_, ErrorType) and type_ is not UNKNOWN and isinstance(exception, NamedType):
        return type_.factory.error(type_.text, type_.arguments, type_.reason, exception)
    return type_ if type_ is not None else exception


@binds(Op.TRY)
def bind_try(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _embedded(b, node[2], scope)
    if node[3]:
        b.recording.note_catch()
    for _, _, name, written, condition, block, _, _ in node[3]:
        inner = scope.child()
        inner.declare(name, _caught(b, b.type(written, scope.resolver) if written is not None else None))
        if condition is not None:
            b.value_of(condition, inner, b.system("Boolean"))
        _embedded(b, block, inner)
    _embedded(b, node[4], scope)
    return UNKNOWN_VALUE


@binds(Op.USING)
def bind_using(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    inner = scope.child()
    b.statement(node[3], inner)
    _embedded(b, node[4], inner)
    return UNKNOWN_VALUE


@binds(Op.LOCK, Op.FIXED)
def bind_lock(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    inner = scope.child()
    b.statement(node[2], inner)
    _embedded(b, node[3], inner)
    return UNKNOWN_VALUE


@binds(Op.GOTO_CASE)
def bind_goto_case(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    if node[2] is not None:
        b.value_of(node[2], scope)
    return UNKNOWN_VALUE


@binds(Op.SWITCH_EXPRESSION)
def bind_switch_expression(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    from codemap_plugins.csharp.binding.operators import choice

    matched = b.settled(node[2], scope)
    parts: list[BoundExpression] = []
    for _, pattern, guard, result in node[3]:
        arm = scope.child()
        bind_pattern(b, pattern, matched, arm)
        if guard is not None:
            b.value_of(guard, arm, b.system("Boolean"))
        parts.append(b.expression(result, arm, target))
    if not parts:
        return UNKNOWN_VALUE
    return choice(b, parts)
