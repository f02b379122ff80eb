"""The TypeScript plug-in: hook implementations and nothing else."""

from __future__ import annotations

from codemap_core.hooks.contracts import LanguageFrontEnd, ProjectLoader
from codemap_core.hooks.markers import hookimpl
from codemap_core.hooks.registry import Registry
from codemap_core.model.meanings import Meanings


@hookimpl
def codemap_register_languages(registry: Registry[LanguageFrontEnd]) -> None:
    from codemap_plugins.typescript.front_end import TypeScriptFrontEnd

    registry.add(TypeScriptFrontEnd())


@hookimpl
def codemap_register_project_loaders(registry: Registry[ProjectLoader]) -> None:
    from codemap_plugins.typescript.packages import PackageLoader

    registry.add(PackageLoader())


@hookimpl
def codemap_register_meanings(registry: Registry[Meanings]) -> None:
    from codemap_plugins.typescript.meanings import TYPESCRIPT_MEANINGS

    registry.add(TYPESCRIPT_MEANINGS)
