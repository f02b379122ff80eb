"""The references of a document column by column, each text once: what a worker sends and what a writer numbers, in place of a row with its
texts for each of hundreds of thousands of names.

A column of texts holds positions in a list of them; null, and a role of no letters, stand for themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple

from codemap_core.model.reference import ReferenceRow, RefKind, ResolutionState
from codemap_core.model.symbol import Confidence

_Column = tuple[int, ...]
_TEXTS: Final = {
    "symbols": ("from_symbol", "to_symbol", "constructor"),
    "strings": ("to_name", "to_container_hint", "reason", "condition", "role"),
    "files": ("file_path",),
    "projects": ("project",),
}
"""By list of texts, the columns whose texts it holds."""
_COLUMNS: Final = ReferenceRow.__struct_fields__


class PackedReferences(Struct, frozen=True, array_like=True, gc=False):
    """Iterated, it gives the rows in their order. Raises: ValueError where the columns do not fit together."""

    symbols: tuple[str | None, ...] = ()
    strings: tuple[str | None, ...] = ()
    files: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    kind: tuple[RefKind, ...] = ()
    from_symbol: _Column = ()
    to_symbol: _Column = ()
    constructor: _Column = ()
    to_name: _Column = ()
    to_container_hint: _Column = ()
    file_path: _Column = ()
    line: _Column = ()
    column: _Column = ()
    line_end: _Column = ()
    resolution_state: tuple[ResolutionState, ...] = ()
    external: tuple[bool, ...] = ()
    is_virtual: tuple[bool, ...] = ()
    confidence: tuple[Confidence, ...] = ()
    reason: _Column = ()
    condition: _Column = ()
    project: _Column = ()
    role: _Column = ()

    def __post_init__(self) -> None:
        if not self.kind:
            return
        if any(len(getattr(self, name)) != len(self.kind) for name in _COLUMNS):
            raise ValueError("columns of different length")
        for table, names in _TEXTS.items():
            count = len(getattr(self, table))
            if any(max(getattr(self, name)) >= count for name in names):
                raise ValueError(f"a position outside {table}")

    def __len__(self) -> int:
        return len(self.kind)

    def __iter__(self) -> Iterator[ReferenceRow]:
        columns: dict[str, Iterable[Any]] = {name: getattr(self, name) for name in _COLUMNS}
        for table, names in _TEXTS.items():
            text = getattr(self, table).__getitem__
            columns.update({name: map(text, getattr(self, name)) for name in names})
        columns["role"] = (role or "" for role in columns["role"])
        for row in zip(*columns.values(), strict=True):
            yield ReferenceRow(**dict(zip(_COLUMNS, row, strict=True)))


def pack(rows: Iterable[ReferenceRow]) -> PackedReferences:
    """The same rows, packed. A value that is not a text, number or kind is found when it is encoded or decoded."""
    if isinstance(rows, PackedReferences):
        return rows
    given = tuple(rows)
    if not given:
        return PackedReferences()
    columns: dict[str, Any] = dict(zip(_COLUMNS, zip(*map(astuple, given), strict=True), strict=True))
    columns["role"] = [role or None for role in columns["role"]]
    texts: dict[str, Any] = {}
    for table, names in _TEXTS.items():
        position = _Positions()
        for name in names:
            columns[name] = tuple(map(position.__getitem__, columns[name]))
        texts[table] = tuple(position)
    return PackedReferences(**texts, **columns)


class _Positions(dict[Any, int]):
    """Of texts, in order of first appearance."""

    def __missing__(self, text: Any) -> int:
        position = self[text] = len(self)
        return position
