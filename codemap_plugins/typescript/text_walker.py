"""Texts as nodes of the unit: those that are written out, and those that are put together. What they may be is asked for addresses, so long
ones are not kept."""

from __future__ import annotations

from typing import Final

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.element_walker import ElementWalker
from codemap_plugins.typescript.unit import NONE, Op

_TEXTS: Final = frozenset({Op.TEXT, Op.JOINED})
_LONGEST: Final = 256


class TextWalker(ElementWalker):
    def text_node(self, start: int, end: int) -> int:
        """The text between two bytes, as it is written; none where a quote is missing."""
        if end - start > _LONGEST:
            return self.b.primitive("string")
        return self.b.add(Op.TEXT, name=self.b.source[start : max(start, end)].decode("utf-8", "replace"))

    def sum_node(self, left: int, right: int) -> int:
        """What ``+`` gives of two nodes: a text where one of them is one."""
        if any(each != NONE and self.b.nodes[each].op in _TEXTS for each in (left, right)):
            return self.b.add(Op.JOINED, items=(left, right))
        return self.b.primitive("?")

    def _template_string(self, node: SyntaxNode) -> int:
        parts: list[int] = []
        start, end = node.start_byte + 1, node.end_byte - 1
        for child in node.named_children:
            if child.type == "template_substitution":
                if child.start_byte > start:
                    parts.append(self.text_node(start, child.start_byte))
                parts.extend(self.expression(each) for each in child.named_children if each.type != "comment")
                start = child.end_byte
        if end > start or not parts:
            parts.append(self.text_node(start, end))
        return self.b.add(Op.JOINED, items=tuple(parts))
