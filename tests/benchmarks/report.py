"""Tables of figures, and the generated part of a document between two marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

BEGIN: Final = "<!-- figures: written by the command above, not by hand -->"
END: Final = "<!-- end of figures -->"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column is text, the others are figures."""
    lines = [_line(header), _line(["---"] + ["---:"] * (len(header) - 1))]
    lines.extend(_line([str(cell) for cell in row]) for row in rows)
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def replace_figures(document: Path, figures: str) -> None:
    """Puts ``figures`` between the marks of ``document``. Raises: ValueError when it lacks the marks."""
    before, begin, rest = document.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{document} lacks the lines {BEGIN!r} and {END!r}.")
    document.write_text(f"{before}{BEGIN}\n\n{figures.strip()}\n\n{END}{after}", encoding="utf-8")
