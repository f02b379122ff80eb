"""``DocumentUnit``: all that analysing one C# file gives, compact and serialisable, without a syntax-tree node.

A unit is a pure function of the file's bytes, the project's defines and the analyser; it knows no path. It is stored in three sections,
so that each stage decodes no more than it needs:

- ``Outline``: namespaces, usings, type declarations. The declare stage reads it for every file.
- ``Members``: member declarations with signatures and documentation. Read per file, or per part of a partial type.
- ``Bodies``: lowered bodies, initialisers and arguments (``bodies`` module). Only binding reads them.

A file with text that the symbols leave out has an *alternative* behind these: the unit of the file with such text compiled, and without
what is then left out. Of its bodies it has those that hold some of that text.

In a packed unit members and bodies are compressed by Zstandard, each for itself: most units of a cache are declared and never bound.

Invariants: offsets are bytes into the document's UTF-8 text, spans half-open; lines are 1-based and inclusive; a change inside a body
changes only ``Bodies``, line numbers and content hashes. ``parent``, ``scope`` and ``body`` are indices, -1 for none.
"""

from __future__ import annotations

import struct
import sys
from bisect import bisect_right
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

import msgspec
from msgspec import Struct

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.flags import DecodedFlag
from codemap_plugins.csharp.page_names import PageKind
from codemap_plugins.csharp.source_text import PackedLines
from codemap_plugins.csharp.type_syntax import TypeSyntax

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

UNIT_FORMAT: Final = 9
"""Part of the analyser's fingerprint; raise it when the layout or the meaning of a field changes."""


class DeclarationKind(IntEnum):
    """The syntactic kind of a declaration; ``SymbolKind`` is the kind of the resulting symbol."""

    CLASS = 0
    STRUCT = 1
    INTERFACE = 2
    ENUM = 3
    DELEGATE = 4
    RECORD_CLASS = 5
    RECORD_STRUCT = 6
    EXTENSION_BLOCK = 7
    METHOD = 10
    CONSTRUCTOR = 11
    STATIC_CONSTRUCTOR = 12
    PRIMARY_CONSTRUCTOR = 13
    FINALIZER = 14
    PROPERTY = 15
    POSITIONAL_PROPERTY = 16
    INDEXER = 17
    FIELD = 18
    CONSTANT = 19
    ENUM_MEMBER = 20
    EVENT = 21
    FIELD_LIKE_EVENT = 22
    OPERATOR = 23
    CONVERSION = 24
    TOP_LEVEL_MAIN = 25


SYMBOL_KINDS: Final = {
    DeclarationKind.CLASS: SymbolKind.CLASS,
    DeclarationKind.STRUCT: SymbolKind.STRUCT,
    DeclarationKind.INTERFACE: SymbolKind.INTERFACE,
    DeclarationKind.ENUM: SymbolKind.ENUM,
    DeclarationKind.DELEGATE: SymbolKind.DELEGATE,
    DeclarationKind.RECORD_CLASS: SymbolKind.RECORD,
    DeclarationKind.RECORD_STRUCT: SymbolKind.RECORD,
    DeclarationKind.EXTENSION_BLOCK: SymbolKind.CLASS,
}
"""Of declarations of types."""


class Modifiers(DecodedFlag):
    NONE = 0
    PUBLIC = 1
    INTERNAL = 2
    PROTECTED = 4
    PRIVATE = 8
    STATIC = 16
    ABSTRACT = 32
    VIRTUAL = 64
    OVERRIDE = 128
    SEALED = 256
    PARTIAL = 512
    READONLY = 1024
    CONST = 2048
    NEW = 4096
    EXTERN = 8192
    ASYNC = 16384
    UNSAFE = 32768
    VOLATILE = 65536
    REQUIRED = 131072
    FILE = 262144
    REF = 524288
    FIXED = 1048576

    @property
    def accessibility(self) -> Modifiers:
        return _ACCESSIBILITIES[self._value_ & 15]


_ACCESSIBILITIES: Final = tuple(Modifiers(bits) for bits in range(16))


class RootRole(IntEnum):
    """The role of a lowered root in its declaration."""

    BODY = 0
    GET = 1
    SET = 2
    ADD = 3
    REMOVE = 4
    INITIALIZER = 5
    """Of a field, property or enum member; index 1: the size of a fixed buffer."""
    CONSTRUCTOR_INITIALIZER = 6
    BASE_ARGUMENTS = 7
    """Arguments that a primary constructor hands to the base type."""
    PARAMETERS = 8
    ATTRIBUTES = 9
    STATEMENT = 10
    """Top-level statements, in order."""


class UsingDirective(Struct, frozen=True, array_like=True):
    """ECMA-334 §14.5. ``alias`` is empty unless it is an alias directive."""

    target: TypeSyntax
    alias: str = ""
    is_global: bool = False
    is_static: bool = False
    alias_offset: int = 0


class Scope(Struct, frozen=True, array_like=True):
    """A namespace body, or the compilation unit (the first scope, empty name). ``name`` may be dotted: ``A.B`` is two namespaces, whose
    usings belong to the inner one."""

    parent: int
    name: str
    usings: tuple[UsingDirective, ...] = ()
    extern_aliases: tuple[str, ...] = ()
    name_offsets: tuple[int, ...] = ()


class AttributeSyntax(Struct, frozen=True, array_like=True):
    """``target``: ``return``, ``assembly``… or empty. Arguments: constant value or null, and whether it is one; ``text`` as written."""

    name: TypeSyntax
    target: str
    arguments: tuple[AttributeArgument, ...]
    line_start: int
    line_end: int


_XMLNS_DEFINITION: Final = "XmlnsDefinition"


def xmlns_definition(attribute: AttributeSyntax) -> tuple[str, str]:
    """The XML namespace and the namespace of ``[assembly: XmlnsDefinition("…", "…")]``; empty texts for any other attribute."""
    name = attribute.name.text.rpartition(".")[2].removesuffix("Attribute")
    given = [each.value for each in attribute.arguments[:2] if isinstance(each.value, str)]
    return (given[0], given[1]) if name == _XMLNS_DEFINITION and len(given) == 2 else ("", "")


class AttributeArgument(Struct, frozen=True, array_like=True):
    name: str
    """Of ``Name = value`` and ``name: value``; empty for a positional argument."""
    value: str | int | float | bool | None
    is_constant: bool
    text: str


class TypeParameter(Struct, frozen=True, array_like=True):
    name: str
    offset: int
    variance: str = ""
    """``in``, ``out`` or empty."""
    constraints: tuple[TypeSyntax, ...] = ()
    keywords: tuple[str, ...] = ()
    """``class``, ``struct``, ``notnull``, ``unmanaged``, ``default``, ``new()``, ``allows ref struct``."""


class Parameter(Struct, frozen=True, array_like=True):
    name: str
    type: TypeSyntax | None
    """Null for ``__arglist``."""
    modifiers: tuple[str, ...]
    """``ref``, ``out``, ``in``, ``ref readonly`` as two words, ``params``, ``this``, ``scoped``."""
    offset: int
    default: str | None
    span: tuple[int, int]
    attributes: tuple[AttributeSyntax, ...] = ()


class Accessor(Struct, frozen=True, array_like=True):
    """``name``: get, set, init, add, remove."""

    name: str
    modifiers: Modifiers
    has_body: bool


class DocComment(Struct, frozen=True, array_like=True):
    """A documentation comment read (ECMA-334 annex D): text for people, and each ``cref`` with its byte offset."""

    summary: str
    rest: str
    crefs: tuple[tuple[str, int], ...] = ()
    inherits: bool = False
    exceptions: tuple[int, ...] = ()
    """Which of the ``crefs``, by index, belong to an ``<exception>``."""


class TypeDeclaration(Struct, frozen=True, array_like=True):
    """One declaration of a type. ``members`` is the half-open range of its direct members in ``Members.declarations``."""

    kind: DeclarationKind
    name: str
    parent: int
    """Index of the containing type declaration."""
    scope: int
    modifiers: Modifiers
    type_parameters: tuple[TypeParameter, ...]
    bases: tuple[TypeSyntax, ...]
    span: tuple[int, int]
    line_start: int
    line_end: int
    name_offset: int
    signature: str
    content_hash: str
    doc: DocComment | None
    attributes: tuple[AttributeSyntax, ...]
    receiver: Parameter | None
    """Of an extension block."""
    condition: str
    """Empty, or what must hold for an inactive region to be compiled."""
    broken: bool
    """Syntax errors around it: its place or name may be wrong."""
    parameters: tuple[Parameter, ...] = ()
    """Of a delegate, or of a primary constructor."""
    return_type: TypeSyntax | None = None
    """Of a delegate."""
    has_primary_constructor: bool = False
    body: int = -1
    """Index into the bodies section: attributes, parameters of a delegate; -1 for nothing there."""

    @property
    def is_program(self) -> bool:
        """It is the class that top-level statements declare (ECMA-334 §7.1.3): no keyword stands before its name."""
        return self.name == "Program" and self.parent < 0 and self.name_offset == self.span[0]


class MemberDeclaration(Struct, frozen=True, array_like=True):
    kind: DeclarationKind
    name: str
    """As in metadata: ``Submit``, ``Item``, ``op_Addition``, ``.ctor``; explicit implementations without their interface."""
    parent: int
    """Index of the containing type declaration in ``Outline.types``; top-level statements have a ``Program`` of their own there."""
    modifiers: Modifiers
    type_parameters: tuple[TypeParameter, ...]
    parameters: tuple[Parameter, ...]
    type: TypeSyntax | None
    """Return type, or the type of a property, field or event."""
    explicit_interface: TypeSyntax | None
    accessors: tuple[Accessor, ...]
    span: tuple[int, int]
    line_start: int
    line_end: int
    name_offset: int
    signature: str
    content_hash: str
    doc: DocComment | None
    attributes: tuple[AttributeSyntax, ...]
    body: int
    """Index into the bodies section; -1 for nothing there."""
    condition: str
    broken: bool


class Region(Struct, frozen=True, array_like=True):
    """Text between conditional directives, as a half-open span, and what must hold for it to be compiled."""

    start: int
    end: int
    condition: str


def region_at(regions: Sequence[Region], start: int, end: int) -> Region | None:
    """The first of regions, in order and apart, that a half-open span meets; null where it meets none."""
    at = bisect_right(regions, start, key=_start)
    if at and start < regions[at - 1].end:
        return regions[at - 1]
    return regions[at] if at < len(regions) and regions[at].start < end else None


def _start(region: Region) -> int:
    return region.start


class Outline(Struct, frozen=True, array_like=True):
    scopes: tuple[Scope, ...]
    types: tuple[TypeDeclaration, ...]
    attributes: tuple[AttributeSyntax, ...]
    """Of the assembly and module."""
    lines: PackedLines
    has_extension_methods: bool
    body: int = -1
    """Index into the bodies section: ``attributes``; -1 for nothing there."""
    page: PageKind = PageKind.NONE
    """What the text was made from."""
    regions: tuple[Region, ...] = ()
    """Of an alternative: the text that the symbols leave out, in order."""


class Members(Struct, frozen=True, array_like=True):
    declarations: tuple[MemberDeclaration, ...]


class DocumentUnit(Struct, frozen=True):
    outline: Outline
    members: Members
    bodies: bytes
    alternative: DocumentUnit | None = None


_HEADER: Final = struct.Struct("<I?III")
"""The format, whether the unit is packed, the bytes of the outline, those of the members and those of the bodies."""
_compressor: Final = zstd.ZstdCompressor(level=1)
"""Kept, as making one takes longer than packing most units. What it does takes a fifth of the time of zlib's fastest and leaves as much."""
_MAX_SECTION: Final = 1 << 28
"""Bytes of one section: a unit may come from another machine."""
_encoder: Final = msgspec.msgpack.Encoder()
_outline_decoder: Final = msgspec.msgpack.Decoder(Outline)
_members_decoder: Final = msgspec.msgpack.Decoder(Members)
_roots_decoder: Final = msgspec.msgpack.Decoder(list[list[list[Any]]])


def encode_unit(unit: DocumentUnit) -> bytes:
    """Not packed."""
    outline = _encoder.encode(unit.outline)
    members = _encoder.encode(unit.members)
    header = _HEADER.pack(UNIT_FORMAT, False, len(outline), len(members), len(unit.bodies))
    alternative = encode_unit(unit.alternative) if unit.alternative is not None else b""
    return b"".join((header, outline, members, unit.bodies, alternative))


def pack_unit(data: bytes) -> bytes:
    """The encoded unit, smaller."""
    is_packed, start, middle, end = _sections(data)
    if is_packed:
        return data
    view = memoryview(data)
    members, bodies = _compressed(view[start:middle]), _compressed(view[middle:end])
    header = _HEADER.pack(UNIT_FORMAT, True, start - _HEADER.size, len(members), len(bodies))
    alternative = pack_unit(data[end:]) if end < len(data) else b""
    return b"".join((header, data[_HEADER.size : start], members, bodies, alternative))


def alternative_of(data: bytes) -> bytes:
    """The encoded alternative of an encoded unit; empty where it has none."""
    return data[_sections(data)[3] :]


def has_alternative(data: bytes) -> bool:
    return _sections(data)[3] < len(data)


def _sections(data: bytes) -> tuple[bool, int, int, int]:
    """Whether the unit is packed, where the outline ends, where the members do, and where the bodies do."""
    _, is_packed, outline, members, bodies = _HEADER.unpack_from(data)
    start = _HEADER.size + outline
    return is_packed, start, start + members, start + members + bodies


def _compressed(section: memoryview) -> bytes:
    return _compressor.compress(section, zstd.ZstdCompressor.FLUSH_FRAME)


def _expanded(section: memoryview) -> bytes:
    unpacker = zstd.ZstdDecompressor()
    expanded = unpacker.decompress(section, _MAX_SECTION)
    if not unpacker.eof:
        raise ValueError("a section of a unit is cut short or too long")
    return expanded


def decode_outline(data: bytes) -> Outline:
    _, end, _, _ = _sections(data)
    return _outline_decoder.decode(memoryview(data)[_HEADER.size : end])


def decode_members(data: bytes) -> Members:
    is_packed, start, end, _ = _sections(data)
    section = memoryview(data)[start:end]
    return _members_decoder.decode(_expanded(section) if is_packed else section)


def encoded_bodies(data: bytes) -> bytes:
    """The bodies section, for ``decode_roots``."""
    is_packed, _, start, end = _sections(data)
    section = memoryview(data)[start:end]
    return _expanded(section) if is_packed else bytes(section)


def decode_roots(bodies: bytes) -> list[list[list[Any]]]:
    """For each declaration the entries that ``declarations.roots`` made; empty for a unit without bodies."""
    return _roots_decoder.decode(bodies) if len(bodies) else []
