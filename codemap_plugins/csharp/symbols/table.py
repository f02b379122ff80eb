"""The declare stage: outlines of all files to one symbol table.

Types are entered for each project that compiles them, partial declarations merged by (project, namespace, path, arity, kind) whatever the
order of files; bases are resolved on demand, once, with a guard against cycles. Declarations of inactive regions are not entered: nothing
may be found through them.

Invariant: the table reads outlines alone, so a change inside a body changes nothing here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final, NamedTuple

from codemap_core.hooks.contracts import UnitKey, Universe
from codemap_core.model import Project, SymbolKind
from codemap_plugins.csharp.language_types import is_language_type
from codemap_plugins.csharp.metadata import library_types as metadata
from codemap_plugins.csharp.page_names import PageKind
from codemap_plugins.csharp.source_text import LineIndex
from codemap_plugins.csharp.symbols.alternatives import Alternatives, alternative_path
from codemap_plugins.csharp.symbols.definition_order import extending_place, is_extending, place_of
from codemap_plugins.csharp.symbols.definitions import (
    DeclaringDocument,
    LibraryTypeDefinition,
    LineIndexes,
    SourceTypeDefinition,
    TypePart,
)
from codemap_plugins.csharp.symbols.file_members import FileMembers
from codemap_plugins.csharp.symbols.libraries import Libraries
from codemap_plugins.csharp.symbols.pages import Pages
from codemap_plugins.csharp.symbols.project_scope import DeclaredTypes, ProjectScope, UsingScope, project_using
from codemap_plugins.csharp.symbols.project_views import (
    friends_of_projects,
    global_usings_of,
    packaged_projects,
    speaks_to_project,
    visible_libraries,
    visible_projects,
    xml_namespaces,
)
from codemap_plugins.csharp.symbols.scopes import Document, TypeResolver
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type, substitute
from codemap_plugins.csharp.unit import (
    DeclarationKind,
    Modifiers,
    Outline,
    Scope,
    TypeDeclaration,
    UsingDirective,
    decode_members,
)

_MEMBERS_KEPT: Final = 512
"""Files whose members stay decoded: about 0.1 MB each."""
_RESOLVERS_KEPT: Final = 1024
"""Parts of types whose resolver is kept with what it found, about 5 kB each."""


class Redeclared(NamedTuple):
    """Definitions that went and that came, the nested ones left out. Some of both may be equal: entered again."""

    gone: tuple[SourceTypeDefinition, ...]
    made: tuple[SourceTypeDefinition, ...]


class SymbolTable(DeclaredTypes):
    """All types with source, by project, and the lookups that need more than one file."""

    def __init__(self, universe: Universe) -> None:
        super().__init__()
        self._alternatives: Alternatives
        cache = Path(universe.cache_folder) if universe.cache_folder else None
        self.libraries: Final = Libraries(universe.reference_folders, cache, self.factory)
        self.documents: Final[dict[UnitKey, Document]] = {}
        self.pages: Final = Pages(self.documents)
        self._projects: dict[str, ProjectScope] = {}
        self._bases: dict[SourceTypeDefinition, tuple[Type, ...]] = {}
        self._in_type: dict[tuple[SourceTypeDefinition, str, int], Type | None] = {}
        self._members: dict[UnitKey, FileMembers] = {}
        self._resolvers: dict[TypePart, TypeResolver] = {}
        """By the part in whose body they resolve."""
        self._declaring: Final[Counter[tuple[str, str]]] = Counter()
        """How many scopes of a project's files declare something directly in a namespace, by (namespace, project)."""
        self._file_local: set[tuple[str, int]] = set()
        self._resolving: set[SourceTypeDefinition] = set()
        self._lines: Final = LineIndexes()
        self._extension_containers: dict[str, list[SourceTypeDefinition]] = defaultdict(list)
        self._declare(universe)

    def lines_of(self, document: DeclaringDocument) -> LineIndex:
        return self._lines.of(document)

    def library_views(self) -> tuple[metadata.LibraryView, ...]:
        """The projects' views of the libraries, in path order, each once, and then the view of everything, which files without a project
        have: whether there are such files changes nothing."""
        projects = (scope for _, scope in sorted(self._projects.items()) if scope.project is not None)
        seen = (scope.libraries.metadata for scope in projects)
        return tuple(dict.fromkeys((*seen, self.libraries.everything)))

    def extension_containers(self, namespace: str) -> list[SourceTypeDefinition]:
        """Static classes of a namespace in files that declare extension members."""
        return self._extension_containers.get(namespace, [])

    def is_file_local(self, name: str, arity: int) -> bool:
        """Some file-local type is called so: what the name means may depend on the file."""
        return (name, arity) in self._file_local

    def usings_of_page(self, key: UnitKey) -> Iterable[tuple[UsingScope, int, UsingDirective]]:
        return self.pages.usings(key)

    def _declare(self, universe: Universe) -> None:
        projects: dict[str, Project | None] = {p.project_path: p for p in universe.graph.projects}
        projects |= {key.project_path: None for key in universe.units if key.project_path not in projects}
        packaged = packaged_projects(projects, self.libraries)
        visible = {path: visible_projects(path, projects, packaged) for path in projects}
        self._alternatives = Alternatives(universe.units, visible)
        for path, project in projects.items():
            seen = visible[path]
            libraries = visible_libraries(project, seen, projects, self.libraries)
            by_package = seen - visible_projects(path, projects) if packaged else frozenset()
            self._projects[path] = ProjectScope(self, path, project, seen, libraries, by_package)
            if self._alternatives.has(path):
                other = alternative_path(path)
                seen, by_package = self._alternatives.seen(seen), self._alternatives.seen(by_package)
                self._projects[other] = ProjectScope(self, other, project, seen, libraries, by_package)
        keys = self._alternatives.keys(universe.units)
        for key in keys:
            self._declare_document(self._projects[key.project_path], key, self._outline(key))
        self.pages.add_imported(keys)
        for definitions in self.types.values():
            for definition in definitions:
                self._freeze(definition)
        self._complete_projects()

    def _outline(self, key: UnitKey) -> Outline:
        own = self._alternatives.units.shared(key)
        known = self.documents.get(own) if own is not None else None
        # That of an alternative is the project's where the file has none of its own.
        return known.outline if known is not None else self.pages.outline(key, self._alternatives.units)

    def keeps_alternatives(self, units: Mapping[UnitKey, bytes], changed: AbstractSet[UnitKey]) -> bool:
        """Whether the same projects have an alternative where ``changed`` units are other ones: ``redeclare`` needs that."""
        return self._alternatives.stay(units, changed)

    def _freeze(self, definition: SourceTypeDefinition) -> None:
        definition.freeze()
        for nested in definition.nested.values():
            self._freeze(nested)

    def _complete_projects(self) -> None:
        """Global usings of the project file, and friends, which need every document."""
        projects = {path: scope.project for path, scope in self._projects.items()}
        self.xml_namespaces = xml_namespaces(self.documents.values())
        self.friends = friends_of_projects(projects, self.documents.values())
        for path, scope in self._projects.items():
            if scope.project is not None and scope.project.usings:
                written = tuple(project_using(text) for text in scope.project.usings)
                holder = Document(
                    scope,
                    UnitKey(path, ""),
                    Outline((Scope(-1, "", written),), (), (), LineIndex.of(b"").packed(), False, False),
                )
                self.global_usings[path].extend((holder, using) for using in written)

    def _declare_document(self, project: ProjectScope, key: UnitKey, outline: Outline) -> None:
        document = Document(project, key, outline)
        self.documents[key] = document
        for using in global_usings_of(outline):
            self.global_usings[project.path].append((document, using))
        namespaces: dict[int, str] = {}
        for index in range(len(outline.scopes)):
            namespaces[index] = document.namespace_of(index)
            self._declaring[namespaces[index], project.path] += 1
            self._enter_namespace(namespaces[index], project.path)
        for index, declaration in enumerate(outline.types):
            document.definitions.append(self._enter_type(document, index, declaration, namespaces))

    def _enter_namespace(self, name: str, project: str) -> None:
        while name:
            known = self.namespaces.setdefault(name, set())
            if project in known:
                return
            known.add(project)
            name = name.rpartition(".")[0]

    def _enter_type(
        self, document: Document, index: int, declaration: TypeDeclaration, namespaces: Mapping[int, str]
    ) -> SourceTypeDefinition:
        container = document.definitions[declaration.parent] if declaration.parent >= 0 else None
        project = document.project
        namespace = namespaces[declaration.scope]
        file_local = document.key.file_path if Modifiers.FILE in declaration.modifiers else ""
        name = (declaration.name, len(declaration.type_parameters))
        known: SourceTypeDefinition | None = None
        if declaration.condition:
            # It is described, and found by nobody.
            alone = SourceTypeDefinition(project, namespace, container, declaration, file_local)
            alone.add_part(TypePart(document, index, declaration))
            return alone
        if declaration.kind is DeclarationKind.EXTENSION_BLOCK:
            known = None
        elif container is not None:
            known = container.nested.get(name)
        else:
            for candidate in self.types[namespace, *name]:
                if candidate.project is project and candidate.file_local == file_local:
                    known = candidate
        if known is None:
            known = SourceTypeDefinition(project, namespace, container, declaration, file_local)
            if declaration.kind is DeclarationKind.EXTENSION_BLOCK:
                if container is not None:
                    # Blocks have no names: those of all parts are counted.
                    container.nested["", sum(not each for each, _ in container.nested)] = known
            elif container is not None:
                container.nested[name] = known
            else:
                definitions = self.types[namespace, *name]
                if not definitions:
                    self.homes[name].append(namespace)
                definitions.append(known)
        known.add_part(TypePart(document, index, declaration))
        if file_local:
            self._file_local.add(name)
        if is_extending(document, declaration) and known not in self._extension_containers[namespace]:
            self._extension_containers[namespace].append(known)
        return known

    def redeclare(self, units: Mapping[UnitKey, bytes], changed: AbstractSet[UnitKey]) -> Redeclared:
        """Makes this the table of ``units``, of which those that are ``changed`` are other ones, new or gone; projects stay as they are.

        Files that share a type with one of those, or will, are entered again, so that a definition has the same parts as long as it lasts.
        All types and lookups found so far are forgotten: whoever holds some must let them go."""
        self._alternatives.follow(units, changed)
        concerned = set(self._alternatives.keys(changed))
        outlines = {
            key: self.pages.outline(key, self._alternatives.units)
            for key in sorted(concerned)
            if key in self._alternatives.units
        }
        joined = {part for key, outline in outlines.items() for part in self._joined_by(key, outline)}
        left = self._with_parts((concerned | self.pages.below(concerned) | joined) & self.documents.keys())
        gone = [definition for key in sorted(left) for definition in self._withdraw(left[key])]
        for key in concerned:
            self._members.pop(key, None)
        self._forget_lookups()
        entered = sorted(key for key in {*left, *concerned} if key in self._alternatives.units)
        for key in entered:
            outline = outlines.get(key)
            if outline is None:
                known = left[key].outline
                outline = known if known.page is PageKind.NONE else self.pages.outline(key, self._alternatives.units)
            self._declare_document(self._projects[key.project_path], key, outline)
        self.pages.add_imported(entered)
        made: dict[SourceTypeDefinition, None] = {}
        for key in entered:
            made.update((each, None) for each in self.documents[key].definitions if self._is_entered(each))
        for definition in made:
            self._freeze(definition)
        for definition in made:
            self.types[definition.namespace, *definition.path[0]].sort(key=place_of)
            containers = self._extension_containers.get(definition.namespace, [])
            if definition in containers:
                containers.sort(key=extending_place)
        documents = [*left.values(), *(self.documents[key] for key in entered)]
        if any(speaks_to_project(document) for document in documents):
            self._tell_projects()
        return Redeclared(tuple(dict.fromkeys(gone)), tuple(made))

    def _joined_by(self, key: UnitKey, outline: Outline) -> Iterable[UnitKey]:
        """The documents of the types that a document, as it is now, will have a part of."""
        document = Document(self._projects[key.project_path], key, outline)
        for declaration in outline.types:
            if declaration.parent < 0:
                name = (declaration.name, len(declaration.type_parameters))
                for known in self.types.get((document.namespace_of(declaration.scope), *name), ()):
                    if known.project is document.project:
                        yield from (part.document.key for part in known.parts)

    def _with_parts(self, keys: Iterable[UnitKey]) -> dict[UnitKey, Document]:
        """Documents, and those that declare further parts of their types, and so on."""
        found: dict[UnitKey, Document] = {}
        pending = list(keys)
        while pending:
            key = pending.pop()
            if key not in found:
                document = found[key] = self.documents[key]
                for definition in document.definitions:
                    if definition.container is None and len(definition.parts) > 1:
                        pending += [part.document.key for part in definition.parts]
        return found

    def _is_entered(self, definition: SourceTypeDefinition) -> bool:
        """Whether it stands in ``types``: neither nested nor left out by a condition."""
        return definition.container is None and definition in self.types.get(
            (definition.namespace, *definition.path[0]), ()
        )

    def _withdraw(self, document: Document) -> Iterable[SourceTypeDefinition]:
        """Takes a document out, and the definitions that it has a part of; these, the nested ones left out."""
        del self.documents[document.key]
        project = document.project.path
        for index in range(len(document.outline.scopes)):
            place = document.namespace_of(index), project
            self._declaring[place] -= 1
            if not self._declaring[place]:
                del self._declaring[place]
                self._leave_namespace(*place)
        # A type is listed for each of its parts in the file.
        gone = [each for each in dict.fromkeys(document.definitions) if self._is_entered(each)]
        for definition in gone:
            key = (definition.namespace, *definition.path[0])
            self.types[key].remove(definition)
            if not self.types[key]:
                del self.types[key]
                self.homes[definition.path[0]].remove(definition.namespace)
            containers = self._extension_containers.get(definition.namespace, [])
            if definition in containers:
                containers.remove(definition)
        if any(definition.file_local for definition in document.definitions):
            self._file_local = {
                each.path[-1]
                for other in self.documents.values()
                for each in other.definitions
                if each.file_local and not each.parts[0].declaration.condition
            }
        return gone

    def _leave_namespace(self, name: str, project: str) -> None:
        """Nothing of the project stands directly in the namespace any more."""
        while name:
            inner = name + "."
            if any(where == project and (each == name or each.startswith(inner)) for each, where in self._declaring):
                return
            projects = self.namespaces.get(name, set())
            projects.discard(project)
            if not projects:
                self.namespaces.pop(name, None)
            name = name.rpartition(".")[0]

    def _forget_lookups(self) -> None:
        """Everything that was found through types. Constructed types go with it, as they may hold types that are gone."""
        self._bases.clear()
        self._in_type.clear()
        self._resolvers.clear()
        for scope in self._projects.values():
            scope.forget()
            for holder, _ in scope.global_usings:
                holder.forget()
        for document in self.documents.values():
            document.forget()
            for definition in document.definitions:
                definition.forget()
        self.libraries.forget_types()
        self.factory.forget_errors()

    def _tell_projects(self) -> None:
        """As ``_complete_projects``, with the global usings of files first."""
        self.global_usings.clear()
        for key in sorted(self.documents):
            document = self.documents[key]
            for using in global_usings_of(document.outline):
                self.global_usings[key.project_path].append((document, using))
        self._complete_projects()

    def members_of(self, key: UnitKey) -> FileMembers:
        """The member declarations of a file. Those used last are kept decoded."""
        members = self._members
        found = members.pop(key, None)
        if found is None:
            found = FileMembers(decode_members(self._alternatives.units[key]).declarations)
            if len(members) >= _MEMBERS_KEPT:
                del members[next(iter(members))]
        members[key] = found
        return found

    def unit(self, key: UnitKey) -> bytes:
        return self._alternatives.units[key]

    def well_known(self, namespace: str, name: str, arity: int, project: ProjectScope) -> Type:
        """A type the language itself refers to. It exists even where no library was found."""
        assert is_language_type(namespace, name), f"{namespace}.{name} is not listed in language_types"
        definition = project.types_in(namespace, name, arity, "")
        if definition is None:
            definition = self.libraries.assumed(namespace, name, arity)
        return NamedType(definition)

    def document_of(self, part: TypePart) -> Document:
        """The one that declares a part."""
        return self.documents[part.document.key]

    def resolver_for(self, part: TypePart, definition: SourceTypeDefinition, own_only: bool = False) -> TypeResolver:
        """Resolves what is written inside the body of a part, or, ``own_only``, in its header: there the type's own parameters are in
        view, its members are not (ECMA-334 §15.2.4.2)."""
        document, scope = self.document_of(part), part.declaration.scope
        if own_only:
            return TypeResolver(document, scope, definition.container, definition.own_parameters)
        if self._resolving:
            # What is found while a base list is being resolved is not final: nothing may be remembered of it.
            return TypeResolver(document, scope, definition, ())
        known = self._resolvers.get(part)
        if known is None:
            if len(self._resolvers) >= _RESOLVERS_KEPT:
                self._resolvers.clear()
            known = self._resolvers[part] = TypeResolver(document, scope, definition, ())
        return known

    def bases_of(self, definition: SourceTypeDefinition) -> tuple[Type, ...]:
        """The resolved base lists of all parts, in part order, without repeats. Empty while they are being resolved: a base list cannot
        depend on itself."""
        known = self._bases.get(definition)
        if known is not None:
            return known
        if definition in self._resolving:
            return ()
        self._resolving.add(definition)
        try:
            found: list[Type] = []
            for part in definition.parts:
                if not part.declaration.bases or definition.kind is SymbolKind.ENUM:
                    continue
                resolver = self.resolver_for(part, definition, own_only=True)
                for base in part.declaration.bases:
                    type_ = resolver.resolve(base.text)
                    if type_ not in found:
                        found.append(type_)
        finally:
            self._resolving.discard(definition)
        result = tuple(found)
        self._bases[definition] = result
        return result

    def base_types_of(self, type_: NamedType) -> tuple[Type, ...]:
        """Base class and interfaces of a constructed type, its arguments put in."""
        definition, arguments = type_.definition, type_.arguments
        if isinstance(definition, SourceTypeDefinition):
            bases = self.bases_of(definition)
        elif isinstance(definition, LibraryTypeDefinition):
            bases = self.libraries.bases(definition)
        else:
            return ()
        return tuple([substitute(base, arguments) for base in bases]) if arguments else bases

    def nested_type(
        self, container: NamedType, name: str, arity: int, inherited: bool = True, depth: int = 0
    ) -> Type | None:
        """A nested type by name, sought in the type and then in its base types (ECMA-334 §12.5). A class does not inherit the nested types
        of its interfaces, nor the private ones of its base."""
        definition = container.definition
        found = self._directly_nested(definition, name, arity)
        if found is not None and not (depth and isinstance(found, SourceTypeDefinition) and found.is_private):
            return NamedType(found, container.arguments)
        if not inherited or depth > 30:
            return None
        for base in self.base_types_of(container):
            if not isinstance(base, NamedType):
                continue
            if (base.definition.kind is SymbolKind.INTERFACE) != (definition.kind is SymbolKind.INTERFACE):
                continue
            nested = self.nested_type(base, name, arity, True, depth + 1)
            if nested is not None:
                return nested
        return None

    def _directly_nested(
        self, definition: object, name: str, arity: int
    ) -> SourceTypeDefinition | LibraryTypeDefinition | None:
        if isinstance(definition, SourceTypeDefinition):
            return definition.nested.get((name, arity)) if name else None
        if isinstance(definition, LibraryTypeDefinition):
            return self.libraries.nested(definition, name, arity)
        return None

    def lookup_in_type(self, definition: SourceTypeDefinition, name: str, arity: int) -> Type | None:
        """A simple name from inside a type: its type parameters and nested types, inherited ones too, then those of its containers."""
        key = (definition, name, arity)
        if key in self._in_type:
            return self._in_type[key]
        result = self._in_type_itself(definition, name, arity)
        if result is None and definition.container is not None:
            result = self.lookup_in_type(definition.container, name, arity)
        # While a base list is being resolved its type has no bases yet, so a miss is not final.
        if result is not None or not self._resolving:
            self._in_type[key] = result
        return result

    def _in_type_itself(self, definition: SourceTypeDefinition, name: str, arity: int) -> Type | None:
        if arity == 0:
            for parameter in definition.own_parameters:
                if parameter.name == name:
                    return parameter
        if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
            return None
        nested = self.nested_type(definition.own_type, name, arity)
        return None if isinstance(nested, ErrorType) else nested
