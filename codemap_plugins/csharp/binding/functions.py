"""Lambdas, anonymous methods and local functions (ECMA-334 §12.19, §13.6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from codemap_core.model import Visibility
from codemap_plugins.csharp.binding.attributes import bind_attribute
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundValue,
    LambdaRules,
    UnboundLambda,
)
from codemap_plugins.csharp.binding.context import BindContext, FileContext
from codemap_plugins.csharp.binding.lambdas import LambdaBody, LambdaShape
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope, variable
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import (
    MANY,
    UNKNOWN,
    Member,
    MemberKind,
    ParameterSymbol,
    Signature,
    TypeParameterSymbol,
)
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.recording import Recording
from codemap_plugins.csharp.binding.special_types import is_void_type
from codemap_plugins.csharp.bodies import ConstraintFlag, FunctionFlag, Lowered, Op, beginning
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeParameterType

_ASYNC: Final = FunctionFlag.ASYNC.value
_NEVER_RETURNS: Final = FunctionFlag.NEVER_RETURNS.value
_NO_PARAMETER_LIST: Final = FunctionFlag.NO_PARAMETER_LIST.value
_PARAMS: Final = FunctionFlag.PARAMS.value
_STATEMENT_EXPRESSIONS = frozenset({Op.ASSIGN, Op.POSTFIX, Op.AWAIT, Op.NEW, Op.NEW_TARGET_TYPED, Op.THROW})


@binds(Op.LAMBDA)
def bind_lambda(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return UnboundLambda(node, scope, (node[1], -1), lambda_rules(b), b.depth)


def lambda_rules(b: Binder) -> LambdaRules:
    """Those of the lambdas that a binder meets."""
    return LambdaRules(_lambda_shape, partial(_lambda_body, b.file, b.shared))


def _lambda_shape(operand: UnboundLambda) -> LambdaShape:
    """What is written of a lambda's parameters. The references of its types are made once, with the body."""
    _, _, flags, parameters, returns, _, _ = operand.node
    scope = operand.scope
    resolver = scope.resolver
    count = None if flags & _NO_PARAMETER_LIST else len(parameters)
    types = tuple(resolver.resolve(p[3][0]) if p[3] is not None else None for p in parameters)
    return LambdaShape(
        count,
        types,
        tuple(p[4] for p in parameters),
        bool(flags & _ASYNC),
        resolver.resolve(returns[0]) if returns is not None else None,
    )


def _lambda_body(
    file: FileContext, context: BindContext, operand: UnboundLambda, types: tuple[Type, ...], is_unsure: bool
) -> LambdaBody:
    """Binds a lambda's body with these parameter types; what that records is kept, not yet made."""
    _, _, flags, parameters, returns_type, body, attributes = operand.node
    outer = operand.scope
    recording = Recording()
    b = Binder(file, context, recording, operand.depth)
    returns: list[BoundExpression] = []
    scope = LocalScope(outer.surroundings, outer, returns)
    if returns_type is not None:
        b.type(returns_type, outer.resolver)
    # One parameter named _ is a parameter; several are discards (ECMA-334 §12.19.2).
    discards = sum(parameter[2] == "_" for parameter in parameters) > 1
    for index, parameter in enumerate(parameters):
        written = parameter[3]
        type_ = (
            b.type(written, outer.resolver) if written is not None else types[index] if index < len(types) else UNKNOWN
        )
        if parameter[6] is not None:
            b.value_of(parameter[6], outer, type_)
        if not (parameter[2] == "_" and discards):
            scope.declare(parameter[2], variable(type_, is_unsure and written is None))
    _bind_attributes(b, attributes, parameters, scope)
    is_async = bool(flags & _ASYNC)
    if body is None or body[0] == Op.BLOCK:
        b.statement(body, scope)
        has_value = bool(returns) or bool(flags & _NEVER_RETURNS)
        can_be_void = not returns
    else:
        result = b.expression(body, scope)
        if operand.place[1] < 0:  # that of a query's clause is not written
            b.note_type(beginning(body), result)
        returns.append(result)
        is_void = isinstance(result, BoundValue) and is_void_type(result.type)
        if is_void:
            returns.clear()
        has_value = not is_void
        can_be_void = is_void or _can_stand_alone(body)
    return LambdaBody(is_async, has_value, can_be_void, returns, recording, recording.fails)


def _bind_attributes(b: Binder, own: Sequence[Lowered], parameters: Sequence[Lowered], scope: LocalScope) -> None:
    """Of a lambda or local function and of its parameters, all of which ``nameof`` may name there, as its type parameters (C# 11)."""
    for attribute in own:
        bind_attribute(b, attribute, scope)
    for parameter in parameters:
        for attribute in parameter[7]:
            bind_attribute(b, attribute, scope)


def _can_stand_alone(node: Lowered) -> bool:
    """An expression that may be a statement (ECMA-334 §13.7)."""
    op = node[0]
    if op in _STATEMENT_EXPRESSIONS:
        return True
    if op == Op.UNARY:
        return node[2] in ("++", "--")
    if op == Op.CHAIN:
        return bool(node[2]) and node[2][-1][0] == Op.CALL
    return False


def declare_local_functions(b: Binder, statements: Sequence[Lowered], scope: LocalScope) -> None:
    """Local functions are in scope in their whole block."""
    for statement in statements:
        if statement[0] != Op.LOCAL_FUNCTION:
            continue
        name, type_parameters, constraints, within = statement[2], statement[5], statement[7], scope.within
        parameters = [t for t in scope.resolver.own_parameters.values() if isinstance(t, TypeParameterType)]
        around = [t for t in parameters if t.of_method]
        resolver = scope.resolver
        container = NamedType(within) if within is not None else None
        if type_parameters and around and within is not None:
            # As though it were declared in a type that has the type parameters of the methods around it too.
            own = within.own_arguments
            outer = [b.hierarchy.table.factory.parameter(t.name, len(own) + i, False) for i, t in enumerate(around)]
            others = [t for t in parameters if not t.of_method]
            resolver = TypeResolver(resolver.document, resolver.scope, resolver.enclosing, [*others, *outer])
            container = NamedType(within, (*own, *around))
        signature = _local_signature(statement, _inner_resolver(resolver, type_parameters, constraints, 0))
        found = _as_method(name, signature, container) if container is not None else ()
        scope.declare(name, LocalFunction(signature.type, signature.parameters, len(type_parameters), found))


def _local_signature(statement: Lowered, resolver: TypeResolver) -> Signature:
    _, _, _, returns, _, type_parameters, parameters, _, _, _ = statement
    symbols = tuple(
        ParameterSymbol(
            p[2],
            resolver.resolve(p[3][0]) if p[3] is not None else UNKNOWN,
            p[4],
            p[6] is not None,
            bool(p[5] & _PARAMS),
        )
        for p in parameters
    )
    result = resolver.resolve(returns[0]) if returns is not None else UNKNOWN
    return Signature(result, symbols, tuple(TypeParameterSymbol(p[2], (), False, False) for p in type_parameters))


def _as_method(name: str, signature: Signature, container: NamedType) -> tuple[Found, ...]:
    parameters = signature.parameters
    member = Member(
        MemberKind.METHOD,
        name,
        container.definition,
        is_static=True,
        visibility=Visibility.PUBLIC,
        load=lambda: signature,
        symbol_id="",
        arity=len(signature.type_parameters),
        minimum=sum(not p.is_optional and not p.is_params for p in parameters),
        maximum=MANY if parameters and parameters[-1].is_params else len(parameters),
    )
    return (Found(member, container, 0),)


_INNER: Final = 1000
"""Type parameters of a local function count from here in its body, apart from those of its method."""


def _inner_resolver(
    resolver: TypeResolver, type_parameters: Sequence[Lowered], constraints: Sequence[Lowered], start: int = _INNER
) -> TypeResolver:
    if not type_parameters:
        return resolver
    values = {each[2] for each in constraints if each[4] & ConstraintFlag.STRUCT}
    own = [resolver.factory.parameter(p[2], start + i, True, p[2] in values) for i, p in enumerate(type_parameters)]
    return TypeResolver(
        resolver.document, resolver.scope, resolver.enclosing, [*resolver.own_parameters.values(), *own]
    )


@binds(Op.LOCAL_FUNCTION)
def bind_local_function(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, _, returns, _, type_parameters, parameters, constraints, body, attributes = node
    resolver = _inner_resolver(scope.resolver, type_parameters, constraints)
    inner = LocalScope(
        scope.surroundings, scope, [], resolver, resolver.resolve(returns[0]) if returns is not None else None
    )
    result = b.type(returns, resolver) if returns is not None else UNKNOWN
    for constraint in constraints:
        for each in constraint[3] or ():
            b.type(each, resolver)
    for parameter in parameters:
        type_ = b.type(parameter[3], resolver) if parameter[3] is not None else UNKNOWN
        if parameter[6] is not None:
            b.value_of(parameter[6], scope, type_)
        inner.declare(parameter[2], type_)
    _bind_attributes(b, attributes, parameters, inner)
    inside = b.within(_bounds(resolver, type_parameters, constraints)) if type_parameters else b
    bind_function_body(inside, body, inner, result, bool(node[4] & _ASYNC))
    return UNKNOWN_VALUE


def _bounds(
    resolver: TypeResolver, type_parameters: Sequence[Lowered], constraints: Sequence[Lowered]
) -> dict[TypeParameterType, TypeParameterSymbol]:
    """What the type parameters of a local function are constrained to."""
    written = {name: (types, flags) for _, _, name, types, flags in constraints}
    found: dict[TypeParameterType, TypeParameterSymbol] = {}
    for parameter in type_parameters:
        own = resolver.own_parameters[parameter[2]]
        if isinstance(own, TypeParameterType):
            types, flags = written.get(own.name, ((), 0))
            found[own] = TypeParameterSymbol(
                own.name,
                tuple([resolver.resolve(each[0]) for each in types or ()]),
                bool(flags & ConstraintFlag.CLASS),
                bool(flags & ConstraintFlag.STRUCT),
                has_new=bool(flags & ConstraintFlag.NEW),
            )
    return found


def _is_async_sequence(returns: Type) -> bool:
    """What an asynchronous iterator returns (C# 8)."""
    return isinstance(returns, NamedType) and returns.definition.name in ("IAsyncEnumerable", "IAsyncEnumerator")


def bind_function_body(b: Binder, body: Lowered | None, scope: LocalScope, returns: Type, is_async: bool) -> None:
    """A body whose return type is written: what it returns takes that type."""
    if body is None:
        return
    wanted: Type | None = returns
    if is_async:
        wanted = b.conversions.task_result(returns) or (returns if _is_async_sequence(returns) else UNKNOWN)
    if body[0] == Op.BLOCK:
        typed = LocalScope(scope.surroundings, scope, [], scope.resolver, wanted)
        b.statement(body, typed)
    else:
        operand = b.expression(body, scope, wanted)
        b.note_type(beginning(body), operand)
        b.convert(operand, wanted if wanted is not None and not is_void_type(wanted) else None)
