"""``cref`` of documentation comments (ECMA-334 annex D.3): names, looked up from inside the documented declaration.

``List{T}`` stands for an open type; ``M(int)`` chooses an overload; ``T:…`` is an id already and names nothing here. An indexer or an
operator has no name: the types of its parameters alone are references. The compiler does not look into base types.
"""

from __future__ import annotations

import re
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
    """A simple name: nested types and members of the types around, then what namespaces have; with parameters, members before types."""
    table, enclosing = b.hierarchy.table, resolver.enclosing
    nested = table.lookup_in_type(enclosing, name, arity) if enclosing is not None else None
    if is_last and (parameters is not None or nested is None):
        member = _member_in_view(b, name, arity, parameters, resolver, within)
        if member is not None:
            b.member_reference(RefKind.CREF, at, member)
            return None
    type_ = nested if nested is not None else _simple_type(b, name, arity, resolver)
    if isinstance(type_, NamedType) and is_last and parameters is not None:
        _reference_member(b, type_, CONSTRUCTOR_NAME, 0, parameters, at, resolver)
        return None
    if type_ is not None and (parameters is None or not is_last):
        if isinstance(type_, NamedType):
            b.type_reference(at, type_.definition, RefKind.CREF)
        return type_
    b.unresolved(RefKind.CREF, at, name, UnresolvedReason.NOTHING_IN_VIEW)
    return None


def _simple_type(b: Binder, name: str, arity: int, resolver: TypeResolver) -> Namespace | Type | None:
    if arity == 0 and name in resolver.own_parameters:
        return resolver.own_parameters[name]
    found: Namespace | Type | None = None
    if resolver.enclosing is not None:
        found = b.hierarchy.table.lookup_in_type(resolver.enclosing, name, arity)
    if found is None:
        found = b.document.lookup_in_namespaces(resolver.scope, name, arity)
    return found if isinstance(found, (Namespace, NamedType, TypeParameterType)) else None


def _member_in_view(
    b: Binder, name: str, arity: int, parameters: str | None, resolver: TypeResolver, within: SourceTypeDefinition
) -> Found | None:
    for level in within.enclosing:
        own = level.own_type
        lookup = CONSTRUCTOR_NAME if name == level.name and parameters is not None else name
        found = _choose(b, own, lookup, arity, parameters, resolver)
        if found is not None:
            return found
    return None


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
    found = _choose(b, type_, name, arity, parameters, resolver)
    if found is not None:
        b.member_reference(RefKind.CREF, at, found)
    else:
        b.unresolved(RefKind.CREF, at, written or name, UnresolvedReason.NO_SUCH_MEMBER)


def _choose(
    b: Binder, type_: NamedType, name: str, arity: int, parameters: str | None, resolver: TypeResolver
) -> Found | None:
    group = [Found(m, type_, 0) for m in b.hierarchy.members.of(type_.definition).get(name, ())]
    if not group:
        return None
    kind = group[0].member.kind
    several = kind in (MemberKind.METHOD, MemberKind.CONSTRUCTOR, MemberKind.INDEXER)
    if not (several or (kind is MemberKind.OPERATOR and parameters is not None)):
        return group[0] if not arity else None
    if arity:
        group = [f for f in group if f.member.arity == arity] or group
    if parameters is None:
        plain = [f for f in group if not f.member.arity] if not arity else group
        plain = plain or group
        # Of several that can be seen the compiler takes the first, with a warning (CS0419).
        seen = (f for f in plain if b.hierarchy.can_access(f, resolver.enclosing))
        return next(seen, plain[0])
    if not arity:
        group = [f for f in group if not f.member.arity] or group
    wanted = _parameter_ids(b, parameters, resolver)
    for found in group:
        own = [
            documentation_id(substitute(p.type, found.container.arguments)) + ("@" if p.passing else "")
            for p in found.member.parameters
        ]
        if len(own) == len(wanted) and all(w is None or w == o for w, o in zip(wanted, own, strict=True)):
            return found
    fitting = [f for f in group if len(f.member.parameters) == len(wanted)]
    return fitting[0] if len(fitting) == 1 else None


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
