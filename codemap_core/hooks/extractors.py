"""Extractors: what third parties draw from bound documents of any language, and from files that are not code.

Extraction has two phases. ``extract`` sees one document and yields rows that this document owns, and notes. ``conclude``, which an
extractor may have, sees all the notes it left in a run and yields the rows that need more than one file; each is owned by one document of
the index. Both run in worker processes. What an extractor yields wrongly, raises, prints or never finishes costs its own rows of that
file and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct, field

from codemap_core.hooks.interests import Interests
from codemap_core.model import FactRow, Project, ReferenceRow, SymbolRow
from codemap_core.model.bound import NOWHERE, BoundDeclaration, BoundDocument, BoundType, Event, Value


class Note(Struct, frozen=True):
    """What an extractor learnt of one document and concludes from later. ``topic``: its own word for the sort of note. ``line``: 1-based.
    ``data``: strings, numbers, lists and dictionaries, nothing else."""

    topic: str
    file_path: str
    line: int
    data: Any = None


def _no_bases(type_id: str) -> tuple[str, ...]:
    return ()


def _no_interfaces(type_: BoundType) -> tuple[BoundType, ...]:
    return ()


class Seen(Struct, frozen=True, kw_only=True):
    """One document as one project compiles it, or a file that is not code."""

    file_path: str
    project: Project | None = None
    """That compiles it; null for a file that none compiles."""
    language: str = ""
    """Empty for a file of no language."""
    document: BoundDocument
    """Everything that any extractor asked for; empty for a file of no language. Indices in events and values refer to it."""
    declarations: tuple[BoundDeclaration, ...] = ()
    """Those of the document that this extractor asked for."""
    events: Mapping[int, Event] = field(default_factory=dict)
    """Those that this extractor asked for, by their index in the document, in source order."""
    text: str | None = None
    """Of a file that matches ``Interests.files``, or where ``Interests.text`` asks for it."""
    line_count: int
    bases_of: Callable[[str], tuple[str, ...]] = _no_bases
    """Ids of all base classes and interfaces of a type by its id, of library types too: whether ``T:Lib.Connection`` is an
    ``IDbConnection``. None for what is not known."""
    interfaces_of: Callable[[BoundType], tuple[BoundType, ...]] = _no_interfaces
    """All interfaces of a type, inherited ones too, with their type arguments. None for what is not known."""

    def origin(self, value: Value | None) -> Event | None:
        """The event that made a value: of ``api`` in ``var api = app.MapGroup("/api")`` the call of ``MapGroup``."""
        return None if value is None or value.origin == NOWHERE else self.document.events[value.origin]


class Given(Struct, frozen=True):
    """What a document holds for those who ask, by their numbers: events by their index in the document, and declarations, both in source
    order. Whom nothing is for is left out."""

    events: Mapping[int, Mapping[int, Event]]
    declarations: Mapping[int, Sequence[BoundDeclaration]]


class _Interested(Protocol):
    """Attributes of a class will do for these: they are only read."""

    @property
    def name(self) -> str: ...

    @property
    def language(self) -> str:
        """Whose documents it wants; empty for those of every language. Files that match ``Interests.files`` come whatever it says."""
        ...

    @property
    def interests(self) -> Interests: ...


@runtime_checkable
class SymbolExtractor(_Interested, Protocol):
    """Finds symbols that the language's own front end does not: messages, tables, components. It may have a method
    ``conclude(notes) -> Iterable[SymbolRow]``, and a string ``fingerprint`` that changes whenever the same documents would give other
    rows; without one the version of its plug-in stands for it."""

    def extract(self, seen: Seen) -> Iterable[SymbolRow | Note]: ...


@runtime_checkable
class ReferenceExtractor(_Interested, Protocol):
    """Finds references that code makes without spelling them: a registration to its implementation, a request to its handler, a string to
    the member it names. They are of kind ``RefKind.LINK``, or of a kind of the language's own. Otherwise as ``SymbolExtractor``."""

    @property
    def roles(self) -> tuple[str, ...]:
        """What its links may be called: ``registers``, ``sends``."""
        ...

    def extract(self, seen: Seen) -> Iterable[ReferenceRow | Note]: ...


@runtime_checkable
class FactExtractor(_Interested, Protocol):
    """Finds architectural facts. What it finds may be references too: one that is ``Linking`` yields links beside its facts, so that
    nothing is looked for twice. Otherwise as ``SymbolExtractor``."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of the facts it yields: kinds of ``FactKind``, or new ones."""
        ...

    def extract(self, seen: Seen) -> Iterable[FactRow | ReferenceRow | Note]: ...


Extractor = SymbolExtractor | ReferenceExtractor | FactExtractor


@runtime_checkable
class Concluding(Protocol):
    """An extractor with a second phase."""

    def conclude(self, notes: Sequence[Note]) -> Iterable[SymbolRow | ReferenceRow | FactRow]:
        """Rows from all notes that it left in this run, sorted by file and line. Called once, when there are any."""
        ...


@runtime_checkable
class Linking(Protocol):
    """An extractor of facts that yields links too."""

    @property
    def roles(self) -> tuple[str, ...]:
        """As ``ReferenceExtractor`` has them."""
        ...
