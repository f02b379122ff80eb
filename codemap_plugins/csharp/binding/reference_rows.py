"""The rows of one file's references, packed as they are found: a row of its own for each would be made only to be taken apart again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.model.reference import PackedReferences
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.source_text import LineIndex


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
        self._kinds: Final[list[RefKind]] = []
        self._from_symbols: Final[list[int]] = []
        self._to_symbols: Final[list[int]] = []
        self._constructors: Final[list[int]] = []
        self._names: Final[list[int]] = []
        self._hints: Final[list[int]] = []
        self._line_numbers: Final[list[int]] = []
        self._columns: Final[list[int]] = []
        self._states: Final[list[ResolutionState]] = []
        self._externals: Final[list[bool]] = []
        self._virtuals: Final[list[bool]] = []
        self._confidences: Final[list[Confidence]] = []
        self._reasons: Final[list[int]] = []

    def add(self, owner: str | None, references: Iterable[Reference]) -> None:
        """``owner``: the symbol that they are part of."""
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
            self._kinds.append(each.kind)
            self._from_symbols.append(_place(self._symbols, owner))
            self._to_symbols.append(_place(self._symbols, target))
            self._constructors.append(_place(self._symbols, each.constructor))
            self._names.append(_place(self._strings, each.name))
            self._hints.append(_place(self._strings, each.hint))
            self._line_numbers.append(line)
            self._columns.append(column)
            self._states.append(ResolutionState.UNRESOLVED if target is None else ResolutionState.RESOLVED)
            self._externals.append(each.external)
            self._virtuals.append(each.is_virtual)
            self._confidences.append(each.confidence)
            self._reasons.append(_place(self._strings, each.reason))

    def packed(self) -> PackedReferences:
        count = len(self._kinds)
        if not count:
            return PackedReferences()
        same, lines = (0,) * count, tuple(self._line_numbers)
        return PackedReferences(
            symbols=tuple(self._symbols),
            strings=tuple(self._strings),
            files=(self._file_path,),
            projects=(self._project_path,),
            kind=tuple(self._kinds),
            from_symbol=tuple(self._from_symbols),
            to_symbol=tuple(self._to_symbols),
            constructor=tuple(self._constructors),
            to_name=tuple(self._names),
            to_container_hint=tuple(self._hints),
            file_path=same,
            line=lines,
            column=tuple(self._columns),
            line_end=lines,
            resolution_state=tuple(self._states),
            external=tuple(self._externals),
            is_virtual=tuple(self._virtuals),
            confidence=tuple(self._confidences),
            reason=tuple(self._reasons),
            project=same,
        )


def _place(places: dict[str | None, int], text: str | None) -> int:
    """Where a text stands in its list, in order of first appearance."""
    place = places.get(text)
    if place is None:
        place = places[text] = len(places)
    return place
