"""The rows of one file's references, packed as they are found: a row of its own for each would be made only to be taken apart again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.model.reference import PackedReferences
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.source_text import LineIndex

_Row = tuple[RefKind, int, int, int, int, int, int, int, ResolutionState, bool, bool, Confidence, int]
"""Kind, places of owner, target, constructor, name and hint, line and column, state, external, virtual, confidence, place of the reason."""


class ReferenceRows:
    """Collects references in their order; one that was found twice for the same owner is one row."""

    def __init__(self, lines: LineIndex, file_path: str, project_path: str) -> None:
        self._file_path: Final = file_path
        self._project_path: Final = project_path
        self._lines: Final = lines
        self._starts: Final = lines.starts
        self._only_narrow: Final = not lines.wide_ends
        """A column is a count of bytes."""
        self._seen: Final[set[tuple[RefKind, int, str | None, str | None]]] = set()
        self._symbols: Final[dict[str | None, int]] = {}
        self._strings: Final[dict[str | None, int]] = {None: 0}
        self._rows: Final[list[_Row]] = []

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

    def packed(self) -> PackedReferences:
        count = len(self._rows)
        if not count:
            return PackedReferences()
        columns = zip(*self._rows, strict=True)
        kinds, owners, targets, constructors, names, hints, lines, starts, states, externals, virtuals, *last = columns
        confidences, reasons = last
        same = (0,) * count
        return PackedReferences(
            symbols=tuple(self._symbols),
            strings=tuple(self._strings),
            files=(self._file_path,),
            projects=(self._project_path,),
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
            project=same,
        )


def _place(places: dict[str | None, int], text: str | None) -> int:
    """Where a text stands in its list, in order of first appearance."""
    place = places.get(text)
    if place is None:
        place = places[text] = len(places)
    return place
