"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo
from codemap_core.model.meanings import Meanings


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.route.extractor import Routes

    registry.add(Routes())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.route.extractor import ROUTE, VIEWS

    registry.add(ROUTE)
    registry.add(VIEWS)


@hookimpl
def codemap_register_meanings(registry: Registry[Meanings]) -> None:
    from codemap_plugins.route.meanings import HTTP

    registry.add(HTTP)
