"""Types and files that code takes as a whole, by reflection or as the value of an import, so that it may use whatever is in them.

Invariant: what is written says how something is taken, and a reference of that name in the same file what it is.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from sqlalchemy import text

from codemap_core.model import RefKind
from codemap_core.model.meanings import WholeUse
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema.codes import REF_KIND_CODES

_WRITTEN_IN: Final = text(
    "SELECT files.path FROM files_fts CROSS JOIN files ON files.id = files_fts.rowid "
    "WHERE files_fts MATCH :words AND EXISTS (SELECT 1 FROM refs WHERE refs.file_id = files.id)"
)
_NAMED_IN: Final = text(
    "SELECT DISTINCT used_in.path, strings.value, symbols.symbol, declared_in.path FROM files AS used_in "
    "JOIN refs ON refs.file_id = used_in.id JOIN strings ON strings.id = refs.to_name "
    "JOIN symbols ON symbols.symbol = refs.to_symbol JOIN files AS declared_in ON declared_in.id = symbols.file_id "
    "WHERE used_in.path IN (SELECT value FROM json_each(:paths)) "
    f"AND refs.kind IN ({REF_KIND_CODES[RefKind.TYPE]}, {REF_KIND_CODES[RefKind.IMPORT]})"
)
_IMPORTED_BY: Final = text(
    "SELECT DISTINCT refs.to_symbol FROM files JOIN refs ON refs.file_id = files.id "
    "WHERE files.path IN (SELECT value FROM json_each(:paths)) "
    f"AND refs.kind = {REF_KIND_CODES[RefKind.IMPORT]} AND refs.to_symbol IS NOT NULL"
)


class TakenWhole(Struct, frozen=True):
    """A type, or the symbol of a file, that is taken as a whole. ``symbol``: its number; ``file_path``: where it is declared."""

    symbol: int
    file_path: str
    only: str
    """The name of the only member that is used; empty where any may be."""


def taken_whole(reader: IndexReader, uses: Iterable[WholeUse]) -> set[TakenWhole]:
    """What such code takes anywhere in an index."""
    written: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for use in uses:
        pattern = re.compile(use.pattern)
        for path, source in _texts_with(reader, use.words).items():
            for match in pattern.finditer(source):
                name, only, *_ = (*match.groups(default=""), "")
                written[path].add((name, only))
    return _resolved(reader, written)


def imported_by(reader: IndexReader, paths: Iterable[str]) -> set[int]:
    """Numbers of the symbols that files import, also to export them again."""
    with reader.streaming() as connection:
        return {*connection.execute(_IMPORTED_BY, {"paths": json.dumps([*paths])}).scalars()}


def _texts_with(reader: IndexReader, words: Iterable[str]) -> dict[str, str]:
    """The texts of files that have one of the words, and references."""
    asked = " OR ".join(f'"{word}"' for word in words)
    with reader.streaming() as connection:
        paths = [*connection.execute(_WRITTEN_IN, {"words": asked}).scalars()]
    return reader.file_texts(paths)


def _resolved(reader: IndexReader, written: Mapping[str, set[tuple[str, str]]]) -> set[TakenWhole]:
    found: set[TakenWhole] = set()
    if written:
        with reader.streaming() as connection:
            for used_in, name, symbol, declared_in in connection.execute(_NAMED_IN, {"paths": json.dumps([*written])}):
                found.update(TakenWhole(symbol, declared_in, only) for of, only in written[used_in] if of == name)
    return found
