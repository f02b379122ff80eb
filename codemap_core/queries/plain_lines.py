"""How views read as plain text: rows under their files, symbols by short names, lists cut between items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from codemap_core.model.documentation_id import is_constructor_id

_ARITY: Final = re.compile(r"`+\d+")
_LONGEST: Final = 200
"""Characters of a value in a row of text."""
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")


def by_file(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Rows of (path, text), indented under their path, which stands once above those that follow each other."""
    current = None
    for path, text in rows:
        if path != current:
            current = path
            yield path
        yield f"  {text}"


def row(*cells: str) -> str:
    """Cells side by side; empty ones are left out."""
    return "  ".join(cell for cell in cells if cell)


def one_line(text: str) -> str:
    """A text whose line breaks are written as C# escapes them."""
    return text.replace("\r", "\\r").replace("\n", "\\n") if "\n" in text or "\r" in text else text


def clipped(text: str) -> str:
    """One line of it, cut where it is long."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def short_name(symbol_id: str) -> str:
    """Type and member of a documentation-comment id, or the type alone, as ``symbol`` accepts it: ``Order.Submit``; a constructor is
    ``Order.Order``."""
    kind, _, bare = symbol_id.partition(":")
    bare = _ARITY.sub("", bare.partition("(")[0].partition("~")[0]).replace("#", ".").rstrip(".")
    parts = [part for part in bare.split(".") if part]
    if parts[-1:] in (["ctor"], ["cctor"]):
        parts[-1] = parts[-2]
    return ".".join(parts[-1:] if kind in ("T", "!") else parts[-2:])


def called_name(symbol_id: str) -> str:
    """As ``short_name``, where what runs is meant rather than what is named: a constructor is ``new Order``."""
    name = short_name(symbol_id)
    return f"new {name.rpartition('.')[2]}" if is_constructor_id(symbol_id) else name


def shortened(qualified_name: str, *, is_type: bool) -> str:
    """The same of a readable name: ``Shop.Ordering.Order<T>.Submit`` is ``Order.Submit``."""
    while (bare := _TYPE_ARGUMENTS.sub("", qualified_name)) != qualified_name:
        qualified_name = bare
    return ".".join(bare.split(".")[-1 if is_type else -2 :])
