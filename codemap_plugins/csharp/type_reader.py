"""From the text of a type to its tree (``type_tree``). Every text is read once in a process.

Apart from the trees, which are structs of msgspec: this is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from codemap_plugins.csharp.type_syntax import NAMELESS_TYPES, NATIVE_INTEGERS, PREDEFINED_TYPES
from codemap_plugins.csharp.type_tree import (
    ArrayType,
    FunctionPointerParameter,
    FunctionPointerType,
    NamedType,
    NamePart,
    NullableType,
    PointerType,
    PredefinedType,
    TupleElement,
    TupleType,
    TypeTree,
    UnknownType,
    WrittenName,
)

_TOKEN: Final = re.compile(r"\s*(?:(@?\w+)|(::)|(.))", re.DOTALL)
_MAX_DEPTH: Final = 200


@lru_cache(maxsize=65536)
def parse_type(text: str) -> TypeTree:
    """The tree of a normalised type text. Never raises: text that cannot be read is an ``UnknownType``."""
    if text in PREDEFINED_TYPES:
        return PredefinedType(text, 0 if text in NATIVE_INTEGERS else -1)
    if text == "var" or not text:
        return UnknownType(text)
    if text.isidentifier():
        return NamedType((NamePart(text, 0),))
    reader = _Reader(text)
    try:
        tree = reader.type(0)
    except _NoTypeError:
        return UnknownType(text)
    return tree if reader.at_end else UnknownType(text)


@lru_cache(maxsize=65536)
def name_at(text: str, ordinal: int) -> WrittenName:
    """The type that is named where the identifier with this ordinal stands in a normalised type text: ``Either`` by the second of
    ``Task<Either<A,B>>``, and ``B`` in ``A`` by both of ``A.B``."""
    for path in _paths(parse_type(text)):
        if ordinal == path.alias_ordinal or any(ordinal == part.ordinal for part in path.parts):
            names = [*([path.alias] if path.alias else []), *(part.name for part in path.parts)]
            return WrittenName(names[-1], names[-2] if len(names) > 1 else None)
    return WrittenName(text)


def _paths(tree: TypeTree) -> Iterator[NamedType]:
    match tree:
        case NamedType(parts=parts):
            yield tree
            for part in parts:
                for argument in part.arguments:
                    yield from _paths(argument)
        case ArrayType(element=element) | PointerType(element=element) | NullableType(element=element):
            yield from _paths(element)
        case TupleType(elements=elements):
            for each in elements:
                yield from _paths(each.type)
        case FunctionPointerType(parameters=parameters):
            for parameter in parameters:
                yield from _paths(parameter.type)


class _NoTypeError(Exception):
    pass


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: Final[list[str]] = [match[1] or match[2] or match[3] for match in _TOKEN.finditer(text)]
        self.at = 0
        self.ordinal = 0

    @property
    def at_end(self) -> bool:
        return self.at == len(self.tokens)

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def accept(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise _NoTypeError

    def word(self) -> str:
        token = self.peek()
        if not (token[:1] == "@" or token[:1] == "_" or token[:1].isalpha()):
            raise _NoTypeError
        self.at += 1
        return token

    def next_ordinal(self) -> int:
        self.ordinal += 1
        return self.ordinal - 1

    def type(self, depth: int) -> TypeTree:
        if depth > _MAX_DEPTH:
            raise _NoTypeError
        tree = self.simple_type(depth + 1)
        while token := self.peek():
            if token == "?":
                self.at += 1
                tree = NullableType(tree)
            elif token == "*":
                self.at += 1
                tree = PointerType(tree)
            elif token == "[":
                for rank in reversed(self.ranks()):
                    tree = ArrayType(tree, rank)
            else:
                break
        return tree

    def ranks(self) -> list[int]:
        ranks: list[int] = []
        while self.accept("["):
            rank = 1
            while self.accept(","):
                rank += 1
            self.expect("]")
            ranks.append(rank)
        return ranks

    def simple_type(self, depth: int) -> TypeTree:
        token = self.peek()
        if token == "(":
            return self.tuple_type(depth)
        if token in PREDEFINED_TYPES:
            self.at += 1
            return PredefinedType(token, self.next_ordinal() if token in NATIVE_INTEGERS else -1)
        if token == "delegate":
            return self.function_pointer(depth)
        return self.named_type(depth)

    def named_type(self, depth: int) -> TypeTree:
        alias: str | None = None
        alias_ordinal = -1
        if self.at + 1 < len(self.tokens) and self.tokens[self.at + 1] == "::":
            alias = self.word()
            if alias != "global":
                alias_ordinal = self.next_ordinal()
                alias = alias.removeprefix("@")
            self.expect("::")
        parts = [self.part(depth)]
        while self.accept("."):
            parts.append(self.part(depth))
        return NamedType(tuple(parts), alias, alias_ordinal)

    def part(self, depth: int) -> NamePart:
        word = self.word()
        ordinal = -1 if word in NAMELESS_TYPES else self.next_ordinal()
        name = word.removeprefix("@")
        if not self.accept("<"):
            return NamePart(name, ordinal)
        if self.peek() in (",", ">"):
            arity = 1
            while self.accept(","):
                arity += 1
            self.expect(">")
            return NamePart(name, ordinal, (), arity)
        arguments = [self.type(depth)]
        while self.accept(","):
            arguments.append(self.type(depth))
        self.expect(">")
        return NamePart(name, ordinal, tuple(arguments), len(arguments))

    def tuple_type(self, depth: int) -> TypeTree:
        self.expect("(")
        elements: list[TupleElement] = []
        while True:
            element = self.type(depth)
            name = None if self.peek() in (",", ")") else self.word().removeprefix("@")
            elements.append(TupleElement(element, name))
            if not self.accept(","):
                break
        self.expect(")")
        return TupleType(tuple(elements))

    def function_pointer(self, depth: int) -> TypeTree:
        self.expect("delegate")
        self.expect("*")
        convention = ""
        while self.peek() not in ("<", ""):
            convention += self.tokens[self.at]
            self.at += 1
        self.expect("<")
        parameters: list[FunctionPointerParameter] = []
        while True:
            ref_kind = self.word() if self.peek() in ("ref", "out", "in") else ""
            parameters.append(FunctionPointerParameter(self.type(depth), ref_kind))
            if not self.accept(","):
                break
        self.expect(">")
        return FunctionPointerType(tuple(parameters), convention)
