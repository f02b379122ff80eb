"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.di_registration.extractor import SpeltRegistrations
    from codemap_plugins.di_registration.scanned import ScannedRegistrations
    from codemap_plugins.di_registration.wrappers import WrappedRegistrations

    registry.add(SpeltRegistrations())
    registry.add(ScannedRegistrations())
    registry.add(WrappedRegistrations())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.di_registration.registration import DI_REGISTRATION

    registry.add(DI_REGISTRATION)
