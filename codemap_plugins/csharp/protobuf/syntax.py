"""What a file of protocol buffers declares (Protocol Buffers Language Specification, proto2, proto3 and editions), with places.

Never raises for bad source: a statement that is not understood is passed over to its end. Offsets are bytes into the file, half-open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from msgspec import Struct

_TOKEN: Final = re.compile(
    rb"""(//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"""
    rb"""|(\.?[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*+)"""
    rb"""|("(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)"""
    rb"""|[0-9][\w.]*+|[^\s\w]"""
)
"""Its groups are kinds of tokens, in their order."""
_NUMBER: Final = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+")
_MOST_LEVELS: Final = 64
"""Of messages within each other; what is deeper is passed over."""
_LABELS: Final = frozenset({"optional", "required", "repeated"})
_SKIPPED: Final = frozenset(
    {"option", "reserved", "extensions", "extend", "import", "syntax", "edition", "package", ";"}
)
"""What statements begin with that declare nothing here."""
_NAMESPACE: Final = "csharp_namespace"
_GROUP: Final = "group"
"""A field of proto2 that declares its message itself, for which nothing is made here."""
_METHOD: Final = "rpc"
_OPENING: Final = ("{", "[", "(")
_CLOSING: Final = ("}", "]", ")")
_MOST_PROBLEMS: Final = 20


class TokenKind(IntEnum):
    END = 0
    COMMENT = 1
    NAME = 2
    TEXT = 3
    OTHER = 4


class Place(NamedTuple):
    start: int
    end: int


class Name(NamedTuple):
    """``text``: without space, dotted where a type is named. ``end``: of all of it."""

    text: str
    start: int
    end: int

    @property
    def place(self) -> Place:
        return Place(self.start, self.end)

    def said_again(self) -> Name:
        """The same where it does not stand in the file."""
        return Name(self.text, self.end, self.end)


class Field(Struct, frozen=True):
    """``key``: the type of the keys of a map, whose values ``type`` is of. ``oneof``: the number of the one that it is a choice of."""

    name: Name
    type: Name
    number: str
    place: Place
    is_repeated: bool = False
    is_optional: bool = False
    key: Name | None = None
    oneof: int = -1
    comment: str = ""


class Constant(NamedTuple):
    """``number``: as it is written."""

    name: Name
    number: str
    comment: str


class Enumeration(Struct, frozen=True):
    name: Name
    values: tuple[Constant, ...]
    place: Place
    comment: str = ""


class Message(Struct, frozen=True):
    name: Name
    fields: tuple[Field, ...]
    oneofs: tuple[Name, ...]
    messages: tuple[Message, ...]
    enumerations: tuple[Enumeration, ...]
    place: Place
    comment: str = ""


class Method(Struct, frozen=True):
    name: Name
    request: Name
    response: Name
    place: Place
    takes_stream: bool = False
    gives_stream: bool = False
    comment: str = ""


class Service(Struct, frozen=True):
    name: Name
    methods: tuple[Method, ...]
    place: Place
    comment: str = ""


class ProtoFile(Struct, frozen=True):
    """``namespace``: what ``option csharp_namespace`` says; null where it says nothing. ``problems``: where something is not understood,
    or does not end; the first ones."""

    package: str
    namespace: str | None
    messages: tuple[Message, ...]
    enumerations: tuple[Enumeration, ...]
    services: tuple[Service, ...]
    problems: tuple[int, ...] = ()


class _Token(Struct, frozen=True, gc=False):
    kind: TokenKind
    text: str
    start: int
    end: int
    comment: str
    """What stands in comments right before it."""


def read_proto(source: bytes) -> ProtoFile:
    return _Reader(source).read()


def _tokens(source: bytes) -> Iterator[_Token]:
    comments: list[str] = []
    end = 0  # of the last token or comment
    for found in _TOKEN.finditer(source):
        kind = TokenKind(found.lastindex or TokenKind.OTHER)
        breaks = source.count(b"\n", end, found.start())
        behind, end = end, found.end()
        text = found[0].decode("utf-8", "replace")
        if kind is TokenKind.COMMENT:
            if breaks > 1:
                comments.clear()
            if breaks or not behind:  # else it says something of what stands before it
                comments.append(text)
            continue
        if kind is TokenKind.NAME:
            text = "".join(text.split())
        yield _Token(kind, text, found.start(), end, _said(comments) if breaks == 1 else "")
        comments.clear()
    yield _Token(TokenKind.END, "", len(source), len(source), "")


def _said(comments: list[str]) -> str:
    lines = (
        line.strip().lstrip("*").strip()
        for each in comments
        for line in each.removeprefix("//").removeprefix("/*").removesuffix("*/").lstrip("/*").splitlines()
    )
    return "\n".join(filter(None, lines))


class _Members:
    """What is collected of a message or a file."""

    def __init__(self) -> None:
        self.fields: list[Field] = []
        self.oneofs: list[Name] = []
        self.messages: list[Message] = []
        self.enumerations: list[Enumeration] = []
        self.services: list[Service] = []


class _Reader:
    def __init__(self, source: bytes) -> None:
        self._tokens: Final = (*_tokens(source),)
        self._at = 0
        self._problems: Final[list[int]] = []

    def read(self) -> ProtoFile:
        package, namespace = "", None
        held = _Members()
        while self._tokens[self._at].kind:
            first = self._tokens[self._at]
            if first.text == "package" and self._peek(1).kind is TokenKind.NAME:
                package = self._peek(1).text.lstrip(".")
                self._pass_over()
            elif first.text == "option" and self._peek(1).text == _NAMESPACE and self._peek(3).kind is TokenKind.TEXT:
                namespace = self._peek(3).text[1:-1]
                self._pass_over()
            elif first.text == "service" and self._peek(1).kind is TokenKind.NAME and self._peek(2).text == "{":
                held.services.append(self._service(first))
            else:
                self._statement(held, 0, -1)
        return ProtoFile(
            package,
            namespace,
            tuple(held.messages),
            tuple(held.enumerations),
            tuple(held.services),
            tuple(self._problems[:_MOST_PROBLEMS]),
        )

    def _peek(self, further: int) -> _Token:
        return self._tokens[min(self._at + further, len(self._tokens) - 1)]

    def _takes(self, *texts: str) -> bool:
        """Steps over these tokens, if they are next."""
        if any(self._peek(index).text != text for index, text in enumerate(texts)):
            return False
        self._at += len(texts)
        return True

    def _name(self) -> Name | None:
        token = self._peek(0)
        if token.kind is not TokenKind.NAME:
            return None
        self._at += 1
        return Name(token.text, token.start, token.end)

    def _not_understood(self) -> None:
        """The next token is not understood."""
        self._problems.append(self._peek(0).start)

    def _not_ended(self) -> None:
        """What should stand behind the last token does not."""
        self._problems.append(self._tokens[self._at - 1].end)

    def _pass_over(self) -> None:
        """To the end of a statement: behind a semicolon or a block, before a brace that closes the block around."""
        depth = 0
        while self._peek(0).kind:
            text = self._peek(0).text
            if text == "}" and not depth:
                return
            depth += (text in _OPENING) - (text in _CLOSING)
            self._at += 1
            if depth <= 0 and text in (";", "}"):
                return

    def _end(self) -> None:
        """Over the end of a declaration, and the options before it."""
        if self._peek(0).text == "[":
            depth = 0
            while self._peek(0).kind:
                text = self._peek(0).text
                depth += (text in _OPENING) - (text in _CLOSING)
                self._at += 1
                if not depth:
                    break
        if not self._takes(";"):
            self._not_ended()

    def _statement(self, held: _Members, level: int, oneof: int) -> None:
        """One of a file, a message or a ``oneof``."""
        first, second, third = self._peek(0), self._peek(1), self._peek(2)
        opens = second.kind is TokenKind.NAME and "." not in second.text and third.text == "{"
        before = self._at
        if first.text == "message" and opens:
            if level < _MOST_LEVELS:
                held.messages.append(self._message(first, level + 1))
        elif first.text == "enum" and opens:
            held.enumerations.append(self._enumeration(first))
        elif first.text == "oneof" and opens and level and oneof < 0:
            self._at += 3
            held.oneofs.append(Name(second.text, second.start, second.end))
            self._block(held, level, len(held.oneofs) - 1)
        elif level and first.kind is TokenKind.NAME and first.text not in _SKIPPED:
            field = self._field(first, oneof)
            if field is not None:
                held.fields.append(field)
        if self._at == before:
            if first.text not in _SKIPPED and _GROUP not in (first.text, second.text):
                self._not_understood()
            self._pass_over()
            if self._at == before:  # a brace that closes nothing
                self._at += 1

    def _block(self, held: _Members, level: int, oneof: int = -1) -> None:
        """The statements up to the brace that closes, behind one that opens."""
        while self._peek(0).kind:
            if self._takes("}"):
                return
            self._statement(held, level, oneof)
        self._not_ended()

    def _place(self, first: _Token) -> Place:
        """From a token to the last one that was stepped over."""
        return Place(first.start, self._tokens[self._at - 1].end)

    def _message(self, first: _Token, level: int) -> Message:
        name = self._opened()
        held = _Members()
        self._block(held, level)
        return Message(
            name,
            tuple(held.fields),
            tuple(held.oneofs),
            tuple(held.messages),
            tuple(held.enumerations),
            self._place(first),
            first.comment,
        )

    def _opened(self) -> Name:
        """The name behind a keyword and before a brace."""
        token = self._peek(1)
        self._at += 3
        return Name(token.text, token.start, token.end)

    def _enumeration(self, first: _Token) -> Enumeration:
        name = self._opened()
        values: list[Constant] = []
        while self._peek(0).kind and not self._takes("}"):
            value = self._constant()
            if value is not None:
                values.append(value)
        return Enumeration(name, tuple(values), self._place(first), first.comment)

    def _constant(self) -> Constant | None:
        token = self._peek(0)
        sign = "-" if self._peek(2).text == "-" else ""
        number = self._peek(2 + len(sign)).text
        if token.kind is not TokenKind.NAME or self._peek(1).text != "=" or _NUMBER.fullmatch(number) is None:
            if token.text not in _SKIPPED:
                self._not_understood()
            self._pass_over()
            return None
        self._at += 3 + len(sign)
        self._end()
        return Constant(Name(token.text, token.start, token.end), sign + number, token.comment)

    def _field(self, first: _Token, oneof: int) -> Field | None:
        """``repeated Item items = 1 [deprecated = true];``, ``map<string, Item> items = 1;``; null where the tokens are of something else,
        none of which is stepped over then."""
        before = self._at
        label = first.text if first.text in _LABELS and self._peek(1).kind is TokenKind.NAME else ""
        self._at += bool(label)
        key: Name | None = None
        if self._takes("map", "<"):
            key = self._name()
            type_ = self._name() if key is not None and self._takes(",") else None
            if not self._takes(">"):
                type_ = None
        else:
            type_ = self._name()
        name = self._name() if type_ is not None else None
        number = self._peek(1)
        if (
            type_ is None
            or name is None
            or type_.text == _GROUP
            or self._peek(0).text != "="
            or _NUMBER.fullmatch(number.text) is None
        ):
            self._at = before
            return None
        self._at += 2
        self._end()
        return Field(
            name,
            type_,
            number.text,
            self._place(first),
            is_repeated=label == "repeated",
            is_optional=label == "optional",
            key=key,
            oneof=oneof,
            comment=first.comment,
        )

    def _service(self, first: _Token) -> Service:
        name = self._opened()
        methods: list[Method] = []
        while self._peek(0).kind and not self._takes("}"):
            before = self._at
            token = self._peek(0)
            method = self._method(token) if token.text == _METHOD else None
            if method is not None:
                methods.append(method)
                continue
            self._at = before
            if token.text not in _SKIPPED:
                self._not_understood()
            self._pass_over()
        return Service(name, tuple(methods), self._place(first), first.comment)

    def _method(self, first: _Token) -> Method | None:
        """``rpc Get(GetRequest) returns (stream Item);``; null where the tokens are of something else."""
        self._at += 1
        name = self._name()
        given = self._message_of_method() if name is not None else None
        result = self._message_of_method() if given is not None and self._takes("returns") else None
        if name is None or given is None or result is None:
            return None
        if self._peek(0).text == "{":
            self._pass_over()
        else:
            self._end()
        (request, takes_stream), (response, gives_stream) = given, result
        return Method(name, request, response, self._place(first), takes_stream, gives_stream, first.comment)

    def _message_of_method(self) -> tuple[Name, bool] | None:
        """``(stream Item)``: the type, and whether there are many of it."""
        if not self._takes("("):
            return None
        is_stream = self._peek(0).text == "stream" and self._peek(1).kind is TokenKind.NAME
        self._at += is_stream
        type_ = self._name()
        return (type_, is_stream) if type_ is not None and self._takes(")") else None
