"""What the sections of a summary are made of: what they are drawn from, their form, and how their rows list and count names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.queries.facts.production_facts import ProductionFact, ProductionFacts
from codemap_core.queries.plain_lines import row, short_name
from codemap_core.queries.snapshot import Snapshot

NAMES: Final = 8
"""Names in one row of the brief form."""
ROWS: Final = 6
"""Rows of a section in the brief form."""
_SHORT: Final = 8
"""Characters of a beginning that is not worth leaving out."""
_NEARLY_ALL: Final = 0.9
_MAIN: Final = ".{Main}$"
"""Ends the id of top-level statements."""


class Section(Struct, frozen=True):
    """``brief`` and ``full``: its rows. A section without rows and without ``is_always`` is left out of the page."""

    key: str
    title: str
    brief: Sequence[str] = ()
    full: Sequence[str] = ()
    is_always: bool = False


class Source:
    """What the sections are drawn from."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot: Final = snapshot
        self.facts: Final = ProductionFacts(snapshot)
        self.projects: Final = snapshot.reader.projects()
        tests = set(snapshot.reader.edges.test_projects.values())
        self.production: Final = tuple(each for each in self.projects if each.project_path not in tests)
        self.prefix: Final = _shared_beginning([each.name for each in self.projects])
        """What most names of projects begin with, up to a dot and with it; left out of the page."""

    def short(self, project: str) -> str:
        """The name of a project as the page has it."""
        return project.removeprefix(self.prefix)


def _shared_beginning(names: Sequence[str]) -> str:
    """``Company.Product.``, if nearly all names begin with it and it is worth leaving out."""
    best = ""
    beginnings = Counter(
        f"{'.'.join(parts[:end])}." for name in names for parts in [name.split(".")] for end in range(1, len(parts))
    )
    for prefix, count in beginnings.items():
        if len(names) > 2 and count >= len(names) * _NEARLY_ALL and len(prefix) > max(len(best), _SHORT):
            best = prefix
    return best


def placed(facts: Iterable[ProductionFact]) -> list[str]:
    return [
        row(each.value, each.metadata, where(each.owner), f"{each.file_path}:{each.line}")
        for each in sorted(facts, key=lambda each: (each.value, each.file_path, each.line))
    ]


def where(owner: str) -> str:
    """An owner by its short name; empty for none, ``Program`` for top-level statements."""
    return short_name(owner).removesuffix(_MAIN) if owner else ""


def some(names: Sequence[str], count: int) -> str:
    """``a, b, c +4``."""
    return ", ".join(names[:count]) + more(len(names) - count)


def more(left: int) -> str:
    return f" +{left}" if left > 0 else ""


def counts(by_name: Mapping[str, int], shown: int = NAMES) -> str:
    """``GET 20, POST 4, PUT +2``, most frequent first; once is not said."""
    ordered = sorted(by_name.items(), key=lambda pair: (-pair[1], pair[0]))
    return some([f"{name or '(none)'} {count}" if count > 1 else name or "(none)" for name, count in ordered], shown)


def spellings(names: Iterable[str]) -> dict[str, str]:
    """By a name in lower case, its most frequent spelling: routes and keys are the same in any case."""
    return {name.lower(): name for name, _ in reversed(Counter(names).most_common())}


def in_any_case(names: Iterable[str]) -> Counter[str]:
    """Names that differ in case alone count as one."""
    listed = list(names)
    spelt = spellings(listed)
    return Counter(spelt[name.lower()] for name in listed)
