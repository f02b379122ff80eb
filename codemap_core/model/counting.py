"""How a sentence counts things: the singular for one, the plural for none and for several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.model.symbol import SymbolKind

_PLURALS: Final = {SymbolKind.CLASS: "classes", SymbolKind.PROPERTY: "properties"}


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 file``, ``2 files``, ``0 matches``, ``1,234 files``. ``plural``: where it is not the noun with an s; both may end with
    their verb (``file has``, ``files have``)."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def kinds_counted(counts: Mapping[SymbolKind, int]) -> str:
    """``3 methods, 1 property``, in the order of ``counts``."""
    return ", ".join(counted(count, kind.value, _PLURALS.get(kind, "")) for kind, count in counts.items())
