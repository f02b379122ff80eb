"""Members that the source generator of System.Text.Json makes for a context (documentation of ``JsonSerializerContext`` and
``JsonSerializableAttribute``): ``Default``, and for each type that the context serialises a property that gives its ``JsonTypeInfo<T>``.

Nothing of them is written, so they are not listed: ``Default`` means the context, a property the type that it is for, or one that this is
made of; the context where none of them has source. Types of elements and type arguments have properties too, as all have that are come to
from those that attributes name; those of members are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from codemap_core.model import Visibility
from codemap_plugins.csharp.binding.members import UNKNOWN, Member, MemberKind, Signature
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import ArrayType, NamedType, Type
from codemap_plugins.csharp.unit import AttributeSyntax

_SERIALIZABLE: Final = frozenset({"JsonSerializable", "JsonSerializableAttribute"})
_TYPEOF: Final = re.compile(r"typeof\s*\(\s*(.*?)\s*\)", re.DOTALL)
_NAME: Final = "TypeInfoPropertyName"
_DEFAULT: Final = "Default"
_METADATA: Final = "System.Text.Json.Serialization.Metadata"
_TYPE_INFO: Final = "JsonTypeInfo"


class _Serialised(NamedTuple):
    name: str
    type: Type
    part: TypePart


def context_members(definition: SourceTypeDefinition, table: SymbolTable) -> Iterator[Member]:
    """Those of a type without the attribute are none."""
    found: dict[str, _Serialised] = {}
    for part in definition.parts:
        for each in _serialised(definition, part, table):
            found.setdefault(each.name, each)
    if not found:
        return
    yield _property(_DEFAULT, definition, definition, partial(Signature, definition.own_type), is_static=True)
    for each in found.values():
        sources = (
            held.definition
            for held in _held(each.type)
            if isinstance(held, NamedType) and isinstance(held.definition, SourceTypeDefinition)
        )
        meant = next(sources, definition)
        yield _property(each.name, definition, meant, partial(_type_info, each, table), is_static=False)


def _serialised(definition: SourceTypeDefinition, part: TypePart, table: SymbolTable) -> Iterator[_Serialised]:
    """Those that attributes name, and then what these are made of."""
    further: list[Type] = []
    for attribute in part.declaration.attributes:
        if attribute.name.text.rpartition(".")[2] in _SERIALIZABLE and attribute.arguments:
            written = _TYPEOF.fullmatch(attribute.arguments[0].text)
            if written is not None:
                type_, *others = _held(table.resolver_for(part, definition).resolve(written[1]))
                further += others
                name = _given_name(attribute) or _property_name(type_)
                if name:
                    yield _Serialised(name, type_, part)
    for type_ in further:
        name = _property_name(type_)
        if name:
            yield _Serialised(name, type_, part)


def _held(type_: Type) -> Iterator[Type]:
    """A type, and those that it is made of."""
    yield type_
    if isinstance(type_, ArrayType):
        yield from _held(type_.element)
    elif isinstance(type_, NamedType):
        for each in type_.arguments:
            yield from _held(each)


def _given_name(attribute: AttributeSyntax) -> str:
    given = (each.value for each in attribute.arguments if each.name == _NAME)
    return next((each for each in given if isinstance(each, str)), "")


def _property_name(type_: Type) -> str:
    """``ListOrder`` for ``List<Order>``, ``OrderArray`` for ``Order[]``; empty where a part of the type is not known."""
    if isinstance(type_, ArrayType):
        element = _property_name(type_.element)
        suffix = "Array" if type_.rank == 1 else f"Array{type_.rank}D"
        return f"{element}{suffix}" if element else ""
    if not isinstance(type_, NamedType):
        return ""
    arguments = [_property_name(each) for each in type_.arguments]
    return "".join((type_.definition.name, *arguments)) if all(arguments) else ""


def _type_info(serialised: _Serialised, table: SymbolTable) -> Signature:
    document = table.document_of(serialised.part)
    info = document.project.types_in(_METADATA, _TYPE_INFO, 1, document.key.file_path)
    return Signature(NamedType(info, (serialised.type,)) if info is not None else UNKNOWN)


def _property(
    name: str,
    definition: SourceTypeDefinition,
    meant: SourceTypeDefinition,
    load: partial[Signature],
    *,
    is_static: bool,
) -> Member:
    return Member(
        MemberKind.PROPERTY,
        name,
        definition,
        is_static=is_static,
        visibility=Visibility.PUBLIC,
        load=load,
        symbol_id=meant.documentation_id,
        can_write=False,
    )
