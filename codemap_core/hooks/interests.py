"""What extractors want to see of bound documents and of other files. The union over all of them decides what binding keeps, so that what
nobody asks for costs nothing; what each asked for itself is what it is handed.

Names are simple names, compared exactly, without type arguments: a name matches what is bound to it under any alias, and what could not
be bound but is spelt that way. ``ANY`` in place of names asks for everything of that sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from codemap_core.model.bound import BoundAttribute, BoundDeclaration, BoundDocument, Event, EventKind
from codemap_core.model.documentation_id import container_of

ANY: Final = ("*",)
PASSING_ON: Final = ("base", "this")
"""Names of the invocations with which a constructor begins."""


class Interests(Struct, frozen=True, kw_only=True, omit_defaults=True):
    invocations: tuple[str, ...] = ()
    """Invoked methods: ``MapGet``."""
    creations: tuple[str, ...] = ()
    """Created types: ``HttpClient``."""
    element_accesses: tuple[str, ...] = ()
    """Types that declare the indexer: ``IConfiguration``."""
    assignments: tuple[str, ...] = ()
    """Assigned properties, fields and events; a created object's initialisers come with its creation."""
    throws: bool = False
    catches: bool = False
    attributes: tuple[str, ...] = ()
    """Attribute classes, or base classes of theirs, without the suffix ``Attribute``: declarations that carry one."""
    base_types: tuple[str, ...] = ()
    """Base types and interfaces, inherited ones too: types that have one."""
    declarations: tuple[str, ...] = ()
    """Kinds of declarations: ``class``, ``method``."""
    type_endings: tuple[str, ...] = ()
    """Ends of names: types that are declared under such a name."""
    members: bool = False
    """The members of the types that are asked for too, and what their constructors pass on with ``: base(…)`` and ``: this(…)``."""
    carried_types: tuple[str, ...] = ()
    """Types whose values are followed: invocations and creations of what source declares that take or give such a value, and its
    assignment to a field or property. A derived type is named for itself."""
    files: tuple[str, ...] = ()
    """Files, of no language too, by patterns as ``.gitignore`` has them: ``appsettings*.json`` matches in any folder, ``deploy/**/*.yaml``
    in one. A matching file is handed over with its text."""
    text: bool = False
    """The text of every file of the extractor's language; without events or declarations of interest too."""

    @property
    def events(self) -> bool:
        """Something inside bodies is asked for."""
        return bool(
            self.invocations
            or self.creations
            or self.element_accesses
            or self.assignments
            or self.throws
            or self.catches
            or self.members
            or self.carried_types
        )

    @property
    def is_empty(self) -> bool:
        """Nothing that binding would have to keep."""
        return not (self.events or self.attributes or self.base_types or self.declarations or self.type_endings)


NOTHING: Final = Interests()
_CARRYING: Final = frozenset({EventKind.INVOCATION, EventKind.CREATION, EventKind.ASSIGNMENT})


def union(interests: Iterable[Interests]) -> Interests:
    """What any of them asks for."""
    every = tuple(interests)

    def names(each: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        found = sorted({name for names in each for name in names})
        return ANY if ANY[0] in found else tuple(found)

    return Interests(
        invocations=names(each.invocations for each in every),
        creations=names(each.creations for each in every),
        element_accesses=names(each.element_accesses for each in every),
        assignments=names(each.assignments for each in every),
        throws=any(each.throws for each in every),
        catches=any(each.catches for each in every),
        attributes=names(each.attributes for each in every),
        base_types=names(each.base_types for each in every),
        declarations=names(each.declarations for each in every),
        type_endings=names(each.type_endings for each in every),
        members=any(each.members for each in every),
        carried_types=names(each.carried_types for each in every),
        files=tuple(sorted({pattern for each in every for pattern in each.files})),
        text=any(each.text for each in every),
    )


def wants(names: tuple[str, ...], name: str) -> bool:
    return bool(names) and (names is ANY or names[0] == ANY[0] or name in names)


def declarations_of_interest(document: BoundDocument, interests: Interests) -> tuple[BoundDeclaration, ...]:
    types: set[str] = set()
    wanted = []
    for each in document.declarations:
        if is_wanted(each, interests):
            wanted.append(each)
            types.add(each.symbol_id)
        elif interests.members and each.container_id in types:
            wanted.append(each)
    return tuple(wanted)


def events_of_interest(document: BoundDocument, interests: Interests) -> Mapping[int, Event]:
    """By their index in the document, in source order."""
    if not interests.events:
        return {}
    types: frozenset[str | None] = frozenset()
    if interests.members:
        types = frozenset(each.symbol_id for each in document.declarations if is_wanted(each, interests))
    return {
        index: event
        for index, event in enumerate(document.events)
        if _is_wanted_event(event, interests) or (event.name in PASSING_ON and _type_of(event) in types)
    }


def _type_of(event: Event) -> str | None:
    """The type in whose member an event stands, or in whose header."""
    enclosing = event.enclosing
    return enclosing if enclosing is None or enclosing.startswith("T:") else container_of(enclosing)


def is_wanted(declaration: BoundDeclaration, interests: Interests) -> bool:
    """Whether a declaration is asked for by itself: by its kind, an attribute it carries, a base of it, or its name."""
    if wants(interests.declarations, declaration.kind.value):
        return True
    if interests.type_endings and declaration.symbol_id.startswith("T:"):
        endings = interests.type_endings
        if endings[0] == ANY[0] or declaration.name.endswith(endings):
            return True
    if interests.attributes and any(
        has_wanted(attributes, interests) for attributes in (declaration.attributes, declaration.attributes_elsewhere)
    ):
        return True
    return bool(interests.base_types) and any(wants(interests.base_types, base.name) for base in declaration.all_bases)


def has_wanted(attributes: Iterable[BoundAttribute], interests: Interests) -> bool:
    """Whether one of the attributes is asked for: under its class's name, that of a base class, or as written."""
    return any(wants(interests.attributes, name) for each in attributes for name in _names_of(each))


def _names_of(attribute: BoundAttribute) -> set[str]:
    written = attribute.name.partition("<")[0].rpartition(".")[2].rpartition(":")[2]
    names = [written, attribute.type.name, *(_simple_name(base) for base in attribute.base_ids)]
    return {name.removesuffix("Attribute") or name for name in names}


def _is_wanted_event(event: Event, interests: Interests) -> bool:
    if interests.carried_types and not event.external and _carries(event, interests.carried_types):
        return True
    match event.kind:
        case EventKind.INVOCATION:
            return wants(interests.invocations, event.name)
        case EventKind.CREATION:
            return wants(interests.creations, event.name)
        case EventKind.ELEMENT_ACCESS:
            return bool(interests.element_accesses) and wants(interests.element_accesses, _accessed_type(event))
        case EventKind.ASSIGNMENT:
            return wants(interests.assignments, event.name)
        case EventKind.THROW:
            return interests.throws
        case EventKind.CATCH:
            return interests.catches
        case EventKind.RETURN:
            return False


def _carries(event: Event, types: tuple[str, ...]) -> bool:
    """Whether an event takes or gives a value of such a type."""
    if event.target is None or event.kind not in _CARRYING:
        return False
    taken = [each.value.type for each in event.arguments]
    receiver = event.receiver.type if event.receiver is not None else None
    return any(each is not None and wants(types, each.name) for each in (event.type, receiver, *taken))


def _accessed_type(event: Event) -> str:
    if event.target is not None:
        return _simple_name(container_of(event.target))
    type_ = event.receiver.type if event.receiver is not None else None
    return type_.name if type_ is not None else ""


def _simple_name(type_id: str) -> str:
    return type_id.rpartition(".")[2].rpartition(":")[2].partition("`")[0]


def matches(patterns: tuple[str, ...], file_path: str) -> bool:
    """Whether a path matches one of ``Interests.files``."""
    return bool(patterns) and _matcher(patterns)(file_path)


@lru_cache(maxsize=64)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file
