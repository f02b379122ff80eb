"""Lookup of library types by name: all that the catalogs hold, and what one project sees of them.

``LibraryTypes`` stands over an ordered list of catalogs: the user's folders, then the one shipped. Of several
assemblies of one name one is used: the user's before the shipped one, except that of .NET's own assemblies the highest
version is (as MSBuild does).

``LibraryView`` is what a project sees: .NET itself, the assemblies of the packages it names (directly or through
project references), everything those refer to, and all assemblies of the user's folders. Where several assemblies
declare one type, .NET's comes first, then that of a package the project names, then the rest. What an unknown package
needs cannot be known offline: its id gives a hint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.metadata.catalog import AssemblyEntry, Catalog, LocatedType
from codemap_plugins.csharp.metadata.packages import assemblies_needed_by, assemblies_of
from codemap_plugins.csharp.metadata.surface import TypeFlags, TypeSurface, visibility
from codemap_plugins.csharp.metadata.type_reference import NamedType, TypeRef, parse_type, split_arity

_IMPLIED_BASE = {
    SymbolKind.CLASS: NamedType("System.Object"),
    SymbolKind.STRUCT: NamedType("System.ValueType"),
    SymbolKind.ENUM: NamedType("System.Enum"),
    SymbolKind.DELEGATE: NamedType("System.MulticastDelegate"),
    SymbolKind.INTERFACE: None,
}
_HAS_EXTENSIONS = TypeFlags.HAS_EXTENSIONS.value
_FRAMEWORK, _NAMED, _REFERRED, _OTHER = range(4)


class LibraryType(Struct, frozen=True, eq=False):
    """A public or protected type of an assembly. One object for each type of a ``LibraryTypes``, compared by
    identity."""

    namespace: str
    path: str
    """Metadata name without the namespace: ``Dictionary`2+Enumerator``."""
    assembly: str
    kind: SymbolKind
    flags: int
    """``TypeFlags``."""
    _base: str
    _interfaces: tuple[str, ...]
    _catalog: Catalog
    _located: LocatedType

    @property
    def metadata_name(self) -> str:
        """``System.Collections.Generic.Dictionary`2+Enumerator``: what ``NamedType.definition`` refers to."""
        return f"{self.namespace}.{self.path}" if self.namespace else self.path

    @property
    def name(self) -> str:
        """Simple name, without arity."""
        return split_arity(self.path.rpartition("+")[2])[0]

    @property
    def arity(self) -> int:
        """Number of its own type parameters, without those of enclosing types."""
        return split_arity(self.path.rpartition("+")[2])[1]

    @property
    def enclosing_path(self) -> str:
        """``path`` of the enclosing type, or empty."""
        return self.path.rpartition("+")[0]

    @property
    def visibility(self) -> Visibility:
        return visibility(self.flags)

    @property
    def is_static(self) -> bool:
        return bool(self.flags & TypeFlags.STATIC)

    @property
    def base(self) -> NamedType | None:
        """The base class as written in metadata, implied ones too; null for interfaces and ``System.Object``."""
        if self._base:
            base = parse_type(self._base)
            return base if isinstance(base, NamedType) else None
        return None if self.metadata_name == "System.Object" else _IMPLIED_BASE[self.kind]

    @property
    def interfaces(self) -> tuple[TypeRef, ...]:
        """Interfaces of its metadata: for what the compiler of C# wrote, inherited ones included."""
        return tuple(parse_type(text) for text in self._interfaces)


_Directory = dict[str, tuple[LibraryType, ...]]
_Seen = tuple[bool, frozenset[str], frozenset[str], frozenset[str]]
"""What decides what a view sees: whether that is everything, assemblies of packages it names, assemblies that unknown packages hint at, and
those that are hidden."""


class LibraryTypes:
    """All types of some catalogs. Cheap to make: everything is read when first asked for, and kept. Not for concurrent
    use by threads."""

    def __init__(self, catalogs: Sequence[Catalog]) -> None:
        """``catalogs``: those of the user's folders, highest precedence first, and last the one shipped."""
        self._catalogs = tuple(catalogs)
        self._directories: dict[str, _Directory] = {}
        self._declaring: dict[str, frozenset[str]] = {}
        self._extension_paths: dict[str, tuple[str, ...]] = {}
        self._readings: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {}
        self._views: dict[_Seen, LibraryView] = {}
        self._chosen = _choose(self._catalogs)
        self.assemblies = {name: entry for name, (_, entry) in sorted(self._chosen.items())}
        """The assemblies in use, by name."""
        self.digest = hashlib.sha256("\n".join(catalog.digest for catalog in self._catalogs).encode()).hexdigest()[:16]
        """Changes with anything a lookup could see: part of the fingerprint of an index."""

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Those in which some assembly declares types, and those around them."""
        found: set[str] = set()
        for catalog in self._catalogs:
            for namespace in catalog.namespaces:
                while namespace and namespace not in found:
                    found.add(namespace)
                    namespace = namespace.rpartition(".")[0]
        return frozenset(found)

    @cached_property
    def everything(self) -> LibraryView:
        """The view that sees all assemblies."""
        return self.view(None)

    def view(self, packages: Collection[str] | None, source_assemblies: Collection[str] = ()) -> LibraryView:
        """The libraries that a project sees. ``packages``: ids of the packages it names, also through project references; null for
        everything. ``source_assemblies``: assembly names that the repository itself compiles, which hide libraries of
        that name."""
        named: set[str] = set()
        needed: set[str] = set()
        for package in packages or ():
            brought = assemblies_of(package, self._names)
            named.update(brought)
            if not brought:
                needed.update(assemblies_needed_by(package, self._names))
        # Most projects see the same as another one: they share what is found in it.
        known = self.assemblies.keys()
        key = (
            packages is None,
            frozenset(named & known),
            frozenset(needed & known),
            frozenset(known & set(source_assemblies)),
        )
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = LibraryView(self, self._ranks(*key))
        return view

    def members(self, library_type: LibraryType) -> TypeSurface:
        """The members and type parameters of a type. Raises: CatalogError when the catalog is damaged."""
        return library_type._catalog.surface(library_type._located)

    def directory(self, namespace: str) -> _Directory:
        """The types of a namespace, nested ones too, by path."""
        directory = self._directories.get(namespace)
        if directory is None:
            directory = self._directories[namespace] = self._read_directory(namespace)
        return directory

    def extension_paths(self, namespace: str) -> tuple[str, ...]:
        """Paths of the static classes that declare extension members in some assembly."""
        paths = self._extension_paths.get(namespace)
        if paths is None:
            paths = self._extension_paths[namespace] = tuple(
                path
                for path, types in self.directory(namespace).items()
                if any(each.flags & _HAS_EXTENSIONS for each in types)
            )
        return paths

    def readings(self, type_id: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """The namespace, the outermost type and the nested ones that a documentation-comment id may mean, as it does not say where the
        namespace ends: those of which some assembly has the outermost type, the longest namespace first."""
        found = self._readings.get(type_id)
        if found is None:
            pieces = type_id[2:].split(".")
            splits = ((".".join(pieces[:n]), pieces[n], tuple(pieces[n + 1 :])) for n in range(len(pieces) - 1, -1, -1))
            found = self._readings[type_id] = tuple(each for each in splits if each[1] in self.directory(each[0]))
        return found

    def declaring(self, namespace: str) -> Collection[str]:
        """Names of the assemblies that declare types in a namespace, or in one inside it."""
        found = self._declaring.get(namespace)
        if found is None:
            found = self._declaring[namespace] = frozenset(
                name
                for catalog in self._catalogs
                for name in {catalog.assemblies[number].name for number in catalog.declaring(namespace)}
                if self._chosen[name][0] is catalog
            )
        return found

    def _read_directory(self, namespace: str) -> _Directory:
        directory: dict[str, list[LibraryType]] = {}
        for catalog in self._catalogs:
            for located in catalog.types_of(namespace):
                entry = located.entry
                assembly = catalog.assemblies[entry.assembly].name
                if self._chosen[assembly][0] is catalog:
                    found = LibraryType(
                        namespace,
                        entry.path,
                        assembly,
                        located.kind,
                        entry.flags,
                        entry.base,
                        entry.interfaces,
                        catalog,
                        located,
                    )
                    directory.setdefault(entry.path, []).append(found)
        return {path: tuple(types) for path, types in directory.items()}

    def _ranks(
        self, is_everything: bool, named: frozenset[str], needed: frozenset[str], hidden: frozenset[str]
    ) -> dict[str, int]:
        """Precedence of each visible assembly, the lowest number first."""
        entries = self.assemblies
        referred = dict.fromkeys(_closure(named | needed, entries), _REFERRED)
        others = dict.fromkeys(entries, _OTHER) if is_everything else self._own
        ranks = {**others, **referred, **dict.fromkeys(named, _NAMED), **self._framework}
        for name in hidden:
            ranks.pop(name, None)
        return ranks

    @cached_property
    def _own(self) -> dict[str, int]:
        """Assemblies of the user's folders, which every project sees, with their precedence where nothing refers to them."""
        shipped = self._catalogs[-1] if self._catalogs else None
        return {name: _OTHER for name, (catalog, _) in self._chosen.items() if catalog is not shipped}

    @cached_property
    def _framework(self) -> dict[str, int]:
        """Assemblies of .NET itself, with their precedence."""
        return {name: _FRAMEWORK for name in self.assemblies if name in self._framework_names}

    @cached_property
    def _names(self) -> dict[str, str]:
        """Assembly names by their lower case."""
        return {name.lower(): name for name in self.assemblies}

    @cached_property
    def _framework_names(self) -> frozenset[str]:
        return frozenset(
            entry.name for catalog in self._catalogs for entry in catalog.assemblies if entry.is_framework
        ) | {"mscorlib", "netstandard", "System.Private.CoreLib"}


class LibraryView:
    """The library types one project sees. Made by ``LibraryTypes.view``."""

    def __init__(self, types: LibraryTypes, ranks: dict[str, int]) -> None:
        self.types = types
        self._ranks = ranks
        self._found: dict[tuple[str, str], tuple[LibraryType, ...]] = {}

    @property
    def assemblies(self) -> Collection[str]:
        """Names of the visible assemblies."""
        return self._ranks.keys()

    def has_namespace(self, namespace: str) -> bool:
        """Whether a visible type is declared in a namespace, or in one inside it."""
        return not self._ranks.keys().isdisjoint(self.types.declaring(namespace))

    def is_brought(self, assembly: str) -> bool:
        """Part of .NET, or of a package of the project or of one that this refers to."""
        return self._ranks.get(assembly, _OTHER) != _OTHER

    def candidates(self, namespace: str, name: str, arity: int = 0) -> tuple[LibraryType, ...]:
        """All visible types of that name in a namespace, the preferred one first."""
        return self._of_path(namespace, f"{name}`{arity}" if arity else name)

    def find(self, namespace: str, name: str, arity: int = 0) -> LibraryType | None:
        """The type of that name in a namespace."""
        found = self.candidates(namespace, name, arity)
        return found[0] if found else None

    def with_id(self, type_id: str) -> LibraryType | None:
        """The visible type of a documentation-comment id."""
        for namespace, outermost, nested in self.types.readings(type_id):
            found = next(iter(self._of_path(namespace, outermost)), None)
            for piece in nested:
                found = self.nested(found, *split_arity(piece)) if found is not None else None
            if found is not None:
                return found
        return None

    def nested(self, enclosing: LibraryType, name: str, arity: int = 0) -> LibraryType | None:
        """A type declared directly in another; base types are the caller's to walk."""
        path = f"{enclosing.path}+{name}`{arity}" if arity else f"{enclosing.path}+{name}"
        for found in self.types.directory(enclosing.namespace).get(path, ()):
            if found.assembly == enclosing.assembly:
                return found
        return None

    def resolve(self, metadata_name: str) -> LibraryType | None:
        """The type that ``NamedType.definition`` names. Metadata only names what exists, so a type that this view does
        not see is taken from wherever it is."""
        outer, plus, nested = metadata_name.partition("+")
        namespace, _, first = outer.rpartition(".")
        path = first + plus + nested
        found = self._of_path(namespace, path) or self.types.everything._of_path(namespace, path)
        return found[0] if found else None

    def types_in(self, namespace: str) -> Iterable[LibraryType]:
        """The preferred one of each visible top-level type of a namespace."""
        for path in self.types.directory(namespace):
            if "+" not in path:
                found = self._of_path(namespace, path)
                if found:
                    yield found[0]

    def extension_containers(self, namespace: str) -> list[LibraryType]:
        """Visible static classes of a namespace that declare extension members, all candidates of a name."""
        return [
            found
            for path in self.types.extension_paths(namespace)
            for found in self._of_path(namespace, path)
            if found.flags & _HAS_EXTENSIONS
        ]

    def members(self, library_type: LibraryType) -> TypeSurface:
        """See ``LibraryTypes.members``."""
        return self.types.members(library_type)

    def _of_path(self, namespace: str, path: str) -> tuple[LibraryType, ...]:
        declared = self.types.directory(namespace).get(path)
        if declared is None:
            return ()
        key = namespace, path
        found = self._found.get(key)
        if found is None:
            ranks = self._ranks
            visible = [t for t in declared if t.assembly in ranks]
            visible.sort(key=lambda t: (ranks[t.assembly], t.assembly))
            found = self._found[key] = tuple(visible)
        return found


def _choose(catalogs: Sequence[Catalog]) -> dict[str, tuple[Catalog, AssemblyEntry]]:
    """The assembly in use among those of one name; see the module's docstring."""
    shipped = catalogs[-1] if catalogs else None
    framework = {entry.name for entry in shipped.assemblies if entry.is_framework} if shipped else set()
    chosen: dict[str, tuple[Catalog, AssemblyEntry]] = {}
    for catalog in catalogs:
        for entry in catalog.assemblies:
            held = chosen.get(entry.name)
            by_version = catalog is not shipped or entry.name in framework
            if held is None or (by_version and entry.version > held[1].version):
                chosen[entry.name] = catalog, entry
    return chosen


def _closure(names: Collection[str], entries: dict[str, AssemblyEntry]) -> set[str]:
    """The assemblies of these names and all that they refer to."""
    closure: set[str] = set()
    open_names = list(names)
    while open_names:
        name = open_names.pop()
        if name in entries and name not in closure:
            closure.add(name)
            open_names.extend(entries[name].references)
    return closure
