"""Symbols of a file: what is called the same and may be one is merged, and each has its signature, modifiers, type and value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final

from msgspec.structs import replace

from codemap_core.syntax import Node as SyntaxNode
from codemap_plugins.typescript.around import Around
from codemap_plugins.typescript.building import Builder
from codemap_plugins.typescript.complexity import decisions_and_breaks
from codemap_plugins.typescript.doc_comments import first_paragraph
from codemap_plugins.typescript.meanings import AMBIENT
from codemap_plugins.typescript.module_walker import ModuleWalker
from codemap_plugins.typescript.unit import (
    NONE,
    BindingKind,
    Declaration,
    Kind,
    Part,
    Space,
)

_MODIFIERS: Final = (
    AMBIENT,
    "abstract",
    "static",
    "override",
    "readonly",
    "async",
    "get",
    "set",
    "accessor",
    "const",
)
_SIGNATURE_WIDTH: Final = 200
_VALUE_WIDTH: Final = 80
FUNCTION_VALUES: Final = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
_TRAILING: Final = re.compile(r"(?:\s|[;,{=]|=>)+$")
_BRACKETS: Final = re.compile(r"\( |,? \)")
"""Those of a list that is written over several lines."""
_COMPONENT: Final = re.compile(r"[A-Z]")
SPACES: Final = {
    Kind.CLASS: Space.VALUE | Space.TYPE,
    Kind.INTERFACE: Space.TYPE,
    Kind.ENUM: Space.VALUE | Space.TYPE,
    Kind.ALIAS: Space.TYPE,
    Kind.NAMESPACE: Space.VALUE | Space.NAMESPACE,
}


class SymbolWalker(ModuleWalker):
    """Adds symbols to the unit."""

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self._known: Final[dict[tuple[int, int, str, str], int]] = {}
        self.top = 0
        """The scope whose declarations are symbols."""

    @property
    def is_symbol(self) -> bool:
        return not self.b.is_local and self.b.scope == self.top

    def declare(
        self,
        kind: Kind,
        name: str,
        name_node: SyntaxNode,
        around: Around,
        *,
        parent: int | None = None,
        signature: str = "",
        modifiers: Sequence[str] = (),
        visibility: str = "",
        is_static: bool = False,
    ) -> int:
        """The index of a declaration, merged with what is called the same. ``parent``: the type or namespace, for members."""
        of = self.namespace if parent is None else parent
        is_member = parent is not None
        if around.is_ambient and AMBIENT not in modifiers:
            modifiers = (AMBIENT, *modifiers)
        group = ("static" if is_static else "member") if is_member else "type" if kind.is_container else "value"
        key = (of, 0 if is_member else self.b.scope, group, name)
        line, column = self.b.place(name_node)
        part = Part(around.whole.start_point[0] + 1, around.whole.end_point[0] + 1, line, column)
        is_local = not is_member and not self.is_symbol
        if is_member and of != NONE:
            is_local = self.b.declarations[of].is_local
        known = self._known.get(key)
        if known is not None:
            before = self.b.declarations[known]
            if kind is not before.kind and kind is Kind.CLASS:
                before = replace(before, kind=kind, signature=signature, modifiers=tuple(modifiers))
            self.b.declarations[known] = replace(
                before,
                parts=(*before.parts, part),
                space=before.space | SPACES.get(kind, Space.VALUE),
                documentation=before.documentation or self._documentation(around.whole),
                digest=before.digest + self.b.digest(around.whole),
                is_exported=before.is_exported or around.is_exported,
                modifiers=before.modifiers
                if set(modifiers) <= set(before.modifiers)
                else tuple(dict.fromkeys((*before.modifiers, *modifiers))),
            )
            if not is_member:
                self.b.bind(name, BindingKind.DECLARATION, SPACES.get(kind, Space.VALUE), of=known)
            return known
        self.b.declarations.append(
            Declaration(
                kind,
                name,
                of,
                (part,),
                visibility=visibility or ("public" if is_member or around.is_exported else "internal"),
                modifiers=tuple(modifiers),
                signature=signature[:_SIGNATURE_WIDTH],
                documentation=self._documentation(around.whole),
                digest=self.b.digest(around.whole),
                space=SPACES.get(kind, Space.VALUE),
                is_exported=around.is_exported,
                is_local=is_local,
                is_static=is_static,
                is_global=around.is_global,
            )
        )
        index = len(self.b.declarations) - 1
        self._known[key] = index
        if not is_member:
            self.b.bind(name, BindingKind.DECLARATION, SPACES.get(kind, Space.VALUE), of=index)
        return index

    def update(self, index: int, **changes: object) -> None:
        self.b.declarations[index] = replace(self.b.declarations[index], **changes)

    def _documentation(self, node: SyntaxNode) -> str:
        before = node.prev_sibling
        while before is not None and before.type == "decorator":
            before = before.prev_sibling
        if before is None or before.type != "comment":
            return ""
        return first_paragraph(self.b.text(before))

    def head(self, node: SyntaxNode, end: SyntaxNode | None, prefix: str = "") -> str:
        """The text of a declaration before its body, without decorators."""
        first = next((child for child in node.children if child.type != "decorator"), node)
        stop = end.start_byte if end is not None else node.end_byte
        said = _BRACKETS.sub(lambda match: match[0].strip(" ,"), self.b.folded(first.start_byte, stop))
        return _TRAILING.sub("", prefix + said)

    @staticmethod
    def words(node: SyntaxNode) -> tuple[str, ...]:
        found = {child.type for child in node.children if not child.is_named or child.type == "override_modifier"}
        if "override_modifier" in found:
            found.add("override")
        return tuple(word for word in _MODIFIERS if word in found)

    def within(self, index: int) -> AbstractContextManager[None]:
        """What stands in a declaration is owned by it, or by what is around it where that is in a body."""
        return self.b.owned_by(self.b.owner if self.b.declarations[index].is_local else index)

    def add_function(self, index: int, node: SyntaxNode, name: str) -> None:
        outer = self.b.has_element
        self.b.has_element = False
        function = self.function_of(node)
        declared = self.b.declarations[index]
        is_component = self.b.has_element and _COMPONENT.match(name) is not None
        self.update(
            index, functions=(*declared.functions, function), is_component=declared.is_component or is_component
        )
        self.b.has_element = outer or self.b.has_element
        if node.child_by_field_name("body") is not None:
            self._measure(index, node)

    def _measure(self, index: int, code: SyntaxNode) -> None:
        """Adds how hard the code of a symbol is to follow; two halves of an accessor are one."""
        declared = self.b.declarations[index]
        if declared.is_local:
            return
        decisions, breaks = decisions_and_breaks(code)
        self.update(index, decisions=max(declared.decisions, 0) + decisions, breaks=declared.breaks + breaks)

    def valued(self, index: int, node: SyntaxNode, value: SyntaxNode | None, name: str) -> None:
        """The type and value of a field or variable."""
        type_ = self.type(node.child_by_field_name("type"))
        outer, self.b.is_local = self.b.is_local, True
        if value is not None and value.type in FUNCTION_VALUES and type_ == NONE:
            keeps_this = value.type == "arrow_function"
            with self.b.this_is(self.b.this if keeps_this else NONE, self.b.is_static):
                self.add_function(index, value, name)
            self.update(index, type=NONE)
        else:
            seen, self.b.has_element = self.b.has_element, False
            self.b.expected = self.expect("type", type_)
            node_of_value = self.expression(value)
            holds_function = value is not None and (value.type in FUNCTION_VALUES or value.type == "call_expression")
            is_component = self.b.has_element and holds_function and _COMPONENT.match(name) is not None
            self.b.has_element = seen or self.b.has_element
            self.update(index, type=type_, value=node_of_value, is_component=is_component)
            if value is not None:
                self._measure(index, value)
        self.b.is_local = outer

    def value_head(self, node: SyntaxNode, value: SyntaxNode | None, prefix: str = "") -> str:
        if value is None:
            return self.head(node, None, prefix)
        if value.type in FUNCTION_VALUES:
            return self._head_to_body(node, value, prefix)
        head = self.head(node, value, prefix)
        said = self.b.folded(value.start_byte, value.end_byte)
        equals = " " if node.type == "export_statement" else " = "
        return f"{head}{equals}{said if len(said) <= _VALUE_WIDTH else said[: _VALUE_WIDTH - 1].rstrip() + '…'}"

    def _head_to_body(self, node: SyntaxNode, value: SyntaxNode, prefix: str) -> str:
        return self.head(node, value.child_by_field_name("body"), prefix)


def name_place(node: SyntaxNode) -> SyntaxNode:
    """Within the quotes of a name that is a string."""
    return node.named_children[0] if node.type == "string" and node.named_children else node
