"""Query expressions (ECMA-334 §12.20): the methods that clauses call, and the types of range variables.

A clause calls an operator of its source, but no name stands there, so no reference is made for it; what matters is the type each range
variable has. The usual operators are known by what they do to element types.
"""

from __future__ import annotations

from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import Operand, value
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeParameterType


@binds(Op.QUERY)
def bind_query(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> Operand:
    inner = scope.child()
    source: Type = UNKNOWN
    element: Type = UNKNOWN
    result: Type = UNKNOWN
    first = True
    for clause in node[2]:
        op = clause[0]
        if op == Op.FROM:
            _, _, name, written, expression = clause
            type_ = b.value_of(expression, inner)
            element = _element(b, type_, written, inner)
            if first:
                source, first = type_, False
            inner.declare(name, element)
        elif op == Op.LET:
            inner.declare(clause[2], b.value_of(clause[3], inner))
        elif op == Op.WHERE:
            b.value_of(clause[2], inner, b.system("Boolean"))
        elif op == Op.JOIN:
            _join(b, clause, inner)
        elif op == Op.ORDER_BY:
            for ordering in clause[2]:
                b.value_of(ordering[1], inner)
        elif op == Op.SELECT:
            result = _sequence(b, source, b.value_of(clause[2], inner))
        elif op == Op.GROUP:
            grouped = b.value_of(clause[2], inner)
            key = b.value_of(clause[3], inner)
            result = _sequence(b, source, b.generic("System.Linq", "IGrouping", key, grouped))
        elif op == Op.INTO:
            inner = scope.child()
            source, first = result, True
            element = b.element_type(result, scope)
            inner.declare(clause[2], element)
            first = False
    return value(result)


def _element(b: Binder, type_: Type, written: list[object] | None, scope: LocalScope) -> Type:
    if written is not None:
        return b.type(written, scope.resolver)
    return b.element_type(type_, scope)


def _join(b: Binder, clause: Lowered, inner: LocalScope) -> None:
    _, _, name, written, source, left, right, into = clause
    type_ = b.value_of(source, inner)
    element = _element(b, type_, written, inner)
    b.value_of(left, inner)
    keyed = inner.child()
    keyed.declare(name, element)
    b.value_of(right, keyed)
    if into is not None:
        inner.declare(into[2], b.generic("System.Collections.Generic", "IEnumerable", element))
    else:
        inner.declare(name, element)


def _sequence(b: Binder, source: Type, element: Type) -> Type:
    """``IQueryable`` of a queryable source, else ``IEnumerable``."""
    queryable = b.hierarchy.well_known("IQueryable", 0, "System.Linq").definition
    if isinstance(source, (NamedType, TypeParameterType)) and b.hierarchy.find_base(source, queryable) is not None:
        return b.generic("System.Linq", "IQueryable", element)
    return b.generic("System.Collections.Generic", "IEnumerable", element)
