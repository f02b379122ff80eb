"""Library types as definitions: what a project sees of assemblies, in the terms of the symbol table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.metadata import library_types as metadata
from codemap_plugins.csharp.metadata import type_reference as written
from codemap_plugins.csharp.metadata.extension_blocks import extended_type
from codemap_plugins.csharp.metadata.reference_folders import library_types
from codemap_plugins.csharp.metadata.surface import TypeFlags, TypeSurface
from codemap_plugins.csharp.metadata.type_reference import split_metadata_name
from codemap_plugins.csharp.symbols.definitions import LibraryExtensionBlock, LibraryTypeDefinition
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    NamedType,
    PointerType,
    Type,
    TypeDefinition,
    TypeFactory,
)

_ASSUMED_STRUCTS: Final = frozenset(
    [
        "Boolean",
        "Byte",
        "Char",
        "Decimal",
        "Double",
        "Single",
        "Int32",
        "Int64",
        "IntPtr",
        "UIntPtr",
        "SByte",
        "Int16",
        "UInt32",
        "UInt64",
        "UInt16",
        "Void",
        "Nullable",
        "ValueTuple",
    ]
)


class Libraries:
    """Hands out one definition for each library type, whichever project asks."""

    def __init__(self, folders: Sequence[str | Path], cache_folder: Path | None, factory: TypeFactory) -> None:
        self.types: Final = factory
        self._types: Final = library_types(folders, cache_folder)
        self._definitions: dict[metadata.LibraryType, LibraryTypeDefinition] = {}
        self._origins: dict[LibraryTypeDefinition, tuple[metadata.LibraryType, metadata.LibraryView]] = {}
        self._assumed: dict[tuple[str, str, int], LibraryTypeDefinition] = {}
        self._bases: dict[LibraryTypeDefinition, tuple[Type, ...]] = {}
        self._surfaces: dict[LibraryTypeDefinition, TypeSurface] = {}
        self._blocks: dict[LibraryTypeDefinition, tuple[LibraryExtensionBlock, ...]] = {}
        self._texts: dict[tuple[str, metadata.LibraryView], Type] = {}
        self._views: dict[metadata.LibraryView, LibraryView] = {}
        self._directories: dict[str, Collection[str]] = {}
        self._homes: dict[str, tuple[str, ...]] = {}

    def has_assembly(self, name: str) -> bool:
        """Some catalog has an assembly of that name."""
        return name in self._types.assemblies

    def directory(self, namespace: str) -> Collection[str]:
        """Paths of what is declared in a namespace, nested types too, whoever sees it."""
        declared = self._directories.get(namespace)
        if declared is None:
            declared = self._directories[namespace] = self._types.directory(namespace)
            for path in declared:
                if "+" not in path:
                    self._homes[path] = (*self._homes.get(path, ()), namespace)
        return declared

    def homes(self, path: str) -> tuple[str, ...]:
        """The namespaces with a type of that path, of those whose directories were asked for."""
        return self._homes.get(path, ())

    def forget_types(self) -> None:
        """All types made of library definitions; the definitions and what assemblies say of them stay."""
        for definition in (*self._definitions.values(), *self._assumed.values()):
            definition.forget()
        for blocks in self._blocks.values():
            for block in blocks:
                block.forget()
        self._bases.clear()
        self._texts.clear()

    @property
    def digest(self) -> str:
        return self._types.digest

    @property
    def everything(self) -> metadata.LibraryView:
        """All assemblies, whichever project refers to them."""
        return self._types.everything

    def view(self, packages: Collection[str] | None, source_assemblies: Collection[str]) -> LibraryView:
        seen = self._types.view(packages, source_assemblies)
        view = self._views.get(seen)
        if view is None:
            view = self._views[seen] = LibraryView(self, seen)
        return view

    def definition(self, found: metadata.LibraryType, view: metadata.LibraryView) -> LibraryTypeDefinition:
        known = self._definitions.get(found)
        if known is None:
            name = split_metadata_name(found.metadata_name)
            known = LibraryTypeDefinition(name.namespace, name.path, found.kind, found.assembly, found.metadata_name)
            self._definitions[found] = known
            self._origins[known] = (found, view)
        return known

    def assumed(self, namespace: str, name: str, arity: int) -> LibraryTypeDefinition:
        """A type that the language needs and no library here declares."""
        key = (namespace, name, arity)
        known = self._assumed.get(key)
        if known is None:
            kind = SymbolKind.STRUCT if name in _ASSUMED_STRUCTS else SymbolKind.CLASS
            path = ((name, arity),)
            metadata_name = f"{namespace}.{name}" + (f"`{arity}" if arity else "")
            known = self._assumed[key] = LibraryTypeDefinition(namespace, path, kind, "", metadata_name)
        return known

    def nested(self, definition: LibraryTypeDefinition, name: str, arity: int) -> LibraryTypeDefinition | None:
        origin = self._origins.get(definition)
        if origin is None:
            return None
        found = origin[1].nested(origin[0], name, arity)
        return self.definition(found, origin[1]) if found is not None else None

    def bases(self, definition: LibraryTypeDefinition) -> tuple[Type, ...]:
        """Base class and interfaces; the type's parameters stand in them as such."""
        known = self._bases.get(definition)
        if known is not None:
            return known
        origin = self._origins.get(definition)
        result: tuple[Type, ...] = ()
        if origin is not None:
            found, view = origin
            texts = ([found.base] if found.base is not None else []) + list(found.interfaces)
            result = tuple(self._type(text, view) for text in texts)
        self._bases[definition] = result
        return result

    def surface(self, definition: LibraryTypeDefinition) -> TypeSurface | None:
        """The members of a library type; null for one that is assumed."""
        known = self._surfaces.get(definition)
        if known is None and definition in self._origins:
            known = self._surfaces[definition] = self._types.members(self._origins[definition][0])
        return known

    def extension_blocks(self, definition: LibraryTypeDefinition) -> tuple[LibraryExtensionBlock, ...]:
        """The extension blocks of a static class (C# 14)."""
        known = self._blocks.get(definition)
        if known is None:
            surface = self.surface(definition)
            declared = surface.extension_blocks if surface is not None else ()
            known = self._blocks[definition] = tuple(LibraryExtensionBlock(definition, block) for block in declared)
        return known

    def extended(self, block: LibraryExtensionBlock) -> Type:
        """The type that a block extends; its type parameters stand in it as those of a method."""
        return self.type_of(extended_type(block.declared), block.container)

    def surface_is_known(self, definition: LibraryTypeDefinition) -> bool:
        """False for an assumed type, and for one whose members the catalog leaves out: that it lacks a member proves nothing."""
        origin = self._origins.get(definition)
        return origin is not None and not origin[0].flags & TypeFlags.MEMBERS_OMITTED

    def is_static(self, definition: LibraryTypeDefinition) -> bool:
        origin = self._origins.get(definition)
        return origin is not None and origin[0].is_static

    def type_of(self, text: str, definition: LibraryTypeDefinition) -> Type:
        """A type text of a library type's member."""
        origin = self._origins.get(definition)
        if origin is None:
            return self.types.error(text)
        key = (text, origin[1])
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = self._type(written.parse_type(text), origin[1])
        return known

    def _type(self, reference: written.TypeRef, view: metadata.LibraryView) -> Type:
        match reference:
            case written.NamedType(definition=name, arguments=arguments, element_names=names):
                found = view.resolve(name)
                own = tuple(self._type(a, view) for a in arguments)
                return (
                    NamedType(self.definition(found, view), own, names)
                    if found is not None
                    else self.types.error(name, own)
                )
            case written.TypeParameterReference(index=index, of_method=of_method):
                return self.types.parameter(str(index), index, of_method)
            case written.ArrayType(element=element, rank=rank):
                return ArrayType(self._type(element, view), rank)
            case written.PointerType(element=element):
                return PointerType(self._type(element, view))
            case written.FunctionPointerType(returns=returns, parameters=parameters):
                types = tuple(self._type(each, view) for each in (*parameters, returns))
                return self.types.function_pointer(types, (0,) * len(parameters))
            case written.DynamicType():
                return self.types.dynamic


class LibraryView:
    """The libraries as one project sees them, and all others that see the same."""

    def __init__(self, libraries: Libraries, view: metadata.LibraryView) -> None:
        self._libraries: Final = libraries
        self._view: Final = view
        self._namespaces: Final = view.types.namespaces
        self._found: dict[tuple[str, str, int], LibraryTypeDefinition | None] = {}

    @property
    def metadata(self) -> metadata.LibraryView:
        return self._view

    def has_namespace(self, name: str) -> bool:
        return name in self._namespaces and self._view.has_namespace(name)  # as hardly any name is

    def extension_containers(self, namespace: str) -> list[LibraryTypeDefinition]:
        """Visible static classes of a namespace that declare extension members."""
        return [self._libraries.definition(found, self._view) for found in self._view.extension_containers(namespace)]

    def is_brought(self, definition: TypeDefinition) -> bool:
        """A library type of .NET or of a package of the project, not of an assembly that is merely at hand."""
        return isinstance(definition, LibraryTypeDefinition) and self._view.is_brought(definition.assembly)

    def look_into(self, namespace: str) -> None:
        """``homes`` counts the namespace from now on."""
        self._libraries.directory(namespace)

    def homes(self, name: str, arity: int) -> tuple[str, ...]:
        """Of the namespaces that were looked into, those with a type of that name, visible or not."""
        return self._libraries.homes(f"{name}`{arity}" if arity else name)

    def find(self, namespace: str, name: str, arity: int) -> LibraryTypeDefinition | None:
        if (f"{name}`{arity}" if arity else name) not in self._libraries.directory(namespace):  # as most names are not
            return None
        key = (namespace, name, arity)
        if key in self._found:
            return self._found[key]
        found = self._view.find(namespace, name, arity)
        result = self._libraries.definition(found, self._view) if found is not None else None
        self._found[key] = result
        return result
