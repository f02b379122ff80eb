"""One symbol, by documentation-comment id, stable id or name; and what was probably meant when there is none."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.queries.search_grammar import parse_search, relax
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.symbol_search import SymbolFilter

_PREFIXES: Final = ("T:", "M:", "P:", "F:", "E:")
_STABLE_ID: Final = re.compile(r"^sym_[0-9a-f]{16}$")
_CANDIDATES: Final = 5
_SUGGESTIONS: Final = 3


class FoundSymbol(Struct, frozen=True):
    """``symbol``: of several declarations of one id the first in path order; ``others`` are the further ones.
    ``corrected_from``: what was asked for, when a missing prefix was added."""

    symbol: SymbolRow
    others: tuple[SymbolRow, ...] = ()
    corrected_from: str | None = None


def get_symbol(snapshot: Snapshot, symbol_id: str) -> FoundSymbol:
    """The symbol of a documentation-comment id, with or without its prefix, or of a stable id (``sym_…``).
    Raises: NotFoundError with similar ids in ``details['candidates']``."""
    asked = symbol_id.strip()
    if not asked:
        raise InvalidArgumentError(
            "symbol_id is empty: give a documentation-comment id such as 'T:Shop.Order', or a name."
        )
    if _STABLE_ID.match(asked):
        found = snapshot.reader.symbols_with_stable_id(asked)
        if found:
            return FoundSymbol(found[0], found[1:])
        raise NotFoundError(
            f"No symbol has the stable id '{asked}' in this index. Search for its name with symbols.search.",
            symbol_id=asked,
            candidates=[],
        )
    found = snapshot.reader.symbols_with_id(asked)
    if found:
        return FoundSymbol(found[0], found[1:])
    if not asked.startswith(_PREFIXES):
        for prefix in _PREFIXES:
            found = snapshot.reader.symbols_with_id(prefix + asked)
            if found:
                return FoundSymbol(found[0], found[1:], corrected_from=asked)
    raise _not_found(snapshot, asked)


def resolve_name(snapshot: Snapshot, name: str, where: SymbolFilter | None = None) -> FoundSymbol:
    """The one symbol that ``name`` means: a simple name (``OrderService``), a qualified one (``OrderService.Submit``)
    or words of one. Symbols whose name equals it win over those that merely match; of those a type wins over its
    constructors. Raises: NotFoundError; AmbiguousError with ``details['candidates']``."""
    where = where or SymbolFilter()
    exact = resolve_exact_name(snapshot, name, where)
    if exact is not None:
        return exact
    parsed = parse_search(name)
    assert parsed.query is not None
    page = snapshot.reader.search_symbols(parsed.query, parsed.name, where, _CANDIDATES + 1)
    symbols = tuple(symbol for symbol, _ in page.symbols)
    if not symbols:
        suggestions = suggest(snapshot, name)
        raise NotFoundError(
            f"No symbol matches the name '{name}'{_filter_note(where)}.{_did_you_mean(suggestions)}",
            name=name,
            candidates=list(suggestions),
        )
    if len({symbol.symbol_id for symbol in symbols}) == 1:
        return FoundSymbol(symbols[0], symbols[1:])
    raise _ambiguous(name, symbols, page.total)


def resolve_exact_name(snapshot: Snapshot, name: str, where: SymbolFilter | None = None) -> FoundSymbol | None:
    """The one symbol whose name equals ``name``; null when there is none. Raises: AmbiguousError when there are
    several."""
    parsed = parse_search(name)
    if parsed.query is None:
        raise InvalidArgumentError(f"'{name}' is no name: give a symbol's name such as 'OrderService.Submit'.")
    exact = _exact(snapshot, name.strip(), where or SymbolFilter())
    if not exact:
        return None
    if len({symbol.symbol_id for symbol in exact}) > 1:
        raise _ambiguous(name, exact, len(exact))
    return FoundSymbol(exact[0], exact[1:])


def suggest(snapshot: Snapshot, symbol_id: str) -> tuple[str, ...]:
    """Ids that may have been meant, best first, at most three: of the same simple name, then of names that begin like
    it."""
    simple = _simple_name(symbol_id)
    parsed = parse_search(simple)
    if parsed.query is None:
        return ()
    for query in (parsed.query, relax(parsed.query)):
        page = snapshot.reader.search_symbols(query, parsed.name, SymbolFilter(), _SUGGESTIONS)
        if page.symbols:
            return tuple(dict.fromkeys(symbol.symbol_id for symbol, _ in page.symbols))
    return ()


def _exact(snapshot: Snapshot, name: str, where: SymbolFilter) -> tuple[SymbolRow, ...]:
    """Symbols whose name or qualified name equals ``name``; with exact case if there are any; without a type's
    constructors."""
    parsed = parse_search(name)
    if parsed.query is None or parsed.name is None or parsed.name.prefix:
        return ()
    page = snapshot.reader.search_symbols(parsed.query, parsed.name, where, 50)
    qualified = parsed.name.qualified
    same = [symbol for symbol, _ in page.symbols if _has_name(symbol, parsed.name.name, qualified)]
    same_case = [symbol for symbol in same if symbol.name == parsed.name.name]
    same = same_case or same
    types = [symbol for symbol in same if symbol.kind.is_type]
    if types:
        type_ids = {symbol.symbol_id for symbol in types}
        same = [
            symbol
            for symbol in same
            if symbol.container_id not in type_ids or symbol.kind is not SymbolKind.CONSTRUCTOR
        ]
    return tuple(same)


def _has_name(symbol: SymbolRow, name: str, qualified: str) -> bool:
    if symbol.name.lower() != name.lower():
        return False
    return not qualified or f".{symbol.fully_qualified_name}".lower().endswith(qualified.lower())


def _simple_name(symbol_id: str) -> str:
    """The last name in an id: no prefix, no parameters, no arity; a constructor's is its type's."""
    bare = symbol_id.strip()
    if bare[1:2] == ":":
        bare = bare[2:]
    bare = re.sub(r"`+\d+", "", bare.partition("(")[0])
    parts = [part for part in bare.split(".") if part and part not in {"#ctor", "#cctor"}]
    return parts[-1] if parts else ""


def _not_found(snapshot: Snapshot, symbol_id: str) -> NotFoundError:
    suggestions = suggest(snapshot, symbol_id)
    return NotFoundError(
        f"Symbol '{symbol_id}' not found.{_did_you_mean(suggestions)}",
        symbol_id=symbol_id,
        candidates=list(suggestions),
    )


def _did_you_mean(suggestions: tuple[str, ...]) -> str:
    if suggestions:
        return f" Did you mean {', '.join(suggestions)}?"
    return " Search for a part of its name with symbols.search."


def _filter_note(where: SymbolFilter) -> str:
    return "" if where.is_empty else " with that filter"


def _ambiguous(name: str, symbols: tuple[SymbolRow, ...], total: int) -> AmbiguousError:
    shown = symbols[:_CANDIDATES]
    lines = "\n".join(
        f"{symbol.symbol_id} — {symbol.kind} {symbol.signature} ({symbol.file_path}:{symbol.name_line})"
        for symbol in shown
    )
    count = str(total) if total <= _CANDIDATES else f"{_CANDIDATES}+"
    return AmbiguousError(
        f"'{name}' means {count} symbols; ask again with one symbol_id, or narrow it with name_filter:\n{lines}",
        name=name,
        candidates=[symbol.symbol_id for symbol in shown],
    )
