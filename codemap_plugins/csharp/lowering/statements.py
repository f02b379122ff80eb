"""Statements (ECMA-334 §13). An expression statement is its expression; labels, ``break``, ``continue`` and empty
statements are nothing."""

from __future__ import annotations

from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import LocalFlag, Lowered, Op
from codemap_plugins.csharp.grammar import (
    BLOCK,
    BREAK_STATEMENT,
    CATCH_CLAUSE,
    CATCH_DECLARATION,
    CATCH_FILTER_CLAUSE,
    CHECKED_STATEMENT,
    COMMENT,
    CONTINUE_STATEMENT,
    DO_STATEMENT,
    EMPTY_STATEMENT,
    EXPRESSION_STATEMENT,
    FIELD_ALTERNATIVE,
    FIELD_BODY,
    FIELD_CONDITION,
    FIELD_CONSEQUENCE,
    FIELD_LEFT,
    FIELD_NAME,
    FIELD_RIGHT,
    FIELD_TYPE,
    FIELD_VALUE,
    FINALLY_CLAUSE,
    FIXED_STATEMENT,
    FOR_STATEMENT,
    FOREACH_STATEMENT,
    GLOBAL_STATEMENT,
    GOTO_STATEMENT,
    IDENTIFIER,
    IF_STATEMENT,
    LABELED_STATEMENT,
    LOCAL_DECLARATION_STATEMENT,
    LOCK_STATEMENT,
    MODIFIER,
    REF_EXPRESSION,
    REF_TYPE,
    RETURN_STATEMENT,
    SCOPED_TYPE,
    SWITCH_BODY,
    SWITCH_SECTION,
    SWITCH_STATEMENT,
    THROW_STATEMENT,
    TOKEN_AWAIT,
    TOKEN_CASE,
    TOKEN_CHECKED,
    TOKEN_CLOSE_BRACE,
    TOKEN_CLOSE_PAREN,
    TOKEN_COLON,
    TOKEN_COMMA,
    TOKEN_DEFAULT,
    TOKEN_EQUALS,
    TOKEN_OPEN_BRACE,
    TOKEN_OPEN_PAREN,
    TOKEN_SEMICOLON,
    TOKEN_USING,
    TRY_STATEMENT,
    TUPLE_EXPRESSION,
    TUPLE_PATTERN,
    UNSAFE_STATEMENT,
    USING_STATEMENT,
    VARIABLE_DECLARATION,
    VARIABLE_DECLARATOR,
    WHEN_CLAUSE,
    WHILE_STATEMENT,
    YIELD_STATEMENT,
)
from codemap_plugins.csharp.lowering.context import PATTERNS, Lowering, children_of, significant, statement_rule
from codemap_plugins.csharp.lowering.misread import call_assigned, constructed_before
from codemap_plugins.csharp.lowering.names import arguments
from codemap_plugins.csharp.lowering.patterns import constant_value, designation

_AWAIT_FLAG: Final = LocalFlag.AWAIT.value
_BRANCH: Final = Op.BRANCH.value
_CATCH: Final = Op.CATCH.value
_CONST_FLAG: Final = LocalFlag.CONST.value
_DECLARATOR: Final = Op.DECLARATOR.value
_DO: Final = Op.DO.value
_FIXED: Final = Op.FIXED.value
_FOR: Final = Op.FOR.value
_FOREACH: Final = Op.FOREACH.value
_GOTO_CASE: Final = Op.GOTO_CASE.value
_IF: Final = Op.IF.value
_LABEL: Final = Op.LABEL.value
_LOCAL: Final = Op.LOCAL.value
_LOCAL_DECONSTRUCTION: Final = Op.LOCAL_DECONSTRUCTION.value
_LOCK: Final = Op.LOCK.value
_REF_FLAG: Final = LocalFlag.REF.value
_SECTION: Final = Op.SECTION.value
_SWITCH: Final = Op.SWITCH.value
_TRY: Final = Op.TRY.value
_TUPLE: Final = Op.TUPLE.value
_UNKNOWN: Final = Op.UNKNOWN.value
_USING: Final = Op.USING.value
_USING_FLAG: Final = LocalFlag.USING.value
_VARIABLE: Final = Op.VARIABLE.value
_WHILE: Final = Op.WHILE.value
_YIELD: Final = Op.YIELD.value

_CHECKED: Final = Op.CHECKED.value
_BLOCK: Final = Op.BLOCK.value
_BRACES: Final = frozenset({TOKEN_OPEN_BRACE, TOKEN_CLOSE_BRACE, COMMENT})


@statement_rule(BREAK_STATEMENT, CONTINUE_STATEMENT, EMPTY_STATEMENT)
def nothing(low: Lowering, node: Node) -> None:
    return None


@statement_rule(EXPRESSION_STATEMENT)
def expression_statement(low: Lowering, node: Node) -> Lowered:
    return low.expression(children_of(node, 2)[0])


@statement_rule(GLOBAL_STATEMENT)
def global_statement(low: Lowering, node: Node) -> Lowered | None:
    return low.statement(children_of(node, 1)[0])


@statement_rule(BLOCK)
def block(low: Lowering, node: Node) -> Lowered:
    return [_BLOCK, node.start_byte, statements(low, node.children)]


def statements(low: Lowering, nodes: list[Node]) -> list[Lowered]:
    """Those of ``nodes`` that mean something; braces and comments are skipped."""
    return [lowered for node in nodes if node.kind_id not in _BRACES and (lowered := low.statement(node)) is not None]


@statement_rule(CHECKED_STATEMENT)
def checked(low: Lowering, node: Node) -> Lowered:
    word, block = significant(node.children)[:2]
    return [_CHECKED, node.start_byte, int(word.kind_id == TOKEN_CHECKED), low.embedded(block)]


@statement_rule(UNSAFE_STATEMENT)
def transparent(low: Lowering, node: Node) -> Lowered | None:
    return low.statement(significant(node.children)[-1])


@statement_rule(LABELED_STATEMENT)
def labeled(low: Lowering, node: Node) -> Lowered | None:
    while node.kind_id == LABELED_STATEMENT:
        node = significant(node.children)[-1]
    return low.statement(node)


@statement_rule(GOTO_STATEMENT)
def goto(low: Lowering, node: Node) -> Lowered | None:
    children = significant(node.children)
    if len(children) > 3 and children[1].kind_id == TOKEN_CASE:
        return [_GOTO_CASE, node.start_byte, low.expression(children[2])]
    return None


@statement_rule(LOCAL_DECLARATION_STATEMENT)
def local_declaration(low: Lowering, node: Node) -> Lowered:
    flags = 0
    for child in node.children:
        kind = child.kind_id
        if kind == VARIABLE_DECLARATION:
            return local(low, child, flags)
        if kind == TOKEN_USING:
            flags |= _USING_FLAG
        elif kind == TOKEN_AWAIT:
            flags |= _AWAIT_FLAG
        elif kind == MODIFIER and low.text(child) == "const":
            flags |= _CONST_FLAG
    return low.unknown(node)


def local(low: Lowering, node: Node, flags: int = 0) -> Lowered:
    """A variable declaration: LOCAL, or LOCAL_DECONSTRUCTION of ``var (a, b) = c``; UNKNOWN around a syntax error."""
    children = node.children
    if low.has_errors and any(low.is_broken(part) for part in (node, *children)):
        return low.unknown(node)
    type_ = children[0]
    if type_.kind_id in (REF_TYPE, SCOPED_TYPE):
        flags |= _REF_FLAG
    declarators: list[Lowered] = []
    for child in children[1:]:
        if child.kind_id != VARIABLE_DECLARATOR:
            continue
        parts = children_of(child, 3)
        if parts[0].kind_id == TUPLE_PATTERN:
            assignment = call_assigned(low, type_, *parts) if len(parts) == 3 else None
            if assignment is not None:
                return assignment
            value = low.expression(parts[-1]) if len(parts) > 1 else None
            offset = parts[1].start_byte if len(parts) > 1 else child.start_byte
            return [_LOCAL_DECONSTRUCTION, offset, low.type(type_), designation(low, parts[0]), value]
        declarators.append(_declarator(low, parts))
    return [_LOCAL, flags, low.type(type_), declarators]


def _declarator(low: Lowering, parts: list[Node]) -> Lowered:
    name = parts[0]
    value: Lowered | None = None
    if len(parts) > 2 and parts[-2].kind_id == TOKEN_EQUALS:
        value = low.expression(parts[-1])
    elif len(parts) > 1:
        # `fixed int x[3]`, and what an error leaves
        value = [_UNKNOWN, parts[1].start_byte, [low.unknown(part) for part in parts[1:] if part.child_count]]
    return [_DECLARATOR, name.start_byte, low.name(name), value]


def _of_a_value(op: Op, rest: tuple[int, ...], *kinds: int) -> None:
    value = op.value

    def rule(low: Lowering, node: Node) -> Lowered:
        operands = [child for child in node.children[1:] if child.kind_id not in (TOKEN_SEMICOLON, COMMENT)]
        return [value, node.start_byte, low.expression(operands[0]) if operands else None, *rest, node.end_byte]

    statement_rule(*kinds)(rule)


_of_a_value(Op.RETURN, (), RETURN_STATEMENT)
_of_a_value(Op.THROW, (0,), THROW_STATEMENT)


@statement_rule(YIELD_STATEMENT)
def yield_statement(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    return [_YIELD, node.start_byte, low.expression(children[2]) if len(children) == 4 else None]


@statement_rule(IF_STATEMENT)
def if_statement(low: Lowering, node: Node) -> Lowered:
    """``else if`` goes on in the same node."""
    branches: list[Lowered] = []
    offset = node.start_byte
    last: Lowered | None = None
    following: Node | None = node
    while following is not None:
        node = following
        if node.kind_id != IF_STATEMENT:
            last = low.embedded(node)
            break
        condition = node.child_by_field_id(FIELD_CONDITION)
        consequence = node.child_by_field_id(FIELD_CONSEQUENCE)
        branches.append([_BRANCH, _maybe(low, condition), _body(low, consequence)])
        following = node.child_by_field_id(FIELD_ALTERNATIVE)
    return [_IF, offset, branches, last]


def _maybe(low: Lowering, node: Node | None) -> Lowered | None:
    return None if node is None else low.expression(node)


def _body(low: Lowering, node: Node | None) -> Lowered | None:
    return None if node is None else low.embedded(node)


@statement_rule(WHILE_STATEMENT)
def while_statement(low: Lowering, node: Node) -> Lowered:
    condition = _maybe(low, node.child_by_field_id(FIELD_CONDITION))
    return [_WHILE, node.start_byte, condition, _body(low, node.child_by_field_id(FIELD_BODY))]


@statement_rule(DO_STATEMENT)
def do_statement(low: Lowering, node: Node) -> Lowered:
    condition = _maybe(low, node.child_by_field_id(FIELD_CONDITION))
    return [_DO, node.start_byte, _body(low, node.child_by_field_id(FIELD_BODY)), condition]


@statement_rule(FOR_STATEMENT)
def for_statement(low: Lowering, node: Node) -> Lowered:
    parts: list[list[Lowered]] = [[], [], []]
    at = 0
    children = significant(node.children)
    for child in children[2:-1]:
        kind = child.kind_id
        if kind == TOKEN_SEMICOLON:
            at = min(at + 1, 2)
        elif kind == VARIABLE_DECLARATION:
            parts[at].append(local(low, child))
        elif kind not in (TOKEN_COMMA, TOKEN_CLOSE_PAREN):
            parts[at].append(low.expression(child))
    initialisers, conditions, iterators = parts
    if len(conditions) > 1:
        conditions = [[_UNKNOWN, node.start_byte, conditions]]
    return [
        _FOR,
        node.start_byte,
        initialisers,
        conditions[0] if conditions else None,
        iterators,
        low.embedded(children[-1]),
    ]


@statement_rule(FOREACH_STATEMENT)
def foreach_statement(low: Lowering, node: Node) -> Lowered:
    flags = _AWAIT_FLAG if node.children[0].kind_id == TOKEN_AWAIT else 0
    type_ = node.child_by_field_id(FIELD_TYPE)
    left = node.child_by_field_id(FIELD_LEFT)
    target: Lowered | None = None
    written = None if type_ is None else low.type(type_)
    if type_ is not None and type_.kind_id in (REF_TYPE, SCOPED_TYPE):
        flags |= _REF_FLAG
    if left is not None and left.kind_id == REF_EXPRESSION:
        flags |= _REF_FLAG
        left = left.children[-1]
    if left is not None:
        declared = constructed_before(low, left)
        if declared is not None and declared[1].kind_id == IDENTIFIER:
            written, target = declared[0], _variable(low, declared[1])
        elif left.kind_id in (IDENTIFIER, TUPLE_PATTERN):
            target = designation(low, left) if left.kind_id == TUPLE_PATTERN else _variable(low, left)
        else:
            target = low.expression(left)
    return [
        _FOREACH,
        node.start_byte,
        flags,
        written,
        target,
        _maybe(low, node.child_by_field_id(FIELD_RIGHT)),
        _body(low, node.child_by_field_id(FIELD_BODY)),
    ]


def _variable(low: Lowering, node: Node) -> Lowered:
    return [_VARIABLE, node.start_byte, low.name(node)]


@statement_rule(SWITCH_STATEMENT)
def switch_statement(low: Lowering, node: Node) -> Lowered:
    value = node.child_by_field_id(FIELD_VALUE)
    body = node.child_by_field_id(FIELD_BODY)
    sections: list[Lowered] = []
    labels: list[Lowered] = []
    if body is not None and body.kind_id == SWITCH_BODY:
        for child in body.children:
            if child.kind_id == SWITCH_SECTION:
                label, rest = _label(low, child)
                labels.append(label)
                if rest:
                    sections.append([_SECTION, labels, statements(low, rest)])
                    labels = []
            elif child.is_error:
                sections.append([_SECTION, [], [low.unknown(child)]])
    if labels:
        sections.append([_SECTION, labels, []])
    if value is not None and value.kind_id == TUPLE_EXPRESSION:
        lowered: Lowered | None = [_TUPLE, value.start_byte, arguments(low, value)]
    else:
        lowered = _maybe(low, value)
    return [_SWITCH, node.start_byte, lowered, sections]


def _label(low: Lowering, node: Node) -> tuple[Lowered, list[Node]]:
    """The label of a section, and the statements after it."""
    children = significant(node.children)
    pattern: Lowered | None = None
    guard: Lowered | None = None
    for at, child in enumerate(children):
        kind = child.kind_id
        if kind == TOKEN_COLON:
            return [_LABEL, pattern, guard], children[at + 1 :]
        if kind == WHEN_CLAUSE:
            guard = low.expression(significant(child.children)[-1])
        elif kind in PATTERNS:
            pattern = low.pattern(child)
        elif kind not in (TOKEN_CASE, TOKEN_DEFAULT):
            pattern = constant_value(low, child)
    return [_LABEL, pattern, guard], []


@statement_rule(TRY_STATEMENT)
def try_statement(low: Lowering, node: Node) -> Lowered:
    catches: list[Lowered] = []
    finally_block: Lowered | None = None
    for child in node.children:
        if child.kind_id == CATCH_CLAUSE:
            catches.append(_catch(low, child))
        elif child.kind_id == FINALLY_CLAUSE:
            finally_block = low.embedded(significant(child.children)[-1])
    return [_TRY, node.start_byte, _body(low, node.child_by_field_id(FIELD_BODY)), catches, finally_block]


def _catch(low: Lowering, node: Node) -> Lowered:
    offset, name = node.start_byte, ""
    type_: list[object] | None = None
    guard: Lowered | None = None
    for child in node.children:
        if child.kind_id == CATCH_DECLARATION:
            written = child.child_by_field_id(FIELD_TYPE)
            variable = child.child_by_field_id(FIELD_NAME)
            type_ = None if written is None else low.type(written)
            if variable is not None:
                offset, name = variable.start_byte, low.name(variable)
        elif child.kind_id == CATCH_FILTER_CLAUSE:
            parts = significant(child.children)
            guard = low.expression(parts[2]) if len(parts) > 3 else low.unknown(child)
    handler = _body(low, node.child_by_field_id(FIELD_BODY))
    return [_CATCH, offset, name, type_, guard, handler, node.start_byte, node.end_byte]


@statement_rule(USING_STATEMENT)
def using_statement(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    flags = _AWAIT_FLAG if children[0].kind_id == TOKEN_AWAIT else 0
    resource, body = _resource(low, children)
    return [_USING, node.start_byte, flags, resource, body]


@statement_rule(LOCK_STATEMENT)
def lock_statement(low: Lowering, node: Node) -> Lowered:
    return [_LOCK, node.start_byte, *_resource(low, significant(node.children))]


@statement_rule(FIXED_STATEMENT)
def fixed_statement(low: Lowering, node: Node) -> Lowered:
    return [_FIXED, node.start_byte, *_resource(low, significant(node.children))]


def _resource(low: Lowering, children: list[Node]) -> tuple[Lowered | None, Lowered | None]:
    """The content of the parentheses of ``word (…) statement``, and the statement."""
    at = next((at for at, child in enumerate(children) if child.kind_id == TOKEN_OPEN_PAREN), None)
    if at is None or len(children) < at + 4:
        return None, None
    resource = children[at + 1]
    lowered = local(low, resource) if resource.kind_id == VARIABLE_DECLARATION else low.expression(resource)
    return lowered, low.embedded(children[-1])
