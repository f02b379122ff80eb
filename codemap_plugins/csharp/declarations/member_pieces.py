"""The common part of member declarations: the children of a node, sorted by their role, and the record made from them.

Names are metadata names (ECMA-334 annex D.4): ``.ctor``, ``Item``, ``op_Addition``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.declarations.parts import (
    attributes_of,
    content_hash,
    header_text,
    modifier_bits,
    modifiers_of,
)
from codemap_plugins.csharp.doc_comments import read_doc_comment
from codemap_plugins.csharp.lowering.types import lower_type
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import (
    Accessor,
    AttributeSyntax,
    DeclarationKind,
    DocComment,
    MemberDeclaration,
    Modifiers,
    Parameter,
    RootRole,
    TypeParameter,
)

BodyRoots = Sequence[tuple[RootRole, int, Node]]
"""The pieces of a declaration that are lowered: for each, its role, an index within the role, and the node."""

RootSink = Callable[[BodyRoots], int]
"""Takes the roots of one declaration and answers their index in the bodies section, -1 for none."""


class MemberContext(NamedTuple):
    """The context that all members of one type share. ``active``: ``source`` without directives and what they leave out."""

    source: bytes
    active: bytes
    lines: LineIndex
    parent: int
    condition: str
    broken: bool
    roots: RootSink


class Pieces:
    """The children of a member declaration, sorted by what they are."""

    __slots__ = (
        "accessors",
        "attributes",
        "body",
        "clauses",
        "explicit",
        "header_end",
        "initializer",
        "modifiers",
        "parameters",
        "tokens",
        "type",
        "type_parameters",
        "value",
    )

    def __init__(self, node: Node, source: bytes) -> None:
        bits = 0
        self.attributes: list[Node] = []
        self.clauses: list[Node] = []
        self.type: Node | None = None
        self.explicit: Node | None = None
        self.parameters: Node | None = None
        self.type_parameters: Node | None = None
        self.body: Node | None = None
        self.accessors: Node | None = None
        self.value: Node | None = None
        self.initializer: Node | None = None
        self.tokens: list[str] = []
        self.header_end = node.end_byte
        equals = False
        for child in node.children:
            kind = child.kind_id
            if kind == grammar.MODIFIER:
                bits |= modifier_bits(source, child)
            elif kind == grammar.ATTRIBUTE_LIST:
                self.attributes.append(child)
            elif kind == grammar.PARAMETER_LIST or kind == grammar.BRACKETED_PARAMETER_LIST:
                self.parameters = child
            elif kind == grammar.TYPE_PARAMETER_LIST:
                self.type_parameters = child
            elif kind == grammar.TYPE_PARAMETER_CONSTRAINTS_CLAUSE:
                self.clauses.append(child)
            elif kind == grammar.EXPLICIT_INTERFACE_SPECIFIER:
                self.explicit = child
            elif kind == grammar.BLOCK or kind == grammar.ARROW_EXPRESSION_CLAUSE:
                self.body = child
                self._ends(child)
            elif kind == grammar.ACCESSOR_LIST:
                self.accessors = child
                self._ends(child)
            elif kind == grammar.CONSTRUCTOR_INITIALIZER:
                self.initializer = child
                self._ends(child)
            elif kind == grammar.TOKEN_SEMICOLON:
                self._ends(child)
            elif kind == grammar.TOKEN_EQUALS:
                equals = True
                self._ends(child)
            elif not child.is_named:
                self.tokens.append(child.type)
            elif equals and kind != grammar.COMMENT:
                self.value = child
        self.modifiers = modifiers_of(bits)
        self.type = node.child_by_field_id(grammar.FIELD_TYPE) or node.child_by_field_id(grammar.FIELD_RETURNS)

    def modifiers_with(self, is_ref: bool) -> Modifiers:
        """The modifiers, and that of a type by reference. Two flags are not combined where they need not be, which costs several calls."""
        return self.modifiers | Modifiers.REF if is_ref else self.modifiers

    def _ends(self, node: Node) -> None:
        self.header_end = min(self.header_end, node.start_byte)


def header_of(context: MemberContext, node: Node, pieces: Pieces, end: int) -> str:
    start = pieces.attributes[-1].end_byte if pieces.attributes else node.start_byte
    return header_text(context.active, start, end).rstrip(" ;")


def lowered_type(context: MemberContext, node: Node | None) -> tuple[TypeSyntax | None, bool]:
    """The type without its ``ref`` (ECMA-334 §15.6.1: a ref return changes no identity), and whether it has one."""
    is_ref = False
    while node is not None and node.kind_id in (grammar.REF_TYPE, grammar.SCOPED_TYPE):
        is_ref = True
        node = node.child_by_field_id(grammar.FIELD_TYPE)
    return (lower_type(node, context.source) if node is not None else None), is_ref


def _explicit_interface(context: MemberContext, node: Node | None) -> TypeSyntax | None:
    if node is None:
        return None
    for child in node.named_children:
        if child.kind_id != grammar.COMMENT:
            return lower_type(child, context.source)
    return None


def accessors_of(
    context: MemberContext, node: Node | None, roots: list[tuple[RootRole, int, Node]]
) -> tuple[Accessor, ...]:
    if node is None:
        return ()
    found: list[Accessor] = []
    for child in node.named_children:
        if child.kind_id != grammar.ACCESSOR_DECLARATION:
            continue
        bits = 0
        name = ""
        body: Node | None = None
        for part in child.children:
            kind = part.kind_id
            if kind == grammar.MODIFIER:
                bits |= modifier_bits(context.source, part)
            elif kind == grammar.BLOCK or kind == grammar.ARROW_EXPRESSION_CLAUSE:
                body = part
            elif part.type in _ACCESSOR_ROLES:
                name = part.type
            elif kind == grammar.ATTRIBUTE_LIST:
                roots.append((RootRole.ATTRIBUTES, 0, part))
        if name and body is not None:
            roots.append((_ACCESSOR_ROLES[name], 0, body))
        found.append(Accessor(name, modifiers_of(bits), body is not None))
    return tuple(found)


_ACCESSOR_ROLES: Final = {
    "get": RootRole.GET,
    "set": RootRole.SET,
    "init": RootRole.SET,
    "add": RootRole.ADD,
    "remove": RootRole.REMOVE,
}


def declaration_roots(
    attributes: Sequence[Node], parameters: Node | None, type_parameters: Node | None = None
) -> list[tuple[RootRole, int, Node]]:
    """The roots that any declaration may have: attribute lists, its own and those of its type parameters, and the parameters with
    their defaults and attributes."""
    roots: list[tuple[RootRole, int, Node]] = [(RootRole.ATTRIBUTES, 0, node) for node in attributes]
    for type_parameter in type_parameters.named_children if type_parameters is not None else ():
        roots.extend(
            (RootRole.ATTRIBUTES, 0, node)
            for node in type_parameter.named_children
            if node.kind_id == grammar.ATTRIBUTE_LIST
        )
    if parameters is not None:
        roots.append((RootRole.PARAMETERS, 0, parameters))
    return roots


def accessor_summary(accessors: Sequence[Accessor], is_expression: bool) -> str:
    if is_expression:
        return " { get; }"
    if not accessors:
        return ""
    words = []
    for accessor in accessors:
        word = _ACCESS_WORDS.get(accessor.modifiers.accessibility, "")
        words.append(f"{word}{accessor.name};")
    return " { " + " ".join(words) + " }"


_ACCESS_WORDS: Final = {
    Modifiers.PUBLIC: "public ",
    Modifiers.INTERNAL: "internal ",
    Modifiers.PROTECTED: "protected ",
    Modifiers.PRIVATE: "private ",
    Modifiers.PROTECTED | Modifiers.INTERNAL: "protected internal ",
    Modifiers.PRIVATE | Modifiers.PROTECTED: "private protected ",
}


def member_of(
    context: MemberContext,
    node: Node,
    pieces: Pieces,
    docs: Sequence[tuple[int, int]],
    *,
    kind: DeclarationKind,
    name: str,
    name_offset: int,
    signature: str,
    type_: TypeSyntax | None,
    modifiers: Modifiers,
    roots: list[tuple[RootRole, int, Node]],
    accessors: tuple[Accessor, ...] = (),
    parameters: tuple[Parameter, ...] = (),
    type_parameters: tuple[TypeParameter, ...] = (),
    attributes: tuple[AttributeSyntax, ...] | None = None,
    doc: DocComment | None = None,
) -> MemberDeclaration:
    source, lines = context.source, context.lines
    start, end = node.start_byte, node.end_byte
    if attributes is None:
        attributes = attributes_of(source, lines, pieces.attributes) if pieces.attributes else ()
    return MemberDeclaration(
        kind=kind,
        name=name,
        parent=context.parent,
        modifiers=modifiers,
        type_parameters=type_parameters,
        parameters=parameters,
        type=type_,
        explicit_interface=_explicit_interface(context, pieces.explicit),
        accessors=accessors,
        span=(start, end),
        line_start=lines.line(start),
        line_end=lines.last_line(start, end),
        name_offset=name_offset,
        signature=signature,
        content_hash=content_hash(source, start, end),
        doc=doc if doc is not None else (read_doc_comment(source, docs) if docs else None),
        attributes=attributes,
        body=context.roots(roots),
        condition=context.condition,
        broken=context.broken,
    )
