"""Items: what an evaluation knows of each item type, and the three operations on them: Include, Update, Remove.

Invariants: items keep the order in which they were included; ``path`` is what the specification means as a path
(absolute), which is also what two specifications are compared by, whatever the case of their letters; metadata names
are lower-case, values unescaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from codemap_plugins.dotnet.conditions import InvalidConditionError, evaluate_condition, shown
from codemap_plugins.dotnet.globs import Glob, has_wildcard
from codemap_plugins.dotnet.item_expressions import (
    Item,
    ItemScope,
    expand_item_references,
    expand_metadata,
    referenced_items,
    split_list,
)
from codemap_plugins.dotnet.project_xml import Element
from codemap_plugins.dotnet.properties import EvaluationLimitError, Properties, unescape
from codemap_plugins.dotnet.repository_tree import RepositoryTree, absolute

MAX_ITEMS: Final = 500_000
_COMPILE: Final = "compile"
_OPERATIONS: Final = frozenset(
    {"Include", "Exclude", "Remove", "Update", "Condition", "Label"}
    | {"KeepDuplicates", "KeepMetadata", "RemoveMetadata", "MatchOnMetadata", "MatchOnMetadataOptions"}
)  # fmt: skip


class Selection(Struct):
    """A list of specifications as a filter: single paths and globs."""

    paths: set[str] = field(default_factory=set)
    globs: list[Glob] = field(default_factory=list)

    def __contains__(self, path: str) -> bool:
        folded = path.lower()
        if folded in self.paths:
            return True
        for glob in self.globs:  # noqa: SIM110 - a loop is twice as fast as any(), and this runs for every file
            if glob.matches(folded):
                return True
        return False


class ItemTable:
    """All items of one evaluation."""

    def __init__(self, tree: RepositoryTree, properties: Properties, report: Callable[[str], None]) -> None:
        self._tree = tree
        self._properties = properties
        self._report = report
        self._items: dict[str, list[Item]] = {}
        self._defaults: dict[str, dict[str, str]] = {}
        self._removed: dict[str, set[str]] = {}
        self.left_out: Final[dict[str, str]] = {}
        """Paths of what ``Compile`` would have on a condition that does not hold, or lacks on one that does; and what must hold for it to
        have them."""
        self._count = 0
        self._scope = ItemScope(self.of, properties.project_folder, properties.path_exists, report)

    def of(self, item_type: str) -> list[Item]:
        return self._items.get(item_type.lower(), [])

    def was_removed(self, item_type: str, spec: str) -> bool:
        """Whether any Remove named this specification, be it there or not."""
        return spec.lower() in self._removed.get(item_type.lower(), ())

    def expand(self, text: str) -> str:
        """Item references in a text as MSBuild joins them."""
        return expand_item_references(text, self._scope)

    def define(self, element: Element) -> None:
        """Default metadata for items of a type included from here on (an ItemDefinitionGroup's child)."""
        defaults = self._defaults.setdefault(element.name.lower(), {})
        for child in element.children:
            if self.holds(child.condition):
                defaults[child.name.lower()] = self._properties.expand(child.text.strip())

    def holds(self, condition: str) -> bool:
        try:
            return evaluate_condition(condition, self._properties)
        except InvalidConditionError as error:
            self._report(f"cannot evaluate a condition: {error}")
            return False

    def apply(self, element: Element, around: str | None = None) -> None:
        """One item element of an ItemGroup. ``around``: the group's condition; null for an SDK's group, whose conditions leave nothing out.
        Raises: EvaluationLimitError."""
        if "%(" not in element.condition and not self.holds(element.condition):
            if around is not None:
                self.leave_out(element, element.condition)
            return
        attributes = element.attributes
        if "Include" in attributes:
            self._include(element)
        elif "Update" in attributes:
            self._update(element)
        elif "Remove" in attributes:
            self._remove(element, (element.condition or around) if around is not None else "")

    def apply_in_target(self, element: Element) -> None:
        """As ``apply``, once for each different value of the metadata of another item type that it names: a target batches over these."""
        named = dict.fromkeys(match.groups() for text in _texts(element) for match in _BATCH.finditer(text))
        types = {item_type.lower() for item_type, _ in named} - {element.name.lower()}
        if len(types) != 1:
            self.apply(element)
            return
        (item_type,) = types
        names = [name for other, name in named if other.lower() == item_type]
        batches = {tuple(item.value(name).lower() for name in names): item for item in reversed(self.of(item_type))}
        for item in reversed(batches.values()):
            self.apply(_of_batch(element, item_type, item))

    def leave_out(self, element: Element, condition: str) -> None:
        """An item element whose condition does not hold. Raises: EvaluationLimitError."""
        if element.name.lower() == _COMPILE and "Include" in element.attributes and "%(" not in condition:
            excluded = self._select(element.attributes.get("Exclude", ""))
            for item in self._produce(element.attributes["Include"]):
                if item.path not in excluded:
                    self.left_out.setdefault(item.path, shown(condition))

    def _include(self, element: Element) -> None:
        excluded = self._select(element.attributes.get("Exclude", ""))
        filtered = bool(excluded.paths or excluded.globs)
        defaults = self._defaults.get(element.name.lower(), {})
        has_metadata = bool(element.children) or not _OPERATIONS.issuperset(element.attributes)
        target = self._items.setdefault(element.name.lower(), [])
        for item in self._produce(element.attributes["Include"]):
            if filtered and item.path in excluded:
                continue
            if defaults:
                item.metadata = {**defaults, **item.metadata}
            if "%(" in element.condition and not self._holds_for(element.condition, item):
                continue
            if has_metadata:
                self._set_metadata(element, item)
            target.append(item)
            self._count += 1
            if self._count > MAX_ITEMS:
                raise EvaluationLimitError("it has too many items")

    def _produce(self, text: str) -> Iterable[Item]:
        folder = self._properties.project_folder
        prefix = folder + "/"
        for piece in split_list(_unbatched(self._properties.expand_escaped(text))):
            if "@(" in piece:
                yield from referenced_items(piece, self._scope)
            elif has_wildcard(piece):
                glob = Glob(folder, unescape(piece))
                for path in glob.files(self._tree):
                    yield Item(path.removeprefix(prefix), path, {}, len(glob.folder) + 1)
            else:
                spec = unescape(piece)
                yield Item(spec, absolute(folder, spec), {})

    def _select(self, text: str) -> Selection:
        selection = Selection()
        folder = self._properties.project_folder
        for piece in split_list(_unbatched(self._properties.expand_escaped(text))):
            if "@(" in piece:
                items = referenced_items(piece, self._scope)
                selection.paths.update(item.path.lower() for item in items)
            elif has_wildcard(piece):
                selection.globs.append(Glob(folder, unescape(piece)))
            else:
                selection.paths.add(absolute(folder, unescape(piece)).lower())
        return selection

    def _update(self, element: Element) -> None:
        selection = self._select(element.attributes["Update"])
        for item in self.of(element.name):
            if item.path in selection and self._holds_for(element.condition, item):
                self._set_metadata(element, item)

    def _remove(self, element: Element, condition: str) -> None:
        selection = self._select(element.attributes["Remove"])
        name = element.name.lower()
        prefix = len(self._properties.project_folder) + 1
        self._removed.setdefault(name, set()).update(path[prefix:] for path in selection.paths)
        kept: list[Item] = []
        for item in self.of(name):
            if item.path not in selection or not self._holds_for(element.condition, item):
                kept.append(item)
            elif name == _COMPILE and condition and "%(" not in condition:
                self.left_out.setdefault(item.path, shown(condition, negated=True))
        self._items[name] = kept

    def _holds_for(self, condition: str, item: Item) -> bool:
        return "%(" not in condition or self.holds(expand_metadata(condition, item))

    def _set_metadata(self, element: Element, item: Item) -> None:
        for name, value in element.attributes.items():
            if name not in _OPERATIONS:
                item.metadata[name.lower()] = self._value(value, item)
        for child in element.children:
            if self._holds_for(child.condition, item) and ("%(" in child.condition or self.holds(child.condition)):
                item.metadata[child.name.lower()] = self._value(child.text, item)

    def _value(self, text: str, item: Item) -> str:
        if "%(" in text:
            text = expand_metadata(text, item)
        return self._properties.expand(text) if "$(" in text or "%" in text or "@(" in text else text


_BATCH: Final = re.compile(r"%\(\s*(\w+)\.(\w+)\s*\)")


def _texts(element: Element) -> Iterable[str]:
    yield from element.attributes.values()
    for child in element.children:
        yield child.text
        yield from child.attributes.values()


def _of_batch(element: Element, item_type: str, item: Item) -> Element:
    """An element with the metadata of an item for what it names of the item's type."""

    def value(match: re.Match[str]) -> str:
        return item.value(match[2]) if match[1].lower() == item_type else match[0]

    return replace(
        element,
        attributes={name: _BATCH.sub(value, text) for name, text in element.attributes.items()},
        children=[_of_batch(child, item_type, item) for child in element.children],
        condition=_BATCH.sub(value, element.condition),
        text=_BATCH.sub(value, element.text),
    )


def _unbatched(text: str) -> str:
    """``%(Type.Name)`` outside its own items, which a target would batch over, as the list of all its values."""
    return _BATCH.sub(r"@(\1->'%(\2)')", text) if "%(" in text and "->" not in text else text
