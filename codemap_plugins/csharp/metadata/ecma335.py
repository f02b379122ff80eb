"""Reads one assembly's public and protected surface (ECMA-335 partition II).

Kept are types and members that code in another assembly can name. Names the C# language cannot spell (``<…>``) are
dropped, extension blocks' grouping types excepted. The reader is lenient where compilers are and strict where it would
have to guess.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.metadata import custom_attributes as known
from codemap_plugins.csharp.metadata.custom_attributes import CustomAttributes
from codemap_plugins.csharp.metadata.image import BadImageFormatError
from codemap_plugins.csharp.metadata.member_reader import MemberReader, grouped
from codemap_plugins.csharp.metadata.signatures import SignatureDecoder
from codemap_plugins.csharp.metadata.surface import (
    AssemblySurface,
    ExtensionBlock,
    Field,
    Method,
    TypeFlags,
    TypeSurface,
)
from codemap_plugins.csharp.metadata.tables import IMPLEMENTATION, MetadataTables, Table, decode_coded

MAX_SIZE = 256 * 1024 * 1024
"""Bytes; a larger file is refused unread."""

_MALFORMED = (struct.error, IndexError, KeyError, ValueError, OverflowError, RecursionError)
_IMPLIED_BASES = {
    "System.Enum": SymbolKind.ENUM,
    "System.ValueType": SymbolKind.STRUCT,
    "System.MulticastDelegate": SymbolKind.DELEGATE,
}
# TypeAttributes (II.23.1.15)
_NESTED_VISIBILITY = {2: 0, 4: int(TypeFlags.PROTECTED), 7: int(TypeFlags.PROTECTED_INTERNAL)}
_TYPE_INTERFACE, _TYPE_ABSTRACT, _TYPE_SEALED, _TYPE_FORWARDER = 0x20, 0x80, 0x100, 0x200000


def read_assembly(data: bytes) -> AssemblySurface:
    """The surface of the assembly in ``data``. Raises: BadImageFormatError when it is none, or corrupt; nothing
    else."""
    if len(data) > MAX_SIZE:
        raise BadImageFormatError("larger than any assembly: not read")
    try:
        return _AssemblyReader(MetadataTables(data)).read()
    except _MALFORMED as error:
        raise BadImageFormatError(f"the assembly is corrupt or truncated ({type(error).__name__})") from error


class _AssemblyReader:
    def __init__(self, tables: MetadataTables) -> None:
        self._tables = tables
        self._decoder = SignatureDecoder(tables)
        self._attributes = CustomAttributes(tables, self._decoder)
        self._members = MemberReader(tables, self._decoder, self._attributes)
        self._enclosing = {row[0]: row[1] for row in tables.rows(Table.NESTED_CLASS)}
        self._nested = grouped((row[1], row[0]) for row in tables.rows(Table.NESTED_CLASS))
        self._interfaces = grouped(tables.rows(Table.INTERFACE_IMPL))

    def read(self) -> AssemblySurface:
        tables = self._tables
        if not tables.counts.get(Table.ASSEMBLY):
            raise BadImageFormatError("a module without an assembly manifest")
        assembly = tables.rows(Table.ASSEMBLY)[0]
        found = self._attributes.of(Table.ASSEMBLY, 1)
        return AssemblySurface(
            name=tables.name(assembly[7]),
            version=(assembly[1], assembly[2], assembly[3], assembly[4]),
            references=tuple(sorted({tables.name(row[6]) for row in tables.rows(Table.ASSEMBLY_REF)})),
            types=tuple(self._types()),
            forwarders=tuple(self._forwarders()),
            friends=tuple(self._attributes.friends),
            company=self._attributes.string(found, known.COMPANY),
            copyright=self._attributes.string(found, known.COPYRIGHT),
        )

    def _forwarders(self) -> Iterator[tuple[str, str]]:
        tables = self._tables
        for flags, _, name, namespace, implementation in tables.rows(Table.EXPORTED_TYPE):
            table, rid = decode_coded(IMPLEMENTATION, implementation)
            if table is Table.ASSEMBLY_REF and flags & _TYPE_FORWARDER:
                prefix = tables.name(namespace)
                target = tables.name(tables.rows(Table.ASSEMBLY_REF)[rid - 1][6])
                yield f"{prefix}.{tables.name(name)}" if prefix else tables.name(name), target

    def _types(self) -> Iterator[TypeSurface]:
        visible: dict[int, int] = {}
        for rid, row in enumerate(self._tables.rows(Table.TYPE_DEF), 1):
            access = row[0] & 7
            if access == 1:
                visible[rid] = 0
            elif access in _NESTED_VISIBILITY and self._enclosing.get(rid) in visible:
                visible[rid] = _NESTED_VISIBILITY[access]
            else:
                continue
            if self._tables.name(row[1]).startswith("<"):
                del visible[rid]
                continue
            yield self._type(rid, row, visible[rid])

    def _type(self, rid: int, row: tuple[int, ...], flags: int) -> TypeSurface:
        name = self._decoder.name_of(Table.TYPE_DEF, rid)
        base = self._decoder.type_name(row[3])
        found = self._attributes.of(Table.TYPE_DEF, rid)
        kind = SymbolKind.INTERFACE if row[0] & _TYPE_INTERFACE else _IMPLIED_BASES.get(base, SymbolKind.CLASS)
        if name in _IMPLIED_BASES:
            kind = SymbolKind.CLASS
        elif base in _IMPLIED_BASES or base == "System.Object":
            base = ""
        members = self._members
        methods = tuple(members.methods(rid))
        fields = tuple(members.fields(rid))
        underlying = ""
        if kind is SymbolKind.ENUM:
            underlying, fields = _without_enum_storage(fields)
        elif kind is SymbolKind.STRUCT and not any(m.name == ".ctor" and not m.parameters for m in methods):
            methods = (*methods, Method(".ctor", 0, "System.Void"))
        is_abstract, is_sealed = row[0] & _TYPE_ABSTRACT, row[0] & _TYPE_SEALED
        if kind is SymbolKind.CLASS:
            if is_abstract and is_sealed:
                flags |= TypeFlags.STATIC
            elif is_abstract:
                flags |= TypeFlags.ABSTRACT
            elif is_sealed:
                flags |= TypeFlags.SEALED
        if kind is SymbolKind.CLASS and members.is_record(rid):
            flags |= TypeFlags.RECORD
        for attribute, flag in _TYPE_ATTRIBUTES.items():
            if attribute in found:
                flags |= flag
        return TypeSurface(
            name,
            kind,
            flags,
            base,
            tuple(self._decoder.type_name(coded) for coded in self._interfaces.get(rid, ())),
            members.type_parameters(Table.TYPE_DEF, rid),
            methods,
            tuple(members.properties(rid)),
            fields,
            tuple(members.events(rid)),
            self._attributes.string(found, known.DEFAULT_MEMBER),
            underlying,
            tuple(self._extension_blocks(rid)) if known.EXTENSION in found else (),
        )

    def _extension_blocks(self, rid: int) -> Iterator[ExtensionBlock]:
        """The C# 14 extension blocks of a static class. Each is a marker type ``<M>$…`` (type parameters, receiver)
        inside a grouping type ``<G>$…``, which holds the members of all blocks that look alike to the runtime."""
        for group in self._nested.get(rid, ()):
            if not self._simple_name(group).startswith("<G>$"):
                continue
            for marker in self._nested.get(group, ()):
                receiver = self._members.extension_receiver(marker)
                if receiver is not None:
                    name = self._simple_name(marker)
                    yield ExtensionBlock(
                        receiver,
                        self._members.type_parameters(Table.TYPE_DEF, marker),
                        tuple(self._members.methods(group, name)),
                        tuple(self._members.properties(group, name)),
                    )

    def _simple_name(self, rid: int) -> str:
        return self._tables.name(self._tables.rows(Table.TYPE_DEF)[rid - 1][1])


_TYPE_ATTRIBUTES = {
    known.EXTENSION: TypeFlags.HAS_EXTENSIONS,
    known.IS_BY_REF_LIKE: TypeFlags.REF_STRUCT,
    known.OBSOLETE: TypeFlags.OBSOLETE,
    known.STRING_HANDLER: TypeFlags.INTERPOLATED_STRING_HANDLER,
    known.COLLECTION_BUILDER: TypeFlags.COLLECTION_BUILDER,
    known.IS_READONLY: TypeFlags.READONLY,
}


def _without_enum_storage(fields: tuple[Field, ...]) -> tuple[str, tuple[Field, ...]]:
    """The type of ``value__``, and the enum members."""
    underlying = next((field.type for field in fields if field.name == "value__"), "System.Int32")
    members = tuple(field for field in fields if field.name != "value__")
    return underlying, members
