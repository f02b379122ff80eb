"""The symbol table of TypeScript: the files of each package with their declarations and exports, and what an exported name leads to.

A table is a value: two of them share nothing. Files are decoded when something asks for them. Independent of the order of files: what a
name means is looked for along imports, and of several global declarations the nearest counts, or the first of these in path order.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import Final

from msgspec import Struct

from codemap_core.hooks.contracts import UnitKey, Universe
from codemap_plugins.typescript.left_out import DECLARATION_SUFFIXES
from codemap_plugins.typescript.modules import ModuleResolution
from codemap_plugins.typescript.naming import module_id, symbol_id
from codemap_plugins.typescript.unit import (
    NONE,
    Binding,
    BindingKind,
    Declaration,
    Export,
    ExportKind,
    Kind,
    Space,
    Unit,
    decode_unit,
    speaks_to_all,
)

_STEPS: Final = 32
"""How many files may hand a name on."""
ANY_SPACE: Final = Space.VALUE | Space.TYPE | Space.NAMESPACE


class Symbol:
    """A declaration in its file."""

    __slots__ = ("__dict__", "declared", "index", "module")

    def __init__(self, module: Module, index: int) -> None:
        self.module: Final = module
        self.index: Final = index
        self.declared: Final[Declaration] = module.unit.declarations[index]

    @property
    def kind(self) -> Kind:
        return self.declared.kind

    @cached_property
    def id(self) -> str:
        declarations = self.module.unit.declarations
        names = [self.declared.name]
        at = self.declared.parent
        while at != NONE:
            names.append(declarations[at].name)
            at = declarations[at].parent
        id_ = symbol_id(self.module.path, tuple(reversed(names)), self.kind)
        twin = self.declared.is_static and self.kind is not Kind.ENUM_MEMBER and self._has_twin()
        return f"{id_}~static" if twin else id_

    def _has_twin(self) -> bool:
        """Whether a member of instances is called the same."""
        return any(
            each.parent == self.declared.parent and each.name == self.declared.name and not each.is_static
            for each in self.module.unit.declarations
        )

    @property
    def parent(self) -> Symbol | None:
        return self.module.symbol(self.declared.parent) if self.declared.parent != NONE else None

    @property
    def members(self) -> dict[str, Symbol]:
        """Of instances; of a namespace and an enum those that it holds."""
        return self.module.members.get(self.index, ({}, {}))[0]

    @property
    def is_namespace(self) -> bool:
        """Whether names are looked for in it: one that goes on with a type of its name too."""
        return bool(self.declared.space & Space.NAMESPACE)

    def held(self, name: str, space: int) -> Symbol | None:
        """What a namespace or enum holds of that name, a function beside a type of the same name among them."""
        found = [each for each in self.module.held.get((self.index, name), ()) if each.declared.space & space]
        return found[0] if found else None

    @property
    def statics(self) -> dict[str, Symbol]:
        return self.module.members.get(self.index, ({}, {}))[1]


class Module:
    """A file of a package."""

    def __init__(self, package: Package, path: str, data: bytes) -> None:
        self.package: Final = package
        self.path: Final = path
        self._data: Final = data
        self._symbols: Final[dict[int, Symbol]] = {}
        self.specifiers: Final[dict[str, Module | list[Symbol] | Outside]] = {}
        self.imports_meant: Final[dict[tuple[int, int], Meaning | None]] = {}
        self.exports_meant: Final[dict[tuple[str, int], Meaning | None]] = {}
        """What its package has found, each once: it depends on nothing but the package."""

    def take_over(self, earlier: Module) -> None:
        """Need not decode again what an earlier table has decoded of the same file."""
        if earlier._data == self._data and "unit" in earlier.__dict__:
            self.unit = earlier.unit

    @property
    def id(self) -> str:
        return module_id(self.path)

    @cached_property
    def unit(self) -> Unit:
        return decode_unit(self._data)

    @property
    def speaks_to_all(self) -> bool:
        return speaks_to_all(self._data)

    def symbol(self, index: int) -> Symbol:
        found = self._symbols.get(index)
        if found is None:
            found = self._symbols[index] = Symbol(self, index)
        return found

    @cached_property
    def members(self) -> dict[int, tuple[dict[str, Symbol], dict[str, Symbol]]]:
        """Of each container: its members of instances and its static ones, by name."""
        found: dict[int, tuple[dict[str, Symbol], dict[str, Symbol]]] = {}
        for index, each in enumerate(self.unit.declarations):
            if each.parent != NONE:
                held = found.setdefault(each.parent, ({}, {}))
                side = held[1] if each.is_static else held[0]
                side.setdefault(each.name, self.symbol(index))
        return found

    @cached_property
    def held(self) -> dict[tuple[int, str], list[Symbol]]:
        """The members of each container by its index and their name, all that are called so."""
        found: dict[tuple[int, str], list[Symbol]] = {}
        for index, each in enumerate(self.unit.declarations):
            if each.parent != NONE:
                found.setdefault((each.parent, each.name), []).append(self.symbol(index))
        return found

    @cached_property
    def names(self) -> tuple[dict[str, tuple[Binding, ...]], ...]:
        """The bindings of each scope, by name."""
        found = []
        for scope in self.unit.scopes:
            names: dict[str, tuple[Binding, ...]] = {}
            for binding in scope.bindings:
                names[binding.name] = (*names.get(binding.name, ()), binding)
            found.append(names)
        return tuple(found)

    @cached_property
    def exports(self) -> dict[str, list[Export | Symbol]]:
        found: dict[str, list[Export | Symbol]] = {}
        for index, each in enumerate(self.unit.declarations):
            if (
                each.parent == NONE
                and each.is_exported
                and not each.is_local
                and not each.is_global
                and not each.module
            ):
                found.setdefault(each.name, []).append(self.symbol(index))
        for export in self.unit.exports:
            if export.kind is not ExportKind.STAR:
                found.setdefault(export.name, []).append(export)
        return found

    @cached_property
    def stars(self) -> tuple[Module | Outside, ...]:
        """What all exports are handed on of, without ambient modules."""
        specifiers = (each.specifier for each in self.unit.exports if each.kind is ExportKind.STAR)
        found = (self.package.imported(specifier, self) for specifier in specifiers)
        return tuple(each for each in found if not isinstance(each, list))

    @cached_property
    def handed_on(self) -> dict[str, list[Module]]:
        """By name, the files that export it and that the stars of this one lead to, over several files too, in the order of the stars."""
        found: dict[str, list[Module]] = {}
        for module in self._led_to:
            if isinstance(module, Module):
                for name in module.exports:
                    found.setdefault(name, []).append(module)
        return found

    @cached_property
    def handed_on_unknown(self) -> Outside | None:
        """The first thing of which all exports are handed on and that has no source here."""
        return next((each for each in self._led_to if isinstance(each, Outside)), None)

    @property
    def _led_to(self) -> Iterator[Module | Outside]:
        seen: set[Module] = {self}
        ahead = [*reversed(self.stars)]
        while ahead:
            each = ahead.pop()
            if isinstance(each, Outside):
                yield each
            elif each not in seen:
                seen.add(each)
                yield each
                ahead += reversed(each.stars)

    def bound(self, name: str, scope: int, space: int) -> Binding | Symbol | None:
        """What a name means in a scope, without what is global."""
        while scope != NONE:
            for binding in self.names[scope].get(name, ()):
                if binding.space & space:
                    return binding
            held = self.unit.scopes[scope]
            if held.namespace != NONE:
                member = self.symbol(held.namespace).held(name, space)
                if member is not None:
                    return member
            scope = held.parent
        return None


class Lack(Enum):
    """Why an import leads to nothing that the repository declares."""

    LIBRARY = "declared by a library or the platform, which have no source here"
    FILE = "no file of this package is meant by the path"
    EXPORT = "the file exports no such name"


class Outside(Struct, frozen=True):
    """What an import names and the repository does not declare."""

    specifier: str
    lack: Lack


Meaning = Symbol | Module | Outside


class Package:
    """The files of one package, or those of none."""

    def __init__(self, aliases: tuple[str, ...], units: dict[str, bytes], earlier: Package | None = None) -> None:
        self.modules: Final = {path: Module(self, path, data) for path, data in units.items()}
        if earlier is not None:
            for path in self.modules.keys() & earlier.modules.keys():
                self.modules[path].take_over(earlier.modules[path])
        self.resolution: Final = ModuleResolution(self.modules.keys(), aliases)

    @cached_property
    def globals(self) -> dict[str, list[Symbol]]:
        """What every file may use without importing it, by name."""
        found: dict[str, list[Symbol]] = {}
        for module in self._speaking():
            is_script = not module.unit.is_module
            for index, each in enumerate(module.unit.declarations):
                if each.parent == NONE and not each.is_local and not each.module and (is_script or each.is_global):
                    found.setdefault(each.name, []).append(module.symbol(index))
        return found

    def shared(self, name: str, space: int, user: Module) -> Symbol | None:
        """What a name means that no file around ``user`` declares. Several declarations of it are one thing to the compiler, which merges
        those of a program: the one that shares the most folders with ``user`` stands for them, since another may be of another program."""
        found = [each for each in self.globals.get(name, ()) if each.declared.space & space]
        return max(found, key=lambda each: _folders_shared(each.module.path, user.path), default=None)

    @cached_property
    def ambient(self) -> dict[str, list[Symbol]]:
        """``declare module "name"`` by name."""
        found: dict[str, list[Symbol]] = {}
        for module in self._speaking():
            for index, each in enumerate(module.unit.declarations):
                if each.module:
                    found.setdefault(each.module, []).append(module.symbol(index))
        return found

    def _speaking(self) -> Iterator[Module]:
        for path in sorted(self.modules):
            if self.modules[path].speaks_to_all:
                yield self.modules[path]

    def imported(self, specifier: str, importer: Module) -> Module | list[Symbol] | Outside:
        """What a specifier means: a file, ambient modules, or what has no source here."""
        found = importer.specifiers.get(specifier)
        if found is None:
            found = importer.specifiers[specifier] = self._imported(specifier, importer)
        return found

    def _imported(self, specifier: str, importer: Module) -> Module | list[Symbol] | Outside:
        path = self.resolution.resolve(specifier, importer.path)
        if path is not None:
            return self.modules[path]
        if specifier in self.ambient:
            return self.ambient[specifier]
        return Outside(specifier, Lack.FILE if self.resolution.is_relative(specifier) else Lack.LIBRARY)

    def exported(self, module: Module, name: str, space: int = ANY_SPACE) -> Meaning | None:
        """What a name that a file exports leads to. Null when it exports no such name."""
        key = (name, space)
        if key not in module.exports_meant:
            module.exports_meant[key] = self._exported(module, name, space, set(), _STEPS)
        return module.exports_meant[key]

    def _exported(
        self, module: Module, name: str, space: int, seen: set[tuple[str, str]], steps: int
    ) -> Meaning | None:
        found = self._exported_itself(module, name, space, seen, steps)
        if found is not None or name == "default":
            return found
        unknown: Outside | None = None
        for each in module.handed_on.get(name, ()) if module.stars else ():
            found = self._exported_itself(each, name, space, seen, steps)
            if found is not None and not isinstance(found, Outside):
                return found
            unknown = unknown or found
        return unknown or (module.handed_on_unknown if module.stars else None)

    def _exported_itself(
        self, module: Module, name: str, space: int, seen: set[tuple[str, str]], steps: int
    ) -> Meaning | None:
        """Without what its stars lead to."""
        exports = module.exports.get(name)
        if exports is None or (module.path, name) in seen or steps <= 0:
            return None
        seen.add((module.path, name))
        for each in exports:
            found = each if isinstance(each, Symbol) else self._led_to(module, each, space, seen, steps - 1)
            if found is not None and (not isinstance(found, Symbol) or found.declared.space & space):
                return found
        return None

    def _led_to(
        self, module: Module, export: Export, space: int, seen: set[tuple[str, str]], steps: int
    ) -> Meaning | None:
        if export.kind is ExportKind.FROM:
            return self._from(module, export.specifier, export.local, space, seen, steps)
        bound = module.bound(export.local, 0, space)
        return self._meant(module, bound, space, seen, steps)

    def _from(
        self, module: Module, specifier: str, name: str, space: int, seen: set[tuple[str, str]], steps: int
    ) -> Meaning | None:
        target = self.imported(specifier, module)
        if isinstance(target, list):
            for each in target:
                member = each.held(name, space)
                if member is not None:
                    return member
            return Outside(specifier, Lack.LIBRARY)
        if isinstance(target, Outside) or name == "*":
            return target
        assigned = target.exports.get("=")
        if assigned and name in ("=", "default"):
            return self._exported(target, "=", space, seen, steps)
        if name == "=":
            return target
        found = self._exported(target, name, space, seen, steps)
        if found is None and target.path.endswith(DECLARATION_SUFFIXES) and not target.unit.is_module:
            return Outside(specifier, Lack.LIBRARY)
        return found

    def _meant(
        self, module: Module, bound: Binding | Symbol | None, space: int, seen: set[tuple[str, str]], steps: int
    ) -> Meaning | None:
        if isinstance(bound, Symbol) or bound is None:
            return bound
        if bound.kind is BindingKind.DECLARATION:
            return module.symbol(bound.of)
        if bound.kind is BindingKind.IMPORT:
            imported = module.unit.imports[bound.of]
            if imported.alias == NONE:
                return self._from(module, imported.specifier, imported.name, space, seen, steps)
        return None

    def import_meant(self, module: Module, index: int, space: int = ANY_SPACE) -> Meaning | None:
        """What an import of a file leads to. Null when the file that it names exports no such name."""
        key = (index, space)
        if key not in module.imports_meant:
            imported = module.unit.imports[index]
            module.imports_meant[key] = self._from(module, imported.specifier, imported.name, space, set(), _STEPS)
        return module.imports_meant[key]


class TypeScriptTable:
    """Every package of a run. Nothing leads from one to another."""

    def __init__(
        self, universe: Universe, earlier: TypeScriptTable | None = None, changed: AbstractSet[str] = frozenset()
    ) -> None:
        """``earlier``: of the same projects; its packages are taken over, except for those of projects that ``changed``."""
        aliases = {project.project_path: project.usings for project in universe.graph.projects}
        by_project: dict[str, dict[str, bytes]] = {}
        for key in sorted(universe.units):
            by_project.setdefault(key.project_path, {})[key.file_path] = universe.units[key]
        self._packages: Final = {
            project: _package(project, aliases.get(project, ()), units, earlier, changed)
            for project, units in by_project.items()
        }

    def package(self, project: str) -> Package | None:
        return self._packages.get(project)

    def module(self, key: UnitKey) -> Module:
        return self._packages[key.project_path].modules[key.file_path]


def _folders_shared(one: str, other: str) -> int:
    """How many folders two paths have in common, from the root down."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _package(
    project: str,
    aliases: tuple[str, ...],
    units: dict[str, bytes],
    earlier: TypeScriptTable | None,
    changed: AbstractSet[str],
) -> Package:
    known = earlier.package(project) if earlier is not None else None
    return known if known is not None and project not in changed else Package(aliases, units, known)
