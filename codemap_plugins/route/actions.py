"""The routes of controllers: every combination of class template, method template and verb, as MVC makes selectors of attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from codemap_core.facts import read_note_data
from codemap_core.hooks.extractors import Note
from codemap_core.model import Confidence, FactRow
from codemap_plugins.aspnet.attribute_classes import AttributeClasses, AttributeUse, PassedOn, Said
from codemap_plugins.aspnet.endpoint_calls import ANY
from codemap_plugins.aspnet.guards import guard_of
from codemap_plugins.route.attributes import is_provider, template_of, verbs_of
from codemap_plugins.route.classic import Classic, area_of, conventions, ways
from codemap_plugins.route.controllers import ACTION, CONTROLLER, PASSED_ON, ActionNote, ControllerNote
from codemap_plugins.route.libraries import ODataPrefixes, odata_rows
from codemap_plugins.route.route_rows import Source, route_row
from codemap_plugins.route.templates import action_name, controller_name, of_action, with_tokens

_CONTROLLER: Final = "Controller"


class Selector(Struct, frozen=True):
    """A template of a method, null for none, with its verbs."""

    template: str | None
    verbs: tuple[str, ...]


class NamedAction(Struct, frozen=True):
    """An action as links name it. ``area``: empty for none; ``verbs``: that it answers to, ``ANY`` for all."""

    id: str
    project: str
    controller_id: str
    area: str
    controller: str
    action: str
    verbs: frozenset[str]
    parameters: frozenset[str]
    """Names, in lower case."""
    of_application: bool
    routes: frozenset[str]
    """Names of its routes that attributes give, in lower case."""


class Described(Struct, frozen=True):
    """What the attributes of an action say, and beside the template those of its controller."""

    said: Sequence[Said]
    """Of the action alone."""
    selectors: Sequence[Selector]
    area: str | None
    authorize: str
    versions: str


def attribute_classes(notes: Iterable[Note]) -> AttributeClasses:
    """Those of all documents."""
    return AttributeClasses(read_note_data(each.data, PassedOn) for each in notes if each.topic == PASSED_ON)


class Controllers:
    """Those of all documents, and the methods that may be actions."""

    def __init__(self, notes: Iterable[Note], classes: AttributeClasses) -> None:
        self.classes: Final = classes
        self.types: Final[dict[tuple[str, str], ControllerNote]] = {}
        """By project and id."""
        self.actions: Final[dict[str, dict[str, list[ActionNote]]]] = {}
        """By container and project."""
        for note in notes:
            if note.topic == CONTROLLER:
                type_ = read_note_data(note.data, ControllerNote)
                self.types.setdefault((type_.project, type_.id), type_)
            elif note.topic == ACTION:
                action = read_note_data(note.data, ActionNote)
                self.actions.setdefault(action.container, {}).setdefault(action.project, []).append(action)

    @cached_property
    def every(self) -> Sequence[tuple[Controller, Sequence[ActionNote]]]:
        """Each class that may be a controller, with what may be its actions."""
        return [(Controller(each, self.classes), list(_actions_of(each, self.actions))) for each in self.types.values()]

    @cached_property
    def named(self) -> Sequence[NamedAction]:
        """All actions of controllers, as links name them."""
        return [
            controller.named(action)
            for controller, actions in self.every
            if controller.is_controller
            for action in actions
        ]


def controller_routes(controllers: Controllers, notes: Sequence[Note]) -> Iterator[FactRow]:
    """The routes of all documents' controllers."""
    prefixes = ODataPrefixes(notes)
    mapped = conventions(notes)
    for controller, actions in controllers.every:
        type_ = controller.note
        for action in actions:
            if controller.is_controller and type_.classic is not None:
                templates = mapped.get((type_.project, type_.classic, area_of(type_.id)), ())
                yield from controller.classic_rows(type_.classic, action, templates)
            elif controller.is_controller:
                rows = list(controller.rows(action))
                yield from rows or (odata_rows(type_, action, prefixes.of(type_.project)) if type_.is_odata else ())
            elif action.endpoint:
                yield from controller.rows(action)
    for container, by_project in controllers.actions.items():
        for project, methods in by_project.items():
            if (project, container) not in controllers.types:
                for action in methods:
                    if action.endpoint:
                        yield from _endpoint_rows(action, controllers.classes)


def _actions_of(type_: ControllerNote, actions: dict[str, dict[str, list[ActionNote]]]) -> Iterator[ActionNote]:
    """Its own and those it inherits, without what is overridden. Two projects may declare types of one name: those of its own come
    first."""
    gone: set[str] = set()
    for level in (type_.id, *type_.bases):
        by_project = actions.get(level, {})
        own = by_project.get(type_.project)
        for action in own if own is not None else next(iter(by_project.values()), ()):
            if action.id in gone:
                continue
            gone.update((action.id, *action.overrides))
            is_action = not any(each.family == "NonAction" for each in action.attributes)
            if is_action and not action.is_abstract:
                yield action


class Controller:
    """One class with what its attributes say."""

    def __init__(self, note: ControllerNote, classes: AttributeClasses) -> None:
        self.note: Final = note
        self._classes: Final = classes
        self._known: Final[dict[str, Described]] = {}
        """What was described, by the ids of actions."""
        self._levels: Final[dict[str, list[Said]]] = {}
        for use in note.attributes:
            self._levels.setdefault(use.declared_on or note.id, []).append(classes.said(use))

    @cached_property
    def is_controller(self) -> bool:
        families = {said.family for level in self._levels.values() for said in level}
        is_marked = bool({"Controller", "ApiController"} & families)
        named = self.note.name.endswith(_CONTROLLER)
        return self.note.is_routable and "NonController" not in families and (self.note.derives or is_marked or named)

    @cached_property
    def templates(self) -> list[str]:
        """Of the nearest class of the base chain that has any."""
        for level in (self.note.id, *self.note.bases):
            found = [template_of(said) for said in self._levels.get(level, ()) if is_provider(said)]
            templates = [each for each in found if each is not None]
            if templates:
                return list(dict.fromkeys(templates))
        return []

    def rows(self, action: ActionNote) -> Iterator[FactRow]:
        described = self._described(action)
        said, selectors = described.said, described.selectors
        templates: Sequence[str | None] = self.templates or [None]
        tokens = {"controller": controller_name(self.note.name), "action": _name_of(action, said)}
        if described.area is not None:
            tokens["area"] = described.area
        implicit = not any(is_provider(each) for each in said)
        is_lost = not all(each.is_bound for each in said)
        combined = [
            (of_action(prefix, selector.template), selector.verbs) for selector in selectors for prefix in templates
        ]
        for template, verbs in dict.fromkeys(combined):
            if template is None and not (len(selectors) == 1 and self._is_conventional):
                continue
            is_sure = template is not None and (action.gives_result or not implicit)
            written = template
            if written is None:
                written = "/".join(tokens[each] for each in ("area", "controller", "action") if each in tokens)
            yield from _rows(
                action,
                verbs,
                with_tokens(written, tokens),
                with_tokens(written, tokens, str.lower),
                self.note.id,
                described,
                Confidence.LOW if is_lost else Confidence.HIGH if is_sure else Confidence.MEDIUM,
            )

    def named(self, action: ActionNote) -> NamedAction:
        described = self._described(action)
        said = described.said
        verbs = frozenset(verb for each in described.selectors for verb in each.verbs)
        area = area_of(self.note.id) if self.note.classic is not None else described.area
        return NamedAction(
            action.id,
            self.note.project,
            self.note.id,
            area or "",
            controller_name(self.note.name),
            _name_of(action, said),
            verbs,
            frozenset(each.lower() for each in action.parameters),
            self.note.of_application,
            frozenset(name.lower() for each in said if is_provider(each) and (name := each.text("Name"))),
        )

    def classic_rows(self, classic: Classic, action: ActionNote, templates: Sequence[str]) -> Iterator[FactRow]:
        """Of ASP.NET MVC 5 and Web API 2. ``templates``: of the conventions for it."""
        own = self._levels.get(self.note.id, [])
        described = self._described(action)
        found = ways(classic, self.note.name, own, described.said, action.name, action.parameters, templates)
        for way in found:
            yield route_row(
                action.place,
                action.id,
                way.verb,
                way.template,
                Source.CONTROLLER,
                handler=action.id,
                controller=self.note.id,
                confidence=Confidence.LOW,
                authorize=described.authorize,
                beyond=True,
            )

    @property
    def _is_conventional(self) -> bool:
        """Actions without any template are reached by conventional routes; those of an API controller are not, and a class that is a
        controller by its name alone may be something else."""
        return (
            self.note.derives
            and not self.note.is_odata
            and not any(said.family == "ApiController" for level in self._levels.values() for said in level)
        )

    def _described(self, action: ActionNote) -> Described:
        known = self._known.get(action.id)
        if known is None:
            known = self._known[action.id] = self._describe(said_of(action.attributes, self._classes))
        return known

    @cached_property
    def _on_class(self) -> Sequence[Said]:
        """Of the class and of its base classes."""
        return [each for level in (self.note.id, *self.note.bases) for each in self._levels.get(level, ())]

    def _describe(self, said: Sequence[Said]) -> Described:
        on_class = self._on_class
        own = self._levels.get(self.note.id, [])
        area = next((each.text("areaName", "area") for each in (*said, *on_class) if each.family == "Area"), None)
        versions = versions_of(said) or versions_of(own)
        return Described(said, list(selectors_of(said)), area, guard_of((*said, *on_class)), versions)


def _name_of(action: ActionNote, said: Iterable[Said]) -> str:
    name = next((each.text("name") for each in said if each.family == "ActionName"), None)
    return name or action_name(action.name)


def said_of(uses: Iterable[AttributeUse], classes: AttributeClasses) -> list[Said]:
    """What the attributes of a method say. Routes of a method that it overrides count where it has none of its own."""
    own: list[Said] = []
    inherited: dict[str, list[Said]] = {}
    for use in uses:
        said = classes.said(use)
        if not use.declared_on or not is_provider(said):
            own.append(said)
        else:
            inherited.setdefault(use.declared_on, []).append(said)
    if inherited and not any(is_provider(each) for each in own):
        own += next(iter(inherited.values()))
    return own


def selectors_of(said: Iterable[Said]) -> Iterator[Selector]:
    """As ``DefaultApplicationModelProvider.CreateSelectors``: each attribute with a template is a route with its own verbs; one that says
    no verb takes those of the attributes without a template; which are one more route beside templates that all say verbs."""
    providers = [each for each in said if is_provider(each)]
    silent = [each for each in providers if template_of(each) is None]
    shared = tuple(dict.fromkeys(verb for each in silent for verb in verbs_of(each) or ()))
    routed = [each for each in providers if template_of(each) is not None]
    for each in routed:
        verbs = verbs_of(each)
        yield Selector(template_of(each), (verbs if verbs is not None else shared) or (ANY,))
    if not routed or (silent and all(verbs_of(each) is not None for each in routed)):
        yield Selector(None, shared or (ANY,))


def versions_of(said: Iterable[Said]) -> str:
    found = [text for each in said if each.family in ("ApiVersion", "MapToApiVersion") for text in _version(each)]
    return ", ".join(dict.fromkeys(found))


def _version(said: Said) -> Iterator[str]:
    """``"1.0"``, ``1.0`` or ``1, 0``."""
    parts = [
        texts[0] for name, texts in said.texts.items() if texts and name in ("version", "majorVersion", "minorVersion")
    ]
    if parts:
        yield ".".join(parts)


def _rows(
    action: ActionNote,
    verbs: Iterable[str],
    template: str,
    value_template: str,
    controller: str,
    described: Described,
    confidence: Confidence,
) -> Iterator[FactRow]:
    for verb in verbs:
        yield route_row(
            action.place,
            action.id,
            verb,
            template,
            Source.CONTROLLER,
            value_template=value_template,
            handler=action.id,
            controller=controller,
            confidence=confidence,
            authorize=described.authorize,
            versions=described.versions,
        )


def _endpoint_rows(action: ActionNote, classes: AttributeClasses) -> Iterator[FactRow]:
    """Rule endpoint_class: a class of an endpoint library that did not bind has no template of its own."""
    said = said_of(action.attributes, classes)
    if not any(verbs_of(each) for each in said):
        return
    described = Described(said, list(selectors_of(said)), None, guard_of(said), versions_of(said))
    for selector in described.selectors:
        template = of_action(None, selector.template) or ""
        yield from _rows(action, selector.verbs, template, template, action.container, described, Confidence.MEDIUM)
