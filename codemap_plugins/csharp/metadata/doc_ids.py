"""Documentation-comment ids of library members, from metadata: what Roslyn's ``GetDocumentationCommentId`` gives for
them.

Rules: ECMA-334 annex D.4.2, and where that is silent Roslyn's visitor: function pointers print as nothing, only
conversions carry ``~ReturnType``, type parameters of a type count across its enclosing types.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from codemap_plugins.csharp.metadata.surface import (
    Event,
    Field,
    MemberFlags,
    Method,
    Parameter,
    Property,
    RefKind,
)
from codemap_plugins.csharp.metadata.type_reference import (
    ArrayType,
    DynamicType,
    NamedType,
    PointerType,
    TypeParameterReference,
    TypeRef,
    parse_type,
    split_arity,
)

_CONVERSIONS = frozenset({"op_Implicit", "op_Explicit", "op_CheckedExplicit"})
_ESCAPES = str.maketrans({".": "#", "<": "{", ">": "}"})


def type_id(metadata_name: str) -> str:
    """``T:System.Collections.Generic.Dictionary`2.Enumerator``."""
    return "T:" + metadata_name.replace("+", ".")


def method_id(containing_type: str, method: Method) -> str:
    """``M:System.Linq.Enumerable.Where``1(…)``. ``containing_type``: metadata name."""
    arity = f"``{len(method.type_parameters)}" if method.type_parameters else ""
    suffix = f"~{_returns(method)}" if method.name in _CONVERSIONS else ""
    parameters = _parameter_list(method.parameters, bool(method.flags & MemberFlags.VARARG))
    return f"M:{_qualified(containing_type, method.name)}{arity}{parameters}{suffix}"


def property_id(containing_type: str, member: Property) -> str:
    """``P:System.String.Chars(System.Int32)``."""
    return f"P:{_qualified(containing_type, member.name)}{_parameter_list(member.parameters, False)}"


def field_id(containing_type: str, field: Field) -> str:
    return f"F:{_qualified(containing_type, field.name)}"


def event_id(containing_type: str, event: Event) -> str:
    return f"E:{_qualified(containing_type, event.name)}"


@lru_cache(maxsize=65536)
def parameter_type(text: str) -> str:
    """A type text as it stands in a parameter list."""
    return _print(parse_type(text))


def _qualified(containing_type: str, name: str) -> str:
    return f"{containing_type.replace('+', '.')}.{name.translate(_ESCAPES)}"


def _returns(method: Method) -> str:
    return parameter_type(method.returns) + ("@" if method.returns_ref else "")


def _parameter_list(parameters: tuple[Parameter, ...], is_vararg: bool) -> str:
    printed = [
        parameter_type(parameter.type) + ("" if parameter.ref_kind is RefKind.NONE else "@") for parameter in parameters
    ]
    if is_vararg:
        printed.append("")
    return f"({','.join(printed)})" if printed else ""


def _print(reference: TypeRef) -> str:
    if isinstance(reference, NamedType):
        return _print_named(reference)
    if isinstance(reference, TypeParameterReference):
        return f"{'``' if reference.of_method else '`'}{reference.index}"
    if isinstance(reference, ArrayType):
        dimensions = "" if reference.rank == 1 else ",".join(["0:"] * reference.rank)
        return f"{_print(reference.element)}[{dimensions}]"
    if isinstance(reference, PointerType):
        return _print(reference.element) + "*"
    return "System.Object" if isinstance(reference, DynamicType) else ""


def _print_named(reference: NamedType) -> str:
    if not reference.arguments:
        return reference.definition.replace("+", ".")
    arguments = iter([_print(argument) for argument in reference.arguments])
    outer, *nested = reference.definition.split("+")
    namespace, dot, first = outer.rpartition(".")
    segments = []
    for segment in (first, *nested):
        name, arity = split_arity(segment)
        own = list(islice(arguments, arity))
        segments.append(f"{name}{{{','.join(own)}}}" if own else segment)
    return namespace + dot + ".".join(segments)
