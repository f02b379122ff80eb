"""Folders as a client is shown them: entries by name, what is ignored left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from codemap_core.errors import BudgetExceededError
from codemap_plugins.codeagent.checkout import Checkout, Entry, EntryType, Folder, components
from codemap_plugins.codeagent.ignored import MAX_IGNORE_FILE, IgnoreRules, rules_of

MAX_ENTRIES: Final = 1_000
"""Of one folder in a tree."""
MAX_NODES: Final = 20_000
"""Of one tree."""
_IGNORE_FILE: Final = ".gitignore"


class TreeNode(Struct, frozen=True, omit_defaults=True):
    """``children``: null for a file, and for a folder that is not gone into: at the last level, or reached through a link."""

    name: str
    type: str
    children: tuple[TreeNode, ...] | None = None
    truncated: bool = False


class Listing(Struct, frozen=True):
    """``is_ignored``: the folder itself is, and so is all that is in it."""

    entries: tuple[Entry, ...]
    is_ignored: bool = False


class Lister:
    """Lists one checkout."""

    def __init__(
        self,
        checkout: Checkout,
        exclude_file: Path,
        tracked: Callable[[], Iterable[str]],
        excluded: tuple[str, ...] = (),
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """``exclude_file``: git's own list of what is ignored in this clone. ``tracked``: gives the paths of files that git tracks
        although it ignores them; asked where something would be hidden. ``excluded``: patterns for everything, tracked or not.
        ``check`` is called for each folder and raises to stop."""
        self._checkout: Final = checkout
        self._check: Final = check
        self._sight: Final = _Sight(rules_of(excluded), tracked)
        self._base: Final = rules_of(_lines_of(exclude_file))

    def entries(self, path: str) -> Listing:
        """Raises: as ``Checkout.folder``."""
        with self._checkout.folder(path) as folder:
            rules = self._rules_at(path)
            if rules is None:
                return Listing((), is_ignored=True)
            return Listing(self._sight.visible(folder, _inside(components(path)), rules))

    def hides(self, path: str) -> bool:
        """Whether a file of the checkout is ignored. Raises: as ``Checkout.folder``."""
        names = components(path)
        rules = self._rules_at("/".join(names[:-1]))
        return rules is None or self._sight.hides("/".join(names), rules, is_folder=False)

    def tree(self, path: str, depth: int) -> tuple[TreeNode, bool]:
        """``depth`` levels below a folder, and whether that is ignored. Raises: as ``Checkout.folder``; BudgetExceededError."""
        names = components(path)
        with self._checkout.folder(path) as folder:
            rules = self._rules_at(path)
            name = names[-1] if names else "."
            if rules is None:
                return TreeNode(name, EntryType.DIRECTORY, ()), True
            growing = _Tree(self._sight, self._check)
            return growing.node(folder, name, _inside(names), rules, depth), False

    def _rules_at(self, path: str) -> IgnoreRules | None:
        """The rules in the folder at a path; null when it is ignored."""
        rules, inside = self._base, ""
        names = components(path)
        for name in ("", *names):
            if name:
                within = self._sight.into(f"{inside}{name}", rules)
                if within is None:
                    return None
                rules, inside = within, f"{inside}{name}/"
            with self._checkout.folder(inside) as folder:
                rules = rules.within(inside.rstrip("/"), _patterns(folder))
        return rules


class _Sight:
    """What is shown in spite of what is ignored: files that git tracks, and the folders in which they lie."""

    def __init__(self, excluded: IgnoreRules, tracked: Callable[[], Iterable[str]]) -> None:
        self._excluded: Final = excluded
        self._ask: Final = tracked
        self._tracked: frozenset[str] | None = None

    def hides(self, path: str, rules: IgnoreRules, *, is_folder: bool) -> bool:
        """Whether a path is not shown, of whose folders all are. ``rules`` hold in the folder that it lies in."""
        if self._excluded.hides(path, is_folder=is_folder):
            return True
        return rules.hides(path, is_folder=is_folder) and path not in self._tracked_paths()

    def into(self, folder: str, rules: IgnoreRules) -> IgnoreRules | None:
        """The rules for what a folder holds, without those that it has itself; null for one that is not shown."""
        if self.hides(folder, rules, is_folder=True):
            return None
        return rules.of_ignored() if rules.hides(folder, is_folder=True) else rules

    def visible(self, folder: Folder, inside: str, rules: IgnoreRules) -> tuple[Entry, ...]:
        return tuple(
            entry
            for entry in folder.entries()
            if not self.hides(
                f"{inside}{entry.name}", rules, is_folder=entry.type is EntryType.DIRECTORY and not entry.is_link
            )
        )

    def _tracked_paths(self) -> frozenset[str]:
        if self._tracked is None:
            files = tuple(self._ask())
            self._tracked = frozenset((*files, *(str(each) for file in files for each in PurePosixPath(file).parents)))
        return self._tracked


class _Tree:
    """Counts what a tree has while it grows."""

    def __init__(self, sight: _Sight, check: Callable[[], None]) -> None:
        self._sight: Final = sight
        self._check: Final = check
        self._nodes = 0

    def node(self, folder: Folder, name: str, inside: str, rules: IgnoreRules, depth: int) -> TreeNode:
        """``inside``: the path of the folder, with a slash behind it, empty for the root. ``rules`` hold in it."""
        self._check()
        entries = self._sight.visible(folder, inside, rules)
        shown = entries[:MAX_ENTRIES]
        self._nodes += len(shown)
        if self._nodes > MAX_NODES:
            raise BudgetExceededError(
                f"The tree has more than {MAX_NODES:,} entries. Ask for less depth, or for a directory below."
            )
        children = tuple(self._child(folder, entry, inside, rules, depth) for entry in shown)
        return TreeNode(name, EntryType.DIRECTORY, children, len(entries) > MAX_ENTRIES)

    def _child(self, folder: Folder, entry: Entry, inside: str, rules: IgnoreRules, depth: int) -> TreeNode:
        if entry.type is EntryType.DIRECTORY and depth > 1 and not entry.is_link:
            with folder.inner(entry.name) as inner:
                path = f"{inside}{entry.name}"
                within = self._sight.into(path, rules) if inner is not None else None
                if inner is not None and within is not None:
                    return self.node(inner, entry.name, f"{path}/", within.within(path, _patterns(inner)), depth - 1)
        return TreeNode(entry.name, entry.type)


def _patterns(folder: Folder) -> str:
    return folder.read(_IGNORE_FILE, MAX_IGNORE_FILE).decode("utf-8", "replace")


def _inside(names: list[str]) -> str:
    return "".join(f"{name}/" for name in names)


def _lines_of(file: Path) -> list[str]:
    """The lines of a file of git's own; none when there is none."""
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_IGNORE_FILE).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
