"""Query expressions (ECMA-334 §12.20): one flat list of clauses."""

from __future__ import annotations

from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    COMMENT,
    FIELD_TYPE,
    FROM_CLAUSE,
    GROUP_CLAUSE,
    IDENTIFIER,
    JOIN_CLAUSE,
    JOIN_INTO_CLAUSE,
    LET_CLAUSE,
    ORDER_BY_CLAUSE,
    QUERY_EXPRESSION,
    SELECT_CLAUSE,
    TOKEN_ASCENDING,
    TOKEN_COMMA,
    TOKEN_DESCENDING,
    TOKEN_INTO,
    WHERE_CLAUSE,
)
from codemap_plugins.csharp.lowering.context import Lowering, expression_rule, significant

_FROM: Final = Op.FROM.value
_GROUP: Final = Op.GROUP.value
_INTO: Final = Op.INTO.value
_JOIN: Final = Op.JOIN.value
_LET: Final = Op.LET.value
_ORDERING: Final = Op.ORDERING.value
_ORDER_BY: Final = Op.ORDER_BY.value
_QUERY: Final = Op.QUERY.value
_SELECT: Final = Op.SELECT.value
_WHERE: Final = Op.WHERE.value


@expression_rule(QUERY_EXPRESSION)
def query(low: Lowering, node: Node) -> Lowered:
    clauses: list[Lowered] = []
    for child in node.children:
        kind = child.kind_id
        if kind == IDENTIFIER:
            clauses.append([_INTO, child.start_byte, low.name(child)])
        elif kind not in (TOKEN_INTO, COMMENT):
            clauses.append(_clause(low, child))
    return [_QUERY, node.start_byte, clauses]


def _clause(low: Lowering, node: Node) -> Lowered:
    kind = node.kind_id
    offset = node.start_byte
    children = significant(node.children)
    if kind == FROM_CLAUSE and len(children) >= 4:
        name = children[-3]
        return [_FROM, name.start_byte, low.name(name), _type(low, node), low.expression(children[-1])]
    if kind == LET_CLAUSE and len(children) == 4:
        return [_LET, children[1].start_byte, low.name(children[1]), low.expression(children[3])]
    if kind == WHERE_CLAUSE:
        return [_WHERE, offset, low.expression(children[-1])]
    if kind == SELECT_CLAUSE:
        return [_SELECT, offset, low.expression(children[-1])]
    if kind == GROUP_CLAUSE and len(children) == 4:
        return [_GROUP, offset, low.expression(children[1]), low.expression(children[3])]
    if kind == ORDER_BY_CLAUSE:
        return [_ORDER_BY, offset, _orderings(low, children[1:])]
    if kind == JOIN_CLAUSE:
        return _join(low, node, children)
    return low.unknown(node)


def _type(low: Lowering, node: Node) -> list[object] | None:
    type_ = node.child_by_field_id(FIELD_TYPE)
    return None if type_ is None else low.type(type_)


def _orderings(low: Lowering, children: list[Node]) -> list[Lowered]:
    orderings: list[Lowered] = []
    for child in children:
        kind = child.kind_id
        if kind == TOKEN_DESCENDING and orderings:
            orderings[-1][2] = 1
        elif kind not in (TOKEN_COMMA, TOKEN_ASCENDING, TOKEN_DESCENDING):
            orderings.append([_ORDERING, low.expression(child), 0])
    return orderings


def _join(low: Lowering, node: Node, children: list[Node]) -> Lowered:
    """``join T? name in source on left equals right into?``"""
    into: Lowered | None = None
    if children[-1].kind_id == JOIN_INTO_CLAUSE:
        variable = significant(children[-1].children)[-1]
        into = [_INTO, variable.start_byte, low.name(variable)]
        children = children[:-1]
    if len(children) < 8:
        return low.unknown(node)
    name, _, source, _, left, _, right = children[-7:]
    return [
        _JOIN,
        name.start_byte,
        low.name(name),
        _type(low, node),
        low.expression(source),
        low.expression(left),
        low.expression(right),
        into,
    ]
