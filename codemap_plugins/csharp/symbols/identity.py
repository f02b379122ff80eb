"""The two names of a symbol: its documentation-comment id and its stable id.

The documentation-comment id is Roslyn's, byte for byte (ECMA-334 annex D.4.2; docs/symbol-ids.md lists where Roslyn differs from the
annex). The stable id leaves the name out, so that a renamed member keeps it; what it survives, and why no scheme can do more without
history, is docs/adr/0002.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, method_type_parameters
from codemap_plugins.csharp.symbols.scopes import Document, TypeResolver
from codemap_plugins.csharp.symbols.types import Type, TypeParameterType, documentation_id, metadata_display
from codemap_plugins.csharp.unit import SYMBOL_KINDS, DeclarationKind, MemberDeclaration, Modifiers, Parameter

_BY_REFERENCE: Final = frozenset({"ref", "out", "in"})
_PREFIXES: Final = {
    DeclarationKind.PROPERTY: "P:",
    DeclarationKind.POSITIONAL_PROPERTY: "P:",
    DeclarationKind.INDEXER: "P:",
    DeclarationKind.FIELD: "F:",
    DeclarationKind.CONSTANT: "F:",
    DeclarationKind.ENUM_MEMBER: "F:",
    DeclarationKind.EVENT: "E:",
    DeclarationKind.FIELD_LIKE_EVENT: "E:",
}

_KIND_NAMES: Final = {kind: kind.name for kind in DeclarationKind}
"""To ask a member of an enum for its name costs a Python call."""

TOP_LEVEL_MAIN_ID: Final = "M:Program.{Main}$(System.String[])"


class MemberIdentity:
    """Ids of the members of one part of a type. Type parameters of an extension block come before a member's own: the id is that of the
    implementation method (C# 14)."""

    __slots__ = ("_definition", "_known", "_resolver", "_resolvers")

    def __init__(self, definition: SourceTypeDefinition, resolver: TypeResolver) -> None:
        self._definition: Final = definition
        self._resolver: Final = resolver
        self._resolvers: Final[dict[tuple[TypeParameterType, ...], TypeResolver]] = {}
        self._known: Final[dict[tuple[int, int], str]] = {}
        """Ids by the kind of a declaration and the place of its name."""

    @property
    def document(self) -> Document:
        """The one that declares the part."""
        return self._resolver.document

    def resolver_for(self, member: MemberDeclaration) -> TypeResolver:
        """Resolves types in the member's signature: its own type parameters come first."""
        if not member.type_parameters:
            return self._resolver
        start = self._block_arity
        parameters = method_type_parameters(self._resolver.factory, member.type_parameters, start)
        found = self._resolvers.get(parameters)
        if found is None:
            base = self._resolver
            found = self._resolvers[parameters] = TypeResolver(base.document, base.scope, base.enclosing, parameters)
        return found

    @property
    def _is_extension(self) -> bool:
        return self._definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK

    @property
    def _block_arity(self) -> int:
        return len(self._definition.parts[0].declaration.type_parameters) if self._is_extension else 0

    def parameter_types(self, member: MemberDeclaration) -> list[Type | None]:
        """Null stands for ``__arglist``."""
        resolver = self.resolver_for(member)
        return [resolver.resolve(p.type.text) if p.type is not None else None for p in member.parameters]

    def documentation_id(self, member: MemberDeclaration, indexer_name: str = "Item") -> str:
        key = (member.kind, member.name_offset)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._documentation_id(member, indexer_name)
        return known

    def _documentation_id(self, member: MemberDeclaration, indexer_name: str) -> str:
        if member.kind is DeclarationKind.TOP_LEVEL_MAIN:
            return TOP_LEVEL_MAIN_ID
        resolver = self.resolver_for(member)
        container = self._definition.container_path
        name = member.name
        kind = member.kind
        if kind is DeclarationKind.INDEXER:
            name = indexer_name
        if member.explicit_interface is not None:
            interface = metadata_display(resolver.resolve(member.explicit_interface.text))
            if kind is DeclarationKind.INDEXER:
                name = "Item"
            name = f"{interface}.{name}"
        name = name.replace(".", "#").replace("<", "{").replace(">", "}")
        prefix = _PREFIXES.get(kind, "M:")
        parameters = [self._parameter_id(resolver, p) for p in member.parameters]
        arity = len(member.type_parameters)
        if self._is_extension:
            block = self._definition.parts[0].declaration
            arity += len(block.type_parameters)
            receiver = block.receiver
            if Modifiers.STATIC not in member.modifiers and receiver is not None:
                parameters.insert(0, self._parameter_id(resolver, receiver))
            if prefix == "P:":
                prefix, name = "M:", f"get_{name}"
        text = f"{prefix}{container}.{name}"
        if arity:
            text += f"``{arity}"
        if parameters:
            text += "(" + ",".join(parameters) + ")"
        if kind is DeclarationKind.CONVERSION and member.type is not None and member.explicit_interface is None:
            text += "~" + documentation_id(resolver.resolve(member.type.text))
        return text

    @staticmethod
    def _parameter_id(resolver: TypeResolver, parameter: Parameter) -> str:
        if parameter.type is None:
            return ""
        text = documentation_id(resolver.resolve(parameter.type.text))
        return text + "@" if not _BY_REFERENCE.isdisjoint(parameter.modifiers) else text


def stable_digest(parts: Iterable[str]) -> str:
    """``sym_`` and the first 16 hex digits of SHA-256 over the parts."""
    return "sym_" + hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def shape_of_type(definition: SourceTypeDefinition, kind: SymbolKind | None = None) -> tuple[str, ...]:
    """The shape of a type without its name: project, place, kind, arity. ``kind``: in place of its own, see ``shapes_of_type``."""
    container = definition.container
    return (
        "type",
        definition.project.path,
        definition.namespace,
        definition.file_local,
        container.container_path if container is not None else "",
        (kind or definition.kind).value,
        str(definition.arity),
    )


def shapes_of_type(definition: SourceTypeDefinition) -> list[tuple[str, ...]]:
    """The shapes that its name is one of the names of. There are several where its parts are of several kinds, an error (ECMA-334 §15.2.7):
    a part tells without the others which shape it belongs to."""
    if len(definition.parts) < 2:
        return [shape_of_type(definition)]
    kinds = dict.fromkeys(SYMBOL_KINDS[part.declaration.kind] for part in definition.parts)
    return [shape_of_type(definition, kind) for kind in kinds]


def shape_of_member(member: MemberDeclaration, symbol_id: str) -> tuple[str, ...]:
    """The shape of a member without its name: kind, static or not, arity, types as its id spells them, type as written."""
    _, parenthesis, parameters = symbol_id.partition("(")
    flags: int = member.modifiers
    return (
        _KIND_NAMES[member.kind],
        "static" if flags & bits.STATIC else "instance",
        str(len(member.type_parameters)),
        parenthesis + parameters,
        member.type.text if member.type is not None else "",
        member.explicit_interface.text if member.explicit_interface is not None else "",
    )


def stable_ids(
    container: Sequence[str], members: Sequence[tuple[str, tuple[str, ...]]], *, with_names: bool = False
) -> list[str]:
    """Stable ids of the members of one type, given (name, shape) each. A shape that only one member name has stands for it, so a rename
    keeps the id; members of equal shape are told apart by their names. ``with_names``: all are told apart by their names, as a further
    block of the same receiver, in any part of the class, may have members of the same shape."""
    names: dict[tuple[str, ...], set[str]] = {}
    for name, shape in members:
        names.setdefault(shape, set()).add(name)
    return [
        stable_digest((*container, *shape, name) if with_names or len(names[shape]) > 1 else (*container, *shape))
        for name, shape in members
    ]
