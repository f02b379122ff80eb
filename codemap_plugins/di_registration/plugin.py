"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor, ReferenceExtractor
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactKindInfo


@hookimpl
def codemap_register_fact_extractors(registry: Registry[FactExtractor]) -> None:
    from codemap_plugins.di_registration.extractor import RegistrationFacts
    from codemap_plugins.di_registration.scanned import ScannedFacts
    from codemap_plugins.di_registration.wrappers import WrappedFacts

    registry.add(RegistrationFacts())
    registry.add(ScannedFacts())
    registry.add(WrappedFacts())


@hookimpl
def codemap_register_reference_extractors(registry: Registry[ReferenceExtractor]) -> None:
    from codemap_plugins.di_registration.extractor import RegistrationLinks

    registry.add(RegistrationLinks())


@hookimpl
def codemap_register_fact_kinds(registry: Registry[FactKindInfo]) -> None:
    from codemap_plugins.di_registration.registration import DI_REGISTRATION

    registry.add(DI_REGISTRATION)
