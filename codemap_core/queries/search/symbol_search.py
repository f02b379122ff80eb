"""Symbols by words or by kind. Zero hits are an answer; why there are none is told by ``SearchMiss``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.model.documentation_id import parse_id
from codemap_core.queries.names.declaring_projects import Standpoint, nearest_declarations
from codemap_core.queries.names.symbol_lookup import Match, matches
from codemap_core.queries.names.symbol_spelling import Looseness, parse_spelling
from codemap_core.queries.search.forgiving_search import forgive
from codemap_core.queries.search.search_grammar import name_of_words, parse_search, relax
from codemap_core.queries.snapshot import Snapshot, normalise_path_prefix
from codemap_core.queries.views.symbols import Correction, SymbolSearchHit, SymbolSearchResponse
from codemap_core.storage.reading.reader import SymbolPage
from codemap_core.storage.reading.symbol_names import NamedSymbol
from codemap_core.storage.reading.symbol_search import NameMatch, SymbolFilter

SNIPPET_CHARACTERS: Final = 200


def symbol_filter(
    kinds: Sequence[SymbolKind] = (), namespace: str = "", file_path: str = "", project: str = ""
) -> SymbolFilter:
    """A filter from what a client wrote: ``Shop.Ordering.`` and ``Shop.Ordering.*`` mean the namespace and those
    below it."""
    return SymbolFilter(
        kinds=tuple(kinds),
        namespace=namespace.strip().rstrip("*").rstrip("."),
        file_path=normalise_path_prefix(file_path).rstrip("*"),
        project=project.strip(),
    )


def search_symbols(
    snapshot: Snapshot,
    query: str = "",
    kinds: Sequence[SymbolKind] = (),
    namespace: str = "",
    file_path: str = "",
    project: str = "",
    limit: int = 20,
    offset: int = 0,
) -> SymbolSearchResponse:
    """Symbols that match ``query`` (grammar: ``search_grammar``) and all filters, best first. An empty query or ``*``
    browses all symbols that pass the filters. When nothing matches, type arguments are read as their number, whatever
    they are called; then words are tried as beginnings of words, then misspelt ones as what they resemble: a single
    word as the names that it resembles, if there are any. Raises: InvalidArgumentError for neither query nor filter."""
    where = symbol_filter(kinds, namespace, file_path, project)
    if query.strip() in {"", "*"}:
        if where.is_empty:
            raise InvalidArgumentError(
                "Give a query, or a filter to browse: for example query='Order*', kinds='class,interface' or "
                "file_path='src/Shop/'."
            )
        return _response(snapshot.reader.browse_symbols(where, limit, offset), offset)
    parsed = parse_search(query)
    if parsed.query is None:
        return SymbolSearchResponse((), 0, False)
    page = snapshot.reader.search_symbols(parsed.query, parsed.name, where, limit, offset)
    if page.total:
        return _response(page, offset)
    if ("<" in query or "`" in query) and (generic := _generic(snapshot, query, where)):
        return _listed(generic, limit, offset)
    page = snapshot.reader.search_symbols(relax(parsed.query), parsed.name, where, limit, offset)
    if page.total:
        return _response(page, offset, relaxed=True)
    forgiven = forgive(snapshot, parsed.query)
    if forgiven.query is None:
        return SymbolSearchResponse((), 0, unmatched=forgiven.unmatched)
    if forgiven.corrections[0].asked == query.strip():
        called = _called(snapshot, forgiven.corrections[0], where)
        if called:
            return replace(_listed(called, limit, offset), corrections=forgiven.corrections)
    first = _forgiven_name(query, forgiven.corrections) if parsed.name is not None else None
    page = snapshot.reader.search_symbols(forgiven.query, first, where, limit, offset)
    return replace(_response(page, offset), corrections=forgiven.corrections)


def named_first(query: str, hits: Sequence[SymbolSearchHit]) -> int:
    """How many of the first hits a search for one name asks for: those that are called so, or where there are none, those in whose names
    it stands; not what only stands in something of that name, nor a constructor beside its type. 0 for any other search."""
    name = parse_search(query).name
    if name is None or name.prefix:
        return 0
    asked = name.name.casefold()
    called = sum(1 for _ in takewhile(lambda hit: _own_name(hit) == asked, hits))
    return called or sum(1 for _ in takewhile(lambda hit: asked in _own_name(hit), hits))


def _own_name(hit: SymbolSearchHit) -> str:
    """The simple name, in small letters; nothing for a constructor, which has the name of its type."""
    return "" if hit.kind is SymbolKind.CONSTRUCTOR else parse_id(hit.symbol_id).name.casefold()


def _generic(snapshot: Snapshot, query: str, where: SymbolFilter) -> list[SymbolRow]:
    """The symbols that a name with type arguments means, as everywhere else: ``IHandler<T>`` and ``IHandler<Order>`` mean the
    declared ``IHandler<TMessage>``."""
    spelling = parse_spelling(query)
    if spelling is None:
        return []
    found = [match.symbol for match in sorted(matches(snapshot, spelling, where), key=_exactness)]
    declared = nearest_declarations(snapshot, _places(found))
    return [declared[each] for each in dict.fromkeys(each.symbol_id for each in found) if each in declared]


def _places(found: Sequence[NamedSymbol]) -> dict[str, Standpoint | None]:
    """By id, where the first of its declarations stands that pass a filter."""
    return {each.symbol_id: Standpoint(each.file_path, each.project) for each in reversed(found)}


def _exactness(match: Match) -> tuple[Looseness, bool, str]:
    return match.looseness, not match.is_type, match.symbol.symbol_id


def _listed(symbols: Sequence[SymbolRow], limit: int, offset: int) -> SymbolSearchResponse:
    hits = tuple(_hit(symbol, 0.0) for symbol in symbols[offset : offset + limit])
    return SymbolSearchResponse(hits, len(symbols), offset + len(hits) < len(symbols))


def _called(snapshot: Snapshot, correction: Correction, where: SymbolFilter) -> list[SymbolRow]:
    """The symbols that a misspelt name may mean, the likeliest name first, types before members; none where a capital or small letter
    tells that another kind of symbol is meant: who asks for a type does not mean a field of its name."""
    rank = {name: nth for nth, name in enumerate(correction.taken)}
    found = [
        each
        for each in snapshot.reader.symbols_called(correction.taken, where)
        if each.name in rank and each.kind is not SymbolKind.CONSTRUCTOR
    ]
    alike = [each for each in found if each.name[:1].isupper() == correction.asked[:1].isupper()]
    declared = nearest_declarations(snapshot, _places(alike))
    return sorted(
        declared.values(),
        key=lambda each: (rank[each.name], not each.is_type, each.fully_qualified_name, each.symbol_id),
    )


def _forgiven_name(query: str, corrections: Sequence[Correction]) -> NameMatch:
    """The name that a search for one name, or for its words, means with these corrections."""
    if len(query.split()) == 1:
        return NameMatch(_as_capital(corrections[0].asked, corrections[0].taken[0]))
    taken = {each.asked: each.taken[0] for each in corrections}
    return name_of_words(taken.get(word, word) for word in query.split())


def _as_capital(asked: str, name: str) -> str:
    """``name`` with a capital where ``asked`` has one: who asks for a type does not mean a field of its name."""
    return name[:1].upper() + name[1:] if asked[:1].isupper() else name


def _response(page: SymbolPage, offset: int, relaxed: bool = False) -> SymbolSearchResponse:
    hits = tuple(_hit(symbol, score) for symbol, score in page.symbols)
    more = offset + len(hits) < page.total or page.is_minimum
    return SymbolSearchResponse(hits, page.total, more, relaxed, page.is_minimum)


def _hit(symbol: SymbolRow, score: float) -> SymbolSearchHit:
    return SymbolSearchHit(
        symbol_id=symbol.symbol_id,
        fully_qualified_name=symbol.fully_qualified_name,
        kind=symbol.kind,
        signature=symbol.signature,
        documentation_snippet=None if symbol.documentation is None else _snippet(symbol.documentation.summary),
        file_path=symbol.file_path,
        line=symbol.name_line,
        score=round(score, 3),
    )


def _snippet(summary: str) -> str | None:
    text = " ".join(summary.split())
    if len(text) > SNIPPET_CHARACTERS:
        return text[: SNIPPET_CHARACTERS - 1].rstrip() + "…"
    return text or None
