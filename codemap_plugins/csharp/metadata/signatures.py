"""Decodes signature blobs (ECMA-335 II.23.2) to type texts (see ``type_reference``).

Custom modifiers are dropped, except that a by-reference marked ``in`` is told by its attributes, not here. Every
nesting is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codemap_plugins.csharp.metadata.image import BadImageFormatError
from codemap_plugins.csharp.metadata.tables import (
    TYPE_DEF_OR_REF,
    MetadataTables,
    Table,
    decode_coded,
    read_compressed,
)

_PRIMITIVES = {
    0x01: "System.Void",
    0x02: "System.Boolean",
    0x03: "System.Char",
    0x04: "System.SByte",
    0x05: "System.Byte",
    0x06: "System.Int16",
    0x07: "System.UInt16",
    0x08: "System.Int32",
    0x09: "System.UInt32",
    0x0A: "System.Int64",
    0x0B: "System.UInt64",
    0x0C: "System.Single",
    0x0D: "System.Double",
    0x0E: "System.String",
    0x16: "System.TypedReference",
    0x18: "System.IntPtr",
    0x19: "System.UIntPtr",
    0x1C: "System.Object",
}
_PTR, _BYREF, _VALUETYPE, _CLASS, _VAR, _ARRAY, _GENERICINST = 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15
_FNPTR, _SZARRAY, _MVAR, _CMOD_REQD, _CMOD_OPT, _SENTINEL, _PINNED = 0x1B, 0x1D, 0x1E, 0x1F, 0x20, 0x41, 0x45
_HAS_THIS, _GENERIC, _VARARG = 0x20, 0x10, 0x05
_MAX_DEPTH = 60
_MAX_NAME = 4096
"""Characters of a metadata name; the standard allows 1023 bytes."""
_TEXT_PER_BYTE = 256
"""Characters of type text that a byte of the blob heap may give on average; more is corrupt. Bounds time and memory."""
_OBJECT = "System.Object"
_INIT_MARK = "System.Runtime.CompilerServices.IsExternalInit"
_LONG_TUPLE = 8
"""Type arguments of a tuple whose last one holds the further elements."""


class SignatureType(NamedTuple):
    """One type of a signature; ``by_ref``: passed or returned by reference."""

    text: str
    by_ref: bool


class MethodSignature(NamedTuple):
    returns: SignatureType
    parameters: tuple[SignatureType, ...]
    generic_arity: int
    is_static: bool
    is_vararg: bool
    is_init: bool
    """The returned void is marked as that of an ``init`` accessor."""


class TypeMarks(NamedTuple):
    """The facts that attributes give about the types of one signature position, in the order in which its types are written
    (II.23.2, pre-order)."""

    dynamic: Sequence[bool] = ()
    tuple_names: Sequence[str | None] = ()


class SignatureDecoder:
    """Decodes the signatures of one image, each distinct blob once."""

    def __init__(self, tables: MetadataTables) -> None:
        self._tables = tables
        self._type_names: dict[tuple[Table, int], str] = {}
        self._enclosing = {row[0]: row[1] for row in tables.rows(Table.NESTED_CLASS)}
        self._methods: dict[int, MethodSignature] = {}
        self._fields: dict[int, SignatureType] = {}
        self._text_budget = _TEXT_PER_BYTE * tables.blob_size + 1024 * 1024

    def spend(self, text: str) -> str:
        """Takes a text's length off the budget. Raises: BadImageFormatError when it is used up."""
        self._text_budget -= len(text)
        if self._text_budget < 0:
            raise BadImageFormatError("types too large to be real: the assembly is corrupt")
        return text

    def type_name(self, coded: int, depth: int = 0) -> str:
        """The text of a TypeDefOrRef; empty for null."""
        table, rid = decode_coded(TYPE_DEF_OR_REF, coded)
        return self.name_of(table, rid, depth) if rid else ""

    def name_of(self, table: Table, rid: int, depth: int = 0) -> str:
        """Metadata name of a TypeDef or TypeRef row, type text of a TypeSpec row."""
        key = table, rid
        name = self._type_names.get(key)
        if name is None:
            if depth > _MAX_DEPTH or rid < 1:
                raise BadImageFormatError("types nested too deeply: the assembly is corrupt")
            name = self._type_names[key] = self._name_of(table, rid, depth + 1)
        return name

    def _name_of(self, table: Table, rid: int, depth: int) -> str:
        tables = self._tables
        row = tables.rows(table)[rid - 1]
        if table is Table.TYPE_SPEC:
            return _Reader(self, tables.blob(row[0]), depth).type().text
        if table is Table.TYPE_DEF:
            outer = self._enclosing.get(rid, 0)
            enclosing = self.name_of(Table.TYPE_DEF, outer, depth) if outer else ""
        else:
            is_nested = row[0] & 3 == 3 and row[0] >> 2
            enclosing = self.name_of(Table.TYPE_REF, row[0] >> 2, depth) if is_nested else ""
        simple = tables.name(row[1])
        if enclosing:
            name = f"{enclosing}+{simple}"
        else:
            namespace = tables.name(row[2])
            name = f"{namespace}.{simple}" if namespace else simple
        if len(name) > _MAX_NAME:
            raise BadImageFormatError("a type name too long to be real: the assembly is corrupt")
        return name

    def method(self, blob_index: int) -> MethodSignature:
        signature = self._methods.get(blob_index)
        if signature is None:
            reader = _Reader(self, self._tables.blob(blob_index), 0)
            signature = self._methods[blob_index] = reader.method()
        return signature

    def field(self, blob_index: int) -> SignatureType:
        signature = self._fields.get(blob_index)
        if signature is None:
            reader = _Reader(self, self._tables.blob(blob_index), 0, position=1)
            signature = self._fields[blob_index] = reader.type()
        return signature

    def marked(self, blob_index: int, position: int, marks: TypeMarks, is_field: bool = False) -> str:
        """The type at ``position`` (0: the field or the returned value, n: parameter n) with ``dynamic`` and tuple
        names put in."""
        blob = self._tables.blob(blob_index)
        reader = _Reader(self, blob, 0, position=1)
        if not is_field:
            reader.skip_to(blob[0], position)
        return reader.marked_type(marks)


class _Reader:
    """A cursor over one blob."""

    __slots__ = ("_blob", "_decoder", "_depth", "_dynamic", "_position", "_tuple_names")

    def __init__(self, decoder: SignatureDecoder, blob: bytes, depth: int, position: int = 0) -> None:
        self._decoder = decoder
        self._blob = blob
        self._depth = depth
        self._position = position
        self._dynamic: Iterator[bool] = iter(())
        self._tuple_names: Iterator[str | None] = iter(())

    def _next(self) -> int:
        value = self._blob[self._position]
        if value < 0x80:
            self._position += 1
        else:
            value, self._position = read_compressed(self._blob, self._position)
        return value

    def method(self) -> MethodSignature:
        convention = self._blob[self._position]
        self._position += 1
        arity = self._next() if convention & _GENERIC else 0
        count = self._next()
        if count > len(self._blob):
            raise BadImageFormatError("a signature with more parameters than bytes: the assembly is corrupt")
        is_init = self._blob[self._position] == _CMOD_REQD and self._modifier() == _INIT_MARK
        returns = self.type()
        parameters = []
        for _ in range(count):
            if self._blob[self._position] == _SENTINEL:
                self._position += 1
            parameters.append(self.type())
        is_vararg = convention & 0x0F == _VARARG
        return MethodSignature(returns, tuple(parameters), arity, not convention & _HAS_THIS, is_vararg, is_init)

    def _modifier(self) -> str:
        """Name of the custom modifier at the cursor, which stays where it is."""
        coded, _ = read_compressed(self._blob, self._position + 1)
        return self._decoder.type_name(coded, self._depth)

    def skip_to(self, convention: int, position: int) -> None:
        """Goes to one type of a method or property signature."""
        if convention & _GENERIC:
            self._next()
        self._next()
        for _ in range(position):
            self.type()

    def marked_type(self, marks: TypeMarks) -> str:
        self._dynamic = iter(marks.dynamic)
        self._tuple_names = iter(marks.tuple_names)
        return self.type().text

    def type(self) -> SignatureType:
        by_ref = False
        while True:
            element = self._blob[self._position]
            if element == _BYREF:
                by_ref = True
                self._mark()
            elif element in (_CMOD_REQD, _CMOD_OPT):
                self._position += 1
                self._next()
                self._mark()
                continue
            elif element != _PINNED:
                break
            self._position += 1
        return SignatureType(self._type(), by_ref)

    def _mark(self) -> bool:
        """Takes the next flag of DynamicAttribute: one for each type, modifier and by-reference written."""
        return next(self._dynamic, False)

    def _type(self) -> str:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise BadImageFormatError("a signature nested too deeply: the assembly is corrupt")
        is_dynamic = self._mark()
        element = self._next()
        primitive = _PRIMITIVES.get(element)
        if primitive is not None:
            text = "dynamic" if is_dynamic and primitive == _OBJECT else primitive
        elif element in (_CLASS, _VALUETYPE):
            text = self._decoder.type_name(self._next(), self._depth)
        elif element == _VAR:
            text = f"!{self._next()}"
        elif element == _MVAR:
            text = f"!!{self._next()}"
        elif element == _SZARRAY:
            text = self._decoder.spend(self._inner() + "[]")
        elif element == _GENERICINST:
            text = self._generic()
        elif element == _PTR:
            text = self._decoder.spend(self._inner() + "*")
        elif element == _ARRAY:
            text = self._array()
        elif element == _FNPTR:
            signature = self.method()
            parts = ",".join(part.text for part in (signature.returns, *signature.parameters))
            text = self._decoder.spend(f"=({parts})")
        else:
            raise BadImageFormatError(f"unknown element type {element:#x}: the assembly is corrupt")
        self._depth -= 1
        return text

    def _inner(self) -> str:
        """An element type, whose modifiers are dropped."""
        return self.type().text

    def _generic(self) -> str:
        self._position += 1
        definition = self._decoder.type_name(self._next(), self._depth)
        count = self._next()
        if count > len(self._blob):
            raise BadImageFormatError("more type arguments than bytes: the assembly is corrupt")
        suffix = ""
        if definition.startswith("System.ValueTuple`"):
            # TupleElementNamesAttribute lists an outer tuple's names before those of its elements. Names of tuples
            # with eight and more elements are not kept.
            names = [next(self._tuple_names, None) for _ in range(count)]
            if count == _LONG_TUPLE:
                self._tuple_names = iter(())
            elif any(names):
                suffix = "{" + ",".join(name or "" for name in names) + "}"
        arguments = ",".join([self._inner() for _ in range(count)])
        return self._decoder.spend(f"{definition}<{arguments}>{suffix}")

    def _array(self) -> str:
        element = self._inner()
        rank = self._next()
        if not 1 <= rank <= 32:
            raise BadImageFormatError("an array of impossible rank: the assembly is corrupt")
        for _ in range(2):  # sizes, lower bounds
            for _ in range(self._next()):
                self._next()
        return self._decoder.spend(f"{element}[{',' * (rank - 1)}]")
