"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import ReferenceExtractor
from codemap_core.hooks.registry import Registry


@hookimpl
def codemap_register_reference_extractors(registry: Registry[ReferenceExtractor]) -> None:
    from codemap_plugins.signalr.links import HubLinks

    registry.add(HubLinks())
