"""The Unity plug-in: registers the project loader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap_core.hooks.markers import hookimpl
from codemap_plugins.unity.loader import UnityProjectLoader

if TYPE_CHECKING:
    from codemap_core.hooks.contracts import ProjectLoader
    from codemap_core.hooks.registry import Registry


@hookimpl
def codemap_register_project_loaders(registry: Registry[ProjectLoader]) -> None:
    """Adds the loader ``unity``."""
    registry.add(UnityProjectLoader())
