"""The types and namespaces that are visible to every file of one project."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Project
from codemap_plugins.csharp.language_version import Language, language_version
from codemap_plugins.csharp.metadata.discover import nearest_framework
from codemap_plugins.csharp.metadata.framework_additions import absent_from
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import DeclaringDocument, DeclaringProject, SourceTypeDefinition
from codemap_plugins.csharp.symbols.libraries import LibraryView
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeDefinition, TypeFactory
from codemap_plugins.csharp.type_syntax import TypeSyntax
from codemap_plugins.csharp.unit import AttributeArgument, Modifiers, UsingDirective

_INTERNAL: Final = (Modifiers.INTERNAL, Modifiers.PRIVATE | Modifiers.PROTECTED)
_WEB_SDK: Final = "microsoft.net.sdk.web"
_PUBLIC_PROGRAM: Final = "net10.0"
_NAME_BEFORE_KEY: Final = re.compile(r'[$@]*"([^"{,\\]+)(?:,|"\s*\+\s*[A-Za-z_@])')


class Namespace(NamedTuple):
    """A namespace that a name means; ``name`` is its full name."""

    name: str


class UsingScope(DeclaringDocument):
    """A document as what holds using directives."""

    def using_target(self, scope: int, index: int, using: UsingDirective) -> Namespace | Type | None:
        """What a directive of one of its scopes names."""
        raise NotImplementedError

    def forget(self) -> None:
        """All that was looked up."""
        raise NotImplementedError


class DeclaredTypes:
    """All types with source, as the projects that see them ask for them. The table is one; a scope knows it by this alone."""

    def __init__(self) -> None:
        self.factory: Final = TypeFactory()
        self.types: dict[tuple[str, str, int], list[SourceTypeDefinition]] = defaultdict(list)
        """(namespace, name, arity) → definitions, one for each project, file-local ones for each file."""
        self.homes: dict[tuple[str, int], list[str]] = defaultdict(list)
        """(name, arity) → the namespaces that ``types`` has definitions of it in."""
        self.namespaces: dict[str, set[str]] = {}
        """Full name → paths of the projects that declare something in it; parents included."""
        self.global_usings: Final[defaultdict[str, list[tuple[UsingScope, UsingDirective]]]] = defaultdict(list)
        """Path of a project → those of its files, in the order of their paths, then its own."""
        self.xml_namespaces: Mapping[str, tuple[tuple[str, str], ...]] = {}
        """What stands for an XML namespace → (path of the project that says so, namespace that it holds)."""
        self.friends: Mapping[str, frozenset[str]] = {}
        """Path of a project → assembly names that may see its internals."""

    def is_file_local(self, name: str, arity: int) -> bool:
        """Some file-local type is called so: what the name means may depend on the file."""
        raise NotImplementedError

    def usings_of_page(self, key: UnitKey) -> Iterable[tuple[UsingScope, int, UsingDirective]]:
        """Of the files that a page imports directives from, each with its number there."""
        raise NotImplementedError

    def well_known(self, namespace: str, name: str, arity: int, project: ProjectScope) -> Type:
        """A type that the language itself refers to, as a project sees it."""
        raise NotImplementedError

    def nested_type(self, type_: NamedType, name: str, arity: int, inherited: bool = True) -> Type | None:
        raise NotImplementedError

    def lookup_in_type(self, definition: SourceTypeDefinition, name: str, arity: int) -> Type | None:
        raise NotImplementedError


class ProjectScope(DeclaringProject):
    """The view shared by the files of one project: its projects, libraries and global usings."""

    def __init__(
        self,
        table: DeclaredTypes,
        path: str,
        project: Project | None,
        visible: frozenset[str],
        libraries: LibraryView,
        packaged: frozenset[str] = frozenset(),
    ) -> None:
        """``visible``: paths of the projects that it sees, its own and those it references, transitively. ``packaged``: those of them that
        it sees as packages alone."""
        assembly_name = project.assembly_name if project is not None else ""
        super().__init__(path, assembly_name, table.factory, project is not None and _publishes_program(project))
        self.table: Final = table
        self.project: Final = project
        self.language: Final = Language(language_version(project.lang_version if project is not None else None))
        """The rules of the version of C# that it is written in; of the newest where there is no project."""
        self.allows_unsafe: Final = project is None or project.allow_unsafe
        """It may have unsafe contexts (ECMA-334 §23.2), without which no expression is a pointer."""
        self.absent: Final = absent_from((project.target_framework if project is not None else None) or "")
        """Ids of what libraries at hand may have and its framework lacks."""
        self.visible: Final = visible
        self.packaged: Final = packaged
        self.libraries: Final = libraries
        self._known_namespaces: set[str] = set()
        self._known_types: dict[tuple[str, str, int], TypeDefinition | None] = {}
        self._outwards: dict[tuple[str, str, int], Namespace | Type | None] = {}

    @property
    def friends(self) -> frozenset[str]:
        """Assembly names that may see its internals, in lower case."""
        return self.table.friends.get(self.path, frozenset())

    @property
    def global_usings(self) -> Sequence[tuple[UsingScope, UsingDirective]]:
        """Of its files, each with where it stands, then of the project itself."""
        return self.table.global_usings.get(self.path, ())

    def forget(self) -> None:
        """All that was looked up."""
        self._known_namespaces.clear()
        self._known_types.clear()
        self._outwards.clear()

    def can_see(self, definition: TypeDefinition) -> bool:
        """Accessibility of a namespace's type from this project (ECMA-334 §7.5): its own, a public one, or a friend's internal one."""
        if not isinstance(definition, SourceTypeDefinition):
            return True  # libraries are read as far as they can be seen
        owner = definition.project
        if owner is self:
            return True
        if owner.path not in self.visible:
            return False
        flags: int = definition.modifiers
        return bool(flags & bits.PUBLIC) or owner.shows_internals_to(self)

    def can_see_nested(self, definition: TypeDefinition, enclosing: SourceTypeDefinition | None) -> bool:
        """Whether a nested type may be accessible in a type (ECMA-334 §7.5.2, §7.5.3). A private one is seen from all of the outermost type
        around it, so that no base list or attribute of its container is left out; whether a protected one is, is not asked."""
        if not isinstance(definition, SourceTypeDefinition):
            return True
        is_own = definition.project is self
        if definition.is_private:
            return is_own and (enclosing is None or enclosing.enclosing[-1] is definition.enclosing[-1])
        if definition.modifiers.accessibility in _INTERNAL:
            return definition.project.shows_internals_to(self)
        return True

    def has_as_package(self, definition: TypeDefinition) -> bool:
        """A project declares it that this one sees as a package alone."""
        return isinstance(definition, SourceTypeDefinition) and definition.project.path in self.packaged

    def has_namespace(self, name: str) -> bool:
        if name in self._known_namespaces:
            return True
        projects = self.table.namespaces.get(name)
        known = (projects is not None and not projects.isdisjoint(self.visible)) or self.libraries.has_namespace(name)
        if known:
            self._known_namespaces.add(name)
        return known

    def types_in(self, namespace: str, name: str, arity: int, file_path: str) -> TypeDefinition | None:
        """The type of a namespace that this project's file sees: its own first, then referenced projects', then libraries'."""
        key = (namespace, name, arity)
        if key in self._known_types:
            return self._known_types[key]
        candidates = self.table.types.get(key)
        if candidates is None:
            found = self.libraries.find(namespace, name, arity)
            if found is not None:
                self._known_types[key] = found
            return found
        result = self._choose(candidates, key, file_path)
        if not any(candidate.file_local for candidate in candidates):
            self._known_types[key] = result
        return result

    def outwards(self, namespace: str, name: str, arity: int) -> Namespace | Type | None:
        """The meaning of a simple name in a namespace and those around it, without usings and file-local types."""
        key = (namespace, name, arity)
        if key in self._outwards:
            return self._outwards[key]
        around = namespace
        result = self.directly_in(around, name, arity, "")
        while result is None and around:
            around = around.rpartition(".")[0]
            result = self.directly_in(around, name, arity, "")
        self._outwards[key] = result
        return result

    def directly_in(self, namespace: str, name: str, arity: int, file_path: str) -> Namespace | Type | None:
        """The namespace or type of that name that a namespace holds."""
        if arity == 0:
            full = f"{namespace}.{name}" if namespace else name
            if self.has_namespace(full):
                return Namespace(full)
        definition = self.types_in(namespace, name, arity, file_path)
        return NamedType(definition) if definition is not None else None

    def _choose(
        self, candidates: Iterable[SourceTypeDefinition], key: tuple[str, str, int], file_path: str
    ) -> TypeDefinition | None:
        found: SourceTypeDefinition | None = None
        for candidate in candidates:
            if candidate.file_local:
                if candidate.file_local == file_path and candidate.project is self:
                    return candidate
            elif candidate.project is self or (found is None and self.can_see(candidate)):
                found = candidate
        # What cannot be seen from here does not stand in the way of what can (ECMA-334 §7.8.1, §12.5.1).
        return found if found is not None else self.libraries.find(*key)


def _publishes_program(project: Project) -> bool:
    """Whether PublicProgramSourceGenerator takes part, which came with the shared framework of ASP.NET Core 10."""
    framework = project.target_framework or ""
    return (project.sdk or "").lower() == _WEB_SDK and nearest_framework(framework, (_PUBLIC_PROGRAM,)) is not None


def friend_named(argument: AttributeArgument) -> str:
    """The assembly that an InternalsVisibleTo names, with or without a public key; the key may be a constant in a hole or after ``+``.
    Empty when the name itself is not a literal."""
    if isinstance(argument.value, str):
        return argument.value.partition(",")[0].strip()
    literal = _NAME_BEFORE_KEY.match(argument.text)
    return literal[1].strip() if literal else ""


def project_using(text: str) -> UsingDirective:
    """A project's global using, as ``Project.usings`` spells it."""
    if text.startswith("static "):
        return UsingDirective(TypeSyntax("".join(text[7:].split()), ()), is_global=True, is_static=True)
    alias, equals, target = text.partition("=")
    if equals:
        return UsingDirective(TypeSyntax("".join(target.split()), ()), alias=alias.strip(), is_global=True)
    return UsingDirective(TypeSyntax("".join(text.split()), ()), is_global=True)
