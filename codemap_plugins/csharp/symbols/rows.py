"""The symbols that one file owns in one project, as rows.

A file owns a type when it holds the type's first part in path order, and a partial member when it holds the member's first part; every
other member belongs to the file that declares it. Rows come in source order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Confidence, Documentation, SymbolKind, SymbolPart, SymbolRow, Visibility
from codemap_plugins.csharp.page_names import OF_RAZOR, UNLISTED, PageKind
from codemap_plugins.csharp.source_text import NOWHERE
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.alternatives import is_alternative, own_key
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.identity import (
    MemberIdentity,
    shape_of_member,
    shape_of_type,
    shapes_of_type,
    stable_digest,
    stable_ids,
)
from codemap_plugins.csharp.symbols.table import Redeclared, SymbolTable
from codemap_plugins.csharp.symbols.types import NamedType, contains_error
from codemap_plugins.csharp.unit import DeclarationKind, DocComment, MemberDeclaration, Modifiers, TypeDeclaration

_MEMBER_KINDS: Final = {
    DeclarationKind.METHOD: SymbolKind.METHOD,
    DeclarationKind.FINALIZER: SymbolKind.METHOD,
    DeclarationKind.TOP_LEVEL_MAIN: SymbolKind.METHOD,
    DeclarationKind.CONSTRUCTOR: SymbolKind.CONSTRUCTOR,
    DeclarationKind.STATIC_CONSTRUCTOR: SymbolKind.CONSTRUCTOR,
    DeclarationKind.PRIMARY_CONSTRUCTOR: SymbolKind.CONSTRUCTOR,
    DeclarationKind.PROPERTY: SymbolKind.PROPERTY,
    DeclarationKind.POSITIONAL_PROPERTY: SymbolKind.PROPERTY,
    DeclarationKind.INDEXER: SymbolKind.INDEXER,
    DeclarationKind.FIELD: SymbolKind.FIELD,
    DeclarationKind.CONSTANT: SymbolKind.CONSTANT,
    DeclarationKind.ENUM_MEMBER: SymbolKind.CONSTANT,
    DeclarationKind.EVENT: SymbolKind.EVENT,
    DeclarationKind.FIELD_LIKE_EVENT: SymbolKind.EVENT,
    DeclarationKind.OPERATOR: SymbolKind.OPERATOR,
    DeclarationKind.CONVERSION: SymbolKind.OPERATOR,
}
_VISIBILITIES: Final = {
    int(Modifiers.PUBLIC): Visibility.PUBLIC,
    int(Modifiers.INTERNAL): Visibility.INTERNAL,
    int(Modifiers.PROTECTED): Visibility.PROTECTED,
    int(Modifiers.PRIVATE): Visibility.PRIVATE,
    int(Modifiers.PROTECTED | Modifiers.INTERNAL): Visibility.PROTECTED_INTERNAL,
    int(Modifiers.PRIVATE | Modifiers.PROTECTED): Visibility.PRIVATE_PROTECTED,
}
_CONSTRUCTORS: Final = frozenset(
    {DeclarationKind.CONSTRUCTOR, DeclarationKind.STATIC_CONSTRUCTOR, DeclarationKind.PRIMARY_CONSTRUCTOR}
)
_OPERATORS: Final = frozenset({DeclarationKind.OPERATOR, DeclarationKind.CONVERSION})
_EVENTS: Final = frozenset({DeclarationKind.EVENT, DeclarationKind.FIELD_LIKE_EVENT})
_NAMES_A_PROPERTY: Final = frozenset({DeclarationKind.PROPERTY, DeclarationKind.FIELD, DeclarationKind.CONSTANT})
_ALWAYS_STATIC: Final = frozenset(
    {DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER, DeclarationKind.STATIC_CONSTRUCTOR}
)
_IDENTITIES_KEPT: Final = 1024
_MODIFIER_WORDS: Final = tuple(
    (int(flag), flag.name.lower())
    for flag in Modifiers
    if flag.name is not None
    and flag not in (Modifiers.PUBLIC, Modifiers.INTERNAL, Modifiers.PROTECTED, Modifiers.PRIVATE, Modifiers.REF)
)


def symbol_kind_of(member: MemberDeclaration) -> SymbolKind:
    """The kind of symbol that a member declaration is. An operator that implements an interface explicitly is a method: no expression
    means it."""
    if member.explicit_interface is not None and member.kind in _OPERATORS:
        return SymbolKind.METHOD
    return _MEMBER_KINDS[member.kind]


def display_name(definition: SourceTypeDefinition) -> str:
    """The type with its containers and type parameters, as a reader writes it: ``Outer<T>.Inner``."""
    names: list[str] = []
    for current in definition.enclosing:
        if current.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
            continue
        parameters = current.type_parameters
        names.append(current.name + ("<" + ", ".join(parameters) + ">" if parameters else ""))
    return ".".join(reversed(names))


def owner_of_members(definition: SourceTypeDefinition) -> SourceTypeDefinition:
    """The type that members belong to: the static class for those of an extension block."""
    if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK and definition.container is not None:
        return definition.container
    return definition


def _is_page(part: TypePart) -> bool:
    return part.document.outline.page in OF_RAZOR


class SymbolRows:
    """Makes rows; remembers stable ids of types and what it knows of partial types while a run lasts."""

    def __init__(self, table: SymbolTable) -> None:
        self._table: Final = table
        self._type_shapes: defaultdict[tuple[str, ...], Counter[str]] | None = None
        """Shape → how many types have it, by name."""
        self._stable_types: dict[SourceTypeDefinition, str] = {}
        self._member_ids: dict[SourceTypeDefinition, dict[tuple[UnitKey, int], tuple[str, str]]] = {}
        """Partial type → (file, member index) → (symbol id, stable id). Those of other types are needed once."""
        self._identities: dict[TypePart, MemberIdentity] = {}

    def rows(self, key: UnitKey) -> Iterator[SymbolRow]:
        """Of a view and of imports none, and of a component none for what its compiler adds."""
        document = self._table.documents[key]
        if document.outline.page in UNLISTED:
            return
        members = self._table.members_of(key)
        for index, declaration in enumerate(document.outline.types):
            definition = document.definitions[index]
            part = definition.part_at(document, index)
            if declaration.kind is not DeclarationKind.EXTENSION_BLOCK and definition.parts[0] is part:
                yield self._type_row(definition, declaration)
            yield from self._member_rows(definition, part, members.of_type(index))

    def _type_row(self, definition: SourceTypeDefinition, declaration: TypeDeclaration) -> SymbolRow:
        part = definition.parts[0]
        flags: int = definition.modifiers
        line, column = self._table.lines_of(part.document).position(declaration.name_offset)
        if not line:  # that of a component, which is called like its file
            line, column = 1, 1
        display = display_name(definition)
        container = definition.container
        return SymbolRow(
            symbol_id=definition.documentation_id,
            stable_id=self.stable_id(definition),
            kind=definition.kind,
            name=definition.name,
            fully_qualified_name=f"{definition.namespace}.{display}" if definition.namespace else display,
            signature=declaration.signature,
            documentation=_documentation(
                next((p.declaration.doc for p in definition.parts if p.declaration.doc is not None), None)
            ),
            namespace=definition.namespace,
            containing_type=display_name(container) if container is not None else None,
            container_id=container.documentation_id if container is not None else None,
            file_path=part.document.key.file_path,
            span_start=declaration.line_start,
            span_end=declaration.line_end,
            name_line=line,
            name_column=column,
            visibility=type_visibility(definition),
            project=definition.project.path,
            is_static=bool(flags & bits.STATIC),
            modifiers=modifier_words(definition.modifiers),
            confidence=Confidence.LOW if declaration.broken else Confidence.HIGH,
            condition=declaration.condition or None,
            content_hash=declaration.content_hash,
            other_parts=tuple(
                SymbolPart(p.document.key.file_path, p.declaration.line_start, p.declaration.line_end)
                for p in definition.parts[1:]
                if p.document.outline.page not in UNLISTED
            ),
        )

    def stable_id(self, definition: SourceTypeDefinition) -> str:
        known = self._stable_types.get(definition)
        if known is not None:
            return known
        shapes = self._shapes()
        shape = shape_of_type(definition)
        condition = definition.parts[0].declaration.condition
        if condition:
            # A declaration that is not compiled is no part of the table, so its name has to tell it apart.
            parts = (*shape, definition.name, condition)
        elif any(_is_page(part) for part in definition.parts):
            # Imports may say its namespace, so that its file does not tell with what it shares a shape.
            parts = (*shape, definition.name)
        else:
            parts = shape if len(shapes.get(shape, ())) == 1 else (*shape, definition.name)
        container = definition.container
        if container is not None:
            parts = (self.stable_id(container), *parts[:4], *parts[5:])
        result = self._stable_types[definition] = stable_digest(parts)
        return result

    def _shapes(self) -> defaultdict[tuple[str, ...], Counter[str]]:
        if self._type_shapes is None:
            self._type_shapes = defaultdict(Counter)
            for definitions in self._table.types.values():
                self._count_shapes(definitions, 1)
        return self._type_shapes

    def _count_shapes(self, definitions: Iterable[SourceTypeDefinition], by: int) -> None:
        shapes = self._shapes()
        pending = [each for each in definitions if not is_alternative(each.project.path)]
        while pending:
            definition = pending.pop()
            pending.extend(definition.nested.values())
            if all(_is_page(part) for part in definition.parts):
                continue
            for shape in shapes_of_type(definition):
                names = shapes[shape]
                names[definition.name] += by
                if not names[definition.name]:
                    del names[definition.name]
                if not names:
                    del shapes[shape]

    def redeclared(self, difference: Redeclared) -> None:
        """The table has changed."""
        self._count_shapes(difference.gone, -1)
        self._count_shapes(difference.made, 1)
        self._stable_types.clear()
        self._member_ids.clear()
        self._identities.clear()

    def prepare(self) -> None:
        """Makes the data that every worker needs, once, before the workers start."""
        self._shapes()

    def _siblings(self, definition: SourceTypeDefinition) -> Iterator[tuple[TypePart, int, MemberDeclaration]]:
        """All members of a type over all parts, in part order."""
        for part in definition.parts:
            for index, member in self._table.members_of(part.document.key).of_type(part.index):
                yield part, index, member

    def identity_of(self, definition: SourceTypeDefinition, part: TypePart) -> MemberIdentity:
        known = self._identities.get(part)
        if known is None:
            if len(self._identities) >= _IDENTITIES_KEPT:
                self._identities.clear()
            known = self._identities[part] = MemberIdentity(definition, self._table.resolver_for(part, definition))
        return known

    def member_id(self, identity: MemberIdentity, member: MemberDeclaration) -> str:
        listed = self._listed(identity, member)
        if listed is not None:
            identity, member = listed
        indexer = "Item"
        if member.kind is DeclarationKind.INDEXER:
            for attribute in member.attributes:
                if (
                    attribute.name.text.rpartition(".")[2] in ("IndexerName", "IndexerNameAttribute")
                    and attribute.arguments
                ):
                    value = attribute.arguments[0].value
                    indexer = value if isinstance(value, str) else indexer
        return identity.documentation_id(member, indexer)

    def _listed(
        self, identity: MemberIdentity, member: MemberDeclaration
    ) -> tuple[MemberIdentity, MemberDeclaration] | None:
        """A member of an alternative as the file's own rows list it, with what their symbols leave out of its signature left out."""
        key = own_key(identity.document.key) if identity.document.outline.regions else None
        declaration = self._table.members_of(key).named_at(member) if key is not None else None
        if key is None or declaration is None:
            return None
        document = self._table.documents[key]
        definition = document.definitions[declaration.parent]
        return self.identity_of(definition, definition.part_at(document, declaration.parent)), declaration

    def _member_rows(
        self, definition: SourceTypeDefinition, part: TypePart, members: Sequence[tuple[int, MemberDeclaration]]
    ) -> Iterator[SymbolRow]:
        if not members:
            return
        identity = self.identity_of(definition, part)
        key = part.document.key
        ids = self._ids_of_members(definition)
        replaced = (
            self.explicit_names(definition)
            if any(m.kind is DeclarationKind.POSITIONAL_PROPERTY for _, m in members)
            else frozenset()
        )
        active: set[str] = set()
        lines = self._table.lines_of(part.document) if part.document.outline.page is not PageKind.NONE else None
        for index, member in members:
            if lines is not None and lines.position(member.name_offset) == NOWHERE:
                continue
            if member.kind is DeclarationKind.POSITIONAL_PROPERTY and (
                member.name in replaced or self.inherits_property(definition, member.name)
            ):
                continue
            symbol_id, stable_id = ids[key, index]
            if member.condition and symbol_id in active:
                continue
            others: tuple[SymbolPart, ...] = ()
            doc = member.doc
            flags: int = member.modifiers
            if flags & bits.PARTIAL:
                parts = self._parts_of(definition, symbol_id, member, ids)
                if parts and (parts[0][0].document.key, parts[0][1]) != (key, index):
                    continue
                others = tuple(SymbolPart(p.document.key.file_path, m.line_start, m.line_end) for p, _, m in parts[1:])
                doc = next((m.doc for _, _, m in parts if m.doc is not None), doc)
            if not member.condition:
                if symbol_id in active:
                    continue
                active.add(symbol_id)
            yield self._member_row(definition, part, identity, member, symbol_id, stable_id, others, doc)

    def _parts_of(
        self,
        definition: SourceTypeDefinition,
        symbol_id: str,
        member: MemberDeclaration,
        ids: dict[tuple[UnitKey, int], tuple[str, str]],
    ) -> list[tuple[TypePart, int, MemberDeclaration]]:
        """All declarations of a partial member (ECMA-334 §15.6.9; properties, indexers, events and constructors since C# 13 and 14)."""
        found: list[tuple[TypePart, int, MemberDeclaration]] = []
        for part, index, other in self._siblings(definition):
            if (
                other.name != member.name
                or (other.kind is not member.kind and not (other.kind in _EVENTS and member.kind in _EVENTS))
                or Modifiers.PARTIAL not in other.modifiers
                or other.condition
            ):
                continue
            if ids[part.document.key, index][0] == symbol_id:
                found.append((part, index, other))
        return found

    def _ids_of_members(self, definition: SourceTypeDefinition) -> dict[tuple[UnitKey, int], tuple[str, str]]:
        known = self._member_ids.get(definition)
        if known is not None:
            return known
        owner = owner_of_members(definition)
        container: tuple[str, ...] = (self.stable_id(owner),)
        is_block = owner is not definition
        if is_block:
            container = (*container, definition.parts[0].declaration.signature)
        places: list[tuple[UnitKey, int]] = []
        shapes: list[tuple[str, tuple[str, ...]]] = []
        symbol_ids: list[str] = []
        for part in definition.parts:
            identity = self.identity_of(definition, part)
            key = part.document.key
            for index, member in self._table.members_of(key).of_type(part.index):
                symbol_id = self.member_id(identity, member)
                symbol_ids.append(symbol_id)
                places.append((key, index))
                shapes.append((member.name, shape_of_member(member, symbol_id)))
        pairs = zip(symbol_ids, stable_ids(container, shapes, with_names=is_block), strict=True)
        result = dict(zip(places, pairs, strict=True))
        if len(definition.parts) > 1:
            self._member_ids[definition] = result
        return result

    def explicit_names(self, definition: SourceTypeDefinition) -> frozenset[str]:
        """Names that a record declares itself: no property is made for a parameter of that name (ECMA-334 §15.16.3)."""
        return frozenset(
            m.name
            for _, _, m in self._siblings(definition)
            if m.kind in _NAMES_A_PROPERTY and m.explicit_interface is None
        )

    def inherits_property(self, definition: SourceTypeDefinition, name: str, depth: int = 0) -> bool:
        """A base class with source has a property or field of that name that is neither private nor abstract: the parameter makes none."""
        if depth > 30:
            return False
        for base in self._table.bases_of(definition):
            if isinstance(base, NamedType) and isinstance(base.definition, SourceTypeDefinition):
                if base.definition.kind is SymbolKind.INTERFACE or base.definition is definition:
                    continue
                for _, _, member in self._siblings(base.definition):
                    if (
                        member.name == name
                        and member.explicit_interface is None
                        and (member.kind in _NAMES_A_PROPERTY or member.kind is DeclarationKind.POSITIONAL_PROPERTY)
                        and Modifiers.ABSTRACT not in member.modifiers
                        and member_visibility(base.definition, member) is not Visibility.PRIVATE
                    ):
                        return True
                if self.inherits_property(base.definition, name, depth + 1):
                    return True
        return False

    def _member_row(
        self,
        definition: SourceTypeDefinition,
        part: TypePart,
        identity: MemberIdentity,
        member: MemberDeclaration,
        symbol_id: str,
        stable_id: str,
        other_parts: tuple[SymbolPart, ...],
        doc: DocComment | None,
    ) -> SymbolRow:
        flags: int = member.modifiers
        line, column = self._table.lines_of(part.document).position(member.name_offset)
        owner = owner_of_members(definition)
        container = display_name(owner)
        qualified = f"{definition.namespace}.{container}" if definition.namespace else container
        name = _readable_name(owner, member)
        if member.broken:
            confidence = Confidence.LOW
        elif any(t is not None and contains_error(t) for t in identity.parameter_types(member)):
            confidence = Confidence.MEDIUM
        else:
            confidence = Confidence.HIGH
        return SymbolRow(
            symbol_id=symbol_id,
            stable_id=stable_id,
            kind=symbol_kind_of(member),
            name=name,
            fully_qualified_name=f"{qualified}.{name}",
            signature=member.signature,
            documentation=_documentation(doc),
            namespace=definition.namespace,
            containing_type=container,
            container_id=owner.documentation_id,
            file_path=part.document.key.file_path,
            span_start=member.line_start,
            span_end=member.line_end,
            name_line=line,
            name_column=column,
            visibility=member_visibility(definition, member),
            project=definition.project.path,
            is_static=bool(flags & bits.STATIC) or member.kind in _ALWAYS_STATIC,
            modifiers=modifier_words(member.modifiers),
            confidence=confidence,
            condition=member.condition or part.declaration.condition or None,
            content_hash=member.content_hash,
            other_parts=other_parts,
        )


def _readable_name(owner: SourceTypeDefinition, member: MemberDeclaration) -> str:
    if member.kind in _CONSTRUCTORS:
        return owner.name
    if member.kind is DeclarationKind.FINALIZER:
        return f"~{owner.name}"
    if member.kind is DeclarationKind.INDEXER:
        return "this[]"
    if member.kind in (DeclarationKind.OPERATOR, DeclarationKind.CONVERSION):
        head = member.signature.partition("(")[0]
        position = head.find("operator")
        return head[position:] if position >= 0 else member.name
    return member.name


def type_visibility(definition: SourceTypeDefinition) -> Visibility:
    """ECMA-334 §7.5.2: internal in a namespace, private in a type, public in an interface."""
    for part in definition.parts:
        flags: int = part.declaration.modifiers
        written = _VISIBILITIES.get(flags & bits.ACCESSIBILITY)
        if written is not None:
            return written
    if definition.file_local or definition.container is None:
        # What a source generator adds to a program is not among its parts.
        whole: int = definition.modifiers
        return Visibility.PUBLIC if whole & bits.PUBLIC else Visibility.INTERNAL
    return Visibility.PUBLIC if definition.container.kind is SymbolKind.INTERFACE else Visibility.PRIVATE


def member_visibility(definition: SourceTypeDefinition, member: MemberDeclaration) -> Visibility:
    """Declared accessibility, defaults applied (ECMA-334 §15.3.6, §18.4.1)."""
    kind = member.kind
    if kind is DeclarationKind.FINALIZER:
        return Visibility.PROTECTED
    if member.explicit_interface is not None or kind is DeclarationKind.STATIC_CONSTRUCTOR:
        return Visibility.PRIVATE
    flags: int = member.modifiers
    written = _VISIBILITIES.get(flags & bits.ACCESSIBILITY)
    if written is not None:
        return written
    if definition.kind is SymbolKind.INTERFACE or kind is DeclarationKind.ENUM_MEMBER:
        return Visibility.PUBLIC
    return Visibility.PRIVATE


def _documentation(doc: DocComment | None) -> Documentation | None:
    if doc is None or not (doc.summary or doc.rest):
        return None
    return Documentation(doc.summary, doc.rest)


@lru_cache(maxsize=1024)
def modifier_words(modifiers: Modifiers) -> tuple[str, ...]:
    """Keywords other than those of visibility."""
    bits: int = modifiers
    return tuple([word for bit, word in _MODIFIER_WORDS if bits & bit])
