"""Keys that are used, joined with those that settings files define, over all documents.

Keys are the same in any case. An environment variable ``A__B`` is the key ``A:B``. What is said of a key is what the repository's own
files say: a vault, a container or the machine may define it as well, and a library may read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from codemap_core.facts import read_note_data
from codemap_core.hooks.extractors import Note
from codemap_core.model import HOLE
from codemap_plugins.config.bindings import OptionsKey
from codemap_plugins.config.reads import TAKES_ALL, Pattern
from codemap_plugins.config.settings_files import DEFINED, DefinedKey
from codemap_plugins.config.uses import Use, is_known

SHOWN: Final = 3
"""The maximum number of files or symbols that a fact names."""
_READ_BY_LIBRARIES: Final = frozenset(
    {
        *("allowedhosts", "apppaths", "applicationinsights", "connectionstrings", "detailederrors"),
        *("featuremanagement", "hostingstartup", "https_port", "kestrel", "logging", "nlog", "reverseproxy"),
        *("serilog", "urls", "$schema"),
    }
)
"""First segments of keys that the host and well-known libraries read by themselves."""
_CLASSIC_READ_BY_LIBRARIES: Final = frozenset(
    {
        *("aspnet", "owin", "vs", "webpages"),
        *("autoformsauthentication", "enablesimplemembership", "loginurl", "preserveloginurl"),
        *("clientvalidationenabled", "unobtrusivejavascriptenabled"),
    }
)
"""First segments of what ASP.NET reads of ``appSettings``."""
_APP_SETTINGS: Final = Pattern.APP_SETTINGS.value.lower()
_FRAMEWORK_VARIABLES: Final = ("aspnetcore_", "dotnet_", "otel_")


def normal(key: str) -> str:
    """One spelling of a key: without case, with colons."""
    return key.lower().replace("__", ":")


class Definitions:
    """What settings files define."""

    def __init__(self, notes: Iterable[Note]) -> None:
        keys = (read_note_data(note.data, DefinedKey) for note in notes if note.topic == DEFINED)
        self.keys: Final = tuple(dict.fromkeys(keys))
        self._leaves: Final[dict[str, dict[str, None]]] = {}
        self._around: Final[dict[str, dict[str, None]]] = {}
        for each in self.keys:
            key = normal(each.key)
            self._leaves.setdefault(key, {})[each.file_path] = None
            for outer in _outer(key):
                self._around.setdefault(outer, {})[each.file_path] = None

    def files(self, key: str) -> tuple[str, ...]:
        """Those that define a key, something under it, or the array that it is in."""
        sought = normal(key)
        found = {**self._leaves.get(sought, {}), **self._around.get(sought, {})}
        for outer in _outer(sought):
            found |= self._leaves.get(outer, {})
        return tuple(sorted(found))


class Uses:
    """What code uses, and who."""

    def __init__(self, uses: Iterable[Use], options: Iterable[OptionsKey]) -> None:
        self._exact: Final[dict[str, dict[str, None]]] = {}
        self._under: Final[dict[str, dict[str, None]]] = {}
        self._reads_anything = False
        for each in uses:
            if each.note.is_write:
                continue
            if not each.is_known:
                if not each.is_settled:
                    self._add_unknown(each)
                continue
            found = self._under if each.note.pattern in TAKES_ALL else self._exact
            found.setdefault(normal(each.key), {})[each.note.owner or ""] = None
        for option in options:
            self._exact.setdefault(normal(option.key), {})[option.property.symbol_id] = None

    def _add_unknown(self, use: Use) -> None:
        """A key with a hole may be any key under what stands before the hole."""
        known = normal(use.key.partition(HOLE)[0]).rpartition(":")[0]
        if known:
            self._under.setdefault(known, {})[use.note.owner or ""] = None
        else:
            self._reads_anything = True

    def of(self, key: str) -> tuple[str, ...]:
        """The symbols that use a key, those that take a section around it last."""
        sought = normal(key)
        found = {**self._exact.get(sought, {}), **self._under.get(sought, {})}
        for outer in _outer(sought):
            found |= {**self._exact.get(outer, {}), **self._under.get(outer, {})}
        return tuple(owner for owner in found if owner)

    def is_unused(self, defined: DefinedKey) -> bool:
        """No code of the repository uses it, as far as keys are known, and nothing says that a library does."""
        key = normal(defined.key)
        if self._reads_anything or self.of(defined.key):
            return False
        if defined.pattern is Pattern.LAUNCH and key.startswith(_FRAMEWORK_VARIABLES):
            return False
        first, _, rest = key.partition(":")
        if first == _APP_SETTINGS and rest.partition(":")[0] in _CLASSIC_READ_BY_LIBRARIES:
            return False
        return first not in _READ_BY_LIBRARIES


def _outer(key: str) -> Iterator[str]:
    """The sections around a key, nearest first."""
    while ":" in key:
        key = key.rpartition(":")[0]
        yield key


def is_undefined(use: Use, definitions: Definitions) -> bool:
    """The repository has settings files, and none of them defines a key that is read from the configuration."""
    note = use.note
    reads = note.pattern is not Pattern.ENVIRONMENT and not note.is_write and is_known(use.key)
    return reads and bool(definitions.keys) and not definitions.files(use.key)
