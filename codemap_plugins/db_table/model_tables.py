"""Concludes which table each ``DbSet`` and each ``ToTable`` means, from the notes of all files.

A set's table is what its context's own configuration says of the entity, else that of its assembly, else any; else what the library does
that the context derives from; else ``[Table]``; else the property's name, or that of the entity's type where conventions take it. Where no
code names it, or code renames it, the snapshot of the model knows better. A table without a schema of its own has the default one of its
context; configuration outside a context that of the contexts of its assembly, if they agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.extractors import Note
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.db_table.migration_history import migration_conclusions
from codemap_plugins.db_table.model_notes import (
    Attributed,
    Context,
    DefaultSchema,
    EntitySet,
    Inherited,
    Mapped,
    NamedForTypes,
    Operation,
    Renamed,
    Snapped,
    Span,
    part_of,
)
from codemap_plugins.db_table.rows import shown
from codemap_plugins.db_table.type_names import plural_name


class NamedBy(StrEnum):
    """What names the table of a ``DbSet``."""

    PROPERTY = "property"
    TYPE = "type"
    ATTRIBUTE = "attribute"
    TO_TABLE = "to_table"
    SNAPSHOT = "snapshot"


_BY_CONVENTION: Final = frozenset({NamedBy.PROPERTY, NamedBy.TYPE})
_LESS_SURE: Final = frozenset({NamedBy.TYPE, NamedBy.SNAPSHOT})


def model_conclusions(notes: Sequence[Note]) -> Iterator[FactRow]:
    model = _Model(notes)
    for note, part in model.parts:
        if isinstance(part, EntitySet):
            yield model.set_fact(note.file_path, part)
        elif isinstance(part, Mapped):
            yield model.mapped_fact(note.file_path, part)
    yield from model.inherited_facts()
    yield from migration_conclusions([(note, part) for note, part in model.parts if isinstance(part, Operation)])


class _Table(Struct, frozen=True):
    """``table``: null where it is not known; ``shown`` is what a reader sees."""

    table: str | None
    shown: str
    schema: str | None
    shown_schema: str
    is_default: bool = False
    is_unsure: bool = False
    """It has the default schema of its context, which is not known."""


class _Model:
    def __init__(self, notes: Sequence[Note]) -> None:
        self.parts: Final = [(note, part_of(note)) for note in notes]
        self._contexts: Final[dict[str, Context]] = {}
        self._defaults: Final[dict[str, str | None]] = {}
        self._mapped: Final[dict[str, list[Mapped]]] = {}
        self._attributed: Final[dict[str, Attributed]] = {}
        self._inherited: Final[dict[tuple[str, str], Inherited]] = {}
        """By context and entity."""
        self._renaming: Final = {part.container for _, part in self.parts if isinstance(part, Renamed)}
        self._for_types: Final = {part.container for _, part in self.parts if isinstance(part, NamedForTypes)}
        self._snapped: Final[dict[str, list[Snapped]]] = {}
        """By the simple name of the entity."""
        of_projects: dict[str, set[str | None]] = {}
        for _, part in self.parts:
            if isinstance(part, Context):
                self._contexts[part.id] = part
            elif isinstance(part, Inherited):
                self._inherited[part.set.context, part.set.entity_id] = part
            elif isinstance(part, Mapped):
                self._mapped.setdefault(part.entity_id, []).append(part)
            elif isinstance(part, Snapped):
                self._snapped.setdefault(parse_id(part.entity_id).name, []).append(part)
            elif isinstance(part, Attributed):
                self._attributed.setdefault(part.entity_id, part)
        for _, part in self.parts:
            if isinstance(part, DefaultSchema) and part.container in self._contexts:
                self._defaults.setdefault(part.container, part.schema)
                of_projects.setdefault(part.project, set()).add(part.schema)
        self._of_projects: Final = {project: found.pop() for project, found in of_projects.items() if len(found) == 1}

    def set_fact(self, file_path: str, part: EntitySet, context: str | None = None) -> FactRow:
        """``context``: which has the set, where that is not the type that declares it."""
        table, named_by = self._table_of(part)
        span = part.span
        if named_by in _LESS_SURE and span.confidence is Confidence.HIGH:
            span = replace(span, confidence=Confidence.MEDIUM)
        return _row(
            file_path,
            span,
            table,
            f"DbSet<{part.entity}>",
            {
                "source": "dbset",
                "entity": part.entity,
                "entity_id": part.entity_id or None,
                "named_by": named_by.value,
                "context": context,
                "beyond": part.is_beyond or None,
            },
        )

    def inherited_facts(self) -> Iterator[FactRow]:
        """Where contexts disagree on the table of a set that they inherit from one property, each row is its context's own."""
        found = [
            (part.set, self.set_fact(note.file_path, part.set, part.set.context))
            for note, part in self.parts
            if isinstance(part, Inherited) and self._is_first(part.set)
        ]
        named: dict[str | None, set[str]] = {}
        for part, row in found:
            named.setdefault(part.span.owner, set()).add(row.value.lower())
        for part, row in found:
            yield row if len(named[part.span.owner]) == 1 else replace(row, symbol_id=part.context)

    def _is_first(self, part: EntitySet) -> bool:
        """Of contexts that derive from each other the first that says which entities there are; none where tables are renamed."""
        above = [each for each in self._bases(part.context) if (each, part.entity_id) in self._inherited]
        return not above and self._inherited_by(part) is not None

    def mapped_fact(self, file_path: str, part: Mapped) -> FactRow:
        detail: dict[str, Any] = {
            "source": "to_table",
            "entity": part.entity or None,
            "entity_id": part.entity_id or None,
        }
        detail["beyond"] = part.is_beyond or None
        return _row(file_path, part.span, self._with_schema(part, part.container), "ToTable", detail)

    def _table_of(self, part: EntitySet) -> tuple[_Table, NamedBy]:
        table, named_by = self._as_written(part)
        snapped = self._in_snapshot(part)
        if snapped is None or snapped.table == table.table:
            return table, named_by
        if named_by not in _BY_CONVENTION and not self._is_renamed(part.context):
            return table, named_by
        if snapped.schema:
            return _Table(snapped.table, snapped.table, snapped.schema, snapped.schema), NamedBy.SNAPSHOT
        return self._by_default(snapped.table, snapped.table, self._default_of(part.context)), NamedBy.SNAPSHOT

    def _as_written(self, part: EntitySet) -> tuple[_Table, NamedBy]:
        """What the code says, and else the convention of the library."""
        mapped = self._mapping(part)
        inherited = self._inherited_by(part)
        if inherited is not None and (mapped is None or self._is_of_other_context(part, mapped)):
            return self._by_default(inherited.table, inherited.table, self._default_of(part.context)), NamedBy.TO_TABLE
        if mapped is not None:
            return self._with_schema(mapped, part.context), NamedBy.TO_TABLE
        attributed = self._attributed.get(part.entity_id)
        if attributed is None:
            name = self._named_for_type(part) if part.entity_id else part.name
            named_by = NamedBy.PROPERTY if name == part.name else NamedBy.TYPE
            return self._by_default(name, name or f"{{?{part.entity}}}", self._default_of(part.context)), named_by
        name, schema = attributed.table, attributed.schema
        if schema:
            return _Table(name, name, schema, schema), NamedBy.ATTRIBUTE
        return self._by_default(name, name, self._default_of(part.context)), NamedBy.ATTRIBUTE

    def _named_for_type(self, part: EntitySet) -> str | None:
        if any(each in self._for_types for each in (part.context, *self._bases(part.context))):
            return part.entity
        return plural_name(part.entity, part.name) if part.is_classic else part.name

    def _in_snapshot(self, part: EntitySet) -> Snapped | None:
        """What the snapshots of the context, or of those that derive from it, agree on. An entity that was not found goes by its name."""
        found = {
            (each.table, each.schema): each
            for each in self._snapped.get(part.entity, ())
            if (each.entity_id == part.entity_id or not part.entity_id)
            and (each.context == part.context or part.context in self._bases(each.context))
        }
        return found.popitem()[1] if len(found) == 1 else None

    def _mapping(self, part: EntitySet) -> Mapped | None:
        """The first of those that are nearest."""
        found = self._mapped.get(part.entity_id, ()) if part.entity_id else ()
        return min(found, key=lambda each: self._distance(part, each), default=None)

    def _inherited_by(self, part: EntitySet) -> Inherited | None:
        """Null where tables are renamed."""
        if self._is_renamed(part.context):
            return None
        found = (self._inherited.get((each, part.entity_id)) for each in (part.context, *self._bases(part.context)))
        return next((each for each in found if each is not None), None)

    def _is_renamed(self, context: str) -> bool:
        """Its tables are: by the context, or elsewhere, by a method that any of them may call."""
        around = (context, *self._bases(context))
        return any(each in around or each not in self._contexts for each in self._renaming)

    def _is_of_other_context(self, part: EntitySet, mapped: Mapped) -> bool:
        own = (part.context, *self._bases(part.context))
        return mapped.container in self._contexts and mapped.container not in own

    def _distance(self, part: EntitySet, mapped: Mapped) -> int:
        if mapped.container == part.context:
            return 0
        if mapped.container in self._bases(part.context):
            return 1
        return 2 if mapped.project == part.project and mapped.container not in self._contexts else 3

    def _bases(self, context: str) -> tuple[str, ...]:
        known = self._contexts.get(context)
        return known.bases if known is not None else ()

    def _default_of(self, context: str) -> str | None:
        """Of a context or, where it says none, of its nearest base class that does. Empty for none, null where it is not known."""
        for each in (context, *self._bases(context)):
            if each in self._defaults:
                return self._defaults[each]
        return ""

    def _with_schema(self, part: Mapped, container: str) -> _Table:
        """As seen from ``container``: the context of a set, or where the call stands."""
        if part.has_schema:
            return _Table(part.table, part.shown, part.schema, part.schema or part.shown_schema)
        is_context = container in self._contexts
        default = self._default_of(container) if is_context else self._of_projects.get(part.project, "")
        return self._by_default(part.table, part.shown, default)

    @staticmethod
    def _by_default(table: str | None, shown_table: str, default: str | None) -> _Table:
        return _Table(table, shown_table, default or None, default or "", bool(default), default is None)


def _row(file_path: str, span: Span, table: _Table, how: str, said: dict[str, Any]) -> FactRow:
    detail: dict[str, Any] = {
        "at": span.at,
        "table": table.table,
        "schema": table.schema,
        "schema_from": "default" if table.is_default else None,
        **said,
    }
    confidence = span.confidence
    if table.table is None or (table.schema is None and table.shown_schema):
        confidence = Confidence.LOW
    elif table.is_unsure and confidence is Confidence.HIGH:
        confidence = Confidence.MEDIUM
    return FactRow(
        kind=FactKind.DB_TABLE,
        value=shown(table.shown, table.shown_schema, how),
        detail={key: value for key, value in detail.items() if value is not None},
        symbol_id=span.owner,
        file_path=file_path,
        line_start=span.line_start,
        line_end=span.line_end,
        confidence=confidence,
    )
