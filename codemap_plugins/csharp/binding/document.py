"""All references of one file in one project: declarations walked in order, each with its owner, scope and body.

``from_symbol`` is the declaration's own id: a member for its signature, attributes, parameters and body; the type for its base list,
attributes and primary constructor; null for usings, assembly attributes and documentation comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from codemap_core.model import Confidence, ReferenceRow, RefKind, ResolutionState, UnresolvedReason
from codemap_plugins.csharp.binding import chains, keyword_expressions, names, operators, queries, statements
from codemap_plugins.csharp.binding.attributes import bind_attribute
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_document import Kept
from codemap_plugins.csharp.binding.bound_expressions import Argument, BoundExpression
from codemap_plugins.csharp.binding.creation import choose_constructor
from codemap_plugins.csharp.binding.crefs import bind_cref
from codemap_plugins.csharp.binding.functions import bind_function_body, lambda_body, lambda_shape
from codemap_plugins.csharp.binding.lambdas import LambdaRules, Lambdas
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.locals import Surroundings as BodySurroundings
from codemap_plugins.csharp.binding.members import UNKNOWN, Member, TypeParameterSymbol
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.binding.resolution import OverloadResolution
from codemap_plugins.csharp.binding.slots import inherited_constraints, member_slots
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.project_scope import Namespace
from codemap_plugins.csharp.symbols.rows import owner_of_members
from codemap_plugins.csharp.symbols.scopes import (
    Document,
    TypeResolver,
    class_type_parameters,
    method_type_parameters,
)
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeParameterType
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import (
    DeclarationKind,
    DocComment,
    MemberDeclaration,
    Modifiers,
    RootRole,
    TypeDeclaration,
    TypeParameter,
)

if TYPE_CHECKING:
    from codemap_plugins.csharp.binding.stage import CSharpBinding

RULE_MODULES: Final = (chains, keyword_expressions, names, operators, queries, statements)
"""The modules whose import registers the rules of expressions and statements."""

_STATIC_CONTEXT: Final = frozenset(
    {DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER, DeclarationKind.STATIC_CONSTRUCTOR}
)
_FIELD_KEYWORD: Final = "field"
Entry = list[Any]


class DocumentBinding:
    """Binds one file. What a caller wants beyond the rows is given to it, declaration by declaration."""

    def __init__(
        self,
        binding: CSharpBinding,
        document: Document,
        binder: Binder | None = None,
        keep: Callable[[Kept], None] | None = None,
    ) -> None:
        """``binder``: one of the caller's that watches what is done. ``keep``: is given what was known of each declaration once that is
        bound; it may bind others meanwhile."""
        self._keep: Final = keep
        self._binding: Final = binding
        self._document: Final = document
        self._table: Final = binding.table
        self._shared: Final = binder.shared if binder is not None else binding.project(document.project)
        self._binder: Final = binder if binder is not None else Binder(self._shared, document, keep is not None)
        self._rows: Final[list[ReferenceRow]] = []
        self._seen: set[tuple[object, ...]] = set()
        self._lambda_rules: Final = LambdaRules(partial(lambda_shape, self._binder), partial(lambda_body, self._binder))
        self._lambdas = Lambdas(self._lambda_rules)
        """Of the declaration that is being bound."""

    def rows(self) -> tuple[ReferenceRow, ...]:
        document = self._document
        members = self._table.members_of(document.key).declarations
        roots = self._decoded()
        self._imports()
        self._assembly_attributes(roots)
        by_parent: dict[int, list[tuple[int, MemberDeclaration]]] = {}
        for index, member in enumerate(members):
            by_parent.setdefault(member.parent, []).append((index, member))
        for index, declaration in enumerate(document.outline.types):
            if declaration.condition:
                continue
            definition = document.definitions[index]
            part = definition.part_at(document, index)
            self._type(definition, part, declaration, roots)
            for member_index, member in by_parent.get(index, ()):
                if not member.condition:
                    self._member(definition, part, member_index, member, roots)
        return tuple(self._rows)

    # Outside of types

    def _imports(self) -> None:
        for scope_index, scope in enumerate(self._document.outline.scopes):
            resolver = TypeResolver(self._document, scope_index, None, (), usings=False)
            for index, using in enumerate(scope.usings):
                self._binder.references = []
                names_namespace = isinstance(self._document.using_target(scope_index, index, using), Namespace)
                if (using.alias or using.is_static) and not names_namespace:
                    self._binder.type([using.target.text, *using.target.offsets], resolver, RefKind.IMPORT)
                self._flush(None)

    def _assembly_attributes(self, roots: Sequence[Sequence[Entry]]) -> None:
        self._binder.references = []
        scope = LocalScope(self._surroundings(None, TypeResolver(self._document, 0, None, ()), True, None))
        body = self._document.outline.body
        self._roots(roots, body, scope, UNKNOWN, None)
        kept = self._kept(None, None, None, -1, None, roots, body, scope.resolver)
        self._flush(None)
        self._give(kept)

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
        parameters: Sequence[tuple[str, Type]] = (),
    ) -> Kept | None:
        if self._keep is None:
            return None
        entries = roots[body] if 0 <= body < len(roots) else ()
        binder = self._binder
        kept = Kept(
            owner,
            definition,
            part,
            index,
            declaration,
            entries,
            binder.references,
            resolver,
            parameters,
            binder.throws,
            binder.catches,
        )
        binder.throws, binder.catches = {}, False
        return kept

    def _give(self, kept: Kept | None) -> None:
        """When its rows are made, as who takes it may bind other declarations."""
        self._lambdas.forget()
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
        owner = owner_of_members(definition).documentation_id
        binder = self._binder
        header = self._table.resolver_for(part, definition, own_only=True)
        binder.hierarchy.enter(self._class_bounds(definition))
        binder.references = []
        for base in declaration.bases:
            self._type_syntax(base, header)
        self._type_parameters(declaration.type_parameters, header)
        if declaration.return_type is not None:
            self._type_syntax(declaration.return_type, header)
        if declaration.receiver is not None and declaration.receiver.type is not None:
            self._type_syntax(declaration.receiver.type, self._table.resolver_for(part, definition))
        # Attributes and the arguments of a primary constructor's base see the type's members.
        inside = self._table.resolver_for(part, definition)
        scope = LocalScope(self._surroundings(definition, inside, True, None))
        self._roots(roots, declaration.body, scope, UNKNOWN, None)
        kept = self._kept(owner, definition, part, -1, declaration, roots, declaration.body, inside)
        self._flush(owner)
        self._doc(declaration.doc, inside, definition, None)
        self._give(kept)

    def _class_bounds(self, definition: SourceTypeDefinition) -> dict[TypeParameterType, TypeParameterSymbol]:
        bounds: dict[TypeParameterType, TypeParameterSymbol] = {}
        levels = [
            d
            for d in reversed(list(definition.enclosing()))
            if d.declaration_kind is not DeclarationKind.EXTENSION_BLOCK
        ]
        parameters = [p for level in levels for p in class_type_parameters(level)]
        bounds.update(zip(parameters, self._binding.members.type_parameters(definition), strict=False))
        return bounds

    def _type_syntax(self, syntax: TypeSyntax, resolver: TypeResolver) -> Type:
        return self._binder.type([syntax.text, *syntax.offsets], resolver)

    def _type_parameters(self, parameters: Iterable[TypeParameter], resolver: TypeResolver) -> None:
        for parameter in parameters:
            for constraint in parameter.constraints:
                self._type_syntax(constraint, resolver)

    def _doc(
        self, doc: DocComment | None, resolver: TypeResolver, definition: SourceTypeDefinition, member: Member | None
    ) -> Sequence[Reference]:
        """References of a documentation comment. Answers with those to the exceptions that it says are thrown."""
        if doc is None or not doc.crefs:
            return ()
        references: list[Reference] = []
        self._binder.references = references
        documented: list[Reference] = []
        for index, (text, offset) in enumerate(doc.crefs):
            before = len(references)
            bind_cref(self._binder, text, offset, resolver, definition)
            if index in doc.exceptions and len(references) > before:
                documented.append(references[-1])
        self._flush(None)
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
        binder = self._binder
        identity = self._binding.rows.identity_of(definition, part)
        resolver = identity.resolver_for(declaration)
        owner_id = self._binding.rows.member_id(identity, declaration)
        is_primary = declaration.kind is DeclarationKind.PRIMARY_CONSTRUCTOR
        if is_primary:
            owner_id = definition.documentation_id
        member = self._binding.members.declared(part, index)
        bounds = self._class_bounds(definition)
        if member is not None and declaration.type_parameters:
            start = len(member.signature.type_parameters) - len(declaration.type_parameters)
            own = method_type_parameters(self._table.factory, declaration.type_parameters, start)
            inherited = inherited_constraints(binder.hierarchy, member, own)
            bounds.update(zip(own, inherited or member.signature.type_parameters[start:], strict=False))
        if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK and member is not None:
            bounds.update(zip(class_type_parameters(definition), member.signature.type_parameters, strict=False))
        binder.hierarchy.enter(bounds)
        binder.references = []
        result: Type = UNKNOWN
        if declaration.type is not None:
            result = resolver.resolve(declaration.type.text)
            if not self._is_later_declarator(declaration, index):
                self._type_syntax(declaration.type, resolver)
        if declaration.explicit_interface is not None:
            self._type_syntax(declaration.explicit_interface, resolver)
        self._type_parameters(declaration.type_parameters, resolver)
        is_static = Modifiers.STATIC in declaration.modifiers or declaration.kind in _STATIC_CONTEXT
        surroundings = self._surroundings(definition, resolver, is_static, result)
        scope = LocalScope(surroundings)
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
            from codemap_plugins.csharp.symbols.types import ArrayType

            scope.declare("args", ArrayType(binder.system("String")))
        if declaration.kind is DeclarationKind.ENUM_MEMBER:
            result = NamedType(definition)
        self._roots(roots, declaration.body, scope, result, declaration)
        kept = self._kept(owner_id, definition, part, index, declaration, roots, declaration.body, resolver, parameters)
        self._flush(owner_id)
        self._slots(part, index)
        if not self._is_later_declarator(declaration, index):
            documented = self._doc(declaration.doc, resolver, definition, member)
            if kept is not None:
                kept.documented = documented
        self._give(kept)

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
            self._binder.references = [
                Reference(kind, declaration.name_offset, member.name, slot.symbol_id, slot.is_external)
            ]
            self._flush(member.symbol_id)

    def _surroundings(
        self,
        within: SourceTypeDefinition | None,
        resolver: TypeResolver,
        is_static: bool,
        returns: Type | None,
    ) -> BodySurroundings:
        self._lambdas = Lambdas(self._lambda_rules)
        return BodySurroundings(within, resolver, is_static, returns, self._extensions, self._lambdas)

    def _extensions(
        self,
        scope: LocalScope,
        name: str,
        receiver: BoundExpression,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
    ) -> OverloadResolution:
        return self._shared.extensions.resolve(
            self._document, scope.resolver.scope, name, receiver, arguments, type_arguments, scope.within
        )

    # Bodies

    def _roots(
        self,
        roots: Sequence[Sequence[Entry]],
        body: int,
        scope: LocalScope,
        result: Type,
        declaration: MemberDeclaration | None,
    ) -> None:
        if not 0 <= body < len(roots):
            return
        for entry in roots[body]:
            self._root(entry, scope, result, declaration)

    def _root(self, entry: Entry, scope: LocalScope, result: Type, declaration: MemberDeclaration | None) -> None:
        binder = self._binder
        role, index, lowered = entry[0], entry[1], entry[2]
        is_async = declaration is not None and Modifiers.ASYNC in declaration.modifiers
        if role == RootRole.ATTRIBUTES:
            for attribute in lowered:
                bind_attribute(binder, attribute, scope)
        elif role == RootRole.PARAMETERS:
            for parameter in lowered:
                self._parameter(parameter, scope)
        elif role == RootRole.BODY:
            returns = result if declaration is not None and declaration.type is not None else binder.system("Void")
            bind_function_body(binder, lowered, LocalScope(scope.surroundings, scope), returns, is_async)
        elif role in (RootRole.GET, RootRole.SET, RootRole.ADD, RootRole.REMOVE):
            self._accessor(role, lowered, scope, result, declaration)
        elif role == RootRole.INITIALIZER:
            binder.value_of(
                lowered, LocalScope(scope.surroundings, scope, in_initializer=True), result if index == 0 else None
            )
        elif role == RootRole.CONSTRUCTOR_INITIALIZER:
            self._constructor_initializer(lowered, bool(index), entry[3], scope)
        elif role == RootRole.BASE_ARGUMENTS:
            inner = LocalScope(scope.surroundings, scope, in_initializer=True)
            self._constructor_initializer(lowered, True, lowered[1], inner)
        elif role == RootRole.STATEMENT:
            binder.statement(lowered, LocalScope(scope.surroundings, scope))

    def _parameter(self, lowered: Entry, scope: LocalScope) -> None:
        """A PARAMETER of a declaration: its type, attributes and default."""
        _, _, _, written, _, _, default, attributes = lowered
        type_ = self._binder.type(written, scope.resolver) if written is not None else UNKNOWN
        for attribute in attributes:
            bind_attribute(self._binder, attribute, scope)
        if default is not None:
            self._binder.value_of(default, LocalScope(scope.surroundings), type_)

    def _accessor(
        self, role: int, lowered: Entry, scope: LocalScope, result: Type, declaration: MemberDeclaration | None
    ) -> None:
        inner = LocalScope(scope.surroundings, scope)
        returns = self._binder.system("Void")
        wanted: Type = returns
        if role == RootRole.GET:
            wanted = result
        else:
            inner.declare("value", result)
        is_property = declaration is not None and declaration.kind is DeclarationKind.PROPERTY
        if is_property and self._binder.language.field_keyword:
            inner.declare(_FIELD_KEYWORD, result)
        bind_function_body(self._binder, lowered, inner, wanted, False)

    def _constructor_initializer(self, lowered: Entry, is_base: bool, offset: int, scope: LocalScope) -> None:
        binder = self._binder
        within = scope.within
        arguments = binder.arguments(lowered[2], scope)
        if within is None:
            return
        own = NamedType(within, self._table.own_arguments(within))
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
            use = use if self._shared.keeps_losers else None
            binder.unresolved(kind, offset, name, UnresolvedReason.NO_CONSTRUCTOR_FITS, use=use)

    # Rows

    def _flush(self, owner: str | None) -> None:
        position = self._document.outline.lines.position
        path, project = self._document.key.file_path, self._document.key.project_path
        for each in self._binder.references:
            key = (each.kind, each.offset, each.target, owner)
            if key in self._seen:
                continue
            self._seen.add(key)
            line, column = position(each.offset)
            self._rows.append(
                ReferenceRow(
                    kind=each.kind,
                    from_symbol=owner,
                    to_symbol=each.target,
                    constructor=each.constructor,
                    to_name=each.name,
                    to_container_hint=each.hint,
                    file_path=path,
                    line=line,
                    column=column,
                    line_end=line,
                    resolution_state=ResolutionState.RESOLVED
                    if each.target is not None
                    else ResolutionState.UNRESOLVED,
                    external=each.external,
                    is_virtual=each.is_virtual,
                    confidence=each.confidence,
                    reason=each.reason,
                    project=project,
                )
            )
        self._binder.references = []
