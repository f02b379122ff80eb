"""Which calls and element accesses read the configuration or the environment, with which key, and what becomes of a section.

A read is told by what it is called on: an ``IConfiguration`` of whatever type, or a section of ``System.Configuration``. Where no overload
was found, the type of the receiver tells, and where that was not found either, its name (confidence low).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.facts import text_with_holes
from codemap_core.facts.carried import subject_of
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind, TypeForm, Value
from codemap_core.model.documentation_id import container_of, parse_id

_NAMESPACE: Final = "T:Microsoft.Extensions.Configuration."
_CONFIGURATION: Final = f"{_NAMESPACE}IConfiguration"
_ENVIRONMENT: Final = "T:System.Environment"
STRING: Final = "T:System.String"
_OPTIONS_BUILDER: Final = "T:Microsoft.Extensions.Options.OptionsBuilder`1"
SECTION_TYPE: Final = "IConfigurationSection"
TYPES: Final = (
    *("IConfiguration", SECTION_TYPE, "IConfigurationRoot", "IConfigurationManager"),
    *("ConfigurationManager", "ConfigurationRoot", "ConfigurationSection"),
)
"""Simple names of the types of configurations."""
CONNECTIONSTRINGS: Final = "ConnectionStrings"
CLASSIC_TYPES: Final = ("NameValueCollection", "ConnectionStringSettingsCollection")
"""Simple names of what the sections of ``System.Configuration`` are."""
_CLASSIC_MANAGERS: Final = (
    "System.Configuration.ConfigurationManager",
    "System.Web.Configuration.WebConfigurationManager",
)
INDEXER: Final = "this[]"


class Pattern(StrEnum):
    """How a key is used: what follows the bar in the value of a fact."""

    INDEXER = "IConfiguration indexer"
    GET_VALUE = "GetValue"
    CONNECTIONSTRING = "GetConnectionString"
    SECTION = "GetSection"
    REQUIRED_SECTION = "GetRequiredSection"
    CONFIGURE = "Options Configure"
    BIND = "Bind"
    GET = "Get"
    BIND_CONFIGURATION = "BindConfiguration"
    ENVIRONMENT = "GetEnvironmentVariable"
    APP_SETTINGS = "AppSettings"
    """``ConfigurationManager.AppSettings["k"]`` of ``System.Configuration``."""
    CONNECTIONSTRINGS = "ConnectionStrings"
    """``ConfigurationManager.ConnectionStrings["n"]``."""
    PROPERTY = "options property"
    """A property of an options class, which is bound to the section around the key."""
    SETTINGS = "settings file"
    LAUNCH = "launch settings"
    SECRETS = "user secrets"


SECTIONS: Final = frozenset({Pattern.SECTION, Pattern.REQUIRED_SECTION})
TAKES_ALL: Final = SECTIONS | {Pattern.CONFIGURE, Pattern.BIND, Pattern.GET, Pattern.BIND_CONFIGURATION}
"""Patterns that read everything under their key."""
BEYOND: Final = frozenset({Pattern.BIND, Pattern.APP_SETTINGS, Pattern.CONNECTIONSTRINGS})
"""Patterns that no rule of the contract covers."""
INDEXERS: Final = frozenset({Pattern.INDEXER, Pattern.APP_SETTINGS, Pattern.CONNECTIONSTRINGS})
_CLASSIC: Final = {
    f"P:{manager}.{pattern.value}": pattern
    for manager in _CLASSIC_MANAGERS
    for pattern in (Pattern.APP_SETTINGS, Pattern.CONNECTIONSTRINGS)
}
"""By the property that an indexer is of."""
_CALLS: Final[Mapping[str, tuple[Pattern, str]]] = {
    "GetSection": (Pattern.SECTION, "key"),
    "GetRequiredSection": (Pattern.REQUIRED_SECTION, "key"),
    "GetValue": (Pattern.GET_VALUE, "key"),
    "GetConnectionString": (Pattern.CONNECTIONSTRING, "name"),
    "BindConfiguration": (Pattern.BIND_CONFIGURATION, "configSectionPath"),
    "GetEnvironmentVariable": (Pattern.ENVIRONMENT, "variable"),
    "Bind": (Pattern.BIND, "key"),
}
"""By method, with the parameter that takes the key."""
METHODS: Final = tuple(_CALLS)


class Read(Struct, frozen=True):
    """One read. ``key``: with ``{?name}`` for what is not known of what is ``written``; ``subject``: the configuration it is read from, if
    any."""

    event: Event
    pattern: Pattern
    key: str
    written: Value
    subject: Value | None = None

    @property
    def is_bound(self) -> bool:
        return self.event.target is not None


def read_of(seen: Seen, event: Event) -> Read | None:
    """What an event reads of the configuration, if anything."""
    if event.kind is EventKind.ELEMENT_ACCESS:
        return _indexed(seen, event)
    found = _CALLS.get(event.name) if event.kind is EventKind.INVOCATION else None
    if found is None:
        return None
    pattern, parameter = found
    if not _is_call_of(seen, event, pattern):
        return None
    given = _key(event, parameter)
    key = text_with_holes(given, seen.document)
    if given is None or key is None:
        return None
    if pattern is Pattern.CONNECTIONSTRING:
        key = f"{CONNECTIONSTRINGS}:{key}"
    is_root = pattern in (Pattern.BIND_CONFIGURATION, Pattern.ENVIRONMENT)
    return Read(event, pattern, key, given, None if is_root else subject_of(event))


def _indexed(seen: Seen, event: Event) -> Read | None:
    classic = _CLASSIC.get(event.receiver.symbol_id) if event.receiver is not None else None
    if classic is not None:
        return _classic(seen, event, classic)
    if not is_configuration(seen, event.receiver):
        return None
    given = _key(event, "key")
    key = text_with_holes(given, seen.document)
    if given is None or key is None:
        return None
    return Read(event, Pattern.INDEXER, key, given, event.receiver)


def _classic(seen: Seen, event: Event, pattern: Pattern) -> Read | None:
    """Under the name of its section, as keys of an ``IConfiguration`` are."""
    given = _key(event, "name")
    key = text_with_holes(given, seen.document)
    return Read(event, pattern, f"{pattern.value}:{key}", given) if given is not None and key is not None else None


def _is_call_of(seen: Seen, event: Event, pattern: Pattern) -> bool:
    container = container_of(event.target) if event.target is not None else ""
    if pattern is Pattern.ENVIRONMENT:
        return _ENVIRONMENT in (container, event.receiver_type_id)
    if pattern is Pattern.BIND_CONFIGURATION:
        return event.external if event.target is not None else type_id_of(event.receiver) == _OPTIONS_BUILDER
    if event.target is None:
        return is_configuration(seen, event.receiver) or _is_named_like_one(seen, event.receiver)
    is_its_own = container.startswith(_NAMESPACE) or not event.is_extension
    return is_its_own and is_configuration(seen, subject_of(event))


def is_configuration(seen: Seen, value: Value | None) -> bool:
    type_id = type_id_of(value)
    return bool(type_id) and (type_id == _CONFIGURATION or _CONFIGURATION in seen.bases_of(type_id))


def type_id_of(value: Value | None) -> str:
    return value.type.id if value is not None and value.type is not None else ""


def _is_named_like_one(seen: Seen, value: Value | None) -> bool:
    """Of a value whose type was not found: it is called a configuration, and not one that ``System.Configuration`` opened."""
    if value is None or (value.type is not None and value.type.form is not TypeForm.UNRESOLVED):
        return False
    name = value.local or value.unbound_name or (parse_id(value.symbol_id).name if value.symbol_id else "")
    return name.lower().lstrip("_") in ("configuration", "config") and not _is_opened(seen, value)


def _is_opened(seen: Seen, value: Value) -> bool:
    """``WebConfigurationManager.OpenWebConfiguration("~")``, whose sections are those of another configuration."""
    maker = seen.document.events[value.origin] if value.origin != NOWHERE else None
    return (
        maker is not None
        and maker.receiver is not None
        and maker.receiver.unbound_name.endswith("ConfigurationManager")
    )


def _key(event: Event, parameter: str) -> Value | None:
    """Null where an overload without a key was chosen; of a method that was not found, the first text."""
    given = next((each.value for each in event.arguments if each.parameter == parameter), None)
    if given is None and event.target is None:
        given = next((each.value for each in event.arguments if type_id_of(each.value) == STRING), None)
    return given


def written(seen: Seen) -> frozenset[tuple[int, int]]:
    """Line and column of each indexer that an assignment is to."""
    return frozenset(
        (event.line, event.column)
        for event in seen.document.events
        if event.kind is EventKind.ASSIGNMENT and event.name == INDEXER
    )


def becomes(seen: Seen, sections: Iterable[int], is_read: Callable[[int], bool]) -> Mapping[int, Pattern | None]:
    """What the chain that takes each section does with it: binds it, or reads further in it (null). ``sections``: numbers of the events;
    those that are taken as they are, or into a local variable, are left out."""
    wanted = frozenset(sections)
    found: dict[int, Pattern | None] = {}
    for number, event in enumerate(seen.document.events):
        subject = subject_of(event)
        if is_read(number) and _made_by(subject) in wanted:
            found[_made_by(subject)] = None
            continue
        pattern = _TAKING.get(event.name) if event.kind is EventKind.INVOCATION else None
        if pattern is None:
            continue
        values = [each.value for each in event.arguments]
        if pattern is not Pattern.CONFIGURE and event.receiver is not None:
            values.append(event.receiver)
        for value in values:
            if _made_by(value) in wanted:
                found[_made_by(value)] = pattern
    return found


_TAKING: Final = {"Configure": Pattern.CONFIGURE, "Bind": Pattern.BIND, "Get": Pattern.GET}


def _made_by(value: Value | None) -> int:
    """The event that a value is the result of, where it stands in the same chain."""
    return value.origin if value is not None and not value.local else NOWHERE
