"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.config.extractor import Configuration

    registry.add(Configuration())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.config.extractor import CONFIG

    registry.add(CONFIG)
