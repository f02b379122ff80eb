"""Symbols whose names are spelt like one that does not exist: a letter missing, doubled, changed or swapped, camel-case parts cut short
(``libManager``, ``RPB``), or a name cut off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace
from rapidfuzz import process
from rapidfuzz.distance import OSA

from codemap_core.model import SymbolKind
from codemap_core.model.documentation_id import is_type_id, parse_id
from codemap_core.queries.names.symbol_candidates import Candidate, candidate
from codemap_core.queries.names.symbol_spelling import Spelling
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_names import NamedSymbol, NameList
from codemap_core.storage.reading.symbol_search import SymbolFilter

SUGGESTIONS: Final = 5
_NAMES: Final = 40
"""Similar names whose symbols are looked at."""
_SHORTEST_PREFIX: Final = 4
_LETTERS_PER_SLIP: Final = 5
"""Of a long name: one slip is allowed for as many."""
_HUMPS: Final = re.compile(r"[A-Z][a-z0-9]*|[a-z0-9]+")
_CAMEL_DOUBT: Final = 0.5
_PREFIX_DOUBT: Final = 1.5
_CONTAINER_WEIGHT: Final = 0.5
_MAX_CONTAINER_DOUBT: Final = 4.0


def similar_symbols(snapshot: Snapshot, spelling: Spelling) -> tuple[Candidate, ...]:
    """Declared symbols of a similar name, best first: in the same or a similar container before others, types before members, at most
    one for each name of a container."""
    if spelling.name.startswith("#") and spelling.outer:  # a constructor is sought by its type
        spelling = replace(spelling, parts=spelling.outer)
    name = spelling.name
    doubts = dict(similar_names(snapshot.reader.vocabulary.names, name, _NAMES))
    doubts[name] = 0.0
    symbols = snapshot.reader.symbols_called(tuple(doubts), SymbolFilter())
    best: dict[str, tuple[tuple[float, bool, int, str, int, str], NamedSymbol]] = {}
    for symbol in symbols:
        if symbol.kind is SymbolKind.CONSTRUCTOR:  # its type has the same name
            continue
        doubt = doubts.get(symbol.name)
        if doubt is None:
            doubt = float(_distance(name.lower(), symbol.name.lower()))
        doubt += _container_doubt(spelling, symbol)
        is_member = not is_type_id(symbol.symbol_id)
        rank = (doubt, is_member, len(symbol.full_name), symbol.file_path, symbol.line, symbol.symbol_id)
        known = best.get(symbol.full_name)
        if known is None or rank < known[0]:
            best[symbol.full_name] = (rank, symbol)
    ordered = sorted(best.values(), key=lambda each: each[0])
    return tuple(candidate(symbol) for _, symbol in ordered[:SUGGESTIONS])


def similar_names(names: NameList, name: str, limit: int) -> list[tuple[str, float]]:
    """Those of ``names`` that are spelt like ``name``, each with its distance, best first."""
    if not name:
        return []
    found: dict[str, float] = {}
    allowed = max(1, min(3, len(name) // 3), len(name) // _LETTERS_PER_SLIP)
    near = process.extract(name.lower(), names.folded, scorer=OSA.distance, score_cutoff=allowed, limit=limit)
    for _, distance, place in near:
        found[names.names[place]] = float(distance)
    for other in _by_camel_case(names, name):
        left_out = len(_HUMPS.findall(other)) - len(_HUMPS.findall(name))
        found[other] = min(found.get(other, _CAMEL_DOUBT), _CAMEL_DOUBT) + min(left_out / 20, 0.4) + len(other) / 10_000
    if len(name) >= _SHORTEST_PREFIX:
        for other in names.beginning_with(name):
            found.setdefault(other, _PREFIX_DOUBT + (len(other) - len(name)) / 10)
    return sorted(found.items(), key=lambda each: (each[1], len(each[0]), each[0]))[:limit]


def _by_camel_case(names: NameList, name: str) -> Iterable[str]:
    """Names whose words begin with the words of ``name``, in order, the first with the first."""
    pattern = _camel_pattern(name)
    return () if pattern is None else pattern.findall(names.lines)


@lru_cache(maxsize=64)
def _camel_pattern(name: str) -> re.Pattern[str] | None:
    humps = _HUMPS.findall(name)
    if len(humps) < 2 or "".join(humps) != name:
        return None
    first, *rest = humps
    start = f"[{first[0].upper()}{first[0].lower()}]{re.escape(first[1:])}"
    further = "".join(rf"[^\W_]*?{re.escape(hump[0].upper() + hump[1:])}" for hump in rest)
    return re.compile(rf"^(_?{start}{further}\w*)$", re.MULTILINE)


def _container_doubt(spelling: Spelling, symbol: NamedSymbol) -> float:
    if not spelling.outer:
        return 0.0
    parts = parse_id(symbol.symbol_id).parts
    container = parts[-2].name if len(parts) > 1 else ""
    return _CONTAINER_WEIGHT * min(_MAX_CONTAINER_DOUBT, _distance(spelling.outer[-1].name.lower(), container.lower()))


def _distance(one: str, other: str) -> int:
    return int(OSA.distance(one, other))
