"""Extension members in view (ECMA-334 §12.8.10.3, C# 14 blocks): by namespace and name, searched from the inside out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from codemap_plugins.csharp.binding.arguments import any_open, argument_signature
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import MemberKind
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.overloads import Overloads
from codemap_plugins.csharp.binding.resolution import Contest, Outcome, OverloadResolution, undecided
from codemap_plugins.csharp.binding.special_types import is_span
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.project_scope import Namespace, ProjectScope
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeDefinition

_Containers = Mapping[str, tuple[TypeDefinition, ...]]
"""Name of an extension member → the static classes, or blocks in them, that declare it."""


class _View:
    """What the levels around a place import, from the inside out; places that see the same share one view. ``file``: the path of the only
    file that has this view, as it declares file-local types (C# 11); else empty."""

    __slots__ = ("file", "levels")

    def __init__(self, levels: tuple[tuple[_Containers, ...], ...], file: str) -> None:
        self.levels: Final = levels
        self.file: Final = file

    def shows(self, container: TypeDefinition) -> bool:
        """Whether a class, or a block in one, is not a file-local one of another file."""
        if not isinstance(container, SourceTypeDefinition):
            return True
        file = container.enclosing[-1].file_local
        return not file or file == self.file


class _Remembered:
    __slots__ = ("by_namespace", "found", "levels", "resolved", "views")

    def __init__(self) -> None:
        self.by_namespace: Final[dict[str, _Containers]] = {}
        self.levels: Final[dict[tuple[Document, int], _View]] = {}
        self.views: Final[dict[tuple[tuple[tuple[str | TypeDefinition, ...], ...], str], _View]] = {}
        self.resolved: Final[dict[tuple[object, ...], OverloadResolution]] = {}
        self.found: Final[dict[tuple[TypeDefinition, str], tuple[Found, ...]]] = {}

    def forget(self) -> None:
        caches: tuple[dict[Any, Any], ...] = (*(self.by_namespace, self.levels, self.views, self.resolved, self.found),)
        for cache in caches:
            cache.clear()


def methods_of_values(group: Iterable[Found]) -> list[Found]:
    """The methods that are called on a value: not the static ones of a block, which are called on the type."""
    return [found for found in group if found.member.kind is MemberKind.METHOD and not found.member.is_static_extension]


def _takes_as_span(method: Found, receiver: BoundExpression) -> bool:
    """It extends a span that the receiver is not, but may convert to."""
    parameters = method.member.parameters
    extended = parameters[0].type if parameters else None
    if extended is None or not is_span(extended):
        return False
    source = receiver.type
    return not (
        isinstance(source, NamedType) and isinstance(extended, NamedType) and source.definition is extended.definition
    )


class Extensions:
    """Extension members that one project sees. Shared by the project's files."""

    def __init__(self, hierarchy: Hierarchy, overloads: Overloads, outer: Extensions | None = None) -> None:
        """``outer``: of the same project; what does not depend on type parameters is remembered for both."""
        self._hierarchy: Final = hierarchy
        self._overloads: Final = overloads
        self._project: Final[ProjectScope] = hierarchy.project
        self._remembered: Final[_Remembered] = outer._remembered if outer is not None else _Remembered()

    def forget(self) -> None:
        self._remembered.forget()

    def resolve(
        self,
        scope: LocalScope,
        name: str,
        receiver: BoundExpression,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        to_delegate: bool = False,
    ) -> OverloadResolution:
        """The first level outwards with an applicable candidate decides. ``to_delegate``: a method group on the receiver is converted; then
        the receiver is not converted to a span (C# 14)."""
        document, usings, within = scope.resolver.document, scope.resolver.scope, scope.within
        signature = argument_signature([Argument(receiver), *arguments])
        if signature is None or (type_arguments and any_open(type_arguments)):
            return self._resolve(document, usings, name, receiver, arguments, type_arguments, within, to_delegate)
        key = (self._maps(document, usings), name, signature, type_arguments, within, to_delegate)
        known = self._remembered.resolved.get(key)
        if known is None:
            known = self._resolve(document, usings, name, receiver, arguments, type_arguments, within, to_delegate)
            self._remembered.resolved[key] = known
        return known

    def _resolve(
        self,
        document: Document,
        scope: int,
        name: str,
        receiver: BoundExpression,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        to_delegate: bool,
    ) -> OverloadResolution:
        rejected: list[Found] = []
        contests: tuple[Contest, ...] = ()
        for group in self.groups(document, scope, name):
            methods = methods_of_values(group)
            if to_delegate:
                methods = [each for each in methods if not _takes_as_span(each, receiver)]
            if not methods:
                continue
            resolution = self._overloads.resolve(methods, arguments, type_arguments, within, receiver)
            if resolution.outcome is not Outcome.INAPPLICABLE:
                return resolution.after(contests)
            rejected.extend(methods)
            contests = (*contests, *resolution.contests)
        return undecided(Outcome.INAPPLICABLE, rejected).after(contests)

    def as_far_as(self, scope: LocalScope, name: str, chosen: Found) -> list[Found]:
        """The methods of a name that come before the chosen one or stand beside it: those of its level, and of the levels inside."""
        passed: list[Found] = []
        for group in self.groups(scope.resolver.document, scope.resolver.scope, name):
            passed += methods_of_values(group)
            if any(found.member is chosen.member for found in group):
                break
        return passed

    def groups(self, document: Document, scope: int, name: str) -> Iterator[list[Found]]:
        """Extension members of a name, level by level from the inside out."""
        view = self._maps(document, scope)
        for maps in view.levels:
            # A class that both a namespace and a ``using static`` bring counts once.
            containers = dict.fromkeys(definition for by_name in maps for definition in by_name.get(name, ()))
            group = [
                found
                for definition in containers
                if view.shows(definition)
                for found in self._members(definition, name)
            ]
            if group:
                yield group

    def _members(self, definition: TypeDefinition, name: str) -> tuple[Found, ...]:
        key = (definition, name)
        known = self._remembered.found.get(key)
        if known is None:
            container = NamedType(definition)
            known = self._remembered.found[key] = tuple(
                Found(member, container, 0)
                for member in self._hierarchy.members.of(definition).get(name, ())
                if member.is_extension and member.kind in (MemberKind.METHOD, MemberKind.PROPERTY, MemberKind.OPERATOR)
            )
        return known

    def _maps(self, document: Document, scope: int) -> _View:
        key = (document, scope)
        known = self._remembered.levels.get(key)
        if known is None:
            found: list[tuple[str | TypeDefinition, ...]] = []
            for level in document.levels(scope):
                if self._of(level.namespace):
                    found.append((level.namespace,))
                if level.scope >= 0:
                    imported = tuple(each for each in self._imported(document, level.scope) if self._of(each))
                    if imported:
                        found.append(imported)
            file = next((each.file_local for each in document.definitions if each.file_local), "")
            view = (tuple(found), file)
            known = self._remembered.views.get(view)
            if known is None:
                known = _View(tuple(tuple(map(self._of, level)) for level in found), file)
                self._remembered.views[view] = known
            self._remembered.levels[key] = known
        return known

    @staticmethod
    def _imported(document: Document, scope: int) -> dict[str | TypeDefinition, None]:
        """The namespaces, by name, and static classes that the usings of a scope bring, each once."""
        found: dict[str | TypeDefinition, None] = {}
        for target, is_static in document.imports(scope):
            if isinstance(target, Namespace) and not is_static:
                found[target.name] = None
            elif isinstance(target, NamedType) and is_static:
                found[target.definition] = None
        return found

    def _of(self, container: str | TypeDefinition) -> _Containers:
        if isinstance(container, str):
            return self._of_namespace(container)
        return self._hierarchy.members.extension_containers(container)

    def _of_namespace(self, namespace: str) -> _Containers:
        known = self._remembered.by_namespace.get(namespace)
        if known is None:
            merged: dict[str, tuple[TypeDefinition, ...]] = {}
            for definition in self._static_classes(namespace):
                for name, containers in self._hierarchy.members.extension_containers(definition).items():
                    merged[name] = merged.get(name, ()) + containers
            known = self._remembered.by_namespace[namespace] = merged
        return known

    def _static_classes(self, namespace: str) -> Iterator[TypeDefinition]:
        for definition in self._hierarchy.table.extension_containers(namespace):
            if definition.project.path in self._project.visible and self._project.can_see(definition):
                yield definition
        yield from self._project.libraries.extension_containers(namespace)
