"""Lowering: bodies, initialisers and attributes from syntax nodes to the compact form of ``bodies``.

It never fails: a node that no rule covers becomes an UNKNOWN node with its readable parts, and code that is nested more deeply than
people write keeps only its names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    ARGUMENT_LIST,
    ARROW_EXPRESSION_CLAUSE,
    ATTRIBUTE_ARGUMENT_LIST,
    BRACKETED_ARGUMENT_LIST,
    VARIABLE_DECLARATION,
)
from codemap_plugins.csharp.lowering import (
    creation,
    functions,
    literals,
    names,
    operators,
    patterns,
    queries,
    split_lists,
    statements,
)
from codemap_plugins.csharp.lowering.context import Lowering, children_of

__all__ = ["lower_attributes", "lower_body", "lower_parameters", "lower_statements"]

_ARGUMENTS: Final = Op.ARGUMENTS.value
_STATEMENTS: Final = Op.STATEMENTS.value

RULES: Final = (creation, functions, literals, names, operators, patterns, queries, split_lists, statements)
"""The modules whose import registers the rules."""

_LISTS: Final = frozenset({ARGUMENT_LIST, BRACKETED_ARGUMENT_LIST})


def lower_body(node: Node, source: bytes) -> Lowered:
    """A block, an ``=> expression``, an expression, an argument list or a variable declaration. ``source``: the
    original bytes that the tree's offsets index."""
    low = Lowering(source, node.has_error)
    kind = node.kind_id
    if kind == ARROW_EXPRESSION_CLAUSE:
        return low.expression(children_of(node, 2)[-1])
    if kind in _LISTS:
        return [_ARGUMENTS, node.start_byte, names.arguments(low, node), node.end_byte]
    if kind == ATTRIBUTE_ARGUMENT_LIST:
        return [_ARGUMENTS, node.start_byte, functions.attribute_arguments(low, node), node.end_byte]
    if kind == VARIABLE_DECLARATION:
        return statements.local(low, node)
    return low.embedded(node)


def lower_statements(nodes: Iterable[Node], source: bytes) -> Lowered:
    """Top-level statements, in order."""
    listed = list(nodes)
    low = Lowering(source, any(node.has_error for node in listed))
    return [_STATEMENTS, statements.statements(low, listed)]


def lower_attributes(node: Node, source: bytes) -> list[Lowered]:
    """The ATTRIBUTEs of one attribute list, its target left out."""
    return functions.attribute_list(Lowering(source, node.has_error), node)


def lower_parameters(node: Node, source: bytes) -> list[Lowered]:
    """The PARAMETERs of a parameter list."""
    return functions.parameters(Lowering(source, node.has_error), node)
