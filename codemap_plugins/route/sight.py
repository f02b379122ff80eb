"""Which projects compile documents, and what projects see of each other over several steps.

Conclusions know of projects what notes say. What a project references is said by documents that map endpoints, make requests, or declare
what tests start an application with: where the chains from a test to what answers it pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen

FACTORY: Final = "WebApplicationFactory"
"""The class with which tests start an application."""
_DECLARED_IN: Final = "declared_in"
_REFERENCES: Final = "project_references"
"""Topics of notes."""


class _References(Struct, frozen=True, array_like=True):
    project: str
    referenced: tuple[str, ...]
    """Paths of the projects that it references itself."""


def declaring_note(seen: Seen) -> Note:
    """Which project compiles a document."""
    return Note(_DECLARED_IN, seen.file_path, 1, seen.document.project_path)


def reference_note(seen: Seen) -> Note:
    """What the project of a document references."""
    referenced = tuple(seen.project.project_references) if seen.project is not None else ()
    return Note(_REFERENCES, seen.file_path, 1, note_data(_References(seen.document.project_path, referenced)))


def starts_an_application(seen: Seen) -> bool:
    """Whether a document declares what tests start an application with."""
    return any(base.name == FACTORY for each in seen.declarations for base in each.all_bases)


class Sight:
    """What all documents say of their projects."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._compiling: Final[dict[str, set[str]]] = {}
        self._references: Final[dict[str, tuple[str, ...]]] = {}
        self._seen_from: Final[dict[str, Sequence[frozenset[str]]]] = {}
        for note in notes:
            if note.topic == _DECLARED_IN:
                self._compiling.setdefault(note.file_path, set()).add(note.data)
            elif note.topic == _REFERENCES:
                said = read_note_data(note.data, _References)
                self._references[said.project] = said.referenced

    def compiling(self, file_path: str) -> frozenset[str]:
        """The projects of a document that says something."""
        return frozenset(self._compiling.get(file_path, ()))

    def seen_from(self, project: str) -> Sequence[frozenset[str]]:
        """The project and those that it references, then also those that these do, over any number of steps."""
        known = self._seen_from.get(project)
        if known is None:
            direct = frozenset({project, *self._references.get(project, ())})
            every, new = set(direct), set(direct)
            while new:
                new = {each for one in new for each in self._references.get(one, ())} - every
                every |= new
            known = self._seen_from[project] = (direct, frozenset(every))
        return known
