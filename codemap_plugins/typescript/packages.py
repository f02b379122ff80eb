"""Packages of TypeScript as projects: the outermost folders with a ``package.json`` or ``tsconfig.json`` above files of TypeScript.

A package is one project whatever it holds (workspaces, several configurations), since its files import each other by path. What its
configurations map is kept as lines of ``aliases``. Nothing is executed, and configurations outside the repository are not read.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import Any, Final

from codemap_core.commented_json import without_comments
from codemap_core.hooks.contracts import FileSet
from codemap_core.model import Project, ProjectGraph, ProjectProblem
from codemap_core.model.project import PackageReference
from codemap_plugins.typescript.aliases import written_alias
from codemap_plugins.typescript.fingerprint import row_fingerprint
from codemap_plugins.typescript.left_out import SUFFIXES, is_left_out

_PACKAGE: Final = "package.json"
_CONFIG: Final = "tsconfig.json"
_EXTENDED: Final = 8
"""How many configurations may extend each other."""


class PackageLoader:
    name = "typescript"

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same files would give other projects."""
        return row_fingerprint()

    def load(self, files: FileSet, solution: str | None) -> ProjectGraph:
        """A solution names no package, so that none is loaded with one."""
        sources = [path for path in files.all_paths if path.endswith(SUFFIXES) and not is_left_out(path)]
        if solution or not sources:
            return ProjectGraph()
        told = {
            posixpath.dirname(path): path
            for name in (_CONFIG, _PACKAGE)
            for path in files.all_paths
            if posixpath.basename(path) == name and not is_left_out(path)
        }
        roots: dict[str, list[str]] = {}
        for path in sources:
            root = _root_of(path, told)
            if root is not None:
                roots.setdefault(root, []).append(path)
        loaded = _Loader(files)
        projects = [loaded.project(root, tuple(held)) for root, held in sorted(roots.items())]
        return ProjectGraph(tuple(projects), (), tuple(loaded.problems))

    def may_matter(self, path: str, content: bytes) -> bool:
        """See ``JudgesContents``: packages and configurations are JSON, and a configuration that is extended may be named without it."""
        return path.endswith(".json") or "." not in posixpath.basename(path)


def _root_of(path: str, told: Mapping[str, str]) -> str | None:
    """The outermost folder around a file that has a package or configuration."""
    found = None
    folder = posixpath.dirname(path)
    while True:
        if folder in told:
            found = folder
        if not folder:
            return found
        folder = posixpath.dirname(folder)


class _Loader:
    def __init__(self, files: FileSet) -> None:
        self._files: Final = files
        self.problems: Final[list[ProjectProblem]] = []

    def project(self, root: str, sources: tuple[str, ...]) -> Project:
        path = _within(root, _PACKAGE)
        if not self._files.exists(path):
            path = _within(root, _CONFIG)
        package = self._json(_within(root, _PACKAGE), path)
        name = package.get("name")
        return Project(
            project_path=path,
            name=name if isinstance(name, str) and name else posixpath.basename(root) or "typescript",
            assembly_name="",
            files=sources,
            packages=tuple(sorted(_dependencies(package))),
            usings=tuple(sorted({*self._mappings(root, path), *self._packages(root, path)})),
        )

    def _under(self, root: str, name: str) -> list[str]:
        prefix = f"{root}/" if root else ""
        return [
            path
            for path in self._files.all_paths
            if path.startswith(prefix) and posixpath.basename(path) == name and not is_left_out(path)
        ]

    def _mappings(self, root: str, project: str) -> Iterator[str]:
        for path in self._under(root, _CONFIG):
            folder = posixpath.dirname(path)
            mapped = dict(self._mapped(path, project))
            for pattern, targets in mapped.items():
                yield written_alias(folder, pattern, targets)
            if not mapped and folder != root:
                yield written_alias(folder, "", ())

    def _mapped(self, path: str, project: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What a configuration maps; where it says nothing and names others that it consists of, what those map."""
        config = self._json(path, project)
        own = self._options(path, config, project, _EXTENDED)
        references = config.get("references")
        yield from own.items()
        if not own and isinstance(references, list):
            for each in references:
                target = each.get("path") if isinstance(each, dict) else None
                if isinstance(target, str):
                    named = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
                    if not named.endswith(".json"):
                        named = f"{named}/{_CONFIG}"
                    if posixpath.dirname(named) == posixpath.dirname(path):
                        yield from self._options(named, self._json(named, project), project, _EXTENDED).items()

    def _options(self, path: str, config: Mapping[str, Any], project: str, depth: int) -> dict[str, tuple[str, ...]]:
        """Patterns with their targets, from the root of the repository. ``baseUrl`` is a pattern that fits everything."""
        folder = posixpath.dirname(path)
        found: dict[str, tuple[str, ...]] = {}
        extended = config.get("extends")
        for each in extended if isinstance(extended, list) else [extended]:
            if isinstance(each, str) and each.startswith(".") and depth:
                named = posixpath.normpath(posixpath.join(folder, each))
                if not self._files.exists(named) and self._files.exists(f"{named}.json"):
                    named += ".json"
                found = {**found, **self._options(named, self._json(named, project), project, depth - 1)}
        options = config.get("compilerOptions")
        if not isinstance(options, dict):
            return found
        base_url = options.get("baseUrl")
        paths = options.get("paths")
        base = folder
        if isinstance(base_url, str):
            base = posixpath.normpath(posixpath.join(folder, base_url)) if base_url else folder
            found = {**found, "*": (_within("" if base == "." else base, "*"),)}
        elif "*" in found and isinstance(paths, dict):
            base = posixpath.dirname(found["*"][0])
        if isinstance(paths, dict):
            kept = {"*": found["*"]} if "*" in found else {}
            for pattern, targets in paths.items():
                said = [each for each in targets if isinstance(each, str)] if isinstance(targets, list) else []
                kept[pattern] = tuple(posixpath.normpath(posixpath.join(base, each)) for each in said)
            found = kept
        return found

    def _packages(self, root: str, project: str) -> Iterator[str]:
        """The packages of the workspace by their names."""
        for path in self._under(root, _PACKAGE):
            package = self._json(path, project)
            name = package.get("name")
            if not isinstance(name, str) or not name or any(character in name for character in " ,=:"):
                continue
            folder = posixpath.dirname(path)
            yield written_alias(None, name, [_within(folder, each) for each in dict.fromkeys(_entries(package))])
            yield written_alias(None, f"{name}/*", [_within(folder, "*"), _within(folder, "src/*")])

    def _json(self, path: str, project: str) -> dict[str, Any]:
        """A file of JSON with comments and trailing commas; empty, and a problem of the project, where it cannot be read."""
        if not self._files.exists(path):
            return {}
        try:
            text = self._files.read(path).decode("utf-8-sig", "replace")
            read = json.loads(without_comments(text))
        except (ValueError, RecursionError) as error:
            problem = ProjectProblem(project, f"{path} cannot be read: {error}")
            if problem not in self.problems:
                self.problems.append(problem)
            return {}
        return read if isinstance(read, dict) else {}


def _within(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path)) if path != "*" else f"{folder}/*".lstrip("/")


def _entries(package: Mapping[str, Any]) -> Iterator[str]:
    """Where a package begins, the likeliest first."""
    exports = package.get("exports")
    if isinstance(exports, dict):
        exports = exports.get(".", exports)
    yield from _conditions(exports)
    for key in ("source", "types", "typings", "module", "main"):
        if isinstance(package.get(key), str):
            yield package[key]
    yield from ("src/index", "index")


def _conditions(exported: object) -> Iterator[str]:
    if isinstance(exported, str):
        yield exported
    elif isinstance(exported, dict):
        for key in ("source", "types", "import", "default", "require", "node"):
            yield from _conditions(exported.get(key))


def _dependencies(package: Mapping[str, Any]) -> Iterator[PackageReference]:
    for key in ("dependencies", "devDependencies", "peerDependencies"):
        held = package.get(key)
        if isinstance(held, dict):
            for name, version in held.items():
                yield PackageReference(name, version if isinstance(version, str) and version else None)
