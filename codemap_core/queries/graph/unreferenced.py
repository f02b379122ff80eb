"""Dead-code candidates: what nothing refers to, and why one cannot be sure.

A reference is not the only way to be used. What a language calls without a name (``foreach``, ``await``, conversions, static
constructors), what a framework finds by an attribute or a base type, what a route, a message or a job leads to, what a scan registers, what
overrides or implements a member that is called or unknown, what only describes what is elsewhere, is at most ``doubtful``. What other
repositories, friends, unresolved names or strings may use is ``probable``. Types and members that only tests use are a class of their own.
Members of an unused type go with it; so do the only constructor of a type and one that keeps it from being created.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.model import Project, RefKind, SymbolKind, SymbolRow, Visibility
from codemap_core.model.documentation_id import container_of, has_no_parameters, parse_id, qualified_name
from codemap_core.queries.cards.outline import short_signature
from codemap_core.queries.facts.entered import entered_ids
from codemap_core.queries.plain_lines import declared_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.unreferenced import Doubt, Sureness, Unreferenced, UnreferencedRow
from codemap_core.storage.reading.spelt_names import named_in_other_texts, named_in_strings
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.storage.reading.unused_symbols import (
    Container,
    UnusedSymbol,
    containers,
    count_matching,
    unused_symbols,
)
from codemap_core.storage.reading.whole_uses import imported_by, taken_whole

_DOUBTFUL: Final = frozenset(
    {
        Doubt.LIBRARY_SLOT,
        Doubt.LIBRARY_BASE,
        Doubt.UNKNOWN_BASE,
        Doubt.FRAMEWORK_TYPE,
        Doubt.ATTRIBUTE,
        Doubt.ATTRIBUTED_TYPE,
        Doubt.ENTRY_POINT,
        Doubt.POLYFILL,
        Doubt.IMPLIED,
        Doubt.REGISTERED,
        Doubt.AMBIENT,
        Doubt.CONTRACT,
        Doubt.REFLECTION,
        Doubt.MODULE_VALUE,
        Doubt.LAYOUT,
    }
)
_LEFT_ALONE: Final = frozenset({Doubt.GENERATED, Doubt.NO_PROJECT})
_ORDER: Final = {sureness: rank for rank, sureness in enumerate(Sureness)}
_LONGEST: Final = 80
_SEEN_OUTSIDE: Final = frozenset({Visibility.PUBLIC, Visibility.PROTECTED, Visibility.PROTECTED_INTERNAL})
_SEEN_BY_FRIENDS: Final = frozenset({Visibility.INTERNAL, Visibility.PRIVATE_PROTECTED}) | _SEEN_OUTSIDE
_DATA_KINDS: Final = frozenset({SymbolKind.PROPERTY, SymbolKind.FIELD})
_NO_VALUES: Final = frozenset({SymbolKind.INTERFACE, SymbolKind("type")})


class _Judged(Struct, frozen=True):
    symbol: UnusedSymbol
    sureness: Sureness
    doubts: tuple[Doubt, ...]


class _Verdicts(Struct, frozen=True):
    """All candidates that pass a filter, surest first, then by place. ``with_type``: how many go with each type that is one of them."""

    judged: tuple[_Judged, ...]
    with_type: Mapping[int | None, int]
    examined_count: int


def find_unreferenced(
    snapshot: Snapshot,
    where: SymbolFilter,
    *,
    doubtful: bool = False,
    limit: int,
    offset: int = 0,
    check: Callable[[], None] = lambda: None,
) -> Unreferenced:
    """Candidates among the declarations that pass ``where``, surest first, then by place. ``doubtful``: also those that
    are probably used without being named; else they are counted by reason. ``check`` is called between the steps and
    raises to stop."""
    verdicts = snapshot.continued((find_unreferenced, where), lambda: _verdicts(snapshot, where, check))
    kept = verdicts.judged
    listed = [each for each in kept if doubtful or each.sureness is not Sureness.DOUBTFUL]
    page = listed[offset : offset + limit]
    declarations = snapshot.reader.first_declarations(each.symbol.symbol_id for each in page)
    counted = Counter(each.sureness for each in kept)
    unlisted = [each for each in kept if not doubtful and each.sureness is Sureness.DOUBTFUL]
    return Unreferenced(
        rows=tuple(_row(each, declarations[each.symbol.symbol_id], verdicts.with_type) for each in page),
        total_count=len(listed),
        counts={sureness: counted[sureness] for sureness in Sureness if counted[sureness]},
        doubtful_by=dict(Counter(_first_doubt(each) for each in unlisted).most_common()),
        examined_count=verdicts.examined_count,
        truncated=offset + limit < len(listed),
    )


def _verdicts(snapshot: Snapshot, where: SymbolFilter, check: Callable[[], None]) -> _Verdicts:
    reader = snapshot.reader
    projects = reader.projects()
    everything = SymbolFilter((), where.namespace, where.file_path, where.project)
    tests = [project.project_path for project in projects if project.is_test]
    implied = snapshot.meanings.implied
    found = unused_symbols(reader, everything, tests, implied)
    check()
    types = containers(reader, {each.container for each in found if each.container is not None}, implied)
    judge = _Judge(snapshot, projects, found, types)
    check()
    candidates = [each for each in found if not judge.goes_without_saying(each)]
    judged = judge.with_doubts_within(judge.judged([each for each in candidates if each.is_type]))
    gone = {each.symbol.number for each in judged if each.sureness is not Sureness.DOUBTFUL}
    by_type = any(each.symbol.kind in where.kinds for each in judged) if where.kinds else bool(judged)
    tops = {each.row: judge.outermost(each, gone) if by_type else None for each in candidates}
    judged += judge.judged([each for each in candidates if not each.is_type and tops[each.row] is None])
    kept = [
        each
        for each in judged
        if (not where.kinds or each.symbol.kind in where.kinds) and tops[each.symbol.row] is None
    ]
    kept.sort(key=_listing_order)
    return _Verdicts(tuple(kept), Counter(tops.values()), count_matching(reader, where))


def _listing_order(judged: _Judged) -> tuple[int, bool, str, int, str]:
    """What a tool writes, or no project compiles, is not removed by hand: it comes last of its class."""
    symbol = judged.symbol
    is_left_alone = not _LEFT_ALONE.isdisjoint(judged.doubts)
    return _ORDER[judged.sureness], is_left_alone, symbol.file_path, symbol.line, symbol.symbol_id


class _Judge:
    """What is known of all candidates together."""

    def __init__(
        self,
        snapshot: Snapshot,
        projects: Sequence[Project],
        found: Sequence[UnusedSymbol],
        types: Mapping[int, Container],
    ) -> None:
        self._implied: Final = snapshot.meanings.implied
        self._operators: Final = tuple(f".{name}(" for name in self._implied.called_operators)
        self._finalizers: Final = tuple(f".{name}" for name in self._implied.finalizers)
        self._compilers: Final = tuple(f"{each}." for each in self._implied.compiler_namespaces)
        self._types: Final = types
        self._candidates: Final = {each.number: each for each in found}
        self._constructors: Final = Counter(
            each.container for each in found if each.kind is SymbolKind.CONSTRUCTOR and not each.is_static
        )
        self._entered: Final = snapshot.kept(entered_ids)
        self._started: Final = {each.container for each in found if self._is_entry_point(each)}
        self._projects: Final = {project.project_path: project for project in projects}
        self._friendly: Final = _with_unknown_friends(snapshot, projects)
        self._reader: Final = snapshot.reader
        self._reflected: Final = snapshot.kept(_reflected)
        self._module_values, self._exported_again = snapshot.kept(_module_values)
        registered = snapshot.reader.facts.implementations.values()
        self._registered: Final = {each.implementation for of_service in registered for each in of_service}

    def goes_without_saying(self, symbol: UnusedSymbol) -> bool:
        """What is never a candidate of its own: static constructors and finalizers, which the runtime calls; the only
        constructor that a type has, and a private one that takes nothing, which keeps others from creating it."""
        if symbol.kind is not SymbolKind.CONSTRUCTOR:
            return symbol.symbol_id.endswith(self._finalizers) and symbol.kind is SymbolKind.METHOD
        if symbol.is_static:
            return True
        container = self._types.get(symbol.container or 0)
        is_last = container is None or container.constructor_count == self._constructors[symbol.container]
        return is_last or (symbol.visibility is Visibility.PRIVATE and has_no_parameters(symbol.symbol_id))

    def judged(self, symbols: Sequence[UnusedSymbol]) -> list[_Judged]:
        named = named_in_other_texts(self._reader, symbols)
        doubts = {each.row: self._doubts(each, is_named=each.row in named) for each in symbols}
        spelt = named_in_strings(self._reader, (each for each in symbols if _DOUBTFUL.isdisjoint(doubts[each.row])))
        for row in spelt:
            doubts[row].append(Doubt.STRING)
        return [_judged(each, doubts[each.row]) for each in symbols]

    def with_doubts_within(self, types: Sequence[_Judged]) -> list[_Judged]:
        """A type around one that is doubtful is so for the same reason: it cannot be removed without it. Tests are often grouped in
        nested classes, whose outer one nothing names."""
        inherited: dict[int, Doubt] = {}
        for each in types:
            if each.sureness is Sureness.DOUBTFUL:
                for around in self._around(each.symbol):
                    inherited.setdefault(around.number, _first_doubt(each))
        return [
            each
            if each.sureness is Sureness.DOUBTFUL or each.symbol.number not in inherited
            else _judged(each.symbol, (*each.doubts, inherited[each.symbol.number]))
            for each in types
        ]

    def outermost(self, symbol: UnusedSymbol, gone: set[int]) -> int | None:
        """The outermost type around ``symbol`` that is a candidate itself, so that the symbol goes with it."""
        around = [each.number for each in self._around(symbol) if each.number in gone]
        return around[-1] if around else None

    def _around(self, symbol: UnusedSymbol) -> list[Container]:
        """The types around a declaration, innermost first."""
        found: list[Container] = []
        number = symbol.container
        while number is not None and number in self._types:
            found.append(self._types[number])
            number = self._types[number].container
        return found

    def _doubts(self, symbol: UnusedSymbol, *, is_named: bool) -> list[Doubt]:
        return [
            *self._calls_without_a_name(symbol),
            *self._frameworks(symbol),
            *self._shape(symbol),
            *self._elsewhere(symbol),
            *((Doubt.OTHER_TEXT,) if is_named else ()),
        ]

    def _calls_without_a_name(self, symbol: UnusedSymbol) -> list[Doubt]:
        found = []
        if self._is_entry_point(symbol) or symbol.number in self._started:
            found.append(Doubt.ENTRY_POINT)
        words = (*symbol.modifiers, *(word for each in self._around(symbol) for word in each.modifiers))
        if not set(words).isdisjoint(self._implied.ambient_modifiers):
            found.append(Doubt.AMBIENT)
        if symbol.file_path.endswith(self._implied.contract_suffixes):
            found.append(Doubt.CONTRACT)
        is_member = not symbol.is_type
        if symbol.fills_library_slot or (_fills_a_slot(symbol) and not symbol.fills_own_slot):
            found.append(Doubt.LIBRARY_SLOT)
        elif symbol.fills_own_slot and is_member:
            found.append(Doubt.OWN_SLOT)
        if is_member and not symbol.is_static and symbol.name in self._implied.called_members:
            found.append(Doubt.IMPLIED)
        if any(each in symbol.symbol_id for each in self._operators):
            found.append(Doubt.IMPLIED)
        found += self._taken_whole(symbol)
        if qualified_name(symbol.symbol_id).startswith(self._compilers):
            found.append(Doubt.POLYFILL)
        return found

    def _taken_whole(self, symbol: UnusedSymbol) -> list[Doubt]:
        """With the type or the file that it is in."""
        if symbol.container is None:
            is_value = symbol.visibility is Visibility.PUBLIC and symbol.kind not in _NO_VALUES
            is_held = symbol.file_path in self._module_values or symbol.number in self._exported_again
            return [Doubt.MODULE_VALUE] if is_value and is_held else []
        is_reflected = not self._reflected.isdisjoint({(symbol.container, ""), (symbol.container, symbol.name)})
        return [Doubt.REFLECTION] if is_reflected and not symbol.is_type else []

    def _frameworks(self, symbol: UnusedSymbol) -> list[Doubt]:
        found = []
        around = self._around(symbol)
        innermost = around[0] if around else None
        is_hidden = symbol.visibility is Visibility.PRIVATE
        if symbol.is_attributed or symbol.has_attributed_member:
            found.append(Doubt.ATTRIBUTE)
        elif innermost is not None and innermost.is_attributed and not is_hidden:
            found.append(Doubt.ATTRIBUTED_TYPE)
        if innermost is not None and innermost.has_layout and symbol.kind in _DATA_KINDS and not symbol.is_static:
            found.append(Doubt.LAYOUT)
        if symbol.number in self._registered:
            found.append(Doubt.REGISTERED)
        if symbol.is_type and symbol.has_library_base:
            found.append(Doubt.LIBRARY_BASE)
        if symbol.is_type and symbol.has_own_base:
            found.append(Doubt.OWN_BASE)
        if innermost is not None and self._is_called_by_engine(symbol, innermost):
            found.append(Doubt.FRAMEWORK_TYPE)
        if innermost is not None and not symbol.is_type and not is_hidden:
            is_found = (
                symbol.name in self._implied.framework_members
                or symbol.name.startswith(self._implied.framework_prefixes)
                or self._is_called_by_host(symbol)
            )
            if innermost.has_unknown_base and not symbol.is_static:
                found.append(Doubt.UNKNOWN_BASE)
            elif is_found or (innermost.has_library_base and self._may_fill_a_slot(symbol, innermost)):
                found.append(Doubt.FRAMEWORK_TYPE)
        return found

    def _shape(self, symbol: UnusedSymbol) -> list[Doubt]:
        found = []
        around = self._around(symbol)
        container = around[0].kind if around else None
        if symbol.is_filled:
            found.append(Doubt.FILLED)
        elif container is SymbolKind.INTERFACE and not symbol.is_type:
            found.append(Doubt.INTERFACE_MEMBER)
        if symbol.kind is SymbolKind.OPERATOR and Doubt.IMPLIED not in found:
            found.append(Doubt.OPERATOR)
        if symbol.kind is SymbolKind.CONSTRUCTOR:
            found.append(Doubt.CONSTRUCTOR)
        if container is SymbolKind.ENUM:
            found.append(Doubt.ENUM_MEMBER)
        elif symbol.kind in _DATA_KINDS and symbol.visibility is Visibility.PUBLIC and not symbol.is_static:
            found.append(Doubt.DATA_MEMBER)
        is_half = "partial" in symbol.modifiers and symbol.part_count == 1
        if is_half or any("partial" in each.modifiers and each.part_count == 1 for each in around):
            found.append(Doubt.PARTIAL)
        if symbol.is_generated:
            found.append(Doubt.GENERATED)
        if symbol.has_condition:
            found.append(Doubt.CONDITION)
        if self._projects and not symbol.project:
            found.append(Doubt.NO_PROJECT)
        return found

    def _elsewhere(self, symbol: UnusedSymbol) -> list[Doubt]:
        found = []
        project = self._projects.get(symbol.project)
        levels = [symbol.visibility, *(each.visibility for each in self._around(symbol))]
        if project is not None and project.output_type.lower() == "library" and not project.is_test:
            if all(each in _SEEN_OUTSIDE for each in levels):
                found.append(Doubt.PUBLIC_API)
            elif project.project_path in self._friendly and all(each in _SEEN_BY_FRIENDS for each in levels):
                found.append(Doubt.FRIENDS)
        if symbol.is_named_unresolved:
            found.append(Doubt.UNRESOLVED)
        return found

    def _may_fill_a_slot(self, symbol: UnusedSymbol, container: Container) -> bool:
        """A member of a type with a library's base that nothing names, or one that names an unknown type: of libraries, members whose
        signatures do so are not known either."""
        return container.number in self._candidates or (symbol.names_unknown_type and not symbol.is_static)

    def _is_called_by_host(self, symbol: UnusedSymbol) -> bool:
        """A public method of a type that is an endpoint as a whole: a hub, a page, a controller."""
        is_method = symbol.kind is SymbolKind.METHOD and symbol.visibility is Visibility.PUBLIC and not symbol.is_static
        return is_method and container_of(symbol.symbol_id) in self._entered

    def _is_called_by_engine(self, symbol: UnusedSymbol, container: Container) -> bool:
        has_base = container.has_unknown_base or container.has_library_base or container.has_own_base
        return has_base and symbol.kind is SymbolKind.METHOD and symbol.name in self._implied.engine_members

    def _is_entry_point(self, symbol: UnusedSymbol) -> bool:
        if symbol.kind in self._implied.imported_kinds or symbol.symbol_id in self._entered:
            return True
        return symbol.kind is SymbolKind.METHOD and symbol.is_static and symbol.name in self._implied.entry_points


def _judged(symbol: UnusedSymbol, doubts: Sequence[Doubt]) -> _Judged:
    doubts = tuple(dict.fromkeys(doubts))
    if not _DOUBTFUL.isdisjoint(doubts):
        return _Judged(symbol, Sureness.DOUBTFUL, doubts)
    if symbol.used_by_tests:
        return _Judged(symbol, Sureness.ONLY_TESTS, doubts)
    return _Judged(symbol, Sureness.PROBABLE if doubts else Sureness.UNUSED, doubts)


def _fills_a_slot(symbol: UnusedSymbol) -> bool:
    """What it is declared as says that it overrides or implements a member, which may be unknown."""
    return "override" in symbol.modifiers or bool(parse_id(symbol.symbol_id).interface)


def _first_doubt(judged: _Judged) -> Doubt:
    return next(doubt for doubt in judged.doubts if doubt in _DOUBTFUL)


def _row(judged: _Judged, declaration: SymbolRow, with_type: Mapping[int | None, int]) -> UnreferencedRow:
    symbol = judged.symbol
    return UnreferencedRow(
        symbol_id=symbol.symbol_id,
        kind=symbol.kind,
        signature=short_signature(declaration),
        name=_name(declaration),
        file_path=symbol.file_path,
        line=symbol.line,
        span_start=declaration.span_start,
        span_end=declaration.span_end,
        sureness=judged.sureness,
        doubts=judged.doubts,
        member_count=with_type.get(symbol.number, 0),
    )


def _name(declaration: SymbolRow) -> str:
    """With its type and type parameters; methods and constructors with their parameters as written, which tell overloads apart."""
    name = declaration.fully_qualified_name.removeprefix(f"{declaration.namespace}.")
    if declaration.kind is SymbolKind.CONSTRUCTOR:
        name = f"new {declaration.containing_type}"
    found = declared_name(declaration.signature, declaration.name)
    behind = declaration.signature[found.end() :] if found else ""
    opening = behind.find("(")
    if declaration.kind not in (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR) or opening < 0:
        return name
    if declaration.kind is SymbolKind.METHOD:
        name += behind[:opening]
    parameters = behind[opening : behind.rfind(")") + 1]
    return f"{name}{parameters if len(parameters) <= _LONGEST else f'{parameters[:_LONGEST]}…)'}"


def _reflected(snapshot: Snapshot) -> set[tuple[int, str]]:
    """Numbers of the types whose members are looked up at run time, each with the name of such a member, or an empty one for all."""
    return {(each.symbol, each.only) for each in taken_whole(snapshot.reader, snapshot.meanings.implied.reflections)}


def _module_values(snapshot: Snapshot) -> tuple[set[str], set[int]]:
    """Paths of the files that code has as values; numbers of the symbols that these import and may export again. That an import is no
    re-export is not told: a symbol that is imported and not used otherwise is rare."""
    paths = {each.file_path for each in taken_whole(snapshot.reader, snapshot.meanings.implied.module_values)}
    return paths, imported_by(snapshot.reader, paths)


def _with_unknown_friends(snapshot: Snapshot, projects: Sequence[Project]) -> set[str]:
    """Paths of projects that let an assembly which is not here see their internal declarations."""
    known = {project.assembly_name.lower() for project in projects}
    friends = {project.project_path: set(project.internals_visible_to) for project in projects}
    implied = snapshot.meanings.implied
    rows = snapshot.reader.references_to(implied.friend_attributes, (RefKind.ATTRIBUTE,), limit=1000)
    texts = snapshot.reader.file_texts({row.file_path for row in rows})
    for row in rows:
        for pattern in implied.friend_patterns:
            found = re.finditer(pattern, texts.get(row.file_path, ""))
            friends.setdefault(row.project, set()).update(each[1] for each in found)
    return {
        path
        for path, names in friends.items()
        if any(name.partition(",")[0].strip().lower() not in known for name in names)
    }
