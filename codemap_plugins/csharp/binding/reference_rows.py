"""The rows of one file's references, packed as they are found: a row of its own for each would be made only to be taken apart again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.model.reference import PackedReferences
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.source_text import GeneratedLines, LineIndex
from codemap_plugins.csharp.unit import Region, region_at

_Row = tuple[RefKind, int, int, int, int, int, int, int, ResolutionState, bool, bool, Confidence, int]
"""Kind, places of owner, target, constructor, name and hint, line and column, state, external, virtual, confidence, place of the reason."""


class ReferenceRows:
    """Collects references in their order; one that was found twice for the same owner is one row. What a page's compiler adds has none."""

    def __init__(self, lines: LineIndex, unit: UnitKey, unlisted: tuple[str, ...] = ()) -> None:
        """``unlisted``: qualified names of what is not listed; what refers to it and its members has no row."""
        self._unit: Final = unit
        self._unlisted: Final = unlisted
        self._lines: Final = lines
        self._starts: Final = lines.starts
        self._only_narrow: Final = not lines.wide_ends and not isinstance(lines, GeneratedLines)
        """A column is a count of bytes from where the line starts."""
        self._seen: Final[set[tuple[RefKind, int, str | None, str | None]]] = set()
        self._symbols: Final[dict[str | None, int]] = {}
        self._strings: Final[dict[str | None, int]] = {None: 0}
        self._rows: Final[list[_Row]] = []
        self._conditions: Final[list[int]] = []
        """Places of the conditions of the last rows."""

    def add(self, owner: str | None, references: Iterable[Reference]) -> None:
        """``owner``: the symbol that they are part of."""
        symbols, strings = self._symbols, self._strings
        for each in references:
            target = each.target
            key = (each.kind, each.offset, target, owner)
            if key in self._seen:
                continue
            self._seen.add(key)
            if self._only_narrow:
                line: int = bisect_right(self._starts, each.offset)
                column = each.offset - self._starts[line - 1] + 1
            else:
                line, column = self._lines.position(each.offset)
                if not line or (self._unlisted and target is not None and self._is_unlisted(target)):
                    continue
            self._rows.append(
                (
                    each.kind,
                    _place(symbols, owner),
                    _place(symbols, target),
                    _place(symbols, each.constructor),
                    _place(strings, each.name),
                    _place(strings, each.hint),
                    line,
                    column,
                    ResolutionState.UNRESOLVED if target is None else ResolutionState.RESOLVED,
                    each.external,
                    each.is_virtual,
                    each.confidence,
                    _place(strings, each.reason),
                )
            )

    def add_conditional(self, owner: str | None, references: Iterable[Reference], regions: Sequence[Region]) -> None:
        """Of references of an alternative, those in text that the symbols leave out. As another configuration compiles it, and no one has
        all such text, their confidence is medium at most. Called when all others have been added."""
        for each in references:
            region = region_at(regions, each.offset, each.offset + 1)
            if region is None:
                continue
            before = len(self._rows)
            self.add(owner, (each,))
            if len(self._rows) > before:
                self._conditions.append(_place(self._strings, region.condition))

    def _is_unlisted(self, target: str) -> bool:
        name = target.partition(":")[2]
        return any(name == each or name.startswith(f"{each}.") for each in self._unlisted)

    def packed(self) -> PackedReferences:
        count = len(self._rows)
        if not count:
            return PackedReferences()
        columns = zip(*self._rows, strict=True)
        kinds, owners, targets, constructors, names, hints, lines, starts, states, externals, virtuals, *last = columns
        confidences, reasons = last
        same = (0,) * count
        conditions: tuple[int, ...] = ()
        if self._conditions:
            first = count - len(self._conditions)
            conditions = (*(0,) * first, *self._conditions)
            confidences = (*confidences[:first], *map(_doubted, confidences[first:]))
        return PackedReferences(
            symbols=tuple(self._symbols),
            strings=tuple(self._strings),
            files=(self._unit.file_path,),
            projects=(self._unit.project_path,),
            kind=kinds,
            from_symbol=owners,
            to_symbol=targets,
            constructor=constructors,
            to_name=names,
            to_container_hint=hints,
            file_path=same,
            line=lines,
            column=starts,
            line_end=lines,
            resolution_state=states,
            external=externals,
            is_virtual=virtuals,
            confidence=confidences,
            reason=reasons,
            condition=conditions,
            project=same,
        )


def _doubted(confidence: Confidence) -> Confidence:
    return Confidence.MEDIUM if confidence is Confidence.HIGH else confidence


def _place(places: dict[str | None, int], text: str | None) -> int:
    """Where a text stands in its list, in order of first appearance."""
    place = places.get(text)
    if place is None:
        place = places[text] = len(places)
    return place
