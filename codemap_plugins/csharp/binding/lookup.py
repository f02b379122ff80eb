"""Results of member lookup (ECMA-334 §12.5): what a name means in a type, and what bears it without being meant."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.symbols.types import NamedType, documentation_id, substitute


class Found(NamedTuple):
    """A member and the constructed type that declares it. ``level`` counts steps up from the receiver to where its slot is declared."""

    member: Member
    container: NamedType
    level: int

    @property
    def key(self) -> str:
        """The member's signature with the container's arguments put in."""
        signature, arguments = self.member.signature, self.container.arguments
        if not arguments:
            return signature.key
        parameters = ",".join(
            [documentation_id(substitute(p.type, arguments)) + ("@" if p.passing else "") for p in signature.parameters]
        )
        return f"{len(signature.type_parameters)}({parameters})"


class LookupKind(IntEnum):
    """Why a member of the name that is sought is not meant, from the furthest off to the nearest."""

    INACCESSIBLE = 0
    NOT_INVOCABLE = 1
    """The name is called, and this can be neither called nor is it a delegate."""
    NOT_GENERIC = 2
    """Type arguments are given, and this takes none."""
    STATIC_MISMATCH = 3
    """An instance member where there is no instance, or a static one on a value, beside others that fit."""


class PassedOver(NamedTuple):
    found: Found
    kind: LookupKind


class LookupResult:
    """Members of a name, nearest first, and those that were passed over. The same lookup gives the same object."""

    __slots__ = ("_instance", "_static", "found", "passed_over")

    def __init__(self, found: tuple[Found, ...], passed_over: tuple[PassedOver, ...] = ()) -> None:
        self.found: Final = found
        self.passed_over: Final = passed_over
        self._instance: LookupResult | None = None
        self._static: LookupResult | None = None

    @property
    def instance(self) -> LookupResult:
        """Without static members, unless all are."""
        known = self._instance
        if known is None:
            known = self._instance = self._alike(False)
        return known

    @property
    def static(self) -> LookupResult:
        """Without instance members, unless all are."""
        known = self._static
        if known is None:
            known = self._static = self._alike(True)
        return known

    @property
    def methods(self) -> LookupResult:
        """Where type arguments are given."""
        return self.without(
            tuple([found for found in self.found if found.member.kind is not MemberKind.METHOD]), LookupKind.NOT_GENERIC
        )

    def of_arity(self, count: int) -> LookupResult:
        """Where ``count`` type arguments are given to a simple name: methods that all take other counts leave it to what stands further
        out, a type perhaps (ECMA-334 §12.5.1, §12.8.4)."""
        methods = self.methods
        if any(found.member.type_parameter_count == count for found in methods.found):
            return methods
        return methods.without(methods.found, LookupKind.NOT_GENERIC)

    def beside(self, other: tuple[Found, ...]) -> LookupResult:
        """``other`` members of the name, too."""
        return LookupResult((*self.found, *other), self.passed_over) if other else self

    def without(self, other: tuple[Found, ...], kind: LookupKind) -> LookupResult:
        """Those of ``other`` are passed over."""
        if not other:
            return self
        kept = tuple([found for found in self.found if found not in other])
        return LookupResult(kept, (*self.passed_over, *[PassedOver(found, kind) for found in other]))

    def _alike(self, is_static: bool) -> LookupResult:
        others = tuple([found for found in self.found if found.member.is_static is not is_static])
        return self if len(others) == len(self.found) else self.without(others, LookupKind.STATIC_MISMATCH)


NOTHING: Final = LookupResult(())
