"""How hard the members of a file are to follow: counted where their code is lowered, kept with their declarations.

Cyclomatic complexity (McCabe): 1, and 1 for each decision: ``if``, loop, ``case``, ``catch``, ``?:``, ``&&``, ``||``, ``??`` and their
assignments. Cognitive complexity (Campbell, SonarSource): 1 for each break in the linear flow (``if``, ``else``, loop, ``switch``,
``catch``, ``?:``, a jump to a label, a run of equal logical operators), and 1 more for each level of nesting around those that nest;
recursion is not counted. Functions in a member's code count with it, and nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.hooks.contracts import MemberComplexity
from codemap_core.syntax import Node
from codemap_plugins.typescript.unit import NONE, decode_unit

_NESTING: Final = frozenset(
    {
        *("for_statement", "for_in_statement", "while_statement", "do_statement"),
        *("ternary_expression", "catch_clause"),
    }
)
_FUNCTIONS: Final = frozenset(
    {
        *("arrow_function", "function_expression", "function_declaration", "generator_function"),
        *("generator_function_declaration", "method_definition"),
    }
)
_ELSE: Final = "else_clause"
_LOGICAL: Final = frozenset({"&&", "||"})
_DECIDING: Final = frozenset({*_LOGICAL, "??", "&&=", "||=", "??="})
_SOMETHING: Final = re.compile(rb"\b(?:if|for|while|do|switch|catch|break|continue)\b|\?|&&|\|\|")
"""One of them is in all code of which anything counts."""
_TYPES: Final = frozenset({"type_annotation", "type_arguments", "type_parameters"})
"""Nothing in them runs."""


def complexities(unit: bytes) -> Iterator[MemberComplexity]:
    """Of every member with code, in order."""
    for each in decode_unit(unit).declarations:
        if each.decisions != NONE:
            yield MemberComplexity(each.parts[0].line, each.parts[0].column, 1 + each.decisions, each.breaks)


def decisions_and_breaks(code: Node) -> tuple[int, int]:
    """Of a function's node, or of an expression's: what is added to 1 for the cyclomatic complexity, and the cognitive one."""
    decisions = breaks = 0
    if _SOMETHING.search(code.text or b"") is None:
        return decisions, breaks
    stack = [(child, 0, "") for child in code.named_children] if code.type in _FUNCTIONS else [(code, 0, "")]
    while stack:
        node, nesting, around = (
            stack.pop()
        )  # ``around``: the logical operator or the ``else`` that it is an operand or branch of
        kind = node.type
        inner, below = nesting, ""
        if kind in _TYPES:
            continue
        if kind == "if_statement":
            decisions += 1
            breaks += 1 if around == _ELSE else 1 + nesting
            inner = nesting if around == _ELSE else nesting + 1
        elif kind == _ELSE:
            below = _ELSE
            breaks += not any(child.type == "if_statement" for child in node.named_children)
        elif kind in _NESTING:
            decisions += 1
            breaks += 1 + nesting
            inner = nesting + 1
        elif kind == "switch_statement":
            breaks += 1 + nesting
            inner = nesting + 1
        elif kind == "switch_case":
            decisions += 1
        elif kind in ("binary_expression", "augmented_assignment_expression"):
            operator = node.child_by_field_name("operator")
            below = operator.type if operator is not None else ""
            decisions += below in _DECIDING
            breaks += below in _LOGICAL and below != around
        elif kind in ("break_statement", "continue_statement"):
            breaks += node.named_child_count > 0
        elif kind in _FUNCTIONS:
            inner = nesting + 1
        stack += [(child, inner, below) for child in node.named_children]
    return decisions, breaks
