"""Which files a state of a repository lists, by path: what all states have in common that differ in contents alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.pipeline.discover import Discovery


class Layout:
    def __init__(self, discovery: Discovery) -> None:
        self.texts: Final = frozenset(blob.path for blob in discovery.texts)
        self.languages: Final = {blob.path: name for blob, name in (*discovery.sources, *discovery.declared)}
        """Of the files that one analyses, those that are declared alone too."""
        self.units: Final = frozenset(
            UnitKey(project, blob.path) for blob, _ in discovery.sources for project in compiling(discovery, blob.path)
        )
        """Of the files that the index holds."""
        self.listed: Final = frozenset(blob.path for blob in discovery.listed())

    def of_same_languages(self, units: Iterable[UnitKey], others: Iterable[UnitKey]) -> set[UnitKey]:
        """Those of the units whose language is that of one of the others."""
        languages = {self.languages[unit.file_path] for unit in others}
        return {unit for unit in units if self.languages[unit.file_path] in languages}


def compiling(discovery: Discovery, path: str) -> tuple[str, ...]:
    """Paths of the projects that compile a file; one that is empty where none does."""
    return tuple(each.project_path for each in discovery.compiled_by.get(path, ())) or ("",)
