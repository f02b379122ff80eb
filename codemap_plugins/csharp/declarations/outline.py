"""One walk over the declaration level of a tree: namespaces, usings, types, and through ``members`` their members.

Syntax errors do not stop it: an ERROR node is looked through, and what stands below one is marked ``broken``. Inactive regions are walked
in alternative parses (``extend_with_inactive``), which add only what lies inside them, with its condition.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.declarations.implied import (
    positional_properties,
    primary_constructor,
    primary_constructor_roots,
    top_level_program,
)
from codemap_plugins.csharp.declarations.member_pieces import declaration_roots
from codemap_plugins.csharp.declarations.members import MEMBER_KINDS, members_of
from codemap_plugins.csharp.declarations.parts import (
    attributes_of,
    content_hash,
    header_text,
    identifier_text,
    modifier_bits,
    modifiers_of,
    parameters_of,
    type_parameters_of,
)
from codemap_plugins.csharp.declarations.recovery import Head, head_at, indentation, type_of_head
from codemap_plugins.csharp.doc_comments import read_doc_comment
from codemap_plugins.csharp.lowering.types import lower_type
from codemap_plugins.csharp.preprocessor import InactiveRegion
from codemap_plugins.csharp.source_text import GeneratedLines, LineIndex, cut
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import (
    AttributeSyntax,
    DeclarationKind,
    MemberDeclaration,
    Modifiers,
    Outline,
    Parameter,
    RootRole,
    Scope,
    TypeDeclaration,
    UsingDirective,
)

MAX_NESTING: Final = 200
"""Types and namespaces nested deeper than this are left out; real code stays below 10."""
_REF: Final = Modifiers.REF.value
_REF_PARTIAL: Final = re.compile(rb"(?<!\w)ref\s+partial\s+\Z")
"""Before ``struct``. The repair masks blank this ``ref``, which the grammar does not know there."""

_TYPE_KINDS: Final = {
    grammar.CLASS_DECLARATION: DeclarationKind.CLASS,
    grammar.STRUCT_DECLARATION: DeclarationKind.STRUCT,
    grammar.INTERFACE_DECLARATION: DeclarationKind.INTERFACE,
    grammar.ENUM_DECLARATION: DeclarationKind.ENUM,
    grammar.DELEGATE_DECLARATION: DeclarationKind.DELEGATE,
    grammar.RECORD_DECLARATION: DeclarationKind.RECORD_CLASS,
}


def _is_doc(source: bytes, node: Node) -> bool:
    head = source[node.start_byte : node.start_byte + 4]
    return (head.startswith(b"///") and head != b"////") or (head.startswith(b"/**") and head not in (b"/***", b"/**/"))


def _start(region: InactiveRegion) -> int:
    return region.start


class DeclarationWalker:
    """Collects the declarations of one file. Mutable while it walks one or more parses of the same bytes; ``outline`` and ``members``
    are read once at the end. ``roots`` collects what is to be lowered, one list for each declaration that has any."""

    def __init__(self, source: bytes, lines: LineIndex) -> None:
        self._source: Final = source
        self._active = source
        """The same without directives and what they leave out: what a signature is read from."""
        self._lines: Final = lines
        self._scopes: list[Scope] = []
        self._types: list[TypeDeclaration] = []
        self._members: list[MemberDeclaration] = []
        self._attributes: list[AttributeSyntax] = []
        self._global_attributes: list[Node] = []
        self._global_statements: list[Node] = []
        self._type_at: dict[int, int] = {}
        self._scope_at: dict[int, int] = {}
        self._inactive: Sequence[InactiveRegion] = ()
        self.roots: list[Sequence[tuple[RootRole, int, Node]]] = []

    def walk(self, root: Node, active: bytes) -> None:
        """The parse of the active text."""
        self._active = active
        self._compilation_unit(root, 0)

    def walk_alternative(self, root: Node, active: bytes, regions: Sequence[InactiveRegion]) -> None:
        """A parse of the same file in which ``regions``, else inactive, are compiled: adds the declarations that begin inside them.
        Namespaces and types around them are recognised by their place; a namespace that only the alternative opens is a new scope."""
        self._inactive, self._active = regions, active
        self._body(root, scope=0, parent=-1, broken=root.kind_id == grammar.ERROR, depth=0)
        self._inactive = ()

    def outline(self, has_errors: bool) -> Outline:
        self._top_level_main(has_errors)
        return Outline(
            scopes=tuple(self._scopes),
            types=tuple(self._types),
            attributes=tuple(self._attributes),
            lines=self._lines.packed(),
            has_extension_methods=any(
                m.parameters and "this" in m.parameters[0].modifiers
                for m in self._members
                if m.kind is DeclarationKind.METHOD
            )
            or any(t.kind is DeclarationKind.EXTENSION_BLOCK for t in self._types),
            body=self._add_roots(declaration_roots(self._global_attributes, None)),
        )

    def members(self) -> tuple[MemberDeclaration, ...]:
        return tuple(self._members)

    def _add_roots(self, roots: Sequence[tuple[RootRole, int, Node]]) -> int:
        if not roots:
            return -1
        self.roots.append(roots)
        return len(self.roots) - 1

    def _compilation_unit(self, root: Node, depth: int) -> None:
        usings, externs = self._imports(root)
        self._scopes.append(Scope(-1, "", usings, externs))
        self._body(root, scope=0, parent=-1, broken=root.kind_id == grammar.ERROR, depth=depth)

    def _imports(self, node: Node) -> tuple[tuple[UsingDirective, ...], tuple[str, ...]]:
        usings: list[UsingDirective] = []
        externs: list[str] = []
        children: list[Node] = []
        for child in node.children:
            children.extend(child.children if child.kind_id == grammar.ERROR else (child,))
        for child in children:
            kind = child.kind_id
            if kind == grammar.USING_DIRECTIVE:
                using = self._using(child)
                if using is not None:
                    usings.append(using)
            elif kind == grammar.EXTERN_ALIAS_DIRECTIVE:
                name = child.child_by_field_id(grammar.FIELD_NAME)
                if name is not None:
                    externs.append(identifier_text(self._source, name))
        return tuple(usings), tuple(externs)

    def _using(self, node: Node) -> UsingDirective | None:
        alias = node.child_by_field_id(grammar.FIELD_NAME)
        is_global = is_static = False
        target: Node | None = None
        for child in node.children:
            kind = child.kind_id
            if kind == grammar.TOKEN_GLOBAL:
                is_global = True
            elif kind == grammar.TOKEN_STATIC:
                is_static = True
            elif child.is_named and kind != grammar.COMMENT and (alias is None or child.start_byte != alias.start_byte):
                target = child
        if target is None:
            return None
        return UsingDirective(
            target=lower_type(target, self._source),
            alias=identifier_text(self._source, alias) if alias is not None else "",
            is_global=is_global,
            is_static=is_static,
            alias_offset=alias.start_byte if alias is not None else 0,
        )

    def _namespace(self, node: Node, scope: int, broken: bool, depth: int) -> int:
        """Opens the scope of a namespace declaration and walks its body, if it has one of its own. Returns the scope."""
        name_node = node.child_by_field_id(grammar.FIELD_NAME)
        syntax = lower_type(name_node, self._source) if name_node is not None else TypeSyntax("", ())
        body = node.child_by_field_id(grammar.FIELD_BODY)
        place = name_node.start_byte if name_node is not None else node.start_byte
        known = self._scope_at.get(place)
        if known is not None:
            index = known
        else:
            usings, externs = self._imports(body if body is not None else node)
            self._scopes.append(Scope(scope, syntax.text.replace("@", ""), usings, externs, syntax.offsets))
            index = self._scope_at[place] = len(self._scopes) - 1
        if body is not None and depth < MAX_NESTING:
            self._body(body, scope=index, parent=-1, broken=broken, depth=depth + 1)
        return index

    def _file_scoped(self, node: Node, children: Sequence[Node], position: int, scope: int) -> int:
        """``namespace A;``: what follows it in the compilation unit belongs to it, usings included."""
        index = self._namespace(node, scope, False, MAX_NESTING)
        if self._inactive:
            return index
        usings: list[UsingDirective] = list(self._scopes[index].usings)
        for child in children[position + 1 :]:
            if child.kind_id == grammar.USING_DIRECTIVE:
                using = self._using(child)
                if using is not None:
                    usings.append(using)
        unit = self._scopes[scope]
        opened = self._scopes[index]
        moved = {(u.target.offsets, u.alias_offset) for u in usings}
        self._scopes[scope] = Scope(
            unit.parent,
            unit.name,
            tuple(u for u in unit.usings if (u.target.offsets, u.alias_offset) not in moved),
            unit.extern_aliases,
            unit.name_offsets,
        )
        self._scopes[index] = Scope(
            opened.parent, opened.name, tuple(usings), opened.extern_aliases, opened.name_offsets
        )
        return index

    def _body(self, node: Node, *, scope: int, parent: int, broken: bool, depth: int) -> None:
        """The declarations among the children of a compilation unit, namespace body, type body or ERROR node."""
        self._declarations(node.children, scope, parent, broken, depth)

    def _declarations(self, children: Sequence[Node], scope: int, parent: int, broken: bool, depth: int) -> None:
        source = self._source
        docs: list[tuple[int, int]] = []
        for position, child in enumerate(children):
            kind = child.kind_id
            if kind == grammar.COMMENT:
                if _is_doc(source, child):
                    docs.append((child.start_byte, child.end_byte))
                continue
            if kind in _TYPE_KINDS:
                if depth < MAX_NESTING:
                    self._type(child, docs, scope, parent, broken, depth)
            elif kind in MEMBER_KINDS:
                if parent >= 0:
                    self._add_members(child, docs, parent, broken)
            elif kind == grammar.NAMESPACE_DECLARATION:
                self._namespace(child, scope, broken, depth)
            elif kind == grammar.FILE_SCOPED_NAMESPACE_DECLARATION:
                scope = self._file_scoped(child, children, position, scope)
            elif kind == grammar.GLOBAL_STATEMENT:
                if not self._inactive:
                    self._global_statements.append(child)
            elif kind == grammar.GLOBAL_ATTRIBUTE:
                if self._inactive:
                    continue
                self._attributes.extend(attributes_of(source, self._lines, (child,)))
                self._global_attributes.append(child)
            elif kind == grammar.ERROR and depth < MAX_NESTING:
                self._error(child, scope, parent, depth + 1)
            elif kind == grammar.DECLARATION_LIST and broken and depth < MAX_NESTING:
                self._body(child, scope=scope, parent=parent, broken=True, depth=depth + 1)
            if docs:
                docs = []

    def _error(self, node: Node, scope: int, parent: int, depth: int) -> None:
        """The declarations among the pieces of a syntax error, below the heads that stand among them. What a head opened ends at a closing
        brace, or where something begins a line no further right than the head does."""
        pieces = node.children
        if self._inactive:
            self._declarations(pieces, scope, parent, True, depth)
            return
        opened: list[tuple[int, int, int]] = [(scope, parent, -1)]
        pending: list[Node] = []

        def declare() -> None:
            scope, parent, _ = opened[-1]
            self._declarations(pending, scope, parent, True, depth)
            pending.clear()

        position = 0
        while position < len(pieces):
            piece = pieces[position]
            head = head_at(self._source, pieces, position)
            column = indentation(self._source, head.start if head is not None else piece.start_byte)
            if column is not None and len(opened) > 1 and (piece.is_named or head is not None):
                if column <= opened[-1][2]:
                    declare()
                while len(opened) > 1 and column <= opened[-1][2]:
                    opened.pop()
            position += 1
            if head is not None:
                declare()
                scope, parent, _ = opened[-1]
                opened.append((*self._open(head, node, scope, parent), column if column is not None else -1))
                position = head.after
            elif piece.kind_id == grammar.TOKEN_CLOSE_BRACE and len(opened) > 1:
                declare()
                opened.pop()
            else:
                pending.append(piece)
        declare()

    def _open(self, head: Head, node: Node, scope: int, parent: int) -> tuple[int, int]:
        """Scope and parent of what follows a head found in a syntax error. A type's span is taken to reach the end of the error."""
        if head.kind is None:
            syntax = lower_type(head.name, self._source)
            self._scopes.append(Scope(scope, syntax.text.replace("@", ""), (), (), syntax.offsets))
            return len(self._scopes) - 1, parent
        declaration = type_of_head(
            self._source, self._lines, head, node.end_byte, scope, parent, self._bases(head.bases)
        )
        self._types.append(declaration)
        self._type_at[declaration.name_offset] = len(self._types) - 1
        return scope, len(self._types) - 1

    def _condition(self, start: int) -> str | None:
        """Empty in the parse of the active text. In an alternative: the condition of the inactive region that a declaration begins in,
        null when it begins outside, where the first parse has read it already."""
        if not self._inactive:
            return ""
        at = bisect_right(self._inactive, start, key=_start) - 1
        return self._inactive[at].condition if at >= 0 and start < self._inactive[at].end else None

    def _add_members(self, node: Node, docs: Sequence[tuple[int, int]], parent: int, broken: bool) -> None:
        condition = self._condition(node.start_byte)
        if condition is None:
            return
        self._members.extend(
            members_of(node, docs, self._source, self._active, self._lines, parent, condition, broken, self._add_roots)
        )

    def _type(
        self, node: Node, docs: Sequence[tuple[int, int]], scope: int, parent: int, broken: bool, depth: int
    ) -> None:
        condition = self._condition(node.start_byte)
        name_node = node.child_by_field_id(grammar.FIELD_NAME)
        if name_node is None or name_node.end_byte == name_node.start_byte:
            return
        known = self._type_at.get(name_node.start_byte) if self._inactive else None
        if known is not None:
            index = known
        elif condition is None:
            # A header that only the alternative has, around text that is active: nothing of it is certain.
            return
        else:
            if broken:
                parent = self._outdented(node, parent)
            self._types.append(self._type_declaration(node, name_node, docs, scope, parent, broken, condition))
            index = len(self._types) - 1
            self._type_at[name_node.start_byte] = index
            self._implied_members(index, node)
        body = node.child_by_field_id(grammar.FIELD_BODY)
        if body is not None:
            self._body(body, scope=scope, parent=index, broken=broken, depth=depth + 1)

    def _outdented(self, node: Node, parent: int) -> int:
        """The container of a type near a syntax error: where a closing brace is missing, a type that begins no further right than the one
        around it stands beside that."""
        column = indentation(self._source, node.start_byte)
        while column is not None and parent >= 0:
            around = indentation(self._source, self._types[parent].span[0])
            if around is None or around < column:
                break
            parent = self._types[parent].parent
        return parent

    def _type_declaration(
        self,
        node: Node,
        name_node: Node,
        docs: Sequence[tuple[int, int]],
        scope: int,
        parent: int,
        broken: bool,
        condition: str,
    ) -> TypeDeclaration:
        source = self._source
        bits = 0
        attribute_lists: list[Node] = []
        clauses: list[Node] = []
        parameters: Node | None = None
        type_parameters: Node | None = None
        base_list: Node | None = None
        is_struct = False
        header_end = node.end_byte
        for child in node.children:
            kind = child.kind_id
            if kind == grammar.MODIFIER:
                bits |= modifier_bits(source, child)
            elif kind == grammar.ATTRIBUTE_LIST:
                attribute_lists.append(child)
            elif kind == grammar.TYPE_PARAMETER_LIST:
                type_parameters = child
            elif kind == grammar.TYPE_PARAMETER_CONSTRAINTS_CLAUSE:
                clauses.append(child)
            elif kind == grammar.PARAMETER_LIST:
                parameters = child
            elif kind == grammar.BASE_LIST:
                base_list = child
            elif kind in (grammar.DECLARATION_LIST, grammar.ENUM_MEMBER_DECLARATION_LIST, grammar.TOKEN_SEMICOLON):
                header_end = min(header_end, child.start_byte)
            elif kind == grammar.TOKEN_STRUCT:
                is_struct = True
                if _REF_PARTIAL.search(source, max(0, child.start_byte - 80), child.start_byte) is not None:
                    bits |= _REF
            elif child.type == "ref":
                bits |= _REF
        declaration = _TYPE_KINDS[node.kind_id]
        name = identifier_text(source, name_node)
        receiver: Parameter | None = None
        bases = self._bases(base_list)
        parsed_parameters = parameters_of(source, self._lines, parameters) if parameters is not None else ()
        if declaration is DeclarationKind.RECORD_CLASS and is_struct:
            declaration = DeclarationKind.RECORD_STRUCT
        elif declaration is DeclarationKind.CLASS and _is_extension_block(source, node, name_node):
            # The repair masks wrote `class` and a name over the contextual keyword `extension`.
            declaration, name = DeclarationKind.EXTENSION_BLOCK, ""
            receiver = parsed_parameters[0] if parsed_parameters else None
            if receiver is None and bases:
                # A receiver without a name, which the mask wrote as a base.
                start = name_node.end_byte
                receiver, bases = Parameter("", bases[0], (), start, None, (start, start)), ()
        header_start = attribute_lists[-1].end_byte if attribute_lists else node.start_byte
        returns = node.child_by_field_id(grammar.FIELD_TYPE) if declaration is DeclarationKind.DELEGATE else None
        while returns is not None and returns.kind_id == grammar.REF_TYPE:
            returns = returns.child_by_field_id(grammar.FIELD_TYPE)
        start, end = node.start_byte, node.end_byte
        return TypeDeclaration(
            kind=declaration,
            name=name,
            parent=parent,
            scope=scope,
            modifiers=modifiers_of(bits),
            type_parameters=type_parameters_of(source, type_parameters, clauses),
            bases=bases,
            span=(start, end),
            line_start=self._lines.line(start),
            line_end=self._lines.last_line(start, end),
            name_offset=name_node.start_byte,
            signature=header_text(self._active, header_start, header_end).rstrip(" ;"),
            content_hash=content_hash(source, start, end),
            doc=read_doc_comment(source, docs) if docs else None,
            attributes=attributes_of(source, self._lines, attribute_lists) if attribute_lists else (),
            receiver=receiver,
            condition=condition,
            broken=broken,
            parameters=parsed_parameters,
            return_type=lower_type(returns, source) if returns is not None else None,
            has_primary_constructor=parameters is not None
            and declaration not in (DeclarationKind.DELEGATE, DeclarationKind.EXTENSION_BLOCK),
            body=self._add_roots(
                declaration_roots(
                    attribute_lists,
                    parameters if declaration is DeclarationKind.DELEGATE else None,
                    type_parameters,
                )
            ),
        )

    def _bases(self, node: Node | None) -> tuple[TypeSyntax, ...]:
        if node is None:
            return ()
        found: list[TypeSyntax] = []
        for child in node.named_children:
            kind = child.kind_id
            if kind in (grammar.ARGUMENT_LIST, grammar.COMMENT, grammar.ERROR):
                continue
            if kind == grammar.PRIMARY_CONSTRUCTOR_BASE_TYPE:
                inner = child.child_by_field_id(grammar.FIELD_TYPE)
                if inner is None:
                    continue
                child = inner
            found.append(lower_type(child, self._source))
        return tuple(found)

    def _implied_members(self, index: int, node: Node) -> None:
        """The members that a parameter list after a type's name declares."""
        declaration = self._types[index]
        if not declaration.has_primary_constructor:
            return
        roots = self._add_roots(primary_constructor_roots(node))
        self._members.append(primary_constructor(self._source, self._active, index, declaration, node, roots))
        self._members.extend(positional_properties(self._source, self._lines, index, declaration))

    def _top_level_main(self, has_errors: bool) -> None:
        """Statements after a type in a file with syntax errors are lost members, as are any in a broken page: it declares no program."""
        statements = self._global_statements
        if not statements or isinstance(self._lines, GeneratedLines):
            return
        if has_errors and any(t.span[0] < statements[0].start_byte for t in self._types if t.parent < 0):
            return
        roots = self._add_roots([(RootRole.STATEMENT, i, node) for i, node in enumerate(statements)])
        span = (statements[0].start_byte, statements[-1].end_byte)
        program, main = top_level_program(self._source, self._lines, span, len(self._types), has_errors, roots)
        self._types.append(program)
        self._members.append(main)


def _is_extension_block(source: bytes, node: Node, name_node: Node) -> bool:
    for child in node.children:
        if child.kind_id == grammar.TOKEN_CLASS:
            is_class = source[child.start_byte : child.end_byte] == b"class"
            return not is_class and cut(source, child.start_byte, name_node.end_byte).startswith(b"extension")
    return False
