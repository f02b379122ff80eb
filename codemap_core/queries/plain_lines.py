"""How views read as plain text: rows under their files, symbols by short names, lists cut between items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from codemap_core.model.documentation_id import is_constructor_id, parse_id
from codemap_core.queries.names.type_spelling import as_written, parse_types

_ARITY: Final = re.compile(r"`+\d+")
_LONGEST: Final = 200
"""Characters of a value in a row of text."""
_TYPE_PARAMETERS: Final = 16
"""More than any declaration has, in practice; those beyond keep the placeholder of ids."""
_BEHIND_NAME: Final = re.compile(r"\s*(?:[({=:;]|\bwhere\b|$)")
"""What follows the name that a signature declares, and its type parameters."""
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


def line_range(first: int, last: int | None) -> str:
    """``47``, or ``47–53``."""
    return f"{first}" if last is None or last == first else f"{first}–{last}"


def one_line(text: str) -> str:
    """A text whose line breaks are written as C# escapes them."""
    return text.replace("\r", "\\r").replace("\n", "\\n") if "\n" in text or "\r" in text else text


def clipped(text: str, longest: int = _LONGEST) -> str:
    """One line of it, cut where it is long."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def short_name(symbol_id: str) -> str:
    """Type and member of a documentation-comment id, or the type alone, as ``symbol`` accepts it: ``Order.Submit``; a constructor is
    ``Order.Order``. Where the namespace is the path of a file, all from the file's name on: ``order.ts.Order.submit``."""
    kind, _, bare = symbol_id.partition(":")
    bare = _ARITY.sub("", bare.partition("(")[0].partition("~")[0]).replace("#", ".").rstrip(".")
    folder, _, bare = bare.rpartition("/")
    parts = [part for part in bare.split(".") if part]
    if parts[-1:] in (["ctor"], ["cctor"]):
        parts[-1] = parts[-2]
    return ".".join(parts if folder else parts[-1:] if kind in ("T", "!") else parts[-2:])


def called_name(symbol_id: str) -> str:
    """As ``short_name``, where what runs is meant rather than what is named: a constructor is ``new Order``."""
    name = short_name(symbol_id)
    return f"new {name.rpartition('.')[2]}" if is_constructor_id(symbol_id) else name


def overload_name(symbol_id: str) -> str:
    """As ``called_name``, with what tells overloads apart: ``Order.Add<T>(T, int)``. Type parameters are called ``T``, ``T1`` and so on."""
    parsed = parse_id(symbol_id)
    types = parse_types(",".join(parsed.parameters or ()))
    if types is None or (parsed.prefix != "M" and not types):
        return called_name(symbol_id)
    named = ["T", *(f"T{n}" for n in range(1, _TYPE_PARAMETERS))]
    placeholders = {f"{mark}{n}": name for mark in ("`", "``") for n, name in enumerate(named)}
    arity = parsed.parts[-1].arity
    own = f"<{', '.join(named[:arity])}>" if arity else ""
    return f"{called_name(symbol_id)}{own}({', '.join(as_written(each, placeholders) for each in types)})"


def named(signature: str, name: str) -> str:
    """A signature that names what it declares as ``name`` does, so that this need not stand beside it: ``int Order.Count(string text)``.
    Where the signature does not have the last part of the name by itself, both, side by side."""
    simple = name.rpartition(".")[2]
    found = None
    if simple.isidentifier():
        head = _BEHIND_NAME.split(signature, maxsplit=1)[0]
        found = re.search(rf"(?<![\w.@])(?P<name>{re.escape(simple)})(?:<[^()]*>)?$", head)
    if found is None:
        return row(name, signature)
    return f"{signature[: found.start('name')]}{name}{signature[found.end('name') :]}"


def shortened(qualified_name: str, *, is_type: bool) -> str:
    """The same of a readable name: ``Shop.Ordering.Order<T>.Submit`` is ``Order.Submit``."""
    while (bare := _TYPE_ARGUMENTS.sub("", qualified_name)) != qualified_name:
        qualified_name = bare
    return ".".join(bare.split(".")[-1 if is_type else -2 :])
