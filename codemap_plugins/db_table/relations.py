"""Relations between entities: what fluent configuration and model snapshots of Entity Framework Core say of their navigations, and the
foreign keys of migrations, which stand between tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from codemap_core.facts import display_type, fact, text_of
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactKindInfo, FactRow
from codemap_core.model.bound import NOWHERE, BoundType, Event, EventKind, TypeForm, Value
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.db_table.arguments import argument_of
from codemap_plugins.db_table.model_reading import entity_of, is_ef

ENTITY_RELATION: Final = FactKindInfo(
    name="entity_relation",
    title="Relations between entities",
    value="From → To|multiplicity",
    detail={
        "at": "line of the method's name",
        "from": "the entity or table that is configured",
        "to": "the entity or table it is related to",
        "from_id": "id of the entity",
        "to_id": "id of the related entity",
        "navigation": "the property that leads from one to the other",
        "inverse": "the property that leads back",
        "foreign_key": "properties or columns of the key, between commas",
        "source": "fluent, snapshot or migration",
    },
)
INVOCATIONS: Final = ("AddForeignKey", "ForeignKey", "HasMany", "HasOne", "OwnsMany", "OwnsOne")

_MULTIPLICITIES: Final = {
    ("HasOne", "WithMany"): "many-to-one",
    ("HasOne", "WithOne"): "one-to-one",
    ("HasMany", "WithOne"): "one-to-many",
    ("HasMany", "WithMany"): "many-to-many",
    ("HasOne", ""): "to one",
    ("HasMany", ""): "to many",
    ("OwnsOne", ""): "owns one",
    ("OwnsMany", ""): "owns many",
}
_OLD_SNAPSHOT: Final = "BuildTargetModel"
_SNAPSHOT: Final = "BuildModel"
_TYPE_NAMES: Final = ("relatedTypeName", "ownedTypeName")
_KEYS: Final = ("foreignKeyExpression", "foreignKeyPropertyNames")


class _Chains:
    """What is done to the results of events, and what functions give."""

    def __init__(self, seen: Seen) -> None:
        self.next: Final[dict[int, list[int]]] = {}
        self.returned: Final[dict[int, Value]] = {}
        """By region; of a lambda that is one expression, its value."""
        for index, event in enumerate(seen.document.events):
            if event.receiver is not None and event.receiver.origin != NOWHERE:
                self.next.setdefault(event.receiver.origin, []).append(index)
            if event.kind is EventKind.RETURN and event.arguments:
                self.returned.setdefault(event.region, event.arguments[0].value)

    def after(self, seen: Seen, index: int) -> Iterator[Event]:
        """The events of the chain that goes on from one."""
        waiting, done = [index], {index}
        while waiting:
            for each in self.next.get(waiting.pop(), ()):
                if each not in done:
                    done.add(each)
                    waiting.append(each)
                    yield seen.document.events[each]


class _End(Struct, frozen=True):
    """An entity or a table at one end. ``full``: as far as it is known."""

    shown: str
    full: str
    id: str = ""


def relation_facts(seen: Seen) -> Iterator[FactRow]:
    chains: _Chains | None = None
    for index, event in seen.events.items():
        if event.kind is not EventKind.INVOCATION or event.name not in INVOCATIONS or not is_ef(event):
            continue
        if event.name in ("AddForeignKey", "ForeignKey"):
            chains = chains or _Chains(seen)
            yield from _foreign_key(seen, event, chains)
        elif event.enclosing is None or parse_id(event.enclosing).name != _OLD_SNAPSHOT:
            chains = chains or _Chains(seen)
            yield from _relation(seen, index, event, chains)


def _relation(seen: Seen, index: int, event: Event, chains: _Chains) -> Iterator[FactRow]:
    one, other = _end(entity_of(seen, event.receiver)), _end(_related(event))
    if one is None or other is None:
        return
    back: Event | None = None
    key: Event | None = None
    if event.name in ("HasOne", "HasMany"):
        for each in chains.after(seen, index):
            if each.name in ("WithOne", "WithMany"):
                back = back or each
            elif each.name == "HasForeignKey":
                key = key or each
    multiplicity = _MULTIPLICITIES[event.name, back.name if back is not None else ""]
    is_snapshot = event.enclosing is not None and parse_id(event.enclosing).name == _SNAPSHOT
    detail = {
        "from": one.full,
        "to": other.full,
        "from_id": one.id or None,
        "to_id": other.id or None,
        "navigation": _navigation(event, chains.returned),
        "inverse": _navigation(back, chains.returned) if back is not None else None,
        "foreign_key": _properties(key, chains.returned) if key is not None else None,
        "source": "snapshot" if is_snapshot else "fluent",
    }
    yield fact(seen, event, ENTITY_RELATION.name, f"{one.shown} → {other.shown}|{multiplicity}", detail)


def _related(event: Event) -> BoundType | None:
    """The entity that a navigation leads to."""
    if event.type_arguments:
        return event.type_arguments[-1]
    for argument in event.arguments:
        if argument.value.type_operand is not None:
            return argument.value.type_operand
        if argument.parameter in _TYPE_NAMES and (name := text_of(argument.value)):
            return BoundType(TypeForm.UNRESOLVED, name)
    return None


def _end(type_: BoundType | None) -> _End | None:
    """Of a snapshot, which writes full names in texts, the simple name is shown."""
    if type_ is None or not type_.name:
        return None
    if type_.form is not TypeForm.UNRESOLVED:
        return _End(display_type(type_), type_.name, type_.id)
    name = type_.name.strip()
    head, sign, arguments = name.partition("<")
    return _End(head.rpartition(".")[2].rpartition("+")[2] + sign + arguments, name)


def _navigation(event: Event, returned: Mapping[int, Value]) -> str | None:
    """The property that the first argument names, in a lambda or a text."""
    for argument in event.arguments:
        if argument.parameter not in _TYPE_NAMES and (name := _property(argument.value, returned)):
            return name
    return None


def _property(value: Value, returned: Mapping[int, Value]) -> str | None:
    if value.region != NOWHERE and not value.local:
        value = returned.get(value.region, value)
        return parse_id(value.symbol_id).name if value.symbol_id else None
    return text_of(value)


def _properties(event: Event, returned: Mapping[int, Value]) -> str | None:
    names: list[str] = []
    for argument in event.arguments:
        if argument.parameter in _KEYS:
            values = argument.value.elements or (argument.value,)
            names += [name for value in values if (name := _property(value, returned))]
    return ", ".join(names) or None


def _foreign_key(seen: Seen, event: Event, chains: _Chains) -> Iterator[FactRow]:
    """``ForeignKey`` in the lambda of ``CreateTable``, and ``AddForeignKey``, as migrations go up."""
    if event.enclosing is None or parse_id(event.enclosing).name == "Down":
        return
    created = event if event.name == "AddForeignKey" else _around(seen, event, "CreateTable")
    table = _table(created, "table" if created is event else "name", "schema") if created is not None else None
    principal = _table(event, "principalTable", "principalSchema")
    if table is None or principal is None:
        return
    columns = argument_of(event, "column") or argument_of(event, "columns")
    names = [_property(each, chains.returned) for each in (columns.elements or (columns,))] if columns else []
    detail: dict[str, Any] = {
        "from": table,
        "to": principal,
        "foreign_key": ", ".join(name for name in names if name) or None,
        "source": "migration",
    }
    value = f"{table} → {principal}|foreign key"
    yield fact(seen, event, ENTITY_RELATION.name, value, detail, confidence=Confidence.HIGH)


def _around(seen: Seen, event: Event, name: str) -> Event | None:
    """The nearest call of that name in whose lambda an event stands."""
    region = event.region
    while region != NOWHERE:
        inside = seen.document.regions[region]
        taker = seen.document.events[inside.event] if inside.event != NOWHERE else None
        if taker is not None and taker.name == name:
            return taker
        region = inside.parent
    return None


def _table(event: Event, name: str, schema: str) -> str | None:
    table, said = text_of(argument_of(event, name)), text_of(argument_of(event, schema))
    return f"{said}.{table}" if said and table else table
