"""Members of a type: methods, constructors, properties, fields, events, operators, from the nodes of its body.

The span of a field or event is its whole declaration, that of several declarators in one declaration the same for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.declarations.member_pieces import (
    MemberContext,
    Pieces,
    RootSink,
    accessor_summary,
    accessors_of,
    declaration_roots,
    header_of,
    lowered_type,
    member_of,
)
from codemap_plugins.csharp.declarations.operators import operator_members
from codemap_plugins.csharp.declarations.parts import (
    attributes_of,
    header_text,
    identifier_text,
    parameters_of,
    type_parameters_of,
)
from codemap_plugins.csharp.doc_comments import read_doc_comment
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.unit import Accessor, DeclarationKind, MemberDeclaration, Modifiers, RootRole


def members_of(
    node: Node,
    docs: Sequence[tuple[int, int]],
    source: bytes,
    active: bytes,
    lines: LineIndex,
    parent: int,
    condition: str,
    broken: bool,
    roots: RootSink,
) -> list[MemberDeclaration]:
    """The members that one node of a type's body declares: none, one, or one for each declarator."""
    build = _BUILDERS.get(node.kind_id)
    if build is None:
        return []
    return build(MemberContext(source, active, lines, parent, condition, broken, roots), node, docs)


def _method(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = Pieces(node, source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    if name_node is None:
        return []
    type_, is_ref = lowered_type(context, pieces.type)
    parameters = parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else ()
    roots = declaration_roots(pieces.attributes, pieces.parameters, pieces.type_parameters)
    if pieces.body is not None:
        roots.append((RootRole.BODY, 0, pieces.body))
    return [
        member_of(
            context,
            node,
            pieces,
            docs,
            kind=DeclarationKind.METHOD,
            name=identifier_text(source, name_node),
            name_offset=name_node.start_byte,
            signature=header_of(context, node, pieces, pieces.header_end),
            type_=type_,
            modifiers=pieces.modifiers_with(is_ref),
            roots=roots,
            parameters=parameters,
            type_parameters=type_parameters_of(source, pieces.type_parameters, pieces.clauses),
        )
    ]


def _constructor(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = Pieces(node, source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    is_static = Modifiers.STATIC in pieces.modifiers
    finalizer = node.kind_id == grammar.DESTRUCTOR_DECLARATION
    if finalizer:
        kind, name = DeclarationKind.FINALIZER, "Finalize"
    elif is_static:
        kind, name = DeclarationKind.STATIC_CONSTRUCTOR, ".cctor"
    else:
        kind, name = DeclarationKind.CONSTRUCTOR, ".ctor"
    roots = declaration_roots(pieces.attributes, pieces.parameters)
    if pieces.initializer is not None:
        roots.append((RootRole.CONSTRUCTOR_INITIALIZER, 0, pieces.initializer))
    if pieces.body is not None:
        roots.append((RootRole.BODY, 0, pieces.body))
    return [
        member_of(
            context,
            node,
            pieces,
            docs,
            kind=kind,
            name=name,
            name_offset=name_node.start_byte if name_node is not None else node.start_byte,
            signature=header_of(context, node, pieces, pieces.header_end).rstrip(" :"),
            type_=None,
            modifiers=pieces.modifiers,
            roots=roots,
            parameters=parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else (),
        )
    ]


def _property(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = Pieces(node, source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    is_indexer = node.kind_id == grammar.INDEXER_DECLARATION
    if name_node is None and not is_indexer:
        return []
    type_, is_ref = lowered_type(context, pieces.type)
    roots = declaration_roots(pieces.attributes, pieces.parameters)
    accessors = accessors_of(context, pieces.accessors, roots)
    arrow = pieces.body
    if arrow is not None:
        roots.append((RootRole.GET, 0, arrow))
        accessors = (Accessor("get", Modifiers.NONE, True),)
    if pieces.value is not None:
        roots.append((RootRole.INITIALIZER, 0, pieces.value))
    if is_indexer:
        name, offset = (
            "Item",
            next((c.start_byte for c in node.children if c.kind_id == grammar.TOKEN_THIS), node.start_byte),
        )
        kind = DeclarationKind.INDEXER
    else:
        assert name_node is not None
        name, offset = identifier_text(source, name_node), name_node.start_byte
        kind = DeclarationKind.PROPERTY
    return [
        member_of(
            context,
            node,
            pieces,
            docs,
            kind=kind,
            name=name,
            name_offset=offset,
            signature=header_of(context, node, pieces, pieces.header_end)
            + accessor_summary(accessors, arrow is not None),
            type_=type_,
            modifiers=pieces.modifiers_with(is_ref),
            roots=roots,
            accessors=accessors,
            parameters=parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else (),
        )
    ]


def _event(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    pieces = Pieces(node, context.source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    if name_node is None:
        return []
    type_, _ = lowered_type(context, pieces.type)
    roots = declaration_roots(pieces.attributes, None)
    accessors = accessors_of(context, pieces.accessors, roots)
    return [
        member_of(
            context,
            node,
            pieces,
            docs,
            kind=DeclarationKind.EVENT,
            name=identifier_text(context.source, name_node),
            name_offset=name_node.start_byte,
            signature=header_of(context, node, pieces, pieces.header_end) + accessor_summary(accessors, False),
            type_=type_,
            modifiers=pieces.modifiers,
            roots=roots,
            accessors=accessors,
        )
    ]


def _field(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    """Fields, constants and field-like events: one declaration, a member for each declarator. The first one carries the roots that all
    share (``from_symbol`` of shared parts is the first field)."""
    source = context.source
    pieces = Pieces(node, source)
    declaration = next((c for c in node.named_children if c.kind_id == grammar.VARIABLE_DECLARATION), None)
    if declaration is None:
        return []
    type_, is_ref = lowered_type(context, declaration.child_by_field_id(grammar.FIELD_TYPE))
    if node.kind_id == grammar.EVENT_FIELD_DECLARATION:
        kind = DeclarationKind.FIELD_LIKE_EVENT
    elif Modifiers.CONST in pieces.modifiers:
        kind = DeclarationKind.CONSTANT
    else:
        kind = DeclarationKind.FIELD
    attributes = attributes_of(source, context.lines, pieces.attributes) if pieces.attributes else ()
    doc = read_doc_comment(source, docs) if docs else None
    declarators = [c for c in declaration.named_children if c.kind_id == grammar.VARIABLE_DECLARATOR]
    prefix = header_of(context, node, pieces, declarators[0].start_byte) if declarators else ""
    members: list[MemberDeclaration] = []
    for declarator in declarators:
        name_node = declarator.child_by_field_id(grammar.FIELD_NAME)
        if name_node is None or name_node.start_byte == name_node.end_byte:
            continue
        roots = declaration_roots(pieces.attributes, None) if not members else []
        value: Node | None = None
        equals = False
        for part in declarator.children:
            if part.kind_id == grammar.TOKEN_EQUALS:
                equals = True
            elif equals and part.is_named and part.kind_id != grammar.COMMENT:
                value = part
            elif part.kind_id == grammar.BRACKETED_ARGUMENT_LIST:
                roots.append((RootRole.INITIALIZER, 1, part))
        signature = f"{prefix} {identifier_text(source, name_node)}"
        if value is not None:
            roots.append((RootRole.INITIALIZER, 0, value))
            if kind is DeclarationKind.CONSTANT:
                signature += f" = {header_text(source, value.start_byte, value.end_byte)}"
        members.append(
            member_of(
                context,
                node,
                pieces,
                (),
                kind=kind,
                name=identifier_text(source, name_node),
                name_offset=name_node.start_byte,
                signature=signature,
                type_=type_,
                modifiers=pieces.modifiers_with(is_ref),
                roots=roots,
                attributes=attributes,
                doc=doc,
            )
        )
    return members


def _enum_member(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    if name_node is None:
        return []
    pieces = Pieces(node, source)
    roots = declaration_roots(pieces.attributes, None)
    value = node.child_by_field_id(grammar.FIELD_VALUE)
    if value is not None:
        roots.append((RootRole.INITIALIZER, 0, value))
    return [
        member_of(
            context,
            node,
            pieces,
            docs,
            kind=DeclarationKind.ENUM_MEMBER,
            name=identifier_text(source, name_node),
            name_offset=name_node.start_byte,
            signature=header_of(context, node, pieces, node.end_byte),
            type_=None,
            modifiers=Modifiers.PUBLIC | Modifiers.STATIC,
            roots=roots,
        )
    ]


_BUILDERS: Final[dict[int, Callable[[MemberContext, Node, Sequence[tuple[int, int]]], list[MemberDeclaration]]]] = {
    grammar.METHOD_DECLARATION: _method,
    grammar.CONSTRUCTOR_DECLARATION: _constructor,
    grammar.DESTRUCTOR_DECLARATION: _constructor,
    grammar.PROPERTY_DECLARATION: _property,
    grammar.INDEXER_DECLARATION: _property,
    grammar.EVENT_DECLARATION: _event,
    grammar.EVENT_FIELD_DECLARATION: _field,
    grammar.FIELD_DECLARATION: _field,
    grammar.ENUM_MEMBER_DECLARATION: _enum_member,
    grammar.OPERATOR_DECLARATION: operator_members,
    grammar.CONVERSION_OPERATOR_DECLARATION: operator_members,
}

MEMBER_KINDS: Final = frozenset(_BUILDERS)
