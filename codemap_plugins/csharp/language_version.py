"""The version of C# that a project is written in, and the first version that has each rule on which the meaning of a name depends.

A version is what the compiler of .NET 10 makes of a project's ``LangVersion``: its words mean the newest version, and a project that
names none has the default of its framework, which the project model puts in. Rules that earlier versions reject as an error need no
entry here: code that compiles does not use them. docs/language-versions.md lists them with their specifications.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final


class LanguageVersion(IntEnum):
    """Major version times 100 and minor version, so that versions compare as they follow each other."""

    CSHARP_7 = 700
    CSHARP_7_1 = 701
    CSHARP_7_2 = 702
    CSHARP_7_3 = 703
    CSHARP_8 = 800
    CSHARP_9 = 900
    CSHARP_10 = 1000
    CSHARP_11 = 1100
    CSHARP_12 = 1200
    CSHARP_13 = 1300
    CSHARP_14 = 1400


NEWEST: Final = LanguageVersion.CSHARP_14
_NUMBER: Final = re.compile(r"(\d{1,3})(?:\.(\d))?")


def language_version(written: str | None) -> LanguageVersion:
    """The version that a project's ``LangVersion`` means: ``7.3``, ``12``, ``12.0``; ``latest``, ``latestMajor``, ``preview`` and what
    is not a version are the newest; of one that is not listed, the nearest listed one before it, of those before C# 7, C# 7."""
    number = _NUMBER.fullmatch((written or "").strip())
    if number is None:
        return NEWEST
    wanted = int(number[1]) * 100 + int(number[2] or 0)
    return max((each for each in LanguageVersion if each <= wanted), default=LanguageVersion.CSHARP_7)


class Language:
    """The rules that one version has. Made once for a project and read by its binder."""

    def __init__(self, version: LanguageVersion) -> None:
        self.version: Final = version
        self.natural_function_types: Final = version >= LanguageVersion.CSHARP_10
        """Lambdas and method groups have a type by themselves, and convert to ``Delegate`` and ``object``."""
        self.string_handlers: Final = version >= LanguageVersion.CSHARP_10
        """Interpolated strings convert to interpolated string handlers."""
        self.params_collections: Final = version >= LanguageVersion.CSHARP_13
        """``params`` of spans and other collections; before, such a parameter of a library takes one argument."""
        self.overload_priority: Final = version >= LanguageVersion.CSHARP_13
        """``OverloadResolutionPriorityAttribute`` counts."""
        self.collections_by_element: Final = version >= LanguageVersion.CSHARP_13
        """Of two targets of a collection expression the one whose element type is better for every element."""
        self.span_conversions: Final = version >= LanguageVersion.CSHARP_14
        """Arrays, strings and spans convert to spans by themselves, as receivers and in inference too."""
        self.compound_operators: Final = version >= LanguageVersion.CSHARP_14
        """Instance operators of compound assignment and increment."""
        self.field_keyword: Final = version >= LanguageVersion.CSHARP_14
        """``field`` in an accessor means the backing field."""
