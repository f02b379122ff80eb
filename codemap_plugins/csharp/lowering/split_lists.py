"""Lists that the grammar takes apart at the commas of type arguments, put together again (ECMA-334 §6.2.5).

``f(x => g<A, B>(y))`` comes as two arguments, ``x => g < A`` and ``B > (y)``; ``f(o is T<A, B> t && c)`` as ``o is T < A`` and
``B > t && c``. The comparison with ``<`` may stand at the end of its element, below what binds less, and the one with ``>`` at the
beginning of its own.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered
from codemap_plugins.csharp.grammar import (
    AND_PATTERN,
    ARGUMENT,
    AS_EXPRESSION,
    ASSIGNMENT_EXPRESSION,
    BINARY_EXPRESSION,
    BLOCK,
    COLLECTION_ELEMENT,
    CONDITIONAL_EXPRESSION,
    CONSTANT_PATTERN,
    EXPRESSION_ELEMENT,
    IS_EXPRESSION,
    IS_PATTERN_EXPRESSION,
    LAMBDA_EXPRESSION,
    NEGATED_PATTERN,
    OR_PATTERN,
    SUBPATTERN,
    THROW_EXPRESSION,
    TOKEN_GREATER_THAN,
    TOKEN_LESS_THAN,
)
from codemap_plugins.csharp.lowering.context import Lowering, Rule, significant
from codemap_plugins.csharp.lowering.misread import (
    comparison,
    constructed,
    constructed_call,
    expression_type,
    nested_argument,
)
from codemap_plugins.csharp.lowering.names import list_rule
from codemap_plugins.csharp.lowering.patterns import typed_pattern

_Closed: TypeAlias = tuple[Node, list[Any] | None, Node]
"""The comparison behind the last type argument, that argument as a type, and what stands behind it."""
_ELEMENTS: Final = frozenset({ARGUMENT, COLLECTION_ELEMENT, EXPRESSION_ELEMENT, SUBPATTERN, CONSTANT_PATTERN})
_PATTERNS: Final = frozenset({CONSTANT_PATTERN, NEGATED_PATTERN, AND_PATTERN, OR_PATTERN})
_END_IN_OPERAND: Final = frozenset(
    {BINARY_EXPRESSION, LAMBDA_EXPRESSION, CONDITIONAL_EXPRESSION, ASSIGNMENT_EXPRESSION, THROW_EXPRESSION}
)
_BEGIN_WITH_OPERAND: Final = frozenset(
    {BINARY_EXPRESSION, AS_EXPRESSION, IS_EXPRESSION, IS_PATTERN_EXPRESSION, CONDITIONAL_EXPRESSION}
)


@list_rule
def joined_elements(low: Lowering, nodes: list[Node], lower: Rule, of_patterns: bool) -> list[Lowered]:
    """Elements of a list, those together that type arguments join."""
    result: list[Lowered] = []
    at = 0
    while at < len(nodes):
        lowered, end = _joined(low, nodes, at, lower, of_patterns)
        result.append(lower(low, nodes[at]) if lowered is None else lowered)
        at = end
    return result


def _joined(low: Lowering, nodes: list[Node], at: int, lower: Rule, of_patterns: bool) -> tuple[Lowered | None, int]:
    """The element that begins with ``nodes[at]``, null where that is one by itself; and the first of the nodes after it."""
    opened = _opened(_value(nodes[at]), of_patterns) if at + 1 < len(nodes) else None
    if opened is not None:
        for end in range(at + 1, len(nodes)):
            closing = _closed(low, _value(nodes[end]))
            if closing is not None:
                parts = [nodes[at], *(_value(node) for node in nodes[at + 1 : end]), nodes[end]]
                lowered = _element(low, parts, opened, closing, lower)
                return lowered, at + 1 if lowered is None else end + 1
    return None, at + 1


def _element(
    low: Lowering, parts: list[Node], opened: tuple[Node, Node | None], closed: _Closed, lower: Rule
) -> Lowered | None:
    """The element that comes in ``parts``, whose type arguments stand between two comparisons. Null where those compare after all."""
    opening, test = opened
    name, *_, argument = significant(opening.children)
    closing, last_argument, behind = closed
    written = [*(expression_type(low, node) for node in (argument, *parts[1:-1])), last_argument]
    types = [type_ for type_ in written if type_ is not None]
    if len(types) < len(written):
        return None
    if test is None:
        inner, replaced = constructed_call(low, name, types, behind), opening
    else:
        tested = expression_type(low, name)
        inner = typed_pattern(low, constructed(tested, types), behind) if tested is not None else None
        replaced = opening
        if test.kind_id == IS_PATTERN_EXPRESSION:
            inner, replaced = _with(low, test, opening, inner, Lowering.expression), test
    if test is None or replaced is test:
        inner = _with(low, _value(parts[-1]), closing, inner, Lowering.expression)
    return _with(low, parts[0], replaced, inner, lower)


def _with(low: Lowering, node: Node, part: Node, read: Lowered | None, lower: Rule) -> Lowered | None:
    """``node`` with ``read`` in place of a part of it; null where nothing was read."""
    if read is None:
        return None
    low.replaced[part.id] = read
    lowered = lower(low, node)
    del low.replaced[part.id]
    return lowered


def _value(node: Node) -> Node:
    """What an element consists of, without its name."""
    while node.kind_id in _ELEMENTS:
        node = significant(node.children)[-1]
    return node


def _opened(node: Node, is_pattern: bool) -> tuple[Node, Node | None] | None:
    """The comparison ``a < b`` that an expression or pattern ends in, and the ``is`` or the pattern that it belongs to."""
    test = node if is_pattern else None
    while True:
        kind = node.kind_id
        if kind == BINARY_EXPRESSION and comparison(node, TOKEN_LESS_THAN) is not None:
            return node, test
        if kind == IS_PATTERN_EXPRESSION:
            test = node
        elif kind in _END_IN_OPERAND:
            test = None
        elif test is None or kind not in _PATTERNS:
            return None
        node = significant(node.children)[-1]
        if node.kind_id == BLOCK:
            return None


def _closed(low: Lowering, node: Node) -> _Closed | None:
    """The comparison that closes type arguments, of those that an expression begins with: ``a > b``, or ``a < ((b, c) >> d)`` of a last
    argument ``a<(b, c)>``."""
    found: _Closed | None = None
    while node.kind_id in _BEGIN_WITH_OPERAND:
        if node.kind_id == BINARY_EXPRESSION:
            closing = comparison(node, TOKEN_GREATER_THAN)
            operands = [node]
            while (opening := comparison(operands[0], TOKEN_LESS_THAN)) is not None:
                operands[:1] = opening
            nested = nested_argument(low, operands) if len(operands) > 1 else None
            if closing is not None:
                found = node, expression_type(low, closing[0]), closing[1]
            elif nested is not None and nested[2] == len(operands):
                found = node, nested[0], nested[1]
        node = significant(node.children)[0]
    return found
