"""JSX elements as nodes of the unit: a component is called with an object of its attributes, whose names are properties of what it
accepts."""

from __future__ import annotations

from abc import abstractmethod

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.type_walker import TypeWalker
from codemap_plugins.typescript.unit import NONE, Op, Use


class ElementWalker(TypeWalker):
    """Lowers elements, and what is expected of an object's properties."""

    @abstractmethod
    def called(self, node: SyntaxNode, op: Op, target: int, given: list[SyntaxNode]) -> int:
        """The node of a call. ``node``: what has its type arguments."""

    @abstractmethod
    def expecting(self, node: SyntaxNode, name: str, of: int, place: int = NONE) -> int:
        """The node of an expression of which what ``expect`` makes of the rest is expected."""

    def expect(self, name: str, of: int, place: int = NONE) -> int:
        """An ``EXPECTED``, where ``of`` is something."""
        return self.b.add(Op.EXPECTED, name=name, a=of, b=place) if of != NONE else NONE

    def key(self, key: SyntaxNode | None, name: str, context: int) -> None:
        """The name of a property, of an object of which ``context`` is expected."""
        if key is not None and name and context != NONE and key.type != "computed_property_name":
            place = key.named_children[0] if key.type == "string" and key.named_children else key
            self.b.add(Op.KEY, place, Use.WRITE, name, context)

    def _jsx_element(self, node: SyntaxNode) -> int:
        self.b.has_element = True
        for child in node.named_children:
            if child.type in ("jsx_opening_element", "jsx_closing_element"):
                self._jsx_tag(child)
            else:
                self.expression(child)
        return self.b.primitive("element")

    def _jsx_self_closing_element(self, node: SyntaxNode) -> int:
        self.b.has_element = True
        self._jsx_tag(node)
        return self.b.primitive("element")

    def _jsx_tag(self, node: SyntaxNode) -> None:
        name = node.child_by_field_name("name")
        context = NONE
        if name is not None and (name.type != "identifier" or not self.b.text(name)[:1].islower()):
            is_end = node.type == "jsx_closing_element"
            target = self.expression(name, Use.READ if is_end else Use.CALL)
            context = NONE if is_end else self.expect("argument", self.called(node, Op.CALL, target, []), 0)
        else:
            self.type_arguments(node.child_by_field_name("type_arguments"))
        for attribute in node.children_by_field_name("attribute"):
            if attribute.type == "jsx_attribute":
                self._jsx_attribute(attribute, context)
            else:
                self.expression(attribute)

    def _jsx_attribute(self, node: SyntaxNode, context: int) -> None:
        name, *values = [child for child in node.named_children if child.type != "comment"]
        self.key(name if name.type == "property_identifier" else None, self.b.text(name), context)
        for value in values:
            held = [child for child in value.named_children if child.type != "comment"]
            is_braced = value.type == "jsx_expression" and len(held) == 1
            self.expecting(held[0] if is_braced else value, f".{self.b.text(name)}", context)
