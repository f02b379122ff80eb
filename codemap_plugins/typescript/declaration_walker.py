"""Declarations of a file as the symbols of its unit: overloads, merged declarations and the halves of accessors are one each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.around import Around
from codemap_plugins.typescript.building import unquoted
from codemap_plugins.typescript.class_walker import ClassWalker
from codemap_plugins.typescript.module_walker import name_of
from codemap_plugins.typescript.symbol_walker import FUNCTION_VALUES, name_place
from codemap_plugins.typescript.unit import (
    NONE,
    Export,
    ExportKind,
    Kind,
    Op,
    Use,
)

_FUNCTION_DECLARATIONS: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "function_signature"}
)
_CLASSES: Final = frozenset({"class_declaration", "abstract_class_declaration"})


class DeclarationWalker(ClassWalker):
    """Walks a file."""

    def walk(self, root: SyntaxNode) -> None:
        self.statements(root)

    def declaration(self, node: SyntaxNode) -> bool:
        return self.declared(node, Around(node))

    def declared(self, node: SyntaxNode, around: Around) -> bool:
        kind = node.type
        if kind in _FUNCTION_DECLARATIONS:
            self._function(node, around)
        elif kind in _CLASSES:
            self._class_declaration(node, around)
        elif kind == "interface_declaration":
            self._interface(node, around)
        elif kind == "enum_declaration":
            self._enum(node, around)
        elif kind == "type_alias_declaration":
            self._alias(node, around)
        elif kind in ("internal_module", "module"):
            self._namespace_declaration(node, around)
        elif kind in ("lexical_declaration", "variable_declaration"):
            self._variables(node, around)
        elif kind == "import_statement":
            self.import_statement(node)
        elif kind == "import_alias":
            self.import_alias(node, around)
        elif kind == "export_statement":
            self.export_statement(node)
        elif kind == "ambient_declaration":
            self._ambient(node, around)
        else:
            return False
        return True

    # Symbols

    def _exported(self, around: Around, name: str) -> None:
        if around.is_default and self.is_symbol:
            self.b.exports.append(Export(ExportKind.LOCAL, "default", name))

    def _function(self, node: SyntaxNode, around: Around) -> None:
        name_node = name_of(node)
        if name_node is None:
            return
        name = self.b.text(name_node)
        head = self.head(node, node.child_by_field_name("body"), around.prefix)
        index = self.declare(Kind.FUNCTION, name, name_node, around, signature=head, modifiers=self.words(node))
        self._exported(around, name)
        with self.within(index), self.b.this_is(NONE):
            self.add_function(index, node, name)

    def _alias(self, node: SyntaxNode, around: Around) -> None:
        name_node = name_of(node)
        if name_node is None:
            return
        value = node.child_by_field_name("value")
        head = self.head(node, None, around.prefix)
        index = self.declare(Kind.ALIAS, self.b.text(name_node), name_node, around, signature=head)
        self._exported(around, self.b.text(name_node))
        with self.within(index), self.b.inner_scope():
            parameters = self.type_parameters(node.child_by_field_name("type_parameters"))
            self.update(index, type_parameters=parameters)
            bases: list[int] = []
            type_ = NONE
            pieces = self._pieces(value)
            if any(each.type == "object_type" for each in pieces):
                for each in pieces:
                    if each.type == "object_type":
                        self.interface_members(each, index)
                    else:
                        bases.append(self.type(each))
            else:
                type_ = self.type(value)
            self.update(index, type=type_, bases=tuple(bases))

    def _pieces(self, value: SyntaxNode | None) -> list[SyntaxNode]:
        """The parts of an intersection of types, or the type."""
        if value is None:
            return []
        if value.type == "intersection_type":
            return [piece for child in value.named_children for piece in self._pieces(child)]
        return [] if value.type == "comment" else [value]

    def _interface(self, node: SyntaxNode, around: Around) -> None:
        name_node = name_of(node)
        if name_node is None:
            return
        body = node.child_by_field_name("body")
        head = self.head(node, body, around.prefix)
        index = self.declare(Kind.INTERFACE, self.b.text(name_node), name_node, around, signature=head)
        self._exported(around, self.b.text(name_node))
        with self.within(index), self.b.inner_scope(), self.b.this_is(index):
            parameters = self.type_parameters(node.child_by_field_name("type_parameters"))
            bases = [
                self.type(each)
                for child in node.named_children
                if child.type in ("extends_type_clause", "extends_clause")
                for each in child.named_children
                if each.type != "comment"
            ]
            before = self.b.declarations[index]
            self.update(index, type_parameters=before.type_parameters or parameters, bases=(*before.bases, *bases))
            if body is not None:
                self.interface_members(body, index)

    def _enum(self, node: SyntaxNode, around: Around) -> None:
        name_node = name_of(node)
        body = node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        head = self.head(node, body, around.prefix)
        index = self.declare(
            Kind.ENUM, self.b.text(name_node), name_node, around, signature=head, modifiers=self.words(node)
        )
        self._exported(around, self.b.text(name_node))
        with self.b.inner_scope(namespace=index):
            for child in body.named_children:
                member = name_of(child) if child.type == "enum_assignment" else child
                if member is None or child.type == "comment":
                    continue
                name = self.property_name(member)
                at = Around(child)
                of = self.declare(
                    Kind.ENUM_MEMBER, name, name_place(member), at, parent=index, signature=self.head(child, None)
                    if child.type == "enum_assignment" else name, is_static=True,
                )  # fmt: skip
                if child.type == "enum_assignment":
                    with self.within(of):
                        self.expression(child.child_by_field_name("value"))

    def _class_declaration(self, node: SyntaxNode, around: Around) -> None:
        name_node = name_of(node)
        if name_node is None:
            return
        body = node.child_by_field_name("body")
        head = self.head(node, body, around.prefix)
        name = self.b.text(name_node)
        index = self.declare(Kind.CLASS, name, name_node, around, signature=head, modifiers=self.words(node))
        self._exported(around, name)
        decorators = [*node.children_by_field_name("decorator")]
        if around.whole != node:
            decorators += around.whole.children_by_field_name("decorator")
        if any(map(self.is_component, decorators)):
            self.update(index, is_component=True)
        self.class_of(node, index, decorators)

    def _variables(self, node: SyntaxNode, around: Around) -> None:
        keyword = self.b.text(node.children[0]) if node.children else "var"
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        for declarator in declarators:
            name_node = name_of(declarator)
            value = declarator.child_by_field_name("value")
            if name_node is None:
                continue
            if not self.is_symbol:
                type_ = self.type(declarator.child_by_field_name("type"))
                self.b.expected = self.expect("type", type_)
                node_of_value = self.expression(value)
                scope = self.b.function_scope if keyword == "var" else self.b.scope
                self.bind_pattern(name_node, type_=type_, value=node_of_value, scope=scope)
            elif name_node.type == "identifier":
                self._variable(declarator, name_node, value, keyword, around, len(declarators) == 1)
            else:
                self._taken_apart(declarator, name_node, value, keyword, around)

    def _variable(
        self,
        node: SyntaxNode,
        name_node: SyntaxNode,
        value: SyntaxNode | None,
        keyword: str,
        around: Around,
        is_alone: bool,
    ) -> None:
        is_function = value is not None and value.type in FUNCTION_VALUES
        name = self.b.text(name_node)
        index = self.declare(
            Kind.FUNCTION if is_function else Kind.VARIABLE,
            name,
            name_node,
            around if is_alone else replace(around, whole=node),
            signature=self.value_head(node, value, f"{around.prefix}{keyword} "),
            modifiers=(keyword,),
        )
        with self.within(index), self.b.this_is(NONE):
            self.valued(index, node, value, name)

    def _taken_apart(
        self, node: SyntaxNode, pattern: SyntaxNode, value: SyntaxNode | None, keyword: str, around: Around
    ) -> None:
        """Symbols of a pattern: each is a variable of what the pattern takes apart."""
        held = self.expression(value)
        before = len(self.b.bindings[self.b.scope])
        self.bind_pattern(pattern, value=held)
        bound = self.b.bindings[self.b.scope][before:]
        del self.b.bindings[self.b.scope][before:]
        places = {self.b.text(each): each for each in _names_in(pattern)}
        for binding in bound:
            name_node = places.get(binding.name)
            if name_node is not None:
                signature = f"{around.prefix}{keyword} {binding.name}"
                index = self.declare(
                    Kind.VARIABLE, binding.name, name_node, around, signature=signature, modifiers=(keyword,)
                )
                self.update(index, value=binding.value)

    def _namespace_declaration(self, node: SyntaxNode, around: Around) -> None:
        name_node = name_of(node)
        body = node.child_by_field_name("body")
        if name_node is None:
            return
        outer = self.namespace, self.top
        names = [name_node] if name_node.type != "nested_identifier" else [*_names_in(name_node)]
        opened = []
        for each in names:
            is_ambient = each.type == "string"
            text = unquoted(self.b.text(each))
            head = self.head(node, body, around.prefix)
            index = self.declare(Kind.NAMESPACE, text, each, around, signature=head)
            if is_ambient:
                self.update(index, module=text)
            scope = self.b.inner_scope(namespace=index)
            scope.__enter__()
            opened.append(scope)
            self.namespace, self.top = index, self.b.scope
        with self.b.owned_by(self.namespace):
            if body is not None:
                self.statements(body)
        for scope in reversed(opened):
            scope.__exit__(None, None, None)
        self.namespace, self.top = outer

    def _ambient(self, node: SyntaxNode, around: Around) -> None:
        is_global = any(child.type == "global" for child in node.children)
        for child in node.named_children:
            if child.type == "statement_block" and is_global:
                for statement in child.named_children:
                    inner = statement
                    if statement.type == "export_statement":
                        inner = statement.child_by_field_name("declaration") or statement
                    self.declared(inner, Around(statement, True, is_global=True, is_ambient=True, prefix="declare "))
            elif child.type != "comment":
                whole = node if around.whole == node else around.whole
                self.declared(child, replace(around, whole=whole, is_ambient=True, prefix=f"{around.prefix}declare "))

    def default(self, node: SyntaxNode, value: SyntaxNode) -> None:
        if value.type == "identifier":
            name = self.b.text(value)
            self.b.exports.append(Export(ExportKind.LOCAL, "default", name))
            self.b.add(Op.EXPORTED, value, Use.IMPORT, name, len(self.b.exports) - 1)
            return
        keyword = next(child for child in node.children if child.type == "default")
        signature = self.value_head(node, value)
        kind = Kind.FUNCTION if value.type in FUNCTION_VALUES else Kind.VARIABLE
        index = self.declare(kind, "default", keyword, Around(node, True, True), signature=signature)
        with self.within(index), self.b.this_is(NONE):
            self.valued(index, node, value, "Default")


def _names_in(node: SyntaxNode) -> Iterable[SyntaxNode]:
    if node.type in ("identifier", "shorthand_property_identifier_pattern", "property_identifier"):
        yield node
    for child in node.named_children:
        if node.type == "pair_pattern" and child == node.child_by_field_name("key"):
            continue
        if node.type in ("assignment_pattern", "object_assignment_pattern") and child == node.child_by_field_name(
            "right"
        ):
            continue
        yield from _names_in(child)
