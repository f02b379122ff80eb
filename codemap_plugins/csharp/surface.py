"""The surface of a C# file: what its declarations show to other files, and the names that it mentions.

Which names matter: a lookup in C# begins with a simple name that the text spells, or with one of ``_IMPLICIT`` that the language supplies
(``foreach``, ``await``, ``using``, operators, query expressions, collection initialisers…), and looks in types that it came to through the
signatures of other names. What a constant, a read-only member or an attribute is worth may be read from other files too, so these have
``values``. Invariant: a change of statements alone changes nothing here, except for what such a value is made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from codemap_core.model.surface import ANY_NAMESPACE, Declared, Role, Surface
from codemap_plugins.csharp.constructor_slices import slices
from codemap_plugins.csharp.generated_names import generated_property
from codemap_plugins.csharp.language_types import is_language_type
from codemap_plugins.csharp.names_in_text import NAME, names_in
from codemap_plugins.csharp.page_names import IMPORTING, OF_RAZOR, PageKind
from codemap_plugins.csharp.source_text import cut
from codemap_plugins.csharp.unit import (
    SYMBOL_KINDS,
    AttributeSyntax,
    DeclarationKind,
    DocumentUnit,
    MemberDeclaration,
    Modifiers,
    Outline,
    Parameter,
    TypeDeclaration,
    TypeParameter,
    xmlns_definition,
)

_CREATES: Final = re.compile(rb"new(?<!\wnew)(?:[\s\x80-\xff]|//.*|/\*[\s\S]*?\*/)*+\(")
"""A constructor that is called without its type's name; comments may stand between (ECMA-334 §6.3.3)."""
_IMPLICIT: Final = frozenset(
    """GetEnumerator GetAsyncEnumerator MoveNext MoveNextAsync Current Dispose DisposeAsync Deconstruct Add GetAwaiter IsCompleted GetResult
    Length Count Slice Item Select SelectMany Where Join GroupJoin OrderBy OrderByDescending ThenBy ThenByDescending GroupBy Cast Invoke
    AppendLiteral AppendFormatted ToStringAndClear GetPinnableReference EnterScope Create""".split()  # noqa: SIM905
)
_IMPLICIT_KINDS: Final = frozenset({DeclarationKind.INDEXER, DeclarationKind.OPERATOR, DeclarationKind.CONVERSION})
_ASSIGNING: Final = frozenset({DeclarationKind.CONSTRUCTOR, DeclarationKind.STATIC_CONSTRUCTOR})
"""What may give read-only members their values: a primary constructor has no statements."""
_CONSTRUCTORS: Final = frozenset(
    {DeclarationKind.CONSTRUCTOR, DeclarationKind.STATIC_CONSTRUCTOR, DeclarationKind.PRIMARY_CONSTRUCTOR}
)
_CONSTRUCTOR: Final = ".ctor"
_LEFT_OUT: Final = "#if"
"""Marks what only the alternative of a file shows. No name has these characters."""
_IMPORTS: Final = ".imports"
"""A name that pages mention which may import directives: the attributes there are theirs."""
_FRIENDS: Final = frozenset({"InternalsVisibleTo", "InternalsVisibleToAttribute"})
_READABLE: Final = re.compile(r"[\w.:]+\??")
"""Types as written whose values may be read by others: keywords, and names that may be an enum's."""
_UNREADABLE: Final = frozenset({"object", "dynamic", "void"})
_KEYWORDS: Final = frozenset(
    """bool byte sbyte char decimal double float int uint nint nuint long ulong object short ushort string dynamic void true false null
    default typeof nameof new params ref out in this""".split()  # noqa: SIM905
)
"""Words in signatures that mean no declaration here."""
_encode: Final = msgspec.msgpack.Encoder().encode
_T = TypeVar("_T")


def surface_of(unit: DocumentUnit, source: bytes) -> Surface:
    """What symbols leave out is bound against the alternatives of files, so what these declare otherwise is shown too, told apart from what
    is compiled: to leave a declaration out is a change. It has no rows of its own, and concerns neither parts nor shapes."""
    surface = _Reader(unit.outline, unit.members.declarations, source).surface()
    other = unit.alternative
    if other is None:
        return surface
    shown = _Reader(other.outline, other.members.declarations, source).surface()
    declared = [
        replace(each, digest=_digest(_LEFT_OUT, each.digest)) for each in _further(surface.declared, shown.declared)
    ]
    namespaces = [f"{_LEFT_OUT}.{name}" for name in _further(surface.namespaces, shown.namespaces)]
    scope = [f"{_LEFT_OUT} {text}" for text in _further(surface.scope, shown.scope)]
    return replace(
        surface,
        declared=(*surface.declared, *declared),
        namespaces=(*surface.namespaces, *namespaces),
        scope=(*surface.scope, *scope),
    )


def _further(compiled: Iterable[_T], others: Iterable[_T]) -> list[_T]:
    """``others`` without those that are compiled too, each once."""
    known = set(compiled)
    return [each for each in dict.fromkeys(others) if each not in known]


def _digest(*parts: object) -> int:
    return int.from_bytes(blake2b(_encode(parts), digest_size=8).digest(), "little")


def _names(texts: Iterable[str]) -> tuple[str, ...]:
    found: set[str] = set()
    for text in texts:
        found |= _names_of_type(text) if len(text) <= _TYPE_LENGTH else _names_of(text)
    return tuple(sorted(found))


def _names_of(text: str) -> frozenset[str]:
    return frozenset(NAME.findall(text)) - _KEYWORDS


_TYPE_LENGTH: Final = 64
"""Characters. Hardly a type as written is longer, and the same ones are written again and again."""
_names_of_type: Final = lru_cache(1 << 14)(_names_of)


def _attributes(attributes: Iterable[AttributeSyntax]) -> list[Any]:
    return [[each.name.text, each.target, [(a.name, a.text) for a in each.arguments]] for each in attributes]


def _type_parameters(parameters: Iterable[TypeParameter]) -> list[Any]:
    return [[each.name, each.variance, [c.text for c in each.constraints], each.keywords] for each in parameters]


def _parameters(parameters: Iterable[Parameter]) -> list[Any]:
    return [
        [each.name, _text(each.type), each.modifiers, each.default, _attributes(each.attributes)] for each in parameters
    ]


def _text(type_: Any) -> str:
    return "" if type_ is None else type_.text


def _types_of(
    type_parameters: Iterable[TypeParameter],
    parameters: Iterable[Parameter],
    attributes: Iterable[AttributeSyntax],
    *more: Any,
) -> list[str]:
    """Texts of the types in a signature or head, and of its attributes with what they are given. ``more``: types, or null."""
    texts = [type_.text for type_ in more if type_ is not None]
    for type_parameter in type_parameters:
        texts += [constraint.text for constraint in type_parameter.constraints]
    for parameter in parameters:
        if parameter.type is not None:
            texts.append(parameter.type.text)
        if parameter.default:
            texts.append(parameter.default)
        texts += _attribute_texts(parameter.attributes)
    texts += _attribute_texts(attributes)
    return texts


def _attribute_texts(attributes: Iterable[AttributeSyntax]) -> list[str]:
    return [text for each in attributes for text in (each.name.text, *(a.text for a in each.arguments))]


class _Place:
    """A type declaration: where it is, and what of that its members' meaning depends on."""

    __slots__ = ("context", "full_name", "is_block", "is_partial", "name", "namespace", "without_usings")
    name: str
    full_name: str
    without_usings: int

    def __init__(
        self, declaration: TypeDeclaration, outer: _Place | None, namespace: str, usings: object, page: PageKind
    ) -> None:
        self.is_block: Final = declaration.kind is DeclarationKind.EXTENSION_BLOCK
        self.name = outer.name if self.is_block and outer is not None else declaration.name
        self.namespace: Final = namespace
        arity = f"`{len(declaration.type_parameters)}" if declaration.type_parameters else ""
        within = outer.full_name if outer is not None else namespace
        if page in IMPORTING and outer is None:  # imports may say another namespace
            self.full_name = f"{ANY_NAMESPACE}{declaration.name}{arity}"
        else:
            self.full_name = f"{within}.{declaration.name}{arity}"
        self.is_partial: Final = Modifiers.PARTIAL in declaration.modifiers
        own = [declaration.name, declaration.modifiers, _type_parameters(declaration.type_parameters)]
        receiver = _parameters([declaration.receiver]) if declaration.receiver is not None else []
        self.without_usings = _digest(outer.without_usings if outer is not None else namespace, own, receiver)
        self.context: Final = _digest(self.without_usings, usings)


class _Reader:
    def __init__(self, outline: Outline, members: Sequence[MemberDeclaration], source: bytes) -> None:
        self._outline: Final = outline
        self._members: Final = members
        self._source: Final = source
        self._declared: list[Declared] = []
        self._mentions: Final = names_in(source)

    def surface(self) -> Surface:
        outline = self._outline
        namespaces, usings = self._scopes()
        places: list[_Place] = []
        for declaration in outline.types:
            outer = places[declaration.parent] if declaration.parent >= 0 else None
            scope = declaration.scope
            places.append(_Place(declaration, outer, namespaces[scope], usings[scope], outline.page))
        by_type: list[list[MemberDeclaration]] = [[] for _ in places]
        for member in self._members:
            if 0 <= member.parent < len(places):
                by_type[member.parent].append(member)
        parts: dict[str, list[object]] = {}
        heads: dict[str, list[object]] = {}
        partial_members: set[tuple[str, int, int]] = set()
        shapes: set[tuple[str, str]] = set()
        for declaration, place, members in zip(outline.types, places, by_type, strict=True):
            self._type(declaration, place, members)
            self._of_type(declaration, place, members)
            if not declaration.condition and not place.is_block:
                parts.setdefault(place.full_name, []).append(_part(declaration, members))
                partial_members.update(_partial_members(place, usings[declaration.scope], members))
                heads.setdefault(place.full_name, []).append(_head(declaration))
            # What is declared for one file alone, or in a page, shares its shape with nothing elsewhere.
            is_alone = Modifiers.FILE in declaration.modifiers or outline.page in OF_RAZOR
            if not declaration.condition and not is_alone:
                outer = places[declaration.parent] if declaration.parent >= 0 else None
                within = outer.full_name if outer is not None else ""
                kind = SYMBOL_KINDS[declaration.kind].value
                shapes.add((f"{place.namespace} {within} {kind} {len(declaration.type_parameters)}", declaration.name))
        self._aliases()
        if "base" in self._mentions or _CREATES.search(self._source):
            self._mentions.add(_CONSTRUCTOR)
        self._mentions.update(_inside(place.name) for place in places)
        if outline.page in IMPORTING:
            self._mentions.add(_IMPORTS)
        return Surface(
            mentions="\n".join(sorted(self._mentions)),
            declared=tuple(self._declared),
            namespaces=tuple(sorted({name for name in namespaces if name})),
            scope=tuple(self._scope()),
            parts=tuple((name, _digest(*said), _digest(*heads[name])) for name, said in sorted(parts.items())),
            shapes=tuple(sorted(shapes)),
            partial_members=tuple(sorted(partial_members)),
        )

    def _scopes(self) -> tuple[list[str], list[object]]:
        """Of each scope, the full name of its namespace and all usings that count there, except for global ones."""
        namespaces: list[str] = []
        usings: list[object] = []
        for scope in self._outline.scopes:
            outer = namespaces[scope.parent] if scope.parent >= 0 else ""
            namespaces.append(f"{outer}.{scope.name}".strip("."))
            own = [(u.target.text, u.alias, u.is_static) for u in scope.usings if not u.is_global]
            around = usings[scope.parent] if scope.parent >= 0 else ()
            usings.append((around, own, scope.extern_aliases) if own or scope.extern_aliases else around)
        return namespaces, usings

    def _scope(self) -> Iterator[str]:
        for using in self._outline.scopes[0].usings if self._outline.scopes else ():
            if using.is_global:
                yield f"using {'static ' if using.is_static else ''}{using.alias}={using.target.text}"
        for attribute in self._outline.attributes:
            if attribute.name.text.rpartition(".")[2] in _FRIENDS and attribute.arguments:
                yield f"friend {attribute.arguments[0].text}"
            uri, namespace = xmlns_definition(attribute)
            if uri:
                yield f"xmlns {uri} {namespace}"
        if self._outline.page is PageKind.IMPORTS:
            yield from self._imported()

    def _imported(self) -> Iterator[str]:
        """What pages take from their imports besides usings."""
        for scope in self._outline.scopes[1:]:
            yield f"namespace {scope.name}"
        for declaration in self._outline.types:
            yield f"base {' '.join(base.text for base in declaration.bases)}"
        for member in self._members:
            yield f"member {_text(member.type)} {member.name}"

    def _aliases(self) -> None:
        """Other files come to a type by its global alias alone, whose meaning has the constructors that it calls."""
        for using in self._outline.scopes[0].usings if self._outline.scopes else ():
            if using.is_global and using.alias:
                names = _names([using.target.text])
                for alias in {using.alias, using.alias.removesuffix("Attribute")}:
                    self._add(Declared(Role.TYPE, alias, "", _digest(using.target.text), names, names))

    def _type(self, declaration: TypeDeclaration, place: _Place, members: Sequence[MemberDeclaration]) -> None:
        head = [
            declaration.kind,
            [base.text for base in declaration.bases],
            _attributes(declaration.attributes),
            _parameters(declaration.parameters),
            _text(declaration.return_type),
            declaration.has_primary_constructor,
            _constructors_without_arguments(members),
            declaration.condition,
            declaration.broken,
        ]
        parameters = declaration.parameters
        if declaration.receiver is not None:
            parameters = (*parameters, declaration.receiver)
        types = _types_of(
            declaration.type_parameters,
            parameters,
            declaration.attributes,
            declaration.return_type,
            *declaration.bases,
        )
        role = Role.PART if place.is_partial else Role.TYPE
        digest, values = _digest(place.context, head), self._values(declaration)
        declared = Declared(role, place.name, "", digest, _names(types), values)
        self._add(declared)
        if self._outline.page is PageKind.IMPORTS:
            self._add(msgspec.structs.replace(declared, role=Role.TYPE, name=_IMPORTS))
        if is_language_type(place.namespace, place.name):
            self._add(msgspec.structs.replace(declared, role=Role.EVERYWHERE))

    def _values(self, declaration: TypeDeclaration | MemberDeclaration) -> tuple[str, ...]:
        """Names in what attributes and parameters are given, which others read."""
        texts = [each.default for each in declaration.parameters if each.default]
        for attributes in (declaration.attributes, *(each.attributes for each in declaration.parameters)):
            texts += [argument.text for each in attributes for argument in each.arguments]
        return _names(texts) if texts else ()

    def _of_type(self, declaration: TypeDeclaration, place: _Place, members: Sequence[MemberDeclaration]) -> None:
        is_enum = declaration.kind is DeclarationKind.ENUM
        all_values = [member.content_hash for member in members] if is_enum else []
        constructors = [m for m in members if m.kind in _ASSIGNING and m.body >= 0]
        written: dict[str, bool] = {}
        element = _element(declaration, members)
        for member in members:
            shown, uses = self._signature(member)
            context = place.context if uses else place.without_usings
            content: list[object] = []
            values = self._values(member)
            is_private = not is_enum and declaration.kind is not DeclarationKind.INTERFACE
            is_private = is_private and member.modifiers.accessibility in (Modifiers.NONE, Modifiers.PRIVATE)
            if self._is_read(member):
                content = [member.content_hash, *all_values]
                made_of = tuple(sorted({*values, *self._names_of(member)}))
                if not is_enum and member.kind is not DeclarationKind.CONSTANT:
                    written[member.name] = is_private
                if is_private:  # what it is worth, nobody else can read
                    inside = _inside(place.name)
                    self._add(Declared(Role.MEMBER, member.name, inside, _digest(context, content), (), made_of))
                    content = []
                else:
                    values = made_of
            role = Role.IMPLICIT if member is element else self._role(member, place)
            digest = _digest(context, shown, content)
            if member.kind in _CONSTRUCTORS:
                self._add(Declared(Role.MEMBER, _CONSTRUCTOR, place.name, digest, uses, values))
                self._add(Declared(Role.MEMBER, place.name, place.name, digest, uses, values))
            else:
                self._add(Declared(role, member.name, place.name, digest, uses, values))
            made = generated_property(member)
            if made:
                self._add(Declared(Role.MEMBER, made, place.name, digest, uses, values))
            if role is Role.EXTENSION and member.kind in _IMPLICIT_KINDS:
                self._add(Declared(Role.EVERYWHERE, member.name, place.name, digest, uses, values))
        self._assignments(place, constructors, written)

    def _assignments(
        self, place: _Place, constructors: Sequence[MemberDeclaration], written: Mapping[str, bool]
    ) -> None:
        """What constructors may give to members that others read: to those of this part, or of any part. ``written``: names of the
        former, and whether they are private. Those that the same statements decide take their values from one entry, which has the names
        of these statements: each with all of them would grow with their square."""
        if not written and not place.is_partial:
            return
        inside = _inside(place.name)
        for number, member in enumerate(constructors):
            source = self._source_of(member)
            names = names_in(source)
            assigned = names if place.is_partial else names & written.keys()
            for each in slices(source.decode("utf-8", "replace"), assigned, names_in):
                given = f"{place.full_name}:{number}:{each.members[0]}"
                digest = _digest(each.text.split())
                self._add(Declared(Role.MEMBER, given, place.name, digest, (), tuple(sorted(each.names))))
                for name in each.members:
                    for container in (inside,) if written.get(name) else (place.name, inside):
                        self._add(Declared(Role.MEMBER, name, container, digest, (), (given,)))

    def _signature(self, member: MemberDeclaration) -> tuple[list[object], tuple[str, ...]]:
        """What others see of a member, and the names in it."""
        types = [
            _type_parameters(member.type_parameters),
            _parameters(member.parameters),
            _text(member.type),
            _text(member.explicit_interface),
            _attributes(member.attributes),
        ]
        rest = [
            member.kind,
            member.name,
            member.modifiers,
            [(each.name, each.modifiers) for each in member.accessors],
            member.condition,
            member.broken,
        ]
        texts = _types_of(
            member.type_parameters, member.parameters, member.attributes, member.type, member.explicit_interface
        )
        return [types, rest], _names(texts)

    @staticmethod
    def _role(member: MemberDeclaration, place: _Place) -> Role:
        if place.is_block or (member.parameters and "this" in member.parameters[0].modifiers):
            return Role.EXTENSION
        if member.kind in _IMPLICIT_KINDS or member.name in _IMPLICIT:
            return Role.IMPLICIT
        return Role.MEMBER

    @staticmethod
    def _is_read(member: MemberDeclaration) -> bool:
        """Whether its value may be read by others: constants, read-only fields and properties of simple types."""
        kind = member.kind
        if kind in (DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER):
            return True
        if kind is DeclarationKind.FIELD:
            if Modifiers.READONLY not in member.modifiers:
                return False
        elif kind is not DeclarationKind.PROPERTY or any(each.name in ("set", "init") for each in member.accessors):
            return False
        text = _text(member.type)
        return _READABLE.fullmatch(text) is not None and text not in _UNREADABLE

    def _names_of(self, member: MemberDeclaration) -> set[str]:
        """The names in a member's declaration."""
        return names_in(self._source_of(member))

    def _source_of(self, member: MemberDeclaration) -> bytes:
        start, end = member.span
        return cut(self._source, start, end)

    def _add(self, declared: Declared) -> None:
        self._declared.append(declared)
        if declared.role is Role.EXTENSION and declared.name in _IMPLICIT:
            self._declared.append(msgspec.structs.replace(declared, role=Role.EVERYWHERE))
        if declared.role in (Role.TYPE, Role.PART) and declared.name.endswith("Attribute"):
            short = declared.name.removesuffix("Attribute")
            self._declared.append(Declared(declared.role, short, "", declared.digest, (declared.name,)))
        if declared.role is Role.MEMBER and declared.name == declared.container and declared.name.endswith("Attribute"):
            # An attribute calls its constructor by the shorter name (ECMA-334 §23.3).
            self._declared.append(msgspec.structs.replace(declared, name=declared.name.removesuffix("Attribute")))


def _constructors_without_arguments(members: Iterable[MemberDeclaration]) -> list[Any]:
    """What decides whether a type meets ``new()``, which is asked of types that are not named (ECMA-334 §15.2.5): one that declares no
    constructor has one by default."""
    declared = [each for each in members if each.kind is DeclarationKind.CONSTRUCTOR]
    callable_ = [
        each for each in declared if all(p.default is not None or "params" in p.modifiers for p in each.parameters)
    ]
    return [bool(declared), [(each.modifiers, each.condition) for each in callable_]]


def _element(declaration: TypeDeclaration, members: Iterable[MemberDeclaration]) -> MemberDeclaration | None:
    """The only field of what may be an inline array (C# 12), private or not: its elements are of that type. Another part of the struct may
    have the attribute."""
    if declaration.kind is not DeclarationKind.STRUCT:
        return None
    if not declaration.attributes and Modifiers.PARTIAL not in declaration.modifiers:
        return None
    fields = [each for each in members if each.kind is DeclarationKind.FIELD and not each.modifiers & Modifiers.STATIC]
    return fields[0] if len(fields) == 1 else None


def _inside(name: str) -> str:
    """A name that only the files mention which declare the type: what nobody else can see is declared under it."""
    return f"{name}:inside"


def _head(declaration: TypeDeclaration) -> list[object]:
    """What the row of the type holds of a part: lines and documentation."""
    doc = declaration.doc
    said = [doc.summary, doc.rest] if doc is not None else None
    return [declaration.line_start, declaration.line_end, said]


def _part(declaration: TypeDeclaration, members: Iterable[MemberDeclaration]) -> list[object]:
    """What rows of any other part's file may hold of a part: members that share shapes or are partial too."""
    said: list[object] = [declaration.kind, declaration.modifiers]
    for each in members:
        said.append([each.kind, each.name, each.signature, each.modifiers, each.condition])
    return said


def _partial_members(
    place: _Place, usings: object, members: Iterable[MemberDeclaration]
) -> Iterator[tuple[str, int, int]]:
    """A member's row holds lines and documentation of all its declarations. Two that are written alike under the same usings are of the
    same member; one member may be written in several ways."""
    for member in members:
        if Modifiers.PARTIAL in member.modifiers and not member.condition:
            said = [member.doc.summary, member.doc.rest] if member.doc is not None else None
            written = _digest(member.kind, member.signature, usings)
            yield f"{place.full_name}.{member.name}", written, _digest(member.line_start, member.line_end, said)
