"""``cref`` of documentation comments (ECMA-334 annex D.3): names, looked up from inside the documented declaration.

``List{T}`` stands for an open type; ``M(int)`` chooses an overload; ``T:…`` is an id already and names nothing here. An indexer or an
operator has no name: the types of its parameters alone are references. The compiler does not look into base types.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from codemap_core.model import RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import CONSTRUCTOR_NAME, MemberKind
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.project_scope import Namespace
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import (
    NamedType,
    Type,
    TypeParameterType,
    contains_error,
    documentation_id,
    substitute,
)
from codemap_plugins.csharp.type_syntax import NAMELESS_TYPES, PREDEFINED_TYPES

_SEGMENT: Final = re.compile(r"\s*(@?\w+|this)\s*(\{[^()]*?\}|<[^()]*?>)?")
_PASSING: Final = re.compile(r"\s*(?:ref readonly|ref|out|in)\s+")
_WORD: Final = re.compile(r"[^\W\d]\w*")
_OF_NO_DECLARATION: Final = 1000
"""Type parameters of a cref are numbered from here on, so that none is taken for one that a declaration around it has."""
_OPERATOR: Final = re.compile(r"\s*((?:implicit|explicit)\s+)?operator\s*(checked\s+)?([^\s(\w]+|true|false|[\w.]+)")


class _Name(NamedTuple):
    """One name of a cref."""

    text: str
    at: int
    """Its byte in the document."""
    own: tuple[str, ...]
    """The names in braces after it."""
    is_last: bool
    parameters: str | None
    """The text of the parameter list of the whole cref, if it has any."""

    @property
    def arity(self) -> int:
        return len(self.own)

    @property
    def is_called(self) -> bool:
        """It is of a method or a constructor, since parameters follow it."""
        return self.is_last and self.parameters is not None


def bind_cref(b: Binder, text: str, offset: int, resolver: TypeResolver, within: SourceTypeDefinition) -> None:
    """References for the names of one ``cref`` that starts at byte ``offset``."""
    if not text.isascii() or (len(text) > 2 and text[1] == ":" and text[0] in "NTFPMEO!"):
        return
    # Spaces stand in for the rest of an entity, inside the brackets, so that offsets stay.
    text = text.replace("&lt;", "   <").replace("&gt;", "   >")
    head, parenthesis, rest = text.partition("(")
    parameters = rest.rpartition(")")[0] if parenthesis else None
    start = len(head) + 1
    position = 0
    current: Namespace | Type | None = None
    while position < len(head):
        if head.startswith("global::", position):
            position += 8
            current = Namespace("")
            continue
        operator = _OPERATOR.match(head, position)
        if operator is not None:
            if operator.group(1):
                _parameter_names(b, operator.group(3), offset + operator.start(3), resolver)
            break
        match = _SEGMENT.match(head, position)
        if match is None:
            return
        if match.group(1) == "this":
            start = head.find("[", match.end()) + 1
            parameters = head[start:].rpartition("]")[0]
            break
        name = _Name(
            match.group(1).removeprefix("@"),
            offset + match.start(1),
            _names_in_braces(match.group(2) or ""),
            match.end() >= len(head.rstrip()),
            parameters,
        )
        if current is None and name.text in PREDEFINED_TYPES:
            current = resolver.resolve(name.text)
        else:
            current = _meant(b, current, name, resolver, within)
        resolver = _with_parameters(resolver, _own_parameters(resolver, name))
        if current is None:
            break
        position = match.end()
        if position < len(head) and head[position] == ".":
            position += 1
        else:
            break
    if parameters:
        _parameter_names(b, parameters, offset + start, resolver)


def _names_in_braces(written: str) -> tuple[str, ...]:
    words = written.strip("{}<>")
    return tuple(word.strip() for word in words.split(",")) if words else ()


def _own_parameters(resolver: TypeResolver, name: _Name) -> tuple[TypeParameterType, ...]:
    """The type parameters that the names in braces after a type stand for: of the cref, and of no declaration."""
    start = _OF_NO_DECLARATION + len(resolver.own_parameters)
    return tuple(resolver.factory.parameter(word, start + i, True) for i, word in enumerate(name.own))


def _with_parameters(resolver: TypeResolver, own: Sequence[TypeParameterType]) -> TypeResolver:
    known = (each for each in resolver.own_parameters.values() if isinstance(each, TypeParameterType))
    return TypeResolver(resolver.document, resolver.scope, resolver.enclosing, [*known, *own]) if own else resolver


def _meant(
    b: Binder,
    container: Namespace | Type | None,
    name: _Name,
    resolver: TypeResolver,
    within: SourceTypeDefinition,
) -> Namespace | Type | None:
    """What a name means, which is referred to: what a dot may follow, or null where that is nothing."""
    members: Sequence[Found] = ()
    type_: Namespace | Type | None = None
    if isinstance(container, NamedType):
        members, type_ = _declared(b, container, name)
    elif isinstance(container, Namespace):
        type_ = _of_namespace(b, container, name)
    elif container is None:
        for level in within.enclosing:
            members, type_ = _declared(b, level.own_type, name)
            type_ = type_ or next(
                (each for each in level.own_parameters if each.name == name.text and not name.own), None
            )
            if members or type_ is not None:
                break
        else:
            type_ = _simple_type(b, name.text, name.arity, resolver)
    if members:
        of_method = [resolver.factory.parameter(word, i, True) for i, word in enumerate(name.own)]
        _reference_one(b, members, name, _with_parameters(resolver, of_method))
        return None
    if isinstance(type_, NamedType):
        own = _own_parameters(resolver, name)
        arguments = type_.arguments[: type_.definition.total_arity - len(own)]
        type_ = NamedType(type_.definition, (*arguments, *own)) if own else type_
        if name.is_called:
            _reference_one(b, _members(b, type_, CONSTRUCTOR_NAME, 0), name, _with_parameters(resolver, own))
            return None
        b.type_reference(name.at, type_.definition, RefKind.CREF)
        return type_
    if type_ is not None and not name.is_called:
        return type_
    _of_nothing_else(b, container, name, resolver, within)
    return None


def _declared(b: Binder, type_: NamedType, name: _Name) -> tuple[Sequence[Found], Type | None]:
    """The members, or the type, that a type itself declares under a name. Only the last name of a cref means a member."""
    members = _members(b, type_, name.text, name.arity) if name.is_last else ()
    return members, None if members else b.hierarchy.table.nested_type(type_, name.text, name.arity, inherited=False)


def _of_namespace(b: Binder, namespace: Namespace, name: _Name) -> Namespace | Type | None:
    project = b.shared.project
    definition = project.types_in(namespace.name, name.text, name.arity, b.document.key.file_path)
    if definition is not None:
        return NamedType(definition)
    full = f"{namespace.name}.{name.text}" if namespace.name else name.text
    return Namespace(full) if project.has_namespace(full) else None


def _of_nothing_else(
    b: Binder, container: Namespace | Type | None, name: _Name, resolver: TypeResolver, within: SourceTypeDefinition
) -> None:
    """A name under which nothing was found is that of constructors, where it is the type's own and no type arguments are written."""
    constructed: NamedType | None = None
    if isinstance(container, NamedType):
        of_its_own = name.parameters is None and container.arguments and container.definition is within
        if name.text == container.definition.name and not of_its_own:
            constructed = container
    elif container is None and name.text == within.name and name.is_called:
        constructed = within.own_type
    if constructed is not None and name.is_last and not name.own:
        _reference_one(b, _members(b, constructed, CONSTRUCTOR_NAME, 0), name, resolver)
    elif container is None:
        b.unresolved(RefKind.CREF, name.at, name.text, UnresolvedReason.NOTHING_IN_VIEW)
    elif isinstance(container, NamedType) and name.is_last:
        b.unresolved(RefKind.CREF, name.at, name.text, UnresolvedReason.NO_SUCH_MEMBER)


def _simple_type(b: Binder, name: str, arity: int, resolver: TypeResolver) -> Namespace | Type | None:
    if arity == 0 and name in resolver.own_parameters:
        return resolver.own_parameters[name]
    found = b.document.lookup_in_namespaces(resolver.scope, name, arity)
    return found if isinstance(found, (Namespace, NamedType, TypeParameterType)) else None


def _reference_one(b: Binder, group: Sequence[Found], name: _Name, resolver: TypeResolver) -> None:
    """A reference to the one of the members that is meant, if any is."""
    found = _choose(b, group, name.parameters, resolver)
    if found is not None:
        b.member_reference(RefKind.CREF, name.at, found)
    else:
        b.unresolved(RefKind.CREF, name.at, name.text, UnresolvedReason.NO_SUCH_MEMBER)


def _members(b: Binder, type_: NamedType, name: str, arity: int) -> list[Found]:
    """The members of a name that a type itself declares, of those with type parameters as many as are written. Without any written a method
    may have some, unless another one has none. A static class has the methods of its ``extension`` blocks in their static form."""
    definition = type_.definition
    group = [Found(member, type_, 0) for member in b.hierarchy.members.of(definition).get(name, ())]
    blocks = definition.nested.values() if isinstance(definition, SourceTypeDefinition) else ()
    for block in blocks:
        if block.member_class is definition:
            members = b.hierarchy.members.of(block).get(name, ())
            group += [Found(each, NamedType(block), 0) for each in members if each.kind is MemberKind.METHOD]
    if arity:
        return [found for found in group if _arity(found) == arity]
    return [found for found in group if not _arity(found)] or group


def _block(found: Found) -> SourceTypeDefinition | None:
    """The ``extension`` block that declares a method."""
    definition = found.member.definition
    if isinstance(definition, SourceTypeDefinition) and definition.member_class is not definition:
        return definition
    return None


def _arity(found: Found) -> int:
    block = _block(found)
    return found.member.arity + (len(block.own_parameters) if block is not None else 0)


def _taken(found: Found) -> list[str]:
    """What each parameter's type is in an id."""
    if _block(found) is not None:
        return [text for _, text in _split(found.member.symbol_id.partition("(")[2].removesuffix(")"))]
    return [
        documentation_id(substitute(p.type, found.container.arguments)) + ("@" if p.passing else "")
        for p in found.member.parameters
    ]


def _choose(b: Binder, group: Sequence[Found], parameters: str | None, resolver: TypeResolver) -> Found | None:
    if not group:
        return None
    if parameters is None or group[0].member.kind in (MemberKind.PROPERTY, MemberKind.FIELD, MemberKind.EVENT):
        # Of several that can be seen the compiler takes the first, with a warning (CS0419).
        seen = (found for found in group if b.hierarchy.can_access(found, resolver.enclosing))
        return next(seen, group[0])
    wanted = _parameter_ids(b, parameters, resolver)
    for found in group:
        own = _taken(found)
        if len(own) == len(wanted) and all(w is None or w == o for w, o in zip(wanted, own, strict=True)):
            return found
    return None


def _split(parameters: str) -> list[tuple[int, str]]:
    """(start, text) of each parameter at the top level."""
    found: list[tuple[int, str]] = []
    depth = start = 0
    for index, char in enumerate(parameters):
        if char in "{<([":
            depth += 1
        elif char in "}>)]":
            depth -= 1
        elif char == "," and depth == 0:
            found.append((start, parameters[start:index]))
            start = index + 1
    if parameters.strip():
        found.append((start, parameters[start:]))
    return found


def _parameter_ids(b: Binder, parameters: str, resolver: TypeResolver) -> list[str | None]:
    """What each parameter's type is in an id; null where it names a type parameter of the cref itself, or nothing known."""
    ids: list[str | None] = []
    for _, text in _split(parameters):
        by_reference = _PASSING.match(text)
        type_ = resolver.resolve(_plain(text[by_reference.end() :] if by_reference else text))
        unsure = contains_error(type_)
        ids.append(None if unsure else documentation_id(type_) + ("@" if by_reference else ""))
    return ids


def _parameter_names(b: Binder, parameters: str, offset: int, resolver: TypeResolver) -> None:
    """The type names in a parameter list, those of type arguments too."""
    for start, text in _split(parameters):
        by_reference = _PASSING.match(text)
        begin = by_reference.end() if by_reference else 0
        words = [m for m in _WORD.finditer(text, begin) if m[0] not in NAMELESS_TYPES and m[0] != "global"]
        for ordinal, definition in resolver.names(_plain(text[begin:])):
            if ordinal < len(words) and definition is not None:
                word = words[ordinal]
                b.type_reference(offset + start + word.start(), definition, RefKind.CREF)


def _plain(text: str) -> str:
    return "".join(text.replace("{", "<").replace("}", ">").split())
