"""What one file says of a model of Entity Framework Core, for the conclusion that needs all of them: the parts that notes hold.

``project`` is the path of the project that compiles the file: the assembly. An empty id or text stands for none.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence


class Span(Struct, frozen=True, array_like=True):
    """Where a fact stands, and whose it is."""

    owner: str | None
    at: int
    line_start: int
    line_end: int
    confidence: Confidence


class Does(Enum):
    """What is done with a table. One that may be created, or is when a migration is undone, is told as well, for the row of that place."""

    CREATES = "creates"
    MAY_CREATE = "may_create"
    CREATES_AGAIN = "creates_again"
    DROPS = "drops"
    RENAMES = "renames"


class Context(Struct, frozen=True, array_like=True, tag="context"):
    """A class deriving from ``DbContext``. ``bases``: ids of its base classes, nearest first."""

    project: str
    id: str
    bases: tuple[str, ...]


class DefaultSchema(Struct, frozen=True, array_like=True, tag="default_schema"):
    """``HasDefaultSchema`` in a member of ``container``. ``schema``: null where it is not known, empty where it is null."""

    project: str
    container: str
    schema: str | None


class EntitySet(Struct, frozen=True, array_like=True, tag="entity_set"):
    """A property ``DbSet<Entity>`` of a context. ``is_beyond``: of Entity Framework 6, or the class is a context by its name alone.
    ``is_classic``: of Entity Framework 6, which names tables for types."""

    project: str
    context: str
    name: str
    entity: str
    entity_id: str
    span: Span
    is_beyond: bool
    is_classic: bool = False


class Inherited(Struct, frozen=True, array_like=True, tag="inherited"):
    """A set that a context inherits from a library, which maps its entity to ``table``. The owner of the span is the property."""

    set: EntitySet
    table: str


class Renamed(Struct, frozen=True, array_like=True, tag="renamed"):
    """``SetTableName`` in a member of ``container``: tables have other names than what maps them says."""

    container: str


class NamedForTypes(Struct, frozen=True, array_like=True, tag="named_for_types"):
    """A member of ``container`` leaves out the convention that names tables otherwise than for the type of their entity."""

    container: str


class Snapped(Struct, frozen=True, array_like=True, tag="snapped"):
    """The table of an entity in the snapshot of the model of ``context``, which Entity Framework Core writes."""

    context: str
    entity_id: str
    table: str
    schema: str


class Mapped(Struct, frozen=True, array_like=True, tag="mapped"):
    """``ToTable`` in a member of ``container``. ``table``: null where it is not known, ``shown`` then says it with holes. ``has_schema``:
    the call says one; ``schema`` is null where that is null or not known, which ``shown_schema`` then says. ``is_beyond``: of Entity
    Framework 6."""

    project: str
    container: str
    table: str | None
    shown: str
    has_schema: bool
    schema: str | None
    shown_schema: str
    entity: str
    entity_id: str
    span: Span
    is_beyond: bool


class Attributed(Struct, frozen=True, array_like=True, tag="attributed"):
    """A class with ``[Table]``, its own or that of a base class."""

    entity_id: str
    table: str
    schema: str


class Operation(Struct, frozen=True, array_like=True, tag="operation"):
    """What a migration does with a table. ``context``: id of the migration's context; ``migration``: the id that orders migrations."""

    project: str
    context: str
    migration: str
    does: Does
    table: str
    schema: str
    new_table: str
    new_schema: str
    span: Span


Part = (
    Context
    | DefaultSchema
    | EntitySet
    | Inherited
    | Renamed
    | NamedForTypes
    | Snapped
    | Mapped
    | Attributed
    | Operation
)
_TOPIC: Final = "model"


def project_of(seen: Seen) -> str:
    """Path of the project that compiles a file."""
    return seen.project.project_path if seen.project is not None else ""


def note_of(seen: Seen, part: Part, line: int) -> Note:
    return Note(_TOPIC, seen.file_path, line, note_data(part))


def part_of(note: Note) -> Part:
    part: Part = read_note_data(note.data, Part)
    return part
