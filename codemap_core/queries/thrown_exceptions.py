"""The exceptions that leave a member."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.model import FactKind, FactRow, split_value

_CAUGHT: Final = "caught"
"""The key of an exception's detail that says that the member catches it itself."""


def thrown(facts: Iterable[FactRow]) -> tuple[str, ...]:
    """Full names of the exception types that a member throws itself and does not catch, in the order of the source. ``facts``: those that
    it owns."""
    names = []
    for fact in facts:
        if fact.kind == FactKind.EXCEPTION and not fact.detail.get(_CAUGHT):
            said = fact.detail.get("type")
            names.append(said if isinstance(said, str) else split_value(fact.kind, fact.value)[0])
    return tuple(dict.fromkeys(names))
