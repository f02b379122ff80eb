"""Symbols that a spelling means, most exactly first: declared ones, those of libraries that something refers to, and members that a type
inherits. What is found is what was spelt; nothing is found by a part of its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import RelationKind
from codemap_core.model.documentation_id import container_of, is_type_id, parse_id
from codemap_core.queries.names.symbol_spelling import Looseness, Spelling, SpeltPart, looseness, names_to_seek
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_names import NamedSymbol
from codemap_core.storage.reading.symbol_search import SymbolFilter

_MAX_LEVELS: Final = 64
"""The type that every type derives from; base lists do not name it."""


class Match(Struct, frozen=True):
    """A symbol that a spelling means, and how exactly."""

    symbol: NamedSymbol
    looseness: Looseness

    @property
    def is_type(self) -> bool:
        return is_type_id(self.symbol.symbol_id)


def matches(snapshot: Snapshot, spelling: Spelling, where: SymbolFilter) -> list[Match]:
    """All symbols that the spelling means in any way, in the order of ids. A filter leaves libraries out."""
    return _weighed(spelling, _named(snapshot, spelling, where))


def inherited(snapshot: Snapshot, spelling: Spelling, where: SymbolFilter) -> list[Match]:
    """Members that the type before the last name inherits from its nearest base type or interface that has one of that name."""
    container = spelling.container
    if container is None or spelling.name.startswith("#"):
        return []
    types = [match for match in matches(snapshot, container, SymbolFilter()) if match.is_type]
    if not types:
        return []
    least = min(match.looseness for match in types)
    named: dict[str, list[NamedSymbol]] = {}
    for symbol in _named(snapshot, spelling, where):
        named.setdefault(container_of(symbol.symbol_id), []).append(symbol)
    found: dict[str, Match] = {}
    for type_id in dict.fromkeys(match.symbol.symbol_id for match in types if match.looseness == least):
        for match in _of_nearest_base(snapshot, spelling, type_id, named):
            found.setdefault(match.symbol.symbol_id, match)
    return list(found.values())


def _of_nearest_base(
    snapshot: Snapshot, spelling: Spelling, type_id: str, named: dict[str, list[NamedSymbol]]
) -> list[Match]:
    seen = {type_id}
    level = [type_id]
    for _ in range(_MAX_LEVELS):
        bases = [base for each in level for base in _bases(snapshot, each) if base not in seen]
        level = list(dict.fromkeys(bases))
        seen.update(level)
        for base in level:
            found = _weighed(_member_of(base, spelling), named.get(base, ()))
            if found:
                return found
        if not level:
            break
    universal = snapshot.meanings.universal_types
    return [match for each in universal for match in _weighed(_member_of(each, spelling), named.get(each, ()))]


def _bases(snapshot: Snapshot, type_id: str) -> list[str]:
    """The base type, then the interfaces."""
    relations = snapshot.reader.relations_from(type_id)
    if not relations:
        library = snapshot.reader.library_symbol(type_id)
        return [] if library is None else list(library.bases)
    return [each.to_symbol for each in sorted(relations, key=lambda row: row.kind is not RelationKind.BASE_TYPE)]


def _member_of(type_id: str, spelling: Spelling) -> Spelling:
    outer = tuple(SpeltPart(part.name, part.arity) for part in parse_id(type_id).parts)
    return replace(spelling, parts=(*outer, spelling.parts[-1]))


def _weighed(spelling: Spelling, symbols: Iterable[NamedSymbol]) -> list[Match]:
    found = ((symbol, looseness(spelling, symbol)) for symbol in symbols)
    return [Match(symbol, exactness) for symbol, exactness in found if exactness is not None]


def _named(snapshot: Snapshot, spelling: Spelling, where: SymbolFilter) -> list[NamedSymbol]:
    names = names_to_seek(spelling)
    found = list(snapshot.reader.symbols_called(names, where, with_operators=bool(spelling.operators)))
    if where.is_empty:
        found += snapshot.reader.library_symbols_called(
            (*names, *spelling.operators), with_operators=bool(spelling.operators)
        )
    return found
