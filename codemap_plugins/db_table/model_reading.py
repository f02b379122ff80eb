"""Reads what one file says of models of Entity Framework Core: contexts, sets, ``ToTable``, ``[Table]``, default schemas, snapshots.

Where a table's name or schema depends on other files the file leaves a note; the rest are facts at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.facts import fact, text_of, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactKind, FactRow, SymbolKind
from codemap_core.model.bound import (
    NOWHERE,
    BoundAttribute,
    BoundDeclaration,
    BoundType,
    Event,
    EventKind,
    TypeForm,
    Value,
)
from codemap_core.model.documentation_id import container_of, parse_id, type_id
from codemap_plugins.db_table.arguments import argument_of
from codemap_plugins.db_table.identity import inherited_sets
from codemap_plugins.db_table.migration_reading import OPERATIONS, context_of, created_by_fluent_migrator, operation
from codemap_plugins.db_table.model_notes import (
    Attributed,
    Context,
    DefaultSchema,
    EntitySet,
    Inherited,
    Mapped,
    NamedForTypes,
    Renamed,
    Snapped,
    Span,
    note_of,
    project_of,
)
from codemap_plugins.db_table.rows import shown
from codemap_plugins.db_table.type_names import is_classic, leaves_names_to_types

INVOCATIONS: Final = (*OPERATIONS, "HasDefaultSchema", "InSchema", "SetTableName", "Table", "ToTable")
ATTRIBUTES: Final = ("Table",)
_CONTEXT_NAME: Final = "DbContext"
BASE_TYPES: Final = (f"*{_CONTEXT_NAME}", "Migration", "ModelSnapshot")
"""Identity's ``IdentityUserContext`` derives from one."""

_CLR_NAME: Final = re.compile(r"\w+(?:[.+]\w+)+")
"""The full name of a type in a namespace, as reflection writes it."""
_EF_CORE: Final = "T:Microsoft.EntityFrameworkCore."
_SET: Final = "T:Microsoft.EntityFrameworkCore.DbSet`1"
_CONTEXT: Final = "T:Microsoft.EntityFrameworkCore.DbContext"
_OLD_SETS: Final = frozenset({"T:System.Data.Entity.DbSet`1", "T:System.Data.Entity.IDbSet`1"})
_OLD: Final = "T:System.Data.Entity."
_OLD_CONTEXT: Final = "T:System.Data.Entity.DbContext"
_BUILDERS: Final = frozenset(
    {
        *("EntityTypeBuilder", "OwnedNavigationBuilder", "ReferenceOwnershipBuilder", "CollectionOwnershipBuilder"),
        *("OwnedEntityTypeBuilder", "QueryTypeBuilder"),
    }
)
_TABLE: Final = "T:System.ComponentModel.DataAnnotations.Schema.TableAttribute"
GENERATED: Final = ("BuildTargetModel",)
"""Members that a model as it was at a migration is built in: hundreds of calls, of which those that name tables are asked for alone."""
_FOREIGN_COLUMNS: Final = frozenset({"ForeignColumn", "ForeignColumns"})
_SNAPSHOTS: Final = frozenset({"BuildModel", *GENERATED})
_CLASSES: Final = frozenset({SymbolKind.CLASS, SymbolKind.RECORD})


def model_facts(seen: Seen) -> Iterator[FactRow | Note]:
    contexts = {each.symbol_id: _is_guessed(each) for each in seen.declarations if _is_context(each)}
    for declaration in seen.declarations:
        if declaration.symbol_id in contexts:
            bases = tuple(each.id for each in declaration.all_bases if each.id)
            yield note_of(seen, Context(project_of(seen), declaration.symbol_id, bases), declaration.line_start)
            yield from _inherited(seen, declaration)
        elif declaration.container_id in contexts:
            yield from _set(seen, declaration, contexts[declaration.container_id])
        if declaration.kind in _CLASSES:
            yield from _attributed(seen, declaration)
    for index, event in seen.events.items():
        if event.kind is EventKind.INVOCATION:
            match event.name:
                case "ToTable":
                    yield from _mapped(seen, event)
                case "HasDefaultSchema" if is_ef(event) and event.enclosing is not None:
                    given = argument_of(event, "schema")
                    schema = "" if given is not None and _is_null(given) else text_of(given)
                    part = DefaultSchema(project_of(seen), container_of(event.enclosing), schema)
                    yield note_of(seen, part, event.line)
                case "Remove" if event.enclosing is not None and leaves_names_to_types(event):
                    yield note_of(seen, NamedForTypes(container_of(event.enclosing)), event.line)
                case "SetTableName" if event.enclosing is not None:
                    yield note_of(seen, Renamed(container_of(event.enclosing)), event.line)
                case "CreateTable" | "DropTable" | "RenameTable":
                    yield from operation(seen, event)
                case "Table":
                    yield from created_by_fluent_migrator(seen, event, index)


def is_ef(event: Event) -> bool:
    return event.target is not None and container_of(event.target).startswith(_EF_CORE)


def _span(source: Event | BoundDeclaration, confidence: Confidence) -> Span:
    """Of a declaration the fact stands at its first line."""
    if isinstance(source, Event):
        start, end = source.line_start or source.line, source.line_end or source.line
        return Span(source.enclosing, source.line, start, end, confidence)
    return Span(source.symbol_id, source.line_start, source.line_start, source.line_end, confidence)


# Contexts


def _is_context(declaration: BoundDeclaration) -> bool:
    """A base that was not found counts by its name."""
    return declaration.kind in _CLASSES and any(
        each.id in (_CONTEXT, _OLD_CONTEXT) or (not each.id and each.name.endswith(_CONTEXT_NAME))
        for each in declaration.all_bases
    )


def _is_guessed(context: BoundDeclaration) -> bool:
    """It derives from a class of a package that is missing, which is named like a context of its own: ``TenantDbContext``."""
    return not any(each.id in (_CONTEXT, _OLD_CONTEXT) or each.name == _CONTEXT_NAME for each in context.all_bases)


def _inherited(seen: Seen, context: BoundDeclaration) -> Iterator[Note]:
    for each in inherited_sets(context):
        part = EntitySet(
            project_of(seen),
            context.symbol_id,
            each.name,
            each.entity.name,
            each.entity.id,
            Span(each.owner, context.line, context.line, context.line, Confidence.HIGH),
            is_beyond=True,
        )
        if each.entity.id:
            yield note_of(seen, Inherited(part, each.table), context.line)


def _set(seen: Seen, declaration: BoundDeclaration, is_guessed: bool) -> Iterator[Note]:
    type_ = declaration.type
    if declaration.kind is not SymbolKind.PROPERTY or type_ is None or not type_.arguments:
        return
    is_unknown = type_.form is TypeForm.UNRESOLVED and type_.name in ("DbSet", "IDbSet")
    if not (type_.id == _SET or type_.id in _OLD_SETS or is_unknown):
        return
    entity = type_.arguments[0]
    part = EntitySet(
        project_of(seen),
        declaration.container_id or "",
        declaration.name,
        entity.name,
        entity.id,
        _span(declaration, Confidence.LOW if is_unknown else Confidence.MEDIUM if is_guessed else Confidence.HIGH),
        type_.id in _OLD_SETS or is_guessed,
        type_.id in _OLD_SETS or (is_unknown and is_classic(seen.project)),
    )
    yield note_of(seen, part, declaration.line_start)


# Attributes


def _attributed(seen: Seen, declaration: BoundDeclaration) -> Iterator[FactRow | Note]:
    of_library = [
        each for each in (*declaration.attributes, *declaration.attributes_elsewhere) if each.type.id == _TABLE
    ]
    if of_library:
        table, schema = _named(of_library[0])
        if table is not None:
            yield note_of(seen, Attributed(declaration.symbol_id, table, schema or ""), declaration.line_start)
    for attribute in declaration.attributes:
        if attribute.type.name.removesuffix("Attribute") == "Table":
            table, schema = _named(attribute)
            if table is not None:
                yield _attribute_fact(seen, declaration, attribute, table, schema)


def _named(attribute: BoundAttribute) -> tuple[str | None, str | None]:
    texts = [text for each in attribute.arguments if (text := text_of(each.value)) is not None]
    named = {each.parameter.lower(): text_of(each.value) for each in attribute.named_arguments}
    return texts[0] if texts else named.get("name"), named.get("schema")


def _attribute_fact(
    seen: Seen, declaration: BoundDeclaration, attribute: BoundAttribute, table: str, schema: str | None
) -> FactRow:
    is_beyond = attribute.type.id != _TABLE
    detail = {
        "table": table,
        "schema": schema,
        "source": "attribute",
        "entity": declaration.name,
        "entity_id": declaration.symbol_id,
        "beyond": is_beyond,
    }
    confidence = Confidence.HIGH if not is_beyond else Confidence.MEDIUM if attribute.type.id else Confidence.LOW
    value = shown(table, schema, "[Table]")
    return fact(seen, declaration, FactKind.DB_TABLE, value, detail, at=attribute.line, confidence=confidence)


# Fluent configuration


def _mapped(seen: Seen, event: Event) -> Iterator[FactRow | Note]:
    builder = event.receiver or (event.arguments[0].value if event.arguments else None)
    type_ = builder.type if builder is not None else None
    if event.target is None:
        name = event.arguments[0].value if event.arguments else None
        schema = event.arguments[1].value if len(event.arguments) > 1 else None
        if not _maps_unbound(name, type_) or _is_foreign_key(seen, event):
            return
        confidence = Confidence.LOW
    elif container_of(event.target).startswith(_OLD):
        name, schema = argument_of(event, "tableName"), argument_of(event, "schemaName")
        confidence = Confidence.MEDIUM
    elif is_ef(event) and type_ is not None and type_.name in _BUILDERS:
        name, schema = argument_of(event, "name"), argument_of(event, "schema")
        confidence = event.confidence
    else:
        return
    if name is None or _is_null(name):
        return
    entity = entity_of(seen, builder)
    within = parse_id(event.enclosing).name if event.enclosing is not None else ""
    if within in _SNAPSHOTS:
        yield _snapshot(seen, event, name, schema, entity, is_past=within in GENERATED)
        context, table, entity_id = context_of(seen, event), text_of(name), _entity_id(entity)
        if within not in GENERATED and context and table is not None and entity_id:
            yield note_of(seen, Snapped(context, entity_id, table, text_of(schema) or ""), event.line)
        return
    table, said = text_of(name), text_with_holes(schema, seen.document) or ""
    part = Mapped(
        project_of(seen),
        container_of(event.enclosing) if event.enclosing is not None else "",
        table,
        table if table is not None else text_with_holes(name, seen.document) or "{?}",
        schema is not None and (_is_null(schema) or _is_text(schema)),
        text_of(schema),
        said,
        entity.name if entity is not None else "",
        entity.id if entity is not None else "",
        _span(event, confidence if table is not None else Confidence.LOW),
        event.target is not None and container_of(event.target).startswith(_OLD),
    )
    yield note_of(seen, part, event.line)


def _maps_unbound(name: Value | None, builder: BoundType | None) -> bool:
    """Whether ``ToTable`` that was not bound maps a table: on what is known to be a builder whatever its first argument is but a lambda, on
    what is not known if that is a text."""
    if builder is not None and builder.name in _BUILDERS and name is not None:
        return _is_text(name)
    return text_of(name) is not None and (builder is None or not builder.id)


def _is_foreign_key(seen: Seen, event: Event) -> bool:
    """``Create.ForeignKey().FromTable("a").ForeignColumn("b").ToTable("c")`` of FluentMigrator says what a key refers to."""
    before = seen.origin(event.receiver)
    return before is not None and before.name in _FOREIGN_COLUMNS


def _is_null(value: Value) -> bool:
    return value.constant is not None and value.constant.value is None


def _is_text(value: Value) -> bool:
    """Not a lambda, which an overload that was not found may be given in its place."""
    return value.region == NOWHERE or bool(value.local)


def entity_of(seen: Seen, builder: Value | None) -> BoundType | None:
    """What a builder builds: the last of its type arguments, else what ``Entity(…)`` was given that made it, or whose lambda it is a
    parameter of. A name in a text is a type that is not found."""
    if builder is None:
        return None
    if builder.type is not None and builder.type.arguments:
        return builder.type.arguments[-1]
    made_by = seen.origin(builder)
    if made_by is None and builder.region != NOWHERE:
        taker = seen.document.regions[builder.region].event
        made_by = seen.document.events[taker] if taker != NOWHERE else None
    for argument in made_by.arguments if made_by is not None else ():
        if argument.value.type_operand is not None:
            return argument.value.type_operand
        text = text_of(argument.value)
        if text is not None:
            return BoundType(TypeForm.UNRESOLVED, text)
    return None


def _snapshot(
    seen: Seen, event: Event, name: Value, schema: Value | None, entity: BoundType | None, *, is_past: bool
) -> FactRow:
    said = text_of(schema)
    table = text_of(name)
    detail = {
        "table": table,
        "schema": said,
        "source": "snapshot",
        "entity": entity.name if entity is not None else None,
        "entity_id": _entity_id(entity),
        "past": is_past,
    }
    value = shown(table or text_with_holes(name, seen.document) or "{?}", said, "Snapshot")
    return fact(seen, event, FactKind.DB_TABLE, value, detail, confidence=Confidence.LOW if table is None else None)


def _entity_id(entity: BoundType | None) -> str | None:
    """Snapshots name an entity by a text, as reflection writes it: ``Shop.Orders.Order``, ``Shop.Order+Line``. Null for one with type
    arguments, and for a name without a namespace, which may be that of a table between two others."""
    if entity is None or entity.id:
        return entity.id if entity is not None else None
    return type_id(entity.name.replace("+", ".")) if _CLR_NAME.fullmatch(entity.name) else None
