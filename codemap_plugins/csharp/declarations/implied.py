"""Members and types that no declaration of their own states: primary constructors, the properties of a record's parameters, and the
program of top-level statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.declarations.member_pieces import BodyRoots, declaration_roots
from codemap_plugins.csharp.declarations.parts import content_hash, header_text
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration, Modifiers, RootRole, TypeDeclaration

_RECORDS: Final = frozenset({DeclarationKind.RECORD_CLASS, DeclarationKind.RECORD_STRUCT})


def _parameter_list(node: Node) -> Node | None:
    return next((c for c in node.children if c.kind_id == grammar.PARAMETER_LIST), None)


def primary_constructor_roots(node: Node) -> BodyRoots:
    """The parameters of a type's primary constructor, and the arguments for the base type's."""
    roots = declaration_roots((), _parameter_list(node))
    base_list = next((c for c in node.children if c.kind_id == grammar.BASE_LIST), None)
    if base_list is not None:
        for child in base_list.named_children:
            holder = child if child.kind_id != grammar.PRIMARY_CONSTRUCTOR_BASE_TYPE else child.named_children[-1]
            if holder.kind_id == grammar.ARGUMENT_LIST:
                roots.append((RootRole.BASE_ARGUMENTS, 0, holder))
    return roots


def primary_constructor(
    source: bytes, active: bytes, parent: int, declaration: TypeDeclaration, node: Node, body: int
) -> MemberDeclaration:
    """The constructor that a parameter list after a type's name declares (ECMA-334 §15.2.1); its span is the type's."""
    # An abstract class can only be constructed from its derived classes.
    access = Modifiers.PROTECTED if Modifiers.ABSTRACT in declaration.modifiers else Modifiers.PUBLIC
    parameters = _parameter_list(node)
    text = header_text(active, parameters.start_byte, parameters.end_byte) if parameters is not None else "()"
    start, end = (
        (declaration.parameters[0].span[0], declaration.parameters[-1].span[1]) if declaration.parameters else (0, 0)
    )
    return MemberDeclaration(
        kind=DeclarationKind.PRIMARY_CONSTRUCTOR,
        name=".ctor",
        parent=parent,
        modifiers=access,
        type_parameters=(),
        parameters=declaration.parameters,
        type=None,
        explicit_interface=None,
        accessors=(),
        span=declaration.span,
        line_start=declaration.line_start,
        line_end=declaration.line_end,
        name_offset=declaration.name_offset,
        signature=f"{'protected' if access is Modifiers.PROTECTED else 'public'} {declaration.name}{text}",
        content_hash=content_hash(source, start, end),
        doc=None,
        attributes=(),
        body=body,
        condition=declaration.condition,
        broken=declaration.broken,
    )


def positional_properties(
    source: bytes, lines: LineIndex, parent: int, declaration: TypeDeclaration
) -> Iterator[MemberDeclaration]:
    """The properties of a record's parameters (ECMA-334 §15.16.3). Explicit members replace them later, when all parts are known."""
    if declaration.kind not in _RECORDS:
        return
    settable = declaration.kind is DeclarationKind.RECORD_STRUCT and Modifiers.READONLY not in declaration.modifiers
    for parameter in declaration.parameters:
        if parameter.type is None or not parameter.name:
            continue
        start, end = parameter.span
        yield MemberDeclaration(
            kind=DeclarationKind.POSITIONAL_PROPERTY,
            name=parameter.name,
            parent=parent,
            modifiers=Modifiers.PUBLIC,
            type_parameters=(),
            parameters=(),
            type=parameter.type,
            explicit_interface=None,
            accessors=(),
            span=parameter.span,
            line_start=lines.line(start),
            line_end=lines.last_line(start, end),
            name_offset=parameter.offset,
            signature=f"public {parameter.type.text} {parameter.name} {{ get; {'set' if settable else 'init'}; }}",
            content_hash=content_hash(source, start, end),
            doc=None,
            attributes=tuple(a for a in parameter.attributes if a.target == "property"),
            body=-1,
            condition=declaration.condition,
            broken=declaration.broken,
        )


def top_level_program(
    source: bytes, lines: LineIndex, span: tuple[int, int], index: int, broken: bool, body: int
) -> tuple[TypeDeclaration, MemberDeclaration]:
    """``Program`` and its ``<Main>$`` for the top-level statements at ``span`` (ECMA-334 §7.1.3); the class is entered at ``index``."""
    start, end = span
    first, last = lines.line(start), lines.last_line(start, end)
    digest = content_hash(source, start, end)
    program = TypeDeclaration(
        kind=DeclarationKind.CLASS,
        name="Program",
        parent=-1,
        scope=0,
        modifiers=Modifiers.PARTIAL,
        type_parameters=(),
        bases=(),
        span=span,
        line_start=first,
        line_end=last,
        name_offset=start,
        signature="partial class Program",
        content_hash=digest,
        doc=None,
        attributes=(),
        receiver=None,
        condition="",
        broken=broken,
    )
    main = MemberDeclaration(
        kind=DeclarationKind.TOP_LEVEL_MAIN,
        name="<Main>$",
        parent=index,
        modifiers=Modifiers.PRIVATE | Modifiers.STATIC,
        type_parameters=(),
        parameters=(),
        type=None,
        explicit_interface=None,
        accessors=(),
        span=span,
        line_start=first,
        line_end=last,
        name_offset=start,
        signature="<top-level statements>",
        content_hash=digest,
        doc=None,
        attributes=(),
        body=body,
        condition="",
        broken=broken,
    )
    return program, main
