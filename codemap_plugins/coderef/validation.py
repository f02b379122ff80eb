"""Checks references by the contract's rules, and, where asked, against an index."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.asked import state_of
from codemap_plugins.coderef.designators import ABSENT
from codemap_plugins.coderef.elements import Element, Wanted, find
from codemap_plugins.coderef.issues import Issue, IssueCode, Severity, issue
from codemap_plugins.coderef.metadata import COVERAGE, STANDARD
from codemap_plugins.coderef.parsing import parse
from codemap_plugins.coderef.reference import Reference

_ALTERNATIVES: Final = 3


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


def check_existence(snapshot: Snapshot, verdict: Verdict) -> Verdict:
    """A verdict with what the index says about the element."""
    reference = verdict.reference
    if reference is None:
        return verdict
    return replace(verdict, issues=(*verdict.issues, *existence_issues(snapshot, reference)))


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


def existence_issues(snapshot: Snapshot, reference: Reference) -> list[Issue]:
    """What an index says against a reference; at least one issue where nothing answers to it."""
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
    found = find(snapshot, wanted, limit=2)
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
    return [_missing(snapshot, wanted)]


def _remarks(reference: Reference, element: Element) -> list[Issue]:
    canonical = replace(element.reference, metadata=reference.metadata)
    if canonical == reference:
        return []
    return [
        issue(IssueCode.NOT_CANONICAL, "The element has a more exact reference.", "reference", str(canonical)),
    ]


def _missing(snapshot: Snapshot, wanted: Wanted) -> Issue:
    others = find(snapshot, replace(wanted, designators=(), line=None), limit=1).elements
    if others:
        meant = others[0].reference
        return issue(
            IssueCode.ELEMENT_NOT_FOUND,
            f"There is no such element of type {wanted.designators[0]}, but one of type {meant.designator}.",
            "type",
            str(meant),
        )
    in_path = find(snapshot, Wanted(path=wanted.path)).elements
    if not in_path:
        return issue(
            IssueCode.ELEMENT_NOT_FOUND,
            f"There is nothing at the path {wanted.path!r} in {state_of(snapshot)}.",
            "path",
            _alike_paths(snapshot, wanted.path),
        )
    return issue(
        IssueCode.ELEMENT_NOT_FOUND,
        f"There is no element {wanted.element!r} at the path {wanted.path!r}.",
        "element",
        _alike_elements(in_path, wanted.element or ""),
    )


def _alike_paths(snapshot: Snapshot, path: str) -> str | None:
    by_name = {each.rpartition("/")[2]: each for each in snapshot.reader.file_paths()}
    near = get_close_matches(path.rpartition("/")[2], by_name, n=_ALTERNATIVES, cutoff=0.6)
    return f"Did you mean {', '.join(by_name[each] for each in near)}?" if near else None


def _alike_elements(elements: Sequence[Element], name: str) -> str | None:
    """The references to elements whose names are spelt alike."""
    known: dict[str, Reference] = {}
    for each in elements:
        if each.reference.element is not None:
            known.setdefault(each.reference.element.rpartition(".")[2], each.reference)
    last = name.rpartition(".")[2]
    near = get_close_matches(last, known, n=_ALTERNATIVES, cutoff=0.5)
    near += [each for each in known if each.lower() == last.lower() and each not in near]
    return f"Did you mean {', '.join(str(known[each]) for each in near)}?" if near else None
