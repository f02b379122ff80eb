"""How a sentence names things: the singular for one, the plural for none and for several, and the article before a noun."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.model.symbol import SymbolKind

_PLURALS: Final = {SymbolKind.CLASS: "classes", SymbolKind.PROPERTY: "properties"}


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 file``, ``2 files``, ``0 matches``, ``1,234 files``. ``plural``: where it is not the noun with an s; both may end with
    their verb (``file has``, ``files have``)."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def size_in_words(size: int) -> str:
    """A number of bytes, as ``1.2 MB``."""
    if size < 1_000:
        return f"{size} B"
    value = size / 1_000
    for unit in ("KB", "MB"):
        if value < 999.5:
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
        value /= 1_000
    return f"{value:.1f} GB"


def with_article(noun: str) -> str:
    """``a class``, ``an interface``: by the first letter, as it is spoken in every kind of symbol."""
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def kinds_counted(counts: Mapping[SymbolKind, int]) -> str:
    """``3 methods, 1 property``, in the order of ``counts``."""
    return ", ".join(counted(count, kind.value, _PLURALS.get(kind, "")) for kind, count in counts.items())
