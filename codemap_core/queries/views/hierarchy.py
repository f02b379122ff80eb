"""Hierarchies as they are answered: what a type derives from and what derives from it; what fills a member's slot and what it fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import SymbolKind
from codemap_core.model.documentation_id import container_of
from codemap_core.queries.plain_lines import row, short_name, type_named_by
from codemap_core.queries.rows_by_file import by_file


class TypeRef(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A type, or of a member's hierarchy a member."""

    symbol_id: str
    """``!:`` and the name as written for a type that was not found."""
    display_name: str
    external: bool = False
    kind: SymbolKind | None = None
    file_path: str | None = None
    """Where its name stands; null for what has no declaration here."""
    line: int | None = None
    depth: int = 1
    """Steps from what was asked for."""
    through: str | None = None
    """What it stands next to, one step nearer, where that is not what was asked for."""
    test: bool = False
    """In a test project."""


class TypeHierarchyResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Rows are the derived types, the nearest first, production code before tests."""

    target_type: str
    file_path: str | None = None
    """Where it is declared, of a partial type its first part; null for a library's."""
    base_type: TypeRef | None = None
    """Null for interfaces and for what derives from System.Object alone."""
    interfaces: tuple[TypeRef, ...] = ()
    """Directly declared ones."""
    derived_types: tuple[TypeRef, ...]
    """Classes that derive from it, types and interfaces that implement or extend it; over several levels where that was asked for."""
    derived_count: int
    """Direct ones."""
    indirect_derived_count: int = 0
    total_count: int = 0
    """Of ``derived_types``, over all pages."""
    inherited: tuple[TypeRef, ...] = ()
    """Further base types, nearest first, then further interfaces, that it inherits through declared ones."""
    unresolved_count: int = 0
    """Types whose base lists name a type so that could not be resolved and may mean it; none of them is among ``derived_types``."""
    unresolved_types: tuple[TypeRef, ...] = ()
    """The first of them, by id."""
    truncated: bool = False
    external: bool = False

    @property
    def row_count(self) -> int:
        return len(self.derived_types)

    def cut(self, count: int) -> Self:
        return replace(self, derived_types=self.derived_types[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        bases = (*((self.base_type,) if self.base_type else ()), *self.interfaces, *self.inherited)
        return _files(self.file_path, (*bases, *self.derived_types, *self.unresolved_types))

    def lines(self) -> Iterator[str]:
        every = (*((self.base_type,) if self.base_type else ()), *self.interfaces, *self.inherited)
        above = tuple(each for each in every if not each.external)
        if above:
            yield f"above: {', '.join(_place(each) for each in above)}"
        libraries = [short_name(each.symbol_id) for each in every if each.external]
        if libraries:
            yield f"above, of libraries: {', '.join(dict.fromkeys(libraries))}"
        yield from _below("derived:" if self.unresolved_types else "", _rows(self.derived_types))
        if self.unresolved_types:
            yield "may derive:"
            yield from (f"  {line}" for line in _rows(self.unresolved_types))


class MemberHierarchyResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Rows are the members that implement or override one, the nearest first, production code before tests."""

    target_member: str
    file_path: str | None = None
    """Where it is declared; null for a library's."""
    slots: tuple[TypeRef, ...] = ()
    """Interface and base members that it implements or overrides, directly and over several steps."""
    fillers: tuple[TypeRef, ...]
    """Members that implement or override it, directly or by overriding one that does."""
    total_count: int
    """Of ``fillers``, over all pages."""
    truncated: bool = False
    external: bool = False

    @property
    def row_count(self) -> int:
        return len(self.fillers)

    def cut(self, count: int) -> Self:
        return replace(self, fillers=self.fillers[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return _files(self.file_path, (*self.slots, *self.fillers))

    def lines(self) -> Iterator[str]:
        if self.slots:
            yield "fills:"
            yield from (f"  {line}" for line in _rows(self.slots, _member(self.target_member)))
        yield from _below("filled by:" if self.slots else "", _rows(self.fillers, _member(self.target_member)))


def _place(each: TypeRef) -> str:
    """``src/IShape.cs:8``, with the name where the file is not named after it."""
    name = short_name(each.symbol_id)
    place = f"{each.file_path}:{each.line}" if each.file_path else ""
    return " ".join(
        part for part in ("" if place and name == type_named_by(each.file_path or "") else name, place) if part
    )


def _files(first: str | None, entries: Sequence[TypeRef]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for path in (first, *(each.file_path for each in entries)) if path))


def _member(symbol_id: str) -> str:
    return short_name(symbol_id).rpartition(".")[2]


def _below(heading: str, lines: Iterator[str]) -> Iterator[str]:
    """Lines indented under their heading, which is left out with them; without one as they are."""
    for nth, line in enumerate(lines):
        if heading and not nth:
            yield heading
        yield f"  {line}" if heading else line


def _shown_name(symbol_id: str, member: str) -> str:
    """Of a member called ``member`` its type, also where it implements an interface explicitly and is called after that too."""
    name = short_name(symbol_id)
    container = container_of(symbol_id) if member and name.endswith(f".{member}") else None
    return short_name(container) if container else name


def _rows(entries: Sequence[TypeRef], member: str = "") -> Iterator[str]:
    """``src/Shapes.cs:8  Square  : Shape``, without the name where it is the file's only row and the file is named
    after it, and with ``(same)`` for the base that the row above derives from; of members called ``member`` their types."""
    names = [_shown_name(each.symbol_id, member) for each in entries]
    in_file = Counter(each.file_path for each in entries)
    rows = []
    above = None
    for name, each in zip(names, entries, strict=True):
        path = each.file_path or ""
        clear = name if names.count(name) == 1 or path else each.display_name
        said = "" if path and in_file[path] == 1 and clear == type_named_by(path) else clear
        place = f"{each.line}" if path else ""
        library = "[library]" if each.external and not path else ""
        base = "(same)" if each.through == above else f": {short_name(each.through or '')}"
        through = base if each.through else ""
        above = each.through
        rows.append((path, row(place, said, library, through)))
    for is_placed, same in groupby(rows, key=lambda each: bool(each[0])):
        placed = list(same)
        yield from by_file(placed) if is_placed else (text for _, text in placed)
