"""Reads what migrations do with tables: those of Entity Framework Core create, drop and rename them; of Entity Framework 6 and
FluentMigrator what they create is told.

Which tables are left depends on all migrations of a context, so that each operation of Entity Framework Core leaves a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from codemap_core.facts import fact, text_of, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.bound import NOWHERE, BoundAttribute, BoundDeclaration, Event
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.db_table.arguments import argument_of
from codemap_plugins.db_table.model_notes import Does, Operation, Span, note_of, project_of
from codemap_plugins.db_table.rows import shown

_DOES: Final = {"CreateTable": Does.CREATES, "DropTable": Does.DROPS, "RenameTable": Does.RENAMES}
OPERATIONS: Final = tuple(_DOES)
MIGRATION: Final = "T:Microsoft.EntityFrameworkCore.Migrations.MigrationBuilder"
_OLD_MIGRATION: Final = "T:System.Data.Entity.Migrations.DbMigration"
_ID: Final = "T:Microsoft.EntityFrameworkCore.Migrations.MigrationAttribute"
_CONTEXT: Final = "T:Microsoft.EntityFrameworkCore.Infrastructure.DbContextAttribute"


def operation(seen: Seen, event: Event) -> Iterator[FactRow | Note]:
    """Of ``CreateTable``, ``DropTable``, ``RenameTable``."""
    container = container_of(event.target) if event.target is not None else ""
    table = text_of(argument_of(event, "name"))
    if container == MIGRATION and table is not None:
        yield from _noted(seen, event, table)
    elif _DOES[event.name] is Does.CREATES:
        yield from _created(seen, event, container)


def _noted(seen: Seen, event: Event, table: str) -> Iterator[Note]:
    migration, context = _id(_parts(seen, event)), context_of(seen, event)
    within = parse_id(event.enclosing).name if event.enclosing is not None else ""
    does = _DOES[event.name]
    if does is Does.CREATES and within == "Down":
        does = Does.CREATES_AGAIN
    elif within != "Up" or event.region != NOWHERE or not (migration and context):
        if does is not Does.CREATES:
            return
        does = Does.MAY_CREATE
    part = Operation(
        project_of(seen),
        context,
        migration,
        does,
        table,
        text_of(argument_of(event, "schema")) or "",
        text_of(argument_of(event, "newName")) or table,
        text_of(argument_of(event, "newSchema")) or "",
        Span(
            event.enclosing,
            event.line,
            event.line_start or event.line,
            event.line_end or event.line,
            event.confidence,
        ),
    )
    yield note_of(seen, part, event.line)


def _parts(seen: Seen, event: Event) -> list[BoundDeclaration]:
    own = container_of(event.enclosing or "")
    return [each for each in seen.declarations if each.symbol_id == own]


def _attributes(parts: Sequence[BoundDeclaration], type_id: str) -> Iterator[BoundAttribute]:
    """Those that another part carries too: the designer file has the attributes of a migration."""
    for each in parts:
        yield from (held for held in (*each.attributes, *each.attributes_elsewhere) if held.type.id == type_id)


def _id(parts: Sequence[BoundDeclaration]) -> str:
    given = (text_of(each.value) for held in _attributes(parts, _ID) for each in held.arguments)
    return next((each for each in given if each is not None), "")


def context_of(seen: Seen, event: Event) -> str:
    """The context that ``[DbContext(typeof(Shop))]`` says of the migration or the snapshot around an event."""
    held = _attributes(_parts(seen, event), _CONTEXT)
    given = (each.value.type_operand for attribute in held for each in attribute.arguments)
    return next((each.id or each.name for each in given if each is not None), "")


def _created(seen: Seen, event: Event, container: str) -> Iterator[FactRow]:
    name, schema = argument_of(event, "name"), text_of(argument_of(event, "schema"))
    is_old = container == _OLD_MIGRATION
    if name is None and _is_in_old_migration(event):
        is_old, name = True, event.arguments[0].value
    if name is None or container not in (MIGRATION, _OLD_MIGRATION, ""):
        return
    table = text_of(name)
    if not container and table is None:
        return
    if is_old and table is not None and not schema:
        schema, _, table = table.rpartition(".")
    confidence = Confidence.LOW if table is None or not container else Confidence.MEDIUM if is_old else None
    detail: dict[str, Any] = {"table": table, "schema": schema or None, "source": "migration", "beyond": is_old}
    value = shown(table or text_with_holes(name, seen.document) or "{?}", schema, "CreateTable")
    yield fact(seen, event, FactKind.DB_TABLE, value, detail, confidence=confidence)


def _is_in_old_migration(event: Event) -> bool:
    """``CreateTable("dbo.Orders", …)`` in ``Up`` or ``Down``, with a base class that was not found: a migration of Entity Framework 6. A
    local function is found, though nothing names it."""
    is_own = bool(event.reason) and event.receiver is None and bool(event.arguments)
    return is_own and event.enclosing is not None and parse_id(event.enclosing).name in ("Up", "Down")


def created_by_fluent_migrator(seen: Seen, event: Event, index: int) -> Iterator[FactRow]:
    """``Create.Table("n").InSchema("s")``."""
    if event.target is None or not event.target.startswith("M:FluentMigrator.Builders.Create."):
        return
    table = text_of(argument_of(event, "tableName"))
    if table is None:
        return
    schema = next(
        (
            text_of(each.arguments[0].value)
            for each in seen.events.values()
            if each.name == "InSchema"
            and each.receiver is not None
            and each.receiver.origin == index
            and each.arguments
        ),
        None,
    )
    detail = {"table": table, "schema": schema, "source": "migration"}
    yield fact(
        seen, event, FactKind.DB_TABLE, shown(table, schema, "CreateTable"), detail, confidence=Confidence.MEDIUM
    )
