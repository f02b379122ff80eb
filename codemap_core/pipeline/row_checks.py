"""What an extractor gave, checked and encoded: an index can hold it, it is of a sort and kind that the extractor declares, and it stands
in a file that the extractor may say something about."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.extractors import Extractor, Note
from codemap_core.hooks.registry import Registration
from codemap_core.model import FactRow, ReferenceRow, RefKind, ResolutionState, SymbolRow
from codemap_core.pipeline.guard import RowError

_Sort: TypeAlias = tuple[type[Struct], str]
_SORTS: Final[Mapping[str, _Sort]] = {
    "symbol_extractors": (SymbolRow, "symbols"),
    "reference_extractors": (ReferenceRow, "references"),
    "fact_extractors": (FactRow, "facts"),
}
"""By extension point: what its extractors yield, and where that is kept."""
_NOTES: Final[_Sort] = (Note, "notes")
_LINKS: Final[_Sort] = _SORTS["reference_extractors"]
"""What an extractor of facts yields too where it declares roles."""
MAX_ROWS: Final = 200_000
"""Rows and notes of one extractor for one file; a conclusion may have ten times as many."""
MAX_ROW_BYTES: Final = 1 << 20
"""Of one row or note, encoded."""
_SIZED_AT_ONCE: Final = 128
"""Rows: nearly always all of them together are smaller than a single one may be."""
MAX_COLUMN: Final = 1 << 24
_STABLE_ID: Final = re.compile(r"sym_[0-9a-f]{16}")


class Extracted(Struct, frozen=True, array_like=True):
    """What one extractor gave of one document, or concluded."""

    symbols: tuple[SymbolRow, ...] = ()
    references: tuple[ReferenceRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    notes: tuple[Note, ...] = ()


class Place(Struct, frozen=True):
    """A document that rows may stand in: its lines, and the project that they are said for."""

    line_count: int
    project: str


decode_extracted: Final = msgspec.msgpack.Decoder(Extracted).decode
Places = Callable[[str], Place | None]
"""By path, the documents that an extractor may say something about."""


def encode_extracted(
    extractor: Registration[Extractor], given: object, places: Places, declared: Callable[[], Iterable[str]]
) -> bytes:
    """What an extractor gave of one document, encoded; no bytes for nothing. Takes all that is given. ``declared``: ids of the symbols that
    the language itself declares there, asked for where the extractor gives symbols. Raises: RowError, UnicodeEncodeError, and what the
    extractor raises meanwhile."""
    rows, data = _checked_rows(extractor, given, places, True, declared)
    return data if data is not None else msgspec.msgpack.encode(rows)


def check_concluded(extractor: Registration[Extractor], given: object, places: Places) -> Extracted:
    """What an extractor concluded. Takes all that is given. Raises: as ``encode_extracted``."""
    return _checked_rows(extractor, given, places, False, tuple)[0]


def _checked_rows(
    extractor: Registration[Extractor],
    given: object,
    places: Places,
    with_notes: bool,
    declared: Callable[[], Iterable[str]],
) -> tuple[Extracted, bytes | None]:
    """The rows, and what they were read from. Null where that is not what was given: a row may be of a class of the plug-in's own, with
    fields that no index knows."""
    if given is None:
        return Extracted(), b""
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise RowError(f"it returned {_named(given)}, which is not an iterable of rows")
    sorts = _sorts_of(extractor)
    kept = (*sorts, _NOTES) if with_notes else sorts
    accepted: dict[type[Struct], list[Any]] = {wanted: [] for wanted, _ in kept}
    most = MAX_ROWS if with_notes else 10 * MAX_ROWS
    count = 0
    is_plain = True
    for each in given:
        if count == most:
            raise RowError(f"it yielded more than {most:,} rows")
        for wanted, rows in accepted.items():
            if isinstance(each, wanted):
                rows.append(each)
                is_plain = is_plain and type(each) is wanted
                break
        else:
            expected = " or ".join(wanted.__name__ for wanted in accepted)
            raise RowError(f"it yielded {_named(each)}; expected: {expected}")
        count += 1
    if not count:
        return Extracted(), b""
    typed, data = _typed({kept_in: accepted[wanted] for wanted, kept_in in kept})
    for note in typed.notes:
        _check_lines(note.line, note.line, note.file_path, _place(note.file_path, places))
    if typed.symbols:
        _check_new(typed.symbols, declared())
    checked: dict[str, tuple[Any, ...]] = {}
    for _, kept_in in sorts:
        rows = getattr(typed, kept_in)
        if rows:
            checked[kept_in] = tuple(_checked(extractor.item, row, places) for row in rows)
            is_plain = is_plain and all(map(operator.is_, rows, checked[kept_in]))
    return (typed, data) if is_plain else (replace(typed, **checked), None)


def _sorts_of(extractor: Registration[Extractor]) -> tuple[_Sort, ...]:
    own = _SORTS[extractor.point]
    # Whether it is ``Linking``: asked of each document, and ``isinstance`` takes longer than many an extractor.
    return (own, _LINKS) if own[0] is FactRow and hasattr(extractor.item, "roles") else (own,)


def _typed(given: dict[str, list[Any]]) -> tuple[Extracted, bytes]:
    """The rows with every field of its type, as constructing a row checks none; and what they were read from. Raises: RowError,
    UnicodeEncodeError."""
    try:
        data = msgspec.msgpack.encode(Extracted(**{name: tuple(rows) for name, rows in given.items()}))
        if len(data) > MAX_ROW_BYTES:
            for rows in given.values():
                for start in range(0, len(rows), _SIZED_AT_ONCE):
                    _check_sizes(rows[start : start + _SIZED_AT_ONCE])
        details = [row.detail for row in given.get("facts", ())]
        if details and b"null" in msgspec.json.encode(details):
            _check_numbers(details)
        return decode_extracted(data), data
    except UnicodeEncodeError:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise RowError(f"it yielded a row that cannot be stored: {error}") from error


def _check_sizes(rows: Sequence[Struct]) -> None:
    if len(msgspec.msgpack.encode(rows)) <= MAX_ROW_BYTES:
        return
    for row in rows:
        size = len(msgspec.msgpack.encode(row))
        if size > MAX_ROW_BYTES:
            raise RowError(f"it yielded a {type(row).__name__} of {size:,} bytes; at most {MAX_ROW_BYTES:,} are stored")


def _check_numbers(value: object) -> None:
    """JSON writes null for a number that is infinite or none."""
    match value:
        case float() if not math.isfinite(value):
            raise RowError(f"it yielded a detail with {value}, which is not a number in JSON")
        case dict():
            _check_numbers(list(value.values()))
        case list() | tuple():
            for each in value:
                _check_numbers(each)


def _check_column(column: int) -> None:
    if not 1 <= column <= MAX_COLUMN:
        raise RowError(f"it yielded a row at column {column}; columns count from 1 to {MAX_COLUMN:,}")


def _checked(extractor: Any, row: Any, places: Places) -> Any:
    """The row, said for the project of its document. Raises: RowError."""
    place = _place(row.file_path, places)
    match row:
        case FactRow():
            if row.kind not in extractor.kinds:
                raise RowError(f"it yielded a fact of kind {row.kind!r}, but declares {_listed(extractor.kinds)}")
            if row.symbol_id == "":
                raise RowError("it yielded a fact with an empty symbol_id; null stands for none")
            _check_lines(row.line_start, row.line_end, row.file_path, place)
        case ReferenceRow():
            _check_reference(extractor, row)
            _check_lines(row.line, row.line_end, row.file_path, place)
        case _:
            _check_symbol(row)
            _check_lines(row.span_start, row.span_end, row.file_path, place)
            _check_lines(row.name_line, row.name_line, row.file_path, place)
    return row if row.project == place.project else replace(row, project=place.project)


def _place(file_path: str, places: Places) -> Place:
    place = places(file_path)
    if place is None:
        raise RowError(
            f"it yielded a row of {file_path}, which is not the file it was asked about nor one of the index"
        )
    return place


def _check_lines(start: int, end: int, file_path: str, place: Place) -> None:
    if not 1 <= start <= end <= max(1, place.line_count):
        count = place.line_count
        raise RowError(
            f"it yielded lines {start} to {end} of {file_path}, which has {count} {'line' if count == 1 else 'lines'}"
        )


def _check_reference(extractor: Any, row: ReferenceRow) -> None:
    if row.kind is RefKind.LINK and row.role not in extractor.roles:
        raise RowError(f"it yielded a link of role {row.role!r}, but declares {_listed(extractor.roles)}")
    if row.kind is not RefKind.LINK and row.role:
        raise RowError(f"it yielded a reference of kind {row.kind} with a role; only links have one")
    if (row.resolution_state is ResolutionState.RESOLVED) != bool(row.to_symbol):
        raise RowError(f"it yielded a reference to {row.to_symbol!r} that says it is {row.resolution_state}")
    _check_column(row.column)


def _check_new(symbols: Iterable[SymbolRow], declared: Iterable[str]) -> None:
    of_language = frozenset(declared)
    taken: set[str] = set()
    for row in symbols:
        if row.symbol_id in of_language:
            raise RowError(f"it yielded the symbol {row.symbol_id}, which the file's own language declares")
        if row.symbol_id in taken:
            raise RowError(f"it yielded the symbol {row.symbol_id} twice")
        taken.add(row.symbol_id)


def _check_symbol(row: SymbolRow) -> None:
    if not row.symbol_id:
        raise RowError("it yielded a symbol without a symbol_id")
    if not row.name:
        raise RowError(f"it yielded the symbol {row.symbol_id} without a name")
    _check_column(row.name_column)
    if not _STABLE_ID.fullmatch(row.stable_id):
        raise RowError(f"it yielded a symbol whose stable_id is {row.stable_id!r}; plain_symbol makes one")
    if any(part.file_path != row.file_path for part in row.other_parts):
        raise RowError(f"it yielded a symbol with a part outside {row.file_path}")


def _named(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words) or "none"
