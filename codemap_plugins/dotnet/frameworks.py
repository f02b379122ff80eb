"""Target frameworks: reading a moniker (``net8.0-windows10.0.19041.0``), ranking, compatibility, and the ``#if``
symbols each defines.

Rules: Microsoft's documentation of target frameworks, of NuGet compatibility and of the SDK's implicit preprocessor
symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

NET_CORE: Final = ".NETCoreApp"
NET_STANDARD: Final = ".NETStandard"
NET_FRAMEWORK: Final = ".NETFramework"

_IDENTIFIERS: Final = {"netcoreapp": NET_CORE, "netstandard": NET_STANDARD, "net": NET_FRAMEWORK}
_RANK: Final = {NET_CORE: 2, NET_STANDARD: 1, NET_FRAMEWORK: 0}

_NET_CORE_VERSIONS: Final = ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1))
_NET_STANDARD_VERSIONS: Final = ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 0), (2, 1))
_NET_FRAMEWORK_VERSIONS: Final = tuple(
    tuple(map(int, version.split(".")))
    for version in [
        "2.0",
        "3.0",
        "3.5",
        "4.0",
        "4.5",
        "4.5.1",
        "4.5.2",
        "4.6",
        "4.6.1",
        "4.6.2",
        "4.7",
        "4.7.1",
        "4.7.2",
        "4.8",
        "4.8.1",
    ]
)
_WINDOWS_BUILDS: Final = (17763, 18362, 19041, 20348, 22000, 22621, 26100)
_PLATFORM_VERSIONS: Final = {
    "windows": ("7.0", "8.0", *(f"10.0.{build}.0" for build in _WINDOWS_BUILDS)),
    "android": tuple(f"{api}.0" for api in range(21, 37)),
}
_DEFAULT_PLATFORM_VERSIONS: Final = {
    "windows": dict.fromkeys(range(5, 20), "7.0"),
    "android": {6: "31.0", 7: "33.0", 8: "34.0", 9: "35.0", 10: "36.0"},
    "ios": {6: "15.0", 7: "16.1", 8: "17.2", 9: "18.0", 10: "26.0"},
    "maccatalyst": {6: "15.0", 7: "16.1", 8: "17.2", 9: "18.0", 10: "26.0"},
    "macos": {6: "12.0", 7: "13.0", 8: "14.2", 9: "15.0", 10: "26.0"},
    "tvos": {6: "15.1", 7: "16.1", 8: "17.1", 9: "18.0", 10: "26.0"},
}
_STANDARD_OF_CORE: Final = (((3, 0), (2, 1)), ((2, 0), (2, 0)), ((1, 0), (1, 6)))
_STANDARD_OF_FRAMEWORK: Final = (((4, 6, 1), (2, 0)), ((4, 6), (1, 3)), ((4, 5, 1), (1, 2)), ((4, 5), (1, 1)))
_LANGUAGE_OF_NET: Final = {5: "9.0", 6: "10.0", 7: "11.0", 8: "12.0", 9: "13.0", 10: "14.0", 11: "15.0"}


class Framework(Struct, frozen=True):
    """A target framework. ``identifier`` is MSBuild's (``.NETCoreApp`` also for net5.0 and later); empty when not
    understood."""

    identifier: str
    version: tuple[int, ...]
    platform: str = ""
    """Lower-case, without its version: ``windows``."""
    platform_version: str = ""

    @property
    def effective_platform_version(self) -> str:
        """The version written, else the one the platform's SDK would choose."""
        defaults = _DEFAULT_PLATFORM_VERSIONS.get(self.platform, {})
        return self.platform_version or defaults.get(self.version[0] if self.version else 0, "")


@lru_cache(maxsize=1024)
def parse_framework(moniker: str) -> Framework:
    """Short monikers only; anything else (portable profiles, ``uap10.0``, ``monoandroid``) has an empty identifier.
    Never raises."""
    base, _, platform = moniker.strip().lower().partition("-")
    match = re.fullmatch(r"(netcoreapp|netstandard|net)(\d[\d.]*)", base)
    if match is None:
        return Framework("", ())
    name, digits = match.groups()
    parts = [part for part in digits.split(".") if part]
    if len(parts) == 1 and len(digits) > 1:  # net472, netstandard20, netcoreapp31
        parts = list(digits)
    version = tuple(int(part[:6]) for part in parts)
    if len(version) == 1:
        version = (*version, 0)
    identifier = NET_CORE if name == "net" and version[0] >= 5 else _IDENTIFIERS[name]
    platform_match = re.fullmatch(r"([a-z]+)([\d.]*)", platform)
    if identifier == NET_FRAMEWORK or platform_match is None:
        return Framework(identifier, version)
    return Framework(identifier, version, platform_match[1], platform_match[2])


def framework_of_version(version: str) -> str:
    """The moniker of an old project's TargetFrameworkVersion: ``v4.7.2`` is ``net472``. Empty for what is no .NET Framework: Xamarin's
    ``v9.0``."""
    digits = re.sub(r"[^0-9]", "", version)
    return f"net{digits}" if digits[:1] in ("2", "3", "4") else ""


def primary_framework(monikers: Iterable[str]) -> str | None:
    """The one that is analysed: the highest ``net``, then ``netcoreapp``, ``netstandard``, .NET Framework; among equal ones,
    the one without a platform, then the first."""
    best: str | None = None
    best_rank: tuple[int, tuple[int, ...], bool] | None = None
    for moniker in monikers:
        framework = parse_framework(moniker)
        rank = (_RANK.get(framework.identifier, -1), framework.version, not framework.platform)
        if best_rank is None or rank > best_rank:
            best, best_rank = moniker, rank
    return best


def is_compatible(target: Framework, candidate: Framework) -> bool:
    """Whether a project of ``target`` can use a library of ``candidate``."""
    if candidate.platform and (candidate.platform != target.platform):
        return False
    if target.identifier == candidate.identifier:
        return bool(target.identifier) and _padded(candidate.version) <= _padded(target.version)
    if candidate.identifier != NET_STANDARD:
        return False
    table = {NET_CORE: _STANDARD_OF_CORE, NET_FRAMEWORK: _STANDARD_OF_FRAMEWORK}.get(target.identifier, ())
    return any(_padded(candidate.version) <= _padded(standard) for least, standard in table if target.version >= least)


def _padded(version: tuple[int, ...]) -> tuple[int, ...]:
    return (*version, 0, 0, 0)[:4]


def implicit_defines(framework: Framework) -> tuple[str, ...]:
    """The symbols the SDK defines for a framework, its version, every earlier one, and its platform."""
    version = framework.version
    if framework.identifier == NET_CORE:
        defines = _or_greater("NETCOREAPP", _NET_CORE_VERSIONS, version, "_")
        if version[0] >= 5:
            defines += ["NET", "NETCOREAPP", f"NET{version[0]}_{version[1]}"]
            defines += [f"NET{major}_0_OR_GREATER" for major in range(5, version[0] + 1)]
        else:
            defines += ["NETCOREAPP", "NETCOREAPP" + "_".join(map(str, version))]
    elif framework.identifier == NET_STANDARD:
        defines = _or_greater("NETSTANDARD", _NET_STANDARD_VERSIONS, version, "_")
        defines += ["NETSTANDARD", "NETSTANDARD" + "_".join(map(str, version))]
    elif framework.identifier == NET_FRAMEWORK:
        defines = _or_greater("NET", _NET_FRAMEWORK_VERSIONS, version, "")
        defines += ["NETFRAMEWORK", "NET" + "".join(map(str, version))]
    else:
        return ()
    return (*defines, *_platform_defines(framework))


def _or_greater(prefix: str, known: Iterable[tuple[int, ...]], version: tuple[int, ...], separator: str) -> list[str]:
    return [f"{prefix}{separator.join(map(str, one))}_OR_GREATER" for one in known if _padded(one) <= _padded(version)]


def _platform_defines(framework: Framework) -> list[str]:
    if not framework.platform:
        return []
    name = framework.platform.upper()
    version = framework.effective_platform_version
    if not version:
        return [name]
    known = {*_PLATFORM_VERSIONS.get(framework.platform, ()), version}
    earlier = sorted(v for v in known if _numbers(v) <= _numbers(version))
    return [name, f"{name}{version.replace('.', '_')}", *(f"{name}{v.replace('.', '_')}_OR_GREATER" for v in earlier)]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)


def default_language_version(framework: Framework) -> str:
    """The C# version the compiler uses when a project names none."""
    if framework.identifier == NET_CORE and framework.version[0] >= 5:
        return _LANGUAGE_OF_NET.get(framework.version[0], "14.0")
    if (framework.identifier == NET_CORE and framework.version >= (3, 0)) or (
        framework.identifier == NET_STANDARD and framework.version >= (2, 1)
    ):
        return "8.0"
    return "7.3"
