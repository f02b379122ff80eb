"""Patterns and designations (ECMA-334 §11)."""

from __future__ import annotations

from typing import Any, Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    AND_PATTERN,
    ARGUMENT,
    ARGUMENT_LIST,
    BINARY_EXPRESSION,
    COMMENT,
    CONSTANT_PATTERN,
    DECLARATION_EXPRESSION,
    DECLARATION_PATTERN,
    DISCARD,
    IDENTIFIER,
    IMPLICIT_TYPE,
    INVOCATION_EXPRESSION,
    IS_PATTERN_EXPRESSION,
    LIST_PATTERN,
    MEMBER_ACCESS_EXPRESSION,
    NEGATED_PATTERN,
    OR_PATTERN,
    PARENTHESIZED_EXPRESSION,
    PARENTHESIZED_PATTERN,
    PARENTHESIZED_VARIABLE_DESIGNATION,
    POSITIONAL_PATTERN_CLAUSE,
    PROPERTY_PATTERN_CLAUSE,
    RECURSIVE_PATTERN,
    RELATIONAL_PATTERN,
    SUBPATTERN,
    TOKEN_CLOSE_PAREN,
    TOKEN_COLON,
    TOKEN_COMMA,
    TOKEN_DOT_DOT,
    TOKEN_OPEN_BRACKET,
    TOKEN_OPEN_PAREN,
    TUPLE_EXPRESSION,
    TUPLE_PATTERN,
    TYPE_PATTERN,
    VAR_PATTERN,
)
from codemap_plugins.csharp.lowering.context import MAX_DEPTH, Lowering, pattern_rule, significant
from codemap_plugins.csharp.lowering.misread import constructed, constructed_before, expression_type
from codemap_plugins.csharp.lowering.names import elements, extend_type, pattern_end_rule
from codemap_plugins.csharp.type_syntax import PREDEFINED_TYPES

_AND_PATTERN: Final = Op.AND_PATTERN.value
_CALL: Final = Op.CALL.value
_DECLARATION_PATTERN: Final = Op.DECLARATION_PATTERN.value
_DECONSTRUCTION: Final = Op.DECONSTRUCTION.value
_DISCARD: Final = Op.DISCARD.value
_IS: Final = Op.IS.value
_LIST_PATTERN: Final = Op.LIST_PATTERN.value
_MEMBER: Final = Op.MEMBER.value
_NAMEOF: Final = Op.NAMEOF.value
_NOT_PATTERN: Final = Op.NOT_PATTERN.value
_OPERAND: Final = Op.OPERAND.value
_OR_PATTERN: Final = Op.OR_PATTERN.value
_RECURSIVE_PATTERN: Final = Op.RECURSIVE_PATTERN.value
_RELATIONAL_PATTERN: Final = Op.RELATIONAL_PATTERN.value
_SLICE_PATTERN: Final = Op.SLICE_PATTERN.value
_VARIABLE: Final = Op.VARIABLE.value

_CONSTANT: Final = Op.CONSTANT_PATTERN.value
_TYPE_PATTERN: Final = Op.TYPE_PATTERN.value
_SUBPATTERN: Final = Op.SUBPATTERN.value
_NAME: Final = Op.NAME.value
_OPEN_BRACKET: Final = 0x5B


@pattern_rule(DISCARD)
def discard(low: Lowering, node: Node) -> Lowered:
    offset = node.start_byte
    if low.source.startswith(b"..", offset):
        return [_SLICE_PATTERN, offset, None]
    return [_DISCARD, offset]


@pattern_rule(CONSTANT_PATTERN)
def constant(low: Lowering, node: Node) -> Lowered:
    return constant_value(low, significant(node.children)[-1])


def constant_value(low: Lowering, node: Node) -> Lowered:
    """An expression in a pattern's place: a constant, or a type or positional pattern that the grammar reads as an
    expression."""
    if low.replaced and (known := low.replaced.get(node.id)) is not None:
        return known
    kind = node.kind_id
    while kind == PARENTHESIZED_EXPRESSION:
        children = significant(node.children)
        if len(children) != 3:
            break
        if _is_list(low, node):
            return _list(low, node.start_byte, [constant_value(low, children[1])], None)
        node = children[1]
        kind = node.kind_id
    if kind == IDENTIFIER and low.source[node.start_byte] in b"_." and node.end_byte - node.start_byte == 1:
        return discard(low, node)
    if kind != TUPLE_EXPRESSION and (type_ := expression_type(low, node)) is not None:
        # A predefined type has constants, and no types.
        return [_CONSTANT, low.expression(node)] if _is_member_of_predefined(type_[0]) else [_TYPE_PATTERN, type_]
    if kind == TUPLE_EXPRESSION:
        if _is_list(low, node):
            return _list(low, node.start_byte, [part[2] for part in _positional(low, node)], None)
        return [_RECURSIVE_PATTERN, node.start_byte, None, _positional(low, node), None, None]
    if kind == BINARY_EXPRESSION and (typed := constructed_before(low, node)) is not None:
        declared = typed_pattern(low, *typed)
        if declared is not None:
            return declared
    if kind == INVOCATION_EXPRESSION:
        children = significant(node.children)
        type_ = expression_type(low, children[0])
        if type_ is not None and type_[0] != "nameof" and children[1].kind_id == ARGUMENT_LIST:
            return [_RECURSIVE_PATTERN, node.start_byte, type_, _positional(low, children[1]), None, None]
    if kind == DECLARATION_EXPRESSION:
        type_node, variable = significant(node.children)[:2]
        return [_DECLARATION_PATTERN, low.type(type_node), designation(low, variable)]
    return [_CONSTANT, low.expression(node)]


def typed_pattern(low: Lowering, type_: list[Any], behind: Node) -> Lowered | None:
    """A type and what stands behind it where a pattern may: the variable that it declares, or positional sub-patterns, which come as an
    expression in parentheses. Null for anything else."""
    kind = behind.kind_id
    if kind == IDENTIFIER:
        return [_DECLARATION_PATTERN, type_, designation(low, behind)]
    if kind == TUPLE_EXPRESSION:
        return [_RECURSIVE_PATTERN, behind.start_byte, type_, _positional(low, behind), None, None]
    if kind == PARENTHESIZED_EXPRESSION:
        subpattern = [_SUBPATTERN, [], constant_value(low, behind)]
        return [_RECURSIVE_PATTERN, behind.start_byte, type_, [subpattern], None, None]
    return None


def begins_with_test(node: Node) -> bool:
    """``(x is A).B``, which is ``x is A.B``."""
    while node.kind_id == MEMBER_ACCESS_EXPRESSION:
        node = node.children[0]
        if node.kind_id == IS_PATTERN_EXPRESSION:
            return True
    return False


def declared_by_test(low: Lowering, test: Node, argument: Node, behind: Node) -> Lowered | None:
    """``x is A.B<C> y``, which the grammar reads as the comparisons ``(x is A).B < C > y`` before ``?``; null where they are."""
    lowered, type_ = low.expression(test), expression_type(low, argument)
    if lowered[0] != _IS or lowered[3][0] != _TYPE_PATTERN or type_ is None:
        return None
    declared = typed_pattern(low, constructed(lowered[3][1], [type_]), behind)
    return [*lowered[:3], declared] if declared is not None else None


@pattern_end_rule
def take_links(low: Lowering, pattern: Lowered, last: Node, links: list[Lowered]) -> None:
    """Of ``x is A.B || y`` and ``x is A(var b)``, which the grammar reads as ``(x is A).B || y`` and ``(x is A)(var b)``: members and calls
    bind first (§12.4.2), so the type takes them. Of ``or`` and the like the last pattern takes them."""
    while pattern[0] in (_AND_PATTERN, _OR_PATTERN, _NOT_PATTERN):
        pattern = pattern[2] if pattern[0] == _NOT_PATTERN else pattern[1][-1]
    while links and pattern[0] == _TYPE_PATTERN and links[-1][0] == _MEMBER:
        _, offset, name, _, types = links.pop()
        extend_type(pattern[1], offset, name, types)
    if links and pattern[0] == _TYPE_PATTERN and links[-1][0] == _CALL:
        for _ in links[1:]:
            last = significant(last.children)[0]
        positional = significant(last.children)[-1]
        if positional.kind_id == ARGUMENT_LIST:
            pattern[:] = [_RECURSIVE_PATTERN, links.pop()[1], pattern[1], _positional(low, positional), None, None]


def _is_member_of_predefined(name: str) -> bool:
    first, dot, _ = name.partition(".")
    return bool(dot) and first in PREDEFINED_TYPES


def _positional(low: Lowering, node: Node) -> list[Lowered]:
    """Positional sub-patterns written as arguments."""
    nodes = [child for child in node.children if child.kind_id == ARGUMENT]
    return elements(low, nodes, _subpattern_of_argument, True)


def _subpattern_of_argument(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    names: list[Lowered] = []
    if len(children) > 2 and children[1].kind_id == TOKEN_COLON:
        names = [[_NAME, children[0].start_byte, low.name(children[0])]]
    return [_SUBPATTERN, names, constant_value(low, children[-1])]


@pattern_rule(TYPE_PATTERN)
def type_pattern(low: Lowering, node: Node) -> Lowered:
    return [_TYPE_PATTERN, low.type(significant(node.children)[0])]


@pattern_rule(DECLARATION_PATTERN)
def declaration(low: Lowering, node: Node) -> Lowered:
    type_, variable = significant(node.children)[:2]
    if variable.kind_id == PARENTHESIZED_VARIABLE_DESIGNATION and type_.kind_id != IMPLICIT_TYPE:
        return _named_positions(low, type_, variable)
    return [_DECLARATION_PATTERN, low.type(type_), designation(low, variable)]


def _named_positions(low: Lowering, type_: Node, node: Node) -> Lowered:
    """``A(b, c)`` and ``nameof(A)``, which the grammar reads as what ``var (b, c)`` is: only ``var`` declares in parentheses (§11.2.4)."""
    values = [child for child in significant(node.children) if child.is_named]
    if low.text(type_) == "nameof" and len(values) == 1:
        return [_CONSTANT, [_NAMEOF, type_.start_byte, low.expression(values[0])]]
    subpatterns = [[_SUBPATTERN, [], _position(low, value)] for value in values]
    return [_RECURSIVE_PATTERN, node.start_byte, low.type(type_), subpatterns, None, None]


def _position(low: Lowering, node: Node) -> Lowered:
    if node.kind_id != PARENTHESIZED_VARIABLE_DESIGNATION:
        return constant_value(low, node)
    subpatterns = [[_SUBPATTERN, [], _position(low, child)] for child in significant(node.children) if child.is_named]
    return [_RECURSIVE_PATTERN, node.start_byte, None, subpatterns, None, None]


@pattern_rule(VAR_PATTERN)
def var_pattern(low: Lowering, node: Node) -> Lowered:
    return [_DECLARATION_PATTERN, ["var"], designation(low, significant(node.children)[-1])]


def designation(low: Lowering, node: Node) -> Lowered:
    """The declaration in a pattern or deconstruction: a variable, a discard, or several in parentheses."""
    kind = node.kind_id
    offset = node.start_byte
    if kind == DISCARD:
        return [_DISCARD, offset]
    if kind == IDENTIFIER:
        name = low.name(node)
        return [_DISCARD, offset] if name == "_" else [_VARIABLE, offset, name]
    if kind in (PARENTHESIZED_VARIABLE_DESIGNATION, TUPLE_PATTERN):
        parts = [
            designation(low, child)
            for child in node.children
            if child.kind_id not in (TOKEN_OPEN_PAREN, TOKEN_CLOSE_PAREN, TOKEN_COMMA, COMMENT)
        ]
        return [_DECONSTRUCTION, offset, parts]
    return low.unknown(node)


@pattern_rule(PARENTHESIZED_PATTERN)
def parenthesised(low: Lowering, node: Node) -> Lowered:
    while node.kind_id == PARENTHESIZED_PATTERN:
        children = significant(node.children)
        if len(children) != 3:
            return low.unknown(node)
        if _is_list(low, node):
            return _list(low, node.start_byte, [low.pattern(children[1])], None)
        node = children[1]
    return low.pattern(node)


@pattern_rule(RECURSIVE_PATTERN)
def recursive(low: Lowering, node: Node) -> Lowered:
    offset = node.start_byte
    type_: list[Any] | None = None
    positional: list[Lowered] | None = None
    properties: list[Lowered] | None = None
    variable: Lowered | None = None
    children = significant(node.children)
    if children[0].kind_id == TOKEN_OPEN_PAREN and len(children) == 4:
        # `(pattern) name`
        subpattern = [_SUBPATTERN, [], low.pattern(children[1])]
        return [_RECURSIVE_PATTERN, offset, None, [subpattern], None, designation(low, children[3])]
    for child in children:
        kind = child.kind_id
        if kind == POSITIONAL_PATTERN_CLAUSE:
            positional = _subpatterns(low, child)
            if _is_list(low, child):
                return _list(low, offset, [part[2] for part in positional], None)
        elif kind == PROPERTY_PATTERN_CLAUSE:
            properties = _subpatterns(low, child)
        elif positional is None and properties is None:
            type_ = low.type(child)
        else:
            variable = designation(low, child)
    return [_RECURSIVE_PATTERN, offset, type_, positional, properties, variable]


def _subpatterns(low: Lowering, node: Node) -> list[Lowered]:
    return elements(low, [child for child in node.children if child.kind_id == SUBPATTERN], _subpattern, True)


def _subpattern(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    names: list[Lowered] = []
    if len(children) > 2 and children[1].kind_id == TOKEN_COLON:
        path = children[0]
        while path.kind_id == MEMBER_ACCESS_EXPRESSION:
            parts = significant(path.children)
            names.append([_NAME, parts[-1].start_byte, low.name(parts[-1])])
            path = parts[0]
        head = low.expression(path)
        names = [head, *reversed(names)] if head[0] == _NAME else []  # a broken path names nothing
    return [_SUBPATTERN, names, low.pattern(children[-1])]


@pattern_rule(LIST_PATTERN)
def list_pattern(low: Lowering, node: Node) -> Lowered:
    nodes: list[Node] = []
    variable: Lowered | None = None
    closed = False
    for child in node.children:
        kind = child.kind_id
        if kind == TOKEN_DOT_DOT:
            nodes.append(child)
        elif closed and kind != COMMENT:
            variable = designation(low, child)
        elif child.is_named and kind != COMMENT:
            nodes.append(child)
        elif kind not in (TOKEN_COMMA, TOKEN_OPEN_BRACKET, COMMENT):
            closed = True
    return _list(low, node.start_byte, elements(low, nodes, _list_element, True), variable)


def _list_element(low: Lowering, node: Node) -> Lowered:
    return [_SLICE_PATTERN, node.start_byte, None] if node.kind_id == TOKEN_DOT_DOT else low.pattern(node)


def _is_list(low: Lowering, node: Node) -> bool:
    """A guarded list, ``[x] when``, was read as ``(x) when`` (repair)."""
    return low.source[node.start_byte] == _OPEN_BRACKET


def _list(low: Lowering, offset: int, elements: list[Lowered], variable: Lowered | None) -> Lowered:
    """A slice with a sub-pattern was read as a discard and the pattern after it (repair): it takes that pattern."""
    joined: list[Lowered] = []
    for element in elements:
        if joined and joined[-1][0] == _SLICE_PATTERN and joined[-1][2] is None and _takes_pattern(low, joined[-1][1]):
            joined[-1][2] = element
        else:
            joined.append(element)
    return [_LIST_PATTERN, offset, joined, variable]


def _takes_pattern(low: Lowering, offset: int) -> bool:
    return low.source[offset + 2 : offset + 200].lstrip()[:1] not in (b",", b"]")


@pattern_rule(RELATIONAL_PATTERN)
def relational(low: Lowering, node: Node) -> Lowered:
    operator, value = significant(node.children)[:2]
    return [_RELATIONAL_PATTERN, operator.start_byte, low.text(operator), low.expression(value)]


@pattern_rule(NEGATED_PATTERN)
def negated(low: Lowering, node: Node) -> Lowered:
    return [_NOT_PATTERN, node.start_byte, low.pattern(significant(node.children)[-1])]


def pattern_of_is(low: Lowering, node: Node) -> tuple[Lowered, list[Lowered]]:
    """The pattern right of ``is``, and the operands after it: ``x is A || y``, which the grammar reads as ``x is (A || y)`` where a name
    has members or type arguments, and after ``not``, ``and`` and ``or``. Operators that bind less than ``is`` end a pattern (§12.4.2)."""
    kind = node.kind_id
    children = significant(node.children)
    if low.has_errors or low.depth >= MAX_DEPTH:
        return low.pattern(node), []
    if kind == CONSTANT_PATTERN:
        value, rest = _cut(low, children[-1])
        return constant_value(low, value), rest
    if kind == RELATIONAL_PATTERN:
        value, rest = _cut(low, children[1])
        return [_RELATIONAL_PATTERN, node.start_byte, low.text(children[0]), low.expression(value)], rest
    if kind == NEGATED_PATTERN:
        low.depth += 1
        pattern, rest = pattern_of_is(low, children[-1])
        low.depth -= 1
        return [_NOT_PATTERN, node.start_byte, pattern], rest
    if kind in (AND_PATTERN, OR_PATTERN) and len(children) == 3:
        if _ends_early(low, children[0]):
            return _of_two(low, children[0], kind, children[2])
        last, rest = pattern_of_is(low, children[2])
        if rest:
            parts = _flat(low, children[0], kind)
            parts.append(last)
            return [_COMBINATIONS[kind], parts], rest
    return low.pattern(node), []


def _ends_early(low: Lowering, node: Node) -> bool:
    """A pattern in which an operator that ends it stands before its last operand, or in that."""
    while node.kind_id in (AND_PATTERN, OR_PATTERN, NEGATED_PATTERN):
        children = significant(node.children)
        if node.kind_id != NEGATED_PATTERN and _ends_early_by_itself(low, children[-1]):
            return True
        node = children[0] if node.kind_id != NEGATED_PATTERN else children[-1]
    return _ends_early_by_itself(low, node)


def _ends_early_by_itself(low: Lowering, node: Node) -> bool:
    value = significant(node.children)[-1] if node.kind_id == CONSTANT_PATTERN else node
    return value.kind_id == BINARY_EXPRESSION and _is_below_is(low, significant(value.children))


def _of_two(low: Lowering, node: Node, kind: int, last: Node) -> tuple[Lowered, list[Lowered]]:
    """``x is A || y is B or C``, read as ``x is ((A || y is B) or C)``: what follows belongs to the pattern of the last ``is``."""
    low.depth += 1
    pattern, rest = pattern_of_is(low, node)
    low.depth -= 1
    lowered, more = pattern_of_is(low, last)
    test = rest[-1][3] if rest else None
    if test is None or test[0] != _IS:
        return [_COMBINATIONS[kind], [pattern, lowered]], [*rest, *more]
    before = test[3]
    if before[0] == _COMBINATIONS[kind]:
        before[1].append(lowered)
    else:
        test[3] = [_COMBINATIONS[kind], [before, lowered]]
    return pattern, [*rest, *more]


_COMBINATIONS: Final = {AND_PATTERN: _AND_PATTERN, OR_PATTERN: _OR_PATTERN}
_BELOW_IS: Final = frozenset({b"==", b"!=", b"&", b"^", b"|", b"&&", b"||", b"??"})


def _cut(low: Lowering, node: Node) -> tuple[Node, list[Lowered]]:
    """An expression without its last operands whose operators bind less than ``is``, and those."""
    rest: list[Lowered] = []
    while node.kind_id == BINARY_EXPRESSION:
        children = significant(node.children)
        if not _is_below_is(low, children):
            break
        node, operator, right = children
        rest.append([_OPERAND, operator.start_byte, low.text(operator), low.expression(right)])
    rest.reverse()
    return node, rest


def _is_below_is(low: Lowering, children: list[Node]) -> bool:
    """The operator of a binary expression binds less than ``is``."""
    return len(children) == 3 and low.source[children[1].start_byte : children[1].end_byte] in _BELOW_IS


@pattern_rule(AND_PATTERN, OR_PATTERN)
def combined(low: Lowering, node: Node) -> Lowered:
    return [_COMBINATIONS[node.kind_id], _flat(low, node, node.kind_id)]


def _flat(low: Lowering, node: Node, kind: int) -> list[Lowered]:
    """The patterns that the left spine of one combinator joins."""
    parts: list[Lowered] = []
    while node.kind_id == kind and len(children := significant(node.children)) == 3:
        node, _, right = children
        parts.append(low.pattern(right))
    parts.append(low.unknown(node) if node.kind_id == kind else low.pattern(node))
    parts.reverse()
    return parts
