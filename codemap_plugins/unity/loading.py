"""A run of the project loader: finds Unity projects and packages, and makes a project of each assembly that the engine compiles.

The path of such a project is that of its assembly definition; of the assemblies that the engine makes of all other scripts, that of the
project file which the editor would write. Where that file is in the repository, it is a project of .NET and not made here again.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from codemap_core.hooks.contracts import FileSet
from codemap_core.model import Project, ProjectGraph, ProjectProblem
from codemap_core.model.project import PackageReference
from codemap_plugins.unity.assembly_definitions import (
    AssemblyDefinition,
    InvalidDefinitionError,
    guid_of,
    read_definition,
    read_guid,
    read_reference,
)
from codemap_plugins.unity.packages import package_manifests, read_json
from codemap_plugins.unity.project_settings import (
    VERSION_FILE,
    CompilerArguments,
    ProjectSettings,
    read_arguments,
    read_settings,
)
from codemap_plugins.unity.script_folders import Predefined, is_compiled, owner_of, predefined_of, root_of
from codemap_plugins.unity.symbols import (
    editor_version,
    engine_symbols,
    language_version,
    platform_symbols,
    target_framework,
)
from codemap_plugins.unity.versions import holds

ENGINE: Final = "UnityEngine"
"""The package by which a project names the engine in the version of its editor: its assemblies lie in the editor's folder."""
_EDITOR_RESOURCE: Final = "Unity"
_NUNIT: Final = "nunit.framework"


class Loading:
    """One run over one commit."""

    def __init__(self, files: FileSet) -> None:
        self._files: Final = files
        self._problems: Final[list[ProjectProblem]] = []
        marks = (path for path in files.all_paths if path.endswith(VERSION_FILE))
        self._settings: Final = {
            root: read_settings(files, root) for path in marks if (root := _above(path)) is not None
        }
        self._definitions: Final = self._read_definitions()
        self._by_name: Final = _by_key((each.name, each) for each in self._definitions.values())
        self._by_guid: Final = _by_key(
            (guid, each) for path, each in self._definitions.items() if (guid := self._guid(path))
        )
        self._packages: Final = package_manifests(files)
        self._libraries: Final = self._read_libraries()

    def run(self) -> ProjectGraph:
        owners = self._owners()
        scripts: defaultdict[str, list[str]] = defaultdict(list)
        predefined: defaultdict[tuple[str, Predefined], list[str]] = defaultdict(list)
        for path in self._files.all_paths:
            if not path.endswith(".cs"):
                continue
            root = self._root(path)
            if not is_compiled(path, root):
                continue
            owner = owner_of(path, owners, root)
            if owner is not None:
                scripts[owner].append(path)
            elif root is not None and (assembly := predefined_of(path, root)) is not None:
                predefined[root, assembly].append(path)
        kept = {
            path: definition
            for path, definition in self._definitions.items()
            if path in scripts and not self._is_written(self._root(path), definition.name)
        }
        projects = [self._of_definition(each, scripts[path], kept) for path, each in kept.items()]
        made = {key: _project_path(*key) for key in predefined if not self._is_written(key[0], key[1].value)}
        projects += [self._of_scripts(key, predefined[key], kept, made) for key in made]
        return ProjectGraph(tuple(sorted(projects, key=lambda one: one.project_path)), (), tuple(self._problems))

    def _root(self, path: str) -> str | None:
        return root_of(path, self._settings)

    def _is_written(self, root: str | None, assembly: str) -> bool:
        """Whether the project file that the editor writes for an assembly is in the repository."""
        return root is not None and self._files.exists(posixpath.join(root, f"{assembly}.csproj"))

    def _read_definitions(self) -> dict[str, AssemblyDefinition]:
        found: dict[str, AssemblyDefinition] = {}
        for path in self._files.all_paths:
            if path.endswith(".asmdef") and is_compiled(path, self._root(path)):
                try:
                    found[path] = read_definition(path, self._files.read(path))
                except (InvalidDefinitionError, KeyError) as error:
                    self._report(path, f"cannot read the assembly definition: {error}")
        return found

    def _read_libraries(self) -> dict[str | None, tuple[str, ...]]:
        """Names of the assemblies that lie in each Unity project as files, and outside all of them."""
        found: defaultdict[str | None, set[str]] = defaultdict(set)
        for path in self._files.all_paths:
            if path.lower().endswith(".dll") and is_compiled(path, root := self._root(path)):
                found[root].add(posixpath.basename(path)[:-4])
        return {root: tuple(sorted(names)) for root, names in found.items()}

    def _guid(self, path: str) -> str:
        try:
            return read_guid(self._files.read(f"{path}.meta"))
        except KeyError:
            return ""

    def _report(self, path: str, message: str) -> None:
        self._problems.append(ProjectProblem(path, message))

    def _owners(self) -> dict[str, str]:
        """Folder → path of the definition that its scripts belong to; empty for one that is not in the repository."""
        owners: dict[str, str] = {}
        for path in self._definitions:
            first = owners.setdefault(posixpath.dirname(path), path)
            if first != path:
                self._report(path, f"is left out: {first} is in the same folder")
        for path in self._files.all_paths:
            if path.endswith(".asmref") and is_compiled(path, root := self._root(path)):
                try:
                    named = read_reference(self._files.read(path))
                except (InvalidDefinitionError, KeyError) as error:
                    self._report(path, f"cannot read the reference to an assembly definition: {error}")
                    continue
                definition = self._named(named, root)
                owners.setdefault(posixpath.dirname(path), definition.path if definition is not None else "")
        return owners

    def _named(self, reference: str, root: str | None) -> AssemblyDefinition | None:
        """The definition that a reference names: in the same Unity project, or outside all of them, as packages are."""
        guid = guid_of(reference)
        found = self._by_guid.get(guid, ()) if guid else self._by_name.get(reference, ())
        near = [each for each in found if self._root(each.path) == root]
        shared = [each for each in found if self._root(each.path) is None]
        return next(iter((*near, *shared)), None)

    def _of_definition(
        self, definition: AssemblyDefinition, scripts: Iterable[str], kept: Mapping[str, AssemblyDefinition]
    ) -> Project:
        root = self._root(definition.path)
        settings = self._settings[root] if root is not None else self._package_settings(definition.path)
        named = (self._named(each, root) for each in definition.references)
        references = {each.path for each in named if each is not None and each.path in kept} - {definition.path}
        arguments = read_arguments(self._files, posixpath.dirname(definition.path)) or settings.arguments
        libraries = definition.precompiled or self._libraries.get(root, ())
        return self._project(
            definition.path,
            definition.name,
            scripts,
            settings,
            arguments,
            symbols=(*platform_symbols(definition), *_asked(definition, settings)),
            libraries=(*(each.removesuffix(".dll") for each in libraries), *([_NUNIT] if definition.is_test else [])),
            references=references,
            allow_unsafe=definition.allow_unsafe,
            root_namespace=definition.root_namespace,
            is_test=definition.is_test,
        )

    def _of_scripts(
        self,
        key: tuple[str, Predefined],
        scripts: Iterable[str],
        kept: Mapping[str, AssemblyDefinition],
        made: Mapping[tuple[str, Predefined], str],
    ) -> Project:
        root, assembly = key
        settings = self._settings[root]
        defined = {
            path
            for path, each in kept.items()
            if self._root(path) in (root, None) and _is_seen(each, for_editor=assembly.is_for_editor)
        }
        before = {made[root, each] for each in assembly.seen if (root, each) in made}
        return self._project(
            made[key],
            assembly.value,
            scripts,
            settings,
            settings.arguments,
            symbols=platform_symbols(None),
            libraries=self._libraries.get(root, ()),
            references=defined | before,
            allow_unsafe=settings.allow_unsafe,
        )

    def _project(
        self,
        path: str,
        name: str,
        scripts: Iterable[str],
        settings: ProjectSettings,
        arguments: CompilerArguments,
        *,
        symbols: Iterable[str],
        libraries: Iterable[str],
        references: Iterable[str],
        allow_unsafe: bool,
        root_namespace: str = "",
        is_test: bool = False,
    ) -> Project:
        version = editor_version(settings.version)
        framework = target_framework(version)
        packages = {ENGINE: settings.version} | dict.fromkeys(libraries, "") | dict(settings.packages)
        return Project(
            project_path=path,
            name=name,
            assembly_name=name,
            target_framework=framework,
            target_frameworks=(framework,),
            files=tuple(sorted(scripts)),
            project_references=tuple(sorted(references)),
            packages=tuple(sorted(PackageReference(each, at or None) for each, at in packages.items())),
            defines=tuple(sorted({*engine_symbols(version), *symbols, *settings.defines, *arguments.defines})),
            transitive_references=False,
            root_namespace=root_namespace,
            lang_version=arguments.lang_version or language_version(version),
            nullable=arguments.nullable,
            allow_unsafe=allow_unsafe or arguments.allow_unsafe,
            is_test=is_test,
        )

    def _package_settings(self, path: str) -> ProjectSettings:
        """Of a package outside all Unity projects: its manifest names the first version of the editor that it works with."""
        folder = path
        while folder:
            folder = posixpath.dirname(folder)
            if folder in self._packages:
                read = read_json(self._files, self._packages[folder])
                version, needed = read.get("unity"), read.get("dependencies")
                return ProjectSettings(
                    version if isinstance(version, str) else "",
                    {each: at for each, at in needed.items() if isinstance(at, str)}
                    if isinstance(needed, dict)
                    else {},
                )
        return ProjectSettings("", {})


def _asked(definition: AssemblyDefinition, settings: ProjectSettings) -> Iterator[str]:
    """Symbols by the versions of packages, and those without which the assembly would not be compiled at all."""
    for each in definition.version_defines:
        version = settings.version if each.resource == _EDITOR_RESOURCE else settings.packages.get(each.resource)
        if version is not None and holds(each.expression, version):
            yield each.symbol
    for constraint in definition.constraints:
        if constraint.isidentifier():
            yield constraint


def _is_seen(definition: AssemblyDefinition, *, for_editor: bool) -> bool:
    """Whether the assemblies that the engine makes see this one by themselves."""
    return definition.is_auto_referenced and not definition.is_test and (for_editor or not definition.is_for_editor)


def _project_path(root: str, assembly: Predefined) -> str:
    return posixpath.join(root, f"{assembly.value}.csproj")


def _above(path: str) -> str | None:
    """The folder of the project whose file of versions this is; null for a file that is called otherwise."""
    root = path.removesuffix(VERSION_FILE)
    return root.removesuffix("/") if not root or root.endswith("/") else None


def _by_key(found: Iterable[tuple[str, AssemblyDefinition]]) -> dict[str, tuple[AssemblyDefinition, ...]]:
    by_key: defaultdict[str, list[AssemblyDefinition]] = defaultdict(list)
    for key, definition in found:
        by_key[key].append(definition)
    return {key: tuple(each) for key, each in by_key.items()}
