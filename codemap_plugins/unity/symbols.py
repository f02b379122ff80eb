"""The symbols that the engine defines for a script, its language version and its framework. Unity Manual, "Unity scripting symbol
reference", "C# compiler" and ".NET profile support".

A script is taken as the editor on a Unix machine compiles it for a standalone player, as projects of .NET are evaluated on one; what is
compiled for players alone, as for the first platform it names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_plugins.unity.assembly_definitions import AssemblyDefinition
from codemap_plugins.unity.versions import Version, parse_version

DEFAULT_EDITOR: Final = "2022.3"
"""Of scripts that say nothing about the version of their editor."""

_RELEASES: Final = {
    5: (3, 6),
    **dict.fromkeys((2017, 2018, 2019), (1, 4)),
    **dict.fromkeys((2020, 2021, 2022, 2023), (1, 3)),
}
"""The first and the last release of each series that has a symbol; of 6000, which begins with 0, the last is not known."""
_NEWEST_SERIES: Final = 6000

_ALWAYS: Final = (
    "DEBUG",
    "TRACE",
    "UNITY_ASSERTIONS",
    "UNITY_64",
    "UNITY_INCLUDE_TESTS",
    "ENABLE_MONO",
    "ENABLE_PROFILER",
)
_EDITOR: Final = ("UNITY_EDITOR", "UNITY_EDITOR_64", "UNITY_EDITOR_LINUX")
_STANDALONE: Final = ("UNITY_STANDALONE", "UNITY_STANDALONE_LINUX")
_PLATFORMS: Final = {
    "android": ("UNITY_ANDROID",),
    "ios": ("UNITY_IOS", "UNITY_IPHONE"),
    "linuxstandalone64": _STANDALONE,
    "macosstandalone": ("UNITY_STANDALONE", "UNITY_STANDALONE_OSX"),
    "tvos": ("UNITY_TVOS",),
    "visionos": ("UNITY_VISIONOS",),
    "webgl": ("UNITY_WEBGL",),
    "windowsstandalone32": ("UNITY_STANDALONE", "UNITY_STANDALONE_WIN"),
    "windowsstandalone64": ("UNITY_STANDALONE", "UNITY_STANDALONE_WIN"),
    "wsa": ("UNITY_WSA", "UNITY_WSA_10_0"),
}


def editor_version(written: str) -> Version:
    """That of a project, or the default one."""
    read = parse_version(written) or parse_version(DEFAULT_EDITOR)
    assert read is not None
    return read


def platform_symbols(definition: AssemblyDefinition | None) -> tuple[str, ...]:
    """What the editor or the platform defines. ``definition``: null for assemblies that the engine makes of all other scripts."""
    if definition is None or not definition.leaves_editor_out:
        return (*_EDITOR, *_STANDALONE)
    named = (_PLATFORMS.get(each.lower()) for each in definition.include_platforms)
    return next((each for each in named if each is not None), _STANDALONE)


def engine_symbols(version: Version) -> tuple[str, ...]:
    """What the version of the engine defines, and what every script has."""
    major, minor, patch, _ = version
    own = (f"UNITY_{major}", f"UNITY_{major}_{minor}", f"UNITY_{major}_{minor}_{patch}")
    later = (f"UNITY_{series}_{release}_OR_NEWER" for series, release in _releases_up_to(major, minor))
    compiler = ["CSHARP_7_OR_LATER"] if (major, minor) >= (2018, 1) else []
    compiler += ["CSHARP_7_3_OR_NEWER"] if (major, minor) >= (2018, 3) else []
    if (major, minor) >= (2021, 2):
        compiler += ["NET_STANDARD", "NET_STANDARD_2_0", "NET_STANDARD_2_1", "NETSTANDARD", "NETSTANDARD2_1"]
    elif (major, minor) >= (2018, 1):
        compiler += ["NET_STANDARD_2_0"]
    return (*_ALWAYS, *own, *later, *compiler)


def _releases_up_to(major: int, minor: int) -> Iterable[tuple[int, int]]:
    for series, (first, last) in _RELEASES.items():
        if series <= major:
            yield from ((series, release) for release in range(first, (minor if series == major else last) + 1))
    if major >= _NEWEST_SERIES:
        yield from ((major, release) for release in range(minor + 1))


def input_symbols(handling: int) -> tuple[str, ...]:
    """``activeInputHandler`` of the player's settings: 0 the old input manager, 1 the input system, 2 both."""
    return {0: ("ENABLE_LEGACY_INPUT_MANAGER",), 1: ("ENABLE_INPUT_SYSTEM",)}.get(
        handling, ("ENABLE_INPUT_SYSTEM", "ENABLE_LEGACY_INPUT_MANAGER")
    )


def language_version(version: Version) -> str:
    """The version of C# that the engine's compiler takes."""
    at = version[:2]
    if at >= (2021, 2):
        return "9.0"
    if at >= (2020, 2):
        return "8.0"
    return "7.3" if at >= (2018, 3) else "6"


def target_framework(version: Version) -> str:
    """The profile that is the default."""
    return "netstandard2.1" if version[:2] >= (2021, 2) else "netstandard2.0"
