"""What a summary says of a repository's data and messages: tables by context, messages with their handlers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from codemap_core.model import FactKind
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_core.queries.plain_lines import row, short_name
from codemap_core.queries.production_facts import ProductionFact
from codemap_core.queries.summary_rows import NAMES, ROWS, Section, Source, counts, some, where
from codemap_core.storage.fact_lookup import HANDLER

_MAPPING: Final = frozenset({"to_table", "attribute"})
_MIGRATION: Final = "migration"
_HOLE: Final = "{?"
"""In a name of which a piece is not known."""


RELATION: Final = "entity_relation"
_SNAPSHOT: Final = "snapshot"
_BELIEVED_LAST: Final = (_SNAPSHOT, _MIGRATION)
"""Sources of relations that only repeat what the mapping says, where a project has one."""
_MIGRATING: Final = frozenset({"Up", "Down"})
"""Methods of migrations: SQL in them is of what was once there."""


class _Table(Struct):
    source: str = ""
    entity: str = ""


def data(source: Source) -> Section:
    """Tables by context: those of its sets, and what its project maps where that has no other context."""
    facts = source.facts.of(FactKind.DB_TABLE)
    contexts: dict[tuple[str, str], dict[str, str]] = {}
    others: dict[str, dict[str, str]] = {}
    sources = {
        "to_table": "mapped elsewhere",
        "attribute": "by attribute",
        "sql": "in SQL",
        _MIGRATION: "in migrations",
    }
    said = [(each, _table(each)) for each in facts if _HOLE not in each.value]
    for each, detail in said:
        if detail.source == "dbset":
            contexts.setdefault((short_name(container_of(each.owner)), each.project), {})[each.value.lower()] = (
                each.value
            )
    known = {name for tables in contexts.values() for name in tables}
    only = {project: context for context, project in contexts if sum(project == own for _, own in contexts) == 1}
    for each, detail in said:
        if detail.source in _MAPPING and each.value.lower() not in known and each.project in only:
            contexts[only[each.project], each.project].setdefault(each.value.lower(), each.value)
    known |= {name for tables in contexts.values() for name in tables}
    for how, label in sources.items():
        for each, detail in said:
            name = each.value.lower()
            is_known = name in known or (how == _MIGRATION and name.rpartition(".")[2] in known)
            if detail.source == how and not is_known:
                others.setdefault(label, {})[each.value.lower()] = each.value
        known |= set(others.get(label, ()))
    brief = [
        f"{context} ({source.short(project)}): {some(sorted(tables.values()), NAMES)}"
        for (context, project), tables in sorted(contexts.items())
    ]
    brief = brief[:ROWS] + ([f"… and {counted(len(brief) - ROWS, 'context')} more"] if len(brief) > ROWS else [])
    brief += [f"{label}: {some(sorted(tables.values()), NAMES)}" for label, tables in others.items()]
    related = _relations(source.facts.of(RELATION))
    if related:
        brief.append(f"relations: {some(list(dict.fromkeys(each.value for each in related)), NAMES)}")
    rows: dict[str, dict[str, None]] = {}
    for each, detail in said:
        how = f"{each.metadata}{f' {detail.entity}' if detail.entity and detail.entity not in each.metadata else ''}"
        rows.setdefault(each.value, {})[f"{how} in {where(each.owner)}"] = None
    full = [
        f"{table}  {some(list(places), 4)}" for table, places in sorted(rows.items(), key=lambda pair: pair[0].lower())
    ]
    full += [f"relation  {row(each.value, each.metadata, f'{each.file_path}:{each.line}')}" for each in related]
    different = {each.value.lower() for each, _ in said}
    within = f" in {counted(len(contexts), 'context')}" if contexts else ""
    return Section("data", f"Data: {counted(len(different), 'table')}{within}", brief, full)


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
    pairs: dict[str, list[str]] = {}
    for each in facts:
        message, _, handler = each.value.partition(" → ")
        pairs.setdefault(message, []).append(handler)
    frameworks = Counter(each.metadata for each in facts)
    several = {message: len(handlers) for message, handlers in sorted(pairs.items()) if len(handlers) > 1}
    brief = (
        [f"for example {some([f'{message} → {handlers[0]}' for message, handlers in sorted(pairs.items())], 3)}"]
        if pairs
        else []
    )
    if several:
        brief.append(f"with several handlers: {counts(Counter(several))}")
    full = [
        row(each.value, each.metadata, f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path))
    ]
    title = f"Messages: {counted(len(pairs), 'type')} with {counted(len(facts), 'handler')} ({counts(frameworks)})"
    return Section("messages", title, brief, full)
