"""One score of how hard code is to follow, and its category.

The score is 2.5 times the mean of cyclomatic and cognitive complexity, 100 at most, so that the usual limits of 10, 20 and 30 are its
quarters. A type, a file or any other element with several members has the score of its hardest member.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct

from codemap_core.hooks.capabilities import COMPLEXITIES
from codemap_core.hooks.contracts import MemberComplexity
from codemap_core.hooks.tool import ToolContext
from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.elements import Element

Measures = Mapping[str, Mapping[tuple[int, int], MemberComplexity]]
"""By path, then by line and column of the member's name."""


class Category(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Complexity(Struct, frozen=True):
    """Of one element: sums over its members, and the score of the hardest. ``members``: those with code."""

    cyclomatic: int
    cognitive: int
    members: int
    score: float

    @property
    def category(self) -> Category:
        for bound, category in ((25, Category.LOW), (50, Category.MEDIUM), (75, Category.HIGH)):
            if self.score < bound:
                return category
        return Category.CRITICAL


def score_of(member: MemberComplexity) -> float:
    return min(100.0, round(2.5 * (member.cyclomatic + member.cognitive) / 2, 1))


def measured(context: ToolContext, snapshot: Snapshot, elements: Iterable[Element], new_files: int) -> Measures:
    """The measures of the files that hold some elements; ``new_files``: as ``Complexities.of_files``."""
    return context.ask(COMPLEXITIES).of_files(
        snapshot, [each.file_path for each in elements if each.file_path], new_files
    )


def complexity_of(element: Element, measures: Measures) -> Complexity | None:
    """Null for what has no code, or is not measured."""
    members = members_of(element, measures)
    if not members:
        return None
    return Complexity(
        cyclomatic=sum(each.cyclomatic for each in members),
        cognitive=sum(each.cognitive for each in members),
        members=len(members),
        score=max(map(score_of, members)),
    )


def members_of(element: Element, measures: Measures) -> list[MemberComplexity]:
    """The measured members of an element, or the one that it is; in order."""
    known = measures.get(element.file_path, {})
    symbol = element.symbol
    if symbol is not None and not symbol.symbol_id.startswith("T:"):
        own = known.get((symbol.name_line, symbol.name_column))
        return [own] if own is not None else []
    span = element.span
    return [each for place, each in known.items() if span is None or span[0] <= place[0] <= span[1]]
