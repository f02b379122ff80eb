"""Which files are hidden: by the ``.gitignore`` of each folder, ``.git/info/exclude`` and the project's own configuration.

As git has it: a deeper file decides before one above it, a later pattern before an earlier one, and what lies in an ignored folder is
ignored whatever it says of itself. What git tracks it does not ignore, which ``listing`` sees to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from pathspec import GitIgnoreSpec

MAX_IGNORE_FILE: Final = 1 << 20
"""Bytes of a file of patterns that are read."""
_FOLDER_MARK: Final = "ps_d"
"""The group of an expression that holds the slash behind a matched folder."""


class IgnoreRules(Struct, frozen=True):
    """What is ignored in one folder: ``levels`` from the root down, each the path of its folder and the patterns found there."""

    levels: tuple[tuple[str, GitIgnoreSpec], ...] = ()
    everything: bool = False
    """The folder is ignored itself: no pattern in it takes that back."""

    def of_ignored(self) -> IgnoreRules:
        """The rules in a folder that is ignored."""
        return IgnoreRules(everything=True)

    def within(self, folder: str, patterns: str) -> IgnoreRules:
        """The rules in a folder below, given the text of its ``.gitignore``. ``folder``: relative to the root, empty for it."""
        spec = None if self.everything else _spec(patterns.splitlines())
        return IgnoreRules((*self.levels, (folder, spec))) if spec is not None else self

    def hides(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path, of whose folders none is ignored, is."""
        for folder, spec in reversed(self.levels):
            inside = path.removeprefix(f"{folder}/") if folder else path
            for pattern in reversed(spec.patterns):
                if pattern.include is not None and _means(pattern.regex, inside, is_folder):
                    return bool(pattern.include)
        return self.everything


def _means(pattern: re.Pattern[str] | None, path: str, is_folder: bool) -> bool:
    """Whether a pattern is about a path itself. pathspec's expressions match what lies in a matched folder too, which here is another
    question: the folder has been asked about before."""
    found = pattern.match(f"{path}/" if is_folder else path) if pattern is not None else None
    if pattern is None or found is None:
        return False
    if _FOLDER_MARK in pattern.groupindex:
        return found.start(_FOLDER_MARK) in (-1, len(path))
    return found.end() <= len(path)


def rules_of(*sources: Iterable[str]) -> IgnoreRules:
    """Patterns that hold for the whole repository, the stronger source last."""
    specs = (_spec(patterns) for patterns in sources)
    return IgnoreRules(tuple(("", spec) for spec in specs if spec is not None))


def _spec(patterns: Iterable[str]) -> GitIgnoreSpec | None:
    """Null for patterns that say nothing. One that cannot be understood says nothing, as for git."""
    usable = [each for each in patterns if each.strip() and not each.startswith("#")]
    try:
        return GitIgnoreSpec.from_lines(usable) if usable else None
    except ValueError:
        return _spec(each for each in usable if _is_understood(each))


def _is_understood(pattern: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return False
    return True
