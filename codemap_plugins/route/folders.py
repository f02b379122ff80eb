"""What the place of a view or page in its folders says: the area, the controller and the name by which others refer to it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

VIEW: Final = ".cshtml"
COMPONENT_FILE: Final = ".razor"
"""Suffixes of views and pages, and of components."""
_AREAS: Final = "Areas"
_PAGES: Final = "Pages"
_VIEWS: Final = "Views"
_SHARED: Final = "Shared"
_INDEX: Final = "Index"


class PageName(Struct, frozen=True, array_like=True):
    """``path``: absolute, as ``asp-page`` and ``RedirectToPage`` have it: ``/Orders/Index``. ``area``: empty for none."""

    area: str
    path: str


def page_name(file_path: str) -> PageName | None:
    """Of a page or another view in a folder ``Pages``; null outside one."""
    folders = file_path.removesuffix(VIEW).split("/")
    if _PAGES not in folders[:-1]:
        return None
    at = folders.index(_PAGES)
    area = folders[at - 1] if at >= 2 and folders[at - 2] == _AREAS else ""
    return PageName(area, "/" + "/".join(folders[at + 1 :]))


def page_path(file_path: str) -> str | None:
    """What requests of a page begin with: ``Pages/Orders/Index.cshtml`` is ``Orders``, of an area ``Admin`` it is ``Admin/Orders``.
    Null outside a folder ``Pages``."""
    name = page_name(file_path)
    if name is None:
        return None
    path = name.path.removeprefix("/")
    folder, _, last = path.rpartition("/")
    return "/".join(each for each in (name.area, folder if last == _INDEX else path) if each)


def with_index(file_path: str, template: str) -> str | None:
    """The other template that the first page of a folder answers to, which names the page: ``Orders/Index/{id}`` beside ``Orders/{id}``.
    Null for other pages, and where the page itself says an absolute template."""
    path = page_path(file_path)
    if path is None or not file_path.endswith(f"/{_INDEX}{VIEW}"):
        return None
    if path and not f"{template}/".lower().startswith(f"{path}/".lower()):
        return None
    return "/".join(each for each in (path, _INDEX, template[len(path) :].strip("/")) if each)


def area_of_file(file_path: str) -> str:
    """``Areas/Admin/Views/…`` is in the area ``Admin``; empty for none."""
    folders = file_path.split("/")[:-1]
    at = folders.index(_AREAS) + 1 if _AREAS in folders else len(folders)
    return folders[at] if at < len(folders) else ""


def controller_of_view(file_path: str) -> str:
    """``Views/Orders/Show.cshtml`` is a view of ``Orders``; empty for what several controllers share."""
    folders = file_path.split("/")[:-1]
    at = folders.index(_VIEWS) + 1 if _VIEWS in folders else len(folders)
    return folders[at] if at < len(folders) and folders[at] != _SHARED else ""


def is_shared(file_path: str) -> bool:
    """Whether a view may be shown as a part of others, so that the page which is asked for is not known."""
    *folders, name = file_path.split("/")
    return _SHARED in folders or name.startswith("_")


def absolute_page(name: str, near: PageName | None) -> str | None:
    """The path that a page's name means. ``near``: the page that a relative one is said in, null where that is not known; then null."""
    if name.startswith("/"):
        return name
    if near is None:
        return None
    parts = near.path.split("/")[1:-1]
    for part in name.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
