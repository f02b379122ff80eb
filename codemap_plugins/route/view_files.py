"""Files of views, and where ASP.NET Core looks for one by its name (``RazorViewEngineOptions``, and the search of Razor Pages).

Paths are compared without case. They are relative to the project's folder; below a folder of a theme or a module, that folder comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_plugins.route.folders import VIEW
from codemap_plugins.route.route_rows import nearest

_VIEWS: Final = "Views"
_PAGES: Final = "Pages"
_AREAS: Final = "Areas"
_SHARED: Final = "Shared"
_COMPONENTS: Final = "Components"
_ABSOLUTE: Final = ("~/", "/")


class ViewFile(Struct, frozen=True, array_like=True):
    path: str
    project: str
    of_application: bool
    """Its project is an application, not a library."""


class Origin(Struct, frozen=True):
    """Who looks for a view."""

    project: str
    of_application: bool


class FoundView(Struct, frozen=True):
    path: str
    is_own: bool
    """It belongs to the project that looks for it."""


class ViewFiles:
    """All views of the repository."""

    def __init__(self, files: Iterable[ViewFile]) -> None:
        self._by_place: Final[dict[str, list[ViewFile]]] = {}
        self._of_components: Final[dict[str, list[ViewFile]]] = {}
        """By the last three parts of the path: ``components/basket/default``."""
        for each in files:
            place = in_project(each.path, each.project).removesuffix(VIEW).lower()
            self._by_place.setdefault(place, []).append(each)
            *_, folder, component, name = ("", "", *place.split("/"))
            if folder == _COMPONENTS.lower():
                self._of_components.setdefault(f"{folder}/{component}/{name}", []).append(each)

    def find(self, origin: Origin, places: Iterable[str]) -> FoundView | None:
        """The first place, without its suffix, where the project has a view, or where only one other project has."""
        candidates = list(dict.fromkeys(each.removesuffix(VIEW).lower() for each in places))
        for is_own in (True, False):
            for place in candidates:
                found = _of(origin, self._by_place.get(place, ()), is_own=is_own)
                if len(found) == 1:
                    return FoundView(found[0].path, is_own)
        return None

    def of_component(self, origin: Origin, component: str, name: str) -> FoundView | None:
        """Of a view component, whichever controller, page or area shows it. Null where there are several."""
        every = self._of_components.get(f"{_COMPONENTS}/{component}/{name.removesuffix(VIEW)}".lower(), [])
        found = nearest(origin, every)
        return FoundView(found[0].path, found[0].project == origin.project) if len(found) == 1 else None


def _of(origin: Origin, files: Iterable[ViewFile], *, is_own: bool) -> list[ViewFile]:
    """Those of the project that looks, or those of others; an application does not show what another one has."""
    return [
        each
        for each in files
        if (each.project == origin.project) is is_own
        and (is_own or not (origin.of_application and each.of_application))
    ]


def in_project(path: str, project: str) -> str:
    folder = project.rpartition("/")[0]
    return path.removeprefix(f"{folder}/") if folder else path


def places_of_controller(name: str, area: str, controller: str) -> Iterator[str]:
    """Where a view of a controller may be; ``controller`` is empty where it is not known."""
    absolute = _absolute(name)
    if absolute is not None:
        yield absolute
        return
    own = (controller, _SHARED) if controller else (_SHARED,)
    if area:
        yield from (f"{_AREAS}/{area}/{_VIEWS}/{each}/{name}" for each in own)
        yield f"{_VIEWS}/{_SHARED}/{name}"
    else:
        yield from (f"{_VIEWS}/{each}/{name}" for each in own)
    yield f"{_PAGES}/{_SHARED}/{name}"


def places_of_view(name: str, place: str) -> Iterator[str]:
    """Where a view may be that another one names. ``place``: of that one, in its project."""
    absolute = _absolute(name)
    if absolute is not None:
        yield absolute
        return
    folders = place.split("/")[:-1]
    if name.endswith(VIEW) or name.startswith("."):
        yield _joined(folders, name)
        return
    root = next((at for at, each in enumerate(folders) if each in (_AREAS, _VIEWS, _PAGES)), len(folders))
    before, inside = folders[:root], folders[root:]
    for start in dict.fromkeys((tuple(before), ())):
        for each in _below(name, inside):
            yield "/".join((*start, each))


def _below(name: str, inside: list[str]) -> Iterator[str]:
    """``inside``: the folders from ``Areas``, ``Views`` or ``Pages`` on."""
    area = inside[1] if len(inside) > 1 and inside[0] == _AREAS else ""
    rest = inside[2:] if area else inside
    if rest[:1] == [_PAGES]:
        start = [_AREAS, area] if area else []
        for end in range(len(rest), 0, -1):
            yield "/".join((*start, *rest[:end], name))
        yield "/".join((*start, _PAGES, _SHARED, name))
        if area:
            yield f"{_AREAS}/{area}/{_VIEWS}/{_SHARED}/{name}"
            yield f"{_PAGES}/{_SHARED}/{name}"
        yield f"{_VIEWS}/{_SHARED}/{name}"
        return
    controller = rest[1] if rest[:1] == [_VIEWS] and len(rest) > 1 and rest[1] != _SHARED else ""
    yield from places_of_controller(name, area, controller)


def _absolute(name: str) -> str | None:
    start = next((each for each in _ABSOLUTE if name.startswith(each)), None)
    return None if start is None else name.removeprefix(start)


def _joined(folders: list[str], name: str) -> str:
    parts = [*folders]
    for part in name.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
