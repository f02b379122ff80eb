"""The symbol that a question about references means: one declared here, or one of a library that something here names."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from codemap_core.errors import AmbiguousError, NotFoundError
from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.symbol_lookup import FoundSymbol, get_symbol, resolve_exact_name, resolve_name
from codemap_core.storage.symbol_search import SymbolFilter

_PREFIXES: Final = ("T:", "M:", "P:", "F:", "E:")
_CANDIDATES: Final = 5
_ARITY: Final = re.compile(r"``?(\d+)")
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_KINDS: Final = {"M": SymbolKind.METHOD, "P": SymbolKind.PROPERTY, "F": SymbolKind.FIELD, "E": SymbolKind.EVENT}


class Target(Struct, frozen=True):
    """``symbol`` is null for a symbol of a library; ``others`` are further declarations of the same id."""

    symbol_id: str
    symbol: SymbolRow | None = None
    others: tuple[SymbolRow, ...] = ()
    corrected_from: str | None = None

    @property
    def is_external(self) -> bool:
        return self.symbol is None

    @property
    def display_name(self) -> str:
        return readable_name(self.symbol_id) if self.symbol is None else self.symbol.fully_qualified_name

    @property
    def simple_name(self) -> str:
        """As a reference to it is spelt; of a constructor its type's name."""
        if self.symbol is not None:
            return self.symbol.name
        return _TYPE_ARGUMENTS.sub("", readable_name(self.symbol_id)).rpartition(".")[2]

    @property
    def kind(self) -> SymbolKind | None:
        return self.symbol.kind if self.symbol is not None else external_kind(self.symbol_id)

    @property
    def is_type(self) -> bool:
        return self.symbol_id.startswith("T:")


def get_target(snapshot: Snapshot, symbol_id: str) -> Target:
    """By documentation-comment id, with or without its prefix, or stable id; ids of library symbols that are referenced are found too.
    Raises: NotFoundError with similar ids."""
    try:
        return _of(get_symbol(snapshot, symbol_id))
    except NotFoundError as error:
        asked = symbol_id.strip()
        spellings = (asked,) if asked.startswith(_PREFIXES) else tuple(prefix + asked for prefix in _PREFIXES)
        for spelling in spellings:
            if snapshot.reader.is_referenced(spelling):
                return Target(spelling, corrected_from=None if spelling == asked else asked)
        if error.details.get("candidates"):
            raise
        raise NotFoundError(
            f"Symbol '{asked}' not found: nothing declares it, and if it is a library's, nothing in the index refers to it.",
            symbol_id=asked,
            candidates=[],
        ) from None


def resolve_target(snapshot: Snapshot, name: str, where: SymbolFilter | None = None) -> Target:
    """The one symbol that ``name`` means: declared ones whose name equals it, then library symbols whose name does, then declared ones
    that match. A filter leaves library symbols out. Raises: NotFoundError, AmbiguousError."""
    exact = resolve_exact_name(snapshot, name, where)
    if exact is not None:
        return _of(exact)
    if where is None or where.is_empty:
        external = _external_named(snapshot, name)
        if len(external) == 1:
            return Target(external[0])
        if external:
            raise _ambiguous(name, external)
    return _of(resolve_name(snapshot, name, where))


def readable_name(symbol_id: str) -> str:
    """A library symbol's qualified name: ``System.Linq.Enumerable.Where<T>``; a constructor's ends with its type's name."""
    bare = symbol_id.partition(":")[2].partition("(")[0].partition("~")[0]
    bare = _ARITY.sub(_type_parameters, bare)
    head, _, last = bare.rpartition(".")
    if last in ("#ctor", "#cctor"):
        return f"{head}.{_TYPE_ARGUMENTS.sub('', head).rpartition('.')[2]}"
    if last == "Item" and symbol_id.startswith("P:") and "(" in symbol_id:
        return f"{head}.this[]"
    return bare.replace("#", ".")


def external_kind(symbol_id: str) -> SymbolKind | None:
    """What the id alone says; null for types, of which it does not say which."""
    if ".#ctor" in symbol_id:
        return SymbolKind.CONSTRUCTOR
    return _KINDS.get(symbol_id[:1])


def _of(found: FoundSymbol) -> Target:
    return Target(found.symbol.symbol_id, found.symbol, found.others, found.corrected_from)


def _type_parameters(arity: re.Match[str]) -> str:
    count = int(arity[1])
    return "<T>" if count == 1 else f"<{','.join(f'T{n}' for n in range(1, count + 1))}>"


def _external_named(snapshot: Snapshot, name: str) -> tuple[str, ...]:
    """Library symbols whose qualified name ends with ``name``; with type arguments only those of that arity. Types win over their
    constructors, exact case over other case."""
    spelt = name.strip()
    simple = _TYPE_ARGUMENTS.sub("", spelt).rpartition(".")[2]
    if not simple or not simple.replace("_", "a").isalnum():
        return ()
    wanted = _comparable(spelt, "<" in spelt)
    found = [
        each
        for each in snapshot.reader.undeclared_ids(simple)
        if f".{_comparable(readable_name(each), '<' in spelt)}".lower().endswith(f".{wanted.lower()}")
    ]
    same_case = [each for each in found if f".{_comparable(readable_name(each), '<' in spelt)}".endswith(f".{wanted}")]
    found = same_case or found
    types = [each for each in found if each.startswith("T:")]
    return tuple(types or found)


def _comparable(name: str, with_arity: bool) -> str:
    return _TYPE_ARGUMENTS.sub(lambda match: f"`{match[0].count(',') + 1}" if with_arity else "", name)


def _ambiguous(name: str, symbol_ids: tuple[str, ...]) -> AmbiguousError:
    shown = symbol_ids[:_CANDIDATES]
    lines = "\n".join(f"{each} — external" for each in shown)
    count = str(len(symbol_ids)) if len(symbol_ids) <= _CANDIDATES else f"{_CANDIDATES}+"
    return AmbiguousError(
        f"'{name}' means {count} library symbols; ask again with one symbol_id:\n{lines}",
        name=name,
        candidates=list(shown),
    )
