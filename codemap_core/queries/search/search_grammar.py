"""The input of a symbol search as a match query. It is total: any string is understood somehow, and none is an
error.

    words side by side    all must match          OR, |        either
    NOT, a leading -      must not match          word*        the beginning of a word
    "two words"           side by side            ( … )        grouping
    OrderServ, Ord*       camel-case parts        M:Ns.T.F(…)  a documentation-comment id, by its words

Operators are upper-case words standing alone. Whatever punctuation is left only separates words; an operator with
nothing to work on is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from codemap_core.storage.reading.symbol_search import NameMatch
from codemap_core.storage.schema.fulltext import AllOf, AnyOf, Except, MatchQuery, Phrase, Word

_MAX_TERMS: Final = 40
_MAX_DEPTH: Final = 12
_MAX_CHARACTERS: Final = 1000
_LEXEMES: Final = re.compile(r'"([^"]*)"|([()](?=\s|$|[("])|(?<![^\s(])\()|([^\s"]+)')
_WORDS: Final = re.compile(r"\w+")
_SEPARATE_WORDS: Final = re.compile(r"\w+(?:\s+\w+)+")
_DOCUMENTATION_ID: Final = re.compile(r"^[TMPFEN]:(?=\S)")
_TYPE_ARGUMENTS: Final = re.compile(r"(?<=\w)<\w+(?:,\s*\w+)*>$")
"""Of a name at the end of a text, as declared: ``<T>``, ``<TKey, TValue>``."""
_OPERATORS: Final = frozenset({"AND", "OR", "NOT", "|", "||", "&", "&&"})


class ParsedSearch(Struct, frozen=True):
    """``query``: null when the text holds no word. ``name``: for a search that may be one name, what should rank first."""

    query: MatchQuery | None
    name: NameMatch | None = None


def parse_search(text: str) -> ParsedSearch:
    """The text as a query; see the module for the grammar."""
    parser = _Parser(_lex(text[:_MAX_CHARACTERS]))
    query = parser.alternatives(0)
    return ParsedSearch(query, None if query is None else _name(text.strip(), query))


def relax(query: MatchQuery) -> MatchQuery:
    """The same query with every word taken as the beginning of one."""
    match query:
        case Word(text):
            return Word(text, prefix=True)
        case Phrase(words):
            return AllOf(tuple(Word(word, prefix=True) for word in words))
        case AllOf(operands):
            return AllOf(tuple(relax(operand) for operand in operands))
        case AnyOf(operands):
            return AnyOf(tuple(relax(operand) for operand in operands))
        case Except(wanted, unwanted):
            return Except(relax(wanted), unwanted)


class _Lexeme(Struct, frozen=True):
    """``kind``: word, phrase, open, close, or an operator's name."""

    kind: str
    text: str = ""


def _lex(text: str) -> list[_Lexeme]:
    if text.count('"') % 2:
        text = text.replace('"', " ")
    lexemes: list[_Lexeme] = []
    for quoted, parenthesis, plain in _LEXEMES.findall(text):
        if parenthesis:
            lexemes.append(_Lexeme("open" if parenthesis == "(" else "close"))
        elif plain in _OPERATORS:
            lexemes.append(_Lexeme({"|": "OR", "||": "OR", "&": "AND", "&&": "AND"}.get(plain, plain)))
        elif plain:
            if plain.startswith(("-", "!")) and len(plain) > 1:
                lexemes.append(_Lexeme("NOT"))
                plain = plain[1:]
            closing = 0
            while plain.endswith(")") and plain.count(")") > plain.count("("):
                plain, closing = plain[:-1], closing + 1
            lexemes.append(_Lexeme("word", plain))
            lexemes += [_Lexeme("close")] * closing
        elif quoted.strip():
            lexemes.append(_Lexeme("phrase", quoted))
    return lexemes


class _Parser:
    """Recursive descent over lexemes; what does not fit is skipped."""

    def __init__(self, lexemes: list[_Lexeme]) -> None:
        self._lexemes = lexemes
        self._position = 0
        self._terms = 0

    def alternatives(self, depth: int) -> MatchQuery | None:
        operands: list[MatchQuery] = []
        while True:
            operand = self._conjunction(depth)
            if operand is not None:
                operands.append(operand)
            if self._kind() == "OR":
                self._position += 1
            elif self._kind() == "close" and depth == 0:
                self._position += 1  # closes nothing
            else:
                return _combined(operands, AnyOf)

    def _conjunction(self, depth: int) -> MatchQuery | None:
        wanted: list[MatchQuery] = []
        unwanted: list[MatchQuery] = []
        negated = False
        while (kind := self._kind()) not in {"", "OR", "close"}:
            self._position += 1
            if kind == "NOT":
                negated = True
                continue
            if kind == "AND":
                continue
            operand = self._operand(kind, depth)
            if operand is not None:
                (unwanted if negated else wanted).append(operand)
            negated = False
        query = _combined(wanted, AllOf)
        if query is None or not unwanted:
            return query
        excluded = _combined(unwanted, AnyOf)
        return query if excluded is None else Except(query, excluded)

    def _operand(self, kind: str, depth: int) -> MatchQuery | None:
        if kind == "open":
            if depth >= _MAX_DEPTH:
                return None
            inner = self.alternatives(depth + 1)
            if self._kind() == "close":
                self._position += 1
            return inner
        if self._terms >= _MAX_TERMS:
            return None
        text = self._lexemes[self._position - 1].text
        words = tuple(_WORDS.findall(text if kind == "phrase" else _without_decoration(text)))[:_MAX_TERMS]
        self._terms += len(words)
        if kind == "phrase":
            return Phrase(words) if words else None
        return _combined(_words(text, words), AllOf)

    def _kind(self) -> str:
        return self._lexemes[self._position].kind if self._position < len(self._lexemes) else ""


def _words(text: str, words: tuple[str, ...]) -> list[MatchQuery]:
    last = len(words) - 1
    return [Word(word, prefix=i == last and text.endswith("*")) for i, word in enumerate(words)]


def _without_decoration(text: str) -> str:
    """A documentation-comment id without its prefix, parameters, arities and ``#ctor``; other text as it is."""
    if _DOCUMENTATION_ID.match(text):
        text = text[2:].partition("(")[0]
        text = re.sub(r"`+\d+|\.#c?ctor$", "", text)
    return text


def _combined(operands: list[MatchQuery], several: type[AllOf] | type[AnyOf]) -> MatchQuery | None:
    if len(operands) < 2:
        return operands[0] if operands else None
    return several(tuple(operands))


def name_of_words(words: Iterable[str]) -> NameMatch:
    """``order service`` as the parts of ``OrderService``."""
    return NameMatch("".join(word[:1].upper() + word[1:] for word in words))


def _name(text: str, query: MatchQuery) -> NameMatch | None:
    """The name that ranks first when the search is a single, perhaps qualified, name, or the words of one, written apart."""
    if isinstance(query, AllOf) and _SEPARATE_WORDS.fullmatch(text):
        return name_of_words(each.text for each in query.operands if isinstance(each, Word))
    prefix = text.endswith("*")
    bare = _without_decoration(text).rstrip("*")
    arguments = _TYPE_ARGUMENTS.search(bare)
    written = re.sub(r",\s*", ", ", arguments[0]) if arguments else ""
    bare = bare[: arguments.start()] if arguments else bare
    if not bare or re.search(r"[^\w.]", bare):
        return None
    qualifier, _, name = bare.rpartition(".")
    if not name or isinstance(query, Except | AnyOf | Phrase):
        return None
    ending = f".{bare}" if qualifier else bare if written else ""
    return NameMatch(name, f"{ending}{written}", prefix and not ending)
