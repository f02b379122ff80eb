"""Whether what a filter names is in an index: a project, a namespace, the beginning of a path. A filter that nothing can pass hides
everything, which must not look as if there were nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.queries.path_filter import path_filter
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_search import SymbolFilter

_SUGGESTIONS: Final = 3
_EXAMPLES: Final = 5
_LEAST_LIKENESS: Final = 60.0
"""Of 100: what is less alike is not offered."""


class Filtered(StrEnum):
    """What a filter is about."""

    PROJECT = "project"
    NAMESPACE = "namespace"
    PATH = "path"


class UnknownValue(Struct, frozen=True):
    """A filter's value that nothing in the index has. ``similar``: what is spelt alike, best first; ``examples``: where nothing is, some
    that there are, and ``has_more`` when they are not all."""

    filtered: Filtered
    value: str
    similar: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    has_more: bool = False

    def __str__(self) -> str:
        if self.filtered is Filtered.PATH:
            begins = f"No indexed path {'matches' if set('*?[!,') & set(self.value) else 'begins with'} {self.value!r}"
            return f"{begins}. {self._alike or 'Paths are relative to the git root.'}"
        none = f"There is no {self.filtered.value} {self.value!r}"
        if not self.similar and self.examples:
            return f"{none}; there are: {', '.join(self.examples)}{', …' if self.has_more else '.'}"
        return f"{none}. {self._alike}".rstrip()

    @property
    def _alike(self) -> str:
        return f"Similar: {', '.join(self.similar)}." if self.similar else ""


def unknown_value(snapshot: Snapshot, where: SymbolFilter) -> UnknownValue | None:
    """The first of the filter's values that nothing has; null where each alone lets something pass.
    Raises: InvalidArgumentError for a project that does not exist. Paths and namespaces are patterns that nothing may match, but
    a project is a name."""
    if where.project and not _is_project(snapshot, where.project):
        raise InvalidArgumentError(str(unknown_project(snapshot, where.project)), project=where.project)
    if where.file_path and not snapshot.reader.file_paths(where.file_path):
        return _unknown_path(snapshot, where.file_path)
    if where.namespace:
        return _unknown_namespace(snapshot, where.namespace)
    return None


def unknown_paths(snapshot: Snapshot, text: str) -> UnknownValue | None:
    """Of a text as ``path_filter`` reads it: said where it lets no file pass."""
    if not text.strip() or any(map(path_filter(text), snapshot.reader.file_paths())):
        return None
    return _unknown_path(snapshot, text.strip())


def unknown_project(snapshot: Snapshot, project: str) -> UnknownValue:
    """A project's name or path that no project has."""
    names = sorted(set(snapshot.reader.project_names.values()))
    similar = _alike(project, names, ".")
    return UnknownValue(
        Filtered.PROJECT, project, similar, () if similar else tuple(names[:_EXAMPLES]), len(names) > _EXAMPLES
    )


def _is_project(snapshot: Snapshot, project: str) -> bool:
    wanted = project.lower()
    return any(
        wanted in (each.name.lower(), each.assembly_name.lower(), each.project_path.lower())
        for each in snapshot.reader.projects()
    )


def _unknown_namespace(snapshot: Snapshot, namespace: str) -> UnknownValue | None:
    names = _with_outer(snapshot.reader.namespaces(), ".")
    if namespace.lower() in (name.lower() for name in names):
        return None
    return UnknownValue(Filtered.NAMESPACE, namespace, _alike(namespace, names, "."))


def namespaces_called(snapshot: Snapshot, name: str) -> tuple[str, ...]:
    """Namespaces, also those around others, with these last parts; the one of just this name alone where there is one."""
    names = _with_outer(snapshot.reader.namespaces(), ".")
    return (name,) if name in names else tuple(each for each in names if each.endswith(f".{name}"))


def _unknown_path(snapshot: Snapshot, path: str) -> UnknownValue:
    paths = _with_outer(snapshot.reader.file_paths(), "/")
    return UnknownValue(Filtered.PATH, path, _alike(path, paths, "/"))


def _with_outer(names: Iterable[str], separator: str) -> list[str]:
    """With all that are around them: of ``A.B.C`` also ``A.B`` and ``A``; sorted."""
    return sorted(
        {
            outer
            for name in names
            for outer in accumulate(name.split(separator), lambda one, next_: one + separator + next_)
        }
    )


def _alike(value: str, names: Sequence[str], separator: str) -> tuple[str, ...]:
    """Names that end with the value as whole parts, the shortest first; where none does, those spelt like it."""
    from rapidfuzz import fuzz, process  # a tenth of a second that only a miss has to pay

    wanted = value.strip(f"{separator}*").lower()
    if not wanted:
        return ()
    ending = sorted((name for name in names if name.lower().endswith(separator + wanted)), key=len)
    if ending:
        return tuple(ending[:_SUGGESTIONS])
    others = [name for name in names if not wanted.startswith(name.lower() + separator)]
    near = process.extract(
        wanted, [name.lower() for name in others], scorer=fuzz.ratio, score_cutoff=_LEAST_LIKENESS, limit=_SUGGESTIONS
    )
    return tuple(others[place] for _, _, place in near)
