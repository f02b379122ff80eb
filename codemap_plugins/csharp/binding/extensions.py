"""Extension members in view (ECMA-334 §12.8.10.3, C# 14 blocks): by namespace and name, searched from the inside out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codemap_plugins.csharp.binding.hierarchy import Found, Hierarchy
from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.binding.operands import Argument, Operand
from codemap_plugins.csharp.binding.overloads import Overloads, Resolution
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypeDefinition
from codemap_plugins.csharp.symbols.scopes import Document, Namespace, ProjectScope
from codemap_plugins.csharp.symbols.types import NamedType, Type
from codemap_plugins.csharp.unit import DeclarationKind

_ByName = dict[str, tuple[Found, ...]]


class Extensions:
    """Extension members that one project sees. Shared by the project's files."""

    def __init__(self, hierarchy: Hierarchy, overloads: Overloads) -> None:
        self._hierarchy: Final = hierarchy
        self._overloads: Final = overloads
        self._project: Final[ProjectScope] = hierarchy.project
        self._by_namespace: dict[str, _ByName] = {}
        self._by_type: dict[TypeDefinition, _ByName] = {}
        self._levels: dict[tuple[Document, int], tuple[tuple[_ByName, ...], ...]] = {}

    def resolve(
        self,
        document: Document,
        scope: int,
        name: str,
        receiver: Operand,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
    ) -> Resolution:
        """The first level outwards with an applicable candidate decides."""
        rejected: list[Found] = []
        for group in self.groups(document, scope, name):
            methods = [found for found in group if found.member.kind is MemberKind.METHOD]
            if not methods:
                continue
            resolution = self._overloads.resolve(methods, arguments, type_arguments, within, receiver)
            if resolution.candidate is not None or (resolution.rejected and len(resolution.rejected) < len(methods)):
                return resolution
            rejected.extend(methods)
        return Resolution(None, False, rejected)

    def groups(self, document: Document, scope: int, name: str) -> Iterator[list[Found]]:
        """Extension members of a name, level by level from the inside out."""
        for maps in self._maps(document, scope):
            group = [found for by_name in maps for found in by_name.get(name, ())]
            if group:
                yield group

    def _maps(self, document: Document, scope: int) -> tuple[tuple[_ByName, ...], ...]:
        key = (document, scope)
        known = self._levels.get(key)
        if known is None:
            found: list[tuple[_ByName, ...]] = []
            for level in document.levels(scope):
                own = self._of_namespace(level.namespace)
                if own:
                    found.append((own,))
                if level.scope >= 0:
                    imported = tuple(self._imported(document, level.scope))
                    if imported:
                        found.append(imported)
            known = self._levels[key] = tuple(found)
        return known

    def _imported(self, document: Document, scope: int) -> Iterator[_ByName]:
        seen: set[object] = set()
        for target, is_static in document.imports(scope):
            if isinstance(target, Namespace):
                if is_static or target.name in seen:
                    continue
                seen.add(target.name)
                by_name = self._of_namespace(target.name)
            elif isinstance(target, NamedType) and is_static and target.definition not in seen:
                seen.add(target.definition)
                by_name = self._of_type(target.definition)
            else:
                continue
            if by_name:
                yield by_name

    def _of_namespace(self, namespace: str) -> _ByName:
        known = self._by_namespace.get(namespace)
        if known is None:
            merged: dict[str, list[Found]] = {}
            for definition in self._containers(namespace):
                for name, found in self._of_type(definition).items():
                    merged.setdefault(name, []).extend(found)
            known = self._by_namespace[namespace] = {name: tuple(found) for name, found in merged.items()}
        return known

    def _containers(self, namespace: str) -> Iterator[TypeDefinition]:
        for definition in self._hierarchy.table.extension_containers(namespace):
            if definition.project.path in self._project.visible and self._project.can_see(definition):
                yield definition
        yield from self._project.libraries.extension_containers(namespace)

    def _of_type(self, definition: TypeDefinition) -> _ByName:
        known = self._by_type.get(definition)
        if known is None:
            merged: dict[str, list[Found]] = {}
            container = NamedType(definition)
            for members in self._hierarchy.members.of(definition).values():
                for member in members:
                    if member.is_extension:
                        merged.setdefault(member.name, []).append(Found(member, container, 0))
            if isinstance(definition, SourceTypeDefinition):
                for block in definition.nested.values():
                    if block.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
                        for member in self._block_members(block):
                            merged.setdefault(member.name, []).append(Found(member, NamedType(block), 0))
            known = self._by_type[definition] = {name: tuple(found) for name, found in merged.items()}
        return known

    def _block_members(self, block: SourceTypeDefinition) -> Iterator[Member]:
        for members in self._hierarchy.members.of(block).values():
            for member in members:
                if member.kind in (MemberKind.METHOD, MemberKind.PROPERTY):
                    yield member
