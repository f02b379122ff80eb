"""Full-text search as the contract has it: a query of FTS5, ranked by BM25, and exact names, which come first.

Symbols are ranked by the index. Files and namespaces are few: they are ranked here by the same formula over the words of their names.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import SymbolRow
from codemap_core.queries.search.search_grammar import name_of_words, parse_search
from codemap_core.repository import language_of
from codemap_core.storage.reading.symbol_search import NameMatch, SymbolFilter
from codemap_core.storage.schema.fulltext import AllOf, AnyOf, Except, MatchQuery, Phrase, Word, name_words
from codemap_plugins.codeagent.nodes import described

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

_UNKNOWN_SYNTAX: Final = re.compile(r"\bNEAR\s*\(|(?:^|[\s(])[\w-]{2,}\s*:(?!:)|\{[^}]*\}\s*:|(?:^|[\s(])\^")
_PAGE: Final = 200
_DIGITS: Final = 6
"""Of a rank behind the point; in a small index all ranks are small."""
_K1: Final = 1.2
_B: Final = 0.75
"""The constants of FTS5's bm25()."""


def parsed(query: str) -> MatchQuery:
    """Raises: InvalidArgumentError for one that holds no word, or syntax of FTS5 that is not supported."""
    if _UNKNOWN_SYNTAX.search(query):
        raise InvalidArgumentError(
            'NEAR(), column filters and ^ are not supported. Write words, prefix*, "phrases", AND, OR, NOT and brackets.'
        )
    found = parse_search(query).query
    if found is None:
        raise InvalidArgumentError(f"The query '{query}' holds no word. Write one, or the beginning of one: Auth*.")
    return found


def ranked_symbols(
    snapshot: Snapshot, query: MatchQuery, where: SymbolFilter, language: str, limit: int
) -> list[dict[str, Any]]:
    """The best symbols, each with its rank: bm25, negative, the less the better. What is called exactly as a query of one word, or as its
    words together, comes first, types before their members; none behind has a better rank."""
    name = _name(query)
    rows: list[dict[str, Any]] = []
    offset = 0
    while len(rows) < limit:
        page = snapshot.reader.search_symbols(query, name, where, _PAGE if language else limit, offset)
        rows += [
            {**described(symbol), "rank": round(score, _DIGITS)}
            for symbol, score in page.symbols
            if _is_of(symbol, language)
        ]
        offset += len(page.symbols)
        if not page.symbols or offset >= page.total:
            break
    return rows[:limit]


def _name(query: MatchQuery) -> NameMatch | None:
    match query:
        case Word(text, prefix=False):
            return NameMatch(text)
        case AllOf(operands) if all(isinstance(each, Word) and not each.prefix for each in operands):
            return name_of_words(each.text for each in operands if isinstance(each, Word))
    return None


def ranked_names(names: Iterable[str], query: MatchQuery) -> list[tuple[str, float]]:
    """Names whose words match, best first, each with its rank."""
    words = {name: Counter(name_words(name)) for name in names}
    wanted = sorted(_words_of(query))
    average = sum(each.total() for each in words.values()) / max(1, len(words))
    idf = {}
    for word in wanted:
        holding = sum(1 for each in words.values() if _frequency(each, word))
        idf[word] = max(1e-6, math.log((len(words) - holding + 0.5) / (holding + 0.5)))
    found = []
    for name, each in words.items():
        if _matches(each, query):
            length = _K1 * (1 - _B + _B * each.total() / max(1.0, average))
            counts = ((word, _frequency(each, word)) for word in wanted)
            rank = -sum(idf[word] * count * (_K1 + 1) / (count + length) for word, count in counts)
            found.append((name, round(rank, _DIGITS)))
    return sorted(found, key=lambda pair: (pair[1], pair[0]))


def named(snapshot: Snapshot, qualified_name: str, project: str, language: str) -> tuple[SymbolRow, ...]:
    """Symbols of exactly that qualified name, with or without its type parameters; by place."""
    asked = qualified_name.strip()
    simple = _without_type_parameters(asked).rpartition(".")[2]
    candidates = snapshot.reader.symbols_called([simple], SymbolFilter(project=project))
    ids = {each.symbol_id for each in candidates if asked in (each.full_name, _without_type_parameters(each.full_name))}
    rows = {row.stable_id: row for symbol_id in ids for row in reversed(snapshot.reader.symbols_with_id(symbol_id))}
    found = (row for row in rows.values() if _is_of(row, language))
    return tuple(sorted(found, key=lambda row: (row.file_path, row.span_start, row.name_column)))


def _is_of(symbol: SymbolRow, language: str) -> bool:
    return not language or language_of(symbol.file_path) == language


def _without_type_parameters(name: str) -> str:
    previous = None
    while previous != name:
        previous, name = name, re.sub(r"<[^<>]*>", "", name)
    return name


def _words_of(query: MatchQuery) -> set[tuple[str, bool]]:
    """Words of a query in lower case, and whether each may go on; without those that must not occur."""
    match query:
        case Word(text, prefix):
            parts = name_words(text)
            return {(part, prefix or len(parts) > 1) for part in parts}
        case Phrase(words):
            return {(part, False) for word in words for part in name_words(word)}
        case AllOf(operands) | AnyOf(operands):
            return set().union(*map(_words_of, operands))
        case Except(wanted, _):
            return _words_of(wanted)


def _matches(words: Mapping[str, int], query: MatchQuery) -> bool:
    match query:
        case Word() | Phrase():
            return all(_frequency(words, word) for word in _words_of(query))
        case AllOf(operands):
            return all(_matches(words, operand) for operand in operands)
        case AnyOf(operands):
            return any(_matches(words, operand) for operand in operands)
        case Except(wanted, unwanted):
            return _matches(words, wanted) and not _matches(words, unwanted)


def _frequency(words: Mapping[str, int], wanted: tuple[str, bool]) -> int:
    text, goes_on = wanted
    if not goes_on:
        return words.get(text, 0)
    return sum(count for word, count in words.items() if word.startswith(text))
