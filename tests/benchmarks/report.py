"""Tables of figures, and the generated part of a document between two marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

END: Final = "<!-- end of figures -->"


def begin(name: str = "") -> str:
    """The mark above generated figures; a document with several tables names each."""
    return f"<!-- figures{f' of {name}' if name else ''}: written by the command above, not by hand -->"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column is text, the others are figures."""
    lines = [_line(header), _line(["---"] + ["---:"] * (len(header) - 1))]
    lines.extend(_line([str(cell) for cell in row]) for row in rows)
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def replace_figures(document: Path, figures: str, name: str = "") -> None:
    """Puts ``figures`` between the marks of that name in ``document``. Raises: ValueError when the document lacks them."""
    mark = begin(name)
    before, opened, rest = document.read_text(encoding="utf-8").partition(mark)
    _, end, after = rest.partition(END)
    if not opened or not end:
        raise ValueError(f"{document} lacks the lines {mark!r} and {END!r}.")
    document.write_text(f"{before}{mark}\n\n{figures.strip()}\n\n{END}{after}", encoding="utf-8")
