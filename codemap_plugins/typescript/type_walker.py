"""Types as nodes of the unit: annotations, heritage clauses, type arguments, and the parameters and members that they hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.building import Builder, unquoted
from codemap_plugins.typescript.repair import imported_behind
from codemap_plugins.typescript.unit import NONE, BindingKind, Function, Op, Parameter, Space, Use

ANY_NAME: Final = "[]"
"""Among the names of a type that is written out, that of its index signature."""
_TRANSPARENT: Final = frozenset(
    {
        *("parenthesized_type", "readonly_type", "optional_type", "type_annotation", "constraint", "default_type"),
        *("omitting_type_annotation", "opting_type_annotation", "adding_type_annotation"),
    }
)
_PREDICATES: Final = frozenset({"type_predicate_annotation", "type_predicate", "asserts", "asserts_annotation"})
TYPES: Final = frozenset(
    {
        *("nested_type_identifier", "generic_type", "union_type", "intersection_type", "array_type", "tuple_type"),
        *("rest_type", "literal_type", "template_literal_type", "this_type", "type_query", "lookup_type"),
        *("function_type", "constructor_type", "infer_type", "conditional_type", "object_type"),
    }
)
"""Kinds of nodes that a method of their name lowers."""


class TypeWalker(ABC):
    """Lowers types. What an expression within a type means is left to ``expression``."""

    def __init__(self, builder: Builder) -> None:
        self.b: Final = builder

    @abstractmethod
    def expression(self, node: SyntaxNode | None, use: Use = Use.READ) -> int:
        """The node of an expression."""

    @abstractmethod
    def imported_module(self, call: SyntaxNode) -> int:
        """The module that ``import("…")`` names among types; the node of the expression where the call is another."""

    @abstractmethod
    def bind_pattern(self, pattern: SyntaxNode, **origin: int) -> None:
        """Binds the names of a parameter or variable."""

    def type(self, node: SyntaxNode | None) -> int:
        """The node of a type; ``NONE`` for none."""
        if node is None:
            return NONE
        kind = node.type
        if kind in ("type_identifier", "identifier"):
            return self.name(node, Op.TYPE_NAME, Use.TYPE)
        if kind in _TRANSPARENT:
            return self._last(node)
        if kind == "predefined_type":
            return self.b.primitive(self.b.text(node))
        if kind in _PREDICATES:
            return self._predicate(node)
        if kind == "member_expression":
            return self._type_of_module(node)
        if kind == "call_expression":
            return self.imported_module(node)
        if kind in TYPES:
            return self.known_type(node)
        for child in node.named_children:
            self._inner(child)
        return self.b.primitive("?")

    def name(self, node: SyntaxNode, op: Op, use: Use) -> int:
        """The node of a simple name, or of the module that ``import("…")`` names where the tree has a name for that."""
        text = self.b.text(node)
        module = imported_behind(text)
        if module is not None:
            return self.b.add(Op.LAZY, node, Use.IMPORT, module[1], a=0, inset=module.start(1))
        return self.b.add(op, node, use, text)

    def known_type(self, node: SyntaxNode) -> int:
        """The node of a type whose kind is one of ``TYPES``."""
        result: int = getattr(self, f"_{node.type}")(node)
        return result

    def _inner(self, node: SyntaxNode) -> None:
        if node.type not in ("comment", "property_identifier", "number", "string"):
            self.type(node)

    def _last(self, node: SyntaxNode) -> int:
        found = NONE
        for child in node.named_children:
            if child.type != "comment":
                found = self.type(child)
        return found

    def _predicate(self, node: SyntaxNode) -> int:
        for child in node.named_children:
            if child.type in _PREDICATES:
                self._predicate(child)
            elif child.type in ("identifier", "this"):
                if node.child_by_field_name("name") == child or node.type.startswith("asserts"):
                    self.expression(child)
                else:
                    self.type(child)
            else:
                self.type(child)
        return self.b.primitive("boolean")

    def _nested_type_identifier(self, node: SyntaxNode) -> int:
        left = self._qualifier(node.child_by_field_name("module"))
        name = node.child_by_field_name("name")
        return self.b.add(Op.TYPE_MEMBER, name, Use.TYPE, self.b.text(name) if name is not None else "", left)

    def _type_of_module(self, node: SyntaxNode) -> int:
        """``import("./orders").Order``, which is not a promise among types."""
        left, name = node.named_children[0], node.named_children[-1]
        return self.b.add(Op.TYPE_MEMBER, name, Use.TYPE, self.b.text(name), self._qualifier(left))

    def _qualifier(self, node: SyntaxNode | None) -> int:
        if node is None:
            return NONE
        if node.type == "call_expression":
            return self.imported_module(node)
        if node.type in ("nested_identifier", "member_expression"):
            # The grammar gives the fields of a type behind import("…") twice, once for what is around it.
            left, name = node.named_children[0], node.named_children[-1]
            return self.b.add(Op.MEMBER, name, Use.TYPE, self.b.text(name), self._qualifier(left))
        return self.name(node, Op.NAME, Use.TYPE)

    def _generic_type(self, node: SyntaxNode) -> int:
        name = node.child_by_field_name("name")
        target = self.type(name)
        return self.b.add(Op.APPLIED, a=target, items=self.type_arguments(node.child_by_field_name("type_arguments")))

    def type_arguments(self, node: SyntaxNode | None) -> tuple[int, ...]:
        if node is None:
            return ()
        return tuple(self.type(child) for child in node.named_children if child.type != "comment")

    def _union_type(self, node: SyntaxNode) -> int:
        return self.b.add(Op.UNION, items=self._members(node))

    def _intersection_type(self, node: SyntaxNode) -> int:
        return self.b.add(Op.INTERSECTION, items=self._members(node))

    def _members(self, node: SyntaxNode) -> tuple[int, ...]:
        found: list[int] = []
        for child in node.named_children:
            if child.type == node.type:
                found.extend(self._members(child))
            elif child.type != "comment":
                found.append(self.type(child))
        return tuple(found)

    def _array_type(self, node: SyntaxNode) -> int:
        return self.b.add(Op.ARRAY_OF, a=self._last(node))

    def _tuple_type(self, node: SyntaxNode) -> int:
        items = []
        for child in node.named_children:
            if child.type in ("required_parameter", "optional_parameter"):
                items.append(self.type(child.child_by_field_name("type")))
            elif child.type != "comment":
                items.append(self.type(child))
        return self.b.add(Op.TUPLE, items=tuple(items))

    def _rest_type(self, node: SyntaxNode) -> int:
        self._last(node)
        return self.b.primitive("?")

    def _literal_type(self, node: SyntaxNode) -> int:
        child = node.named_children[0] if node.named_children else None
        return self.b.primitive(
            {"null": "null", "undefined": "undefined"}.get(child.type if child is not None else "", "literal")
        )

    def _template_literal_type(self, node: SyntaxNode) -> int:
        for child in node.named_children:
            if child.type == "template_type":
                self._last(child)
        return self.b.primitive("string")

    def _this_type(self, node: SyntaxNode) -> int:
        return self.b.add(Op.THIS, a=self.b.this)

    def _type_query(self, node: SyntaxNode) -> int:
        target = NONE
        for child in node.named_children:
            if child.type == "type_arguments":
                self.type_arguments(child)
            elif child.type == "call_expression":
                target = self.imported_module(child)
            elif child.type != "comment":
                target = self.expression(child)
        return self.b.add(Op.TYPEOF, a=target)

    def _lookup_type(self, node: SyntaxNode) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        target = self.type(parts[0]) if parts else NONE
        name = ""
        for index in parts[1:]:
            text = index.named_children[0] if index.type == "literal_type" and index.named_children else None
            if text is not None and text.type == "string":
                name = unquoted(self.b.text(text))
                place = text.named_children[0] if text.named_children else text
                return self.b.add(Op.LOOKUP, place, Use.READ, name, target)
            self.type(index)
        return self.b.add(Op.LOOKUP, a=target)

    def _function_type(self, node: SyntaxNode) -> int:
        return self.b.add(Op.FUNCTION_TYPE, a=self.signature(node))

    def _constructor_type(self, node: SyntaxNode) -> int:
        self.signature(node)
        return self.b.primitive("?")

    def _infer_type(self, node: SyntaxNode) -> int:
        names = [child for child in node.named_children if child.type == "type_identifier"]
        if names:
            self.b.bind(self.b.text(names[0]), BindingKind.TYPE_PARAMETER, Space.TYPE)
        for child in node.named_children:
            if child.type == "constraint" or (child.type != "type_identifier" and child.type != "comment"):
                self.type(child)
        return self.b.primitive("?")

    def _conditional_type(self, node: SyntaxNode) -> int:
        with self.b.inner_scope():
            for field in ("left", "right", "consequence", "alternative"):
                self.type(node.child_by_field_name(field))
        return self.b.primitive("?")

    def _object_type(self, node: SyntaxNode) -> int:
        names: list[str] = []
        items: list[int] = []
        for member in node.named_children:
            kind = member.type
            if kind == "property_signature":
                names.append(self.property_name(member.child_by_field_name("name")))
                items.append(self.type(member.child_by_field_name("type")))
            elif kind == "method_signature":
                names.append(self.property_name(member.child_by_field_name("name")))
                items.append(self.b.add(Op.FUNCTION_TYPE, a=self.signature(member)))
            elif kind in ("call_signature", "construct_signature"):
                self.signature(member)
            elif kind == "index_signature":
                names.append(ANY_NAME)
                items.append(self.index_signature(member))
        return self.b.add(Op.OBJECT_TYPE, name="\n".join(names), items=tuple(items))

    def property_name(self, node: SyntaxNode | None) -> str:
        """Of a member; a computed name is lowered, and empty unless it is a literal."""
        if node is None:
            return ""
        if node.type == "string":
            return unquoted(self.b.text(node))
        if node.type == "computed_property_name":
            inner = node.named_children[0] if node.named_children else None
            if inner is not None and inner.type == "string":
                return unquoted(self.b.text(inner))
            self.expression(inner)
            return ""
        return self.b.text(node)

    def index_signature(self, node: SyntaxNode) -> int:
        """The type of its values."""
        with self.b.inner_scope():
            for child in node.named_children:
                if child.type == "mapped_type_clause":
                    name = child.child_by_field_name("name")
                    if name is not None:
                        self.b.bind(self.b.text(name), BindingKind.TYPE_PARAMETER, Space.TYPE)
                    self.type(child.child_by_field_name("type"))
                    self.type(child.child_by_field_name("alias"))
            self.type(node.child_by_field_name("index_type"))
            return self.type(node.child_by_field_name("type"))

    def type_parameters(self, node: SyntaxNode | None) -> tuple[str, ...]:
        """Binds them in the scope that is open."""
        if node is None:
            return ()
        names: list[str] = []
        parameters = [child for child in node.named_children if child.type == "type_parameter"]
        for parameter in parameters:
            name = parameter.child_by_field_name("name")
            names.append(self.b.text(name) if name is not None else "")
        for name_text, parameter in zip(names, parameters, strict=True):
            constraint = self.type(parameter.child_by_field_name("constraint"))
            self.b.bind(name_text, BindingKind.TYPE_PARAMETER, Space.TYPE, type_=constraint)
            self.type(parameter.child_by_field_name("value"))
        return tuple(names)

    def signature(self, node: SyntaxNode) -> int:
        """A function without a body: of a function type or a signature. The index of its function."""
        with self.b.inner_scope(is_function=True), self.b.this_is(self.b.this, self.b.is_static):
            type_parameters = self.type_parameters(node.child_by_field_name("type_parameters"))
            parameters = self.parameters(node.child_by_field_name("parameters"))
            result_node = node.child_by_field_name("return_type") or node.child_by_field_name("type")
            result = self.type(result_node)
        is_predicate = result_node is not None and result_node.type in _PREDICATES
        return self.function(Function(parameters, type_parameters, result, is_predicate=is_predicate, has_body=False))

    def function(self, function: Function) -> int:
        self.b.functions.append(function)
        return len(self.b.functions) - 1

    def parameters(self, node: SyntaxNode | None, context: int = NONE) -> tuple[Parameter, ...]:
        """Binds parameters in the scope that is open. ``context``: what is expected of their function."""
        found: list[Parameter] = []
        for child in node.named_children if node is not None else ():
            if child.type not in ("required_parameter", "optional_parameter"):
                continue
            pattern = child.child_by_field_name("pattern")
            if pattern is None:
                continue
            for decorator in child.children_by_field_name("decorator"):
                self.decorator(decorator)
            type_ = self.type(child.child_by_field_name("type"))
            default = child.child_by_field_name("value")
            self.b.expected = self.b.add(Op.EXPECTED, name="type", a=type_) if type_ != NONE else NONE
            value = self.expression(default)
            is_rest = pattern.type == "rest_pattern"
            if is_rest:
                pattern = pattern.named_children[0] if pattern.named_children else pattern
            if pattern.type == "this":
                self.b.this = NONE  # what is written there decides; whoever opened the function restores it
                continue
            place = len(found)
            name = self.b.text(pattern) if pattern.type == "identifier" else ""
            found.append(Parameter(name, type_, child.type == "optional_parameter" or default is not None, is_rest))
            if is_rest or type_ != NONE:
                self.bind_pattern(pattern, type_=type_)
            else:
                self.bind_pattern(pattern, value=value, context=context, parameter=place)
        return tuple(found)

    def decorator(self, node: SyntaxNode) -> None:
        for child in node.named_children:
            if child.type != "comment":
                self.expression(child, Use.CALL)
