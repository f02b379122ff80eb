"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo
from codemap_core.model.meanings import Meanings


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.db_table.extractor import EntityRelations, ModelTables, SqlTables

    registry.add(ModelTables())
    registry.add(SqlTables())
    registry.add(EntityRelations())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.db_table.relations import ENTITY_RELATION
    from codemap_plugins.db_table.rows import DB_TABLE

    registry.add(DB_TABLE)
    registry.add(ENTITY_RELATION)


@hookimpl
def codemap_register_meanings(registry: Registry[Meanings]) -> None:
    from codemap_plugins.db_table.meanings import ENTITY_FRAMEWORK, STORES

    registry.add(ENTITY_FRAMEWORK)
    registry.add(STORES)
