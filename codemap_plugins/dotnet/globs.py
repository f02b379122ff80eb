"""MSBuild's file globs: ``*`` and ``?`` within a name, ``**`` for any folders; letters match in either case.

Matching is linear in the path: each piece between two stars takes its leftmost place and never gives it back, so no
pattern from a repository can make it slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from codemap_plugins.dotnet.repository_tree import ROOT, RepositoryTree, absolute


def has_wildcard(text: str) -> bool:
    return "*" in text or "?" in text


class Glob:
    """A pattern made absolute: the folder it is fixed to, and what paths below it must look like."""

    __slots__ = ("_folded", "_match", "_start", "folder")

    def __init__(self, base: str, pattern: str) -> None:
        segments = pattern.replace("\\", "/").split("/")
        fixed = next((i for i, segment in enumerate(segments) if has_wildcard(segment)), len(segments) - 1)
        self.folder = absolute(base, "/".join(segments[:fixed]) or ("/" if pattern.startswith(("/", "\\")) else "."))
        self._match = _matcher("/".join(segments[fixed:]))
        self._folded = self.folder.lower() + "/"
        self._start = len(self._folded)

    def matches(self, path: str) -> bool:
        """Whether a lower-case absolute path matches."""
        return path.startswith(self._folded) and self._match(path[self._start :])

    def files(self, tree: RepositoryTree) -> Iterable[str]:
        """Absolute paths of the files that match, sorted."""
        folder = tree.folder(self.folder)
        if folder is None:
            return
        skip = len(folder) + 1 if folder else 0
        for path in tree.below(folder):
            if self._match(path[skip:]):
                yield f"{ROOT}/{path}"


@lru_cache(maxsize=4096)
def _matcher(pattern: str) -> Callable[[str], bool]:
    suffix = pattern.removeprefix("**/*")
    if suffix != pattern and suffix.startswith(".") and not has_wildcard(suffix) and "/" not in suffix:
        folded = suffix.lower()
        return lambda path: path.lower().endswith(folded)
    expression = re.compile(_expression(pattern), re.IGNORECASE | re.DOTALL)
    return lambda path: expression.fullmatch(path) is not None


def _expression(pattern: str) -> str:
    """Groups of name patterns between ``**``; all but the last group after a ``**`` take their leftmost place,
    atomically."""
    groups: list[list[str]] = [[]]
    for segment in pattern.split("/"):
        if segment == "**":
            if groups[-1] or len(groups) == 1:
                groups.append([])
        elif segment not in ("", "."):
            groups[-1].append(_name_expression(segment.replace("**", "*")))
    first, rest = groups[0], groups[1:]
    text = "".join(f"{name}/" for name in first) if rest else "/".join(first)
    for position, group in enumerate(rest):
        if position == len(rest) - 1:
            text += "(?:[^/]*/)*" + "/".join(group) if group else ".*"
        else:
            text += f"(?>(?:[^/]*/)*?{''.join(f'{name}/' for name in group)})"
    return text


def _name_expression(segment: str) -> str:
    if segment == "*.*":
        return "[^/]*"
    pieces = ["".join("[^/]" if c == "?" else re.escape(c) for c in piece) for piece in re.split(r"\*+", segment)]
    if len(pieces) == 1:
        return pieces[0]
    middle = "".join(f"(?>[^/]*?{piece})" for piece in pieces[1:-1])
    return f"{pieces[0]}{middle}[^/]*{pieces[-1]}" if pieces[-1] else f"{pieces[0]}{middle}[^/]*"
