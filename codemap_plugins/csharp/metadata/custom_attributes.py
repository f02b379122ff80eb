"""The custom attributes that change how code binds (ECMA-335 II.22.10, II.23.3); all others are skipped unread."""

from __future__ import annotations

from struct import unpack_from

from codemap_plugins.csharp.metadata.image import BadImageFormatError
from codemap_plugins.csharp.metadata.signatures import SignatureDecoder, TypeMarks
from codemap_plugins.csharp.metadata.tables import (
    CUSTOM_ATTRIBUTE_TYPE,
    HAS_CUSTOM_ATTRIBUTE,
    MEMBER_REF_PARENT,
    MetadataTables,
    Table,
    decode_coded,
    read_compressed,
)

EXTENSION = "System.Runtime.CompilerServices.ExtensionAttribute"
EXTENSION_MARKER = "System.Runtime.CompilerServices.ExtensionMarkerAttribute"
PARAM_ARRAY = "System.ParamArrayAttribute"
PARAM_COLLECTION = "System.Runtime.CompilerServices.ParamCollectionAttribute"
DEFAULT_MEMBER = "System.Reflection.DefaultMemberAttribute"
PRIORITY = "System.Runtime.CompilerServices.OverloadResolutionPriorityAttribute"
IS_READONLY = "System.Runtime.CompilerServices.IsReadOnlyAttribute"
REQUIRES_LOCATION = "System.Runtime.CompilerServices.RequiresLocationAttribute"
IS_BY_REF_LIKE = "System.Runtime.CompilerServices.IsByRefLikeAttribute"
REQUIRED = "System.Runtime.CompilerServices.RequiredMemberAttribute"
DYNAMIC = "System.Runtime.CompilerServices.DynamicAttribute"
TUPLE_NAMES = "System.Runtime.CompilerServices.TupleElementNamesAttribute"
OBSOLETE = "System.ObsoleteAttribute"
STRING_HANDLER = "System.Runtime.CompilerServices.InterpolatedStringHandlerAttribute"
COLLECTION_BUILDER = "System.Runtime.CompilerServices.CollectionBuilderAttribute"
FRIEND = "System.Runtime.CompilerServices.InternalsVisibleToAttribute"
COMPANY = "System.Reflection.AssemblyCompanyAttribute"
COPYRIGHT = "System.Reflection.AssemblyCopyrightAttribute"
_KNOWN = frozenset(
    {
        EXTENSION,
        EXTENSION_MARKER,
        PARAM_ARRAY,
        PARAM_COLLECTION,
        DEFAULT_MEMBER,
        PRIORITY,
        IS_READONLY,
        REQUIRES_LOCATION,
        IS_BY_REF_LIKE,
        REQUIRED,
        DYNAMIC,
        TUPLE_NAMES,
        OBSOLETE,
        STRING_HANDLER,
        COLLECTION_BUILDER,
        FRIEND,
        COMPANY,
        COPYRIGHT,
    }
)
_PARENT_TAG = {table: tag for tag, table in enumerate(HAS_CUSTOM_ATTRIBUTE)}
_TAG_BITS = 5
_NONE: dict[str, int] = {}


class CustomAttributes:
    """The known attributes of one image, by what they stand on. An attribute that may be repeated keeps its last value,
    except those of the assembly (``friends``)."""

    def __init__(self, tables: MetadataTables, decoder: SignatureDecoder) -> None:
        self._tables = tables
        self._by_parent: dict[int, dict[str, int]] = {}
        self._friends: list[int] = []
        names: dict[int, str | None] = {}
        assembly = 1 << _TAG_BITS | _PARENT_TAG[Table.ASSEMBLY]
        for parent, constructor, value in tables.rows(Table.CUSTOM_ATTRIBUTE):
            name = names.get(constructor, "")
            if name == "":
                name = names[constructor] = self._attribute_name(constructor, decoder)
            if name is None:
                continue
            self._by_parent.setdefault(parent, {})[name] = value
            if name == FRIEND and parent == assembly:
                self._friends.append(value)

    def _attribute_name(self, constructor: int, decoder: SignatureDecoder) -> str | None:
        """Full name of an attribute that matters, else null."""
        table, rid = decode_coded(CUSTOM_ATTRIBUTE_TYPE, constructor)
        if table is Table.MEMBER_REF:
            parent, parent_rid = decode_coded(MEMBER_REF_PARENT, self._tables.rows(table)[rid - 1][0])
            if parent not in (Table.TYPE_REF, Table.TYPE_DEF):
                return None
            name = decoder.name_of(parent, parent_rid)
        else:
            name = decoder.name_of(Table.TYPE_DEF, self._declaring_type(rid))
        return name if name in _KNOWN else None

    def _declaring_type(self, method: int) -> int:
        """The type that owns a method: binary search over the first methods of all types."""
        types = self._tables.rows(Table.TYPE_DEF)
        low, high = 0, len(types)
        while low < high:
            middle = (low + high) // 2
            if types[middle][5] <= method:
                low = middle + 1
            else:
                high = middle
        return low

    def of(self, table: Table, rid: int) -> dict[str, int]:
        """Name → value blob of the known attributes on a row."""
        return self._by_parent.get(rid << _TAG_BITS | _PARENT_TAG[table], _NONE)

    @property
    def friends(self) -> list[str]:
        return [self._string_of(blob) for blob in self._friends]

    def string(self, found: dict[str, int], name: str) -> str:
        """The first argument, a string; empty without such an attribute."""
        return self._string_of(found[name]) if name in found else ""

    def integer(self, found: dict[str, int], name: str) -> int:
        """The first argument, an ``int``; 0 without such an attribute."""
        if name not in found:
            return 0
        (value,) = unpack_from("<i", self._arguments(found[name]))
        return int(value)

    def marks(self, found: dict[str, int]) -> TypeMarks:
        """The contents of DynamicAttribute and TupleElementNamesAttribute."""
        return TypeMarks(
            self._booleans(found[DYNAMIC]) if DYNAMIC in found else (),
            self._strings(found[TUPLE_NAMES]) if TUPLE_NAMES in found else (),
        )

    def _arguments(self, blob_index: int) -> bytes:
        blob = self._tables.blob(blob_index)
        if blob[:2] != b"\x01\x00":
            raise BadImageFormatError("a custom attribute without its prolog: the assembly is corrupt")
        return blob[2:]

    def _string_of(self, blob_index: int) -> str:
        return _read_string(self._arguments(blob_index), 0)[0] or ""

    def _booleans(self, blob_index: int) -> list[bool]:
        arguments = self._arguments(blob_index)
        if len(arguments) < 6:  # no argument: only the count of named ones follows
            return [True]
        (count,) = unpack_from("<I", arguments)
        return [bool(flag) for flag in arguments[4 : 4 + count]]

    def _strings(self, blob_index: int) -> list[str | None]:
        arguments = self._arguments(blob_index)
        (count,) = unpack_from("<I", arguments)
        if count > len(arguments):
            return []
        strings: list[str | None] = []
        position = 4
        for _ in range(count):
            value, position = _read_string(arguments, position)
            strings.append(value)
        return strings


def _read_string(data: bytes, position: int) -> tuple[str | None, int]:
    """A SerString: 0xFF is null."""
    if data[position] == 0xFF:
        return None, position + 1
    length, start = read_compressed(data, position)
    return data[start : start + length].decode("utf-8", "replace"), start + length
