"""The shape of an outline: declarations of a type or a file, one line each, in one order that pages follow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import SymbolKind, Visibility
from codemap_core.queries.plain_lines import without_obvious_names


class OutlineRow(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One declaration."""

    symbol_id: str
    kind: SymbolKind
    signature: str
    """As declared, on one line; the visibility only where it is not public."""
    line: int
    """Of the name; 1-based."""
    line_end: int = 0
    """Of a type, where its declaration ends; 0 for members."""
    file_path: str = ""
    """Where it differs from the outline's own: a further part of a partial type, a base type."""
    visibility: Visibility = Visibility.PUBLIC
    is_static: bool = False
    attributes: tuple[str, ...] = ()
    """Simple names without the suffix."""
    declared_in: str = ""
    """The base type that an inherited member comes from."""
    condition: str | None = None


class Outline(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Members of a type, or types of a file with their members."""

    symbol_id: str = ""
    """Of the type; empty for a file."""
    name: str
    """Readable name of the type, or the file's path."""
    file_path: str
    rows: tuple[OutlineRow, ...]
    total_count: int
    """Rows over all pages."""
    counts: dict[SymbolKind, int]
    """Of all pages, in the order of the listing."""
    left_out: int = 0
    """Declarations that the filter leaves out."""
    continues: str = ""
    """In a file: the type whose members the page begins with."""
    unknown_bases: tuple[str, ...] = ()
    """Base types whose members are not known here, when inherited members were asked for."""
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.rows)

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that declare what is listed."""
        return tuple(dict.fromkeys(row.file_path or self.file_path for row in self.rows))

    def cut(self, count: int) -> Self:
        return replace(self, rows=self.rows[:count], truncated=True)

    def lines(self) -> Iterable[str]:
        heading = ""
        for nth, row in enumerate(self.rows):
            path = row.file_path or self.file_path
            here = f"{path}  (inherited from {row.declared_in})" if row.declared_in else path
            if here != heading:
                heading = here
                yield heading
            if nth == 0 and self.continues:
                yield f"  (in {self.continues})"
            yield _line(row, is_nested=not self.symbol_id and not row.line_end)


def _line(row: OutlineRow, *, is_nested: bool) -> str:
    indent = "    " if is_nested else "  "
    place = f"{row.line}-{row.line_end}" if row.line_end > row.line else str(row.line)
    text = f"{indent}{place}  {without_obvious_names(row.signature)}"
    if "Obsolete" in row.attributes:
        text += "  obsolete"
    return text if row.condition is None else f"{text}  #if {row.condition}"
