"""``cref`` of documentation comments (ECMA-334 annex D.3): names, looked up from inside the documented declaration.

``List{T}`` stands for an open type; ``M(int)`` chooses an overload; ``T:…`` is an id already and names nothing here. An indexer or an
operator has no name: the types of its parameters alone are references. The compiler does not look into base types.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

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

_SEGMENT: Final = re.compile(r"\s*(@?\w+|this)\s*(\{[^()]*?\}|<[^()]*?>|&lt;[^()]*?&gt;)?")
_PASSING: Final = re.compile(r"\s*(?:ref readonly|ref|out|in)\s+")
_WORD: Final = re.compile(r"[^\W\d]\w*")
_OPERATOR: Final = re.compile(r"\s*((?:implicit|explicit)\s+)?operator\s*(checked\s+)?([^\s(\w]+|true|false|[\w.]+)")


def bind_cref(b: Binder, text: str, offset: int, resolver: TypeResolver, within: SourceTypeDefinition) -> None:
    """References for the names of one ``cref`` that starts at byte ``offset``."""
    if not text.isascii() or (len(text) > 2 and text[1] == ":" and text[0] in "NTFPMEO!"):
        return
    head, parenthesis, rest = text.partition("(")
    parameters = rest.rpartition(")")[0] if parenthesis else None
    start = len(head) + 1
    position = 0
    current: Namespace | Type | None = None
    first = True
    while position < len(head):
        if head.startswith("global::", position):
            position += 8
            current, first = Namespace(""), False
            continue
        operator = _OPERATOR.match(head, position)
        if operator is not None:
            if operator.group(1):
                _parameter_names(b, operator.group(3), offset + operator.start(3), resolver)
            break
        match = _SEGMENT.match(head, position)
        if match is None:
            return
        name = match.group(1).removeprefix("@")
        if name == "this":
            start = head.find("[", match.end()) + 1
            parameters = head[start:].rpartition("]")[0]
            break
        arguments = match.group(2)
        arity = arguments.count(",") + 1 if arguments else 0
        at = offset + match.start(1)
        is_last = match.end() >= len(head.rstrip())
        if arguments:
            resolver = _with_parameters(resolver, arguments, is_last and parenthesis != "")
        if first and name in PREDEFINED_TYPES:
            current = resolver.resolve(name)
        else:
            current = _segment(b, current, first, name, arity, at, is_last, parameters, resolver, within)
        if current is None:
            break
        first = False
        position = match.end()
        if position < len(head) and head[position] == ".":
            position += 1
        else:
            break
    if parameters:
        _parameter_names(b, parameters, offset + start, resolver)


def _with_parameters(resolver: TypeResolver, written: str, of_method: bool) -> TypeResolver:
    """Where the names in braces stand for the type parameters of a type or method, in their order."""
    words = [word.strip() for word in written.removeprefix("&lt;").removesuffix("&gt;").strip("{}<>").split(",")]
    known = list(resolver.own_parameters.values())
    start = sum(not each.of_method for each in known if isinstance(each, TypeParameterType)) if not of_method else 0
    own = [
        resolver.factory.parameter(word, start + i, of_method) for i, word in enumerate(words) if word.isidentifier()
    ]
    return TypeResolver(resolver.document, resolver.scope, resolver.enclosing, [*known, *own])


def _segment(
    b: Binder,
    current: Namespace | Type | None,
    first: bool,
    name: str,
    arity: int,
    at: int,
    is_last: bool,
    parameters: str | None,
    resolver: TypeResolver,
    within: SourceTypeDefinition,
) -> Namespace | Type | None:
    if first:
        return _first_segment(b, name, arity, at, is_last, parameters, resolver, within)
    if isinstance(current, Namespace):
        full = f"{current.name}.{name}" if current.name else name
        project = b.shared.project
        definition = project.types_in(current.name, name, arity, b.document.key.file_path)
        if definition is not None:
            b.type_reference(at, definition, RefKind.CREF)
            return NamedType(definition)
        return Namespace(full) if project.has_namespace(full) else None
    if not isinstance(current, NamedType):
        return None
    if not (is_last and parameters is not None):
        nested = b.hierarchy.table.nested_type(current, name, arity, inherited=False)
        if isinstance(nested, NamedType):
            b.type_reference(at, nested.definition, RefKind.CREF)
            return nested
    if is_last:
        lookup = name
        if name == current.definition.name:
            lookup = CONSTRUCTOR_NAME
        _reference_member(b, current, lookup, arity, parameters, at, resolver, name)
    return None


def _first_segment(
    b: Binder,
    name: str,
    arity: int,
    at: int,
    is_last: bool,
    parameters: str | None,
    resolver: TypeResolver,
    within: SourceTypeDefinition,
) -> Namespace | Type | None:
    """A simple name: of the types around, from the inside out, type parameters, nested types and members, then what namespaces have. Only
    the last name of a ``cref`` means a member, and with parameters it means nothing else."""
    type_: Namespace | Type | None = None
    for level in within.enclosing:
        if is_last:
            lookup = CONSTRUCTOR_NAME if name == level.name and parameters is not None else name
            group = _members(b, level.own_type, lookup, arity)
            if group:
                _reference_one(b, group, parameters, at, resolver, name)
                return None
        type_ = _type_of_level(b, level, name, arity)
        if type_ is not None:
            break
    if type_ is None:
        type_ = _simple_type(b, name, arity, resolver)
    if isinstance(type_, NamedType) and is_last and parameters is not None:
        _reference_member(b, type_, CONSTRUCTOR_NAME, 0, parameters, at, resolver)
        return None
    if type_ is not None and (parameters is None or not is_last):
        if isinstance(type_, NamedType):
            b.type_reference(at, type_.definition, RefKind.CREF)
        return type_
    b.unresolved(RefKind.CREF, at, name, UnresolvedReason.NOTHING_IN_VIEW)
    return None


def _type_of_level(b: Binder, level: SourceTypeDefinition, name: str, arity: int) -> Type | None:
    """A type parameter or nested type that a type itself declares."""
    parameter = next((each for each in level.own_parameters if each.name == name), None) if not arity else None
    return parameter or b.hierarchy.table.nested_type(level.own_type, name, arity, inherited=False)


def _simple_type(b: Binder, name: str, arity: int, resolver: TypeResolver) -> Namespace | Type | None:
    if arity == 0 and name in resolver.own_parameters:
        return resolver.own_parameters[name]
    found = b.document.lookup_in_namespaces(resolver.scope, name, arity)
    return found if isinstance(found, (Namespace, NamedType, TypeParameterType)) else None


def _reference_member(
    b: Binder,
    type_: NamedType,
    name: str,
    arity: int,
    parameters: str | None,
    at: int,
    resolver: TypeResolver,
    written: str = "",
) -> None:
    _reference_one(b, _members(b, type_, name, arity), parameters, at, resolver, written or name)


def _reference_one(
    b: Binder, group: Sequence[Found], parameters: str | None, at: int, resolver: TypeResolver, written: str
) -> None:
    """A reference to the one of the members that is meant, if any is."""
    found = _choose(b, group, parameters, resolver)
    if found is not None:
        b.member_reference(RefKind.CREF, at, found)
    else:
        b.unresolved(RefKind.CREF, at, written, UnresolvedReason.NO_SUCH_MEMBER)


def _members(b: Binder, type_: NamedType, name: str, arity: int) -> list[Found]:
    """The members of a name that a type itself declares, of those with type parameters as many as are written. Without any written a method
    may have some, unless another one has none."""
    group = [Found(member, type_, 0) for member in b.hierarchy.members.of(type_.definition).get(name, ())]
    if arity:
        return [found for found in group if found.member.arity == arity]
    return [found for found in group if not found.member.arity] or group


def _choose(b: Binder, group: Sequence[Found], parameters: str | None, resolver: TypeResolver) -> Found | None:
    if not group:
        return None
    if parameters is None or group[0].member.kind in (MemberKind.PROPERTY, MemberKind.FIELD, MemberKind.EVENT):
        # Of several that can be seen the compiler takes the first, with a warning (CS0419).
        seen = (found for found in group if b.hierarchy.can_access(found, resolver.enclosing))
        return next(seen, group[0])
    wanted = _parameter_ids(b, parameters, resolver)
    for found in group:
        own = [
            documentation_id(substitute(p.type, found.container.arguments)) + ("@" if p.passing else "")
            for p in found.member.parameters
        ]
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
