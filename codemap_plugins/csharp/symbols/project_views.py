"""What each project of a graph sees: other projects, libraries, and whose internals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from codemap_core.model import Project
from codemap_plugins.csharp.metadata.packages import packages_of_framework
from codemap_plugins.csharp.page_names import PageKind, xml_namespace
from codemap_plugins.csharp.symbols.libraries import Libraries, LibraryView
from codemap_plugins.csharp.symbols.project_scope import friend_named
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.unit import Outline, UsingDirective, xmlns_definition

_FRIENDS: Final = frozenset({"InternalsVisibleTo", "InternalsVisibleToAttribute"})


def visible_projects(
    path: str, projects: Mapping[str, Project | None], packaged: Collection[str] = ()
) -> frozenset[str]:
    """Paths of a project and those it references: references flow on through references, unless a project keeps them to itself.
    ``packaged``: those that stand for the packages they make."""

    def references(project: Project) -> list[str]:
        return [*project.project_references, *(each for each in project.package_projects if each in packaged)]

    visible = {path}
    project = projects[path]
    pending = references(project) if project is not None else []
    transitive = project is None or project.transitive_references
    while pending:
        reference = pending.pop()
        if reference not in projects or reference in visible:
            continue
        visible.add(reference)
        target = projects[reference]
        if transitive and target is not None:
            kept = set(target.private_references)
            pending.extend(r for r in references(target) if r not in kept)
    return frozenset(visible)


def packaged_projects(projects: Mapping[str, Project | None], libraries: Libraries) -> frozenset[str]:
    """Paths of the projects whose packages others name, where no assembly of theirs is at hand."""
    named = {path for project in projects.values() if project is not None for path in project.package_projects}
    return frozenset(
        path
        for path in named
        if (maker := projects.get(path)) is not None and not libraries.has_assembly(maker.assembly_name)
    )


def visible_libraries(
    project: Project | None, visible: Iterable[str], projects: Mapping[str, Project | None], libraries: Libraries
) -> LibraryView:
    """The libraries of the packages that a project and those it sees refer to, and of its framework; all of them where there is no
    project."""
    seen = [each for path in visible if (each := projects[path]) is not None]
    built = {each.assembly_name for each in seen}
    if project is None:
        return libraries.view(None, built)
    packages = {package.id for each in seen for package in each.packages}
    return libraries.view(packages | packages_of_framework(project.target_framework or ""), built)


def xml_namespaces(documents: Iterable[Document]) -> dict[str, tuple[tuple[str, str], ...]]:
    """What assemblies say with ``XmlnsDefinitionAttribute``: by what stands for an XML namespace, or a package of protocol buffers, the
    namespaces that it holds, each with the path of the project that says so."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for document in documents:
        for attribute in document.outline.attributes:
            uri, namespace = xmlns_definition(attribute)
            if uri:
                found[xml_namespace(uri)].add((document.key.project_path, namespace))
    return {name: tuple(sorted(said)) for name, said in found.items()}


def global_usings_of(outline: Outline) -> Iterable[UsingDirective]:
    """Those of a page count for the pages below it alone."""
    if outline.page is not PageKind.NONE:
        return ()
    return (using for using in (outline.scopes[0].usings if outline.scopes else ()) if using.is_global)


def speaks_to_project(document: Document) -> bool:
    """It says something to all files of its project, or to those that reference it."""
    return bool(document.outline.attributes) or any(True for _ in global_usings_of(document.outline))


def friends_of_projects(
    projects: Mapping[str, Project | None], documents: Iterable[Document]
) -> dict[str, frozenset[str]]:
    """By project, the assemblies that may see its internals, in lower case: those that its project file names, and its files."""
    friends: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for attribute in document.outline.attributes:
            name = attribute.name.text.rpartition(".")[2]
            if name in _FRIENDS and attribute.arguments and (friend := friend_named(attribute.arguments[0])):
                friends[document.key.project_path].add(friend.lower())
    for path, project in projects.items():
        if project is not None:
            friends[path].update(each.partition(",")[0].strip().lower() for each in project.internals_visible_to)
    return {path: frozenset(names) for path, names in friends.items()}
