"""A project loader that ends its process where it finds a certain file: whatever reads a repository with it ends, too. Laid out as a
distribution of its own by ``test_live_failures``."""

import os
from typing import Any

from codemap_core.hooks import hookimpl
from codemap_core.hooks.registry import Registry
from codemap_core.model import ProjectGraph


class EndingLoader:
    name = "ending"

    def load(self, files: Any, solution: str | None) -> ProjectGraph:
        if files.exists("end.process"):
            os._exit(3)
        return ProjectGraph()


@hookimpl
def codemap_register_project_loaders(registry: Registry[Any]) -> None:
    registry.add(EndingLoader())
