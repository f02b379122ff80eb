"""Declarations as the model has them: types, parameters, bases over all parts, and attributes bound to their constructors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codemap_core.model.bound import (
    BoundAttribute,
    BoundDeclaration,
    BoundParameter,
    BoundType,
    BoundTypeParameter,
    DocumentedException,
    TypeForm,
    Value,
)
from codemap_plugins.csharp.binding.bound_document import Kept, Surroundings
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import Member
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.binding.slots import overridden
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.rows import (
    SymbolRows,
    member_visibility,
    modifier_words,
    owner_of_members,
    symbol_kind_of,
    type_visibility,
)
from codemap_plugins.csharp.symbols.types import NamedType, TypeDefinition
from codemap_plugins.csharp.unit import (
    AttributeSyntax,
    DeclarationKind,
    MemberDeclaration,
    Modifiers,
    Parameter,
    RootRole,
    TypeDeclaration,
)

KeptOf = Callable[[TypePart, int], Kept | None]
"""What binding keeps of a type's header, as one of its parts declares it, or of a member of that part by its index in the file."""
ValueOf = Callable[[Kept, Surroundings], Value | None]
"""The value of a field, property or constant; null for one that is not initialised."""
_INITIALIZED: Final = frozenset(
    {DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER, DeclarationKind.FIELD, DeclarationKind.PROPERTY}
)


class Declarations:
    """Of one document. ``kept_of`` binds the header of a type's part or one of its members, of another file too."""

    def __init__(
        self, rows: SymbolRows, hierarchy: Hierarchy, around: Surroundings, kept_of: KeptOf, value_of: ValueOf
    ) -> None:
        self._rows: Final = rows
        self._hierarchy: Final = hierarchy
        self._around: Final = around
        self._kept_of: Final = kept_of
        self._value_of: Final = value_of

    def of(self, kept: Kept) -> BoundDeclaration | None:
        """Null for the attributes of the assembly and for a block of extension members."""
        declaration = kept.declaration
        if isinstance(declaration, TypeDeclaration):
            return self._type(kept, declaration)
        return self._member(kept, declaration) if declaration is not None else None

    def _type(self, kept: Kept, declaration: TypeDeclaration) -> BoundDeclaration | None:
        definition = kept.definition
        if definition is None or kept.part is None or declaration.kind is DeclarationKind.EXTENSION_BLOCK:
            return None
        types = self._around.types
        container = definition.container
        header = self._hierarchy.table.resolver_for(kept.part, definition, own_only=True)
        own = definition.own_type
        classes = list(self._hierarchy.class_chain(own))[1:]
        return BoundDeclaration(
            symbol_id=definition.documentation_id,
            kind=definition.kind,
            name=definition.name,
            container_id=container.documentation_id if container is not None else None,
            visibility=type_visibility(definition),
            modifiers=modifier_words(declaration.modifiers),
            type_parameters=tuple(
                BoundTypeParameter(each.name, tuple(types.known(header.resolve(c.text)) for c in each.constraints))
                for each in declaration.type_parameters
            ),
            bases=tuple(types.known(header.resolve(base.text)) for base in declaration.bases),
            all_bases=(
                *(types.known(each) for each in classes),
                *(types.known(each) for each in self._hierarchy.all_interfaces(own)),
                *self._missing([definition, *(each.definition for each in classes)], types.known),
            ),
            attributes=self.attributes(kept, declaration.attributes),
            attributes_elsewhere=self._elsewhere(definition, kept.part, classes),
            parameters=self._parameters(kept, declaration.parameters),
            file_path=kept.part.document.key.file_path,
            line=self._around.lines.line(declaration.name_offset),
            line_start=declaration.line_start,
            line_end=declaration.line_end,
        )

    def _missing(self, definitions: Sequence[TypeDefinition], known: Callable[..., BoundType]) -> tuple[BoundType, ...]:
        """Bases of a type and of its base classes that were not found, as written."""
        found = (
            known(base)
            for each in definitions
            if isinstance(each, SourceTypeDefinition)
            for base in self._hierarchy.table.bases_of(each)
        )
        return tuple(base for base in found if base.form is TypeForm.UNRESOLVED)

    def _elsewhere(
        self, definition: SourceTypeDefinition, part: TypePart, classes: Sequence[NamedType]
    ) -> tuple[BoundAttribute, ...]:
        """Of the other parts, then of the base classes that have source, nearest first."""
        found: list[BoundAttribute] = []
        levels = [definition, *(c.definition for c in classes if isinstance(c.definition, SourceTypeDefinition))]
        for level in levels:
            for each in level.parts:
                if (each is part) or each.declaration.condition or not each.declaration.attributes:
                    continue
                header = self._kept_of(each, -1)
                if header is not None:
                    found += self.attributes(header, each.declaration.attributes, declared_on=level.documentation_id)
        return tuple(found)

    def _overridden(self, overrides: Sequence[Member]) -> tuple[BoundAttribute, ...]:
        """Attributes of the members that a member overrides and that have source, nearest first."""
        found: list[BoundAttribute] = []
        for each in overrides:
            part, declaration = each.part, each.declaration
            if part is None or declaration is None or not declaration.attributes:
                continue
            kept = self._kept_of(part, each.index)
            if kept is not None:
                found += self.attributes(kept, declaration.attributes, declared_on=each.symbol_id)
        return tuple(found)

    def _member(self, kept: Kept, declaration: MemberDeclaration) -> BoundDeclaration | None:
        definition = kept.definition
        if definition is None or kept.part is None:
            return None
        types = self._around.types
        identity = self._rows.identity_of(definition, kept.part)
        own = self._hierarchy.members.declared(kept.part, kept.index)
        overrides = tuple(overridden(self._hierarchy, own)) if own is not None else ()
        return BoundDeclaration(
            symbol_id=self._rows.member_id(identity, declaration),
            kind=symbol_kind_of(declaration),
            name=declaration.name,
            container_id=owner_of_members(definition).documentation_id,
            visibility=member_visibility(definition, declaration),
            modifiers=modifier_words(declaration.modifiers),
            type=types.of(kept.resolver.resolve(declaration.type.text)) if declaration.type is not None else None,
            parameters=self._parameters(kept, declaration.parameters),
            attributes=self.attributes(kept, declaration.attributes),
            attributes_elsewhere=self._overridden(overrides),
            overrides=tuple(each.symbol_id for each in overrides),
            documented_exceptions=tuple(map(self._documented, kept.documented)),
            value=self._value_of(kept, self._around) if declaration.kind in _INITIALIZED else None,
            is_read_only=_is_read_only(declaration),
            file_path=kept.part.document.key.file_path,
            line=self._around.lines.line(declaration.name_offset),
            line_start=declaration.line_start,
            line_end=declaration.line_end,
        )

    def _documented(self, reference: Reference) -> DocumentedException:
        name, target = reference.name, reference.target or ""
        form = TypeForm.NAMED if target.startswith("T:") else TypeForm.UNRESOLVED
        type_ = BoundType(form, name, target if form is TypeForm.NAMED else "")
        return DocumentedException(type_, self._around.lines.line(reference.offset))

    def _parameters(self, kept: Kept, parameters: Sequence[Parameter]) -> tuple[BoundParameter, ...]:
        lowered = [node for entry in kept.entries if entry[0] == RootRole.PARAMETERS for node in entry[2]]
        found = []
        for ordinal, each in enumerate(parameters):
            default, nodes = lowered[ordinal][6:8] if ordinal < len(lowered) else (None, ())
            type_ = kept.resolver.resolve(each.type.text) if each.type is not None else None
            found.append(
                BoundParameter(
                    name=each.name,
                    type=self._around.types.known(type_) if type_ is not None else BoundType(TypeForm.UNRESOLVED, ""),
                    is_optional=each.default is not None,
                    default=kept.walked(self._around).value(default) if default is not None else None,
                    is_params="params" in each.modifiers,
                    attributes=tuple(self._attributes(kept, nodes, each.attributes)),
                )
            )
        return tuple(found)

    def attributes(
        self, kept: Kept, written: Sequence[AttributeSyntax], declared_on: str = ""
    ) -> tuple[BoundAttribute, ...]:
        nodes = [node for entry in kept.entries if entry[0] == RootRole.ATTRIBUTES for node in entry[2]]
        return tuple(self._attributes(kept, nodes, written, declared_on))

    def of_function(self, kept: Kept, nodes: Sequence[Lowered]) -> tuple[BoundAttribute, ...]:
        """The attributes of a lambda or local function."""
        return tuple(self._attributes(kept, nodes, ()))

    def _attributes(
        self, kept: Kept, nodes: Sequence[Lowered], written: Sequence[AttributeSyntax], declared_on: str = ""
    ) -> Iterator[BoundAttribute]:
        for position, node in enumerate(nodes):
            syntax = written[position] if position < len(written) else None
            yield self._attribute(kept, node, syntax, declared_on)

    def _attribute(self, kept: Kept, node: Lowered, syntax: AttributeSyntax | None, declared_on: str) -> BoundAttribute:
        _, lowered, arguments = node
        text: str = lowered[0]
        types = self._around.types
        reference = next(
            (
                each
                for offset in reversed(lowered[1:])
                for each in kept.references.get(offset, ())
                if each.use is not None and each.use.type is not None
            ),
            None,
        )
        use = reference.use if reference is not None else None
        type_ = use.type if use is not None else None
        simple = text.partition("<")[0].rpartition(".")[2].rpartition(":")[2]
        classes = (
            [each.definition for each in self._hierarchy.class_chain(type_)] if isinstance(type_, NamedType) else []
        )
        positional = [each for each in arguments or () if each[0] != Op.MEMBER_INITIALIZER]
        named = [each for each in arguments or () if each[0] == Op.MEMBER_INITIALIZER]
        walked = kept.walked(self._around)
        return BoundAttribute(
            name=text,
            type=types.known(type_) if type_ is not None else BoundType(TypeForm.UNRESOLVED, simple),
            base_ids=tuple(each.documentation_id for each in classes[1:]),
            missing_bases=tuple(each.name for each in self._missing(classes, types.known)),
            constructor=reference.constructor if reference is not None else None,
            arguments=walked.arguments(positional, use),
            named_arguments=tuple(walked.named(each) for each in named),
            target=syntax.target if syntax is not None else "",
            declared_on=declared_on,
            line=self._around.lines.line(lowered[1]) if len(lowered) > 1 and not declared_on else 0,
            line_end=syntax.line_end if syntax is not None and not declared_on else 0,
        )


def _is_read_only(declaration: MemberDeclaration) -> bool:
    """A parameter of a record has no accessors of its own: what it declares is ``init``."""
    if declaration.kind is not DeclarationKind.PROPERTY or not declaration.accessors:
        return False
    return not any(each.name != "get" and each.modifiers == Modifiers.NONE for each in declaration.accessors)
