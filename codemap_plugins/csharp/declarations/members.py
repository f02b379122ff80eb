"""Members of a type: methods, constructors, properties, fields, events, operators, from the nodes of its body.

Names are metadata names (ECMA-334 annex D.4): ``.ctor``, ``Item``, ``op_Addition``. The span of a field or event is its whole
declaration, that of several declarators in one declaration the same for each.
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
    identifier_text,
    modifier_of,
    parameters_of,
    type_parameters_of,
)
from codemap_plugins.csharp.doc_comments import read_doc_comment
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.type_syntax import TypeSyntax, lower_type
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
"""What of a declaration is lowered: its role, an index within the role, and the node."""

RootSink = Callable[[BodyRoots], int]
"""Takes the roots of one declaration and answers their index in the bodies section, -1 for none."""

_UNARY: Final = {
    "+": "op_UnaryPlus",
    "-": "op_UnaryNegation",
    "!": "op_LogicalNot",
    "~": "op_OnesComplement",
    "++": "op_Increment",
    "--": "op_Decrement",
    "true": "op_True",
    "false": "op_False",
}
_BINARY: Final = {
    "+": "op_Addition",
    "-": "op_Subtraction",
    "*": "op_Multiply",
    "/": "op_Division",
    "%": "op_Modulus",
    "&": "op_BitwiseAnd",
    "|": "op_BitwiseOr",
    "^": "op_ExclusiveOr",
    "<<": "op_LeftShift",
    ">>": "op_RightShift",
    ">>>": "op_UnsignedRightShift",
    "==": "op_Equality",
    "!=": "op_Inequality",
    "<": "op_LessThan",
    "<=": "op_LessThanOrEqual",
    ">": "op_GreaterThan",
    ">=": "op_GreaterThanOrEqual",
}
_COMPOUND: Final = {
    "+=": "op_AdditionAssignment",
    "-=": "op_SubtractionAssignment",
    "*=": "op_MultiplicationAssignment",
    "/=": "op_DivisionAssignment",
    "%=": "op_ModulusAssignment",
    "&=": "op_BitwiseAndAssignment",
    "|=": "op_BitwiseOrAssignment",
    "^=": "op_ExclusiveOrAssignment",
    "<<=": "op_LeftShiftAssignment",
    ">>=": "op_RightShiftAssignment",
    ">>>=": "op_UnsignedRightShiftAssignment",
    "++": "op_IncrementAssignment",
    "--": "op_DecrementAssignment",
}


def operator_name(token: str, parameter_count: int, is_static: bool, is_checked: bool) -> str:
    """Metadata name of a user-defined operator (ECMA-334 §15.10; instance compound assignment of C# 14)."""
    if not is_static and token in _COMPOUND:
        name = _COMPOUND[token]
    elif parameter_count == 1 and token in _UNARY:
        name = _UNARY[token]
    else:
        name = _BINARY.get(token) or _UNARY.get(token) or _COMPOUND.get(token) or "op_Unknown"
    return name.replace("op_", "op_Checked", 1) if is_checked else name


class _Context(NamedTuple):
    """What all members of one type share."""

    source: bytes
    lines: LineIndex
    parent: int
    condition: str
    broken: bool
    roots: RootSink


class _Pieces:
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
        self.modifiers = Modifiers.NONE
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
                self.modifiers |= modifier_of(source, child)
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
        self.type = node.child_by_field_id(grammar.FIELD_TYPE) or node.child_by_field_id(grammar.FIELD_RETURNS)

    def _ends(self, node: Node) -> None:
        self.header_end = min(self.header_end, node.start_byte)


def members_of(
    node: Node,
    docs: Sequence[tuple[int, int]],
    source: bytes,
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
    return build(_Context(source, lines, parent, condition, broken, roots), node, docs)


def _header(context: _Context, node: Node, pieces: _Pieces, end: int) -> str:
    start = pieces.attributes[-1].end_byte if pieces.attributes else node.start_byte
    return header_text(context.source, start, end).rstrip(" ;")


def _lowered_type(context: _Context, node: Node | None) -> tuple[TypeSyntax | None, Modifiers]:
    """The type without its ``ref`` (ECMA-334 §15.6.1: a ref return changes no identity)."""
    flags = Modifiers.NONE
    while node is not None and node.kind_id in (grammar.REF_TYPE, grammar.SCOPED_TYPE):
        flags |= Modifiers.REF
        node = node.child_by_field_id(grammar.FIELD_TYPE)
    return (lower_type(node, context.source) if node is not None else None), flags


def _explicit_interface(context: _Context, node: Node | None) -> TypeSyntax | None:
    if node is None:
        return None
    for child in node.named_children:
        if child.kind_id != grammar.COMMENT:
            return lower_type(child, context.source)
    return None


def _accessors(context: _Context, node: Node | None, roots: list[tuple[RootRole, int, Node]]) -> tuple[Accessor, ...]:
    if node is None:
        return ()
    found: list[Accessor] = []
    for child in node.named_children:
        if child.kind_id != grammar.ACCESSOR_DECLARATION:
            continue
        modifiers = Modifiers.NONE
        name = ""
        body: Node | None = None
        for part in child.children:
            kind = part.kind_id
            if kind == grammar.MODIFIER:
                modifiers |= modifier_of(context.source, part)
            elif kind == grammar.BLOCK or kind == grammar.ARROW_EXPRESSION_CLAUSE:
                body = part
            elif part.type in _ACCESSOR_ROLES:
                name = part.type
            elif kind == grammar.ATTRIBUTE_LIST:
                roots.append((RootRole.ATTRIBUTES, 0, part))
        if name and body is not None:
            roots.append((_ACCESSOR_ROLES[name], 0, body))
        found.append(Accessor(name, modifiers, body is not None))
    return tuple(found)


_ACCESSOR_ROLES: Final = {
    "get": RootRole.GET,
    "set": RootRole.SET,
    "init": RootRole.SET,
    "add": RootRole.ADD,
    "remove": RootRole.REMOVE,
}


def declaration_roots(attributes: Sequence[Node], parameters: Node | None) -> list[tuple[RootRole, int, Node]]:
    """The roots that any declaration may have: attribute lists and the parameters with their defaults and attributes."""
    roots: list[tuple[RootRole, int, Node]] = [(RootRole.ATTRIBUTES, 0, node) for node in attributes]
    if parameters is not None:
        roots.append((RootRole.PARAMETERS, 0, parameters))
    return roots


def _accessor_summary(accessors: Sequence[Accessor], is_expression: bool) -> str:
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


def _member(
    context: _Context,
    node: Node,
    pieces: _Pieces,
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
        line_end=lines.line(max(start, end - 1)),
        name_offset=name_offset,
        signature=signature,
        content_hash=content_hash(source, start, end),
        doc=doc if doc is not None else (read_doc_comment(source, docs) if docs else None),
        attributes=attributes,
        body=context.roots(roots),
        condition=context.condition,
        broken=context.broken,
    )


def _method(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = _Pieces(node, source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    if name_node is None:
        return []
    type_, flags = _lowered_type(context, pieces.type)
    parameters = parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else ()
    roots = declaration_roots(pieces.attributes, pieces.parameters)
    if pieces.body is not None:
        roots.append((RootRole.BODY, 0, pieces.body))
    return [
        _member(
            context,
            node,
            pieces,
            docs,
            kind=DeclarationKind.METHOD,
            name=identifier_text(source, name_node),
            name_offset=name_node.start_byte,
            signature=_header(context, node, pieces, pieces.header_end),
            type_=type_,
            modifiers=pieces.modifiers | flags,
            roots=roots,
            parameters=parameters,
            type_parameters=type_parameters_of(source, pieces.type_parameters, pieces.clauses),
        )
    ]


def _constructor(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = _Pieces(node, source)
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
        _member(
            context,
            node,
            pieces,
            docs,
            kind=kind,
            name=name,
            name_offset=name_node.start_byte if name_node is not None else node.start_byte,
            signature=_header(context, node, pieces, pieces.header_end).rstrip(" :"),
            type_=None,
            modifiers=pieces.modifiers,
            roots=roots,
            parameters=parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else (),
        )
    ]


def _property(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = _Pieces(node, source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    is_indexer = node.kind_id == grammar.INDEXER_DECLARATION
    if name_node is None and not is_indexer:
        return []
    type_, flags = _lowered_type(context, pieces.type)
    roots = declaration_roots(pieces.attributes, pieces.parameters)
    accessors = _accessors(context, pieces.accessors, roots)
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
        _member(
            context,
            node,
            pieces,
            docs,
            kind=kind,
            name=name,
            name_offset=offset,
            signature=_header(context, node, pieces, pieces.header_end)
            + _accessor_summary(accessors, arrow is not None),
            type_=type_,
            modifiers=pieces.modifiers | flags,
            roots=roots,
            accessors=accessors,
            parameters=parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else (),
        )
    ]


def _event(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    pieces = _Pieces(node, context.source)
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    if name_node is None:
        return []
    type_, _ = _lowered_type(context, pieces.type)
    roots = declaration_roots(pieces.attributes, None)
    accessors = _accessors(context, pieces.accessors, roots)
    return [
        _member(
            context,
            node,
            pieces,
            docs,
            kind=DeclarationKind.EVENT,
            name=identifier_text(context.source, name_node),
            name_offset=name_node.start_byte,
            signature=_header(context, node, pieces, pieces.header_end) + _accessor_summary(accessors, False),
            type_=type_,
            modifiers=pieces.modifiers,
            roots=roots,
            accessors=accessors,
        )
    ]


def _field(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    """Fields, constants and field-like events: one declaration, a member for each declarator. The first one carries the roots that all
    share (``from_symbol`` of shared parts is the first field)."""
    source = context.source
    pieces = _Pieces(node, source)
    declaration = next((c for c in node.named_children if c.kind_id == grammar.VARIABLE_DECLARATION), None)
    if declaration is None:
        return []
    type_, flags = _lowered_type(context, declaration.child_by_field_id(grammar.FIELD_TYPE))
    if node.kind_id == grammar.EVENT_FIELD_DECLARATION:
        kind = DeclarationKind.FIELD_LIKE_EVENT
    elif Modifiers.CONST in pieces.modifiers:
        kind = DeclarationKind.CONSTANT
    else:
        kind = DeclarationKind.FIELD
    attributes = attributes_of(source, context.lines, pieces.attributes) if pieces.attributes else ()
    doc = read_doc_comment(source, docs) if docs else None
    declarators = [c for c in declaration.named_children if c.kind_id == grammar.VARIABLE_DECLARATOR]
    prefix = _header(context, node, pieces, declarators[0].start_byte) if declarators else ""
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
            _member(
                context,
                node,
                pieces,
                (),
                kind=kind,
                name=identifier_text(source, name_node),
                name_offset=name_node.start_byte,
                signature=signature,
                type_=type_,
                modifiers=pieces.modifiers | flags,
                roots=roots,
                attributes=attributes,
                doc=doc,
            )
        )
    return members


def _enum_member(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    name_node = node.child_by_field_id(grammar.FIELD_NAME)
    if name_node is None:
        return []
    pieces = _Pieces(node, source)
    roots = declaration_roots(pieces.attributes, None)
    value = node.child_by_field_id(grammar.FIELD_VALUE)
    if value is not None:
        roots.append((RootRole.INITIALIZER, 0, value))
    return [
        _member(
            context,
            node,
            pieces,
            docs,
            kind=DeclarationKind.ENUM_MEMBER,
            name=identifier_text(source, name_node),
            name_offset=name_node.start_byte,
            signature=_header(context, node, pieces, node.end_byte),
            type_=None,
            modifiers=Modifiers.PUBLIC | Modifiers.STATIC,
            roots=roots,
        )
    ]


def _operator(context: _Context, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = _Pieces(node, source)
    parameters = parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else ()
    type_, flags = _lowered_type(context, pieces.type)
    roots = declaration_roots(pieces.attributes, pieces.parameters)
    if pieces.body is not None:
        roots.append((RootRole.BODY, 0, pieces.body))
    is_checked = "checked" in pieces.tokens
    if node.kind_id == grammar.CONVERSION_OPERATOR_DECLARATION:
        kind = DeclarationKind.CONVERSION
        implicit = "implicit" in pieces.tokens
        name = "op_Implicit" if implicit else ("op_CheckedExplicit" if is_checked else "op_Explicit")
        offset = next((c.start_byte for c in node.children if c.kind_id == grammar.TOKEN_OPERATOR), node.start_byte)
    else:
        kind = DeclarationKind.OPERATOR
        token_node = node.child_by_field_id(grammar.FIELD_OPERATOR)
        offset = token_node.start_byte if token_node is not None else node.start_byte
        # A compound operator (`+=`) may have been masked for parsing: the token is read up to the parameter list.
        end = pieces.parameters.start_byte if pieces.parameters is not None else offset
        token = source[offset:end].decode("utf-8", "replace").strip()
        name = operator_name(token, len(parameters), Modifiers.STATIC in pieces.modifiers, is_checked)
    return [
        _member(
            context,
            node,
            pieces,
            docs,
            kind=kind,
            name=name,
            name_offset=offset,
            signature=_header(context, node, pieces, pieces.header_end),
            type_=type_,
            modifiers=pieces.modifiers | flags,
            roots=roots,
            parameters=parameters,
        )
    ]


_BUILDERS: Final[dict[int, Callable[[_Context, Node, Sequence[tuple[int, int]]], list[MemberDeclaration]]]] = {
    grammar.METHOD_DECLARATION: _method,
    grammar.CONSTRUCTOR_DECLARATION: _constructor,
    grammar.DESTRUCTOR_DECLARATION: _constructor,
    grammar.PROPERTY_DECLARATION: _property,
    grammar.INDEXER_DECLARATION: _property,
    grammar.EVENT_DECLARATION: _event,
    grammar.EVENT_FIELD_DECLARATION: _field,
    grammar.FIELD_DECLARATION: _field,
    grammar.ENUM_MEMBER_DECLARATION: _enum_member,
    grammar.OPERATOR_DECLARATION: _operator,
    grammar.CONVERSION_OPERATOR_DECLARATION: _operator,
}

MEMBER_KINDS: Final = frozenset(_BUILDERS)
