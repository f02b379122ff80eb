"""The summary of an architecture as it is answered: sections of one-line rows, each with the count of what it is taken from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec import Struct
from msgspec.structs import replace


class SummarySection(Struct, frozen=True, omit_defaults=True, kw_only=True):
    key: str
    """What ``section`` names it by."""
    title: str
    rows: tuple[str, ...] = ()
    """Indented by two spaces where they belong to the row above."""
    total: int = 0
    """The rows that there are, over all pages and whatever the limit."""


class SummaryStats(Struct, frozen=True, kw_only=True):
    """Counts over the whole index, tests included. Endpoints, keys and the like are different values."""

    project_count: int
    test_project_count: int
    file_count: int
    symbol_count: int
    reference_count: int
    fact_count: int
    endpoint_count: int
    config_key_count: int
    db_table_count: int
    di_registration_count: int
    exception_type_count: int
    log_template_count: int
    semantic_level: str


class SummaryResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Its rows are those of its sections, in order."""

    solution_name: str
    commit_sha: str
    sections: tuple[SummarySection, ...]
    stats: SummaryStats
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return sum(len(section.rows) for section in self.sections)

    def cut(self, count: int) -> Self:
        return replace(self, sections=_without(self.sections, 0, count), truncated=True)

    def behind(self, offset: int) -> Self:
        """Without the first ``offset`` rows."""
        return replace(self, sections=_without(self.sections, offset, self.row_count))

    def lines(self) -> Iterator[str]:
        for section in self.sections:
            yield section.title
            yield from (f"  {each}" for each in section.rows)
            left = section.total - len(section.rows)
            if left > 0 and not self.truncated:
                yield f"  … {left} more: section={section.key}"


def _without(sections: tuple[SummarySection, ...], first: int, last: int) -> tuple[SummarySection, ...]:
    """The rows from ``first`` up to ``last``, and the sections that hold any of them."""
    kept = []
    begin = 0
    for section in sections:
        rows = section.rows[max(0, first - begin) : max(0, last - begin)]
        if rows:
            kept.append(replace(section, rows=rows))
        begin += len(section.rows)
    return tuple(kept)
