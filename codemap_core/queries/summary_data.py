"""What a summary says of a repository's data and messages: tables by context, messages with their handlers."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec import Struct

from codemap_core.model import FactKind
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import container_of
from codemap_core.queries.plain_lines import row, short_name
from codemap_core.queries.summary_rows import NAMES, ROWS, Section, Source, counts, some, where
from codemap_core.storage.fact_lookup import HANDLER

_MAPPING: Final = frozenset({"to_table", "attribute"})
_MIGRATION: Final = "migration"
_HOLE: Final = "{?"
"""In a name of which a piece is not known."""


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
    said = [(each, each.said(_Table)) for each in facts if _HOLE not in each.value]
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
    rows: dict[str, dict[str, None]] = {}
    for each, detail in said:
        how = f"{each.metadata}{f' {detail.entity}' if detail.entity and detail.entity not in each.metadata else ''}"
        rows.setdefault(each.value, {})[f"{how} in {where(each.owner)}"] = None
    full = [
        f"{table}  {some(list(places), 4)}" for table, places in sorted(rows.items(), key=lambda pair: pair[0].lower())
    ]
    different = {each.value.lower() for each, _ in said}
    return Section(
        "data", f"Data: {counted(len(different), 'table')} in {counted(len(contexts), 'context')}", brief, full
    )


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
