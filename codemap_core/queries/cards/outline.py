"""Outlines: what a type or a file declares, one line each, methods first.

Order: of a type's members by kind (methods, operators, properties, constructors, fields, events, nested types), then by
place; inherited members after its own, nearest base first. Of a file its types by place, each with its members. The
order depends on nothing but the index, so pages continue each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import DocumentStatus, RefKind, RelationKind, SymbolKind, SymbolRow, Visibility
from codemap_core.model.counting import with_article
from codemap_core.model.documentation_id import STATIC_CONSTRUCTOR, is_type_id, parse_id
from codemap_core.queries.names.declaring_projects import Standpoint, members_of_declaration, nearest_declarations
from codemap_core.queries.snapshot import Snapshot, normalise_path
from codemap_core.queries.views.outline import Outline, OutlineRow
from codemap_core.storage.reading.declared_attributes import attribute_names, without_suffix

_ORDER: Final = (
    SymbolKind.METHOD,
    SymbolKind.OPERATOR,
    SymbolKind.PROPERTY,
    SymbolKind.INDEXER,
    SymbolKind.CONSTRUCTOR,
    SymbolKind.FIELD,
    SymbolKind.CONSTANT,
    SymbolKind.EVENT,
)
_RANK: Final = {kind: rank for rank, kind in enumerate(_ORDER)}
_LONGEST: Final = 160
_UNSAID: Final = re.compile(r"(?:public|internal|protected|private|async)\s+")
_OBSOLETE: Final = "Obsolete"


class OutlineFilter(Struct, frozen=True, kw_only=True):
    """The declarations to list; every filter that is set must match. ``attribute``: a simple name, its suffix optional, case ignored."""

    kinds: tuple[SymbolKind, ...] = ()
    visibilities: tuple[Visibility, ...] = ()
    is_static: bool | None = None
    attribute: str = ""
    obsolete: bool | None = None


def outline_of_type(
    snapshot: Snapshot,
    symbol: SymbolRow,
    where: OutlineFilter | None = None,
    *,
    inherited: bool = False,
    limit: int,
    offset: int = 0,
) -> Outline:
    """The members of a type, of all its parts; nested types are named, not opened. ``inherited``: of its base types
    too, as far as they are declared here, those that it overrides or hides left out. Raises: InvalidArgumentError for
    what is not a type."""
    if not symbol.is_type:
        raise InvalidArgumentError(
            f"{symbol.fully_qualified_name} is {with_article(symbol.kind.value)} and has no members: ask for the type that contains "
            "it, or pass file_path.",
            symbol_id=symbol.symbol_id,
            container_id=symbol.container_id,
        )
    found = [(member, "") for member in by_kind(members_of_declaration(snapshot, symbol))]
    unknown: tuple[str, ...] = ()
    if inherited:
        further, unknown = _inherited(snapshot, symbol, [member for member, _ in found])
        found += further
    rows, left_out = _rows(snapshot, symbol.file_path, found, where or OutlineFilter())
    return Outline(
        symbol_id=symbol.symbol_id,
        name=symbol.fully_qualified_name,
        file_path=symbol.file_path,
        rows=tuple(rows[offset : offset + limit]),
        total_count=len(rows),
        counts=_counts(rows),
        left_out=left_out,
        unknown_bases=unknown,
        truncated=offset + limit < len(rows),
    )


def outline_of_file(
    snapshot: Snapshot, file_path: str, where: OutlineFilter | None = None, *, limit: int, offset: int = 0
) -> Outline:
    """The types that a file declares, parts of partial ones included, each with those of its members that stand in the
    file. A type that the filter leaves out is still named when members of it pass. Raises: NotFoundError naming
    similar paths."""
    path = normalise_path(file_path)
    if snapshot.reader.document(path) is None:
        snapshot.file_text(path)  # says what was probably meant
    declared = _declared_in(snapshot, path)
    where = where or OutlineFilter()
    rows, left_out = _rows(snapshot, path, [(symbol, "") for symbol in declared], where)
    if where != OutlineFilter():
        rows = _with_containers(path, declared, rows)
    page = rows[offset : offset + limit]
    return Outline(
        name=path,
        file_path=path,
        rows=tuple(page),
        total_count=len(rows),
        counts=_counts(rows),
        left_out=left_out,
        continues=_open_type(rows, offset) if page else "",
        truncated=offset + limit < len(rows),
    )


def why_unread(snapshot: Snapshot, path: str) -> str:
    """Why nothing of a file is known, if it was not read: a sentence. Empty for one that was, and for one that is not there."""
    document = snapshot.reader.document(path)
    status = document.status if document is not None else None
    if status is DocumentStatus.TEXT:
        return f"'{path}' is in the index as text: files of its language are not analysed."
    if status is DocumentStatus.SKIPPED:
        return f"'{path}' is too large or binary, and was not analysed."
    if status is DocumentStatus.FAILED:
        return f"'{path}' could not be analysed."
    return ""


def by_kind(members: Sequence[SymbolRow]) -> list[SymbolRow]:
    """In the order of a listing: by kind, methods first, then by place."""
    return sorted(members, key=lambda each: (_RANK.get(each.kind, len(_RANK)), each.file_path, each.name_line))


def _inherited(
    snapshot: Snapshot, symbol: SymbolRow, own: Sequence[SymbolRow]
) -> tuple[list[tuple[SymbolRow, str]], tuple[str, ...]]:
    """Members of base types, each with its type's name, nearest first; and the bases whose members are not known."""
    found: list[tuple[SymbolRow, str]] = []
    unknown: list[str] = []
    hidden = {_spelling(member) for member in own}
    overridden: set[str] = set()
    newest: Sequence[SymbolRow] = own
    for base_id, display_name in _bases(snapshot, symbol):
        edges = snapshot.reader.edges_from([each.symbol_id for each in newest], (RefKind.OVERRIDE,))
        overridden.update(edge.to_symbol for edge in edges)
        declared = nearest_declarations(snapshot, {base_id: Standpoint.of(symbol)}).get(base_id)
        newest = () if declared is None else members_of_declaration(snapshot, declared)
        if declared is None:
            unknown.append(display_name)
        for member in by_kind(newest):
            if not _is_inheritable(member) or member.symbol_id in overridden or _spelling(member) in hidden:
                continue
            found.append((member, display_name))
        hidden.update(_spelling(member) for member in newest)
    return found, tuple(unknown)


def _bases(snapshot: Snapshot, symbol: SymbolRow) -> list[tuple[str, str]]:
    """Ids and names of the types whose members a type inherits: base classes, of an interface its base interfaces."""
    kind = RelationKind.INTERFACE if symbol.kind is SymbolKind.INTERFACE else RelationKind.BASE_TYPE
    found: dict[str, str] = {}
    frontier = [symbol.symbol_id]
    common = snapshot.meanings.common_bases
    while frontier:
        above = [row for each in frontier for row in snapshot.reader.relations_from(each) if row.kind is kind]
        reached = {row.to_symbol: row.display_name for row in above if row.to_symbol not in common}
        frontier = [each for each in reached if each not in found and each != symbol.symbol_id]
        found.update({each: reached[each] for each in frontier})
    return list(found.items())


def _is_inheritable(member: SymbolRow) -> bool:
    return (
        member.visibility is not Visibility.PRIVATE and member.kind is not SymbolKind.CONSTRUCTOR and not member.is_type
    )


def _spelling(member: SymbolRow) -> str:
    """Name and parameter types as the id has them: equal ones hide each other (ECMA-334 §12.5)."""
    container = member.container_id or ""
    return member.symbol_id[len(container) :]


def _declared_in(snapshot: Snapshot, path: str) -> list[SymbolRow]:
    """Types by place, each followed by its members; then whatever has no type around it here."""
    types: dict[str, SymbolRow] = {}
    members: dict[str | None, list[SymbolRow]] = {}
    for symbol in snapshot.reader.symbols_in_file(path):
        if symbol.is_type:
            types[symbol.symbol_id] = symbol
        else:
            members.setdefault(symbol.container_id, []).append(symbol)
    here = {each.container_id: Standpoint(path, each.project) for rows in members.values() for each in rows}
    strangers = nearest_declarations(
        snapshot, {each: seen_from for each, seen_from in here.items() if each and each not in types}
    )
    for part in strangers.values():  # partial types whose first part is in another file
        lines = [member.name_line for member in members[part.symbol_id]]
        spans = [each for each in part.other_parts if each.file_path == path]
        span = next((each for each in spans if each.span_start <= min(lines) <= each.span_end), None)
        if span is not None:
            types[part.symbol_id] = _at(part, path, span.span_start, span.span_end)
    ordered: list[SymbolRow] = []
    for each in sorted(types.values(), key=lambda symbol: (symbol.span_start, symbol.name_line, symbol.symbol_id)):
        ordered.append(each)
        ordered += by_kind(members.pop(each.symbol_id, []))
    return ordered + [each for rest in members.values() for each in by_kind(rest)]


def _at(symbol: SymbolRow, path: str, start: int, end: int) -> SymbolRow:
    return replace(symbol, file_path=path, span_start=start, span_end=end, name_line=start)


def _rows(
    snapshot: Snapshot, file_path: str, found: Sequence[tuple[SymbolRow, str]], where: OutlineFilter
) -> tuple[list[OutlineRow], int]:
    """Those that pass, and how many do not."""
    attributes = attribute_names(snapshot.reader, (symbol.symbol_id for symbol, _ in found))
    rows = [
        _row(symbol, declared_in, file_path, attributes.get(symbol.symbol_id, ()))
        for symbol, declared_in in found
        if _passes(symbol, attributes.get(symbol.symbol_id, ()), where)
    ]
    return rows, len(found) - len(rows)


def _passes(symbol: SymbolRow, attributes: Sequence[str], where: OutlineFilter) -> bool:
    if where.kinds and symbol.kind not in where.kinds:
        return False
    if where.visibilities and symbol.visibility not in where.visibilities:
        return False
    if where.is_static is not None and symbol.is_static is not where.is_static:
        return False
    if where.obsolete is not None and (_OBSOLETE in attributes) is not where.obsolete:
        return False
    wanted = without_suffix(where.attribute.rpartition(".")[2]).lower()
    return not wanted or wanted in [each.lower() for each in attributes]


def _row(symbol: SymbolRow, declared_in: str, file_path: str, attributes: tuple[str, ...]) -> OutlineRow:
    return OutlineRow(
        symbol_id=symbol.symbol_id,
        kind=symbol.kind,
        signature=short_signature(symbol),
        line=symbol.name_line,
        line_end=symbol.span_end if symbol.is_type else 0,
        file_path=symbol.file_path if symbol.file_path != file_path else "",
        visibility=symbol.visibility,
        is_static=symbol.is_static,
        attributes=attributes,
        declared_in=declared_in,
        condition=symbol.condition,
    )


def short_signature(symbol: SymbolRow) -> str:
    """A signature without ``public`` and ``async``, with any other visibility, implied ones too; cut to 160
    characters."""
    text = symbol.signature
    while said := _UNSAID.match(text):
        text = text[said.end() :]
    text = text.replace(" async ", " ", 1) if "async" in symbol.modifiers else text
    if symbol.visibility is not Visibility.PUBLIC and _may_say_visibility(symbol):
        text = f"{symbol.visibility.value} {text}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _may_say_visibility(symbol: SymbolRow) -> bool:
    """Static constructors and explicit implementations take no modifier that says who sees them (ECMA-334 §15.12, §18.6.2)."""
    parsed = parse_id(symbol.symbol_id)
    return parsed.name != STATIC_CONSTRUCTOR and not parsed.interface


def _with_containers(path: str, declared: Sequence[SymbolRow], rows: Sequence[OutlineRow]) -> list[OutlineRow]:
    """``rows`` with the type around each of them, in the order of the file."""
    shown = {row.symbol_id: row for row in rows}
    needed = {symbol.container_id for symbol in declared if symbol.symbol_id in shown}
    ordered: list[OutlineRow] = []
    for symbol in declared:
        if symbol.symbol_id in shown:
            ordered.append(shown[symbol.symbol_id])
        elif symbol.symbol_id in needed:
            ordered.append(_row(symbol, "", path, ()))
    return ordered


def _counts(rows: Sequence[OutlineRow]) -> dict[SymbolKind, int]:
    counted = Counter(row.kind for row in rows)
    return {kind: counted[kind] for kind in (*_ORDER, *SymbolKind, *sorted(counted)) if counted[kind]}


def _open_type(rows: Sequence[OutlineRow], offset: int) -> str:
    """The type whose members ``rows`` go on with at ``offset``; empty where a type begins."""
    if not offset or is_type_id(rows[offset].symbol_id):
        return ""
    return next((row.signature for row in reversed(rows[:offset]) if is_type_id(row.symbol_id)), "")
