"""Folders as a client is shown them: entries by name, what is ignored left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
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
    """Lists one checkout. ``exclude_file``: git's own list of what is ignored in this clone. ``check`` is called for each folder and
    raises to stop."""

    def __init__(
        self,
        checkout: Checkout,
        exclude_file: Path,
        excluded: tuple[str, ...] = (),
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._checkout: Final = checkout
        self._check: Final = check
        self._base: Final = rules_of(_lines_of(exclude_file), excluded)

    def entries(self, path: str) -> Listing:
        """Raises: as ``Checkout.folder``."""
        with self._checkout.folder(path) as folder:
            rules = self._rules_at(path)
            if rules is None:
                return Listing((), is_ignored=True)
            return Listing(_visible(folder, _inside(components(path)), rules))

    def hides(self, path: str) -> bool:
        """Whether a file of the checkout is ignored. Raises: as ``Checkout.folder``."""
        names = components(path)
        rules = self._rules_at("/".join(names[:-1]))
        return rules is None or rules.hides("/".join(names), is_folder=False)

    def tree(self, path: str, depth: int) -> tuple[TreeNode, bool]:
        """``depth`` levels below a folder, and whether that is ignored. Raises: as ``Checkout.folder``; BudgetExceededError."""
        names = components(path)
        with self._checkout.folder(path) as folder:
            rules = self._rules_at(path)
            name = names[-1] if names else "."
            if rules is None:
                return TreeNode(name, EntryType.DIRECTORY, ()), True
            growing = _Tree(self._check)
            return growing.node(folder, name, _inside(names), rules, depth), False

    def _rules_at(self, path: str) -> IgnoreRules | None:
        """The rules in the folder at a path; null when it is ignored."""
        rules, inside = self._base, ""
        names = components(path)
        for name in ("", *names):
            if name:
                if rules.hides(f"{inside}{name}", is_folder=True):
                    return None
                inside = f"{inside}{name}/"
            with self._checkout.folder(inside) as folder:
                rules = rules.within(inside.rstrip("/"), _patterns(folder))
        return rules


class _Tree:
    """Counts what a tree has while it grows."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check: Final = check
        self._nodes = 0

    def node(self, folder: Folder, name: str, inside: str, rules: IgnoreRules, depth: int) -> TreeNode:
        """``inside``: the path of the folder, with a slash behind it, empty for the root. ``rules`` hold in it."""
        self._check()
        entries = _visible(folder, inside, rules)
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
                if inner is not None:
                    path = f"{inside}{entry.name}"
                    return self.node(inner, entry.name, f"{path}/", rules.within(path, _patterns(inner)), depth - 1)
        return TreeNode(entry.name, entry.type)


def _visible(folder: Folder, inside: str, rules: IgnoreRules) -> tuple[Entry, ...]:
    return tuple(
        entry
        for entry in folder.entries()
        if not rules.hides(f"{inside}{entry.name}", is_folder=entry.type is EntryType.DIRECTORY and not entry.is_link)
    )


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
