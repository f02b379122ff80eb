"""The walk itself: which rule lowers which node kind, how deep it goes, and what becomes of nodes that no rule knows.

Rules are functions registered by node kind in three tables; modules of this package fill them when they are imported.
A rule takes a ``Lowering`` and a node and gives a lowered node. No rule asks a node for its parent or keeps a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeAlias, TypeVar

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    ARRAY_TYPE,
    BLOCK,
    COMMENT,
    ERROR,
    FUNCTION_POINTER_TYPE,
    IDENTIFIER,
    IMPLICIT_PARAMETER,
    IMPLICIT_TYPE,
    INITIALIZER_EXPRESSION,
    INTERPOLATED_STRING_EXPRESSION,
    NULLABLE_TYPE,
    POINTER_TYPE,
    PREDEFINED_TYPE,
    REF_TYPE,
    SCOPED_TYPE,
    SWITCH_STATEMENT,
    TUPLE_EXPRESSION,
    TUPLE_TYPE,
)
from codemap_plugins.csharp.lowering.types import lower_type
from codemap_plugins.csharp.type_syntax import NATIVE_INTEGERS, identifier_text, type_identifier_text

_BLOCK: Final = Op.BLOCK.value
_CONSTANT_PATTERN: Final = Op.CONSTANT_PATTERN.value

Rule: TypeAlias = "Callable[[Lowering, Node], Lowered]"
StatementRule: TypeAlias = "Callable[[Lowering, Node], Lowered | None]"

EXPRESSIONS: Final[dict[int, Rule]] = {}
PATTERNS: Final[dict[int, Rule]] = {}
STATEMENTS: Final[dict[int, StatementRule]] = {}
"""A statement rule may give null: nothing to bind."""

MAX_DEPTH: Final = 100
"""Nesting of code beyond which only names are kept; what is flat in ``bodies`` does not count."""

TOLERANT: Final = frozenset(
    {BLOCK, INITIALIZER_EXPRESSION, INTERPOLATED_STRING_EXPRESSION, SWITCH_STATEMENT, TUPLE_EXPRESSION}
)
"""Kinds whose rules take ERRORs among their children."""

TYPE_KINDS: Final = frozenset(
    {
        ARRAY_TYPE,
        FUNCTION_POINTER_TYPE,
        IMPLICIT_TYPE,
        INITIALIZER_EXPRESSION,
        INTERPOLATED_STRING_EXPRESSION,
        NULLABLE_TYPE,
        POINTER_TYPE,
        PREDEFINED_TYPE,
        REF_TYPE,
        SCOPED_TYPE,
        TUPLE_TYPE,
    }
)
"""Kinds of node that are types and nothing else."""

_NAME: Final = Op.NAME.value
_TYPE: Final = Op.TYPE.value
_UNKNOWN: Final = Op.UNKNOWN.value


def expression_rule(*kinds: int) -> Callable[[Rule], Rule]:
    """Registers a rule for expressions of these kinds."""

    def register(rule: Rule) -> Rule:
        EXPRESSIONS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def pattern_rule(*kinds: int) -> Callable[[Rule], Rule]:
    """Registers a rule for patterns of these kinds."""

    def register(rule: Rule) -> Rule:
        PATTERNS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def statement_rule(*kinds: int) -> Callable[[StatementRule], StatementRule]:
    """Registers a rule for statements of these kinds."""

    def register(rule: StatementRule) -> StatementRule:
        STATEMENTS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


_AnyRule = TypeVar("_AnyRule")


class LateRule(Generic[_AnyRule]):
    """A rule that a module applies and one that imports it holds: the decorator that registers it. ``rule`` is there once all modules of
    this package are imported."""

    rule: _AnyRule

    def __call__(self, rule: _AnyRule) -> _AnyRule:
        self.rule = rule
        return rule


class Lowering:
    """One lowering of one subtree. ``source``: the original bytes of the file. ``has_errors``: the subtree holds syntax
    errors, so that a node may have children that its rule does not expect."""

    __slots__ = ("depth", "has_errors", "replaced", "source")

    def __init__(self, source: bytes, has_errors: bool) -> None:
        self.source = source
        self.has_errors = has_errors
        self.depth = 0
        self.replaced: dict[int, Lowered] = {}
        """By id, nodes that were read together with what stands elsewhere, and what came of them."""

    def expression(self, node: Node) -> Lowered:
        if self.replaced and (known := self.replaced.get(node.id)) is not None:
            return known
        kind = node.kind_id
        if kind == IDENTIFIER:
            start = node.start_byte
            return [_NAME, start, identifier_text(self.source[start : node.end_byte])]
        rule = EXPRESSIONS.get(kind)
        if rule is None:
            if kind in TYPE_KINDS:
                return [_TYPE, self.type(node)]
            return self.unknown(node)
        if self.depth >= MAX_DEPTH:
            return self.names_only(node)
        if self.has_errors and kind not in TOLERANT and self.is_broken(node):
            return self.unknown(node)
        self.depth += 1
        lowered = rule(self, node)
        self.depth -= 1
        return lowered

    def pattern(self, node: Node) -> Lowered:
        kind = node.kind_id
        rule = PATTERNS.get(kind)
        if rule is None:
            return [_CONSTANT_PATTERN, self.expression(node)]
        if self.depth >= MAX_DEPTH:
            return self.names_only(node)
        if self.has_errors and kind not in TOLERANT and self.is_broken(node):
            return self.unknown(node)
        self.depth += 1
        lowered = rule(self, node)
        self.depth -= 1
        return lowered

    def statement(self, node: Node) -> Lowered | None:
        kind = node.kind_id
        rule = STATEMENTS.get(kind)
        if rule is None:
            return None if kind == COMMENT else self.expression(node)
        if self.depth >= MAX_DEPTH:
            return self.names_only(node)
        if self.has_errors and kind not in TOLERANT and self.is_broken(node):
            return self.unknown(node)
        self.depth += 1
        lowered = rule(self, node)
        self.depth -= 1
        return lowered

    def is_broken(self, node: Node) -> bool:
        """A child is an ERROR."""
        return any(child.kind_id == ERROR for child in node.children)

    def embedded(self, node: Node) -> Lowered:
        """A statement where one must stand."""
        return self.statement(node) or [_BLOCK, node.start_byte, []]

    def type(self, node: Node) -> list[Any]:
        """A type as ``[text, offset, …]``."""
        kind = node.kind_id
        if kind == IDENTIFIER:
            start = node.start_byte
            text = type_identifier_text(self.source[start : node.end_byte])
            return [text] if text == "dynamic" else [text, start]
        if kind == PREDEFINED_TYPE:
            word = self.source[node.start_byte : node.end_byte].decode()
            return [word, node.start_byte] if word in NATIVE_INTEGERS else [word]
        if kind == IMPLICIT_TYPE:
            return ["var"]
        syntax = lower_type(node, self.source)
        return [syntax.text, *syntax.offsets]

    def name(self, node: Node) -> str:
        """The text of an identifier node."""
        return identifier_text(self.source[node.start_byte : node.end_byte])

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def unknown(self, node: Node) -> Lowered:
        """Keeps what can be read of a node without a rule, an ERROR among them."""
        if self.depth >= MAX_DEPTH:
            return self.names_only(node)
        self.depth += 1
        parts = [part for child in node.children if (part := self.anything(child)) is not None]
        self.depth -= 1
        return [_UNKNOWN, node.start_byte, parts]

    def anything(self, node: Node) -> Lowered | None:
        """Lowers a node of unknown role; null for tokens, comments and statements that mean nothing."""
        kind = node.kind_id
        if kind in STATEMENTS:
            return self.statement(node)
        if kind == IMPLICIT_PARAMETER:
            return [_NAME, node.start_byte, self.name(node)]
        if kind == IDENTIFIER or kind in EXPRESSIONS:
            return self.expression(node)
        if kind in PATTERNS:
            return self.pattern(node)
        if kind in TYPE_KINDS:
            return [_TYPE, self.type(node)]
        return self.unknown(node) if node.child_count else None

    def names_only(self, node: Node) -> Lowered:
        """Every identifier below ``node``, without recursion."""
        names: list[Lowered] = []
        cursor = node.walk()
        while True:
            current = cursor.node
            if current is not None and current.kind_id == IDENTIFIER:
                names.append([_NAME, current.start_byte, self.name(current)])
            elif cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return [_UNKNOWN, node.start_byte, names]


def significant(nodes: Iterable[Node]) -> list[Node]:
    """Nodes without comments."""
    return [node for node in nodes if node.kind_id != COMMENT]


def children_of(node: Node, count: int) -> list[Node]:
    """The children without comments, of a node that has ``count`` of them: nothing is looked at when that many are there."""
    children = node.children
    return children if len(children) == count else significant(children)
