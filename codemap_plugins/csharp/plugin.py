"""The C# plug-in: hook implementations and nothing else."""

from __future__ import annotations

from codemap_core.hooks.contracts import LanguageFrontEnd
from codemap_core.hooks.markers import hookimpl
from codemap_core.hooks.registry import Registry
from codemap_core.model.meanings import Meanings


@hookimpl
def codemap_register_languages(registry: Registry[LanguageFrontEnd]) -> None:
    from codemap_plugins.csharp.front_end import CSharpFrontEnd

    registry.add(CSharpFrontEnd())


@hookimpl
def codemap_register_meanings(registry: Registry[Meanings]) -> None:
    from codemap_plugins.csharp.meanings import CSHARP_MEANINGS

    registry.add(CSHARP_MEANINGS)
