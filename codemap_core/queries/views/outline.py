"""The shape of an outline: declarations of a type or a file, one line each, in one order that pages follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import SymbolKind, Visibility
from codemap_core.model.documentation_id import parse_id
from codemap_core.queries.plain_lines import declared_name, without_constraints, without_obvious_names

_MODIFIERS: Final = re.compile(
    r"^(?:(?:public|private|protected|internal|static|abstract|virtual|override|sealed|partial|async|extern|new|unsafe|readonly) )+"
)
"""At the beginning of a method's signature."""
_LEAST_SAVED: Final = 40
"""Characters that a result has to take in rows before it is said once above them."""


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
        """A row for each declaration. What most methods of a type return is said once; a field says its visibility where it is not
        private, anything else where it is not public."""
        usual = _usual_result(self.rows) if self.symbol_id else ""
        heading = ""
        for nth, row in enumerate(self.rows):
            path = row.file_path or self.file_path
            here = f"{path}  (inherited from {row.declared_in})" if row.declared_in else path
            if here != heading:
                heading = here
                yield heading
            if nth == 0 and self.continues:
                yield f"  (in {self.continues})"
            if nth == 0 and usual:
                yield f"  methods return {usual} where nothing is said:"
            yield _line(row, usual, is_nested=not self.symbol_id and not row.line_end)


def _line(row: OutlineRow, usual: str, *, is_nested: bool) -> str:
    indent = "    " if is_nested else "  "
    place = f"{row.line}-{row.line_end}" if row.line_end > row.line else str(row.line)
    signature = without_obvious_names(without_constraints(row.signature))
    if row.kind is SymbolKind.FIELD:
        signature = _as_field(signature, row.visibility)
    elif usual:
        before, result, behind = _around_result(row)
        signature = f"{before}{signature[len(before) + len(result) + 1 :]}" if result == usual and behind else signature
    text = f"{indent}{place}  {signature}"
    if "Obsolete" in row.attributes:
        text += "  obsolete"
    return text if row.condition is None else f"{text}  #if {row.condition}"


def _as_field(signature: str, visibility: Visibility) -> str:
    """A signature that says the visibility of a field where it is not private."""
    return f"public {signature}" if visibility is Visibility.PUBLIC else signature.removeprefix("private ")


def _usual_result(rows: Sequence[OutlineRow]) -> str:
    """What more than half of the methods return, where saying it once saves enough; else nothing."""
    results = [_around_result(row)[1] for row in rows if row.kind is SymbolKind.METHOD]
    if not results:
        return ""
    usual, count = Counter(results).most_common(1)[0]
    return usual if 2 * count > len(results) and count * len(usual) > _LEAST_SAVED + len(usual) else ""


def _around_result(row: OutlineRow) -> tuple[str, str, str]:
    """A method's signature in three parts: modifiers, result, and all from its name on; the last two are empty for anything else."""
    if row.kind is not SymbolKind.METHOD:
        return row.signature, "", ""
    modifiers = _MODIFIERS.match(row.signature)
    start = modifiers.end() if modifiers else 0
    name = declared_name(row.signature, parse_id(row.symbol_id).name)
    if name is None or name.start() <= start:
        return row.signature, "", ""
    return row.signature[:start], row.signature[start : name.start()].strip(), row.signature[name.start() :]
