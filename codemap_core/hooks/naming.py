"""How the ids of a language's symbols read: what a query may ask of an id without knowing the language it comes from."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from codemap_core.model import SymbolKind
from codemap_core.model.documentation_id import container_of, is_type_id, readable_name
from codemap_core.model.library_symbol import kind_of


@runtime_checkable
class SymbolNaming(Protocol):
    def kind(self, symbol_id: str) -> SymbolKind | None:
        """What the id alone says; null where it does not say."""
        ...

    def readable_name(self, symbol_id: str) -> str:
        """The full name as a reader would write it: no prefix, no parameters."""
        ...

    def container(self, symbol_id: str) -> str | None:
        """Id of the type that contains it; null where the id names none."""
        ...

    def is_type(self, symbol_id: str) -> bool: ...


class DocumentationIdNaming:
    """Of ids that are documentation-comment ids: ``T:Shop.Order``, ``M:Shop.Order.Submit(System.Int32)``."""

    def kind(self, symbol_id: str) -> SymbolKind | None:
        return kind_of(symbol_id)

    def readable_name(self, symbol_id: str) -> str:
        return readable_name(symbol_id)

    def container(self, symbol_id: str) -> str | None:
        return None if self.is_type(symbol_id) else container_of(symbol_id)

    def is_type(self, symbol_id: str) -> bool:
        return is_type_id(symbol_id)
