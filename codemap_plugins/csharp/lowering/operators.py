"""Operators and the expressions around one or two operands: assignments, casts, conditionals, ranges, ``typeof``,
``await``."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    AS_EXPRESSION,
    ASSIGNMENT_EXPRESSION,
    AWAIT_EXPRESSION,
    BINARY_EXPRESSION,
    CAST_EXPRESSION,
    CHECKED_EXPRESSION,
    COMMENT,
    CONDITIONAL_EXPRESSION,
    DECLARATION_EXPRESSION,
    DEFAULT_EXPRESSION,
    EXPRESSION_ELEMENT,
    FIELD_TYPE,
    IS_EXPRESSION,
    IS_PATTERN_EXPRESSION,
    PARENTHESIZED_EXPRESSION,
    POINTER_TYPE,
    POSTFIX_UNARY_EXPRESSION,
    PREFIX_UNARY_EXPRESSION,
    RANGE_EXPRESSION,
    REF_EXPRESSION,
    SIZEOF_EXPRESSION,
    SWITCH_EXPRESSION,
    SWITCH_EXPRESSION_ARM,
    THROW_EXPRESSION,
    TOKEN_CHECKED,
    TOKEN_DOT_DOT,
    TYPEOF_EXPRESSION,
    WHEN_CLAUSE,
)
from codemap_plugins.csharp.lowering.context import Lowering, children_of, expression_rule, significant
from codemap_plugins.csharp.lowering.misread import (
    GENERIC_CONTINUES,
    SIGNS,
    UNARY_OR_BINARY,
    compared_with_shift,
    constructed_call,
    generic_call,
    nested_argument,
    no_cast,
    product,
    shifts_tuple,
)
from codemap_plugins.csharp.lowering.names import chain
from codemap_plugins.csharp.lowering.patterns import begins_with_test, declared_by_test, pattern_of_is

_ARM: Final = Op.ARM.value
_AS: Final = Op.AS.value
_CALL: Final = Op.CALL.value
_CAST: Final = Op.CAST.value
_CHAIN: Final = Op.CHAIN.value
_CONDITIONAL: Final = Op.CONDITIONAL.value
_DECLARATION: Final = Op.DECLARATION.value
_CHECKED: Final = Op.CHECKED.value
_IS: Final = Op.IS.value
_POSTFIX: Final = Op.POSTFIX.value
_RANGE: Final = Op.RANGE.value
_SWITCH_EXPRESSION: Final = Op.SWITCH_EXPRESSION.value
_TYPE_PATTERN: Final = Op.TYPE_PATTERN.value

_ASSIGN: Final = Op.ASSIGN.value
_BINARY: Final = Op.BINARY.value
_OPERAND: Final = Op.OPERAND.value
_THROW: Final = Op.THROW.value
_UNARY: Final = Op.UNARY.value
_OPEN_PAREN: Final = 0x28
_GREATER: Final = 0x3E


@expression_rule(PARENTHESIZED_EXPRESSION)
def parenthesised(low: Lowering, node: Node) -> Lowered:
    while node.kind_id == PARENTHESIZED_EXPRESSION:
        children = children_of(node, 3)
        if len(children) != 3:
            return low.unknown(node)
        node = children[1]
    return low.expression(node)


@expression_rule(BINARY_EXPRESSION)
def binary(low: Lowering, node: Node) -> Lowered:
    """The left spine, flat."""
    spine: list[tuple[int, str, Node]] = []
    source = low.source
    suspicious = False
    while node.kind_id == BINARY_EXPRESSION and not (spine and node.id in low.replaced):
        children = node.children
        if len(children) != 3 and len(children := significant(children)) != 3:
            break
        node, operator, right = children
        start = operator.start_byte
        text = source[start : operator.end_byte].decode()
        if text[0] == ">":
            suspicious = suspicious or source[right.start_byte] in GENERIC_CONTINUES or source[start - 1] == _GREATER
        elif text == "<":
            suspicious = suspicious or shifts_tuple(right) or begins_with_test(node)
        spine.append((start, text, right))
    if not spine:
        return low.unknown(node)
    spine.reverse()
    if suspicious:
        return _with_generic_calls(low, node, spine)
    operands = [[_OPERAND, start, text, low.expression(right)] for start, text, right in spine]
    return [_BINARY, _left_most(low, node), operands]


def _left_most(low: Lowering, node: Node) -> Lowered:
    is_unread = node.kind_id == BINARY_EXPRESSION and node.id not in low.replaced
    return low.unknown(node) if is_unread else low.expression(node)


def _with_generic_calls(low: Lowering, first: Node, spine: list[tuple[int, str, Node]]) -> Lowered:
    """A spine in which ``a < b > (c)`` and ``a < b < (c, d) >> (e)`` are looked for, and ``a<b> > c``."""
    operands: list[Lowered] = [[_OPERAND, -1, "", _left_most(low, first)]]
    callee = first
    at = 0
    while at < len(spine):
        start, text, right = spine[at]
        if text == "<" and at + 1 < len(spine) and spine[at + 1][1] == ">":
            call = generic_call(low, callee, right, spine[at + 1][2])
            if call is None and begins_with_test(callee):
                call = declared_by_test(low, callee, right, spine[at + 1][2])
            if call is not None:
                operands[-1][3] = call
                callee = spine[at + 1][2]
                at += 2
                continue
        if text[0] == ">" and low.source[start - 1] == _GREATER:
            compared = compared_with_shift(low, callee)
            if compared is not None:
                operands[-1][3], less_than, shifted = compared
                shift = [_BINARY, shifted, [[_OPERAND, start - 1, f">{text}", low.expression(right)]]]
                operands.append([_OPERAND, less_than, "<", shift])
                callee = right
                at += 1
                continue
        opened = [each[2] for each in takewhile(lambda each: each[1] == "<", spine[at:])]
        nested = nested_argument(low, opened) if opened else None
        if nested is not None:
            argument, behind, count = nested
            call = constructed_call(low, callee, [argument], behind)
            if call is not None:
                operands[-1][3] = call
                callee = behind
                at += count
                continue
        operands.append([_OPERAND, start, text, low.expression(right)])
        callee = right
        at += 1
    return [_BINARY, operands[0][3], operands[1:]] if len(operands) > 1 else operands[0][3]


@expression_rule(PREFIX_UNARY_EXPRESSION)
def prefix(low: Lowering, node: Node) -> Lowered:
    operators: list[tuple[int, str]] = []
    while node.kind_id == PREFIX_UNARY_EXPRESSION:
        children = children_of(node, 2)
        operators.append((node.start_byte, low.text(children[0])))
        node = children[-1]
    lowered = low.expression(node)
    if len(operators) > 50:
        return lowered  # no code is written like that
    for offset, operator in reversed(operators):
        lowered = [_UNARY, offset, operator, lowered]
    while node.kind_id == CAST_EXPRESSION:
        node = node.children[-1]
    return _assigned(lowered) if node.kind_id == ASSIGNMENT_EXPRESSION else lowered


def _assigned(lowered: Lowered) -> Lowered:
    """``*(T*)p = x``, which was read as ``~((T*)(p = x))`` (repair): unary operators and casts bind first (§12.4.2)."""
    inner = lowered
    while inner[0] in (_UNARY, _CAST):
        outer, inner = inner, inner[3]
    if inner[0] != _ASSIGN:
        return lowered
    outer[3], inner[3] = inner[3], lowered
    inner[5] = lowered[1]
    return inner


@expression_rule(POSTFIX_UNARY_EXPRESSION)
def postfix(low: Lowering, node: Node) -> Lowered:
    operator = node.children[-1]
    text = low.text(operator)
    if text == "!":
        return chain(low, node)
    if text not in ("++", "--"):
        return low.unknown(node)
    return [_POSTFIX, operator.start_byte, text, low.expression(node.children[0])]


@expression_rule(ASSIGNMENT_EXPRESSION)
def assignment(low: Lowering, node: Node) -> Lowered:
    children = node.children
    if len(children) != 3:
        children = significant(children)
        if len(children) != 3:
            return low.unknown(node)
    left, operator, right = children
    start = operator.start_byte
    text = low.source[start : operator.end_byte].decode()
    target = low.expression(left)
    if target[0] == _UNARY and target[2] == "*":
        target[3] = _pointer(low, target[1], target[3], left.end_byte)
    else:
        target = _called(low, target, node.start_byte, left.end_byte)
    return [_ASSIGN, start, text, target, low.expression(right), node.start_byte, node.end_byte]


def _called(low: Lowering, target: Lowered, start: int, end: int) -> Lowered:
    """``f() = x`` was read as ``f   = x`` (repair)."""
    return [_CHAIN, target, [[_CALL, end, [], end + 2]], start] if low.source[end] == _OPEN_PAREN else target


def _pointer(low: Lowering, star: int, pointer: Lowered, end: int) -> Lowered:
    """The pointer that is assigned through: the repair took the call of ``*f() = x``, and the step of ``*p++ = x`` and ``*--p = x``."""
    before, after = low.source[star + 1 : star + 3], low.source[end : end + 2]
    if after in _STEPS:
        return [_POSTFIX, end, after.decode(), pointer]
    if before in _STEPS:
        return [_UNARY, star + 1, before.decode(), pointer]
    return _called(low, pointer, star + 1, end)


_STEPS: Final = (b"++", b"--")


@expression_rule(CAST_EXPRESSION)
def cast(low: Lowering, node: Node) -> Lowered:
    children = children_of(node, 4)
    if len(children) != 4:
        return low.unknown(node)
    _, type_, _, value = children
    may_combine = value.kind_id in UNARY_OR_BINARY or low.source[value.start_byte] in SIGNS
    if may_combine and (combined := no_cast(low, type_, value)) is not None:
        return combined
    return [_CAST, node.start_byte, low.type(type_), low.expression(value)]


@expression_rule(AS_EXPRESSION)
def as_expression(low: Lowering, node: Node) -> Lowered:
    children = children_of(node, 3)
    if len(children) != 3:
        return low.unknown(node)
    left, word, right = children
    return [_AS, word.start_byte, low.expression(left), low.type(right)]


@expression_rule(IS_EXPRESSION, IS_PATTERN_EXPRESSION)
def is_expression(low: Lowering, node: Node) -> Lowered:
    children = children_of(node, 3)
    if len(children) != 3:
        return low.unknown(node)
    left, word, right = children
    if node.kind_id == IS_EXPRESSION:
        return [_IS, word.start_byte, low.expression(left), [_TYPE_PATTERN, low.type(right)]]
    pattern, rest = pattern_of_is(low, right)
    lowered: Lowered = [_IS, word.start_byte, low.expression(left), pattern]
    return [_BINARY, lowered, rest] if rest else lowered


@expression_rule(CONDITIONAL_EXPRESSION)
def conditional(low: Lowering, node: Node) -> Lowered:
    children = children_of(node, 5)
    if len(children) != 5:
        return low.unknown(node)
    condition, question, consequence, _, alternative = children
    return [
        _CONDITIONAL,
        question.start_byte,
        low.expression(condition),
        low.expression(consequence),
        low.expression(alternative),
    ]


def _prefixed_by_word(op: Op, *kinds: int) -> None:
    value = op.value

    def rule(low: Lowering, node: Node) -> Lowered:
        children = children_of(node, 2)
        return [value, node.start_byte, low.expression(children[-1]) if len(children) > 1 else None]

    expression_rule(*kinds)(rule)


@expression_rule(THROW_EXPRESSION)
def throw(low: Lowering, node: Node) -> Lowered:
    thrown = children_of(node, 2)
    return [_THROW, node.start_byte, low.expression(thrown[-1]) if len(thrown) > 1 else None, 1, node.end_byte]


_prefixed_by_word(Op.AWAIT, AWAIT_EXPRESSION)
_prefixed_by_word(Op.REF, REF_EXPRESSION)


def _of_a_type(op: Op, *kinds: int) -> None:
    value = op.value

    def rule(low: Lowering, node: Node) -> Lowered:
        type_ = node.child_by_field_id(FIELD_TYPE)
        return [value, node.start_byte, low.type(type_) if type_ is not None else None]

    expression_rule(*kinds)(rule)


_of_a_type(Op.DEFAULT, DEFAULT_EXPRESSION)
_of_a_type(Op.TYPEOF, TYPEOF_EXPRESSION)
_of_a_type(Op.SIZEOF, SIZEOF_EXPRESSION)


@expression_rule(CHECKED_EXPRESSION)
def checked(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    if len(children) != 4:
        return low.unknown(node)
    return [_CHECKED, node.start_byte, int(children[0].kind_id == TOKEN_CHECKED), low.expression(children[2])]


@expression_rule(EXPRESSION_ELEMENT)
def element(low: Lowering, node: Node) -> Lowered:
    return low.expression(children_of(node, 1)[0])


@expression_rule(RANGE_EXPRESSION)
def range_expression(low: Lowering, node: Node) -> Lowered:
    offset = node.start_byte
    ends: list[Lowered | None] = [None, None]
    at = 0
    for child in node.children:
        kind = child.kind_id
        if kind == TOKEN_DOT_DOT:
            offset = child.start_byte
            at = 1
        elif kind != COMMENT:
            ends[at] = low.expression(child)
    return [_RANGE, offset, *ends]


@expression_rule(DECLARATION_EXPRESSION)
def declaration(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    if len(children) != 2:
        return low.unknown(node)
    type_, name = children
    if type_.kind_id == POINTER_TYPE and (multiplied := product(low, node)) is not None:
        return multiplied
    return [_DECLARATION, name.start_byte, low.name(name), low.type(type_)]


@expression_rule(SWITCH_EXPRESSION)
def switch(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    arms = [_arm(low, child) for child in children if child.kind_id == SWITCH_EXPRESSION_ARM]
    return [_SWITCH_EXPRESSION, children[1].start_byte, low.expression(children[0]), arms]


def _arm(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    guard = next((child for child in children if child.kind_id == WHEN_CLAUSE), None)
    return [
        _ARM,
        low.pattern(children[0]),
        None if guard is None else low.expression(significant(guard.children)[-1]),
        low.expression(children[-1]),
    ]
