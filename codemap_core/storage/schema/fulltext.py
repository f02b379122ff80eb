"""Full text: the two FTS5 tables, how names are split into words, and match expressions.

Both tables are contentless, as a baseline never changes: FTS5 stores the inverted index alone, the rows are in
``symbols`` and ``file_texts``. ``files_fts`` answers only "which files contain this token", so it keeps neither
positions nor sizes. Invariant: an expression made by ``render`` is valid FTS5 whatever the user typed; every token is
quoted.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

SYMBOLS_FTS: Final = (
    "CREATE VIRTUAL TABLE symbols_fts USING fts5("
    "name_tokens, fqname, signature, documentation, "
    "content='', tokenize=\"unicode61 remove_diacritics 2 tokenchars '_'\")"
)
FILES_FTS: Final = (
    "CREATE VIRTUAL TABLE files_fts USING fts5("
    "text, content='', columnsize=0, detail=none, tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\")"
)
FULLTEXT_TABLES: Final = ("symbols_fts", "files_fts")
FULLTEXT_DDL: Final = (SYMBOLS_FTS, FILES_FTS)
SYMBOL_RANK: Final = "bm25(10.0, 4.0, 2.0, 1.0)"
"""Weights of the columns, in their order."""


class Word(Struct, frozen=True):
    """One word as the user typed it: letters, digits and underscores. ``prefix``: it may go on."""

    text: str
    prefix: bool = False


class Phrase(Struct, frozen=True):
    """Words that stand side by side."""

    words: tuple[str, ...]


class AllOf(Struct, frozen=True):
    operands: tuple[MatchQuery, ...]


class AnyOf(Struct, frozen=True):
    operands: tuple[MatchQuery, ...]


class Except(Struct, frozen=True):
    """An expression that matches ``wanted`` but not ``unwanted``."""

    wanted: MatchQuery
    unwanted: MatchQuery


MatchQuery = Word | Phrase | AllOf | AnyOf | Except


def render(query: MatchQuery) -> str:
    """The FTS5 expression that finds ``query`` in ``symbols_fts``. A word of several camel-case parts matches as the
    start of a whole name, or by all its parts, each of which may be cut short: ``OrdServ`` finds ``OrderService``."""
    match query:
        case Word(text, prefix):
            return _render_word(text, prefix)
        case Phrase(words):
            return _quoted(" ".join(words))
        case AllOf(operands):
            return " AND ".join(f"({render(operand)})" for operand in operands)
        case AnyOf(operands):
            return " OR ".join(f"({render(operand)})" for operand in operands)
        case Except(wanted, unwanted):
            return f"({render(wanted)}) NOT ({render(unwanted)})"


def _render_word(text: str, prefix: bool) -> str:
    parts = name_words(text)
    if len(parts) < 2:
        return _quoted(text) + ("*" if prefix else "")
    # a part of one letter is taken as it is: nearly every name has a word that begins with it
    hump = " AND ".join(_quoted(part) + ("*" if len(part) > 1 else "") for part in parts)
    return f"{_quoted(text)}* OR name_tokens : ({hump})"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


_ASCII_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def name_words(name: str) -> list[str]:
    """The words of an identifier, lower-case, split on case, digits and underscores: ``HTMLParser2`` → html, parser,
    2."""
    if name.isascii():
        return [word.lower() for word in _ASCII_WORDS.findall(name)]
    return _unicode_words(name)


def words_of_lines(names: str) -> set[str]:
    """All words of identifiers that stand on a line each, as ``name_words`` splits them."""
    if names.isascii():
        return {word.lower() for word in set(_ASCII_WORDS.findall(names))}
    return {word for name in names.split("\n") for word in name_words(name)}


def name_tokens(name: str) -> str:
    """The content of ``symbols_fts.name_tokens``: the whole name, then its words when there are several."""
    words = name_words(name)
    whole = name.lower()
    if words == [whole]:
        return whole
    return " ".join([whole, *words])


def _unicode_words(name: str) -> list[str]:
    """The same rule for letters of any script; those without case stay together."""
    words: list[str] = []
    start = 0
    for i in range(1, len(name) + 1):
        if i < len(name) and not _is_border(name, i):
            continue
        word = name[start:i]
        if word[0].isalnum():
            words.append(word.lower())
        start = i
    return words


def _is_border(name: str, i: int) -> bool:
    """Whether a word begins at ``i`` > 0."""
    before, here = _char_class(name[i - 1]), _char_class(name[i])
    if before == "upper" and here == "lower":
        return False
    if before == "upper" and here == "upper":
        return i + 1 < len(name) and _char_class(name[i + 1]) == "lower"
    return before != here


def _char_class(char: str) -> str:
    if char.isupper() or char.istitle():
        return "upper"
    if char.islower():
        return "lower"
    if char.isdigit() or char.isnumeric():
        return "digit"
    return "letter" if char.isalpha() else "other"
