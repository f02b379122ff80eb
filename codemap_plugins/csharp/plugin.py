"""The C# plug-in: hook implementations and nothing else."""

from __future__ import annotations

from codemap_core.hooks.contracts import LanguageFrontEnd
from codemap_core.hooks.markers import hookimpl
from codemap_core.hooks.registry import Registry


@hookimpl
def codemap_register_languages(registry: Registry[LanguageFrontEnd]) -> None:
    from codemap_plugins.csharp.front_end import CSharpFrontEnd

    registry.add(CSharpFrontEnd())
