"""Query expressions, translated to the method calls that they are (ECMA-334 §12.20.3).

Each clause calls a method of its source with lambdas over the range variables; no name stands there, so the call makes no reference, but
it gives the range variables, and the whole, their types. Several range variables are one lambda parameter: a transparent identifier, here
of an anonymous type with a member for each. Where no method of the name is applicable, the clause's expressions are bound with the type of
the source's elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundValue,
    UnboundLambda,
    in_doubt,
    value,
)
from codemap_plugins.csharp.binding.enumeration import element_type
from codemap_plugins.csharp.binding.functions import lambda_rules
from codemap_plugins.csharp.binding.lambdas import LambdaPlace
from codemap_plugins.csharp.binding.locals import LocalScope, LocalVariable, variable
from codemap_plugins.csharp.binding.members import UNKNOWN, MemberKind
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.types import DynamicType, ErrorType, NamedType, Type, TypeParameterType

_TRANSPARENT: Final = -1
"""The body of a translated lambda, no opcode of lowered code: ``[_, [[parameter, variables], …], expression, variables, cast]``. What
the parameters hold is declared; the value is the expression, or where there are variables an object of them, the last one being the
expression when there is one. ``cast``: the element type to which the expression, a source, is cast, or null."""

Variables = tuple[str, ...]


@binds(Op.QUERY)
def bind_query(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    clauses = node[2]
    query = _Query(b, scope)
    index = 0
    while index < len(clauses):
        clause = clauses[index]
        following = clauses[index + 1] if index + 1 < len(clauses) else None
        # A `select` right after a second `from` or a `join` is the result of that clause's own method.
        select = following if following is not None and following[0] == Op.SELECT else None
        op = clause[0]
        if op == Op.FROM and not query.variables:
            query.start(clause)
        elif op == Op.FROM:
            query.select_many(clause, select)
            index += select is not None
        elif op == Op.LET:
            query.let(clause)
        elif op == Op.WHERE:
            query.where(clause)
        elif op == Op.JOIN:
            query.join(clause, select)
            index += select is not None
        elif op == Op.ORDER_BY:
            query.order_by(clause)
        elif op == Op.SELECT:
            query.select(clause)
        elif op == Op.GROUP:
            query.group(clause)
        elif op == Op.INTO:
            query.continue_as(clause[2])
        index += 1
    return BoundValue(query.type, is_unsure=query.is_unsure)


@binds(_TRANSPARENT)
def bind_transparent(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, parameters, expression, variables, cast = node
    for parameter, held in parameters:
        given = _range_variable(scope, parameter)
        type_ = given.type
        types = type_.arguments if isinstance(type_, NamedType) and len(type_.arguments) == len(held) else ()
        for index, name in enumerate(held):
            scope.declare(name, variable(types[index] if types else UNKNOWN, given.is_unsure))
    if cast is not None:
        return value(_Query(b, scope).cast(b.value_of(expression, scope), cast))
    if not variables:
        return b.expression(expression, scope, target)
    if expression is not None:
        added = b.settled(expression, scope)
        scope.declare(variables[-1], variable(added.type, added.is_unsure))
    found = [_range_variable(scope, name) for name in variables]
    type_ = _object_of(b, variables, [each.type for each in found])
    return BoundValue(type_, is_unsure=any(each.is_unsure for each in found))


def _range_variable(scope: LocalScope, name: str) -> BoundValue:
    local = scope.find(name)
    if isinstance(local, LocalVariable):
        return BoundValue(local.type, is_unsure=local.is_unsure)
    return value(local) if isinstance(local, Type) else UNKNOWN_VALUE


def _object_of(b: Binder, variables: Variables, types: Sequence[Type]) -> Type:
    """What a lambda parameter holds: the range variable, or all of them."""
    return types[0] if len(variables) == 1 else b.hierarchy.members.anonymous_type(variables, tuple(types))


class _Query:
    """A query up to some clause. ``type``: what the methods called so far return."""

    def __init__(self, b: Binder, scope: LocalScope) -> None:
        self._b: Final = b
        self._scope: Final = scope
        self.type: Type = UNKNOWN
        self.is_unsure = False
        """As of a ``BoundValue``: a source is."""
        self.variables: Variables = ()
        self._is_degenerate = True
        """Nothing but ``from`` so far."""

    # Clauses

    def start(self, clause: Lowered) -> None:
        self.type = self._source(clause[3], clause[4])
        self.variables = (clause[2],)

    def continue_as(self, name: str) -> None:
        self.variables, self._is_degenerate = (name,), True

    def select_many(self, clause: Lowered, select: Lowered | None) -> None:
        _, _, name, written, expression = clause
        cast = self._b.type(written, self._scope.resolver) if written is not None else None
        element = self._element(self.type)
        found = self._call(
            "SelectMany",
            [
                self._lambda(expression, self.variables, place=(clause[1], 0), cast=cast),
                self._result(select, (name,), clause),
            ],
            [lambda bound: (element,), lambda bound: (element, self._element(bound[0]))],
        )
        self._joined(found, (name,), select)

    def let(self, clause: Lowered) -> None:
        element = self._element(self.type)
        variables = (*self.variables, clause[2])
        each = self._lambda(clause[3], self.variables, variables=variables, place=(clause[1], 0))
        self.type = self._call("Select", [each], [lambda bound: (element,)])
        self.variables, self._is_degenerate = variables, False

    def where(self, clause: Lowered) -> None:
        before, element = self.type, self._element(self.type)
        test = self._lambda(clause[2], self.variables, place=(clause[1], 0))
        self.type = self._call("Where", [test], [lambda bound: (element,)], lambda bound: before)
        self._is_degenerate = False

    def join(self, clause: Lowered, select: Lowered | None) -> None:
        _, _, name, written, source, left, right, into = clause
        inner = self._source(written, source)
        element, other = self._element(self.type), self._element(inner)
        added, grouped = name, other
        if into is not None:
            added, grouped = into[2], self._b.generic("System.Collections.Generic", "IEnumerable", other)
        found = self._call(
            "Join" if into is None else "GroupJoin",
            [
                value(inner),
                self._lambda(left, self.variables, place=(clause[1], 0)),
                self._lambda(right, (name,), place=(clause[1], 1)),
                self._result(select, (added,), clause),
            ],
            [None, lambda bound: (element,), lambda bound: (other,), lambda bound: (element, grouped)],
        )
        self._joined(found, (added,), select)

    def order_by(self, clause: Lowered) -> None:
        name = "OrderBy"
        for index, (_, key, descending) in enumerate(clause[2]):
            each = self._lambda(key, self.variables, place=(clause[1], index))
            self._ordered(f"{name}Descending" if descending else name, each)
            name = "ThenBy"
        self._is_degenerate = False

    def _ordered(self, method: str, key: BoundExpression) -> None:
        before, element = self.type, self._element(self.type)
        self.type = self._call(method, [key], [lambda bound: (element,)], lambda bound: before)

    def select(self, clause: Lowered) -> None:
        if self._is_range_variable(clause[2]) and not self._is_degenerate:
            return
        element = self._element(self.type)
        each = self._lambda(clause[2], self.variables, place=(clause[1], 0))
        self.type = self._call("Select", [each], [lambda bound: (element,)])

    def group(self, clause: Lowered) -> None:
        element = self._element(self.type)
        operands = [self._lambda(clause[3], self.variables, place=(clause[1], 0))]
        if not self._is_range_variable(clause[2]):
            operands.append(self._lambda(clause[2], self.variables, place=(clause[1], 1)))

        def grouping(bound: Sequence[Type]) -> Type:
            of = self._b.generic("System.Linq", "IGrouping", bound[0], bound[1] if len(bound) > 1 else element)
            return self._sequence(self.type, of)

        self.type = self._call("GroupBy", operands, [lambda bound: (element,)] * len(operands), grouping)

    # Translation

    def _source(self, written: list[object] | None, expression: Lowered) -> Type:
        """The source of a ``from`` or ``join``: with a type, it is cast."""
        b = self._b
        given = b.settled(expression, self._scope)
        if written is None:
            self.is_unsure = self.is_unsure or given.is_unsure
            return given.type
        return self.cast(given.type, b.type(written, self._scope.resolver))

    def cast(self, type_: Type, element: Type) -> Type:
        """``e.Cast<T>()``."""
        found = self._resolve(type_, "Cast", [], (element,))
        return found if found is not None else self._sequence(type_, element)

    def _joined(self, found: Type, added: Variables, select: Lowered | None) -> None:
        self.type = found
        if select is None:
            self.variables = (*self.variables, *added)
        self._is_degenerate = False

    def _result(self, select: Lowered | None, added: Variables, clause: Lowered) -> BoundExpression:
        """The result selector of a clause that brings another range variable."""
        if select is not None:
            return self._lambda(select[2], self.variables, added, place=(clause[1], 2))
        return self._lambda(None, self.variables, added, variables=(*self.variables, *added), place=(clause[1], 2))

    def _lambda(
        self,
        expression: Lowered | None,
        *parameters: Variables,
        variables: Variables = (),
        place: LambdaPlace,
        cast: Type | None = None,
    ) -> UnboundLambda:
        """``(parameters) => expression``, or an object of ``variables``."""
        named = [held[0] if len(held) == 1 else f"<{index}>" for index, held in enumerate(parameters)]
        packed = [[name, held] for name, held in zip(named, parameters, strict=True) if len(held) > 1]
        plain = not packed and not variables and cast is None
        body = expression if plain else [_TRANSPARENT, packed, expression, variables, cast]
        declared: list[Lowered] = [[Op.PARAMETER.value, 0, name, None, 0, 0, None, []] for name in named]
        node: Lowered = [Op.LAMBDA.value, 0, 0, declared, None, body, []]
        return UnboundLambda(node, self._scope, place, lambda_rules(self._b), self._b.depth)

    def _is_range_variable(self, expression: Lowered) -> bool:
        return len(self.variables) == 1 and expression[0] == Op.NAME and expression[2] == self.variables[0]

    # Calls

    def _call(
        self,
        name: str,
        operands: Sequence[BoundExpression],
        given: Sequence[Callable[[Sequence[Type]], tuple[Type, ...]] | None],
        otherwise: Callable[[Sequence[Type]], Type] | None = None,
    ) -> Type:
        """The result of a method of the source. Where none is applicable the lambdas are bound with the parameter types ``given``, from
        the results of those before, and the result is ``otherwise``, without it a sequence of what the last one returns."""
        found = self._resolve(self.type, name, operands, ())
        if found is not None:
            return found
        bound: list[Type] = []
        for operand, types in zip(operands, given, strict=True):
            if types is not None and isinstance(operand, UnboundLambda):
                bound.append(self._bind(operand, types(bound)))
            else:
                bound.append(operand.type)
        return otherwise(bound) if otherwise is not None else self._sequence(self.type, bound[-1])

    def _resolve(
        self, receiver: Type, name: str, operands: Sequence[BoundExpression], type_arguments: tuple[Type, ...]
    ) -> Type | None:
        if isinstance(receiver, (ErrorType, DynamicType)):
            return None
        b, scope = self._b, self._scope
        arguments = [Argument(operand) for operand in operands]
        group = b.hierarchy.accessible(receiver, name, scope.within).instance.found
        skip = 0
        candidate = None
        if group and group[0].member.kind is MemberKind.METHOD:
            candidate = b.resolve(group, arguments, type_arguments, scope).candidate
        if candidate is None:
            skip = 1
            candidate = b.extensions(scope, name, value(receiver), arguments, type_arguments).candidate
        if candidate is None:
            return None
        self.is_unsure = self.is_unsure or any(in_doubt(operand) for operand in operands)
        b.settle_arguments(arguments, candidate, skip, self.is_unsure)
        return candidate.return_type

    def _bind(self, operand: UnboundLambda, types: tuple[Type, ...]) -> Type:
        """Binds a lambda for itself; the type of what it returns."""
        b = self._b
        body = operand.body(types, self.is_unsure)
        b.recording.adopt(body.recording)
        common = b.natural_types.common(body.returns)
        for each in body.returns:
            b.convert(each, common)
        return common if common is not None else UNKNOWN

    def _element(self, type_: Type) -> Type:
        return element_type(self._b, type_, self._scope)

    def _sequence(self, source: Type, element: Type) -> Type:
        """``IQueryable`` of a queryable source, else ``IEnumerable``."""
        b = self._b
        queryable = b.hierarchy.well_known("IQueryable", 0, "System.Linq").definition
        if isinstance(source, (NamedType, TypeParameterType)) and b.hierarchy.find_base(source, queryable) is not None:
            return b.generic("System.Linq", "IQueryable", element)
        return b.generic("System.Collections.Generic", "IEnumerable", element)
