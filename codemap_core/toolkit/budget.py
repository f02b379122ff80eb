"""Limits of one call, brought under the caps of the contract; what that cut is recorded.

How many rows then fit into ``max_chars`` is the server's business, which cuts the view that a tool returns.
"""

from __future__ import annotations

from msgspec import Struct, field

from codemap_core.hooks.tool import LimitApplied


class Budget(Struct):
    """``limits_applied``: what was requested above its cap."""

    limits_applied: dict[str, LimitApplied] = field(default_factory=dict)

    def clamped(self, name: str, requested: int, default: int, cap: int) -> int:
        """``requested`` brought under ``cap``; 0 means not given."""
        if requested > cap:
            self.limits_applied[name] = LimitApplied(requested, cap)
            return cap
        return requested or min(default, cap)
