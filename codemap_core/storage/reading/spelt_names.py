"""Declarations whose names stand where no reference is: in files of other languages, and in strings."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import text

from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.unused_symbols import UnusedSymbol, portions

_WORD: Final = re.compile(r"\w+")
_STRING: Final = re.compile(r"""\"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`""")
_QUALIFIED_NAME: Final = re.compile(r"(?:\w+\.)*(\w+)(?:\(\))?")
_BRACES: Final = re.compile(r"\{([^{}]+)\}")
_SYMBOLIC: Final = (SymbolKind.OPERATOR, SymbolKind.INDEXER)
"""Their names are not written where they are used."""
_NAMELESS: Final = (*_SYMBOLIC, SymbolKind.CONSTRUCTOR)
"""Nor is that of a constructor one of its own."""
_MAY_USE: Final = """files.language NOT IN ('markdown', 'solution') AND files.path NOT GLOB '*.txt'
    AND files.path NOT IN (SELECT path FROM solutions)"""
# CROSS JOIN keeps the order: the words of few names are looked up, not the names of all words.
_IN_OTHER_TEXT: Final = text(
    "SELECT DISTINCT json_extract(asked.value, '$[0]') FROM json_each(:asked) AS asked "
    "CROSS JOIN files_fts CROSS JOIN files ON files.id = files_fts.rowid "
    f"WHERE files_fts MATCH json_extract(asked.value, '$[1]') AND {_MAY_USE} "
    "AND (files.language <> json_extract(asked.value, '$[2]') OR files.path GLOB '*xaml')"
)
_UNBOUND_CODE: Final = text(
    "SELECT files.path FROM files_fts CROSS JOIN files ON files.id = files_fts.rowid "
    "WHERE files_fts MATCH :words AND (files.language IN ('visualbasic', 'fsharp') OR files.path GLOB '*.xaml' "
    "OR files.path GLOB '*.axaml' OR files.path GLOB '*.as[cp]x') ORDER BY files.path"
)
_OTHER_TEXTS: Final = text(
    "SELECT files.path FROM files_fts CROSS JOIN files ON files.id = files_fts.rowid "
    "WHERE files_fts MATCH :words "
    "AND (files.language <> (SELECT language FROM files WHERE path = :declared_in) OR files.path GLOB '*xaml') "
    f"AND {_MAY_USE} ORDER BY files.language IN ('xml', 'json', 'yaml') AND files.path NOT GLOB '*xaml', files.path"
)
_BOUND: Final = text(
    'SELECT files.path, refs.line, refs."column" FROM refs JOIN files ON files.id = refs.file_id '
    "WHERE files.path IN (SELECT value FROM json_each(:paths)) AND refs.to_symbol IS NOT NULL"
)


def named_in_other_texts(reader: IndexReader, symbols: Iterable[UnusedSymbol]) -> set[int]:
    """Those of the declarations, by row, whose name is a word in a file of another language: a page of XAML, a configuration file, a
    script. Of a name of several words, such as ``content-type``, all occur in one file."""
    asked: dict[tuple[str, str], list[int]] = {}
    for each in symbols:
        if each.kind not in _SYMBOLIC and (match := _match_of(each.name)):
            asked.setdefault((match, each.language), []).append(each.row)
    rows = list(asked.values())
    numbered = [(number, match, language) for number, (match, language) in enumerate(asked)]
    found: set[int] = set()
    with reader.streaming() as connection:
        for chunk in portions(numbered):
            for number in connection.execute(_IN_OTHER_TEXT, {"asked": json.dumps(chunk)}).scalars():
                found.update(rows[number])
    return found


def other_texts_naming(reader: IndexReader, symbol: SymbolRow) -> list[str]:
    """Paths of the files of other languages in which the name of a declaration is a word; files that hold data alone come last."""
    words = "" if symbol.kind in _NAMELESS else _match_of(symbol.name)
    if not words:
        return []
    with reader.streaming() as connection:
        return [*connection.execute(_OTHER_TEXTS, {"words": words, "declared_in": symbol.file_path}).scalars()]


def unbound_code_naming(reader: IndexReader, name: str) -> list[str]:
    """Paths of the files of XAML, of Web Forms and of other languages of .NET in which a name is a word; sorted."""
    with reader.streaming() as connection:
        return [*connection.execute(_UNBOUND_CODE, {"words": _match_of(name)}).scalars()]


def bound_places(reader: IndexReader, paths: Iterable[str]) -> dict[str, set[tuple[int, int]]]:
    """Where resolved references stand in files: 1-based lines, and 1-based columns in UTF-16 units."""
    found: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    with reader.streaming() as connection:
        for path, line, column in connection.execute(_BOUND, {"paths": json.dumps([*paths])}):
            found[path].add((line, column))
    return found


def named_in_strings(reader: IndexReader, symbols: Iterable[UnusedSymbol]) -> set[int]:
    """Those of the declarations, by row, that a string in their file names as reflection and debuggers do: alone, at the end of a
    qualified name, or in braces."""
    by_file: defaultdict[str, list[UnusedSymbol]] = defaultdict(list)
    for each in symbols:
        if each.kind not in _NAMELESS:
            by_file[each.file_path].append(each)
    found: set[int] = set()
    for portion in portions(sorted(by_file)):
        for path, source in reader.file_texts(portion).items():
            spelt = {
                word for string in _STRING.finditer(source) for word in _words_meant(string[string.lastindex or 0])
            }
            found.update(each.row for each in by_file[path] if each.name in spelt)
    return found


def _words_meant(string: str) -> Iterator[str]:
    """The names that a string may be there to name."""
    qualified = _QUALIFIED_NAME.fullmatch(string)
    if qualified:
        yield qualified[1]
    for braces in _BRACES.findall(string):
        yield from _WORD.findall(braces)


def _match_of(name: str) -> str:
    """The files that have all words of a name, as an expression of FTS5; the index knows no order of words."""
    return " AND ".join(f'"{word}"' for word in _WORD.findall(name))
