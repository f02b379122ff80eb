"""User-defined operators and conversions (ECMA-334 §15.10), compound assignment operators of C# 14 among them."""

from __future__ import annotations

from collections.abc import Sequence

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.declarations.member_pieces import (
    MemberContext,
    Pieces,
    declaration_roots,
    header_of,
    lowered_type,
    member_of,
)
from codemap_plugins.csharp.declarations.parts import parameters_of
from codemap_plugins.csharp.operator_names import BINARY_OPERATORS, COMPOUND_OPERATORS, UNARY_OPERATORS
from codemap_plugins.csharp.source_text import cut
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration, Modifiers, RootRole


def operator_name(token: str, parameter_count: int, is_static: bool, is_checked: bool) -> str:
    """Metadata name of a user-defined operator (ECMA-334 §15.10; instance compound assignment of C# 14)."""
    if not is_static and token in COMPOUND_OPERATORS:
        name = COMPOUND_OPERATORS[token]
    elif parameter_count == 1 and token in UNARY_OPERATORS:
        name = UNARY_OPERATORS[token]
    else:
        name = (
            BINARY_OPERATORS.get(token) or UNARY_OPERATORS.get(token) or COMPOUND_OPERATORS.get(token) or "op_Unknown"
        )
    return name.replace("op_", "op_Checked", 1) if is_checked else name


def operator_members(context: MemberContext, node: Node, docs: Sequence[tuple[int, int]]) -> list[MemberDeclaration]:
    source = context.source
    pieces = Pieces(node, source)
    parameters = parameters_of(source, context.lines, pieces.parameters) if pieces.parameters is not None else ()
    type_, is_ref = lowered_type(context, pieces.type)
    roots = declaration_roots(pieces.attributes, pieces.parameters)
    if pieces.body is not None:
        roots.append((RootRole.BODY, 0, pieces.body))
    is_checked = "checked" in pieces.tokens
    if node.kind_id == grammar.CONVERSION_OPERATOR_DECLARATION:
        kind = DeclarationKind.CONVERSION
        implicit = "implicit" in pieces.tokens
        name = "op_Implicit" if implicit else ("op_CheckedExplicit" if is_checked else "op_Explicit")
        offset = pieces.type.start_byte if pieces.type is not None else node.start_byte
    else:
        kind = DeclarationKind.OPERATOR
        token_node = node.child_by_field_id(grammar.FIELD_OPERATOR)
        offset = token_node.start_byte if token_node is not None else node.start_byte
        # A compound operator (`+=`) may have been masked for parsing: the token is read up to the parameter list.
        end = pieces.parameters.start_byte if pieces.parameters is not None else offset
        token = cut(source, offset, end).decode("utf-8", "replace").strip()
        name = operator_name(token, len(parameters), Modifiers.STATIC in pieces.modifiers, is_checked)
    return [
        member_of(
            context,
            node,
            pieces,
            docs,
            kind=kind,
            name=name,
            name_offset=offset,
            signature=header_of(context, node, pieces, pieces.header_end),
            type_=type_,
            modifiers=pieces.modifiers_with(is_ref),
            roots=roots,
            parameters=parameters,
        )
    ]
