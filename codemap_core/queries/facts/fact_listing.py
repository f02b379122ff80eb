"""Facts of a kind that pass filters, as pages of one sequence: production code before tests, then by place. Filters come before limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import DOCUMENTED, Confidence, FactKind, FactRow, FactSources, split_value
from codemap_core.queries.facts.past_tables import CREATED, SNAPSHOT, PastTables, how_of, name_of
from codemap_core.queries.names.filter_values import unknown_project
from codemap_core.queries.path_filter import path_filter
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.facts import (
    ConfigKeyInfo,
    DbTableInfo,
    EndpointInfo,
    FactInfo,
    FactKindCount,
    FactKindsResponse,
    ListConfigKeysResponse,
    ListDbTablesResponse,
    ListEndpointsResponse,
    ListFactsResponse,
    TableUse,
)
from codemap_core.storage.reading.fact_pages import FactHead

UNUSED: Final = "unused"
UNDEFINED: Final = "undefined"
"""Keys of the detail of a configuration key: in a settings file and read by no code, read and in no settings file."""
_AT: Final = "at"
_USES_SHARED: Final = 60
_USES_LEAST: Final = 2
"""Uses that the tables of a page have together, and that each of them may have in any case."""
_DECLARING: Final = ("DbSet<", "[Table]", "ToTable")


class FactQuestion(Struct, frozen=True, kw_only=True):
    """``text``: the beginning of what names a fact (of a route its template, of a table also its name alone); with ``*``, which stands for
    anything, all of it; ASCII case ignored. ``verb``: of routes alone. ``path``: as ``path_filter`` has it. ``project``: name or path.
    ``tests``: facts of test projects alone, or none of them; null for all.
    ``marks``: keys of the kind's detail, one of which must be true. ``is_open``: of routes, those that demand nothing of callers."""

    kind: str
    text: str = ""
    verb: str = ""
    path: str = ""
    project: str = ""
    tests: bool | None = None
    marks: tuple[str, ...] = ()
    is_open: bool = False


def matching(snapshot: Snapshot, question: FactQuestion) -> list[FactHead]:
    """All facts that the question is about; of a text that begins no name, those whose names hold it. Raises: InvalidArgumentError for a
    project that does not exist."""
    edges = snapshot.reader.edges
    found: Iterable[FactHead] = snapshot.reader.fact_pages.heads(question.kind)
    if question.text:
        found = tuple(found)
        begins = _named(found, question.kind, question.text)
        found = begins or _named(found, question.kind, f"*{question.text}*")
    if question.verb:
        verb = f"{question.verb.upper()} "
        found = (each for each in found if each.value.upper().startswith(verb))
    if question.project:
        numbers = _projects(snapshot, question.project)
        found = (each for each in found if each.project_id in numbers)
    if question.tests is not None:
        found = (each for each in found if (each.project_id in edges.test_projects) is question.tests)
    if question.path:
        found = tuple(found)
        is_meant, paths = path_filter(question.path), edges.paths
        meant = {number for number in {each.file_id for each in found} if is_meant(paths[number])}
        found = (each for each in found if each.file_id in meant)
    if question.marks:
        marked = frozenset[int]().union(
            *(snapshot.reader.fact_pages.marked(question.kind, each) for each in question.marks)
        )
        found = (each for each in found if each.number in marked)
    if question.is_open:
        open_routes = snapshot.reader.fact_pages.open_routes
        found = (each for each in found if each.number in open_routes)
    return list(found)


def is_further_on(question: FactQuestion, found: Sequence[FactHead]) -> bool:
    """Whether the text of a question begins none of the names that it found."""
    return bool(question.text and found) and not _named(found, question.kind, question.text)


def _named(heads: Iterable[FactHead], kind: str, text: str) -> list[FactHead]:
    is_named = text_filter(kind, text)
    return [each for each in heads if any(map(is_named, _names(kind, each.value)))]


def text_filter(kind: str, text: str) -> Callable[[str], bool]:
    """Whether a name is meant by a filter's text."""
    wanted = text.strip()
    if kind == FactKind.ROUTE and not wanted.startswith(("/", "*")):
        wanted = f"/{wanted}"
    ending = "" if "*" in wanted else ".*"
    pattern = re.compile(".*".join(map(re.escape, wanted.split("*"))) + ending, re.IGNORECASE | re.DOTALL)
    return lambda name: pattern.fullmatch(name) is not None


def _names(kind: str, value: str) -> tuple[str, ...]:
    """What a filter's text is compared with."""
    name, _ = split_value(kind, value)
    if kind == FactKind.ROUTE:
        return (name.partition(" ")[2],)
    if kind == FactKind.DB_TABLE and "." in name:
        return (name, name.rpartition(".")[2])
    return (name,)


def count_of(snapshot: Snapshot, question: FactQuestion) -> int:
    """How many rows a list of them has: tables, of other kinds the facts. Raises: as ``matching``."""
    found = matching(snapshot, question)
    if question.kind != FactKind.DB_TABLE:
        return len(found)
    return len({name_of(head) for head in found})


def _projects(snapshot: Snapshot, project: str) -> frozenset[int]:
    edges = snapshot.reader.edges
    found = {number for number, name in edges.project_names.items() if name.lower() == project.lower()}
    found |= edges.project_numbers([project])
    if not found:
        raise InvalidArgumentError(str(unknown_project(snapshot, project)), project=project)
    return frozenset(found)


def list_facts(
    snapshot: Snapshot, question: FactQuestion, limit: int, offset: int, shown: tuple[str, ...] = ()
) -> ListFactsResponse:
    """Facts of any kind. ``shown``: as ``ListFactsResponse`` has it. Raises: as ``matching``."""
    page = _Page(snapshot, question, limit, offset)
    names = snapshot.reader.project_names
    return ListFactsResponse(
        kind=question.kind,
        facts=tuple(_fact(row, names, page.tests) for row in page.rows),
        shown=shown,
        documented_count=sum(_is_documented(question.kind, each.value) for each in page.found),
        **page.totals,
    )


def _is_documented(kind: str, value: str) -> bool:
    return kind == FactKind.EXCEPTION and split_value(kind, value)[1] == DOCUMENTED


def list_endpoints(snapshot: Snapshot, question: FactQuestion, limit: int, offset: int) -> ListEndpointsResponse:
    """Raises: as ``matching``."""
    page = _Page(snapshot, question, limit, offset)
    open_routes = snapshot.reader.fact_pages.open_routes
    return ListEndpointsResponse(
        endpoints=tuple(_endpoint(row, page.tests) for row in page.rows),
        open_count=sum(each.number in open_routes for each in page.found),
        **page.totals,
    )


def list_config_keys(snapshot: Snapshot, question: FactQuestion, limit: int, offset: int) -> ListConfigKeysResponse:
    """Uses of configuration keys, then what files that no project compiles define of them. Raises: as ``matching``."""
    page = _Page(snapshot, question, limit, offset, last=lambda head: head.project_id is None)
    marked = snapshot.reader.fact_pages.marked
    return ListConfigKeysResponse(
        keys=tuple(_config_key(row, page.tests) for row in page.rows),
        key_count=len({split_value(FactKind.CONFIG, each.value)[0].lower() for each in page.found}),
        unused_count=sum(each.number in marked(FactKind.CONFIG, UNUSED) for each in page.found),
        undefined_count=sum(each.number in marked(FactKind.CONFIG, UNDEFINED) for each in page.found),
        **page.totals,
    )


class _Page:
    """What passes a question's filters, and the facts that one page shows of it. ``last``: those that come after the others; ``tests``:
    paths of test projects."""

    def __init__(
        self,
        snapshot: Snapshot,
        question: FactQuestion,
        limit: int,
        offset: int,
        last: Callable[[FactHead], bool] | None = None,
    ) -> None:
        edges = snapshot.reader.edges
        self.found: Final = matching(snapshot, question)
        if last is not None:
            self.found.sort(key=last)
        self.tests: Final = frozenset(edges.test_projects.values())
        self.rows: Final = snapshot.reader.fact_pages.rows(
            [each.number for each in self.found[offset : offset + limit]]
        )
        self.totals: Final[dict[str, Any]] = {
            "total_count": len(self.found),
            "file_count": len({each.file_id for each in self.found}),
            "test_count": sum(each.project_id in edges.test_projects for each in self.found),
            "truncated": offset + limit < len(self.found),
        }


def list_db_tables(snapshot: Snapshot, question: FactQuestion, limit: int, offset: int) -> ListDbTablesResponse:
    """Tables, each with its uses; those that migrations have dropped last. What the snapshots of EF Core's migrations repeat counts only
    for tables that nothing else names. Raises: as ``matching``."""
    tables: dict[str, list[FactHead]] = {}
    for head in matching(snapshot, question):
        tables.setdefault(name_of(head), []).append(head)
    in_tests, past = snapshot.reader.edges.test_projects, snapshot.kept(PastTables)
    groups = [_present_first(heads, past) for heads in map(_without_snapshots, tables.values())]
    groups.sort(
        key=lambda heads: (
            name_of(heads[0]) in past.names,
            all(each.project_id in in_tests for each in heads),
            heads[0].value.lower(),
        )
    )
    shown = groups[offset : offset + limit]
    most = max(_USES_LEAST, _USES_SHARED // max(1, len(groups)))  # not of this page: pages make up one answer
    rows = {
        head.number: row
        for heads in [[each for group in shown for each in group]]
        for head, row in zip(heads, snapshot.reader.fact_pages.rows([each.number for each in heads]), strict=True)
    }
    tests = frozenset(in_tests.values())
    return ListDbTablesResponse(
        tables=tuple(
            _table([rows[head.number] for head in group], tests, most, name_of(group[0]) in past.names)
            for group in shown
        ),
        total_count=len(groups),
        dropped_count=len(past.names.intersection(tables)),
        use_count=sum(map(len, groups)),
        truncated=offset + limit < len(groups),
    )


def _without_snapshots(heads: Sequence[FactHead]) -> Sequence[FactHead]:
    return [each for each in heads if how_of(each) != SNAPSHOT] or heads


def _present_first(heads: Sequence[FactHead], past: PastTables) -> Sequence[FactHead]:
    """What maps a table, what else there is of it, then its history: what migrations do with it, and the models that they keep."""

    def rank(head: FactHead) -> int:
        how = how_of(head)
        return 0 if how.startswith(_DECLARING) else 2 if how == CREATED or head.number in past.facts else 1

    return sorted(heads, key=rank)


def line_of(fact: FactRow) -> int:
    """The line of the fact's own token."""
    at = fact.detail.get(_AT)
    return at if isinstance(at, int) else fact.line_start


def _text(fact: FactRow, key: str) -> str:
    """A key of its detail that holds a text; empty where it has none."""
    held = fact.detail.get(key)
    return held if isinstance(held, str) else ""


def _fact(fact: FactRow, project_names: dict[str, str], tests: frozenset[str]) -> FactInfo:
    value, metadata = split_value(fact.kind, fact.value)
    return FactInfo(
        value=value,
        metadata=metadata,
        symbol_id=fact.symbol_id,
        file_path=fact.file_path,
        line=line_of(fact),
        line_start=fact.line_start,
        line_end=fact.line_end,
        project=project_names.get(fact.project),
        detail={key: held for key, held in fact.detail.items() if key != _AT},
        confidence=fact.confidence,
        test=fact.project in tests,
    )


def _endpoint(fact: FactRow, tests: frozenset[str]) -> EndpointInfo:
    verb, _, template = fact.value.partition(" ")
    handler = _text(fact, "handler")
    is_symbol = handler[1:2] == ":"
    return EndpointInfo(
        http_method=verb,
        route_path=template,
        handler_symbol=handler if is_symbol else fact.symbol_id,
        handler="" if is_symbol else handler,
        authorization=_text(fact, "authorize"),
        authorized_by=_text(fact, "authorize_by"),
        versions=_text(fact, "versions"),
        file_path=fact.file_path,
        line=line_of(fact),
        confidence=fact.confidence,
        test=fact.project in tests,
    )


def _config_key(fact: FactRow, tests: frozenset[str]) -> ConfigKeyInfo:
    key, pattern = split_value(fact.kind, fact.value)
    return ConfigKeyInfo(
        key=key,
        used_by_symbol=fact.symbol_id,
        usage_pattern=pattern,
        write=fact.detail.get("write") is True,
        undefined=fact.detail.get(UNDEFINED) is True,
        unused=fact.detail.get(UNUSED) is True,
        file_path=fact.file_path,
        line=line_of(fact),
        confidence=fact.confidence,
        test=fact.project in tests,
    )


def _table(facts: Sequence[FactRow], tests: frozenset[str], most: int, is_dropped: bool) -> DbTableInfo:
    name, _ = split_value(FactKind.DB_TABLE, facts[0].value)
    schema, _, bare = name.rpartition(".")
    order = tuple(Confidence)
    declared = (fact for fact in facts if _text(fact, "source") == "dbset")
    return DbTableInfo(
        table_name=bare,
        schema=schema or None,
        entity_symbol=next((fact.symbol_id for fact in declared), None),
        referenced_by=tuple(dict.fromkeys(fact.symbol_id for fact in facts if fact.symbol_id)),
        confidence=max((fact.confidence for fact in facts), key=order.index),
        uses=tuple(_table_use(fact, tests) for fact in facts[:most]),
        use_count=len(facts),
        dropped=is_dropped,
    )


def _table_use(fact: FactRow, tests: frozenset[str]) -> TableUse:
    return TableUse(
        how=split_value(fact.kind, fact.value)[1],
        use=_text(fact, "use"),
        symbol_id=fact.symbol_id,
        file_path=fact.file_path,
        line=line_of(fact),
        confidence=fact.confidence,
        test=fact.project in tests,
    )


def count_kinds(snapshot: Snapshot, sources: FactSources) -> FactKindsResponse:
    """Every kind that the index has or a plug-in knows, with how many facts there are of it."""
    totals = snapshot.reader.fact_pages.totals
    known = {each.kind: each for each in sources.kinds}
    return FactKindsResponse(
        kinds=tuple(
            FactKindCount(
                kind=kind,
                title=known[kind].title if kind in known else kind,
                count=totals[kind].count if kind in totals else 0,
                test_count=totals[kind].test_count if kind in totals else 0,
                plugins=known[kind].plugins if kind in known else (),
            )
            for kind in sorted({*totals, *known})
        )
    )
