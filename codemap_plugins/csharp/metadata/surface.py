"""The part of an assembly that code outside it can see: its public and protected types and members, without bodies,
documentation or internals.

These structs are also the stored form (``array_like``: positions are the format; ``catalog.FORMAT`` changes with them).
Types stand in them as type texts (``type_reference.parse_type`` reads them). Order is that of the metadata.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from codemap_core.model import SymbolKind, Visibility

Constant = str | int | float | bool | None


class RefKind(IntEnum):
    """How a parameter or returned value is passed."""

    NONE = 0
    REF = 1
    OUT = 2
    IN = 3
    REF_READONLY = 4


class TypeFlags(IntEnum):
    """Bits of ``TypeSurface.flags``; added up they are an integer, as an ``IntFlag`` costs a Python call for each ``&`` and ``|``."""

    PROTECTED = 1
    PROTECTED_INTERNAL = 2
    STATIC = 4
    ABSTRACT = 8
    SEALED = 16
    RECORD = 32
    REF_STRUCT = 64
    HAS_EXTENSIONS = 128
    """A static class that declares extension methods."""
    OBSOLETE = 256
    INTERPOLATED_STRING_HANDLER = 512
    COLLECTION_BUILDER = 1024
    READONLY = 2048
    MEMBERS_OMITTED = 4096
    """The catalog keeps no members of this type, to stay small."""


class MemberFlags(IntEnum):
    """Bits of ``flags`` of methods, properties, fields and events."""

    PROTECTED = 1
    PROTECTED_INTERNAL = 2
    STATIC = 4
    ABSTRACT = 8
    VIRTUAL = 16
    OVERRIDE = 32
    SEALED = 64
    EXTENSION = 128
    OBSOLETE = 256
    VARARG = 512
    REQUIRED = 1024
    CONST = 2048
    READONLY = 4096
    HAS_GETTER = 8192
    HAS_SETTER = 16384
    INIT_ONLY = 32768
    """The setter is ``init``."""
    SETTER_PROTECTED = 65536
    GETTER_PROTECTED = 131072
    STATIC_ABSTRACT = 262144
    """A static slot of an interface (C# 11)."""


class TypeParameterFlags(IntEnum):
    """Bits of ``TypeParameter.flags``."""

    COVARIANT = 1
    CONTRAVARIANT = 2
    CLASS = 4
    STRUCT = 8
    NEW = 16
    ALLOWS_REF_STRUCT = 32


def visibility(flags: int) -> Visibility:
    """Declared accessibility of a type or member; only what other assemblies may see is kept."""
    if flags & MemberFlags.PROTECTED:
        return Visibility.PROTECTED
    return Visibility.PROTECTED_INTERNAL if flags & MemberFlags.PROTECTED_INTERNAL else Visibility.PUBLIC


class TypeParameter(Struct, frozen=True, array_like=True, gc=False):
    name: str
    flags: int = 0
    constraints: tuple[str, ...] = ()
    """Type texts of class and interface constraints."""


class Parameter(Struct, frozen=True, array_like=True, gc=False):
    name: str
    type: str
    ref_kind: RefKind = RefKind.NONE
    is_optional: bool = False
    is_params: bool = False


class Method(Struct, frozen=True, array_like=True, gc=False):
    """A method, constructor (``.ctor``), operator or conversion (``op_…``); accessors are part of their property or
    event."""

    name: str
    flags: int
    returns: str
    parameters: tuple[Parameter, ...] = ()
    type_parameters: tuple[TypeParameter, ...] = ()
    returns_ref: bool = False
    priority: int = 0
    """OverloadResolutionPriorityAttribute."""


class Property(Struct, frozen=True, array_like=True, gc=False):
    """A property, or an indexer when it has parameters."""

    name: str
    flags: int
    type: str
    parameters: tuple[Parameter, ...] = ()
    returns_ref: bool = False
    priority: int = 0


class Field(Struct, frozen=True, array_like=True, gc=False):
    """A field or enum member; ``value`` of constants."""

    name: str
    flags: int
    type: str
    value: Constant = None


class Event(Struct, frozen=True, array_like=True, gc=False):
    name: str
    flags: int
    type: str


class ExtensionBlock(Struct, frozen=True, array_like=True, gc=False):
    """``extension(receiver) { … }`` (C# 14): members as declared, without the receiver. ``!n`` in their types means the
    type parameters of the block. The static class also holds their implementation methods, which ids name."""

    receiver: Parameter
    type_parameters: tuple[TypeParameter, ...] = ()
    methods: tuple[Method, ...] = ()
    properties: tuple[Property, ...] = ()


class TypeSurface(Struct, frozen=True, array_like=True, gc=False):
    """One type. A struct always has its constructor without parameters, declared or not. ``base``: type text, empty for
    ``System.Object``, an interface, and the bases every struct, enum and delegate has."""

    name: str
    """Metadata name: ``System.Collections.Generic.Dictionary`2+Enumerator``."""
    kind: SymbolKind
    flags: int
    base: str = ""
    interfaces: tuple[str, ...] = ()
    type_parameters: tuple[TypeParameter, ...] = ()
    """The type parameters of this type and its enclosing types, in order."""
    methods: tuple[Method, ...] = ()
    properties: tuple[Property, ...] = ()
    fields: tuple[Field, ...] = ()
    events: tuple[Event, ...] = ()
    default_member: str = ""
    """DefaultMemberAttribute: the metadata name of the indexers (IndexerName); empty when there are none."""
    underlying: str = ""
    """The type that an enum is stored in."""
    extension_blocks: tuple[ExtensionBlock, ...] = ()


class AssemblySurface(Struct, frozen=True, kw_only=True, gc=False):
    name: str
    version: tuple[int, int, int, int]
    references: tuple[str, ...] = ()
    """Simple names of the assemblies it refers to, sorted."""
    types: tuple[TypeSurface, ...] = ()
    forwarders: tuple[tuple[str, str], ...] = ()
    """(metadata name, assembly) of types that moved elsewhere."""
    friends: tuple[str, ...] = ()
    """InternalsVisibleTo."""
    company: str = ""
    copyright: str = ""
