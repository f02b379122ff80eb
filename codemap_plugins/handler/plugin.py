"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor, ReferenceExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo
from codemap_core.model.meanings import Meanings


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.handler.extractor import HandlerFacts

    registry.add(HandlerFacts())


@hookimpl
def codemap_register_reference_extractors(registry: Registry[ReferenceExtractor]) -> None:
    from codemap_plugins.handler.extractor import MessageLinks

    registry.add(MessageLinks())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.handler.kinds import HANDLER, JOB

    registry.add(HANDLER)
    registry.add(JOB)


@hookimpl
def codemap_register_meanings(registry: Registry[Meanings]) -> None:
    from codemap_plugins.handler.meanings import MESSAGES

    registry.add(MESSAGES)
