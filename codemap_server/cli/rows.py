"""Results that have a place, one after another: grouped by file on a terminal, one line each elsewhere, or for programs.

Invariants: outside a terminal nothing is folded, padded or cut, so that an id and a place can be copied; on a terminal a line of source
is cut to the width of the terminal, a name or a path never is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from codemap_server.cli.options import Format

if TYPE_CHECKING:
    from rich.console import Console


class Row(Struct, frozen=True, kw_only=True):
    """One result. ``column`` 0: not known. ``name``: of what stands there or of what it stands in. ``text``: source or signature.
    ``full``: the name where lines are not grouped, if it is a longer one."""

    file_path: str
    line: int
    column: int = 0
    kind: str = ""
    name: str = ""
    full: str = ""
    text: str = ""
    note: str = ""
    symbol_id: str = ""
    is_fact: bool = False
    """What it says is its kind and its name; ``text`` is who owns it."""

    @property
    def place(self) -> str:
        return f"{self.file_path}:{self.line}:{self.column}" if self.column else f"{self.file_path}:{self.line}"


def print_rows(rows: Sequence[Row], format_: Format, root: Path) -> None:
    """``root``: the folder that paths are relative to."""
    if format_ is Format.TEXT and sys.stdout.isatty():
        _print_by_file(rows, root)
        return
    written = _WRITERS[format_]
    out = sys.stdout
    for row in rows:
        out.write(written(row, root) + "\n")


def _plain(row: Row, _: Path) -> str:
    return two_spaces(row.place, row.kind, row.full or row.name, row.text, row.note)


def _tsv(row: Row, _: Path) -> str:
    from codemap_core.queries.plain_lines import short_name

    cells = (
        row.file_path,
        str(row.line),
        str(row.column or ""),
        row.kind,
        row.symbol_id,
        row.full or row.name or short_name(row.symbol_id),  # a column of a table is never left out
        row.text,
    )
    return "\t".join(" ".join(cell.split()) for cell in cells)


def _vimgrep(row: Row, root: Path) -> str:
    said = two_spaces(row.kind, row.name, row.text) if row.is_fact else row.text or row.full or row.name
    return f"{from_here(root, row.file_path)}:{row.line}:{row.column or 1}:{said}"


_WRITERS: dict[Format, Callable[[Row, Path], str]] = {
    Format.TEXT: _plain,
    Format.PLAIN: _plain,
    Format.TSV: _tsv,
    Format.VIMGREP: _vimgrep,
}


def two_spaces(*cells: str) -> str:
    """Cells side by side; empty ones are left out."""
    return "  ".join(cell for cell in cells if cell)


def from_here(root: Path, file_path: str) -> str:
    """A path that an editor started in the current folder finds."""
    here = Path.cwd()
    if here.is_relative_to(root):
        return Path(os.path.relpath(root / file_path, here)).as_posix()
    return str(root / file_path)


def _print_by_file(rows: Sequence[Row], root: Path) -> None:
    from codemap_server.cli.terminal import console

    out = console()
    width = max((len(row.kind) for row in rows), default=0)
    current = None
    for row in rows:
        if row.file_path != current:
            current = row.file_path
            print_styled(out, [(current, linked(root, current, "magenta"))])
        place = f"{row.line}:{row.column}" if row.column else f"{row.line}"
        cells: list[tuple[str, str]] = [(f"  {place:<8}", "green")]
        if width:
            cells.append((f"{row.kind:<{width + 2}}", "cyan"))
        cells += [(row.name, "bold"), (f"  {row.note}" if row.note else "", "yellow")]
        used = sum(len(text) for text, _ in cells)
        if row.text:
            room = out.width - used - 2
            if room >= 30 or room >= len(row.text):
                cells.append((f"  {cut(row.text, room)}", ""))
            else:
                print_styled(out, cells)
                cells = [(f"{'':<10}{cut(row.text, out.width - 10)}", "")]
        print_styled(out, cells)


def print_styled(out: Console, cells: Iterable[tuple[str, str]]) -> None:
    """One line of (text, style); the terminal folds it, not we, so that what is copied is whole."""
    from rich.text import Text

    out.print(Text.assemble(*cells), soft_wrap=True)


def linked(root: Path, file_path: str, style: str) -> str:
    """``style`` with an OSC 8 link to the file, where it is on disk."""
    file = root / file_path
    return f"{style} link {file.as_uri()}" if file_path and file.is_file() else style


def cut(text: str, width: int) -> str:
    width = max(width, 20)
    return text if len(text) <= width else f"{text[: width - 1]}…"
