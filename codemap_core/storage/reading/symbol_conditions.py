"""What must hold of a symbol beside its own columns, as values that a scan turns into SQL: what it carries, refers to, contains, and is
referred to by; and combinations of these.

Invariant: ``form`` of two conditions is equal when their SQL is, and ``values`` are what ``sql`` asks for, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, Self

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Text,
    and_,
    exists,
    false,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    true,
)
from sqlalchemy.orm import aliased

from codemap_core.model import RefKind, RelationKind, SymbolKind, Visibility
from codemap_core.storage.reading.prepared import given, parameter
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES

Name = Callable[[], str]
"""Gives a statement's next free parameter."""
_INNER: Final = aliased(t.Symbol)
_SOUGHT_KINDS: Final = 4
"""Kinds that SQLite seeks one by one in the index; of more nearly every reference is one."""
_ANY_KIND: Final[ColumnElement[int]] = literal_column("+refs.kind", Integer)
_REF: Final[ColumnElement[int]] = literal_column("+refs.id", Integer)
# The + keeps SQLite from looking up all symbols of the kinds where a scan has found few.
_KIND: Final[ColumnElement[str]] = literal_column("+symbols.kind", Text)
_NO_PROJECT: Final = 0
"""Numbers of projects begin at 1."""


class Condition(Protocol):
    def sql(self, name: Name) -> ColumnElement[bool]:
        """About the row of ``symbols`` that is looked at; never null."""

    def values(self) -> list[Any]:
        """For the parameters."""

    def form(self) -> Condition:
        """Itself without ``values``."""


class _Fixed(Struct, frozen=True):
    """A condition whose SQL has no parameters."""

    def values(self) -> list[list[Any]]:
        return []

    def form(self) -> Self:
        return self


class AllOf(Struct, frozen=True):
    conditions: tuple[Condition, ...]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return and_(true(), *(each.sql(name) for each in self.conditions))

    def values(self) -> list[list[Any]]:
        return [value for each in self.conditions for value in each.values()]

    def form(self) -> Condition:
        return AllOf(tuple(each.form() for each in self.conditions))


class AnyOf(Struct, frozen=True):
    conditions: tuple[Condition, ...]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return or_(false(), *(each.sql(name) for each in self.conditions))

    def values(self) -> list[list[Any]]:
        return [value for each in self.conditions for value in each.values()]

    def form(self) -> Condition:
        return AnyOf(tuple(each.form() for each in self.conditions))


class Not(Struct, frozen=True):
    condition: Condition

    def sql(self, name: Name) -> ColumnElement[bool]:
        return not_(self.condition.sql(name))

    def values(self) -> list[list[Any]]:
        return self.condition.values()

    def form(self) -> Condition:
        return Not(self.condition.form())


NEVER: Final = AnyOf(())


class OfKinds(_Fixed, frozen=True):
    kinds: tuple[SymbolKind, ...]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return _KIND.in_([each.value for each in self.kinds])


class Static(_Fixed, frozen=True):
    def sql(self, name: Name) -> ColumnElement[bool]:
        return t.Symbol.is_static.is_(True)


class Generic(_Fixed, frozen=True):
    """It has type parameters of its own: its id ends with their number, or has it before the parameters."""

    def sql(self, name: Name) -> ColumnElement[bool]:
        patterns = [f"*`{digits}{end}" for digits in ("[0-9]", "[0-9][0-9]") for end in ("", "(*")]
        return or_(*(t.SymbolId.symbol_id.op("GLOB")(each) for each in patterns))


class InLanguage(_Fixed, frozen=True):
    """Its first declaration is in a file of a language."""

    language: str

    def sql(self, name: Name) -> ColumnElement[bool]:
        return exists(
            select(literal(1))
            .where(t.File.id == t.Symbol.file_id, t.File.language == self.language)
            .correlate(t.Symbol)
        )


class SignedWith(_Fixed, frozen=True):
    """Its signature has its name with one of some texts behind it."""

    texts: tuple[str, ...]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return or_(*(func.instr(t.Symbol.signature, t.Symbol.name + each) > 0 for each in self.texts))


class Modified(_Fixed, frozen=True):
    """It is declared with a modifier."""

    word: str

    def sql(self, name: Name) -> ColumnElement[bool]:
        return func.instr(" " + t.Symbol.modifiers + " ", f" {self.word} ") > 0


class VisibleAs(_Fixed, frozen=True):
    visibilities: tuple[Visibility, ...]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return t.Symbol.visibility.in_([each.value for each in self.visibilities])


class Documented(_Fixed, frozen=True):
    """Whether its documentation has a summary, and more than that."""

    summary: bool
    rest: bool

    def sql(self, name: Name) -> ColumnElement[bool]:
        parts = ((t.Symbol.summary, self.summary), (t.Symbol.documentation, self.rest))
        return and_(
            *(func.ifnull(column, "") != "" if wanted else func.ifnull(column, "") == "" for column, wanted in parts)
        )


class Parameterised(_Fixed, frozen=True):
    def sql(self, name: Name) -> ColumnElement[bool]:
        return func.instr(t.SymbolId.symbol_id, "(") > 0


class Numbered(Struct, frozen=True):
    """One of some, by ``symbol_ids.id``."""

    numbers: frozenset[int]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return t.Symbol.symbol.in_(given(name()))

    def values(self) -> list[list[Any]]:
        return [sorted(self.numbers)]

    def form(self) -> Condition:
        return Numbered(frozenset())


class IdContains(Struct, frozen=True):
    """A text is part of its id."""

    text: str

    def sql(self, name: Name) -> ColumnElement[bool]:
        return func.instr(t.SymbolId.symbol_id, parameter(name())) > 0

    def values(self) -> list[Any]:
        return [self.text]

    def form(self) -> Condition:
        return IdContains("")


class InProjects(_Fixed, frozen=True):
    """Declared by one of some, by ``projects.id``."""

    projects: frozenset[int]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return func.ifnull(t.Symbol.project_id, _NO_PROJECT).in_(sorted(self.projects))


class Carries(Struct, frozen=True):
    """It carries one of some attributes, by the number of their types."""

    attributes: frozenset[int]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return t.Symbol.symbol.in_(_carriers(name))

    def values(self) -> list[list[Any]]:
        return [sorted(self.attributes)]

    def form(self) -> Condition:
        return Carries(frozenset())


class ContainsCarrier(Struct, frozen=True):
    """A direct member carries one of some attributes."""

    attributes: frozenset[int]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return t.Symbol.symbol.in_(
            select(_INNER.container).where(_INNER.symbol.in_(_carriers(name)), _INNER.container.is_not(None))
        )

    def values(self) -> list[list[Any]]:
        return [sorted(self.attributes)]

    def form(self) -> Condition:
        return ContainsCarrier(frozenset())


class Contains(_Fixed, frozen=True):
    """It has members."""

    def sql(self, name: Name) -> ColumnElement[bool]:
        return exists(select(literal(1)).where(_INNER.container == t.Symbol.symbol).correlate(t.Symbol))


class Derives(_Fixed, frozen=True):
    """Its base list names something of a kind, in source or in a library's metadata."""

    kind: RelationKind

    def sql(self, name: Name) -> ColumnElement[bool]:
        return exists(
            select(literal(1))
            .where(t.Relation.from_symbol == t.Symbol.symbol, t.Relation.kind == self.kind.value)
            .correlate(t.Symbol)
        )


class Refers(_Fixed, frozen=True):
    """It refers to anything in one of some ways."""

    kinds: tuple[RefKind, ...]

    def sql(self, name: Name) -> ColumnElement[bool]:
        return _refs(t.Ref.from_symbol, self.kinds)


class Referred(_Fixed, frozen=True):
    """Something refers to it, or creates it, in one of some ways and one of some projects, whose references are all between two
    ``refs.id``."""

    kinds: tuple[RefKind, ...]
    projects: frozenset[int]
    between: tuple[int, int]

    def sql(self, name: Name) -> ColumnElement[bool]:
        # Projects are few and the same in every question about an index; SQLite would read a list that is given anew for each symbol.
        # Where references are is known from the index on their ends, and most of what is elsewhere need not be read.
        there = (_REF.between(*self.between), t.Ref.project_id.in_(sorted(self.projects)))
        is_created = and_(t.Symbol.kind == SymbolKind.CONSTRUCTOR.value, _refs(t.Ref.constructor, self.kinds, *there))
        return or_(_refs(t.Ref.to_symbol, self.kinds, *there), is_created)


def _carriers(name: Name) -> Select[Any]:
    return select(t.Ref.from_symbol).where(
        t.Ref.to_symbol.in_(given(name())),
        t.Ref.kind == REF_KIND_CODES[RefKind.ATTRIBUTE],
        t.Ref.from_symbol.is_not(None),
    )


def _refs(end: Any, kinds: tuple[RefKind, ...], *further: ColumnElement[bool]) -> ColumnElement[bool]:
    codes = [REF_KIND_CODES[kind] for kind in kinds]
    kind: Any = t.Ref.kind if len(kinds) <= _SOUGHT_KINDS else _ANY_KIND
    return exists(select(literal(1)).where(end == t.Symbol.symbol, kind.in_(codes), *further).correlate(t.Symbol))
