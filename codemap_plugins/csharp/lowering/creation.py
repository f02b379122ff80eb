"""Expressions that create: objects, arrays, collections, anonymous objects, tuples, ``with``; and initialisers."""

from __future__ import annotations

from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    ANONYMOUS_OBJECT_CREATION_EXPRESSION,
    ARGUMENT_LIST,
    ARRAY_CREATION_EXPRESSION,
    ARRAY_RANK_SPECIFIER,
    ARRAY_TYPE,
    ASSIGNMENT_EXPRESSION,
    COLLECTION_ELEMENT,
    COLLECTION_EXPRESSION,
    COMMENT,
    ELEMENT_BINDING_EXPRESSION,
    IDENTIFIER,
    IMPLICIT_ARRAY_CREATION_EXPRESSION,
    IMPLICIT_OBJECT_CREATION_EXPRESSION,
    IMPLICIT_STACKALLOC_EXPRESSION,
    INITIALIZER_EXPRESSION,
    OBJECT_CREATION_EXPRESSION,
    SPREAD_ELEMENT,
    STACKALLOC_EXPRESSION,
    TOKEN_CLOSE_BRACE,
    TOKEN_COMMA,
    TOKEN_EQUALS,
    TOKEN_NEW,
    TOKEN_OPEN_BRACE,
    TUPLE_EXPRESSION,
    WITH_EXPRESSION,
    WITH_INITIALIZER,
)
from codemap_plugins.csharp.lowering.context import Lowering, Rule, children_of, expression_rule, significant
from codemap_plugins.csharp.lowering.names import arguments, elements

_COLLECTION: Final = Op.COLLECTION.value
_INDEX_INITIALIZER: Final = Op.INDEX_INITIALIZER.value
_NEW: Final = Op.NEW.value
_NEW_ANONYMOUS: Final = Op.NEW_ANONYMOUS.value
_NEW_ARRAY_IMPLICIT: Final = Op.NEW_ARRAY_IMPLICIT.value
_NEW_TARGET_TYPED: Final = Op.NEW_TARGET_TYPED.value
_SPREAD: Final = Op.SPREAD.value
_STACKALLOC: Final = Op.STACKALLOC.value
_TUPLE: Final = Op.TUPLE.value
_WITH: Final = Op.WITH.value

_INITIALIZER: Final = Op.INITIALIZER.value
_MEMBER_INITIALIZER: Final = Op.MEMBER_INITIALIZER.value
_PUNCTUATION: Final = frozenset({TOKEN_COMMA, TOKEN_OPEN_BRACE, TOKEN_CLOSE_BRACE, TOKEN_NEW, COMMENT})


@expression_rule(OBJECT_CREATION_EXPRESSION)
def new(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    type_, argument_list, initialiser = None, None, None
    for child in children[1:]:
        kind = child.kind_id
        if kind == ARGUMENT_LIST:
            argument_list = arguments(low, child)
        elif kind == INITIALIZER_EXPRESSION:
            initialiser = initializer(low, child)
        elif type_ is None:
            type_ = low.type(child)
    return [_NEW, node.start_byte, type_, argument_list, initialiser, node.end_byte]


@expression_rule(IMPLICIT_OBJECT_CREATION_EXPRESSION)
def new_target_typed(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    initialiser = initializer(low, children[2]) if len(children) > 2 else None
    return [_NEW_TARGET_TYPED, node.start_byte, arguments(low, children[1]), initialiser, node.end_byte]


@expression_rule(ARRAY_CREATION_EXPRESSION, STACKALLOC_EXPRESSION)
def new_array(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    op = Op.STACKALLOC if node.kind_id == STACKALLOC_EXPRESSION else Op.NEW_ARRAY
    initialiser = array_initializer(low, children[2]) if len(children) > 2 else None
    return [op.value, node.start_byte, low.type(children[1]), _sizes(low, children[1]), initialiser]


def _sizes(low: Lowering, node: Node) -> list[Lowered]:
    """The size expressions of an array type, outermost rank first."""
    sizes: list[Lowered] = []
    while node.kind_id == ARRAY_TYPE:
        children = significant(node.children)
        for specifier in children[1:]:
            if specifier.kind_id == ARRAY_RANK_SPECIFIER:
                sizes[:0] = [
                    low.expression(child) for child in specifier.children if child.is_named and child.kind_id != COMMENT
                ]
        node = children[0]
    return sizes


@expression_rule(IMPLICIT_ARRAY_CREATION_EXPRESSION)
def new_array_implicit(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    rank = 1 + sum(child.kind_id == TOKEN_COMMA for child in children)
    return [_NEW_ARRAY_IMPLICIT, node.start_byte, rank, low.expression(children[-1])]


@expression_rule(IMPLICIT_STACKALLOC_EXPRESSION)
def stackalloc_implicit(low: Lowering, node: Node) -> Lowered:
    return [_STACKALLOC, node.start_byte, None, [], low.expression(significant(node.children)[-1])]


@expression_rule(ANONYMOUS_OBJECT_CREATION_EXPRESSION)
def new_anonymous(low: Lowering, node: Node) -> Lowered:
    values: list[Node] = []
    names: dict[int, Node] = {}
    is_named = False
    for child in node.children:
        kind = child.kind_id
        if kind == TOKEN_EQUALS:
            is_named = True
        elif kind not in _PUNCTUATION:
            if is_named:
                names[child.id] = values.pop()
                is_named = False
            values.append(child)

    def member(low: Lowering, value: Node) -> Lowered:
        name = names.get(value.id)
        lowered = low.expression(value)
        if name is None:
            return lowered
        return [_MEMBER_INITIALIZER, name.start_byte, low.name(name), lowered, value.end_byte]

    return [_NEW_ANONYMOUS, node.start_byte, elements(low, values, member)]


@expression_rule(INITIALIZER_EXPRESSION)
def array_initializer(low: Lowering, node: Node) -> Lowered:
    """``{ a, b = c }`` of an array, or of arguments for ``Add`` (ECMA-334 §12.8.17.5, §12.8.17.4): elements may be assignments."""
    return _initializer(low, node, Lowering.expression)


def initializer(low: Lowering, node: Node) -> Lowered:
    """Of an object or a collection (ECMA-334 §12.8.17.3): an assignment is one to a member."""
    return _initializer(low, node, _element)


def _initializer(low: Lowering, node: Node, lower: Rule) -> Lowered:
    nodes = [child for child in node.children if child.kind_id not in _PUNCTUATION]
    return [_INITIALIZER, node.start_byte, elements(low, nodes, lower)]


def _element(low: Lowering, node: Node) -> Lowered:
    if node.kind_id == ASSIGNMENT_EXPRESSION:
        children = children_of(node, 3)
        if len(children) == 3:
            left, _, value = children
            kind = left.kind_id
            if kind == IDENTIFIER:
                return [_MEMBER_INITIALIZER, left.start_byte, low.name(left), _assigned(low, value), node.end_byte]
            if kind == ELEMENT_BINDING_EXPRESSION:
                return [_INDEX_INITIALIZER, left.start_byte, arguments(low, left), _assigned(low, value)]
    return low.expression(node)


def _assigned(low: Lowering, node: Node) -> Lowered:
    return initializer(low, node) if node.kind_id == INITIALIZER_EXPRESSION else low.expression(node)


@expression_rule(COLLECTION_EXPRESSION)
def collection(low: Lowering, node: Node) -> Lowered:
    nodes = [child for child in node.children if child.child_count]
    return [_COLLECTION, node.start_byte, elements(low, nodes, _collection_element)]


def _collection_element(low: Lowering, node: Node) -> Lowered:
    return low.expression(children_of(node, 1)[0]) if node.kind_id == COLLECTION_ELEMENT else low.unknown(node)


@expression_rule(SPREAD_ELEMENT)
def spread(low: Lowering, node: Node) -> Lowered:
    return [_SPREAD, node.start_byte, low.expression(significant(node.children)[-1])]


@expression_rule(WITH_EXPRESSION)
def with_expression(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    members = [with_member(low, child) for child in children if child.kind_id == WITH_INITIALIZER]
    return [_WITH, children[1].start_byte, low.expression(children[0]), members, node.start_byte, node.end_byte]


def with_member(low: Lowering, node: Node) -> Lowered:
    children = significant(node.children)
    name, value = children[0], low.expression(children[-1])
    return [_MEMBER_INITIALIZER, name.start_byte, low.name(name), value, node.end_byte]


@expression_rule(TUPLE_EXPRESSION)
def tuple_expression(low: Lowering, node: Node) -> Lowered:
    return [_TUPLE, node.start_byte, arguments(low, node)]
