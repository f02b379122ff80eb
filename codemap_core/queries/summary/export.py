"""An architecture as one text of a chosen size, for a model that has no tools: the summary, then types with their members, most used
first. The same index and arguments give the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import SymbolRow, Visibility
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import is_type_id
from codemap_core.queries.cards.outline import by_kind, short_signature
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.summary.page import summarize
from codemap_core.queries.summary.sections import SECTIONS
from codemap_core.queries.token_estimate import CHARACTERS_PER_TOKEN, tokens
from codemap_core.queries.views.summary import SummaryStats
from codemap_core.storage.reading.overview import count_uses_of_types, iter_declared

_AT_ONCE: Final = 100
"""Types that are read together."""
_FULL_ROWS: Final = 200
"""Rows of a section in the most detailed form."""
_API: Final = "Types, most used first"
_MEMBERS: Final = 30
"""Of one type, except in the most detailed form: a table of constants would leave no room for other types."""
_CUT: Final = "[cut here: a larger max_tokens shows more]"
_RESERVE: Final = 200
"""Characters that are kept for headings and marks."""
_Choice = TypeVar("_Choice", bound=StrEnum)


class ExportFormat(StrEnum):
    MARKDOWN = "markdown"
    JSON = "json"


class ExportDetail(StrEnum):
    SUMMARY = "summary"
    """The summary alone."""
    STANDARD = "standard"
    """And public types with their public members."""
    FULL = "full"
    """And every section in full, and types and members of any visibility."""


class ExportSection(Struct, frozen=True):
    title: str
    item_count: int
    content: str


class ExportResponse(Struct, frozen=True, kw_only=True):
    content: str
    format: ExportFormat
    detail_level: ExportDetail
    estimated_tokens: int
    truncated: bool
    stats: SummaryStats

    def lines(self) -> Iterator[str]:
        yield from self.content.split("\n")


class _JsonContent(Struct, frozen=True):
    solution: str
    commit_sha: str
    detail: ExportDetail
    stats: SummaryStats
    sections: list[ExportSection]


def parse_format(written: str) -> ExportFormat:
    """Raises: InvalidArgumentError listing them."""
    return _parsed(ExportFormat, "format", written)


def parse_detail(written: str) -> ExportDetail:
    """Raises: InvalidArgumentError listing them."""
    return _parsed(ExportDetail, "detail", written)


def _parsed(choices: type[_Choice], name: str, written: str) -> _Choice:
    try:
        return choices(written.strip().lower())
    except ValueError:
        raise InvalidArgumentError(
            f"There is no {name} {written!r}. Choose one of: {', '.join(each.value for each in choices)}."
        ) from None


def export(
    snapshot: Snapshot,
    solution_name: str,
    format_: ExportFormat = ExportFormat.MARKDOWN,
    detail: ExportDetail = ExportDetail.STANDARD,
    max_tokens: int = 4000,
    sections: Sequence[str] = (),
) -> ExportResponse:
    """The text, of about ``max_tokens`` tokens and never more. ``sections``: keys of the summary's sections, all where none are named."""
    summary = summarize(snapshot, solution_name, sections)
    if detail is ExportDetail.FULL:
        summary = summarize(snapshot, solution_name, sections or tuple(SECTIONS), _FULL_ROWS)
    title = f"# {solution_name} at {snapshot.commit_sha[:12]}"
    head = 0 if format_ is ExportFormat.MARKDOWN else len(_json(solution_name, snapshot, detail, summary.stats, []))
    left = _Budget(max_tokens * CHARACTERS_PER_TOKEN - max(head, len(title)) - _RESERVE, format_)
    made = [left.section(each.title, each.rows) for each in summary.sections]
    if detail is not ExportDetail.SUMMARY:
        made.append(left.section(_API, _types(snapshot, with_all=detail is ExportDetail.FULL)))
    shown = [each for each in made if each.item_count]
    if format_ is ExportFormat.JSON:
        content = _json(solution_name, snapshot, detail, summary.stats, shown)
    else:
        content = "\n\n".join([title, *(f"## {each.title}\n\n{each.content}" for each in shown)])
        content += f"\n\n{_CUT}\n" if left.is_spent else "\n"
    return ExportResponse(
        content=content,
        format=format_,
        detail_level=detail,
        estimated_tokens=tokens(len(content)),
        truncated=left.is_spent,
        stats=summary.stats,
    )


class _Budget:
    """Characters that are left. ``is_spent``: something did not fit, and nothing more is taken."""

    def __init__(self, characters: int, format_: ExportFormat) -> None:
        self._left = characters
        self._is_json: Final = format_ is ExportFormat.JSON
        self.is_spent = False

    def section(self, title: str, rows: Iterable[str]) -> ExportSection:
        kept: list[str] = []
        self._left -= self._cost(title) + len('{"title":,"item_count":9999,"content":},')
        if not self.is_spent:
            for each in rows:
                line = f"{'' if not each.startswith(' ') else '  '}- {each.lstrip()}"
                self._left -= self._cost(line)
                if self._left < 0:
                    self.is_spent = True
                    break
                kept.append(line)
        return ExportSection(title, len(kept), "\n".join(kept))

    def _cost(self, line: str) -> int:
        return len(msgspec.json.encode(line).decode()) if self._is_json else len(line) + 1


def _json(
    solution_name: str, snapshot: Snapshot, detail: ExportDetail, stats: SummaryStats, sections: list[ExportSection]
) -> str:
    return msgspec.json.encode(_JsonContent(solution_name, snapshot.commit_sha, detail, stats, sections)).decode()


def _types(snapshot: Snapshot, *, with_all: bool) -> Iterator[str]:
    """A row for each type, and an indented one for each member, as long as somebody reads them."""
    reader = snapshot.reader
    tests = set(reader.edges.test_projects.values())
    uses = count_uses_of_types(reader)
    named = {each.symbol_id: each for each in iter_declared(reader) if is_type_id(each.symbol_id)}
    ordered = sorted(named, key=lambda symbol_id: (-uses.get(symbol_id, 0), symbol_id))
    for start in range(0, len(ordered), _AT_ONCE):
        chunk = ordered[start : start + _AT_ONCE]
        declared = reader.first_declarations(chunk)
        for symbol_id in chunk:
            symbol = declared[symbol_id]
            if symbol.project in tests or not (with_all or _is_public(symbol)):
                continue
            place = f"{symbol.file_path}:{symbol.name_line}"
            yield "  ".join(each for each in (symbol.signature, symbol.namespace, place) if each)
            members = [
                each
                for each in by_kind(reader.members_of(symbol_id))
                if (with_all or _is_public(each)) and not each.is_type
            ]
            shown = members if with_all else members[:_MEMBERS]
            yield from (f"  {short_signature(each)}" for each in shown)
            if len(shown) < len(members):
                yield f"  {counted(len(members) - len(shown), 'more member', 'more members')}"


def _is_public(symbol: SymbolRow) -> bool:
    return symbol.visibility is Visibility.PUBLIC
