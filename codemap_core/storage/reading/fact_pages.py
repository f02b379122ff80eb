"""Facts of a kind as one sequence, for lists that are filtered before they are cut: production code before tests, then by file, line and
value.

The short form of all facts of a kind is read once and kept, so that filters cost no statement; what a page shows is read by number.
Numbers are ``facts.id``, ``files.id`` and ``projects.id`` of one database file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Final, NamedTuple

from msgspec import Struct
from sqlalchemy import Connection, func, select

from codemap_core.model import FactKind, FactRow
from codemap_core.storage.reading import row_decoder
from codemap_core.storage.reading.edge_lookup import EdgeLookup
from codemap_core.storage.reading.value_list import value_list
from codemap_core.storage.schema import baseline_tables as t

_ANONYMOUS: Final = "anonymous"
_CONVENTIONAL: Final = "conventional"
"""What a route says in ``authorize`` where everybody may call it."""


class FactHead(NamedTuple):
    """A fact in short. ``line``: 1-based, of its own token."""

    number: int
    value: str
    file_id: int
    project_id: int | None
    line: int


class FactTotal(Struct, frozen=True):
    """How many facts there are of a kind, and how many of them in test projects."""

    count: int
    test_count: int


class FactPages:
    """Asks one index. ``reading`` gives a connection; ``edges`` knows its files and projects."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]], edges: EdgeLookup) -> None:
        self._reading: Final = reading
        self._edges: Final = edges
        self._heads: Final[dict[str, tuple[FactHead, ...]]] = {}
        self._marked: Final[dict[tuple[str, str], frozenset[int]]] = {}

    @cached_property
    def totals(self) -> dict[str, FactTotal]:
        """By kind, in the order of their names."""
        tests = self._edges.test_projects
        counts: dict[str, list[int]] = {}
        query = select(t.Fact.kind, t.Fact.project_id, func.count()).group_by(t.Fact.kind, t.Fact.project_id)
        with self._reading() as connection:
            for kind, project, count in connection.execute(query.order_by(t.Fact.kind)):
                of_kind = counts.setdefault(kind, [0, 0])
                of_kind[0] += count
                of_kind[1] += count if project in tests else 0
        return {kind: FactTotal(*both) for kind, both in counts.items()}

    def heads(self, kind: str) -> tuple[FactHead, ...]:
        """All facts of a kind."""
        if kind not in self._heads:
            at = func.json_extract(t.Fact.detail, "$.at")
            columns = (t.Fact.id, t.Fact.value, t.Fact.file_id, t.Fact.project_id, t.Fact.line_start, at)
            with self._reading() as connection:
                found = [
                    FactHead(number, value, file_id, project_id, line if isinstance(line, int) else line_start)
                    for number, value, file_id, project_id, line_start, line in connection.execute(
                        select(*columns).where(t.Fact.kind == kind)
                    )
                ]
            tests, ranks = self._edges.test_projects, self._edges.path_ranks
            found.sort(
                key=lambda each: (each.project_id in tests, ranks[each.file_id], each.line, each.value, each.number)
            )
            self._heads[kind] = tuple(found)
        return self._heads[kind]

    def marked(self, kind: str, key: str) -> frozenset[int]:
        """The numbers of the facts of a kind in whose detail the key is true."""
        if (kind, key) not in self._marked:
            is_marked = func.json_extract(t.Fact.detail, f"$.{key}") == 1
            with self._reading() as connection:
                found = connection.scalars(select(t.Fact.id).where(t.Fact.kind == kind, is_marked))
                self._marked[kind, key] = frozenset(found)
        return self._marked[kind, key]

    @cached_property
    def open_routes(self) -> frozenset[int]:
        """The numbers of the routes that demand nothing of their callers. What is mapped by convention leads to actions, which demand for
        themselves."""
        guard = func.coalesce(func.json_extract(t.Fact.detail, "$.authorize"), _ANONYMOUS)
        source = func.coalesce(func.json_extract(t.Fact.detail, "$.source"), "")
        with self._reading() as connection:
            query = select(t.Fact.id).where(t.Fact.kind == FactKind.ROUTE, guard == _ANONYMOUS, source != _CONVENTIONAL)
            return frozenset(connection.scalars(query))

    def rows(self, numbers: Collection[int]) -> tuple[FactRow, ...]:
        """Whole facts, in the order of ``numbers``."""
        query = row_decoder.FACTS.add_columns(t.Fact.id).where(t.Fact.id.in_(value_list(numbers)))
        with self._reading() as connection:
            found = {row[-1]: row_decoder.fact(row[:-1]) for row in connection.execute(query)}
        return tuple(found[number] for number in numbers)

    def count_of_members(self, container_id: str) -> dict[str, int]:
        """How many facts of each kind the direct members of a type own."""
        number = select(t.SymbolId.id).where(t.SymbolId.symbol_id == container_id).scalar_subquery()
        members = select(t.Symbol.symbol).where(t.Symbol.container == number)
        query = select(t.Fact.kind, func.count()).where(t.Fact.symbol.in_(members)).group_by(t.Fact.kind)
        with self._reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query.order_by(t.Fact.kind))}
