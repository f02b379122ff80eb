"""Types of the binder as the model has them, each made once for a document."""

from __future__ import annotations

from typing import Final

from codemap_core.model.bound import NOWHERE, BoundType, TypeForm
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    NamedType,
    PointerType,
    Type,
    TypeParameterType,
)

_DYNAMIC: Final = BoundType(TypeForm.DYNAMIC, "dynamic")


class BoundTypes:
    def __init__(self) -> None:
        self._made: Final[dict[Type, BoundType]] = {}

    def of(self, type_: Type) -> BoundType | None:
        """Null for what is not known at all."""
        if type_ is UNKNOWN:
            return None
        made = self._made.get(type_)
        if made is None:
            made = self._made[type_] = self._make(type_)
        return made

    def known(self, type_: Type) -> BoundType:
        """As ``of``; a type that is not known at all has no name."""
        return self.of(type_) or BoundType(TypeForm.UNRESOLVED, "")

    def _make(self, type_: Type) -> BoundType:
        match type_:
            case NamedType(definition=definition, arguments=arguments):
                own = tuple(self.known(each) for each in arguments)
                return BoundType(TypeForm.NAMED, definition.name, definition.documentation_id, own)
            case ArrayType(element=element, rank=rank):
                return BoundType(TypeForm.ARRAY, "Array", arguments=(self.known(element),), rank=rank)
            case PointerType(element=element):
                return BoundType(TypeForm.POINTER, "Pointer", arguments=(self.known(element),))
            case TypeParameterType(name=name, ordinal=ordinal, of_method=of_method):
                return BoundType(TypeForm.TYPE_PARAMETER, name, ordinal=ordinal if of_method else NOWHERE)
            case DynamicType():
                return _DYNAMIC
            case ErrorType(text=text, arguments=arguments):
                name = text.partition("<")[0].rpartition(".")[2].strip()
                return BoundType(TypeForm.UNRESOLVED, name or text, arguments=tuple(self.known(a) for a in arguments))
        return BoundType(TypeForm.POINTER, "Pointer")
