"""Options classes: which types are bound to which sections, and what properties they have, which are keys of those sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import Trail, Trails, subject_of
from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import SymbolKind
from codemap_core.model.bound import BoundDeclaration, BoundType, Event, EventKind, TypeForm, Value
from codemap_core.model.symbol import Visibility
from codemap_plugins.config.reads import is_configuration

BINDING: Final = "binding"
"""The topic of notes on types that are bound to a section."""
CLASS: Final = "class"
"""The topic of notes on classes that may be options."""
ENDINGS: Final = ("Options", "Settings", "Configuration", "Config")
"""What names of options classes end in, by convention."""
METHODS: Final = ("Configure", "Bind", "Get", "BindConfiguration")
_KEYS: Final = ("configSectionPath", "key")
_DELEGATE: Final = "T:System.MulticastDelegate"
_SEQUENCE: Final = "T:System.Collections.IEnumerable"
_OBJECT: Final = "T:System.Object"
"""From which all but interfaces derive."""
_ONE_VALUE: Final = frozenset({"T:System.ValueType", "T:System.String"})
"""What is, or derives from, one of these is replaced by a section, never filled."""
_UNCHANGEABLE: Final = frozenset(
    f"T:System.Collections.Generic.{each}`1" for each in ("IEnumerable", "IReadOnlyCollection", "IReadOnlyList")
)
"""Collections to which nothing can be added, so that a section replaces them, as it does an array."""
_ALWAYS_BOUND: Final = frozenset({"T:Microsoft.Extensions.Configuration.IConfigurationSection"})
_OPTIONS_BUILDER: Final = "T:Microsoft.Extensions.Options.OptionsBuilder`1"


class BindingNote(Struct, frozen=True, array_like=True):
    """``type_id`` is bound to the section ``key`` of the configurations that ``trails`` lead to."""

    type_id: str
    key: str = ""
    trails: tuple[Trail, ...] = ()


class Property(Struct, frozen=True, array_like=True):
    """A property of an options class. ``type_id``: of its own type, empty for an array and the like."""

    symbol_id: str
    name: str
    type_id: str
    line: int
    line_start: int
    line_end: int


class ClassNote(Struct, frozen=True, array_like=True):
    """A class that is called like an options class, or a part of one."""

    type_id: str
    file_path: str
    bases: tuple[str, ...]
    properties: tuple[Property, ...]


def binding_notes(seen: Seen, trails: Trails) -> Iterator[Note]:
    """Types that a document binds."""
    for event in seen.document.events:
        if event.kind is not EventKind.INVOCATION or event.name not in METHODS or event.target is None:
            continue
        bound = _bound_type(seen, event)
        if bound is None or not bound.id:
            continue
        key = next((each.value for each in event.arguments if each.parameter in _KEYS), None)
        configuration = _configuration(seen, event)
        if key is None and configuration is None:
            continue
        data = BindingNote(
            bound.id,
            (text_with_holes(key, seen.document) or "") if key is not None else "",
            trails.of(configuration, event.enclosing) if configuration is not None else (),
        )
        yield Note(BINDING, seen.file_path, event.line, note_data(data))


def _configuration(seen: Seen, event: Event) -> Value | None:
    """What a type is bound to: an argument, or what the call is done to."""
    given = (each.value for each in event.arguments if is_configuration(seen, each.value))
    subject = subject_of(event)
    return next(given, subject if is_configuration(seen, subject) else None)


def _bound_type(seen: Seen, event: Event) -> BoundType | None:
    receiver = event.receiver.type if event.receiver is not None else None
    if receiver is not None and receiver.id == _OPTIONS_BUILDER:
        return receiver.arguments[0] if receiver.arguments else None
    if event.type_arguments:
        return event.type_arguments[0]
    if event.name == "Bind":
        instance = next((each.value for each in event.arguments if each.parameter == "instance"), None)
        return instance.type if instance is not None else None
    return None


def class_notes(seen: Seen) -> Iterator[Note]:
    """Classes of a document that are called like options, with their properties."""
    properties: dict[str, list[Property]] = {}
    constructed = _constructed(seen)
    for each in seen.declarations:
        if each.kind is SymbolKind.PROPERTY and each.container_id and _is_key(seen, each):
            given = (each.container_id, each.name.lower()) in constructed
            if given or not each.is_read_only or _is_filled(seen, each):
                properties.setdefault(each.container_id, []).append(_property(each))
    for each in seen.declarations:
        if each.kind in (SymbolKind.CLASS, SymbolKind.RECORD) and "static" not in each.modifiers:
            bases = tuple(base.id for base in each.all_bases if base.id)
            data = ClassNote(each.symbol_id, seen.file_path, bases, tuple(properties.get(each.symbol_id, ())))
            if data.properties:
                yield Note(CLASS, seen.file_path, each.line_start, note_data(data))


def _constructed(seen: Seen) -> frozenset[tuple[str, str]]:
    """The parameters of constructors, by their type and their name in lower case: the binder gives them the values of sections."""
    found: set[tuple[str, str]] = set()
    for each in seen.declarations:
        owner = each.container_id if each.kind is SymbolKind.CONSTRUCTOR else each.symbol_id
        if owner is not None and each.kind in (SymbolKind.CONSTRUCTOR, SymbolKind.CLASS, SymbolKind.RECORD):
            found.update((owner, parameter.name.lower()) for parameter in each.parameters)
    return frozenset(found)


def _is_filled(seen: Seen, declaration: BoundDeclaration) -> bool:
    """Whether the binder fills what a property without a setter holds; what overrides another property is as that one is."""
    type_ = declaration.type
    if type_ is None or declaration.overrides or type_.form is TypeForm.UNRESOLVED:
        return True
    if type_.form is not TypeForm.NAMED or type_.id in _UNCHANGEABLE:
        return False
    return not _ONE_VALUE & {type_.id, *seen.bases_of(type_.id)}


def _is_key(seen: Seen, declaration: BoundDeclaration) -> bool:
    is_seen = declaration.visibility is Visibility.PUBLIC and "static" not in declaration.modifiers
    return is_seen and (declaration.type is None or _is_bindable(seen, declaration.type, declaration.value))


def _is_bindable(seen: Seen, type_: BoundType, given: Value | None = None) -> bool:
    """Whether the binder can give a value of a type: it makes no delegates, and of interfaces only collections; what an interface is
    ``given`` already it fills. Of types that were not found it may be any."""
    if type_.form is TypeForm.ARRAY:
        return _is_bindable(seen, type_.arguments[0])
    if type_.form is not TypeForm.NAMED or type_.id in _ALWAYS_BOUND:
        return True
    above = (type_.id, *seen.bases_of(type_.id))
    if _DELEGATE in above:
        return False
    if _SEQUENCE in above:
        return not type_.arguments or _is_bindable(seen, type_.arguments[-1])
    is_interface = _OBJECT not in above
    return not is_interface or (given is not None and given.type is not None)


def _property(declaration: BoundDeclaration) -> Property:
    type_id = declaration.type.id if declaration.type is not None else ""
    line = declaration.line or declaration.line_start
    return Property(
        declaration.symbol_id, declaration.name, type_id, line, declaration.line_start, declaration.line_end
    )


class OptionsKey(Struct, frozen=True):
    """A key that a property of an options class takes."""

    key: str
    file_path: str
    property: Property
    type_id: str


class OptionsClasses:
    """The options classes of all documents."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._parts: Final[dict[str, dict[ClassNote, None]]] = {}
        for note in notes:
            if note.topic == CLASS:
                data = read_note_data(note.data, ClassNote)
                self._parts.setdefault(data.type_id, {})[data] = None

    def keys(self, type_id: str, section: str, outer: tuple[str, ...] = ()) -> Iterator[OptionsKey]:
        """The keys that a type takes of a section, its inherited properties and those of options within options included."""
        parts = self._parts.get(type_id, {})
        bases = (
            part for base in {base: None for part in parts for base in part.bases} for part in self._parts.get(base, ())
        )
        for part in (*parts, *bases):
            for each in part.properties:
                key = f"{section}:{each.name}" if section else each.name
                yield OptionsKey(key, part.file_path, each, part.type_id)
                if each.type_id in self._parts and each.type_id not in (*outer, type_id):
                    yield from self.keys(each.type_id, key, (*outer, type_id))


def bindings_of(notes: Iterable[Note]) -> Mapping[BindingNote, None]:
    return {read_note_data(note.data, BindingNote): None for note in notes if note.topic == BINDING}
