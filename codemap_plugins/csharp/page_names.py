"""What files are that C# is made of, and what the path of a Razor file says: whether it is a component, a view or what others import, and
how its class is called.

A component's class is called like its file, in the project's root namespace and its folder; a view's after its whole path, in a namespace
that nobody names.
"""

from __future__ import annotations

import hashlib
import re
from enum import IntEnum
from typing import Final

RAZOR: Final = "razor"
"""The dialect of pages, components and views."""
XAML: Final = "xaml"
"""The dialect of WPF, UWP, WinUI, Avalonia, .NET MAUI and Xamarin.Forms."""
PROTOBUF: Final = "protobuf"
"""The dialect of protocol buffers."""
_COMPONENTS: Final = ".razor"
COMPONENT_IMPORTS: Final = "_Imports.razor"
VIEW_IMPORTS: Final = "_ViewImports.cshtml"
VIEW_NAMESPACE: Final = "AspNetCoreGeneratedDocument"
MODEL: Final = "TModel"
"""What a base class of views calls the type of their model."""
PAGE_BASE: Final = "global::Microsoft.AspNetCore.Mvc.RazorPages.Page"
"""The base class of views with ``@page`` (``RazorPageDocumentClassifierPass``). In the outline of one its model follows as a type argument,
for a base class that imports name."""
VIEW_MODEL: Final = "ViewModel"
VIEW_MODEL_MEMBERS: Final = (VIEW_MODEL, "_viewModel", "viewModel")
"""Members of a page's class that hold what the page shows."""
_NO_NAME: Final = re.compile(r"\W")


class PageKind(IntEnum):
    """What a file is compiled from."""

    NONE = 0
    """C#."""
    COMPONENT = 1
    VIEW = 2
    IMPORTS = 3
    """Directives for the files of its folder and those below."""
    XAML = 4
    """XAML that is part of a class."""
    RESOURCES = 5
    """XAML without a class."""
    PROTOBUF = 6
    """Protocol buffers."""


OF_XAML: Final = frozenset({PageKind.XAML, PageKind.RESOURCES})
JOINT_ALIASES: Final = OF_XAML | {PageKind.PROTOBUF}
"""In what is made of these an alias may stand for several namespaces."""
MEANS: Final = "__Means"
"""The attribute of a member that is made for another one: what names it means that."""
UNLISTED: Final = frozenset({PageKind.VIEW, PageKind.IMPORTS, PageKind.RESOURCES})
"""Of these nothing is listed that they declare."""
IMPORTING: Final = frozenset({PageKind.COMPONENT, PageKind.VIEW})
"""These take their base class and members from files of imports."""
OF_RAZOR: Final = IMPORTING | {PageKind.IMPORTS}
"""These take usings from files of imports."""


def xml_namespace(uri: str) -> str:
    """The namespace that stands for an XML namespace in the C# that is made of XAML, or for a package of protocol buffers. What it holds,
    assemblies say with ``XmlnsDefinitionAttribute``, and so does what is made of the files of the package."""
    return f"__Xmlns.N{hashlib.sha256(uri.encode()).hexdigest()[:16]}"


def is_imports(path: str) -> bool:
    return path.rpartition("/")[2] in (COMPONENT_IMPORTS, VIEW_IMPORTS)


def is_of_components(path: str) -> bool:
    """A component, or what components import; else a view, or what views import."""
    return path.lower().endswith(_COMPONENTS)


def page_kind(path: str) -> PageKind:
    if is_imports(path):
        return PageKind.IMPORTS
    return PageKind.COMPONENT if is_of_components(path) else PageKind.VIEW


def imports_of(path: str) -> list[str]:
    """Paths of the files that a page imports directives from, where they are there, nearest first."""
    name = COMPONENT_IMPORTS if is_of_components(path) else VIEW_IMPORTS
    folder, found = path.rpartition("/")[0], []
    while folder:
        found.append(f"{folder}/{name}")
        folder = folder.rpartition("/")[0]
    return [*found, name]


def class_name(path: str) -> str:
    """``path``: relative to the project's folder."""
    if page_kind(path) is PageKind.COMPONENT:
        path = path.rpartition("/")[2]
    return _identifier(path.rpartition(".")[0])


def namespace(path: str, root: str) -> str:
    """``path``: relative to the project's folder; ``root``: the project's root namespace."""
    if page_kind(path) is PageKind.VIEW:
        return VIEW_NAMESPACE
    folders = [_identifier(each) for each in path.split("/")[:-1]]
    return ".".join(filter(None, (root, *folders)))


def _identifier(text: str) -> str:
    """Other characters become underscores, as in what Razor generates."""
    name = _NO_NAME.sub("_", text)
    return f"_{name}" if name[:1].isdigit() else name


def folders_below(path: str, imports: str) -> str:
    """The folders between a file of imports and a page that it counts for, as they continue its namespace: ``Admin.Users``, or nothing."""
    folder = imports.rpartition("/")[0]
    within = path.removeprefix(f"{folder}/") if folder else path
    return ".".join(_identifier(each) for each in within.split("/")[:-1])
