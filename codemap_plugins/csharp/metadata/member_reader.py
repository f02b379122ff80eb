"""Reads the public and protected members of the types of one image: methods, properties, fields, events, type
parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from struct import unpack_from

from codemap_plugins.csharp.metadata import custom_attributes as known
from codemap_plugins.csharp.metadata.custom_attributes import CustomAttributes
from codemap_plugins.csharp.metadata.signatures import MethodSignature, SignatureDecoder
from codemap_plugins.csharp.metadata.surface import (
    Constant,
    Event,
    Field,
    MemberFlags,
    Method,
    Parameter,
    Property,
    RefKind,
    TypeParameter,
    TypeParameterFlags,
)
from codemap_plugins.csharp.metadata.tables import (
    HAS_CONSTANT,
    HAS_SEMANTICS,
    TYPE_OR_METHOD_DEF,
    MetadataTables,
    Table,
)

# MethodAttributes (II.23.1.10) and FieldAttributes (II.23.1.5) share access and Static
_ACCESS = {6: 0, 4: int(MemberFlags.PROTECTED), 5: int(MemberFlags.PROTECTED_INTERNAL)}
_STATIC, _FINAL, _VIRTUAL, _NEW_SLOT, _ABSTRACT = 0x10, 0x20, 0x40, 0x100, 0x400
_FIELD_INIT_ONLY, _FIELD_LITERAL = 0x20, 0x40
_PARAM_IN, _PARAM_OUT, _PARAM_OPTIONAL = 0x1, 0x2, 0x10
_SETTER, _GETTER, _ADD = 0x1, 0x2, 0x8
_CONSTANT_FORMATS = {
    0x02: "<?",
    0x03: "<H",
    0x04: "<b",
    0x05: "<B",
    0x06: "<h",
    0x07: "<H",
    0x08: "<i",
    0x09: "<I",
    0x0A: "<q",
    0x0B: "<Q",
    0x0C: "<f",
    0x0D: "<d",
}
_STRING_CONSTANT = 0x0E

_TYPE_PARAMETER_BITS = (
    (0x04, TypeParameterFlags.CLASS),
    (0x08, TypeParameterFlags.STRUCT),
    (0x10, TypeParameterFlags.NEW),
    (0x20, TypeParameterFlags.ALLOWS_REF_STRUCT),
)


class MemberReader:
    """Members by the rid of their type. Raises, like everything here, what ``ecma335.read_assembly`` turns into
    BadImageFormatError."""

    def __init__(self, tables: MetadataTables, decoder: SignatureDecoder, attributes: CustomAttributes) -> None:
        self._tables = tables
        self._decoder = decoder
        self._attributes = attributes
        self._constants = {row[1]: row for row in tables.rows(Table.CONSTANT)}
        self._generic_parameters = grouped((row[2], rid) for rid, row in enumerate(tables.rows(Table.GENERIC_PARAM), 1))
        self._constraints = grouped(tables.rows(Table.GENERIC_PARAM_CONSTRAINT))
        self._accessors: dict[int, list[tuple[int, int]]] = {}
        self._accessor_methods: set[int] = set()
        for semantics, method, owner in tables.rows(Table.METHOD_SEMANTICS):
            self._accessors.setdefault(owner, []).append((semantics, method))
            self._accessor_methods.add(method)
        self._fields = tables.owned(Table.TYPE_DEF, 4, Table.FIELD, Table.FIELD_PTR)
        self._methods = tables.owned(Table.TYPE_DEF, 5, Table.METHOD_DEF, Table.METHOD_PTR)
        self._parameters = tables.owned(Table.METHOD_DEF, 5, Table.PARAM, Table.PARAM_PTR)
        self._properties = self._mapped(Table.PROPERTY_MAP, Table.PROPERTY, Table.PROPERTY_PTR)
        self._events = self._mapped(Table.EVENT_MAP, Table.EVENT, Table.EVENT_PTR)

    def _mapped(self, owners: Table, members: Table, indirection: Table) -> dict[int, range | list[int]]:
        owned = self._tables.owned(owners, 1, members, indirection)
        return {row[0]: rids for row, rids in zip(self._tables.rows(owners), owned, strict=True)}

    def type_parameters(self, table: Table, rid: int) -> tuple[TypeParameter, ...]:
        """The type parameters of a TypeDef, those of enclosing types first, or of a MethodDef."""
        owner = rid << 1 | TYPE_OR_METHOD_DEF.index(table)
        rids = self._generic_parameters.get(owner)
        if rids is None:
            return ()
        rows = sorted((self._tables.rows(Table.GENERIC_PARAM)[rid - 1], rid) for rid in rids)
        return tuple(self._type_parameter(row, rid) for row, rid in rows)

    def _type_parameter(self, row: tuple[int, ...], rid: int) -> TypeParameter:
        attributes = row[1]
        flags = attributes & 3
        for bit, flag in _TYPE_PARAMETER_BITS:
            if attributes & bit:
                flags |= flag
        constraints = [self._decoder.type_name(coded) for coded in self._constraints.get(rid, ())]
        return TypeParameter(self._tables.name(row[3]), flags, tuple(c for c in constraints if c != "System.ValueType"))

    def is_record(self, rid: int) -> bool:
        """Record classes have ``<Clone>$``; record structs leave no sure trace."""
        rows = self._tables.rows(Table.METHOD_DEF)
        return any(self._tables.name(rows[method - 1][3]) == "<Clone>$" for method in self._methods[rid - 1])

    def extension_receiver(self, marker: int) -> Parameter | None:
        """The receiver of an extension block: the parameter of its marker type's only method."""
        for method in self._methods[marker - 1]:
            blob = self._tables.rows(Table.METHOD_DEF)[method - 1][4]
            _, parameters = self._signature(method, blob, self._decoder.method(blob))
            if len(parameters) == 1:
                return parameters[0]
        return None

    def methods(self, rid: int, marker: str | None = None) -> Iterator[Method]:
        """Methods, constructors and operators. ``marker``: only those that ExtensionMarkerAttribute marks so."""
        tables = self._tables
        rows = tables.rows(Table.METHOD_DEF)
        for method in self._methods[rid - 1]:
            row = rows[method - 1]
            access = _ACCESS.get(row[2] & 7)
            if access is None or method in self._accessor_methods:
                continue
            name = tables.name(row[3])
            if name.startswith("<"):
                continue
            found = self._attributes.of(Table.METHOD_DEF, method)
            if marker is not None and self._attributes.string(found, known.EXTENSION_MARKER) != marker:
                continue
            signature = self._decoder.method(row[4])
            flags = access | _method_flags(row[2])
            if signature.is_vararg:
                flags |= MemberFlags.VARARG
            if known.EXTENSION in found:
                flags |= MemberFlags.EXTENSION
            if known.OBSOLETE in found:
                flags |= MemberFlags.OBSOLETE
            returns, parameters = self._signature(method, row[4], signature)
            yield Method(
                name,
                flags,
                returns,
                parameters,
                self.type_parameters(Table.METHOD_DEF, method) if signature.generic_arity else (),
                signature.returns.by_ref,
                self._attributes.integer(found, known.PRIORITY),
            )

    def _signature(self, method: int, blob: int, signature: MethodSignature) -> tuple[str, tuple[Parameter, ...]]:
        """Returned type and parameters, with what the Param rows and their attributes add."""
        tables = self._tables
        param_rows = tables.rows(Table.PARAM)
        rows = {param_rows[rid - 1][1]: rid for rid in self._parameters[method - 1]}
        returns = signature.returns.text
        if 0 in rows:
            returns = self._marked(Table.PARAM, rows[0], blob, 0, returns)
        parameters = []
        for position, (text, by_ref) in enumerate(signature.parameters, 1):
            rid = rows.get(position)
            if rid is None:
                parameters.append(Parameter("", text, RefKind.REF if by_ref else RefKind.NONE))
                continue
            row = param_rows[rid - 1]
            found = self._attributes.of(Table.PARAM, rid)
            parameters.append(
                Parameter(
                    tables.name(row[2]),
                    self._marked(Table.PARAM, rid, blob, position, text) if found else text,
                    _ref_kind(row[0], found) if by_ref else RefKind.NONE,
                    bool(row[0] & _PARAM_OPTIONAL),
                    known.PARAM_ARRAY in found or known.PARAM_COLLECTION in found,
                )
            )
        return returns, tuple(parameters)

    def _marked(self, table: Table, rid: int, blob: int, position: int, text: str) -> str:
        """The type text with ``dynamic`` and tuple element names, where attributes on the row say so."""
        found = self._attributes.of(table, rid)
        if known.DYNAMIC not in found and known.TUPLE_NAMES not in found:
            return text
        return self._decoder.marked(blob, position, self._attributes.marks(found), table is Table.FIELD)

    def fields(self, rid: int) -> Iterator[Field]:
        """Fields and enum members, an enum's ``value__`` too."""
        tables = self._tables
        rows = tables.rows(Table.FIELD)
        for field in self._fields[rid - 1]:
            attributes, name_index, blob = rows[field - 1]
            access = _ACCESS.get(attributes & 7)
            if access is None:
                continue
            name = tables.name(name_index)
            if name.startswith("<"):
                continue
            found = self._attributes.of(Table.FIELD, field)
            flags = access | _field_flags(attributes)
            if known.REQUIRED in found:
                flags |= MemberFlags.REQUIRED
            if known.OBSOLETE in found:
                flags |= MemberFlags.OBSOLETE
            text = self._decoder.field(blob).text
            yield Field(name, flags, self._marked(Table.FIELD, field, blob, 0, text), self._constant(field))

    def _constant(self, field: int) -> Constant:
        row = self._constants.get(field << 2 | HAS_CONSTANT.index(Table.FIELD))
        if row is None:
            return None
        element, blob = row[0] & 0xFF, self._tables.blob(row[2])
        if element == _STRING_CONSTANT:
            return blob.decode("utf-16-le", "replace")
        layout = _CONSTANT_FORMATS.get(element)
        if layout is None:
            return None
        value: Constant = unpack_from(layout, blob)[0]
        return value

    def properties(self, rid: int, marker: str | None = None) -> Iterator[Property]:
        """Properties and indexers. ``marker``: as in ``methods``."""
        tables = self._tables
        rows = tables.rows(Table.PROPERTY)
        for number in self._properties.get(rid, ()):
            _, name_index, blob = rows[number - 1]
            accessors = self._visible_accessors(Table.PROPERTY, number)
            if not accessors:
                continue
            found = self._attributes.of(Table.PROPERTY, number)
            if marker is not None and self._attributes.string(found, known.EXTENSION_MARKER) != marker:
                continue
            signature = self._decoder.method(blob)
            getter, setter = accessors.get(_GETTER), accessors.get(_SETTER)
            methods = tables.rows(Table.METHOD_DEF)
            flags = _property_flags(
                methods[getter - 1][2] if getter else None, methods[setter - 1][2] if setter else None
            )
            if setter and self._decoder.method(methods[setter - 1][4]).is_init:
                flags |= MemberFlags.INIT_ONLY
            if known.REQUIRED in found:
                flags |= MemberFlags.REQUIRED
            if known.OBSOLETE in found:
                flags |= MemberFlags.OBSOLETE
            parameters: tuple[Parameter, ...] = ()
            if signature.parameters:
                accessor = getter or setter
                assert accessor is not None
                accessor_blob = methods[accessor - 1][4]
                _, parameters = self._signature(accessor, accessor_blob, self._decoder.method(accessor_blob))
                parameters = parameters[: len(signature.parameters)]
            yield Property(
                tables.name(name_index),
                flags,
                self._marked(Table.PROPERTY, number, blob, 0, signature.returns.text),
                parameters,
                signature.returns.by_ref,
                self._attributes.integer(found, known.PRIORITY),
            )

    def _visible_accessors(self, table: Table, rid: int) -> dict[int, int]:
        owner = rid << 1 | HAS_SEMANTICS.index(table)
        rows = self._tables.rows(Table.METHOD_DEF)
        return {kind: method for kind, method in self._accessors.get(owner, ()) if rows[method - 1][2] & 7 in _ACCESS}

    def events(self, rid: int) -> Iterator[Event]:
        tables = self._tables
        for number in self._events.get(rid, ()):
            _, name, event_type = tables.rows(Table.EVENT)[number - 1]
            add = self._visible_accessors(Table.EVENT, number).get(_ADD)
            if add is None:
                continue
            attributes = tables.rows(Table.METHOD_DEF)[add - 1][2]
            flags = _ACCESS[attributes & 7] | _method_flags(attributes)
            yield Event(tables.name(name), flags, self._decoder.type_name(event_type))


def grouped(pairs: Iterable[tuple[int, ...]]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


@lru_cache(maxsize=4096)
def _property_flags(getter: int | None, setter: int | None) -> int:
    """From the MethodAttributes of the visible accessors, of which there is at least one."""
    access = [_ACCESS[attributes & 7] for attributes in (getter, setter) if attributes is not None]
    shared = min(access)
    flags = shared
    for attributes, present, protected in (
        (getter, MemberFlags.HAS_GETTER, MemberFlags.GETTER_PROTECTED),
        (setter, MemberFlags.HAS_SETTER, MemberFlags.SETTER_PROTECTED),
    ):
        if attributes is not None:
            flags |= present | _method_flags(attributes)
            if not shared and _ACCESS[attributes & 7]:
                flags |= protected
    return int(flags)


@lru_cache(maxsize=4096)
def _field_flags(attributes: int) -> int:
    flags = 0
    if attributes & _STATIC:
        flags |= MemberFlags.STATIC
    if attributes & _FIELD_INIT_ONLY:
        flags |= MemberFlags.READONLY
    if attributes & _FIELD_LITERAL:
        flags |= MemberFlags.CONST
    return int(flags)


@lru_cache(maxsize=4096)
def _method_flags(attributes: int) -> int:
    flags = 0
    if attributes & _STATIC:
        flags |= MemberFlags.STATIC
        if attributes & (_VIRTUAL | _ABSTRACT):
            flags |= MemberFlags.STATIC_ABSTRACT
    if attributes & _ABSTRACT:
        flags |= MemberFlags.ABSTRACT
    if attributes & _VIRTUAL:
        if not attributes & _NEW_SLOT:
            flags |= MemberFlags.OVERRIDE | (MemberFlags.SEALED if attributes & _FINAL else 0)
        elif not attributes & (_FINAL | _ABSTRACT):
            flags |= MemberFlags.VIRTUAL
    return int(flags)


def _ref_kind(attributes: int, found: dict[str, int]) -> RefKind:
    if known.REQUIRES_LOCATION in found:
        return RefKind.REF_READONLY
    if known.IS_READONLY in found:
        return RefKind.IN
    return RefKind.OUT if attributes & _PARAM_OUT and not attributes & _PARAM_IN else RefKind.REF
