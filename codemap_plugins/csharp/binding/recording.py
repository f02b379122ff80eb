"""What binding records: of a declaration, or, until it is known which overload takes it, of a lambda's body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.model import UnresolvedReason
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.symbols.types import Type

_FAILURES: Final = frozenset(
    {UnresolvedReason.NO_SUCH_MEMBER, UnresolvedReason.NO_OVERLOAD_FITS, UnresolvedReason.NO_METHOD_IN_VIEW}
)
"""What says that something has other types than were assumed."""


class Recording:
    """``references`` in the order in which they are found. What is bound speculatively has a recording of its own, which is adopted when
    it is chosen."""

    __slots__ = ("_catches", "_delegate_calls", "_fails", "_throws", "_types", "references")

    def __init__(self) -> None:
        self.references: Final[list[Reference]] = []
        self._throws: Final[dict[int, Type]] = {}
        self._types: Final[dict[int, Type]] = {}
        self._delegate_calls: Final[dict[int, Use]] = {}
        self._catches = False
        self._fails = False

    @property
    def throws(self) -> Mapping[int, Type]:
        """By the offset of each ``throw`` that was bound, the type of what it throws; for what is kept of a declaration."""
        return self._throws

    @property
    def types(self) -> Mapping[int, Type]:
        """Of what has its type from elsewhere: by the offset of each ``return``, or body that is an expression, the type of what it gives,
        and by that of each variable without a written type its own. Where uses are kept."""
        return self._types

    @property
    def delegate_calls(self) -> Mapping[int, Use]:
        """By the offset of the parenthesis of each call of a delegate, its ``Invoke`` and the delegate's type. Where uses are kept."""
        return self._delegate_calls

    @property
    def catches(self) -> bool:
        """Something that was bound catches."""
        return self._catches

    @property
    def fails(self) -> bool:
        """What was bound would not compile with the types that it was bound with: a name says so, it applies an operator that its operands
        lack, or calls what takes other arguments."""
        return self._fails or any(reference.reason in _FAILURES for reference in self.references)

    def note_throw(self, offset: int, thrown: Type) -> None:
        self._throws[offset] = thrown

    def note_type(self, offset: int, type_: Type) -> None:
        self._types[offset] = type_

    def note_delegate_call(self, offset: int, use: Use) -> None:
        self._delegate_calls[offset] = use

    def note_catch(self) -> None:
        self._catches = True

    def note_failure(self) -> None:
        self._fails = True

    def adopt(self, other: Recording) -> None:
        """All of another recording but its failure: a body that stands alone fails for itself."""
        self.references.extend(other.references)
        self._throws.update(other._throws)
        self._types.update(other._types)
        self._delegate_calls.update(other._delegate_calls)
        self._catches = self._catches or other._catches
