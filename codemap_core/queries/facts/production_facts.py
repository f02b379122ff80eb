"""All facts of an index outside test projects, by kind: what an overview of an architecture is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from codemap_core.model import split_value
from codemap_core.model.project_folders import ProjectFolders
from codemap_core.queries.snapshot import Snapshot

_Detail = TypeVar("_Detail")


class ProductionFact(Struct, frozen=True, kw_only=True):
    """``value``: without ``metadata``. ``owner``: the id of the owning symbol, empty for none. ``project``: the name of the
    one that compiles its file, or else of the one in whose folder that is; empty for none."""

    value: str
    metadata: str
    detail: str
    owner: str
    project: str
    file_path: str
    line: int

    def said(self, kind: type[_Detail]) -> _Detail:
        """The keys of its detail that ``kind`` has fields for."""
        return msgspec.json.decode(self.detail, type=kind)


class ProductionFacts:
    """``kinds``: the number of facts of each kind, those of tests included."""

    def __init__(self, snapshot: Snapshot) -> None:
        reader = snapshot.reader
        edges = reader.edges
        self.kinds: Final = reader.count_facts_by_kind()
        found = reader.facts.of_kinds(self.kinds)
        projects = {number: name for number, name in edges.project_names.items() if number not in edges.test_projects}
        folders = ProjectFolders(reader.project_names)
        names: dict[str, str | None] = {**reader.project_names, **dict.fromkeys(edges.test_projects.values())}
        owners = edges.ids_of({each.owner for each in found if each.owner is not None})
        self._by_kind: Final[dict[str, list[ProductionFact]]] = {}
        self.suffixes: Final[Counter[str]] = Counter()
        """Facts by the suffix of their file."""
        for each in found:
            path = edges.paths[each.file_id]
            self.suffixes[suffix_of(path)] += 1
            if each.project_id is not None:
                project = projects.get(each.project_id)
            else:
                around = folders.around(path)
                project = names[around[-1]] if around else ""
            if project is None:
                continue
            value, metadata = split_value(each.kind, each.value)
            self._by_kind.setdefault(each.kind, []).append(
                ProductionFact(
                    value=value,
                    metadata=metadata,
                    detail=each.detail,
                    owner=owners.get(each.owner or 0, ""),
                    project=project,
                    file_path=path,
                    line=each.line_start,
                )
            )

    def of(self, kind: str) -> Sequence[ProductionFact]:
        """By file and line."""
        return self._by_kind.get(kind, ())

    def of_others(self, kinds: Iterable[str]) -> dict[str, Sequence[ProductionFact]]:
        """By kind, those that are of none of ``kinds``."""
        left = frozenset(kinds)
        return {kind: found for kind, found in sorted(self._by_kind.items()) if kind not in left}


def suffix_of(path: str) -> str:
    """``.cs``; empty for a name without one."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return f".{suffix.lower()}" if dot and stem else ""
