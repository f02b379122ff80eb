"""The tables of the ``#~`` (or uncompressed ``#-``) stream and the heaps they point into (ECMA-335 II.22 and II.24.2).

Rows are plain tuples of integers, unpacked a whole table at a time and only when asked for. Row numbers ("rids") are
1-based as in the standard; ``rows(table)[rid - 1]`` is the row.
"""

from __future__ import annotations

from enum import IntEnum
from struct import Struct as Layout
from struct import unpack_from

from codemap_plugins.csharp.metadata.image import BadImageFormatError, metadata_streams

_HEAP_REUSE = 16
"""Names and blobs may share bytes (a name that ends like another one), so all of them together may be longer than their
heap; this many times is corrupt. Bounds the work that a hostile file can cause."""

Row = tuple[int, ...]


class Table(IntEnum):
    MODULE = 0x00
    TYPE_REF = 0x01
    TYPE_DEF = 0x02
    FIELD_PTR = 0x03
    FIELD = 0x04
    METHOD_PTR = 0x05
    METHOD_DEF = 0x06
    PARAM_PTR = 0x07
    PARAM = 0x08
    INTERFACE_IMPL = 0x09
    MEMBER_REF = 0x0A
    CONSTANT = 0x0B
    CUSTOM_ATTRIBUTE = 0x0C
    FIELD_MARSHAL = 0x0D
    DECL_SECURITY = 0x0E
    CLASS_LAYOUT = 0x0F
    FIELD_LAYOUT = 0x10
    STAND_ALONE_SIG = 0x11
    EVENT_MAP = 0x12
    EVENT_PTR = 0x13
    EVENT = 0x14
    PROPERTY_MAP = 0x15
    PROPERTY_PTR = 0x16
    PROPERTY = 0x17
    METHOD_SEMANTICS = 0x18
    METHOD_IMPL = 0x19
    MODULE_REF = 0x1A
    TYPE_SPEC = 0x1B
    IMPL_MAP = 0x1C
    FIELD_RVA = 0x1D
    ENC_LOG = 0x1E
    ENC_MAP = 0x1F
    ASSEMBLY = 0x20
    ASSEMBLY_PROCESSOR = 0x21
    ASSEMBLY_OS = 0x22
    ASSEMBLY_REF = 0x23
    ASSEMBLY_REF_PROCESSOR = 0x24
    ASSEMBLY_REF_OS = 0x25
    FILE = 0x26
    EXPORTED_TYPE = 0x27
    MANIFEST_RESOURCE = 0x28
    NESTED_CLASS = 0x29
    GENERIC_PARAM = 0x2A
    METHOD_SPEC = 0x2B
    GENERIC_PARAM_CONSTRAINT = 0x2C


# Coded indexes (II.24.2.6): the tables a tag selects. None: a tag that is not used.
TYPE_DEF_OR_REF = (Table.TYPE_DEF, Table.TYPE_REF, Table.TYPE_SPEC)
HAS_CONSTANT = (Table.FIELD, Table.PARAM, Table.PROPERTY)
HAS_CUSTOM_ATTRIBUTE = (
    Table.METHOD_DEF,
    Table.FIELD,
    Table.TYPE_REF,
    Table.TYPE_DEF,
    Table.PARAM,
    Table.INTERFACE_IMPL,
    Table.MEMBER_REF,
    Table.MODULE,
    Table.DECL_SECURITY,
    Table.PROPERTY,
    Table.EVENT,
    Table.STAND_ALONE_SIG,
    Table.MODULE_REF,
    Table.TYPE_SPEC,
    Table.ASSEMBLY,
    Table.ASSEMBLY_REF,
    Table.FILE,
    Table.EXPORTED_TYPE,
    Table.MANIFEST_RESOURCE,
    Table.GENERIC_PARAM,
    Table.GENERIC_PARAM_CONSTRAINT,
    Table.METHOD_SPEC,
)
HAS_FIELD_MARSHAL = (Table.FIELD, Table.PARAM)
HAS_DECL_SECURITY = (Table.TYPE_DEF, Table.METHOD_DEF, Table.ASSEMBLY)
MEMBER_REF_PARENT = (Table.TYPE_DEF, Table.TYPE_REF, Table.MODULE_REF, Table.METHOD_DEF, Table.TYPE_SPEC)
HAS_SEMANTICS = (Table.EVENT, Table.PROPERTY)
METHOD_DEF_OR_REF = (Table.METHOD_DEF, Table.MEMBER_REF)
MEMBER_FORWARDED = (Table.FIELD, Table.METHOD_DEF)
IMPLEMENTATION = (Table.FILE, Table.ASSEMBLY_REF, Table.EXPORTED_TYPE)
CUSTOM_ATTRIBUTE_TYPE = (None, None, Table.METHOD_DEF, Table.MEMBER_REF, None)
RESOLUTION_SCOPE = (Table.MODULE, Table.MODULE_REF, Table.ASSEMBLY_REF, Table.TYPE_REF)
TYPE_OR_METHOD_DEF = (Table.TYPE_DEF, Table.METHOD_DEF)

_Coded = tuple[Table | None, ...]
_S, _G, _B = "strings", "guids", "blobs"
_HEAP_BITS = {_S: 1, _G: 2, _B: 4}

# Columns: 2 or 4 (a constant of that many bytes), a heap, a table (a rid) or a coded index.
_SCHEMA: dict[Table, tuple[int | str | Table | _Coded, ...]] = {
    Table.MODULE: (2, _S, _G, _G, _G),
    Table.TYPE_REF: (RESOLUTION_SCOPE, _S, _S),
    Table.TYPE_DEF: (4, _S, _S, TYPE_DEF_OR_REF, Table.FIELD, Table.METHOD_DEF),
    Table.FIELD_PTR: (Table.FIELD,),
    Table.FIELD: (2, _S, _B),
    Table.METHOD_PTR: (Table.METHOD_DEF,),
    Table.METHOD_DEF: (4, 2, 2, _S, _B, Table.PARAM),
    Table.PARAM_PTR: (Table.PARAM,),
    Table.PARAM: (2, 2, _S),
    Table.INTERFACE_IMPL: (Table.TYPE_DEF, TYPE_DEF_OR_REF),
    Table.MEMBER_REF: (MEMBER_REF_PARENT, _S, _B),
    Table.CONSTANT: (2, HAS_CONSTANT, _B),
    Table.CUSTOM_ATTRIBUTE: (HAS_CUSTOM_ATTRIBUTE, CUSTOM_ATTRIBUTE_TYPE, _B),
    Table.FIELD_MARSHAL: (HAS_FIELD_MARSHAL, _B),
    Table.DECL_SECURITY: (2, HAS_DECL_SECURITY, _B),
    Table.CLASS_LAYOUT: (2, 4, Table.TYPE_DEF),
    Table.FIELD_LAYOUT: (4, Table.FIELD),
    Table.STAND_ALONE_SIG: (_B,),
    Table.EVENT_MAP: (Table.TYPE_DEF, Table.EVENT),
    Table.EVENT_PTR: (Table.EVENT,),
    Table.EVENT: (2, _S, TYPE_DEF_OR_REF),
    Table.PROPERTY_MAP: (Table.TYPE_DEF, Table.PROPERTY),
    Table.PROPERTY_PTR: (Table.PROPERTY,),
    Table.PROPERTY: (2, _S, _B),
    Table.METHOD_SEMANTICS: (2, Table.METHOD_DEF, HAS_SEMANTICS),
    Table.METHOD_IMPL: (Table.TYPE_DEF, METHOD_DEF_OR_REF, METHOD_DEF_OR_REF),
    Table.MODULE_REF: (_S,),
    Table.TYPE_SPEC: (_B,),
    Table.IMPL_MAP: (2, MEMBER_FORWARDED, _S, Table.MODULE_REF),
    Table.FIELD_RVA: (4, Table.FIELD),
    Table.ENC_LOG: (4, 4),
    Table.ENC_MAP: (4,),
    Table.ASSEMBLY: (4, 2, 2, 2, 2, 4, _B, _S, _S),
    Table.ASSEMBLY_PROCESSOR: (4,),
    Table.ASSEMBLY_OS: (4, 4, 4),
    Table.ASSEMBLY_REF: (2, 2, 2, 2, 4, _B, _S, _S, _B),
    Table.ASSEMBLY_REF_PROCESSOR: (4, Table.ASSEMBLY_REF),
    Table.ASSEMBLY_REF_OS: (4, 4, 4, Table.ASSEMBLY_REF),
    Table.FILE: (4, _S, _B),
    Table.EXPORTED_TYPE: (4, 4, _S, _S, IMPLEMENTATION),
    Table.MANIFEST_RESOURCE: (4, 4, _S, IMPLEMENTATION),
    Table.NESTED_CLASS: (Table.TYPE_DEF, Table.TYPE_DEF),
    Table.GENERIC_PARAM: (2, 2, TYPE_OR_METHOD_DEF, _S),
    Table.METHOD_SPEC: (METHOD_DEF_OR_REF, _B),
    Table.GENERIC_PARAM_CONSTRAINT: (Table.GENERIC_PARAM, TYPE_DEF_OR_REF),
}

_TAG_BITS: dict[_Coded, int] = {}


def _tag_bits(coded: _Coded) -> int:
    bits = _TAG_BITS.get(coded)
    if bits is None:
        bits = _TAG_BITS[coded] = (len(coded) - 1).bit_length()
    return bits


def decode_coded(coded: _Coded, value: int) -> tuple[Table, int]:
    """A coded index to its table and rid (0: null). Raises: BadImageFormatError for a tag that is not used."""
    bits = _tag_bits(coded)
    tag = value & ((1 << bits) - 1)
    table = coded[tag] if tag < len(coded) else None
    if table is None:
        raise BadImageFormatError("a coded index with an unknown tag: the assembly is corrupt")
    return table, value >> bits


class MetadataTables:
    """Tables and heaps of one image. Raises: BadImageFormatError, struct.error, IndexError (see
    ``image.metadata_streams``)."""

    def __init__(self, data: bytes) -> None:
        streams = metadata_streams(data)
        stream = streams.get("#~", streams.get("#-"))
        if stream is None:
            raise BadImageFormatError("no metadata tables: not a .NET assembly")
        self._stream = stream
        self._strings = bytes(streams.get("#Strings", b""))
        self._blobs = bytes(streams.get("#Blob", b""))
        self.blob_size = len(self._blobs)
        self._names: dict[int, str] = {}
        self._name_budget = _HEAP_REUSE * len(self._strings) + 4096
        self._blob_budget = _HEAP_REUSE * len(self._blobs) + len(data)
        self._rows: dict[Table, list[Row]] = {}
        self._layouts: dict[Table, tuple[int, Layout]] = {}
        self.counts = self._read_counts()

    def _read_counts(self) -> dict[Table, int]:
        heap_sizes, valid = unpack_from("<6xBxQ", self._stream, 0)
        position = 24
        counts: dict[Table, int] = {}
        for number in range(64):
            if not valid >> number & 1:
                continue
            if number not in _SCHEMA:
                raise BadImageFormatError(f"unknown metadata table {number:#x}: the assembly is corrupt or obfuscated")
            (counts[Table(number)],) = unpack_from("<I", self._stream, position)
            position += 4
        if heap_sizes & 0x40:
            position += 4
        for table, count in counts.items():
            layout = Layout("<" + "".join(self._column(column, counts, heap_sizes) for column in _SCHEMA[table]))
            self._layouts[table] = position, layout
            position += layout.size * count
            if position > len(self._stream):
                raise BadImageFormatError("a metadata table ends outside its stream: the assembly is truncated")
        return counts

    @staticmethod
    def _column(column: int | str | Table | _Coded, counts: dict[Table, int], heap_sizes: int) -> str:
        if isinstance(column, Table):
            wide = counts.get(column, 0) > 0xFFFF
        elif isinstance(column, int):
            wide = column == 4
        elif isinstance(column, str):
            wide = bool(heap_sizes & _HEAP_BITS[column])
        else:
            largest = max(counts.get(table, 0) for table in column if table is not None)
            wide = largest >= 1 << (16 - _tag_bits(column))
        return "I" if wide else "H"

    def rows(self, table: Table) -> list[Row]:
        """All rows of a table, decoded once."""
        rows = self._rows.get(table)
        if rows is None:
            rows = self._rows[table] = self._unpack(table)
        return rows

    def _unpack(self, table: Table) -> list[Row]:
        if table not in self._layouts:
            return []
        position, layout = self._layouts[table]
        return list(layout.iter_unpack(self._stream[position : position + layout.size * self.counts[table]]))

    def name(self, index: int) -> str:
        """A string of ``#Strings``."""
        name = self._names.get(index)
        if name is None:
            end = self._strings.find(b"\0", index, index + self._name_budget)
            if end < 0:
                raise BadImageFormatError("names without an end: the assembly is corrupt")
            self._name_budget -= end - index
            name = self._names[index] = self._strings[index:end].decode("utf-8", "replace")
        return name

    def blob(self, index: int) -> bytes:
        """A blob of ``#Blob``. Callers keep what they decode from it: reading the same blobs over and over exhausts a
        budget."""
        heap = self._blobs
        if index == 0:
            return b""
        length, start = read_compressed(heap, index)
        self._blob_budget -= length
        if start + length > len(heap) or self._blob_budget < 0:
            raise BadImageFormatError("a blob ends outside its heap: the assembly is truncated")
        return heap[start : start + length]

    def owned(self, owners: Table, column: int, members: Table, indirection: Table) -> list[range | list[int]]:
        """For each row of ``owners`` the rids of the ``members`` rows it owns: those from its ``column`` up to the next
        row's. ``indirection``: the pointer table that ``#-`` streams may put in between."""
        starts = [row[column] for row in self.rows(owners)]
        pointers = [row[0] for row in self.rows(indirection)]
        last = (len(pointers) if pointers else self.counts.get(members, 0)) + 1
        ends = [*starts[1:], last] if starts else []
        result: list[range | list[int]] = []
        for start, end in zip(starts, ends, strict=True):
            if not 1 <= start <= end <= last:
                raise BadImageFormatError("member lists out of order: the assembly is corrupt")
            result.append(pointers[start - 1 : end - 1] if pointers else range(start, end))
        return result


def read_compressed(data: bytes, position: int) -> tuple[int, int]:
    """A compressed unsigned integer (II.23.2) and the position after it. Raises: IndexError at the end of ``data``."""
    first = data[position]
    if first < 0x80:
        return first, position + 1
    if first < 0xC0:
        return (first & 0x3F) << 8 | data[position + 1], position + 2
    if first < 0xE0:
        rest = data[position + 1] << 16 | data[position + 2] << 8 | data[position + 3]
        return (first & 0x1F) << 24 | rest, position + 4
    raise BadImageFormatError("a malformed compressed integer: the assembly is corrupt")
