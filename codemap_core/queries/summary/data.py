"""What a summary says of a repository's data and messages: tables by context, messages with their handlers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from codemap_core.model import HOLE, FactKind
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_core.queries.facts.past_tables import PastTables
from codemap_core.queries.facts.production_facts import ProductionFact
from codemap_core.queries.plain_lines import row, short_name
from codemap_core.queries.summary.rows import NAMES, ROWS, Section, Source, counts, some, where
from codemap_core.storage.reading.fact_lookup import HANDLER

RELATION: Final = "entity_relation"
_SETS: Final = "dbset"
_MAPPING: Final = frozenset({"to_table", "attribute"})
_MIGRATION: Final = "migration"
_SNAPSHOT: Final = "snapshot"
_ELSEWHERE: Final = {
    "to_table": "mapped elsewhere",
    "attribute": "by attribute",
    "sql": "in SQL",
    _MIGRATION: "in migrations",
}
"""How tables of no context are named, by the source that names them, the one that is believed most first."""
_BELIEVED_LAST: Final = (_SNAPSHOT, _MIGRATION)
"""Sources of relations that only repeat what the mapping says, where a project has one."""
_MIGRATING: Final = frozenset({"Up", "Down"})
"""Methods of migrations: SQL in them is of what was once there."""
"""In a name of which a piece is not known."""
_Spelt: TypeAlias = dict[str, str]
"""Names of tables by the same in lower case."""


class _Message(Struct):
    """``request_id``: types of one name are different messages."""

    request_id: str = ""


class _Table(Struct):
    """``context``: of a set that the context inherits from a library, the context."""

    source: str = ""
    entity: str = ""
    context: str = ""


def data(source: Source) -> Section:
    """Tables by context: those of its sets, and what its project maps where that has no other context. Those that migrations have dropped
    are left out."""
    dropped = source.snapshot.kept(PastTables).names
    facts = (each for each in source.facts.of(FactKind.DB_TABLE) if each.value.lower() not in dropped)
    tables = [(each, _table(each)) for each in facts]
    said = [(each, detail) for each, detail in tables if detail.source == _SETS or HOLE not in each.value]
    contexts = _contexts(said)
    others = _of_no_context(said, {name for tables in contexts.values() for name in tables})
    brief = [
        f"{context} ({source.short(project)}): {some(sorted(tables.values()), NAMES)}"
        for (context, project), tables in sorted(contexts.items())
    ]
    brief = brief[:ROWS] + ([f"… and {counted(len(brief) - ROWS, 'context')} more"] if len(brief) > ROWS else [])
    brief += [f"{label}: {some(sorted(tables.values()), NAMES)}" for label, tables in others.items()]
    related = _relations(source.facts.of(RELATION))
    if related:
        brief.append(f"relations: {some(list(dict.fromkeys(each.value for each in related)), NAMES)}")
    listed = {name for named in (*contexts.values(), *others.values()) for name in named}
    full = _places([(each, detail) for each, detail in said if each.value.lower() in listed])
    full += [f"relation  {row(each.value, each.metadata, f'{each.file_path}:{each.line}')}" for each in related]
    within = f" in {counted(len(contexts), 'context')}" if contexts else ""
    return Section("data", f"Data: {counted(len(listed), 'table')}{within}", brief, full)


def _contexts(said: Sequence[tuple[ProductionFact, _Table]]) -> dict[tuple[str, str], _Spelt]:
    """By the name of a context and its project."""
    contexts: dict[tuple[str, str], _Spelt] = {}
    for each, detail in said:
        if detail.source == _SETS:
            context = short_name(detail.context or container_of(each.owner)), each.project
            contexts.setdefault(context, {})[each.value.lower()] = each.value
    known = {name for tables in contexts.values() for name in tables}
    projects = Counter(project for _, project in contexts)
    only = {project: (context, project) for context, project in contexts if projects[project] == 1}
    for each, detail in said:
        if detail.source in _MAPPING and each.value.lower() not in known and each.project in only:
            contexts[only[each.project]].setdefault(each.value.lower(), each.value)
    return contexts


def _of_no_context(said: Sequence[tuple[ProductionFact, _Table]], known: Collection[str]) -> dict[str, _Spelt]:
    """By how they are named. ``known``: names in lower case; migrations name tables that are known with a schema."""
    found: dict[str, _Spelt] = {}
    named = set(known)
    for how, label in _ELSEWHERE.items():
        for each, detail in said:
            name = each.value.lower()
            is_known = name in named or (how == _MIGRATION and name.rpartition(".")[2] in named)
            if detail.source == how and not is_known:
                found.setdefault(label, {})[name] = each.value
        named.update(found.get(label, ()))
    return found


def _places(said: Sequence[tuple[ProductionFact, _Table]]) -> list[str]:
    """A row for each table, with how and where it is named."""
    places: dict[str, dict[str, None]] = {}
    for each, detail in said:
        entity = f" {detail.entity}" if detail.entity and detail.entity not in each.metadata else ""
        places.setdefault(each.value, {})[f"{each.metadata}{entity} in {where(each.owner)}"] = None
    by_name = sorted(places.items(), key=lambda pair: pair[0].lower())
    return [f"{table}  {some(list(found), 4)}" for table, found in by_name]


def _table(fact: ProductionFact) -> _Table:
    detail = fact.said(_Table)
    is_past = detail.source == "sql" and bool(fact.owner) and parse_id(fact.owner).name in _MIGRATING
    return _Table(_MIGRATION, detail.entity) if is_past else detail


def _relations(facts: Sequence[ProductionFact]) -> list[ProductionFact]:
    """Of each pair the one that is believed most: the mapping's, else that of a snapshot of the model; what migrations say counts in
    projects that say nothing else."""
    said = sorted(facts, key=lambda each: (_rank(each), each.value, each.file_path, each.line))
    mapped = {each.project for each in said if each.said(_Table).source != _MIGRATION}
    found: dict[tuple[str, str], ProductionFact] = {}
    for each in said:
        if each.project not in mapped or each.said(_Table).source != _MIGRATION:
            found.setdefault((each.project, each.value), each)
    return list(found.values())


def _rank(fact: ProductionFact) -> int:
    source = fact.said(_Table).source
    return _BELIEVED_LAST.index(source) + 1 if source in _BELIEVED_LAST else 0


def messages(source: Source) -> Section:
    facts = source.facts.of(HANDLER)
    pairs: dict[tuple[str, str], list[str]] = {}
    for each in facts:
        message, _, handler = each.value.partition(" → ")
        pairs.setdefault((message, each.said(_Message).request_id), []).append(handler)
    frameworks = Counter(each.metadata for each in facts)
    by_count = sorted(pairs.items(), key=lambda pair: len(pair[1]))  # of one name, the type with the most is told
    several = Counter({message: len(handlers) for (message, _), handlers in by_count if len(handlers) > 1})
    first = {message: handlers[0] for (message, _), handlers in sorted(pairs.items(), reverse=True)}
    brief = (
        [f"for example {some([f'{message} → {handler}' for message, handler in sorted(first.items())], 3)}"]
        if pairs
        else []
    )
    if several:
        brief.append(f"with several handlers: {counts(several)}")
    full = [
        row(each.value, each.metadata, f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path))
    ]
    by_framework = f" ({counts(frameworks)})" if frameworks else ""
    title = f"Messages: {counted(len(pairs), 'type')} with {counted(len(facts), 'handler')}{by_framework}"
    return Section("messages", title, brief, full)
