"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.exception.extractor import Throws

    registry.add(Throws())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.exception.caught import CATCH_CLAUSES
    from codemap_plugins.exception.extractor import EXCEPTION

    registry.add(EXCEPTION)
    registry.add(CATCH_CLAUSES)
