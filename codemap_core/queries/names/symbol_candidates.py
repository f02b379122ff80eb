"""Symbols as an answer offers them to choose from, where a name means several or none."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.errors import CodeMapError
from codemap_core.model import SymbolKind
from codemap_core.model.documentation_id import STATIC_CONSTRUCTOR, DocumentationId, parse_id, split_outside
from codemap_core.queries.names.symbol_spelling import type_parameters
from codemap_core.queries.names.type_spelling import as_written, parse_types
from codemap_core.storage.reading.symbol_names import NamedSymbol

_ON_ONE_LINE: Final = 5


class Candidate(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """``display``: a spelling that means this symbol, with the types of parameters. Without ``file_path`` it is a library's. ``project``:
    path of the declaring project."""

    symbol_id: str
    kind: SymbolKind | None = None
    display: str
    file_path: str = ""
    line: int = 0
    project: str = ""

    def __str__(self) -> str:
        """``kind  name(params)  file:line``."""
        place = f"{self.file_path}:{self.line}" if self.file_path else "library"
        return f"{self.kind or 'type'}  {self.display}  {place}"


def on_one_line(error: CodeMapError) -> str:
    """What is wrong with one of several names, with the first of what it may mean."""
    candidates: tuple[Candidate, ...] = error.details.get("candidates", ())
    if not candidates:
        return error.message
    listed = ", ".join(each.display for each in candidates[:_ON_ONE_LINE])
    further = ", …" if len(candidates) > _ON_ONE_LINE else ""
    return f"{error.message.removesuffix('.').removesuffix(':')}{'' if error.message.endswith('?') else ':'} {listed}{further}"


def candidate(symbol: NamedSymbol) -> Candidate:
    return Candidate(
        symbol_id=symbol.symbol_id,
        kind=symbol.kind,
        display=displayed(symbol),
        file_path=symbol.file_path,
        line=symbol.line,
        project=symbol.project,
    )


def displayed(symbol: NamedSymbol) -> str:
    """The qualified name, of methods and indexers with the types of their parameters, so that it means this symbol alone."""
    parsed = parse_id(symbol.symbol_id)
    name = _with_interface(symbol.full_name, parsed)
    is_file = "/" in symbol.full_name
    if is_file or parsed.prefix not in ("M", "P") or (parsed.prefix == "P" and not parsed.parameters):
        return name
    if parsed.name == STATIC_CONSTRUCTOR:  # its type's name with no parameters is the other one's
        return f"{name.rpartition('.')[0]}..cctor()"
    names = type_parameters(symbol)
    types = parse_types(",".join(parsed.parameters or ()))
    if types is None:
        return name
    listed = ", ".join(as_written(each, names) for each in types)
    if parsed.prefix == "P":
        return f"{name.removesuffix('[]')}[{listed}]"
    arity = parsed.parts[-1].arity
    own = ",".join(names.get(f"``{n}", f"T{n}") for n in range(arity))
    generic = f"<{own}>" if arity and not name.endswith(">") else ""
    return f"{name}{generic}({listed})"


def _with_interface(full_name: str, parsed: DocumentationId) -> str:
    """The name of an explicit implementation with its interface: ``Shop.Order.IShippable.Ship``."""
    if not parsed.interface:
        return full_name
    last = parsed.interface[-1]
    arity = f"<{',' * (last.arity - 1)}>" if last.arity else ""
    *outer, name = split_outside(full_name, ".")
    return ".".join([*outer, f"{last.name}{arity}", name])
