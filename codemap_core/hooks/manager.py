"""Loads plug-ins and offers what they provide, typed.

``load_plugins`` is a factory: no state outside the ``PluginHost`` it returns. Built-in plug-ins arrive by the same
entry points as any other. A plug-in that cannot be loaded, misspells a hook, raises in one or registers something
unusable is reported in ``problems`` and isolated; what the others provide is the same as without it. So is one that ends
its process while it is imported or in a hook, which is tried in a copy of this process where it is installed and not
built in. A worker process inherits the host over fork or calls ``load_plugins`` again with the same ``blocked``.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import threading
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pluggy
from msgspec import Struct, field
from msgspec.structs import replace

from codemap_core.distributions import InstalledEntry, installed_entries
from codemap_core.forking import endings_of
from codemap_core.hooks.contracts import LanguageFrontEnd, ProjectLoader
from codemap_core.hooks.extractors import Extractor, FactExtractor, ReferenceExtractor, SymbolExtractor
from codemap_core.hooks.foreign_code import StrayError, foreign_code
from codemap_core.hooks.markers import ENTRY_POINT_GROUP, PROJECT_NAME
from codemap_core.hooks.registry import Owner, PluginProblem, Registration, Registry, Resolution, resolve
from codemap_core.hooks.specs import RegistrationSpecs
from codemap_core.hooks.tool import ToolFamily
from codemap_core.hooks.validation import EXTENSION_POINTS, ExtensionPoint
from codemap_core.model import FactKind, FactKindInfo, FactSource, FactSources
from codemap_core.model.meanings import Meanings, joined

if TYPE_CHECKING:  # it takes long to import
    from importlib.metadata import EntryPoint

BLOCK_VARIABLE: Final = "CODEMAP_BLOCK_PLUGINS"
"""Environment variable: names of plug-ins that are not loaded, separated by commas."""
BUILT_IN_DISTRIBUTION: Final = "codemap"
LOADING_SECONDS: Final = 30.0
"""How long the import of a plug-in may take, or a hook of it, where it is tried."""
EXTRACTING: Final = ("symbol_extractors", "reference_extractors", "fact_extractors")
"""The extension points of extractors."""
HOOKS: Final = tuple(point.hook for point in EXTENSION_POINTS)


class PluginInfo(Struct, frozen=True, kw_only=True):
    """A plug-in as ``codemap plugins`` lists it."""

    name: str
    distribution: str
    version: str
    provides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Extension point to the names of what was accepted there; points without any are left out."""
    problems: tuple[PluginProblem, ...] = ()
    blocked: bool = False


class PluginHost:
    """What the loaded plug-ins provide. Each extension point is asked once, when it is first needed."""

    def __init__(
        self,
        manager: pluggy.PluginManager,
        owners: Mapping[str, Owner],
        blocked: tuple[Owner, ...],
        problems: Iterable[PluginProblem],
        untried: frozenset[str] = frozenset(),
    ) -> None:
        """``untried``: names of the plug-ins whose hooks may end their process."""
        self._untried = untried
        self._manager = manager
        self._owners = owners
        self._blocked = blocked
        self._loading_problems = tuple(problems)
        self._resolutions: dict[str, Resolution[Any]] = {}
        self._lock = threading.RLock()

    @property
    def languages(self) -> tuple[LanguageFrontEnd, ...]:
        return self._resolution("languages").items

    @property
    def project_loaders(self) -> tuple[ProjectLoader, ...]:
        return self._resolution("project_loaders").items

    @property
    def symbol_extractors(self) -> tuple[SymbolExtractor, ...]:
        return self._resolution("symbol_extractors").items

    @property
    def reference_extractors(self) -> tuple[ReferenceExtractor, ...]:
        return self._resolution("reference_extractors").items

    @property
    def fact_extractors(self) -> tuple[FactExtractor, ...]:
        return self._resolution("fact_extractors").items

    @property
    def fact_kinds(self) -> tuple[FactKindInfo, ...]:
        return self._resolution("fact_kinds").items

    @property
    def fact_sources(self) -> FactSources:
        """Every kind of facts that is known here."""
        infos = {info.name: info for info in self.fact_kinds}
        plugins: dict[str, set[str]] = {kind: set() for kind in (*(kind.value for kind in FactKind), *infos)}
        for each in self._resolution("fact_extractors").accepted:
            for kind in each.item.kinds:
                plugins.setdefault(kind, set()).add(each.owner.name)
        return FactSources(
            tuple(
                FactSource(
                    kind,
                    infos[kind].title if kind in infos else kind,
                    tuple(sorted(names)),
                    infos[kind].shown if kind in infos else (),
                )
                for kind, names in sorted(plugins.items())
            ),
            tuple(sorted(owner.name for owner in self._blocked)),
        )

    @property
    def meanings(self) -> Meanings:
        """Those of all plug-ins, joined."""
        return joined(self._resolution("meanings").items)

    @property
    def extractors(self) -> tuple[Registration[Extractor], ...]:
        """Of symbols, then of references, then of facts; each with the plug-in it comes from."""
        return tuple(each for point in EXTRACTING for each in self._resolution(point).accepted)

    def owner_of(self, item: LanguageFrontEnd | ProjectLoader) -> Owner:
        """The plug-in that an item comes from."""
        for point in ("languages", "project_loaders"):
            for each in self._resolution(point).accepted:
                if each.item is item:
                    return each.owner
        raise KeyError(item.name)

    @property
    def tool_families(self) -> tuple[ToolFamily, ...]:
        return self._resolution("tool_families").items

    @property
    def tool_owners(self) -> Mapping[str, Owner]:
        """The plug-in that each tool comes from, by the name of the tool."""
        return {
            tool.name: each.owner for each in self._resolution("tool_families").accepted for tool in each.item.tools
        }

    @property
    def problems(self) -> tuple[PluginProblem, ...]:
        """Everything that is wrong with any plug-in, sorted. Calls every hook."""
        for point in EXTENSION_POINTS:
            self._resolution(point.name)
        return self.known_problems

    @property
    def known_problems(self) -> tuple[PluginProblem, ...]:
        """The problems of loading and of the extension points asked for so far, sorted."""
        with self._lock:
            found = {problem for resolution in self._resolutions.values() for problem in resolution.problems}
        return tuple(sorted(found.union(self._loading_problems)))

    @property
    def plugins(self) -> tuple[PluginInfo, ...]:
        """Every plug-in that was found, blocked and broken ones too, by name."""
        problems = self.problems
        infos = []
        for owner in self._owners.values():
            provides = {
                point.name: names
                for point in EXTENSION_POINTS
                if (
                    names := tuple(
                        each.item.name for each in self._resolution(point.name).accepted if each.owner == owner
                    )
                )
            }
            infos.append(_info(owner, provides, problems))
        infos += [replace(_info(owner, {}, ()), blocked=True) for owner in self._blocked]
        return tuple(sorted(infos, key=lambda info: (info.name, info.distribution)))

    def fingerprints(self) -> Mapping[str, str]:
        """Name of each plug-in that provides for indexing → 16 hex digits that change whenever it might give another index: its
        version, what it provides, and the fingerprints that its languages and extractors have. Tool families do not count."""
        lines: dict[str, set[str]] = {}
        for point in EXTENSION_POINTS:
            if point.indexing:
                for each in self._resolution(point.name).accepted:
                    owner = each.owner
                    lines.setdefault(owner.name, set()).add(
                        f"{owner.distribution} {owner.version} {point.name} {each.item.name} "
                        f"{getattr(each.item, 'fingerprint', '')} {getattr(each.item, 'row_fingerprint', '')}"
                    )
        return {
            name: hashlib.sha256("\n".join(sorted(found)).encode("utf-8", "replace")).hexdigest()[:16]
            for name, found in sorted(lines.items())
        }

    def _resolution(self, point_name: str) -> Resolution[Any]:
        with self._lock:
            if point_name not in self._resolutions:
                point = next(point for point in EXTENSION_POINTS if point.name == point_name)
                self._resolutions[point_name] = self._ask(point)
            return self._resolutions[point_name]

    def _ask(self, point: ExtensionPoint) -> Resolution[Any]:
        """Calls one hook plug-in by plug-in, so that one which raises takes nothing of another with it; what it had
        registered in that hook before it raised is dropped."""
        valid: list[Registration[Any]] = []
        problems: list[PluginProblem] = []
        asked = [owner for name, owner in self._owners.items() if self._manager.has_plugin(name)]
        untried = [owner for owner in asked if owner.name in self._untried and self._implements(owner, point)]
        endings = endings_of([partial(self._registered, owner, point) for owner in untried], LOADING_SECONDS)
        ended = {untried[number]: ending for number, ending in endings.items()}
        for owner in asked:
            if owner in ended:
                problems.append(_problem(owner, f"{ended[owner]} in {point.hook}; it provides no {point.name}"))
                continue
            try:
                checked = self._registered(owner, point)
            except (Exception, SystemExit) as error:
                problems.append(_problem(owner, f"{point.hook} raised {_describe(error)}; it provides no {point.name}"))
                continue
            valid += [each for each, problem in checked if problem is None]
            problems += [
                each.problem(f"{point.name}: {problem}. Report it to the authors of {owner}.")
                for each, problem in checked
                if problem is not None
            ]
        resolution = resolve(valid, point.claims)
        idle = self._idle(resolution.accepted) if point.name in EXTRACTING else ()
        return Resolution(resolution.accepted, tuple(sorted({*problems, *resolution.problems, *idle})))

    def _implements(self, owner: Owner, point: ExtensionPoint) -> bool:
        callers = self._manager.get_hookcallers(self._manager.get_plugin(owner.name)) or ()
        return any(caller.name == point.hook for caller in callers)

    def _registered(self, owner: Owner, point: ExtensionPoint) -> list[tuple[Registration[Any], str | None]]:
        """What one plug-in adds in a hook, each with what is wrong with it. Raises: whatever the plug-in raises, and StrayError."""
        registry: Registry[Any] = Registry(owner, point.name)
        others = [plugin for name, plugin in self._manager.list_name_plugin() if name != owner.name]
        with foreign_code(owner.built_in):
            self._manager.subset_hook_caller(point.hook, others)(registry=registry)
            return [_checked(each, point) for each in registry.registrations()]

    def _idle(self, extractors: Iterable[Registration[Extractor]]) -> Iterable[PluginProblem]:
        """Extractors of third parties that are never called, as nothing here reads the language they ask for."""
        known = [language.name for language in self.languages]
        for each in extractors:
            wanted = each.item.language
            if wanted and wanted not in known and not each.item.interests.files and not each.owner.built_in:
                yield each.problem(
                    f"{each.point}: {each.item.name!r} of plug-in {each.owner} asks for documents of the language {wanted!r}, "
                    f"which no plug-in here reads, so it is never called.{_suggestion(wanted, known)} "
                    f"Languages: {', '.join(known) or 'none'}."
                )


def load_plugins(
    blocked: Iterable[str] | None = None,
    extra: Mapping[str, object] | None = None,
    installed: Iterable[EntryPoint] | None = None,
) -> PluginHost:
    """Loads every plug-in behind an entry point of the group ``codemap``, and those in ``extra`` by the name given
    there.

    ``blocked``: names not to load; by default those of ``CODEMAP_BLOCK_PLUGINS``. ``installed``: entry points to use in
    place of the environment's. Never raises for a plug-in; imports each plug-in's module and nothing else.
    """
    refused = frozenset(_blocked_by_environment() if blocked is None else blocked)
    entries = installed_entries(ENTRY_POINT_GROUP) if installed is None else map(InstalledEntry.of, installed)
    found = [(_owner_of(entry), entry) for entry in entries]
    found.sort(key=lambda pair: (pair[0].precedence, pair[1].value))
    candidates: list[tuple[Owner, object]] = [
        *found,
        *((Owner(name), plugin) for name, plugin in sorted((extra or {}).items())),
    ]
    manager = pluggy.PluginManager(PROJECT_NAME)
    manager.add_hookspecs(RegistrationSpecs)
    owners: dict[str, Owner] = {}
    sources: list[tuple[Owner, object]] = []
    problems = _unknown_names(refused, {owner.name for owner, _ in candidates})
    for owner, source in candidates:
        if owner.name in refused:
            continue
        if owner.name in owners:
            if owners[owner.name] != owner:
                problems.append(_same_name(owner, owners[owner.name]))
            continue
        owners[owner.name] = owner
        sources.append((owner, source))
    foreign = [
        (owner, source) for owner, source in sources if isinstance(source, InstalledEntry) and not owner.built_in
    ]
    endings = endings_of([source.load for _, source in foreign], LOADING_SECONDS)
    ended = {foreign[number][0].name: ending for number, ending in endings.items()}
    for owner, source in sources:
        if owner.name in ended:
            problems.append(_problem(owner, f"{ended[owner.name]} when it is imported. {_advice(owner)}"))
        else:
            problems += _load(manager, owner, source)
    blocked_owners = tuple(owner for owner, _ in candidates if owner.name in refused)
    return PluginHost(manager, owners, blocked_owners, problems, frozenset(owner.name for owner, _ in foreign))


def _load(manager: pluggy.PluginManager, owner: Owner, source: object) -> list[PluginProblem]:
    """Imports one plug-in and registers it; answers with what is wrong with it."""
    try:
        with foreign_code(owner.built_in):
            plugin = source.load() if isinstance(source, InstalledEntry) else source
    except (Exception, SystemExit) as error:
        what = f"cannot be loaded from {source.value}" if isinstance(source, InstalledEntry) else "cannot be loaded"
        return [_problem(owner, f"{what}: {_describe(error)}. {_advice(owner)}")]
    try:
        hash(plugin)  # pluggy keeps plug-ins in sets, and would raise for every other one at every hook
        registered = manager.register(plugin, owner.name)
        callers = (manager.get_hookcallers(plugin) if registered else None) or []
    except (Exception, SystemExit) as error:
        if manager.has_plugin(owner.name):
            manager.unregister(name=owner.name)
        return [
            _problem(
                owner, f"is not usable: {_describe(error)}. docs/plugins.md has the exact arguments of every hook."
            )
        ]
    if not callers:
        return [_problem(owner, "implements no hook. Mark its functions with codemap_core.hooks.hookimpl.")]
    return [
        _problem(owner, f"implements {caller.name}, which is not a hook.{_suggestion(caller.name, HOOKS)}")
        for caller in sorted(callers, key=lambda caller: caller.name)
        if caller.spec is None
        and any(impl.plugin is plugin and not impl.optionalhook for impl in caller.get_hookimpls())
    ]


def _checked(registration: Registration[Any], point: ExtensionPoint) -> tuple[Registration[Any], str | None]:
    """The registration as it is used, and what is wrong with it. What is built in is looked at by a test, and not at every start."""
    if registration.owner.built_in:
        return registration, None
    try:
        registration = replace(registration, item=point.held(registration.item))
    except Exception as error:
        return (
            registration,
            f"reading the attributes of {type(registration.item).__name__} raised {_describe(error)}",
        )
    return registration, point.problem_of(registration.item)


def _advice(owner: Owner) -> str:
    return f"Reinstall {owner.distribution or owner.name}, or block it."


def _owner_of(entry: InstalledEntry) -> Owner:
    name = entry.distribution.lower().replace("_", "-")
    return Owner(entry.name, name, entry.version, built_in=name == BUILT_IN_DISTRIBUTION)


def _blocked_by_environment() -> list[str]:
    return [name for part in os.environ.get(BLOCK_VARIABLE, "").split(",") if (name := part.strip())]


def _unknown_names(refused: Iterable[str], known: set[str]) -> list[PluginProblem]:
    return [
        PluginProblem(
            name, "", f"plug-in {name} is blocked but not installed.{_suggestion(name, known)} Check {BLOCK_VARIABLE}."
        )
        for name in sorted(refused)
        if name not in known
    ]


def _same_name(owner: Owner, holder: Owner) -> PluginProblem:
    return _problem(owner, f"is left out, because its name already belongs to {holder}. Uninstall one of the two.")


def _suggestion(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f" Did you mean {near[0]}?" if near else ""


def _problem(owner: Owner, message: str) -> PluginProblem:
    return PluginProblem(owner.name, owner.distribution, f"plug-in {owner} {message}")


def _describe(error: BaseException) -> str:
    text = str(error).strip()
    if isinstance(error, StrayError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _info(owner: Owner, provides: Mapping[str, tuple[str, ...]], problems: Iterable[PluginProblem]) -> PluginInfo:
    own = tuple(each for each in problems if (each.plugin, each.distribution) == (owner.name, owner.distribution))
    return PluginInfo(
        name=owner.name, distribution=owner.distribution, version=owner.version, provides=provides, problems=own
    )
