"""The symbol that a question means: one declared here, all overloads of one name, or one of a library that something here names.

A name means what it says or nothing. Of several symbols that it may mean the most exactly named ones are meant: letters as written
before other case, a name before one with the suffix ``Attribute``, a type before members of other types, the one without type
parameters before generic ones beside it, declarations before libraries. Where several are left, the question is put back with candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError
from codemap_core.model import LibrarySymbolRow, RefKind, SymbolKind, SymbolRow
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import (
    ERROR_PREFIX,
    ID_PREFIXES,
    container_of,
    is_type_id,
    parse_id,
    readable_name,
)
from codemap_core.queries.names.declaring_projects import declaration_of, declarations_apart
from codemap_core.queries.names.filter_values import namespaces_called, unknown_value
from codemap_core.queries.names.symbol_candidates import Candidate, candidate
from codemap_core.queries.names.symbol_lookup import Match, inherited, matches
from codemap_core.queries.names.symbol_spelling import Looseness, Spelling, parse_spelling
from codemap_core.queries.names.wanted import Wanted
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.reference_lookup import Meaning
from codemap_core.storage.reading.symbol_names import NamedSymbol
from codemap_core.storage.reading.symbol_search import SymbolFilter

_STABLE_ID: Final = re.compile(r"sym_[0-9a-f]{16}")
_CANDIDATES: Final = 10
_TYPES_WANTED: Final = frozenset({Wanted.TYPE, Wanted.ATTRIBUTE})
_NAMING_TYPES: Final = frozenset({RefKind.TYPE, RefKind.INSTANTIATE, RefKind.ATTRIBUTE})


class Reading(Enum):
    """How a target follows from what was asked."""

    EXACT = auto()
    COMPLETED = auto()
    """An id without its prefix or without its outer names."""
    OTHER_CASE = auto()
    WITH_SUFFIX = auto()
    """An attribute, asked for without its suffix."""
    INHERITED = auto()
    """A member of a base type, asked for as one of the derived type."""
    NAME_ALONE = auto()
    """Nothing known is called so: what stands in the code by this name and could not be resolved."""


class Target(Struct, frozen=True, kw_only=True):
    """``symbol_id``: of a set of overloads the first, in the order of ids. ``symbol``: null for what is not declared, of which ``library``
    says what is known; ``others`` are further declarations of the same id. ``overloads``: all of a set; empty for a single symbol.
    ``projects``: paths of the projects whose references mean it, where other projects declare the same id; else empty. ``is_implicit``:
    a member that its type has without declaring it: a constructor without parameters."""

    symbol_id: str
    symbol: SymbolRow | None = None
    library: LibrarySymbolRow | None = None
    others: tuple[SymbolRow, ...] = ()
    overloads: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    is_implicit: bool = False
    asked: str = ""
    reading: Reading = Reading.EXACT
    unresolved_as_asked: int = 0
    """References spelt as was asked whose target is not known, where this is what the name means in other case only."""

    @property
    def symbol_ids(self) -> tuple[str, ...]:
        """Of all that it stands for."""
        return self.overloads or (self.symbol_id,)

    @property
    def is_external(self) -> bool:
        return self.symbol is None and not self.is_implicit and not self.is_name_alone

    @property
    def is_name_alone(self) -> bool:
        """Whether it stands for a mere name: that of references that could not be resolved."""
        return self.reading is Reading.NAME_ALONE

    @property
    def display_name(self) -> str:
        declared = self.symbol or self.library
        name = readable_name(self.symbol_id) if declared is None else declared.fully_qualified_name
        return f"{name} ({counted(len(self.overloads), 'overload')})" if self.overloads else name

    @property
    def simple_name(self) -> str:
        """As a reference to it is spelt; of a constructor its type's name."""
        if self.is_name_alone:
            return self.symbol_id.removeprefix(ERROR_PREFIX)
        declared = self.symbol or self.library
        return "" if declared is None else declared.name

    @property
    def kind(self) -> SymbolKind | None:
        declared = self.symbol or self.library
        return None if declared is None else declared.kind

    @property
    def is_type(self) -> bool:
        return is_type_id(self.symbol_id)

    @property
    def _asked_name(self) -> str:
        """The last part of what was asked."""
        return self.asked.rpartition(".")[2]

    @property
    def note(self) -> str:
        """How it differs from what was asked, as a sentence; empty when it does not."""
        match self.reading:
            case Reading.COMPLETED:
                return f"{self.asked!r} is {self.symbol_id}."
            case Reading.WITH_SUFFIX if not self.unresolved_as_asked and self.simple_name.startswith(self._asked_name):
                return ""
            case Reading.OTHER_CASE | Reading.WITH_SUFFIX:
                unresolved = counted(self.unresolved_as_asked, "reference spelt as asked", "references spelt as asked")
                rest = f"; {unresolved} could not be resolved" if self.unresolved_as_asked else ""
                return f"{self.asked!r} is taken as {self.display_name}{rest}."
            case Reading.INHERITED:
                return f"{self.asked!r} is inherited: it is {self.display_name}."
            case Reading.EXACT | Reading.NAME_ALONE:
                return ""


def find_target(
    snapshot: Snapshot,
    text: str,
    where: SymbolFilter | None = None,
    wanted: Wanted = Wanted.ANY,
    *,
    or_name: bool = False,
) -> Target:
    """The symbol that ``text`` means: a documentation-comment id, a stable id or a name in any spelling of ``symbol_spelling``. ``where``
    narrows it. ``or_name``: where nothing is called so, the name itself stands for the references of that name that could not be
    resolved, if there are any. Raises: InvalidArgumentError for what is not a name; NotFoundError with what is spelt alike,
    AmbiguousError with what it may mean, in ``details['candidates']``."""
    where = where or SymbolFilter()
    asked = text.strip()
    if not asked:
        raise InvalidArgumentError("The name is empty: give one such as 'OrderService.Submit', or a symbol id.")
    if _STABLE_ID.fullmatch(asked):
        return _by_stable_id(snapshot, asked, where)
    if asked.startswith(ID_PREFIXES):
        found = _by_id(snapshot, asked, where)
        if found is not None:
            return found
    spelling = parse_spelling(asked)
    if spelling is None:
        found = _by_id(snapshot, asked, where)  # of a language whose ids have another form
        if found is not None:
            return found
        raise InvalidArgumentError(
            f"'{asked}' is not a name: give one such as 'OrderService.Submit' or 'OrderService.Submit(int)', or a symbol id."
        )
    found_here = _wanted(matches(snapshot, spelling, where), wanted)
    chosen = _unlike_whole_ids(spelling, _most_exact(found_here, spelling))
    reading = _reading(spelling, chosen)
    if not chosen:
        chosen = _most_exact(_wanted(inherited(snapshot, spelling, where), wanted), spelling)
        reading = Reading.INHERITED
    if not chosen or _names_an_unknown_type(snapshot, spelling, chosen, reading, wanted):
        if or_name and where.is_empty and _is_name_alone(snapshot, spelling, found_here):
            return Target(symbol_id=f"{ERROR_PREFIX}{spelling.name}", asked=asked, reading=Reading.NAME_ALONE)
        raise _not_found(
            snapshot, spelling, where, [match.symbol for match in sorted(found_here, key=_looseness)], wanted
        )
    return _target(snapshot, spelling, [match.symbol for match in chosen], where, wanted, reading)


def _looseness(match: Match) -> Looseness:
    return match.looseness


def _by_stable_id(snapshot: Snapshot, asked: str, where: SymbolFilter) -> Target:
    found = snapshot.reader.symbols_with_stable_id(asked)
    if not found:
        raise NotFoundError(
            f"No symbol has the stable id '{asked}' in this index. Search for its name.", symbol_id=asked, candidates=()
        )
    target = _by_id(snapshot, found[0].symbol_id, where if where.project else replace(where, project=found[0].project))
    assert target is not None
    return target


def _by_id(snapshot: Snapshot, symbol_id: str, where: SymbolFilter) -> Target | None:
    declaration = declaration_of(snapshot, symbol_id, where.project)
    if declaration is not None:
        return Target(
            symbol_id=symbol_id, symbol=declaration.symbol, others=declaration.others, projects=declaration.projects
        )
    library = snapshot.reader.library_symbol(symbol_id)
    if library is None:
        return None
    container = library.container_id
    is_implicit = not library.assembly and container is not None and bool(snapshot.reader.symbols_with_id(container))
    return Target(symbol_id=symbol_id, library=library, is_implicit=is_implicit)


def _wanted(found: Sequence[Match], wanted: Wanted) -> list[Match]:
    """Those that can be answered about, or all where none can."""
    if wanted is Wanted.TYPE:
        return [match for match in found if match.is_type] or list(found)
    if wanted is Wanted.MEMBER:
        return [match for match in found if not match.is_type] or list(found)
    if wanted is Wanted.ATTRIBUTE:
        types = _wanted(found, Wanted.TYPE)
        return [match for match in types if match.symbol.name.endswith("Attribute")] or types
    return list(found)


def _most_exact(found: Sequence[Match], spelling: Spelling) -> list[Match]:
    if not found:
        return []
    least = min(match.looseness for match in found)
    best = [match for match in found if match.looseness == least]
    beside = {_without_type_parameters(match) for match in best}
    best += [
        match for match in found if _differs_in_arity(match, least) and _without_type_parameters(match) not in beside
    ]
    if spelling.outer or best[0].is_type:
        return [match for match in best if match.symbol.is_declared] or best
    return best


def _differs_in_arity(match: Match, least: Looseness) -> bool:
    """Whether type parameters are all that the spelling leaves out of this one and not of the best: ``IComparer`` is also
    ``System.Collections.Generic.IComparer<T>``."""
    looseness = match.looseness
    return looseness != least and replace(looseness, arity_left_out=least.arity_left_out) == least


def _without_type_parameters(match: Match) -> tuple[str, ...]:
    return tuple(part.name for part in parse_id(match.symbol.symbol_id).parts)


def _unlike_whole_ids(spelling: Spelling, chosen: list[Match]) -> list[Match]:
    """Without what an id with all its outer names does not mean: a method that has parameters, where it gives none."""
    if not spelling.prefix or spelling.parameters is not None:
        return chosen
    bare = [match for match in chosen if not parse_id(match.symbol.symbol_id).parameters]
    if bare:
        return bare
    whole = any(len(parse_id(match.symbol.symbol_id).parts) == len(spelling.parts) for match in chosen)
    return [] if whole or len({match.symbol.symbol_id for match in chosen}) > 1 else chosen


def _reading(spelling: Spelling, chosen: Sequence[Match]) -> Reading:
    if not chosen:
        return Reading.EXACT
    if chosen[0].looseness.suffix_left_out:
        return Reading.WITH_SUFFIX
    if chosen[0].looseness.other_case:
        return Reading.OTHER_CASE
    return Reading.COMPLETED if spelling.prefix else Reading.EXACT


def _target(
    snapshot: Snapshot,
    spelling: Spelling,
    symbols: Sequence[NamedSymbol],
    where: SymbolFilter,
    wanted: Wanted,
    reading: Reading,
) -> Target:
    by_id = {symbol.symbol_id: symbol for symbol in reversed(symbols)}
    ids = sorted(by_id)
    if len(ids) > 1:
        literal = [each for each in ids if each[2:] == spelling.text.strip()]
        if wanted is Wanted.ONE and literal:
            ids = literal[:1]
        elif spelling.prefix or wanted is Wanted.ONE or not _is_overload_set(ids):
            raise _ambiguous(snapshot, spelling, [by_id[each] for each in ids])
    found = [_by_id(snapshot, each, where) for each in ids]
    target = next((each for each in found if each is not None and each.symbol is not None), found[0])
    assert target is not None
    return replace(
        target,
        overloads=tuple(ids) if len(ids) > 1 else (),
        asked=spelling.text.strip(),
        reading=reading,
        unresolved_as_asked=_unresolved(snapshot, spelling) if reading is Reading.OTHER_CASE else 0,
    )


def _unresolved(snapshot: Snapshot, spelling: Spelling) -> int:
    """References that have the last name as it is spelt, and whose target is not known."""
    return sum(each.count for each in snapshot.reader.count_references(Meaning(names=(spelling.name,))))


def _names_an_unknown_type(
    snapshot: Snapshot, spelling: Spelling, chosen: Sequence[Match], reading: Reading, wanted: Wanted
) -> bool:
    """Whether code spells the name just so where it names a type that is not at hand, and all that is called so here, or like it in
    other case, are members: ``Bitmap`` of a library is not the field ``bitmap``."""
    if spelling.outer or spelling.prefix or any(match.is_type for match in chosen):
        return False
    if reading is not Reading.OTHER_CASE and wanted not in _TYPES_WANTED:
        return False
    found = snapshot.reader.count_references(Meaning(names=(spelling.name,)))
    return any(each.kind in _NAMING_TYPES for each in found)


def _is_name_alone(snapshot: Snapshot, spelling: Spelling, found: Sequence[Match]) -> bool:
    """Whether a simple name is what references are spelt as that could not be resolved, and no known symbol's in the same case."""
    is_simple = not (spelling.outer or spelling.prefix or spelling.parameters is not None or spelling.operators)
    return is_simple and all(match.looseness.other_case for match in found) and _unresolved(snapshot, spelling) > 0


def _is_overload_set(symbol_ids: Sequence[str]) -> bool:
    """Members of one type under one name (ECMA-334 §7.6)."""
    return not any(map(is_type_id, symbol_ids)) and (
        len({(each[:2], container_of(each), parse_id(each).name) for each in symbol_ids}) == 1
    )


def _not_found(
    snapshot: Snapshot, spelling: Spelling, where: SymbolFilter, others: Sequence[NamedSymbol], wanted: Wanted
) -> NotFoundError:
    asked = spelling.text.strip()
    from codemap_core.queries.names.similar_names import similar_symbols  # rapidfuzz is loaded where it is needed

    hidden_by = unknown_value(snapshot, where)
    if hidden_by is not None:
        return NotFoundError(str(hidden_by), name=asked, candidates=(), hidden_by=hidden_by)
    namespaces = () if others or spelling.prefix else namespaces_called(snapshot, asked)
    if len(namespaces) == 1:
        (namespace,) = namespaces
        message = f"'{asked}' is a namespace, not a symbol: symbols.search with namespace='{namespace}' lists what it declares."
        return NotFoundError(message, name=asked, candidates=(), namespace=namespace)
    similar = tuple(candidate(each) for each in others[:_CANDIDATES]) or similar_symbols(snapshot, spelling)
    filtered = "" if where.is_empty else " with that filter"
    hint = "Did you mean one of these?" if similar else "Search for a part of its name."
    unresolved = _unresolved(snapshot, spelling)
    if unresolved:
        of_it = counted(unresolved, "reference of that name", "references of that name")
        hint = f"{of_it} could not be resolved: code.search_text finds {'it' if unresolved == 1 else 'them'}. {hint}"
    known: dict[str, object] = {"unresolved_count": unresolved} if unresolved else {}
    if filtered:
        known["is_filtered"] = True
    without = None if others else _type_before(snapshot, spelling)
    if without is not None:
        known["without_member"] = without.name
    what = "type" if wanted in _TYPES_WANTED and unresolved else "symbol"
    because = f": {without.kind} {without.name} declares no such member" if without is not None else ""
    return NotFoundError(
        f"There is no {what} '{asked}'{filtered}{because}. {hint}", name=asked, candidates=similar, **known
    )


def _type_before(snapshot: Snapshot, spelling: Spelling) -> NamedSymbol | None:
    """The one type declared here that the part before the last name of a member means; null where that means none or several."""
    container = spelling.container
    if container is None or spelling.name.startswith("#"):
        return None
    types = [match for match in matches(snapshot, container, SymbolFilter()) if match.is_type]
    declared = [match.symbol for match in _most_exact(types, container) if match.symbol.is_declared]
    return declared[0] if len({each.symbol_id for each in declared}) == 1 else None


def _ambiguous(snapshot: Snapshot, spelling: Spelling, symbols: Sequence[NamedSymbol]) -> AmbiguousError:
    asked = spelling.text.strip()
    first = _by_rank(symbols)[:_CANDIDATES]
    shown = tuple(place for each in first for place in _candidates_apart(snapshot, each))
    count = len(symbols) - len(first) + len(shown)
    left_out = " The first of them:" if len(first) < len(symbols) else ""
    what = "overloads" if _is_overload_set([each.symbol_id for each in symbols]) else "symbols"
    return AmbiguousError(f"'{asked}' means {count} {what}; say which.{left_out}", name=asked, candidates=shown)


def _candidates_apart(snapshot: Snapshot, symbol: NamedSymbol) -> Iterator[Candidate]:
    """One for each project that declares another symbol by this id, as a choice by id alone would have to be made again."""
    apart = declarations_apart(snapshot, symbol.symbol_id) if symbol.is_declared else ()
    if len(apart) < 2:
        yield candidate(symbol)
        return
    for row in apart:
        yield replace(candidate(symbol), file_path=row.file_path, line=row.name_line, project=row.project)


def _by_rank(symbols: Iterable[NamedSymbol]) -> list[NamedSymbol]:
    """Types first, declarations before libraries, then by name and place."""
    return sorted(
        symbols,
        key=lambda each: (
            not is_type_id(each.symbol_id),
            not each.is_declared,
            each.full_name,
            each.file_path,
            each.line,
            each.symbol_id,
        ),
    )
