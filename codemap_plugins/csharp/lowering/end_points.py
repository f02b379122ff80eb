"""Whether the end of a block is reached (ECMA-334 §13.2), as the syntax alone tells it.

A condition is constant where it is a literal, every ``break`` is taken to be reached, and so is every label.
"""

from __future__ import annotations

from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.grammar import (
    ANONYMOUS_METHOD_EXPRESSION,
    BLOCK,
    BOOLEAN_LITERAL,
    BREAK_STATEMENT,
    CATCH_CLAUSE,
    CHECKED_STATEMENT,
    CONTINUE_STATEMENT,
    DISCARD,
    DO_STATEMENT,
    FIELD_ALTERNATIVE,
    FIELD_BODY,
    FIELD_CONDITION,
    FIELD_CONSEQUENCE,
    FINALLY_CLAUSE,
    FIXED_STATEMENT,
    FOR_STATEMENT,
    FOREACH_STATEMENT,
    GOTO_STATEMENT,
    IF_STATEMENT,
    IMPLICIT_TYPE,
    LABELED_STATEMENT,
    LAMBDA_EXPRESSION,
    LOCAL_FUNCTION_STATEMENT,
    LOCK_STATEMENT,
    PARENTHESIZED_EXPRESSION,
    RETURN_STATEMENT,
    SWITCH_SECTION,
    SWITCH_STATEMENT,
    THROW_STATEMENT,
    TOKEN_DEFAULT,
    TRY_STATEMENT,
    UNSAFE_STATEMENT,
    USING_STATEMENT,
    VAR_PATTERN,
    WHEN_CLAUSE,
    WHILE_STATEMENT,
)
from codemap_plugins.csharp.lowering.context import significant

_JUMPS: Final = frozenset({BREAK_STATEMENT, CONTINUE_STATEMENT, GOTO_STATEMENT, RETURN_STATEMENT, THROW_STATEMENT})
_AROUND_ANOTHER: Final = frozenset(
    {CHECKED_STATEMENT, FIXED_STATEMENT, LABELED_STATEMENT, LOCK_STATEMENT, UNSAFE_STATEMENT, USING_STATEMENT}
)
_FUNCTIONS: Final = frozenset({ANONYMOUS_METHOD_EXPRESSION, LAMBDA_EXPRESSION, LOCAL_FUNCTION_STATEMENT})
_BROKEN_OUT_OF: Final = frozenset({DO_STATEMENT, FOR_STATEMENT, FOREACH_STATEMENT, SWITCH_STATEMENT, WHILE_STATEMENT})
_LOOPS: Final = frozenset({DO_STATEMENT, FOR_STATEMENT, FOREACH_STATEMENT, WHILE_STATEMENT})


def never_returns(block: Node) -> bool:
    """A function's body that neither ends nor returns without a value: of a lambda that converts to a delegate with any result (§10.7)."""
    return not _ends(block) and not _has(block, RETURN_STATEMENT, _FUNCTIONS, bare=True)


def _ends(statement: Node | None) -> bool:
    """Whether the end of a statement is reached where its beginning is."""
    if statement is None:
        return True
    kind = statement.kind_id
    if kind in _JUMPS:
        return False
    if kind == BLOCK:
        ends = True
        for child in statement.children:
            ends = (ends or child.kind_id == LABELED_STATEMENT) and _ends(child)
        return ends
    if kind == IF_STATEMENT:
        return _ends_if(statement)
    if kind in _AROUND_ANOTHER:
        return _ends(significant(statement.children)[-1])
    if kind == TRY_STATEMENT:
        return _ends_try(statement)
    if kind == SWITCH_STATEMENT:
        return not _takes_all(statement) or _has_own(statement, BREAK_STATEMENT)
    if kind in (WHILE_STATEMENT, FOR_STATEMENT):
        return not _is_endless(statement) or _has_own(statement, BREAK_STATEMENT)
    if kind == DO_STATEMENT:
        body = statement.child_by_field_id(FIELD_BODY)
        goes_on = _ends(body) or _has_own(statement, CONTINUE_STATEMENT)
        return (goes_on and not _is_endless(statement)) or _has_own(statement, BREAK_STATEMENT)
    return True


def _ends_if(statement: Node) -> bool:
    """§13.8.2; ``else if`` goes on in a loop, so that depth is that of the code's brackets."""
    following: Node | None = statement
    while following is not None and following.kind_id == IF_STATEMENT:
        if _ends(following.child_by_field_id(FIELD_CONSEQUENCE)):
            return True
        if _is_true(following.child_by_field_id(FIELD_CONDITION)):
            return False
        following = following.child_by_field_id(FIELD_ALTERNATIVE)
    return _ends(following)


def _ends_try(statement: Node) -> bool:
    """§13.11."""
    ends = _ends(statement.child_by_field_id(FIELD_BODY))
    for child in statement.children:
        if child.kind_id == CATCH_CLAUSE:
            ends = ends or _ends(child.child_by_field_id(FIELD_BODY))
        elif child.kind_id == FINALLY_CLAUSE:
            ends = ends and _ends(significant(child.children)[-1])
    return ends


def _takes_all(switch: Node) -> bool:
    """Every value has a section: of ``default``, ``case _``, ``case var x``, or both truth values, without a condition."""
    body = switch.child_by_field_id(FIELD_BODY)
    truths: set[int] = set()
    for section in body.children if body is not None else ():
        word, *rest = significant(section.children)[:3] or (section,)
        if section.kind_id != SWITCH_SECTION or any(child.kind_id == WHEN_CLAUSE for child in rest):
            continue
        if word.kind_id == TOKEN_DEFAULT:
            return True
        pattern = rest[0] if rest else word
        first = pattern.children[0] if pattern.children else pattern
        if pattern.kind_id in (DISCARD, VAR_PATTERN) or first.kind_id == IMPLICIT_TYPE:
            return True
        if first.kind_id == BOOLEAN_LITERAL:
            truths.add(first.end_byte - first.start_byte)
    return len(truths) == len(("true", "false"))


def _is_endless(loop: Node) -> bool:
    condition = loop.child_by_field_id(FIELD_CONDITION)
    return _is_true(condition) if condition is not None else loop.kind_id == FOR_STATEMENT


def _is_true(condition: Node | None) -> bool:
    while condition is not None and condition.kind_id == PARENTHESIZED_EXPRESSION:
        condition = next(iter(significant(condition.children)[1:]), None)
    if condition is None or condition.kind_id != BOOLEAN_LITERAL:
        return False
    return condition.end_byte - condition.start_byte == len("true")


def _has_own(statement: Node, jump: int) -> bool:
    """A jump that belongs to this loop or ``switch``, and to none inside."""
    inside = _BROKEN_OUT_OF if jump == BREAK_STATEMENT else _LOOPS
    return any(_has(child, jump, _FUNCTIONS | inside) for child in statement.children)


def _has(node: Node, jump: int, without: frozenset[int], bare: bool = False) -> bool:
    """Whether a jump stands in a node, those inside nodes of the kinds ``without`` left out; a ``bare`` one has no value."""
    pending = [node]
    while pending:
        node = pending.pop()
        if node.kind_id == jump and (not bare or len(significant(node.children)) == len(("return", ";"))):
            return True
        if node.kind_id not in without:
            pending += node.children
    return False
