"""Searches whose words nothing has: misspelt ones are taken as the nearest that exist, capital letters as the beginnings of camel-case
parts, and what resembles nothing is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.queries.names.similar_names import similar_names
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.symbols import Correction
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.storage.schema.fulltext import AllOf, AnyOf, Except, MatchQuery, Phrase, Word

_NAMES_TAKEN: Final = 20
_SHORTEST_WORD: Final = 3


class Forgiven(Struct, frozen=True):
    """``query``: with words as they were taken; null when a word resembles nothing. ``unmatched``: those words, in order."""

    query: MatchQuery | None
    corrections: tuple[Correction, ...] = ()
    unmatched: tuple[str, ...] = ()


def forgive(snapshot: Snapshot, query: MatchQuery) -> Forgiven:
    """A query that found nothing, with its words replaced by what they may mean. Words that match something alone are left as they are."""
    taken: dict[str, tuple[str, ...]] = {}
    unmatched: list[str] = []
    for word in dict.fromkeys(words_of(query)):
        if matches_of(snapshot, word):
            continue
        meant = _meant(snapshot, word)
        if meant:
            taken[word] = meant
        else:
            unmatched.append(word)
    if unmatched or not taken:
        return Forgiven(None, unmatched=tuple(unmatched))
    corrections = tuple(Correction(asked, meant) for asked, meant in taken.items())
    return Forgiven(_replaced(query, taken), corrections)


def words_of(query: MatchQuery) -> Iterator[str]:
    """The words that have to match, in order."""
    match query:
        case Word(text):
            yield text
        case Phrase():
            return
        case AllOf(operands) | AnyOf(operands):
            for operand in operands:
                yield from words_of(operand)
        case Except(wanted, _):
            yield from words_of(wanted)


def matches_of(snapshot: Snapshot, word: str) -> int:
    """How many symbols a word matches by itself, as the beginning of one."""
    return snapshot.reader.search_symbols(Word(word, prefix=True), None, SymbolFilter(), 1).total


def _meant(snapshot: Snapshot, word: str) -> tuple[str, ...]:
    """Names, or words of names, that are spelt most like ``word``; several where they are equally like it."""
    if len(word) < _SHORTEST_WORD:
        return ()
    names = similar_names(snapshot.reader.vocabulary.names, word, _NAMES_TAKEN)
    words = similar_names(snapshot.reader.vocabulary.words, word.lower(), _NAMES_TAKEN)
    found = sorted((*names, *words), key=lambda each: each[1])
    if not found:
        return ()
    return tuple(dict.fromkeys(name for name, doubt in found if int(doubt) <= int(found[0][1])))[:_NAMES_TAKEN]


def _replaced(query: MatchQuery, taken: dict[str, tuple[str, ...]]) -> MatchQuery:
    match query:
        case Word(text):
            meant = taken.get(text)
            if meant is None:
                return Word(text, prefix=True)
            return Word(meant[0]) if len(meant) == 1 else AnyOf(tuple(Word(each) for each in meant))
        case Phrase():
            return query
        case AllOf(operands):
            return AllOf(tuple(_replaced(operand, taken) for operand in operands))
        case AnyOf(operands):
            return AnyOf(tuple(_replaced(operand, taken) for operand in operands))
        case Except(wanted, unwanted):
            return Except(_replaced(wanted, taken), unwanted)
