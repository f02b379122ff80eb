"""The unit of a file while it is made: what walkers over its tree add nodes, scopes, bindings and functions to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.unit import (
    NONE,
    Binding,
    BindingKind,
    Declaration,
    Export,
    Function,
    Import,
    Node,
    Op,
    Scope,
    Use,
)

_SPACES: Final = re.compile(r"\s+")


class Builder:
    """Where a walk stands, and what it has found so far. ``source``: UTF-8."""

    def __init__(self, source: bytes) -> None:
        self.source: Final = source
        self._lines: Final = None if source.isascii() else source.split(b"\n")
        self.nodes: Final[list[Node]] = []
        self.bindings: Final[list[list[Binding]]] = [[]]
        self.scopes: Final[list[Scope]] = [Scope(NONE)]
        self.functions: Final[list[Function]] = []
        self.declarations: Final[list[Declaration]] = []
        self.imports: Final[list[Import]] = []
        self.exports: Final[list[Export]] = []
        self.scope = 0
        self.function_scope = 0
        """Where ``var`` declares."""
        self.owner = NONE
        self.this = NONE
        """The class whose ``this`` is meant."""
        self.is_static = False
        self.is_local = False
        """Within a body."""
        self.returns: list[int] = []
        self.expected = NONE
        """What is expected of the expression that is lowered next; an ``EXPECTED``."""
        self.expected_result = NONE
        """What is expected of what the function returns."""
        self.has_element = False
        """A JSX element was seen."""

    def text(self, node: SyntaxNode) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def folded(self, start: int, end: int) -> str:
        """The text between two bytes on one line."""
        return _SPACES.sub(" ", self.source[start:end].decode("utf-8", "replace")).strip()

    def place(self, node: SyntaxNode) -> tuple[int, int]:
        row, column = node.start_point
        if self._lines is None or column == 0:
            return row + 1, column + 1
        before = self._lines[row][:column].decode("utf-8", "replace")
        return row + 1, len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1

    def add(
        self,
        op: Op,
        at: SyntaxNode | None = None,
        use: Use = Use.NONE,
        name: str = "",
        a: int = NONE,
        b: int = NONE,
        items: tuple[int, ...] = (),
        inset: int = 0,
    ) -> int:
        """A node; ``at``: the name that stands for it in the text, which begins ``inset`` characters into it."""
        line, column = self.place(at) if at is not None else (0, 0)
        column += inset
        self.nodes.append(Node(op, use, name, a, b, items, self.scope, self.owner, line, column))
        return len(self.nodes) - 1

    def primitive(self, name: str = "") -> int:
        return self.add(Op.PRIMITIVE, name=name)

    def bind(
        self,
        name: str,
        kind: BindingKind,
        space: int,
        *,
        scope: int | None = None,
        of: int = NONE,
        type_: int = NONE,
        value: int = NONE,
        context: int = NONE,
        parameter: int = NONE,
    ) -> None:
        where = self.scope if scope is None else scope
        self.bindings[where].append(Binding(name, kind, space, of, type_, value, context, parameter))

    @contextmanager
    def inner_scope(self, *, is_function: bool = False, namespace: int = NONE) -> Iterator[int]:
        outer, outer_function = self.scope, self.function_scope
        self.scopes.append(Scope(outer, (), namespace))
        self.bindings.append([])
        self.scope = len(self.scopes) - 1
        if is_function:
            self.function_scope = self.scope
        try:
            yield self.scope
        finally:
            self.scope, self.function_scope = outer, outer_function

    @contextmanager
    def owned_by(self, owner: int) -> Iterator[None]:
        outer = self.owner
        self.owner = owner
        try:
            yield
        finally:
            self.owner = outer

    @contextmanager
    def this_is(self, declaration: int, is_static: bool = False) -> Iterator[None]:
        outer = self.this, self.is_static
        self.this, self.is_static = declaration, is_static
        try:
            yield
        finally:
            self.this, self.is_static = outer

    def digest(self, node: SyntaxNode) -> str:
        """Of the text without white space and comments at its ends."""
        return hashlib.sha256(self.folded(node.start_byte, node.end_byte).encode("utf-8", "surrogatepass")).hexdigest()[
            :16
        ]


def unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] in "\"'`" else text
