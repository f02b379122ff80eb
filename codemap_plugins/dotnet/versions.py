"""Dotted version numbers: System.Version's members, and the lenient comparison of MSBuild's Version functions."""

from __future__ import annotations

import re

from msgspec import Struct


class Version(Struct, frozen=True):
    """``System.Version``: two to four numbers; -1 for those not given."""

    major: int
    minor: int
    build: int = -1
    revision: int = -1

    @classmethod
    def parse(cls, text: str) -> Version:
        """Raises: ValueError."""
        match = re.fullmatch(r"\s*(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?\s*", text)
        if match is None:
            raise ValueError(f"{text!r} is not a version")
        return cls(*(int(part) for part in match.groups() if part is not None))

    def __str__(self) -> str:
        return self.to_text(4)

    def to_text(self, count: int) -> str:
        return ".".join(str(part) for part in (self.major, self.minor, self.build, self.revision)[:count] if part >= 0)


def version_numbers(text: str) -> tuple[int, ...] | None:
    """The numbers of a version as MSBuild's comparisons read it: a leading ``v``, a prerelease and build suffix are
    dropped, missing parts are 0. Null when it is none."""
    match = re.match(r"\s*v?(\d{1,9}(?:\.\d{1,9}){0,3})\s*(?:[-+].*)?$", text, re.IGNORECASE | re.DOTALL)
    if match is None:
        return None
    return (*(int(part) for part in match[1].split(".")), 0, 0, 0)[:4]


def compare_versions(left: str, right: str) -> int:
    """-1, 0 or 1. Raises: ValueError when one is not a version."""
    a, b = version_numbers(left), version_numbers(right)
    if a is None or b is None:
        raise ValueError(f"{left if a is None else right!r} is not a version")
    return (a > b) - (a < b)
