"""The shape of several cards in one answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.queries.views.symbols import SymbolCard


class SymbolCards(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Cards in the order they were asked for; long ones hold the first of their rows."""

    cards: tuple[SymbolCard, ...]
    total_count: int
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.cards)

    def cut(self, count: int) -> Self:
        return replace(self, cards=self.cards[:count], truncated=True)

    @property
    def first_row_count(self) -> int:
        return self.cards[0].row_count

    def cut_first(self, count: int) -> Self:
        return replace(self, cards=(self.cards[0].cut(count), *self.cards[1:]))

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that declare the symbols."""
        return tuple(dict.fromkeys(path for card in self.cards for path in card.files))

    def lines(self) -> Iterator[str]:
        for card in self.cards:
            yield card.headline()
            yield from card.lines_below()
            if card.truncated:
                yield f"(cut: symbols.get_card symbol={card.symbol_id})"
