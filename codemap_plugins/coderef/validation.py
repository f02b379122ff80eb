"""Checks references by the contract's rules, and, where asked, against an index."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.asked import state_of
from codemap_plugins.coderef.designators import ABSENT
from codemap_plugins.coderef.elements import Element, Found, Wanted, are_symbols, find
from codemap_plugins.coderef.issues import Issue, IssueCode, Severity, issue
from codemap_plugins.coderef.metadata import COVERAGE, STANDARD
from codemap_plugins.coderef.parsing import parse
from codemap_plugins.coderef.reference import Reference

_ALTERNATIVES: Final = 3
_LIKENESS: Final = 60
"""Per cent."""
_FEW_FILES: Final = 16
_PATHS_KEPT: Final = 256


class Verdict(Struct, frozen=True):
    """``reference``: null when it cannot be read."""

    reference: Reference | None
    issues: tuple[Issue, ...]

    @property
    def is_valid(self) -> bool:
        return not any(each.severity.is_failure for each in self.issues)

    def count(self, *severities: Severity) -> int:
        return sum(each.severity in severities for each in self.issues)


def check(text: str) -> Verdict:
    """By form alone."""
    parsed = parse(text)
    if parsed.reference is None:
        return Verdict(None, parsed.issues)
    return Verdict(
        parsed.reference, (*parsed.issues, *_metadata_issues(parsed.reference), *_spelling(parsed.reference, text))
    )


def wanted_by(reference: Reference) -> Wanted:
    """What a reference means."""
    return Wanted(
        designators=(reference.designator,),
        path=reference.path,
        element=reference.element,
        line=reference.line,
    )


def _metadata_issues(reference: Reference) -> list[Issue]:
    found = []
    for key, value in reference.metadata:
        if key not in STANDARD:
            found.append(
                issue(
                    IssueCode.CUSTOM_METADATA,
                    "Metadata not in standard categories",
                    "metadata",
                    "Consider using standard categories",
                )
            )
        elif key == COVERAGE and not (value.isdecimal() and int(value) <= 100):
            found.append(
                issue(
                    IssueCode.CUSTOM_METADATA, f"coverage is a percentage, not {value!r}", "metadata", "Write 0 to 100"
                )
            )
        elif key != COVERAGE and value not in STANDARD[key]:
            values = ", ".join(sorted(STANDARD[key]))
            found.append(
                issue(
                    IssueCode.CUSTOM_METADATA,
                    f"{value!r} is not a standard value of {key}",
                    "metadata",
                    f"Use {values}",
                )
            )
    return found


def _spelling(reference: Reference, text: str) -> list[Issue]:
    canonical = str(reference)
    if canonical == text:
        return []
    return [
        issue(IssueCode.NOT_CANONICAL, "The reference has a shorter or more usual spelling.", "reference", canonical)
    ]


class Existence:
    """What an index says about references. What several of them need is looked up once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot: Final = snapshot
        self._at_path: Final = lru_cache(maxsize=_PATHS_KEPT)(self._symbols_at)

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self._snapshot.reader.edges.paths.values())

    @cached_property
    def _files_by_stem(self) -> dict[str, list[str]]:
        """Paths by the name of the file without its extensions, folders among them."""
        found: dict[str, list[str]] = {}
        for each in dict.fromkeys(folder for path in self._paths for folder in _folders_of(path)):
            found.setdefault(_stem(each), []).append(each)
        for each in self._paths:
            found.setdefault(_stem(each), []).append(each)
        return found

    @cached_property
    def _stems_by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for each in self._files_by_stem:
            found.setdefault(len(each), []).append(each)
        return found

    def check(self, verdict: Verdict) -> Verdict:
        """A verdict with what the index says about the element."""
        if verdict.reference is None:
            return verdict
        return replace(verdict, issues=(*verdict.issues, *self.issues(verdict.reference)))

    def issues(self, reference: Reference) -> list[Issue]:
        """What the index says against a reference; at least one issue where nothing answers to it."""
        if reference.designator in ABSENT:
            return [
                issue(
                    IssueCode.ELEMENT_NOT_FOUND,
                    f"The index holds no elements of type {reference.designator}.",
                    "type",
                    ABSENT[reference.designator],
                )
            ]
        wanted = wanted_by(reference)
        found = self._find(wanted)
        if found.total == 1 or (found.total and reference.line is not None):
            return _remarks(reference, found.elements[0])
        if found.total:
            return [
                issue(
                    IssueCode.NOT_CANONICAL,
                    f"{found.total} elements answer to it; a line tells them apart.",
                    "line",
                    str(found.elements[0].reference),
                )
            ]
        if found.elsewhere is not None:
            meant = found.elsewhere.reference
            return [
                issue(
                    IssueCode.LINE_MISMATCH,
                    f"The element exists, but not on line {reference.line}.",
                    "line",
                    str(replace(meant, metadata=reference.metadata)),
                )
            ]
        return [self._missing(wanted)]

    def _find(self, wanted: Wanted) -> Found:
        if not are_symbols(wanted.designators):
            return find(self._snapshot, wanted)
        files = self._files_of(wanted.path)
        # Of a file or two, their numbers lead to what they declare; a pattern is compared with every path.
        if len(files) > _FEW_FILES:
            return find(self._snapshot, wanted)
        return find(self._snapshot, replace(wanted, path="*", files=frozenset(files))) if files else Found((), 0)

    def _files_of(self, path: str) -> list[str]:
        """The files that a path without wildcards means."""
        paths = self._paths
        at = bisect_left(paths, path)
        if at < len(paths) and paths[at] == path:
            return [path]
        return [
            each
            for prefix in (f"{path}.", f"{path}/")
            for each in paths[bisect_left(paths, prefix) : bisect_left(paths, f"{prefix}\U0010ffff")]
        ]

    def _missing(self, wanted: Wanted) -> Issue:
        in_path = self._at_path(wanted.path)
        meant = in_path.first_named(wanted.element)
        if meant is not None:
            return issue(
                IssueCode.ELEMENT_NOT_FOUND,
                f"There is no such element of type {wanted.designators[0]}, but one of type {meant.designator}.",
                "type",
                str(meant),
            )
        if not in_path.elements:
            return self._nothing_at(wanted.path)
        return issue(
            IssueCode.ELEMENT_NOT_FOUND,
            f"There is no element {wanted.element!r} at the path {wanted.path!r}.",
            "element",
            in_path.alike(wanted.element or ""),
        )

    def missing_path(self, path: str) -> Issue | None:
        """What to say where no file or folder is called so; null where one is."""
        return None if self._files_of(path) else self._nothing_at(path)

    def _nothing_at(self, path: str) -> Issue:
        return issue(
            IssueCode.ELEMENT_NOT_FOUND,
            f"There is nothing at the path {path!r} in {state_of(self._snapshot)}.",
            "path",
            self._alike_paths(path),
        )

    def _symbols_at(self, path: str) -> _SymbolsAt:
        return _SymbolsAt(self._find(Wanted(path=path)).elements)

    def _alike_paths(self, path: str) -> str | None:
        stem = _stem(path)
        lengths = range(len(stem) - len(stem) // 3, len(stem) + len(stem) // 3 + 1)
        stems = [each for length in lengths for each in self._stems_by_length.get(length, ())]
        near = [each for like in _alike(stem, stems) for each in self._files_by_stem[like]]
        return f"Did you mean {', '.join(near[:_ALTERNATIVES])}?" if near else None


class _SymbolsAt:
    """What is declared at a path, by how it is called."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self.elements: Final = elements

    @cached_property
    def _named(self) -> dict[str, list[tuple[str, Element]]]:
        """By the last part of their names."""
        found: dict[str, list[tuple[str, Element]]] = {}
        for each in self.elements:
            name = each.name or ""
            found.setdefault(name.rpartition(".")[2], []).append((name, each))
        return found

    def first_named(self, name: str | None) -> Reference | None:
        """The first that is called so, what contains it left out perhaps; the first of all where there is no name."""
        if name is None:
            return self.elements[0].reference if self.elements else None
        called = self._named.get(name.rpartition(".")[2], ())
        return next((each.reference for own, each in called if own == name or own.endswith(f".{name}")), None)

    def alike(self, name: str) -> str | None:
        """The references to those whose names are spelt alike."""
        last = name.rpartition(".")[2]
        near = [each for each in self._named if each.lower() == last.lower()]
        near += [each for each in _alike(last, self._named) if each not in near]
        found = [self._named[each][0][1].reference for each in near if each]
        return f"Did you mean {', '.join(map(str, found))}?" if found else None


def _remarks(reference: Reference, element: Element) -> list[Issue]:
    canonical = replace(element.reference, metadata=reference.metadata)
    if canonical == reference:
        return []
    return [
        issue(IssueCode.NOT_CANONICAL, "The element has a more exact reference.", "reference", str(canonical)),
    ]


def _folders_of(path: str) -> Iterator[str]:
    """Those that hold a file, the innermost first."""
    while path := path.rpartition("/")[0]:
        yield path


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _alike(name: str, names: Collection[str]) -> list[str]:
    from rapidfuzz import fuzz, process  # a tenth of a second that only a miss has to pay

    near = process.extract(name, [*names], scorer=fuzz.ratio, score_cutoff=_LIKENESS, limit=_ALTERNATIVES)
    return [each for each, _, _ in near]
