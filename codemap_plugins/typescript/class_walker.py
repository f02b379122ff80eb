"""Classes and interfaces: their members, what they derive from, and the properties that parameters of constructors declare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.around import Around
from codemap_plugins.typescript.module_walker import name_of
from codemap_plugins.typescript.symbol_walker import FUNCTION_VALUES, SymbolWalker, name_place
from codemap_plugins.typescript.unit import (
    NONE,
    BindingKind,
    Kind,
    Node,
    Op,
    Use,
)

COMPONENT_PACKAGES: Final = frozenset(
    {"@angular/core", "@stencil/core", "vue-facing-decorator", "vue-property-decorator"}
)
"""Whose decorator ``Component`` makes a class a component."""
_COMPONENT: Final = "Component"
_METHODS: Final = frozenset({"method_definition", "method_signature", "abstract_method_signature"})


class ClassWalker(SymbolWalker):
    """Adds types with their members."""

    def interface_members(self, body: SyntaxNode, parent: int) -> None:
        for member in body.named_children:
            kind = member.type
            if kind in ("property_signature", "method_signature"):
                name_node = name_of(member)
                name = self.property_name(name_node)
                if name_node is None or not name:
                    continue
                at = name_place(name_node)
                of = Kind.METHOD if kind == "method_signature" else Kind.PROPERTY
                index = self.declare(
                    of, name, at, Around(member), parent=parent, signature=self.head(member, None),
                    modifiers=self.words(member),
                )  # fmt: skip
                with self.within(index):
                    if of is Kind.METHOD:
                        functions = self.b.declarations[index].functions
                        self.update(index, functions=(*functions, self.signature(member)))
                    else:
                        self.update(index, type=self.type(member.child_by_field_name("type")))
            elif kind in ("call_signature", "construct_signature"):
                self.signature(member)
            elif kind == "index_signature":
                self.update(parent, element=self.index_signature(member))

    def class_expression(self, node: SyntaxNode) -> int:
        name_node = name_of(node)
        with self.b.inner_scope():
            outer, self.b.is_local = self.b.is_local, True
            at = name_node or node
            name = self.b.text(name_node) if name_node is not None else ""
            index = self.declare(Kind.CLASS, name, at, Around(node))
            self.class_of(node, index, ())
            self.b.is_local = outer
        return index

    def is_component(self, decorator: SyntaxNode) -> bool:
        """Whether it is written with a name that the file imports for ``Component`` of a package."""
        applied = decorator.named_children[0] if decorator.named_children else None
        made = (
            applied.child_by_field_name("function")
            if applied is not None and applied.type == "call_expression"
            else applied
        )
        if made is None or made.type != "identifier":
            return False
        name = self.b.text(made)
        imported = (
            self.b.imports[each.of]
            for each in self.b.bindings[0]
            if each.name == name and each.kind is BindingKind.IMPORT
        )
        return any(each.name == _COMPONENT and each.specifier in COMPONENT_PACKAGES for each in imported)

    def class_of(self, node: SyntaxNode, index: int, decorators: Iterable[SyntaxNode]) -> None:
        with self.within(index):
            for decorator in decorators:
                self.decorator(decorator)
            with self.b.inner_scope(), self.b.this_is(index):
                parameters = self.type_parameters(node.child_by_field_name("type_parameters"))
                bases, interfaces = self._heritage(node)
                before = self.b.declarations[index]
                self.update(
                    index,
                    type_parameters=parameters or before.type_parameters,
                    bases=(*bases, *before.bases),
                    interfaces=tuple(interfaces),
                )
                body = node.child_by_field_name("body")
                if body is not None:
                    self._class_body(body, index)

    def _heritage(self, node: SyntaxNode) -> tuple[list[int], list[int]]:
        bases: list[int] = []
        interfaces: list[int] = []
        for heritage in node.named_children:
            if heritage.type != "class_heritage":
                continue
            for clause in heritage.named_children:
                if clause.type == "extends_clause":
                    base = self.expression(clause.child_by_field_name("value"))
                    arguments = self.type_arguments(clause.child_by_field_name("type_arguments"))
                    bases.append(self.b.add(Op.APPLIED, a=base, items=arguments))
                elif clause.type == "implements_clause":
                    interfaces += [self.type(each) for each in clause.named_children if each.type != "comment"]
        return bases, interfaces

    def _class_body(self, body: SyntaxNode, parent: int) -> None:
        decorators: list[SyntaxNode] = []
        for member in body.named_children:
            kind = member.type
            if kind == "decorator":
                decorators.append(member)
                continue
            if kind in _METHODS:
                self._method(member, parent, decorators)
            elif kind == "public_field_definition":
                self._field(member, parent)
            elif kind == "class_static_block":
                with self.b.this_is(parent, True):
                    outer, self.b.is_local = self.b.is_local, True
                    for child in member.named_children:
                        self.statement(child)
                    self.b.is_local = outer
            elif kind == "index_signature":
                self.update(parent, element=self.index_signature(member))
            decorators = []

    def _visibility(self, node: SyntaxNode, name: str) -> str:
        if name.startswith("#"):
            return "private"
        return next((self.b.text(child) for child in node.children if child.type == "accessibility_modifier"), "public")

    def _method(self, node: SyntaxNode, parent: int, decorators: Sequence[SyntaxNode]) -> None:
        name_node = name_of(node)
        name = self.property_name(name_node)
        if name_node is None or not name:
            with self.b.this_is(parent):
                self.function_of(node)
            return
        words = self.words(node)
        is_static = "static" in words
        is_accessor = "get" in words or "set" in words
        kind = Kind.CONSTRUCTOR if name == "constructor" and not is_static else Kind.METHOD
        if is_accessor:
            kind = Kind.PROPERTY
        body = node.child_by_field_name("body")
        index = self.declare(
            kind,
            name,
            name_place(name_node),
            Around(node),
            parent=parent,
            signature=self.head(node, body),
            modifiers=words,
            visibility=self._visibility(node, name),
            is_static=is_static,
        )
        with self.within(index), self.b.this_is(parent, is_static):
            for decorator in decorators:
                self.decorator(decorator)
            if kind is Kind.CONSTRUCTOR:
                self._parameter_properties(node, parent)
            self.add_function(index, node, "")
            if is_accessor:
                self._accessor(index, "get" in words)

    def _accessor(self, index: int, is_getter: bool) -> None:
        """The property's type is what its getter gives, or what its setter takes."""
        declared = self.b.declarations[index]
        function = self.b.functions[declared.functions[-1]]
        type_, value = declared.type, declared.value
        if is_getter:
            type_ = function.result
            if type_ == NONE and function.returns:
                value = self.b.add(Op.EITHER, items=function.returns)
        elif type_ == NONE and value == NONE and function.parameters:
            type_ = function.parameters[0].type
        self.update(index, type=type_, value=value, functions=())

    def _parameter_properties(self, node: SyntaxNode, parent: int) -> None:
        parameters = node.child_by_field_name("parameters")
        for child in parameters.named_children if parameters is not None else ():
            words = {each.type for each in child.children}
            pattern = child.child_by_field_name("pattern")
            if pattern is None or pattern.type != "identifier" or not words & {"accessibility_modifier", "readonly"}:
                continue
            name = self.b.text(pattern)
            index = self.declare(
                Kind.PROPERTY,
                name,
                pattern,
                Around(child),
                parent=parent,
                signature=self.head(child, child.child_by_field_name("value")),
                modifiers=self.words(child),
                visibility=self._visibility(child, name),
            )
            annotation = child.child_by_field_name("type")
            if annotation is not None:
                held = len(self.b.nodes)
                type_ = self.type(annotation)
                for place in range(held, len(self.b.nodes)):  # the parameter itself says these names
                    self.b.nodes[place] = _unnamed(self.b.nodes[place])
                self.update(index, type=type_)
            elif (value := child.child_by_field_name("value")) is not None:
                held = len(self.b.nodes)
                node_of_value = self.expression(value)
                for place in range(held, len(self.b.nodes)):
                    self.b.nodes[place] = _unnamed(self.b.nodes[place])
                self.update(index, value=node_of_value)

    def _field(self, node: SyntaxNode, parent: int) -> None:
        name_node = name_of(node)
        name = self.property_name(name_node)
        words = self.words(node)
        is_static = "static" in words
        value_node = node.child_by_field_name("value")
        if name_node is None or not name:
            with self.b.this_is(parent, is_static):
                self.expression(value_node)
            return
        is_function = value_node is not None and value_node.type in FUNCTION_VALUES
        index = self.declare(
            Kind.METHOD if is_function else Kind.PROPERTY,
            name,
            name_place(name_node),
            Around(node),
            parent=parent,
            signature=self.value_head(node, value_node),
            modifiers=words,
            visibility=self._visibility(node, name),
            is_static=is_static,
        )
        with self.within(index), self.b.this_is(parent, is_static):
            for decorator in node.children_by_field_name("decorator"):
                self.decorator(decorator)
            self.valued(index, node, value_node, name)


def _unnamed(node: Node) -> Node:
    """The node without what it says in its place."""
    return replace(node, use=Use.NONE)
