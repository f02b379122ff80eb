"""What delegate types take and return (ECMA-334 §20), also through ``Expression<TDelegate>``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.members import ParameterSymbol
from codemap_plugins.csharp.symbols.types import NamedType, Type, substitute


class DelegateSignature:
    """``Invoke`` of a constructed delegate type: its parameters as declared, their types and the return type as constructed."""

    __slots__ = ("parameters", "returns", "types")

    def __init__(self, parameters: Sequence[ParameterSymbol], types: tuple[Type, ...], returns: Type) -> None:
        self.parameters: Final = parameters
        self.types: Final = types
        self.returns: Final = returns


class Delegates:
    """Remembers the signatures of constructed delegate types."""

    def __init__(self, members: MemberTable) -> None:
        self._members: Final = members
        self._signatures: Final[dict[Type, DelegateSignature | None]] = {}

    def forget(self) -> None:
        self._signatures.clear()

    def invoke(self, type_: Type) -> Found | None:
        """``Invoke`` of a delegate type; null for other types."""
        if not isinstance(type_, NamedType):
            return None
        definition = type_.definition
        if definition.kind is SymbolKind.DELEGATE:
            members = self._members.of(definition).get("Invoke")
            return Found(members[0], type_, 0) if members else None
        if definition.external and definition.name == "Expression" and definition.arity == 1 and type_.arguments:
            return self.invoke(type_.arguments[0])
        return None

    def signature(self, type_: Type) -> DelegateSignature | None:
        """What a delegate type takes and returns; null for other types."""
        if type_ in self._signatures:
            return self._signatures[type_]
        signature: DelegateSignature | None = None
        invoke = self.invoke(type_)
        if invoke is not None:
            own = invoke.container.arguments
            parameters = invoke.member.parameters
            signature = DelegateSignature(
                parameters, tuple([substitute(p.type, own) for p in parameters]), substitute(invoke.member.type, own)
            )
        self._signatures[type_] = signature
        return signature
