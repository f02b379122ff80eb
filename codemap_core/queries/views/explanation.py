"""The shape of an explanation: what the names of a line are bound to, by which rule, and why other candidates lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Explanation, PlaceExplanation
from codemap_core.model.counting import counted

_CANDIDATES: Final = 8
"""That plain text shows of each name; the values hold all."""


class ExplainedName(Struct, frozen=True, omit_defaults=True):
    """A name, and the projects that bind it so; empty where there is only one, or all do."""

    explanation: Explanation
    projects: tuple[str, ...] = ()


class ExplainedLine(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The names that were asked about on one line, by column. If several projects bind a name alike, it is listed once."""

    file_path: str
    line: int
    excerpt: str
    names: tuple[ExplainedName, ...]
    total_count: int
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.names)

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file_path,)

    def cut(self, count: int) -> Self:
        return replace(self, names=self.names[:count], truncated=True)

    def lines(self) -> Iterable[str]:
        yield f"{self.file_path}:{self.line}  {self.excerpt}"
        for each in self.names:
            yield from _lines(each)


def explained_line(places: Sequence[PlaceExplanation], limit: int, offset: int = 0) -> ExplainedLine:
    """One line of a file as each project that compiles the file binds it; ``places`` is not empty."""
    by_name: dict[Explanation, list[str]] = {}
    for place in places:
        for explanation in place.explanations:
            by_name.setdefault(explanation, []).append(place.project)
    projects = {place.project for place in places}
    names = [
        ExplainedName(explanation, () if projects.issubset(said) else tuple(dict.fromkeys(said)))
        for explanation, said in sorted(by_name.items(), key=lambda item: item[0].column)
    ]
    first = places[0]
    return ExplainedLine(
        file_path=first.file_path,
        line=first.line,
        excerpt=first.excerpt,
        names=tuple(names[offset : offset + limit]),
        total_count=len(names),
        truncated=offset + limit < len(names),
    )


def _lines(each: ExplainedName) -> Iterable[str]:
    found = each.explanation
    target = found.target or found.type or f"not bound: {found.reason}"
    notes = [
        *(["library"] if found.external else []),
        *([found.confidence] if found.confidence != "high" and found.target else []),
        *([f"in {', '.join(each.projects)}"] if each.projects else []),
    ]
    said = f"  [{', '.join(notes)}]" if notes else ""
    yield f"  {found.column}  {found.name}  {found.kind}  {target}{said}"
    if found.constructor:
        yield f"    constructor {found.constructor}"
    yield f"    {found.rule.removeprefix('not bound: ')}"
    lost = [candidate for candidate in found.candidates if not candidate.chosen]
    for candidate in lost[:_CANDIDATES]:
        yield f"    not {candidate.symbol_id}: {candidate.reason}"
    if len(lost) > _CANDIDATES:
        yield f"    and {counted(len(lost) - _CANDIDATES, 'more candidate')} that lost"
