"""What code means beyond what is written in it: what calls of libraries do, and what a language or a framework uses without naming it.

Plug-ins hand such values in (``codemap_register_meanings``), and queries ask the joined ones of all plug-ins; the core itself knows no
library. They do not belong to an index: another table gives other answers from the same index.

Every field is a tuple, so that values are joined by putting one behind the other. Types and members are meant by their ids, and by simple
names where a field says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

_Joined = TypeVar("_Joined", bound=Struct)


class Does(StrEnum):
    """What a call of a library does beyond the memory of the program."""

    SAVES = "saves"
    """It writes to the database whatever was changed before."""
    CALLS_OUT = "calls out"
    """It sends a request over HTTP."""
    SENDS = "sends"
    """It sends a message that something else handles."""
    READS_STORE = "reads a store"
    """It reads a data store of another process that has no tables: a cache, keys with values, documents, blobs."""
    WRITES_STORE = "writes a store"


class LibraryCalls(Struct, frozen=True, kw_only=True):
    """Calls of the members of ``types`` whose simple names begin with one of ``names``."""

    does: Does
    types: tuple[str, ...]
    names: tuple[str, ...]


class EntityStore(Struct, frozen=True, kw_only=True):
    """Library types through which code reaches the tables of entities. All names are simple ones."""

    contexts: tuple[str, ...] = ()
    of_type: tuple[str, ...] = ()
    """Methods of a context that are called for the type of an entity: ``Set<Order>()``."""
    of_object: tuple[str, ...] = ()
    """Methods of a context that are called for an entity: ``Add(order)``."""
    changing: tuple[str, ...] = ()
    """Types whose methods named ``changes`` change the table of the entities that they are called for."""
    changes: tuple[str, ...] = ()
    """Those of a context too."""


class RunsAround(Struct, frozen=True, kw_only=True):
    """What is registered as ``service`` runs around handlers that implement one of ``handlers``, by its method of the simple name
    ``method``."""

    service: str
    handlers: tuple[str, ...]
    method: str


class TakenAround(Struct, frozen=True, kw_only=True):
    """What is registered as ``service`` closed over a message runs where that is handled and what runs around its handler names
    ``service``, as a behaviour that takes ``IEnumerable<IValidator<TRequest>>`` does. It says what it does in its method of the simple name
    ``method``."""

    service: str
    method: str


class PageHandlers(Struct, frozen=True, kw_only=True):
    """How pages find the methods that answer their requests. ``method``: a regular expression that matches the whole of such a method's
    simple name, with the HTTP verb as its first group; ``code_behind``: what follows a page's path in the path of the file with its
    methods."""

    method: str
    code_behind: str


class UnnamedUses(Struct, frozen=True, kw_only=True):
    """Uses of members that a language makes without writing their names, so that an index has no references for them. ``by``: what makes
    them, in the plural."""

    by: str
    names: tuple[str, ...]
    """Simple names of the members, as their ids have them."""
    with_parameters: bool = False
    """Members with parameters are used so; else only those without."""
    beside: tuple[str, ...] = ()
    """Only in a type that declares a member of one of these names too."""


class WholeUse(Struct, frozen=True, kw_only=True):
    """Code that may use whatever is in a type or a file without naming it."""

    pattern: str
    """A regular expression for it as it is written. The first group is the name of a reference to the type or file; the second, where there
    is one and it takes part, the name of the only member that is used."""
    words: tuple[str, ...]
    """A file with such code has one of these words."""


class ImpliedUses(Struct, frozen=True, kw_only=True):
    """Uses that no reference says. Names are simple ones."""

    inert_attributes: tuple[str, ...] = ()
    """Attributes that make nothing used, as compilers, analysers and debuggers alone act upon them."""
    layout_attributes: tuple[str, ...] = ()
    """Attributes that give the fields of a type places in memory, so that one matters without being named."""
    created_by_name: tuple[str, ...] = ()
    """Namespaces of libraries: what derives from a type that stands directly in one of them is created by its name, not by a framework."""
    created_by_name_below: tuple[str, ...] = ()
    """The same for types anywhere below these namespaces."""
    called_members: tuple[str, ...] = ()
    """Members of instances that the language calls without their name."""
    called_operators: tuple[str, ...] = ()
    """Operators that the language applies without a token."""
    unnamed_uses: tuple[UnnamedUses, ...] = ()
    """What to say beside the references to a member."""
    finalizers: tuple[str, ...] = ()
    framework_members: tuple[str, ...] = ()
    """Methods that hosts find by their name alone, unless they are private."""
    framework_prefixes: tuple[str, ...] = ()
    """What the names of methods begin with that libraries find beside the member whose name follows, unless they are private."""
    engine_members: tuple[str, ...] = ()
    """Methods that an engine finds by their name alone, private ones too, in types that have a base."""
    entry_points: tuple[str, ...] = ()
    """Static methods that a program begins with."""
    ambient_modifiers: tuple[str, ...] = ()
    """Modifiers of declarations that describe what is elsewhere: a library or the platform uses what it joins with them."""
    contract_suffixes: tuple[str, ...] = ()
    """Of files whose declarations are a contract with other programs, which use them."""
    imported_kinds: tuple[str, ...] = ()
    """Kinds of symbols that are used by being imported, and that something begins with which no code names."""
    compiler_namespaces: tuple[str, ...] = ()
    """Namespaces in which compilers look for declarations of their own."""
    reflections: tuple[WholeUse, ...] = ()
    """Code that looks members of a type up at run time."""
    module_values: tuple[WholeUse, ...] = ()
    """Code that has a file as a value, with whatever that exports."""
    friend_attributes: tuple[str, ...] = ()
    """Attributes that name an assembly which may use internal declarations."""
    friend_patterns: tuple[str, ...] = ()
    """Regular expressions for such an attribute as it is written; the first group is the assembly's name."""


class Meanings(Struct, frozen=True, kw_only=True):
    """What one plug-in knows, or all of them joined."""

    name: str = ""
    calls: tuple[LibraryCalls, ...] = ()
    stores: tuple[EntityStore, ...] = ()
    around: tuple[RunsAround, ...] = ()
    taken_around: tuple[TakenAround, ...] = ()
    pages: tuple[PageHandlers, ...] = ()
    universal_types: tuple[str, ...] = ()
    """Types that every type derives from without saying so."""
    common_bases: tuple[str, ...] = ()
    """Base classes that every type of its kind has, so that to have them says nothing; the universal types too."""
    root_exceptions: tuple[str, ...] = ()
    """Full names of the exception types from which all others derive, so that catching one catches everything."""
    implied: ImpliedUses = ImpliedUses()


def joined(found: Iterable[Meanings]) -> Meanings:
    """All values as one, without a name."""
    values = tuple(found)
    whole = _joined(
        Meanings,
        values,
        *("calls", "stores", "around", "taken_around", "pages", "universal_types", "common_bases", "root_exceptions"),
    )
    implied = [value.implied for value in values]
    return replace(whole, implied=_joined(ImpliedUses, implied, *ImpliedUses.__struct_fields__))


def _joined(kind: type[_Joined], values: Sequence[_Joined], *fields: str) -> _Joined:
    return kind(**{field: tuple(chain.from_iterable(getattr(value, field) for value in values)) for field in fields})
