"""All references of one file in one project: declarations walked in order, each with its owner, scope and body.

``from_symbol`` is the declaration's own id: a member for its signature, attributes, parameters and body; the type for its base list,
attributes and primary constructor; null for usings, assembly attributes and documentation comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding import (
    chains,
    components,
    keyword_expressions,
    names,
    operators,
    queries,
    statements,
    xaml_elements,
)
from codemap_plugins.csharp.binding.attributes import bind_attribute
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_document import Kept
from codemap_plugins.csharp.binding.context import BindContext, FileContext
from codemap_plugins.csharp.binding.creation import choose_constructor
from codemap_plugins.csharp.binding.crefs import bind_cref
from codemap_plugins.csharp.binding.functions import bind_function_body
from codemap_plugins.csharp.binding.hierarchy import Bounds
from codemap_plugins.csharp.binding.lambdas import Lambdas
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.locals import Surroundings as BodySurroundings
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.members import UNKNOWN, TypeParameterSymbol
from codemap_plugins.csharp.binding.recording import Recording
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.binding.reference_rows import ReferenceRows
from codemap_plugins.csharp.binding.slots import inherited_constraints, member_slots
from codemap_plugins.csharp.bodies import Op
from codemap_plugins.csharp.page_names import UNLISTED
from codemap_plugins.csharp.source_text import NOWHERE, GeneratedLines
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart, method_type_parameters
from codemap_plugins.csharp.symbols.pages import unlisted
from codemap_plugins.csharp.symbols.project_scope import Namespace, ProjectScope
from codemap_plugins.csharp.symbols.rows import SymbolRows, owner_of_members
from codemap_plugins.csharp.symbols.scopes import (
    Document,
    TypeResolver,
)
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.text_order import declarations_in_order
from codemap_plugins.csharp.symbols.types import ArrayType, NamedType, Type, TypeParameterType
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import (
    DeclarationKind,
    DocComment,
    MemberDeclaration,
    RootRole,
    TypeDeclaration,
    TypeParameter,
)

RULE_MODULES: Final = (chains, components, keyword_expressions, names, operators, queries, statements, xaml_elements)
"""The modules whose import registers the rules of expressions and statements."""

_STATIC_CONTEXT: Final = frozenset(
    {DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER, DeclarationKind.STATIC_CONSTRUCTOR}
)
_FIELD_KEYWORD: Final = "field"
Entry = list[Any]


class Bound(Protocol):
    """What files are bound with: the symbol table, the rules of each project, and what all of them have found."""

    @property
    def table(self) -> SymbolTable: ...

    @property
    def rows(self) -> SymbolRows: ...

    @property
    def members(self) -> MemberTable: ...

    def project(self, scope: ProjectScope) -> BindContext: ...

    def roots_of(self, document: Document) -> list[list[list[Any]]]: ...


class DocumentBinding:
    """Binds one file. What a caller wants beyond the rows is given to it, declaration by declaration."""

    def __init__(
        self,
        binding: Bound,
        document: Document,
        keep: Callable[[Kept], None] | None = None,
        file: FileContext | None = None,
        shared: BindContext | None = None,
        rows: ReferenceRows | None = None,
    ) -> None:
        """``keep``: is given what was known of each declaration once that is bound; it may bind others meanwhile. ``file`` and ``shared``:
        where the caller wants more of the file than that, or other rules than the project's. ``rows``: of an alternative, the file's."""
        self._keep: Final = keep
        self._binding: Final[Bound] = binding
        self._document: Final = document
        self._table: Final = binding.table
        self._shared: Final[BindContext] = shared if shared is not None else binding.project(document.project)
        self._file: Final[FileContext] = file if file is not None else FileContext(document, keep is not None)
        self._within: Final[dict[SourceTypeDefinition, BindContext]] = {}
        self._lines: Final = self._table.lines_of(document)
        self._is_view: Final = document.outline.page in UNLISTED
        """Nothing that it declares is listed."""
        self._regions: Final = document.outline.regions
        self._found: Final = rows or ReferenceRows(
            self._lines, document.key, unlisted(document, self._table.members_of)
        )

    def rows(self) -> ReferenceRows:
        document = self._document
        roots = self._decoded()
        self._imports()
        self._assembly_attributes(roots)
        for declaration, index in declarations_in_order(document.outline, self._table.members_of(document.key)):
            if isinstance(declaration, TypeDeclaration):
                definition = document.definitions[index]
                self._type(definition, definition.part_at(document, index), declaration, roots)
            else:
                definition = document.definitions[declaration.parent]
                self._member(definition, definition.part_at(document, declaration.parent), index, declaration, roots)
        return self._found

    def _add(self, owner: str | None, references: Iterable[Reference]) -> None:
        if self._regions:
            self._found.add_conditional(owner, references, self._regions)
        else:
            self._found.add(owner, references)

    # Outside of types

    def _imports(self) -> None:
        for scope_index, scope in enumerate(self._document.outline.scopes):
            resolver = TypeResolver(self._document, scope_index, None, (), usings=False)
            for index, using in enumerate(scope.usings):
                names_namespace = isinstance(self._document.using_target(scope_index, index, using), Namespace)
                if (using.alias or using.is_static) and not names_namespace:
                    binder = self._binder(self._shared)
                    binder.type([using.target.text, *using.target.offsets], resolver, RefKind.IMPORT)
                    self._add(None, binder.references)

    def _assembly_attributes(self, roots: Sequence[Sequence[Entry]]) -> None:
        binder = self._binder(self._shared)
        scope = LocalScope(self._surroundings(None, TypeResolver(self._document, 0, None, ()), True, None))
        body = self._document.outline.body
        self._roots(binder, roots, body, scope, UNKNOWN, None)
        self._add(None, binder.references)
        self._give(scope, self._kept(None, None, None, -1, None, roots, body, scope.resolver, binder.recording))

    # What is kept

    def keep_type(self, definition: SourceTypeDefinition, part: TypePart) -> None:
        """Binds the header of a type alone."""
        self._type(definition, part, part.declaration, self._decoded())

    def keep_member(self, definition: SourceTypeDefinition, part: TypePart, index: int) -> None:
        """Binds one member alone; nothing is kept of one without a body of its own."""
        self._member(
            definition, part, index, self._table.members_of(self._document.key).declarations[index], self._decoded()
        )

    def _decoded(self) -> Sequence[Sequence[Entry]]:
        return self._binding.roots_of(self._document)

    def _kept(
        self,
        owner: str | None,
        definition: SourceTypeDefinition | None,
        part: TypePart | None,
        index: int,
        declaration: MemberDeclaration | TypeDeclaration | None,
        roots: Sequence[Sequence[Entry]],
        body: int,
        resolver: TypeResolver,
        recording: Recording,
        parameters: Sequence[tuple[str, Type]] = (),
        documented: Sequence[Reference] = (),
    ) -> Kept | None:
        if self._keep is None:
            return None
        entries = roots[body] if 0 <= body < len(roots) else ()
        return Kept(owner, definition, part, index, declaration, entries, recording, resolver, parameters, documented)

    def _give(self, scope: LocalScope, kept: Kept | None) -> None:
        """When its rows are made, as who takes it may bind other declarations. ``scope``: of the declaration, which is done with."""
        scope.surroundings.lambdas.forget()
        if kept is not None and self._keep is not None:
            self._keep(kept)

    # Types

    def _type(
        self,
        definition: SourceTypeDefinition,
        part: TypePart,
        declaration: TypeDeclaration,
        roots: Sequence[Sequence[Entry]],
    ) -> None:
        owner = None if self._is_view else owner_of_members(definition).documentation_id
        binder = self._binder(self._context(definition))
        header = self._table.resolver_for(part, definition, own_only=True)
        for base in declaration.bases:
            _written_type(binder, base, header)
        _constraints(binder, declaration.type_parameters, header)
        if declaration.return_type is not None:
            _written_type(binder, declaration.return_type, header)
        if declaration.receiver is not None and declaration.receiver.type is not None:
            _written_type(binder, declaration.receiver.type, self._table.resolver_for(part, definition))
        # Attributes and the arguments of a primary constructor's base see the type's members.
        inside = self._table.resolver_for(part, definition)
        scope = LocalScope(self._surroundings(definition, inside, True, None))
        self._roots(binder, roots, declaration.body, scope, UNKNOWN, None)
        self._add(owner, binder.references)
        self._doc(binder.shared, declaration.doc, inside, definition)
        kept = self._kept(
            *(owner, definition, part, -1, declaration, roots, declaration.body, inside, binder.recording)
        )
        self._give(scope, kept)

    def _binder(self, context: BindContext) -> Binder:
        return Binder(self._file, context, Recording())

    def _context(self, definition: SourceTypeDefinition) -> BindContext:
        """The rules among the type parameters of a type and of the types around it."""
        known = self._within.get(definition)
        if known is None:
            known = self._within[definition] = self._shared.within(self._class_bounds(definition))
        return known

    def _class_bounds(self, definition: SourceTypeDefinition) -> Bounds:
        levels = [
            d for d in reversed(definition.enclosing) if d.declaration_kind is not DeclarationKind.EXTENSION_BLOCK
        ]
        parameters = [p for level in levels for p in level.own_parameters]
        return dict(zip(parameters, self._binding.members.type_parameters(definition), strict=False))

    def _doc(
        self, context: BindContext, doc: DocComment | None, resolver: TypeResolver, definition: SourceTypeDefinition
    ) -> Sequence[Reference]:
        """References of a documentation comment. Answers with those to the exceptions that it says are thrown."""
        if doc is None or not doc.crefs:
            return ()
        binder = self._binder(context)
        references = binder.references
        documented: list[Reference] = []
        for index, (text, offset) in enumerate(doc.crefs):
            before = len(references)
            bind_cref(binder, text, offset, resolver, definition)
            if index in doc.exceptions and len(references) > before:
                documented.append(references[-1])
        self._add(None, references)
        return documented

    # Members

    def _member(
        self,
        definition: SourceTypeDefinition,
        part: TypePart,
        index: int,
        declaration: MemberDeclaration,
        roots: Sequence[Sequence[Entry]],
    ) -> None:
        if declaration.kind is DeclarationKind.POSITIONAL_PROPERTY:
            self._slots(part, index)
            return
        identity = self._binding.rows.identity_of(definition, part)
        resolver = identity.resolver_for(declaration)
        member = self._binding.members.declared(part, index)
        owner_id: str | None
        if self._is_view:
            owner_id = None
        elif declaration.kind is DeclarationKind.PRIMARY_CONSTRUCTOR or self._is_added(declaration):
            owner_id = definition.documentation_id
        elif member is not None:
            owner_id = member.symbol_id
        else:
            owner_id = self._binding.rows.member_id(identity, declaration)
        context = self._context(definition)
        bounds: dict[TypeParameterType, TypeParameterSymbol] = {}
        if member is not None and declaration.type_parameters:
            start = len(member.signature.type_parameters) - len(declaration.type_parameters)
            own = method_type_parameters(self._table.factory, declaration.type_parameters, start)
            inherited = inherited_constraints(context.hierarchy, member, own)
            bounds.update(zip(own, inherited or member.signature.type_parameters[start:], strict=False))
        if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK and member is not None:
            bounds.update(zip(definition.own_parameters, member.signature.type_parameters, strict=False))
        binder = self._binder(context.within(bounds))
        result: Type = UNKNOWN
        if declaration.type is not None:
            result = resolver.resolve(declaration.type.text)
            if not self._is_later_declarator(declaration, index):
                _written_type(binder, declaration.type, resolver)
        if declaration.explicit_interface is not None:
            _written_type(binder, declaration.explicit_interface, resolver)
        _constraints(binder, declaration.type_parameters, resolver)
        flags: int = declaration.modifiers
        is_static = bool(flags & bits.STATIC) or declaration.kind in _STATIC_CONTEXT
        scope = LocalScope(self._surroundings(definition, resolver, is_static, result))
        if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
            receiver = part.declaration.receiver
            if receiver is not None and receiver.type is not None:
                scope.declare(receiver.name, resolver.resolve(receiver.type.text))
        parameters = [
            (each.name, resolver.resolve(each.type.text) if each.type is not None else UNKNOWN)
            for each in declaration.parameters
        ]
        for name, type_ in parameters:
            scope.declare(name, type_)
        if declaration.kind is DeclarationKind.TOP_LEVEL_MAIN:
            scope.declare("args", ArrayType(binder.system("String")))
        if declaration.kind is DeclarationKind.ENUM_MEMBER:
            result = NamedType(definition)
        self._roots(binder, roots, declaration.body, scope, result, declaration)
        self._add(owner_id, binder.references)
        self._slots(part, index)
        documented: Sequence[Reference] = ()
        if not self._is_later_declarator(declaration, index):
            documented = self._doc(binder.shared, declaration.doc, resolver, definition)
        kept = self._kept(
            *(owner_id, definition, part, index, declaration, roots, declaration.body, resolver, binder.recording),
            parameters,
            documented,
        )
        self._give(scope, kept)

    def _is_added(self, declaration: MemberDeclaration) -> bool:
        """A page's compiler adds it: the method that renders a component."""
        return isinstance(self._lines, GeneratedLines) and self._lines.position(declaration.name_offset) == NOWHERE

    def _is_later_declarator(self, declaration: MemberDeclaration, index: int) -> bool:
        """``int a, b;``: what both share belongs to the first."""
        if index == 0 or declaration.kind not in (
            DeclarationKind.FIELD,
            DeclarationKind.CONSTANT,
            DeclarationKind.FIELD_LIKE_EVENT,
        ):
            return False
        before = self._table.members_of(self._document.key).declarations[index - 1]
        return before.span == declaration.span and before.parent == declaration.parent

    def _slots(self, part: TypePart, index: int) -> None:
        member = self._binding.members.declared(part, index)
        if member is None:
            return
        for kind, slot, _ in member_slots(self._shared.hierarchy, member):
            declaration = member.declaration
            assert declaration is not None
            sure = Confidence.HIGH if not self._shared.project.has_as_package(slot.definition) else Confidence.MEDIUM
            reference = Reference(
                kind, declaration.name_offset, member.name, slot.symbol_id, slot.is_external, confidence=sure
            )
            self._add(member.symbol_id, (reference,))

    def _surroundings(
        self,
        within: SourceTypeDefinition | None,
        resolver: TypeResolver,
        is_static: bool,
        returns: Type | None,
    ) -> BodySurroundings:
        return BodySurroundings(within, resolver, is_static, returns, Lambdas())

    # Bodies

    def _roots(
        self,
        binder: Binder,
        roots: Sequence[Sequence[Entry]],
        body: int,
        scope: LocalScope,
        result: Type,
        declaration: MemberDeclaration | None,
    ) -> None:
        if not 0 <= body < len(roots):
            return
        for entry in roots[body]:
            self._root(binder, entry, scope, result, declaration)

    def _root(
        self, binder: Binder, entry: Entry, scope: LocalScope, result: Type, declaration: MemberDeclaration | None
    ) -> None:
        role, index, lowered = entry[0], entry[1], entry[2]
        flags: int = declaration.modifiers if declaration is not None else 0
        is_async = bool(flags & bits.ASYNC)
        if role == RootRole.ATTRIBUTES:
            for attribute in lowered:
                bind_attribute(binder, attribute, scope)
        elif role == RootRole.PARAMETERS:
            for parameter in lowered:
                _bind_parameter(binder, parameter, scope)
        elif role == RootRole.BODY:
            returns = result if declaration is not None and declaration.type is not None else binder.system("Void")
            bind_function_body(binder, lowered, LocalScope(scope.surroundings, scope), returns, is_async)
        elif role in (RootRole.GET, RootRole.SET, RootRole.ADD, RootRole.REMOVE):
            _bind_accessor(binder, role, lowered, scope, result, declaration)
        elif role == RootRole.INITIALIZER:
            inner = LocalScope(scope.surroundings, scope, in_initializer=True)
            if lowered[0] == Op.ARGUMENTS:
                for size in lowered[2]:  # of a fixed buffer
                    binder.value_of(size, inner, binder.system("Int32"))
            else:
                binder.value_of(lowered, inner, result)
        elif role == RootRole.CONSTRUCTOR_INITIALIZER:
            self._constructor_initializer(binder, lowered, bool(index), entry[3], scope)
        elif role == RootRole.BASE_ARGUMENTS:
            inner = LocalScope(scope.surroundings, scope, in_initializer=True)
            self._constructor_initializer(binder, lowered, True, lowered[1], inner)
        elif role == RootRole.STATEMENT:
            binder.statement(lowered, LocalScope(scope.surroundings, scope))

    def _constructor_initializer(
        self, binder: Binder, lowered: Entry, is_base: bool, offset: int, scope: LocalScope
    ) -> None:
        within = scope.within
        arguments = binder.arguments(lowered[2], scope)
        if within is None:
            return
        own = within.own_type
        type_: Type | None = binder.hierarchy.base_class(own) if is_base else own
        if type_ is None:
            type_ = UNKNOWN
        if is_base and not binder.hierarchy.is_complete(own) and type_ is binder.hierarchy.object:
            type_ = UNKNOWN
        made = choose_constructor(binder, type_, arguments, scope, initializer=True)
        use = None
        if binder.keeps_uses:
            use = Use(made.constructor, type_, arguments=arguments, contests=made.contests)
        kind = RefKind.CTOR_INITIALIZER
        if made.constructor is not None:
            confidence = Confidence.HIGH if made.exact else Confidence.MEDIUM
            binder.member_reference(kind, offset, made.constructor, confidence, use=use)
        else:
            name = "base" if is_base else "this"
            # Nothing is kept of it beyond the row, but for who asks why.
            use = use if binder.shared.keeps_losers else None
            is_known = isinstance(type_, NamedType)
            reason = UnresolvedReason.NO_CONSTRUCTOR_FITS if is_known else UnresolvedReason.BASE_TYPE_UNKNOWN
            binder.unresolved(kind, offset, name, reason, use=use)


def _written_type(binder: Binder, syntax: TypeSyntax, resolver: TypeResolver) -> None:
    binder.type([syntax.text, *syntax.offsets], resolver)


def _constraints(binder: Binder, parameters: Iterable[TypeParameter], resolver: TypeResolver) -> None:
    for parameter in parameters:
        for constraint in parameter.constraints:
            _written_type(binder, constraint, resolver)


def _bind_parameter(binder: Binder, lowered: Entry, scope: LocalScope) -> None:
    """A PARAMETER of a declaration: its type, attributes and default."""
    _, _, _, written, _, _, default, attributes = lowered
    type_ = binder.type(written, scope.resolver) if written is not None else UNKNOWN
    for attribute in attributes:
        bind_attribute(binder, attribute, scope)
    if default is not None:
        binder.value_of(default, LocalScope(scope.surroundings), type_)


def _bind_accessor(
    binder: Binder,
    role: int,
    lowered: Entry,
    scope: LocalScope,
    result: Type,
    declaration: MemberDeclaration | None,
) -> None:
    inner = LocalScope(scope.surroundings, scope)
    wanted: Type = result
    if role != RootRole.GET:
        wanted = binder.system("Void")
        inner.declare("value", result)
    is_property = declaration is not None and declaration.kind is DeclarationKind.PROPERTY
    if is_property and binder.language.field_keyword:
        inner.declare(_FIELD_KEYWORD, result)
    bind_function_body(binder, lowered, inner, wanted, False)
