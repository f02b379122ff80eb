"""Interests compiled: which declarations and events of bound documents are asked for, and by whom.

Made once for a run and asked for every event of every document: names are looked up in sets, and who asks for a name is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from typing import Final

from codemap_core.hooks.extractors import Given
from codemap_core.hooks.interests import PASSING_ON, Interests
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, BoundDocument, Event, EventKind
from codemap_core.model.documentation_id import container_of, is_type_id


class Names:
    """Names of one sort that are asked for, with asterisks as ``Interests`` says."""

    __slots__ = ("_exact", "_has_patterns", "_inside", "_prefixes", "_suffixes", "is_empty")

    def __init__(self, names: Iterable[str]) -> None:
        every = frozenset(names)
        self._exact: Final = frozenset(name for name in every if "*" not in (name[:1], name[-1:]))
        self._prefixes: Final = tuple(
            sorted(name[:-1] for name in every if name[-1:] == "*" != name[:1] or name == "*")
        )
        self._suffixes: Final = tuple(sorted(name[1:] for name in every if name[:1] == "*" != name[-1:]))
        self._inside: Final = tuple(
            sorted(name[1:-1] for name in every if name[:1] == "*" == name[-1:] and name != "*")
        )
        self._has_patterns: Final = bool(self._prefixes or self._suffixes or self._inside)
        self.is_empty: Final = not every

    def has(self, name: str) -> bool:
        return name in self._exact or (self._has_patterns and self._fits(name))

    def _fits(self, name: str) -> bool:
        return (
            name.startswith(self._prefixes)
            or name.endswith(self._suffixes)
            or any(piece in name for piece in self._inside)
        )


class Wanted:
    """What one set of interests asks for."""

    def __init__(self, interests: Interests) -> None:
        self.interests: Final = interests
        self.invocations: Final = Names(interests.invocations)
        self.own_invocations: Final = Names(interests.own_invocations)
        self.own_types: Final = Names(interests.own_types)
        self.creations: Final = Names(interests.creations)
        self.element_accesses: Final = Names(interests.element_accesses)
        self.assignments: Final = Names(interests.assignments)
        self.attributes: Final = Names(interests.attributes)
        self.base_types: Final = Names(interests.base_types)
        self.declarations: Final = Names(interests.declarations)
        self.bodies: Final = Names(interests.bodies)
        self.sparse_bodies: Final = Names(interests.sparse_bodies)
        of_members = interests.of_members
        self.of_members: Final[Wanted] = Wanted(of_members) if of_members is not None else self
        """What decides whose members are asked for."""
        self.has_members: Final = interests.members or not self.bodies.is_empty
        self.carried_types: Final = Names(interests.carried_types)
        self.type_endings: Final = tuple(ending.removesuffix("*") for ending in interests.type_endings)

    def wants(self, declaration: BoundDeclaration) -> bool:
        """Whether a declaration is asked for by itself: by its kind, an attribute or base of it, its name, or what it is documented
        to throw."""
        if self.declarations.has(declaration.kind):
            return True
        if declaration.documented_exceptions and self.interests.documented_exceptions:
            return True
        if self.type_endings and is_type_id(declaration.symbol_id) and declaration.name.endswith(self.type_endings):
            return True
        if not self.attributes.is_empty and (
            self.wants_one(declaration.attributes) or self.wants_one(declaration.attributes_elsewhere)
        ):
            return True
        return not self.base_types.is_empty and any(self.base_types.has(base.name) for base in declaration.all_bases)

    def wants_one(self, attributes: Iterable[BoundAttribute]) -> bool:
        """Whether one of the attributes is asked for: under its class's name, that of a base class, or as written."""
        return not self.attributes.is_empty and any(
            self.attributes.has(name) for each in attributes for name in _names_of(each)
        )

    def names(self, kind: EventKind, name: str) -> bool:
        """Whether events of a kind and name are asked for; of an element access its name is that of the declaring type."""
        match kind:
            case EventKind.INVOCATION:
                return self.invocations.has(name)
            case EventKind.CREATION:
                return self.creations.has(name)
            case EventKind.ELEMENT_ACCESS:
                return self.element_accesses.has(name)
            case EventKind.ASSIGNMENT:
                return self.assignments.has(name)
            case EventKind.THROW:
                return self.interests.throws
            case EventKind.CATCH:
                return self.interests.catches
            case EventKind.RETURN:
                return False

    @property
    def asks_for_own(self) -> bool:
        """Invocations of what source declares."""
        return not (self.own_invocations.is_empty and self.own_types.is_empty)

    def is_own(self, name: str, container: str) -> bool:
        """Whether invocations of a method that source declares are asked for, by its name or the simple name of the declaring type."""
        return self.own_invocations.has(name) or self.own_types.has(container)

    def is_of_member(self, event: Event, types: Collection[str]) -> bool:
        """Whether an event passes on what a constructor of one of the types is given, or stands in a body that is asked for as a whole."""
        if event.name in PASSING_ON:
            return _type_of(event) in types
        if self.bodies.is_empty or event.enclosing is None or container_of(event.enclosing) not in types:
            return False
        return self.bodies.has(_simple_name(event.enclosing.partition("(")[0]))


_NOBODY: Final[frozenset[int]] = frozenset()


class _Askers:
    """Who asks for a word of one sort, by numbers; remembered."""

    def __init__(self, wanted: Mapping[int, Wanted], asks: Callable[[Wanted, str], bool]) -> None:
        self._wanted: Final = wanted
        self._asks: Final = asks
        self._known: Final[dict[str, frozenset[int]]] = {}

    def of(self, word: str) -> frozenset[int]:
        known = self._known.get(word)
        if known is None:
            asking = [number for number, each in self._wanted.items() if self._asks(each, word)]
            known = self._known[word] = frozenset(asking) if asking else _NOBODY
        return known


class _Asking:
    """Who asks for declarations. What they look like is told once for all who ask: by kind, by a name of an attribute or a base, by the
    ending of the name, or because of documented exceptions, as ``Wanted.wants`` says for one."""

    def __init__(self, wanted: Mapping[int, Wanted]) -> None:
        self._documented: Final = frozenset(
            number for number, each in wanted.items() if each.interests.documented_exceptions
        )
        self._endings: Final = tuple(
            (number, each.type_endings) for number, each in wanted.items() if each.type_endings
        )
        self._kinds: Final = _Askers(wanted, lambda each, kind: each.declarations.has(kind))
        self._attributes: Final = _Askers(wanted, lambda each, name: each.attributes.has(name))
        self._bases: Final = _Askers(wanted, lambda each, name: each.base_types.has(name))

    def for_itself(self, declaration: BoundDeclaration) -> frozenset[int]:
        """The numbers of those who ask for a declaration by what it is, not for being a member of something."""
        found = self._kinds.of(declaration.kind)
        if declaration.documented_exceptions:
            found |= self._documented
        if self._endings and is_type_id(declaration.symbol_id):
            for number, endings in self._endings:
                if declaration.name.endswith(endings):
                    found |= {number}
        for attributes in (declaration.attributes, declaration.attributes_elsewhere):
            for attribute in attributes:
                for name in _names_of(attribute):
                    found = _with(found, self._attributes.of(name))
        for base in declaration.all_bases:
            found = _with(found, self._bases.of(base.name))
        return found


class Distribution:
    """Hands the events and declarations of documents to those who ask for them, each known by a number."""

    def __init__(self, wanted: Mapping[int, Wanted]) -> None:
        self._asking: Final = _Asking(wanted)
        self._of_members: Final = frozenset(number for number, each in wanted.items() if each.has_members)
        self._wanted: Final = {number: each for number, each in wanted.items() if each.interests.events}
        following = {n: each for n, each in self._wanted.items() if not each.carried_types.is_empty}
        self._follows: Final = bool(following)
        self._followers: Final = _Askers(following, lambda each, name: each.carried_types.has(name))
        self._of_own: Final = {n: each for n, each in self._wanted.items() if each.asks_for_own}
        self._owners: Final[dict[str, frozenset[int]]] = {}
        self._takers: Final[dict[EventKind, _Askers]] = {
            kind: _Askers(self._wanted, partial(_asks_by_name, kind)) for kind in EventKind
        }
        self._of_invocations: Final = self._takers[EventKind.INVOCATION]
        """At hand: most events are invocations, and an enum's members are hashed by a function that is not compiled."""
        unowned = {number: each for number, each in wanted.items() if each.interests.unowned}
        self._of_unowned: Final = self if len(unowned) == len(wanted) else Distribution(unowned)
        """Of what belongs to no symbol, to those who ask for such."""

    def of(self, document: BoundDocument) -> Given:
        if document.is_unowned and self._of_unowned is not self:
            return self._of_unowned.of(document)
        declarations: dict[int, list[BoundDeclaration]] = {}
        holding: dict[str, frozenset[int]] = {}
        """By the id of what is asked for with its members, who asks for it."""
        for each in document.declarations:
            takers = self._asking.for_itself(each)
            for number in _with(takers, holding.get(each.container_id or "", _NOBODY)):
                declarations.setdefault(number, []).append(each)
            with_members = takers & self._of_members
            if with_members:
                holding[each.symbol_id] = holding.get(each.symbol_id, _NOBODY) | with_members
        return Given(self._events(document, holding) if document.events else {}, declarations)

    def _events(self, document: BoundDocument, holding: Mapping[str, frozenset[int]]) -> dict[int, dict[int, Event]]:
        given: dict[int, dict[int, Event]] = {}
        types = {
            number: {id_ for id_, numbers in holding.items() if number in numbers}
            for number in _NOBODY.union(*holding.values())
            if number in self._wanted
        }
        with_bodies = [number for number in types if not self._wanted[number].bodies.is_empty]
        for index, event in enumerate(document.events):
            kind = event.kind
            is_invocation = kind is EventKind.INVOCATION
            if is_invocation:
                takers = self._of_invocations.of(event.name)
            else:
                name = _accessed_type(event) if kind is EventKind.ELEMENT_ACCESS else event.name
                takers = self._takers[kind].of(name)
            if event.target is not None and not event.external:
                if self._follows and (is_invocation or kind is EventKind.CREATION or kind is EventKind.ASSIGNMENT):
                    takers = self._with_followers(takers, event)
                if self._of_own and is_invocation:
                    takers = _with(takers, self._owned(event.name, event.target))
            for number in takers:
                given.setdefault(number, {})[index] = event
            if types:
                for number in types if event.name in PASSING_ON else with_bodies:
                    if self._wanted[number].is_of_member(event, types[number]):
                        given.setdefault(number, {})[index] = event
        return given

    def _with_followers(self, takers: frozenset[int], event: Event) -> frozenset[int]:
        """With those who follow a type of what the event takes or gives."""
        of = self._followers.of
        if event.type is not None:
            takers = _with(takers, of(event.type.name))
        if event.receiver is not None and event.receiver.type is not None:
            takers = _with(takers, of(event.receiver.type.name))
        for argument in event.arguments:
            type_ = argument.value.type
            if type_ is not None:
                takers = _with(takers, of(type_.name))
        return takers

    def _owned(self, name: str, target: str) -> frozenset[int]:
        """Who asks for invocations of a method that source declares."""
        takers = self._owners.get(target)
        if takers is None:
            container = _simple_name(container_of(target))
            takers = self._owners[target] = frozenset(
                number for number, each in self._of_own.items() if each.is_own(name, container)
            )
        return takers


def _asks_by_name(kind: EventKind, wanted: Wanted, name: str) -> bool:
    return wanted.names(kind, name)


def _with(some: frozenset[int], more: frozenset[int]) -> frozenset[int]:
    """Both. Nobody asks for most of what is looked at: then no set is made."""
    return some | more if more else some


@lru_cache(maxsize=4096)
def _names(written: str, type_name: str, base_ids: tuple[str, ...], missing_bases: tuple[str, ...]) -> frozenset[str]:
    """Under which an attribute is asked for; remembered, as few attributes are written often."""
    simple = written.partition("<")[0].rpartition(".")[2].rpartition(":")[2]
    names = (simple, type_name, *(_simple_name(base) for base in base_ids), *missing_bases)
    return frozenset(name.removesuffix("Attribute") or name for name in names)


def _names_of(attribute: BoundAttribute) -> frozenset[str]:
    return _names(attribute.name, attribute.type.name, tuple(attribute.base_ids), tuple(attribute.missing_bases))


def _type_of(event: Event) -> str | None:
    """The type in whose member an event stands, or in whose header."""
    enclosing = event.enclosing
    return enclosing if enclosing is None or is_type_id(enclosing) else container_of(enclosing)


def _accessed_type(event: Event) -> str:
    if event.target is not None:
        return _simple_name(container_of(event.target))
    type_ = event.receiver.type if event.receiver is not None else None
    return type_.name if type_ is not None else ""


def _simple_name(type_id: str) -> str:
    return type_id.rpartition(".")[2].rpartition(":")[2].partition("`")[0]
