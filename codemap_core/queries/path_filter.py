"""Which files a question is about: beginnings of paths, and globs as ``.gitignore`` has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pathspec import GitIgnoreSpec

_WILDCARDS: Final = frozenset("*?[!")


def path_filter(text: str) -> Callable[[str], bool]:
    """Whether a path relative to the repository's root is meant. ``text``: patterns with commas between them. A pattern without wildcards
    is the beginning of a path (``src/Web``), ASCII case ignored; ``*.Designer.cs`` matches in any folder, ``src/**/Migrations/`` all below;
    ``!tests/`` leaves out what it matches. Empty: every path."""
    patterns = [each.strip().removeprefix("./") for each in text.replace("\\", "/").split(",") if each.strip()]
    excluded = GitIgnoreSpec.from_lines(each[1:] for each in patterns if each.startswith("!"))
    wanted = [each for each in patterns if not each.startswith("!")]
    beginnings = tuple(each.lstrip("/").lower() for each in wanted if _WILDCARDS.isdisjoint(each))
    globs = GitIgnoreSpec.from_lines(each for each in wanted if not _WILDCARDS.isdisjoint(each))

    def is_meant(path: str) -> bool:
        if wanted and not (path.lower().startswith(beginnings) or globs.match_file(path)):
            return False
        return not excluded.match_file(path)

    return is_meant
