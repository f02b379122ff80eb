"""Members of extension blocks (C# 14) as the methods that implement them in the static class around the block.

An implementation method takes the receiver first, unless the member is static, and the type parameters of the block before the member's
own. A property is read through one called ``get_…``. What refers to such a member names this method: its documentation-comment id is the
member's.
"""

from __future__ import annotations

import re
from typing import Final

from codemap_plugins.csharp.metadata.surface import (
    ExtensionBlock,
    MemberFlags,
    Method,
    Parameter,
    Property,
    TypeParameter,
)

_TYPE_PARAMETER: Final = re.compile(r"(?<![^<(,])(!!?)(\d+)")
"""Of the block or, with two marks, of the method: where a type may begin in a type text."""
_STATIC: Final = int(MemberFlags.STATIC)


def extended_type(block: ExtensionBlock) -> str:
    """Type text of the receiver, in the terms of an implementation method."""
    return _moved(block.receiver.type, len(block.type_parameters))


def implementation(block: ExtensionBlock, method: Method) -> Method:
    """The method that implements ``method``."""
    return _implementation(
        block, method, method.name, method.returns, method.parameters, type_parameters=method.type_parameters
    )


def getter_implementation(block: ExtensionBlock, member: Property) -> Method:
    """The method that implements reading ``member``."""
    return _implementation(block, member, f"get_{member.name}", member.type, ())


def _implementation(
    block: ExtensionBlock,
    member: Method | Property,
    name: str,
    returns: str,
    parameters: tuple[Parameter, ...],
    type_parameters: tuple[TypeParameter, ...] = (),
) -> Method:
    arity = len(block.type_parameters)
    taken = parameters if member.flags & _STATIC else (block.receiver, *parameters)
    return Method(
        name,
        member.flags,
        _moved(returns, arity),
        tuple(_moved_parameter(parameter, arity) for parameter in taken),
        tuple(_moved_type_parameter(parameter, arity) for parameter in (*block.type_parameters, *type_parameters)),
        member.returns_ref,
        member.priority,
    )


def _moved_parameter(parameter: Parameter, arity: int) -> Parameter:
    return Parameter(
        parameter.name,
        _moved(parameter.type, arity),
        parameter.ref_kind,
        parameter.is_optional,
        parameter.is_params,
    )


def _moved_type_parameter(parameter: TypeParameter, arity: int) -> TypeParameter:
    return TypeParameter(parameter.name, parameter.flags, tuple(_moved(text, arity) for text in parameter.constraints))


def _moved(text: str, arity: int) -> str:
    """``!n`` of the block becomes ``!!n``, and ``!!n`` of the method counts on from the block's ``arity``."""
    if not arity:
        return text
    return _TYPE_PARAMETER.sub(lambda found: f"!!{int(found[2]) + (arity if found[1] == '!!' else 0)}", text)
