"""Contexts: what one reads to understand a symbol, in one answer: its source and that of what it calls.

Order: the symbols asked for, then what they call: what is in the same type, then in the same project, before others;
production code before tests; short before long; else as called. A call of an interface or abstract member brings its
implementations, where there are few. Of a type that is too long to be read whole: its constructors and the members most
referred to. What is called is read whole within a few dozen lines, and beyond them, last, by its signature. Sources are cut
into pieces of some dozen lines, so that a budget loses no more than it has to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import RefKind, ResolutionState, SymbolKind, SymbolPart, SymbolRow
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.facts.member_facts import said_beside_source
from codemap_core.queries.names.declaring_projects import Standpoint, members_of_declaration, nearest_declarations
from codemap_core.queries.plain_lines import called_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.context import Context, NamedCall, Role, SourcePiece
from codemap_core.storage.reading.reference_lookup import EdgeRow
from codemap_core.storage.reading.usage_counts import reference_counts

_PIECE_LINES: Final = 40
_SHORT: Final = 40
_LONG: Final = 120
_WHOLE_TYPE: Final = 200
"""Lines up to which a type is shown whole."""
_KEY_MEMBERS: Final = 12
_IMPLEMENTATIONS: Final = 2
_NAMES: Final = 30
_CALLED_LINES: Final = 50
"""Lines of what is called, taken together; of what would go beyond, the signature alone is shown."""
_LINE_CHARACTERS: Final = 2_000
_CALLS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.METHOD_GROUP)
_SLOTS: Final = (RefKind.IMPLEMENTATION, RefKind.OVERRIDE)


class _Source(Struct, frozen=True):
    """``is_signature``: of what is called, its signature stands for it."""

    symbol: SymbolRow
    role: Role
    for_symbol: str = ""
    is_signature: bool = False


def get_context(snapshot: Snapshot, symbols: Sequence[SymbolRow], *, limit: int, offset: int = 0) -> Context:
    """The context of some symbols: ``limit`` pieces after ``offset``."""
    asked = [source for symbol in symbols for source in _asked(snapshot, symbol)]
    known = {source.symbol.symbol_id for source in asked} | {symbol.symbol_id for symbol in symbols}
    callers = [source.symbol for source in asked if source.role is Role.ASKED and not source.symbol.is_type]
    edges = snapshot.reader.edges_from([each.symbol_id for each in callers], _CALLS)
    own = [edge for edge in edges if not edge.external and edge.to_symbol not in known]
    called = _with_signatures(_called(snapshot, callers, own, known))
    context = _page(snapshot, (*asked, *called), limit, offset)
    return replace(
        context,
        asked_count=len(asked),
        library_calls=_names(called_name(edge.to_symbol) for edge in edges if edge.external),
        unresolved_calls=_unresolved(snapshot, callers),
    )


def sources_of(snapshot: Snapshot, symbols: Sequence[SymbolRow], *, limit: int, offset: int = 0) -> Context:
    """The sources of some symbols, whole, each part of a partial one: ``limit`` pieces after ``offset``."""
    sources = [
        _Source(
            replace(symbol, file_path=part.file_path, span_start=part.span_start, span_end=part.span_end), Role.ASKED
        )
        for symbol in symbols
        for part in (SymbolPart(symbol.file_path, symbol.span_start, symbol.span_end), *symbol.other_parts)
    ]
    return _page(snapshot, sources, limit, offset)


def _page(snapshot: Snapshot, sources: Sequence[_Source], limit: int, offset: int) -> Context:
    pieces = _pieces(snapshot, sources)
    following = [piece for piece in pieces[offset + limit :] if piece.is_first]
    shown = pieces[offset : offset + limit]
    said = said_beside_source(snapshot, {piece.symbol_id: (piece.file_path,) for piece in shown if piece.is_first})
    return Context(
        pieces=tuple(
            replace(piece, facts=said[piece.symbol_id]) if piece.is_first and piece.symbol_id in said else piece
            for piece in shown
        ),
        total_count=len(pieces),
        source_count=len(sources),
        asked_count=len(sources),
        left_out=tuple(NamedCall(each.name, each.file_path, each.start_line) for each in following),
        truncated=offset + limit < len(pieces),
    )


def _asked(snapshot: Snapshot, symbol: SymbolRow) -> list[_Source]:
    lines = symbol.span_end - symbol.span_start + 1
    if not symbol.is_type or (lines <= _WHOLE_TYPE and not symbol.other_parts):
        return [_Source(symbol, Role.ASKED)]
    members = [each for each in members_of_declaration(snapshot, symbol) if each.kind in _BODIES]
    weights = reference_counts(snapshot.reader, (each.symbol_id for each in members))
    members.sort(
        key=lambda each: (
            each.kind is not SymbolKind.CONSTRUCTOR,
            each.kind is SymbolKind.PROPERTY and each.span_start == each.span_end,
            _size_class(each),
            -weights.get(each.symbol_id, 0),
            each.file_path,
            each.name_line,
        )
    )
    return [_Source(member, Role.MEMBER) for member in members[:_KEY_MEMBERS]]


_BODIES: Final = frozenset(
    {
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.PROPERTY,
        SymbolKind.INDEXER,
        SymbolKind.OPERATOR,
        SymbolKind.EVENT,
    }
)


def _called(
    snapshot: Snapshot, callers: Sequence[SymbolRow], edges: Sequence[EdgeRow], known: set[str]
) -> list[_Source]:
    order = {edge.to_symbol: nth for nth, edge in reversed(list(enumerate(edges)))}
    standpoints = {caller.symbol_id: Standpoint.of(caller) for caller in callers}
    declared = nearest_declarations(
        snapshot, {edge.to_symbol: standpoints.get(edge.from_symbol) for edge in reversed(edges)}
    )
    found = [_Source(symbol, Role.CALLED) for symbol in declared.values() if not symbol.is_type]
    sources = [
        implementation
        for source in found
        for implementation in (_implementations(snapshot, source.symbol, known) or [source])
    ]
    unique = {source.symbol.symbol_id: source for source in reversed(sources)}
    tests = {project.project_path for project in snapshot.reader.projects() if project.is_test}
    containers = {caller.container_id for caller in callers}
    projects = {caller.project for caller in callers}

    def relevance(source: _Source) -> tuple[object, ...]:
        symbol = source.symbol
        return (
            symbol.container_id not in containers,
            symbol.project not in projects,
            symbol.project in tests,
            _size_class(symbol),
            order.get(symbol.symbol_id, len(order)),
            symbol.symbol_id,
        )

    return sorted(unique.values(), key=relevance)


def _with_signatures(called: Sequence[_Source]) -> list[_Source]:
    """What is called: what is read whole, then that of which the signature stands for it."""
    left = _CALLED_LINES
    whole, signatures = [], []
    for source in called:
        lines = source.symbol.span_end - source.symbol.span_start + 1
        if lines <= left:
            whole.append(source)
            left -= lines
        else:
            signatures.append(replace(source, is_signature=True))
    return [*whole, *signatures]


def _implementations(snapshot: Snapshot, symbol: SymbolRow, known: set[str]) -> list[_Source]:
    """For a member without a body, the members that implement it, if they are few."""
    if symbol.span_end > symbol.span_start + 3 or not _has_no_body(snapshot, symbol):
        return []
    filled = snapshot.reader.edges_to([symbol.symbol_id], _SLOTS)
    fillers = nearest_declarations(
        snapshot, dict.fromkeys({edge.from_symbol for edge in filled} - known, Standpoint.of(symbol))
    )
    production = [each for each in fillers.values() if not each.is_type]
    if not 0 < len(production) <= _IMPLEMENTATIONS:
        return []
    name = _name(symbol)
    return [_Source(each, Role.IMPLEMENTATION, name) for each in production]


def _has_no_body(snapshot: Snapshot, symbol: SymbolRow) -> bool:
    if "abstract" in symbol.modifiers:
        return True
    containers = snapshot.reader.symbols_with_id(symbol.container_id) if symbol.container_id else ()
    return any(each.kind is SymbolKind.INTERFACE for each in containers)


def _size_class(symbol: SymbolRow) -> int:
    lines = symbol.span_end - symbol.span_start + 1
    return 0 if lines <= _SHORT else 1 if lines <= _LONG else 2


def _pieces(snapshot: Snapshot, sources: Sequence[_Source]) -> list[SourcePiece]:
    texts = snapshot.reader.file_texts({source.symbol.file_path for source in sources})
    lines = {path: split_lines(text) for path, text in texts.items()}
    return [
        piece
        for source in sources
        if source.symbol.file_path in lines
        for piece in _pieces_of(source, lines[source.symbol.file_path])
    ]


def _pieces_of(source: _Source, lines: Sequence[str]) -> Iterable[SourcePiece]:
    symbol = source.symbol
    documentation = symbol.documentation.summary if symbol.documentation and source.role is Role.ASKED else None
    end = min(symbol.span_end, len(lines))
    if source.is_signature:
        yield SourcePiece(
            symbol_id=symbol.symbol_id,
            name=_name(symbol),
            role=source.role,
            file_path=symbol.file_path,
            start_line=symbol.span_start,
            end_line=end,
            span_end=end,
            content=_clipped(symbol.signature),
            is_signature=True,
            for_symbol=source.for_symbol,
        )
        return
    for start in range(symbol.span_start, end + 1, _PIECE_LINES):
        last = min(end, start + _PIECE_LINES - 1)
        first = start == symbol.span_start
        yield SourcePiece(
            symbol_id=symbol.symbol_id,
            name=_name(symbol),
            role=source.role,
            file_path=symbol.file_path,
            start_line=start,
            end_line=last,
            span_end=end,
            content="\n".join(_clipped(line) for line in lines[start - 1 : last]),
            is_first=first,
            documentation=documentation if first else None,
            for_symbol=source.for_symbol,
        )


def _unresolved(snapshot: Snapshot, callers: Sequence[SymbolRow]) -> tuple[str, ...]:
    rows = (row for caller in callers for row in snapshot.reader.references_from(caller.symbol_id, _CALLS, limit=500))
    return _names(row.to_name for row in rows if row.resolution_state is ResolutionState.UNRESOLVED)


def _names(names: Iterable[str]) -> tuple[str, ...]:
    """Each once; the count of what is left out last."""
    unique = list(dict.fromkeys(names))
    rest = len(unique) - _NAMES
    return tuple(unique) if rest <= 0 else (*unique[:_NAMES], f"{rest} more")


def _name(symbol: SymbolRow) -> str:
    if symbol.kind is SymbolKind.CONSTRUCTOR and not symbol.is_static:
        return f"new {symbol.containing_type}"
    if symbol.containing_type is None:
        return symbol.name
    return f"{symbol.containing_type}.{symbol.name}"


def _clipped(line: str) -> str:
    return line if len(line) <= _LINE_CHARACTERS else f"{line[:_LINE_CHARACTERS]}…"
