"""Why a symbol search found nothing: nothing indexed, filtered out, misspelt, newer than the index, or truly none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from codemap_core.model import SymbolKind
from codemap_core.model.counting import counted

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot


class Asked(Protocol):
    """What of a search's arguments matters here."""

    @property
    def query(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def file_path(self) -> str: ...
    @property
    def project_name(self) -> str: ...


def explain_miss(snapshot: Snapshot, asked: Asked, kinds: tuple[SymbolKind, ...]) -> str:
    """The answer to a search without hits."""
    info = snapshot.reader.info
    if info.symbol_count == 0:
        return f"The index of commit {snapshot.commit_sha[:12]} has no symbols: no C# file was found in it."
    query = asked.query.strip()
    has_query = query not in ("", "*")
    parts = [f"No symbol matches {query!r}." if has_query else "No symbol passes the filter."]
    parts += [
        hint
        for hint in (_without_filters(snapshot, asked, kinds) if has_query else _bad_filter(snapshot, asked),)
        if hint
    ]
    if len(parts) == 1 and has_query:
        parts.append(_by_word(snapshot, query) or _similar(snapshot, query))
    return " ".join(part for part in parts if part)


def _without_filters(snapshot: Snapshot, asked: Asked, kinds: tuple[SymbolKind, ...]) -> str:
    """Which filters hide matches, each tried alone."""
    from codemap_core.queries.search.symbol_search import search_symbols

    filters = {
        "kinds": ", ".join(kind.value for kind in kinds),
        "namespace": asked.namespace,
        "file_path": asked.file_path,
        "project_name": asked.project_name,
    }
    given = [f"{name}={value!r}" for name, value in filters.items() if value]
    if not given:
        return ""
    total = search_symbols(snapshot, asked.query, limit=1).total_count
    if not total:
        return _bad_filter(snapshot, asked)
    matches = counted(total, "symbol matches", "symbols match")
    return f"Without {' and '.join(given)}, {matches}. {_bad_filter(snapshot, asked)}".rstrip()


def _bad_filter(snapshot: Snapshot, asked: Asked) -> str:
    """A filter that nothing at all can pass."""
    from codemap_core.queries.names.filter_values import unknown_value
    from codemap_core.queries.search.symbol_search import symbol_filter

    where = symbol_filter((), asked.namespace, asked.file_path, asked.project_name)
    return str(unknown_value(snapshot, where) or "")


def _by_word(snapshot: Snapshot, query: str) -> str:
    """Of several words, which one finds nothing, or that only all together find nothing; empty for a single word."""
    from codemap_core.queries.search.forgiving_search import matches_of, words_of
    from codemap_core.queries.search.search_grammar import parse_search

    parsed = parse_search(query)
    words = tuple(dict.fromkeys(words_of(parsed.query))) if parsed.query is not None else ()
    if len(words) < 2:
        return ""
    counts = {word: matches_of(snapshot, word) for word in words}
    without = [repr(word) for word, count in counts.items() if not count]
    alone = ", ".join(f"{word!r} {count:,}" for word, count in counts.items() if count)
    if without:
        return f"Nothing has {' or '.join(without)}." + (f" Alone: {alone}." if alone else "")
    return f"Each word matches alone ({alone}), no symbol all of them: try OR."


def _similar(snapshot: Snapshot, query: str) -> str:
    from codemap_core.queries.names.similar_names import similar_symbols
    from codemap_core.queries.names.symbol_spelling import parse_spelling

    spelling = parse_spelling(query)
    similar = similar_symbols(snapshot, spelling) if spelling is not None else ()
    if similar:
        return f"Similar: {', '.join(each.display for each in similar)}."
    return "Try a part of the name with *, or code.search_text for text that is not a symbol."
