"""What source may import by a name that is not a path, as lines that a project keeps: mappings of a ``tsconfig.json``, which hold in its
folder, and packages of the workspace, which hold everywhere.

``web/app: @shared/* = web/shared/*, web/generated/*`` or ``@shop/core = packages/core/src/index.ts``. A folder without mappings has a line
with nothing behind the colon, since the mappings of the folder around do not hold there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

_AS: Final = " = "


class Alias(Struct, frozen=True):
    """``folder``: null where it holds everywhere; the root is empty. ``before`` and ``after`` stand around the star of the pattern."""

    folder: str | None
    before: str
    after: str
    has_star: bool
    targets: tuple[str, ...]

    def fits(self, specifier: str) -> bool:
        if not self.has_star:
            return bool(self.targets) and specifier == self.before
        enough = len(specifier) >= len(self.before) + len(self.after)
        return enough and specifier.startswith(self.before) and specifier.endswith(self.after)

    def targets_of(self, specifier: str) -> Iterator[str]:
        held = specifier[len(self.before) : len(specifier) - len(self.after)] if self.has_star else ""
        for target in self.targets:
            yield target.replace("*", held, 1)


def written_alias(folder: str | None, pattern: str, targets: Sequence[str]) -> str:
    said = f"{pattern}{_AS}{', '.join(targets)}" if pattern else ""
    return said if folder is None else f"{folder or '.'}: {said}".rstrip()


def read_alias(text: str) -> Alias | None:
    """Null for a line that is none."""
    folder: str | None = None
    head, colon, rest = text.partition(":")
    said = text
    if colon and (not rest or rest.startswith(" ")):
        folder, said = ("" if head == "." else head), rest.strip()
    if not said:
        return Alias(folder, "", "", False, ())
    pattern, is_alias, targets = said.partition(_AS)
    if not is_alias:
        return None
    before, star, after = pattern.partition("*")
    return Alias(folder, before, after, bool(star), tuple(each.strip() for each in targets.split(",") if each.strip()))
