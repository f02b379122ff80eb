"""One tree-sitter grammar: its node kinds and fields by name, and its parser.

Kinds and fields are small integers that hold for one version of the grammar, so they are looked up once, at import,
and never stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tree_sitter import Language, Node, Parser, Tree, TreeCursor

__all__ = ["ERROR_KIND", "Grammar", "Node", "Tree", "TreeCursor", "count_errors", "is_missing"]

ERROR_KIND: Final = 0xFFFF
"""``Node.kind_id`` of an ERROR node, the same in every grammar."""


class Grammar:
    """A grammar and a parser for it. One per process: parsing holds the interpreter lock, so threads may share it."""

    def __init__(self, capsule: object, version: str) -> None:
        """``capsule``: what a grammar package's ``language()`` returns. ``version``: of that package."""
        self._language: Final = Language(capsule)
        self._parser: Final = Parser(self._language)
        self.fingerprint: Final = f"{self._language.name}/{version}/abi{self._language.abi_version}"
        """Changes when the same bytes could give another tree."""

    def parse(self, source: bytes) -> Tree:
        """The tree of UTF-8 ``source``; never fails, what cannot be parsed is in ERROR and missing nodes."""
        return self._parser.parse(source)

    def reparse(self, source: bytes, tree: Tree, replaced: Iterable[tuple[int, int]]) -> Tree:
        """The tree of ``source``, which differs from the source of ``tree`` only within the half-open byte spans ``replaced`` and has the
        same length and the same line ends. Faster than ``parse`` by what need not be read again; ``tree`` stays as it is."""
        edited = tree.copy()
        line = line_start = at = 0
        for start, end in sorted(replaced):
            line += source.count(b"\n", at, start)
            line_start = source.rfind(b"\n", line_start, start) + 1 or line_start
            first = (line, start - line_start)
            last = _point_after(source, start, end, first)
            edited.edit(start, end, end, first, last, last)
            at = start
        return self._parser.parse(source, edited)

    def kind(self, name: str) -> int:
        """``kind_id`` of a named node. Raises: LookupError when the grammar has none of that name."""
        return self._kind(name, True)

    def token(self, text: str) -> int:
        """``kind_id`` of an anonymous token. Raises: LookupError when the grammar has none of that text."""
        return self._kind(text, False)

    def field(self, name: str) -> int:
        """Id of a field. Raises: LookupError when the grammar has none of that name."""
        found = self._language.field_id_for_name(name)
        if found is None:
            raise LookupError(f"the grammar {self.fingerprint} has no field {name!r}")
        return found

    def _kind(self, name: str, named: bool) -> int:
        found = self._language.id_for_node_kind(name, named)
        if found is None:
            raise LookupError(f"the grammar {self.fingerprint} has no {'node' if named else 'token'} {name!r}")
        return found


def _point_after(source: bytes, start: int, end: int, point: tuple[int, int]) -> tuple[int, int]:
    """The row and column of ``end``, given those of ``start`` before it."""
    lines = source.count(b"\n", start, end)
    column = end - source.rfind(b"\n", start, end) - 1 if lines else point[1] + end - start
    return point[0] + lines, column


def is_missing(node: Node) -> bool:
    """Whether the parser put this token where the source has none. A name that the grammar hides may be missing within a node of its own,
    which then has an error and no child."""
    return node.is_missing or (node.has_error and not node.is_error and node.child_count == 0)


def count_errors(tree: Tree, limit: int = 1000) -> int:
    """ERROR and missing nodes in ``tree``, counted up to ``limit``; 0 means that every byte fits the grammar. An
    ERROR inside another is counted too. A tree whose root alone reports an error counts 1."""
    root = tree.root_node
    if not root.has_error:
        return 0
    found = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or is_missing(node):
            found += 1
            if found >= limit:
                break
        stack.extend(child for child in node.children if child.has_error)
    return max(found, 1)
