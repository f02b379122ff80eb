"""What one statement of an application demands of the callers of many endpoints: of all controllers or pages
(``MapControllers().RequireAuthorization()``, an ``AuthorizeFilter``), of the pages of a folder (``AuthorizeFolder``), and of every endpoint
of which nothing else is demanded (``FallbackPolicy``).

It holds for the endpoints of the application's own project, and for those of a library where all applications that see it agree. A
statement that need not run, as it stands in a branch, makes its whole sort unknown, as do calls that map with different demands; nothing
is added then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import Journeys, Trail, Trails, subject_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import FactRow
from codemap_core.model.bound import Event, EventKind
from codemap_plugins.aspnet.global_filters import Framework, global_filter
from codemap_plugins.aspnet.guards import ANONYMOUS, AUTHENTICATED, joined_guards
from codemap_plugins.aspnet.page_conventions import page_convention
from codemap_plugins.aspnet.policies import DEFAULT, FALLBACK, definition
from codemap_plugins.route.actions import Controllers
from codemap_plugins.route.classic import Classic
from codemap_plugins.route.conventions import COMPONENTS, CONTROLLERS, PAGES, Conventions, is_sure
from codemap_plugins.route.folders import page_name
from codemap_plugins.route.marks import Mark, texts_of
from codemap_plugins.route.own_conventions import OwnConventions
from codemap_plugins.route.route_rows import Source, is_of_application
from codemap_plugins.route.sight import Sight

_TOPIC: Final = "general_demand"
_GUARD: Final = "authorize"
_GUARDED_BY: Final = "authorize_by"
"""Keys of a route's details."""


class Reach(StrEnum):
    """What a statement is for."""

    CONTROLLERS = "controllers"
    MVC_CONTROLLERS = "mvc_controllers"
    API_CONTROLLERS = "api_controllers"
    PAGES = "pages"
    COMPONENTS = "components"
    REST = "rest"
    """Every endpoint of which nothing is demanded."""


class Sort(StrEnum):
    MAPPING = "mapping"
    """A call that maps all of them, with what is demanded of its result."""
    PAGES = "pages"
    """A convention for pages."""
    FILTER = "filter"
    FALLBACK = "fallback"


_ALIKE: Final = frozenset({Sort.MAPPING, Sort.FALLBACK})
"""Sorts of which several statements must say the same; those of the others add to each other."""
_MAPPED: Final = {CONTROLLERS: Reach.CONTROLLERS, PAGES: Reach.PAGES, COMPONENTS: Reach.COMPONENTS}
_FILTERED: Final = {
    Framework.CORE: (Reach.CONTROLLERS, Reach.PAGES),
    Framework.MVC: (Reach.MVC_CONTROLLERS,),
    Framework.API: (Reach.API_CONTROLLERS,),
}
_REACHED: Final = {
    Source.CONTROLLER: Reach.CONTROLLERS,
    Source.ODATA: Reach.CONTROLLERS,
    Source.PAGE: Reach.PAGES,
    Source.COMPONENT: Reach.COMPONENTS,
}
_CLASSIC: Final = {Classic.MVC: Reach.MVC_CONTROLLERS, Classic.API: Reach.API_CONTROLLERS}
_ENDPOINTS: Final = frozenset({Source.MINIMAL, Source.HUB, Source.GRPC, Source.HEALTH, Source.WOLVERINE, *_REACHED})
"""What the fallback policy is for. Endpoints of FastEndpoints demand something of themselves; of a conventional route its actions demand
what they do; the others are not endpoints of ASP.NET Core."""


class GeneralDemand(Struct, frozen=True, array_like=True):
    """One statement of a project. ``by``: the name of what makes it. ``is_sure``: it runs whenever its member does, and what it demands is
    known. ``of_application``: the project is an application that tests nothing. ``trails``: of what a call maps on; ``marks``: conventions
    put on it. ``area`` and ``path``: of a convention, its page or folder."""

    project: str
    sort: Sort
    reach: tuple[Reach, ...]
    by: str
    demands: tuple[str, ...]
    is_sure: bool
    of_application: bool
    trails: tuple[Trail, ...] = ()
    marks: tuple[str, ...] = ()
    area: str = ""
    path: str = ""
    is_folder: bool = False


def general_notes(seen: Seen, conventions: Conventions, trails: Trails) -> Iterator[Note]:
    """The statements of one document."""
    for number, event in seen.events.items():
        said = _mapping(seen, event, conventions, trails) or _said(seen, number, event)
        if said is not None:
            yield Note(_TOPIC, seen.file_path, event.line, note_data(said))


def _mapping(seen: Seen, event: Event, conventions: Conventions, trails: Trails) -> GeneralDemand | None:
    reach = _MAPPED.get(event.name) if event.kind is EventKind.INVOCATION else None
    if reach is None or (event.target is not None and not event.external):
        return None
    return GeneralDemand(
        seen.document.project_path,
        Sort.MAPPING,
        (reach,),
        event.name,
        (),
        is_sure(seen, event) and conventions.are_sure_of(event),
        _is_of_application(seen),
        trails.of(subject_of(event), event.enclosing),
        conventions.of(event),
    )


def _said(seen: Seen, number: int, event: Event) -> GeneralDemand | None:
    project, of_application = seen.document.project_path, _is_of_application(seen)
    made = global_filter(seen, number)
    if made is not None:
        reach = _FILTERED[made.framework]
        return GeneralDemand(
            project, Sort.FILTER, reach, event.name, made.demands, is_sure(seen, event), of_application
        )
    defined = definition(seen, event)
    if defined is not None and defined.general == FALLBACK:
        demands = tuple(AUTHENTICATED if each == DEFAULT else each for each in defined.requires or ())
        if defined.name is not None:
            demands = (f"policy:{defined.name}",)
        is_known = (bool(demands) or defined.requires is None) and is_sure(seen, event)
        return GeneralDemand(project, Sort.FALLBACK, (Reach.REST,), FALLBACK, demands, is_known, of_application)
    convention = page_convention(event)
    if convention is None:
        return None
    is_known = convention.area is not None and convention.path is not None
    return GeneralDemand(
        project,
        Sort.PAGES,
        (Reach.PAGES,),
        event.name,
        (convention.demand,),
        is_known and is_sure(seen, event),
        of_application,
        area=convention.area or "",
        path=convention.path or "",
        is_folder=convention.is_folder,
    )


def _is_of_application(seen: Seen) -> bool:
    return is_of_application(seen) and seen.project is not None and not seen.project.is_test


class GeneralDemands:
    """Those of all documents."""

    def __init__(
        self, notes: Sequence[Note], journeys: Journeys, own: OwnConventions, controllers: Controllers
    ) -> None:
        self._sight: Final = Sight(notes)
        self._controllers: Final = controllers
        self._by_project: Final[dict[str, list[GeneralDemand]]] = {}
        self._applications: Final[dict[str, None]] = {}
        for note in notes:
            if note.topic == _TOPIC:
                said = _followed(read_note_data(note.data, GeneralDemand), journeys, own)
                self._by_project.setdefault(said.project, []).append(said)
                if said.of_application:
                    self._applications[said.project] = None

    def guarding(self, row: FactRow) -> FactRow:
        """A route with what its application demands beside what the route does itself."""
        found = {
            self._guard(row, project, application)
            for project in self._sight.compiling(row.file_path)
            for application in self._applications_of(project)
        }
        own = row.detail.get(_GUARD, "")
        if len(found) != 1:
            return row
        guard, by = found.pop()
        if guard == own:
            return row
        said = {_GUARD: guard} if own else {_GUARD: guard, _GUARDED_BY: by}
        return replace(row, detail={**row.detail, **said})

    def _applications_of(self, project: str) -> Sequence[str]:
        if project in self._by_project:
            return (project,)
        return [each for each in self._applications if project in self._sight.seen_from(each)[-1]]

    def _guard(self, row: FactRow, project: str, application: str) -> tuple[str, str]:
        """Who may call it, and the name of what says so."""
        said = self._by_project[application]
        source, own = Source(row.detail["source"]), row.detail.get(_GUARD, "")
        reach = self._reach(row, source, project)
        demands: list[str] = []
        by = ""
        for sort in (Sort.MAPPING, Sort.PAGES, Sort.FILTER):
            every = [each for each in said if each.sort is sort and reach in each.reach and _is_for(each, row)]
            found = _together(sort, every)
            demands += found
            by = by or _named(every if found else ())
        if not own and not demands and _falls_back(source, reach, said):
            demands += _together(Sort.FALLBACK, [each for each in said if each.sort is Sort.FALLBACK])
            by = FALLBACK
        return joined_guards(own, demands), by

    def _reach(self, row: FactRow, source: Source, project: str) -> Reach | None:
        controller = self._controllers.types.get((project, row.detail.get("controller", "")))
        if controller is not None and controller.classic is not None:
            return _CLASSIC[controller.classic]
        return _REACHED.get(source)


def _named(every: Sequence[GeneralDemand]) -> str:
    """What statements are called together: one that opens what it is for to everybody is the stronger."""
    return next((each.by for each in every if ANONYMOUS in each.demands), every[0].by if every else "")


def _falls_back(source: Source, reach: Reach | None, said: Iterable[GeneralDemand]) -> bool:
    """Whether the fallback policy is for a route; components are endpoints where a call maps them."""
    if reach is Reach.COMPONENTS:
        return any(reach in each.reach for each in said)
    return source in _ENDPOINTS and reach not in _CLASSIC.values()


def _is_for(said: GeneralDemand, row: FactRow) -> bool:
    """Whether a convention is for the page of a route; everything else is for all that it reaches."""
    if said.sort is not Sort.PAGES:
        return True
    name = page_name(row.file_path)
    if name is None or name.area.lower() != said.area.lower():
        return False
    path, own = said.path.lower(), name.path.lower()
    return own.startswith(f"{path}/") if said.is_folder else own == path


def _together(sort: Sort, every: Sequence[GeneralDemand]) -> tuple[str, ...]:
    """What the statements of one sort demand; nothing where that is not known."""
    if not all(each.is_sure for each in every):
        return ()
    found = dict.fromkeys(each.demands for each in every)
    if sort in _ALIKE:
        return next(iter(found)) if len(found) == 1 else ()
    return tuple(demand for each in found for demand in each)


def _followed(said: GeneralDemand, journeys: Journeys, own: OwnConventions) -> GeneralDemand:
    """A call that maps, with what is demanded of its result and of the groups that it maps on, if that is the same on every way there."""
    if said.sort is not Sort.MAPPING:
        return said
    added = {way.added for trail in said.trails for way in journeys.of(trail)} or {()}
    ways = {tuple(texts_of(Mark.GUARD, own.expanded((*each, *said.marks)))) for each in added}
    return replace(said, demands=min(ways), is_sure=said.is_sure and len(ways) == 1)
