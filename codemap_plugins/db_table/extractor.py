"""Facts of the kind ``db_table``: tables that models and migrations define, and those that SQL in code names; and of the kind
``entity_relation``: how entities are related.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKind, FactRow
from codemap_plugins.db_table import model_reading, relations, sql_calls, type_names
from codemap_plugins.db_table.model_tables import model_conclusions


class ModelTables:
    """Of Entity Framework: sets, fluent configuration, attributes, migrations, snapshots."""

    name = "db_table.model"
    language = "csharp"
    interests = Interests(
        invocations=model_reading.INVOCATIONS,
        attributes=model_reading.ATTRIBUTES,
        base_types=model_reading.BASE_TYPES,
        bodies=type_names.CONFIGURED_IN,
        sparse_bodies=model_reading.GENERATED,
    )
    kinds: tuple[str, ...] = (FactKind.DB_TABLE.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        return model_reading.model_facts(seen)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        return model_conclusions(notes)


class SqlTables:
    """Of SQL that code hands to a database."""

    name = "db_table.sql"
    language = "csharp"
    interests = Interests(
        invocations=sql_calls.INVOCATIONS,
        creations=sql_calls.CREATIONS,
        assignments=sql_calls.ASSIGNMENTS,
    )
    kinds: tuple[str, ...] = (FactKind.DB_TABLE.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        for event in seen.events.values():
            yield from sql_calls.sql_facts(seen, event)


class EntityRelations:
    """Between entities, and between tables."""

    name = "db_table.relations"
    language = "csharp"
    interests = Interests(invocations=relations.INVOCATIONS)
    kinds: tuple[str, ...] = (relations.ENTITY_RELATION.name,)

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        return relations.relation_facts(seen)
