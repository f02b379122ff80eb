"""Members of library types as C# would declare them, from metadata.

Namespaces are left out, as in signatures of sources; the value of an optional parameter is not kept in catalogs, so ``= …`` stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from codemap_core.model import SymbolKind
from codemap_core.model.special_types import TYPE_KEYWORDS
from codemap_plugins.csharp.metadata.surface import (
    Event,
    Field,
    MemberFlags,
    Method,
    Parameter,
    Property,
    RefKind,
    TypeFlags,
    TypeParameter,
    TypeParameterFlags,
    TypeSurface,
    visibility,
)
from codemap_plugins.csharp.metadata.type_reference import (
    ArrayType,
    DynamicType,
    FunctionPointerType,
    NamedType,
    PointerType,
    TypeParameterReference,
    TypeRef,
    parse_type,
    split_arity,
    split_metadata_name,
)
from codemap_plugins.csharp.operator_names import BINARY_OPERATORS, COMPOUND_OPERATORS, UNARY_OPERATORS

_KEYWORDS: Final = {f"System.{name}": keyword for name, keyword in TYPE_KEYWORDS.items()}
_REFERENCES: Final = {
    RefKind.NONE: "",
    RefKind.REF: "ref ",
    RefKind.OUT: "out ",
    RefKind.IN: "in ",
    RefKind.REF_READONLY: "ref readonly ",
}
_CONVERSIONS: Final = {
    "op_Implicit": "implicit",
    "op_Explicit": "explicit",
    "op_CheckedExplicit": "explicit",
}
_TOKENS: Final = {
    name: token for table in (COMPOUND_OPERATORS, UNARY_OPERATORS, BINARY_OPERATORS) for token, name in table.items()
}
_NULLABLE: Final = "System.Nullable`1"
_TUPLE: Final = re.compile(r"System\.ValueTuple`[2-7]")
_KIND_WORDS: Final = {
    SymbolKind.CLASS: "class",
    SymbolKind.STRUCT: "struct",
    SymbolKind.INTERFACE: "interface",
    SymbolKind.ENUM: "enum",
    SymbolKind.DELEGATE: "delegate",
    SymbolKind.RECORD: "record",
}


class Declared(Struct, frozen=True):
    """``name``: as C# names it: ``this[]``, ``operator +``; of a constructor its type's."""

    kind: SymbolKind
    name: str
    signature: str


def qualified_name(surface: TypeSurface) -> str:
    """``System.Collections.Generic.Dictionary<TKey, TValue>.Enumerator``."""
    name = split_metadata_name(surface.name)
    parameters = iter([parameter.name for parameter in surface.type_parameters])
    path = [_with_arguments(simple, list(islice(parameters, arity))) for simple, arity in name.path]
    return ".".join([*filter(None, [name.namespace]), *path])


def type_signature(surface: TypeSurface) -> str:
    words = [visibility(surface.flags).value]
    flags = surface.flags
    if flags & TypeFlags.STATIC:
        words.append("static")
    elif surface.kind is SymbolKind.CLASS:
        words += ["abstract"] if flags & TypeFlags.ABSTRACT else ["sealed"] if flags & TypeFlags.SEALED else []
    if surface.kind is SymbolKind.STRUCT:
        words += [
            word for bit, word in ((TypeFlags.READONLY, "readonly"), (TypeFlags.REF_STRUCT, "ref")) if flags & bit
        ]
    if surface.kind is SymbolKind.DELEGATE:
        invoke = next((method for method in surface.methods if method.name == "Invoke"), None)
        if invoke is not None:
            returned = _returned(surface, invoke.returns, invoke.returns_ref, ())
            parameters = _parameters(surface, invoke.parameters, ())
            return " ".join([*words, "delegate", f"{returned} {_own_name(surface)}({parameters})"])
    words += [_KIND_WORDS[surface.kind], _own_name(surface)]
    bases = ([surface.base] if surface.base else []) + list(surface.interfaces)
    if surface.kind is SymbolKind.ENUM and surface.underlying not in ("", "System.Int32"):
        bases = [surface.underlying]
    listed = ", ".join(_type(surface, text, ()) for text in bases)
    return " ".join(words) + (f" : {listed}" if listed else "")


def method_signature(surface: TypeSurface, method: Method) -> Declared:
    own = method.type_parameters
    parameters = _parameters(surface, method.parameters, own)
    if method.name in (".ctor", ".cctor"):
        name = split_metadata_name(surface.name).path[-1][0]
        words = _modifiers(surface, method.flags)
        return Declared(SymbolKind.CONSTRUCTOR, name, " ".join([*words, f"{name}({parameters})"]))
    returned = _returned(surface, method.returns, method.returns_ref, own)
    kind = SymbolKind.OPERATOR
    if method.name in _CONVERSIONS:
        name = f"operator {returned}"
        head = f"{_CONVERSIONS[method.name]} {name}"
    elif method.name in _TOKENS:
        name = f"operator {_TOKENS[method.name]}"
        head = f"{returned} {name}"
    else:
        kind, name = SymbolKind.METHOD, method.name
        head = f"{returned} {_with_arguments(name, [parameter.name for parameter in own])}"
    if method.flags & MemberFlags.EXTENSION:
        parameters = f"this {parameters}"
    return Declared(kind, name, " ".join([*_modifiers(surface, method.flags), f"{head}({parameters})"]))


def property_signature(surface: TypeSurface, member: Property) -> Declared:
    flags = member.flags
    accessors = []
    if flags & MemberFlags.HAS_GETTER:
        accessors.append("protected get;" if flags & MemberFlags.GETTER_PROTECTED else "get;")
    if flags & MemberFlags.HAS_SETTER:
        setter = "init;" if flags & MemberFlags.INIT_ONLY else "set;"
        accessors.append(f"protected {setter}" if flags & MemberFlags.SETTER_PROTECTED else setter)
    words = _modifiers(surface, flags)
    if flags & MemberFlags.REQUIRED:
        words.append("required")
    words.append(_returned(surface, member.type, member.returns_ref, ()))
    indexer = bool(member.parameters)
    name = "this[]" if indexer else member.name
    shown = f"this[{_parameters(surface, member.parameters, ())}]" if indexer else member.name
    signature = " ".join([*words, shown, f"{{ {' '.join(accessors)} }}"])
    return Declared(SymbolKind.INDEXER if indexer else SymbolKind.PROPERTY, name, signature)


def field_signature(surface: TypeSurface, field: Field) -> Declared:
    if surface.kind is SymbolKind.ENUM:
        value = f" = {field.value}" if field.value is not None else ""
        return Declared(SymbolKind.CONSTANT, field.name, f"{field.name}{value}")
    constant = bool(field.flags & MemberFlags.CONST)
    words = [visibility(field.flags).value]
    if constant:
        words.append("const")
    elif field.flags & MemberFlags.STATIC:
        words.append("static")
    if field.flags & MemberFlags.READONLY and not constant:
        words.append("readonly")
    words += [_type(surface, field.type, ()), field.name]
    return Declared(SymbolKind.CONSTANT if constant else SymbolKind.FIELD, field.name, " ".join(words))


def event_signature(surface: TypeSurface, event: Event) -> Declared:
    words = [*_modifiers(surface, event.flags), "event", _type(surface, event.type, ()), event.name]
    return Declared(SymbolKind.EVENT, event.name, " ".join(words))


def _modifiers(surface: TypeSurface, flags: int) -> list[str]:
    """Interface members are public and abstract without saying so (ECMA-334 §18.4.1)."""
    in_interface = surface.kind is SymbolKind.INTERFACE
    words = [] if in_interface else [visibility(flags).value]
    if flags & MemberFlags.STATIC:
        words.append("static")
    if in_interface:
        return words
    if flags & MemberFlags.OVERRIDE:
        words += ["sealed", "override"] if flags & MemberFlags.SEALED else ["override"]
    elif flags & MemberFlags.ABSTRACT:
        words.append("abstract")
    elif flags & MemberFlags.VIRTUAL and not flags & MemberFlags.SEALED:
        words.append("virtual")
    return words


def _own_name(surface: TypeSurface) -> str:
    name, arity = split_metadata_name(surface.name).path[-1]
    own = surface.type_parameters[len(surface.type_parameters) - arity :]
    return _with_arguments(name, [_variance(parameter) + parameter.name for parameter in own])


def _variance(parameter: TypeParameter) -> str:
    if parameter.flags & TypeParameterFlags.COVARIANT:
        return "out "
    return "in " if parameter.flags & TypeParameterFlags.CONTRAVARIANT else ""


def _parameters(surface: TypeSurface, parameters: Iterable[Parameter], own: Sequence[TypeParameter]) -> str:
    return ", ".join(
        f"{'params ' if each.is_params else ''}{_REFERENCES[each.ref_kind]}{_type(surface, each.type, own)} {each.name}"
        f"{' = …' if each.is_optional and not each.is_params else ''}"
        for each in parameters
    )


def _returned(surface: TypeSurface, text: str, by_reference: bool, own: Sequence[TypeParameter]) -> str:
    return f"{'ref ' if by_reference else ''}{_type(surface, text, own)}"


def _type(surface: TypeSurface, text: str, own: Sequence[TypeParameter]) -> str:
    return _shown(parse_type(text), surface.type_parameters, own)


def _shown(reference: TypeRef, outer: Sequence[TypeParameter], own: Sequence[TypeParameter]) -> str:
    match reference:
        case NamedType():
            return _named(reference, outer, own)
        case TypeParameterReference(index=index, of_method=of_method):
            parameters = own if of_method else outer
            return parameters[index].name if index < len(parameters) else f"T{index}"
        case ArrayType(element=element, rank=rank):
            return f"{_shown(element, outer, own)}[{',' * (rank - 1)}]"
        case PointerType(element=element):
            return f"{_shown(element, outer, own)}*"
        case DynamicType():
            return "dynamic"
        case FunctionPointerType(returns=returns, parameters=parameters):
            types = ", ".join(_shown(each, outer, own) for each in (*parameters, returns))
            return f"delegate*<{types}>"


def _named(reference: NamedType, outer: Sequence[TypeParameter], own: Sequence[TypeParameter]) -> str:
    keyword = _KEYWORDS.get(reference.definition)
    if keyword is not None:
        return keyword
    arguments = [_shown(each, outer, own) for each in reference.arguments]
    if reference.definition == _NULLABLE and arguments:
        return f"{arguments[0]}?"
    if _TUPLE.fullmatch(reference.definition) and len(arguments) > 1:
        names = reference.element_names or (None,) * len(arguments)
        elements = (f"{type_} {name}" if name else type_ for type_, name in zip(arguments, names, strict=False))
        return f"({', '.join(elements)})"
    return ".".join(_path(reference.definition, arguments))


def _path(definition: str, arguments: Sequence[str]) -> Iterator[str]:
    remaining = iter(arguments)
    outermost, *nested = definition.split("+")
    for segment in (outermost.rpartition(".")[2], *nested):
        name, arity = split_arity(segment)
        yield _with_arguments(name, list(islice(remaining, arity)))


def _with_arguments(name: str, arguments: Sequence[str]) -> str:
    return f"{name}<{', '.join(arguments)}>" if arguments else name
