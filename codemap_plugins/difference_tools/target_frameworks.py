"""Who can use a package that is made for some target frameworks: NuGet's compatibility, and which .NET implements which .NET Standard
(learn.microsoft.com, ".NET Standard", "Target frameworks in SDK-style projects")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

_MONIKER: Final = re.compile(r"(netcoreapp|netstandard|net)(\d[\d.]*)(?:-([a-z]+)[\d.]*)?")
_STANDARDS: Final = {
    "netcoreapp": (((3,), (2, 1)), ((2,), (2, 0)), ((1,), (1, 6))),
    "net": (((4, 6, 1), (2, 0)), ((4, 6), (1, 3)), ((4, 5, 1), (1, 2)), ((4, 5), (1, 1))),
}
"""By family: from which version on, the highest .NET Standard that can be used."""


class _Framework(Struct, frozen=True):
    """``family``: ``netcoreapp`` also for .NET 5 and later, ``net`` for .NET Framework."""

    family: str
    version: tuple[int, ...]
    platform: str


def lost_frameworks(before: Iterable[str], after: Iterable[str]) -> tuple[str, ...]:
    """Those that a package was made for, and whose projects can use nothing of it any more."""
    left = [_read(each) for each in after]
    if not left or None in left:  # what could not be read may be anything
        return ()
    return tuple(
        each
        for each in before
        if (wanted := _read(each)) is not None
        and not any(offered is not None and _can_use(wanted, offered) for offered in left)
    )


@lru_cache(maxsize=256)
def _read(moniker: str) -> _Framework | None:
    """Null for what is neither .NET, .NET Standard nor .NET Framework."""
    found = _MONIKER.fullmatch(moniker.strip().lower())
    if found is None:
        return None
    family, number, platform = found.groups()
    parts = number.split(".") if "." in number else list(number)  # net472, netstandard20
    version = tuple(int(part) for part in parts if part)
    is_core = family == "net" and "." in number and version[0] >= 5
    return _Framework("netcoreapp" if is_core else family, _trimmed(version), platform or "")


def _can_use(wanted: _Framework, offered: _Framework) -> bool:
    if offered.platform not in ("", wanted.platform):
        return False
    if offered.family == wanted.family:
        return offered.version <= wanted.version
    if offered.family != "netstandard":
        return False
    standards = _STANDARDS.get(wanted.family, ())
    highest = next((standard for least, standard in standards if wanted.version >= least), ())
    return offered.version <= highest


def _trimmed(version: tuple[int, ...]) -> tuple[int, ...]:
    """Without zeros at the end, so that 4.6.0 is 4.6."""
    while version and not version[-1]:
        version = version[:-1]
    return version
