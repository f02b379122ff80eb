"""Type definitions: those with source, merged over their parts, and those of libraries, behind one interface.

A source type belongs to one project; equal full names in two projects are two definitions. A file-local type belongs to its file too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import SymbolKind
from codemap_plugins.csharp.metadata.surface import ExtensionBlock
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeDefinition, TypeFactory, TypeParameterType
from codemap_plugins.csharp.unit import (
    SYMBOL_KINDS,
    DeclarationKind,
    Modifiers,
    Outline,
    TypeDeclaration,
    TypeParameter,
)

_LINE_INDEXES: Final = 8
"""How many of them a table keeps."""
_VALUE_KINDS: Final = frozenset({SymbolKind.STRUCT, SymbolKind.ENUM})


class LibraryTypeDefinition(TypeDefinition):
    """A type of an assembly. ``base_texts``: metadata texts of base type and interfaces."""

    __slots__ = ("assembly", "metadata_name")

    def __init__(
        self, namespace: str, path: tuple[tuple[str, int], ...], kind: SymbolKind, assembly: str, metadata_name: str
    ) -> None:
        super().__init__(namespace, path, kind, kind in _VALUE_KINDS, external=True)
        self.assembly: Final = assembly
        self.metadata_name: Final = metadata_name


class LibraryExtensionBlock(TypeDefinition):
    """An ``extension`` block of a static class of an assembly."""

    __slots__ = ("container", "declared")

    def __init__(self, container: LibraryTypeDefinition, declared: ExtensionBlock) -> None:
        super().__init__(container.namespace, container.path, container.kind, False, external=True)
        self.container: Final = container
        self.declared: Final = declared

    @property
    def is_extension_block(self) -> bool:
        return True


class DeclaringProject:
    """The project that declares a type, as the type knows it."""

    def __init__(self, path: str, assembly_name: str, factory: TypeFactory, publishes_program: bool = False) -> None:
        self.path: Final = path
        self.friend_name: Final = assembly_name.lower()
        """Its assembly as ``friends`` of other projects name it: the compiler compares names of assemblies without regard to case."""
        self.factory: Final = factory
        """Makes the type parameters of what it declares."""
        self.publishes_program: Final = publishes_program
        """A source generator makes the program of its top-level statements public, unless something of it is written."""

    @property
    def friends(self) -> frozenset[str]:
        """Assembly names that may see its internals, in lower case."""
        raise NotImplementedError

    def shows_internals_to(self, other: DeclaringProject) -> bool:
        """Whether the other is this project or a friend of it (ECMA-334 §7.5.2)."""
        return other is self or other.friend_name in self.friends


class DeclaringDocument:
    """One file as one project compiles it, as the types that it declares know it."""

    def __init__(self, key: UnitKey, outline: Outline) -> None:
        self.key: Final = key
        self.outline: Final = outline
        self.definitions: list[SourceTypeDefinition] = []
        """For each type declaration of the outline, what it declares."""


class LineIndexes:
    """The lines of the documents that were asked about last. Those of all documents take more memory than what they declare."""

    def __init__(self) -> None:
        self._known: Final[dict[DeclaringDocument, LineIndex]] = {}

    def of(self, document: DeclaringDocument) -> LineIndex:
        known = self._known.get(document)
        if known is None:
            if len(self._known) == _LINE_INDEXES:
                self._known.clear()
            known = self._known[document] = document.outline.lines.index()
        return known


class TypePart:
    """One declaration of a source type: its document and its index in the outline."""

    __slots__ = ("declaration", "document", "index")

    def __init__(self, document: DeclaringDocument, index: int, declaration: TypeDeclaration) -> None:
        self.document: Final = document
        self.index: Final = index
        self.declaration: Final = declaration

    @property
    def order(self) -> tuple[int, str, int]:
        """What is written in C# comes before a component, and that before what it imports."""
        return (self.document.outline.page, self.document.key.file_path, self.index)


class SourceTypeDefinition(TypeDefinition):
    """A type with source. Built by the table while it declares; complete, and then unchanged, once ``freeze`` has been called."""

    __slots__ = (
        "_own_arguments",
        "_own_parameters",
        "_own_type",
        "container",
        "declaration_kind",
        "enclosing",
        "file_local",
        "modifiers",
        "nested",
        "parts",
        "project",
    )

    def __init__(
        self,
        project: DeclaringProject,
        namespace: str,
        container: SourceTypeDefinition | None,
        declaration: TypeDeclaration,
        file_local: str,
    ) -> None:
        own = (declaration.name, len(declaration.type_parameters))
        if declaration.kind is DeclarationKind.EXTENSION_BLOCK and container is not None:
            path = container.path
        else:
            path = (*container.path, own) if container is not None else (own,)
        kind = SYMBOL_KINDS[declaration.kind]
        super().__init__(
            namespace,
            path,
            kind,
            declaration.kind in (DeclarationKind.STRUCT, DeclarationKind.ENUM, DeclarationKind.RECORD_STRUCT),
            external=False,
        )
        self.project: Final = project
        self.container: Final = container
        self.declaration_kind: Final = declaration.kind
        self.file_local: Final = file_local
        self.parts: list[TypePart] = []
        self.nested: dict[tuple[str, int], SourceTypeDefinition] = {}
        self.modifiers = Modifiers.NONE
        self.enclosing: Final[tuple[SourceTypeDefinition, ...]] = (
            (self, *container.enclosing) if container is not None else (self,)
        )
        """The type and its containers, innermost first."""
        self._own_parameters: tuple[TypeParameterType, ...] | None = None
        self._own_arguments: tuple[Type, ...] | None = None
        self._own_type: NamedType | None = None

    def forget(self) -> None:
        super().forget()
        self._own_type = None

    def add_part(self, part: TypePart) -> None:
        self.parts.append(part)
        self.modifiers |= part.declaration.modifiers

    def part_at(self, document: DeclaringDocument, index: int) -> TypePart:
        """The part that a document's type declaration ``index`` is."""
        return next(part for part in self.parts if part.document is document and part.index == index)

    def freeze(self) -> None:
        """Parts in their order: the first one is where the symbol is."""
        self.parts.sort(key=lambda part: part.order)
        if self.project.publishes_program and len(self.parts) == 1 and self.parts[0].declaration.is_program:
            self.modifiers |= Modifiers.PUBLIC

    @property
    def is_extension_block(self) -> bool:
        return self.declaration_kind is DeclarationKind.EXTENSION_BLOCK

    @property
    def member_class(self) -> SourceTypeDefinition:
        """The type whose members its members are: of an ``extension`` block the class around it, which sees what is private (C# 14)."""
        return self.container if self.is_extension_block and self.container is not None else self

    def bears_attribute(self, name: str) -> bool:
        """Some part has an attribute of this name, written with or without its suffix and namespace."""
        return any(
            attribute.name.text.rpartition(".")[2].removesuffix("Attribute") == name
            for part in self.parts
            for attribute in part.declaration.attributes
        )

    @property
    def own_type(self) -> NamedType:
        """The type as it means itself: made of its own type parameters."""
        known = self._own_type
        if known is None:
            known = self._own_type = NamedType(self, self.own_arguments)
        return known

    @property
    def own_arguments(self) -> tuple[Type, ...]:
        """The type parameters of its containers and its own, as the type arguments of the type as it means itself."""
        known = self._own_arguments
        if known is None:
            arguments: list[Type] = []
            for level in reversed(self.enclosing):
                if level.declaration_kind is not DeclarationKind.EXTENSION_BLOCK:
                    arguments.extend(level.own_parameters)
            known = self._own_arguments = tuple(arguments)
        return known

    @property
    def own_parameters(self) -> tuple[TypeParameterType, ...]:
        """Its own type parameters, numbered on from those of its containers; of an extension block, as a method's are."""
        known = self._own_parameters
        if known is None:
            known = self._own_parameters = self._made_parameters(self.project.factory)
        return known

    def _made_parameters(self, factory: TypeFactory) -> tuple[TypeParameterType, ...]:
        declared = self.parts[0].declaration.type_parameters
        if self.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
            return method_type_parameters(factory, declared)
        start = self.total_arity - self.arity
        # One part may say the constraints for all (ECMA-334 §15.2.7).
        values = {i for part in self.parts for i, p in enumerate(part.declaration.type_parameters) if _is_value_type(p)}
        return tuple(factory.parameter(p.name, start + i, False, i in values) for i, p in enumerate(declared))

    @property
    def type_parameters(self) -> Sequence[str]:
        """Own type parameters, as the first part names them."""
        return [p.name for p in self.parts[0].declaration.type_parameters]

    @property
    def is_private(self) -> bool:
        """Seen from inside its container alone: so declared, or nested in a type that is not an interface (ECMA-334 §15.3.6)."""
        written = self.modifiers.accessibility
        if written:
            return written is Modifiers.PRIVATE
        return self.container is not None and self.container.kind is not SymbolKind.INTERFACE


def method_type_parameters(
    factory: TypeFactory, parameters: Sequence[TypeParameter], start: int = 0
) -> tuple[TypeParameterType, ...]:
    """Type parameters of a method, numbered from ``start``."""
    return tuple(factory.parameter(p.name, start + i, True, _is_value_type(p)) for i, p in enumerate(parameters))


def _is_value_type(parameter: TypeParameter) -> bool:
    return "struct" in parameter.keywords or "unmanaged" in parameter.keywords
