"""The price of the tokens that an answer saved. How many those are: ``codemap_core.queries.token_estimate``."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

DOLLARS_PER_THOUSAND_TOKENS: Final = 0.003


class Savings(Struct, frozen=True):
    tokens_saved: int = 0

    @property
    def cost_avoided(self) -> float:
        """US dollars, at the contract's rate."""
        return round(self.tokens_saved / 1000 * DOLLARS_PER_THOUSAND_TOKENS, 6)
