"""What symbols are made of, as weighted features: the words of their names, what they call, create, read and mention, what they derive
from or fill, and the shape of their bodies. Two symbols are alike where they share features that few others have.

A feature is a number in a vocabulary; its meaning is the text that made it. Rows are those of ``bulk_rows.declared``, in their order.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from codemap_core.model import RefKind
from codemap_core.model.documentation_id import TYPE_PREFIX
from codemap_core.storage.reading import bulk_rows
from codemap_core.storage.reading.bulk_rows import Declared
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema.codes import REF_KIND_CODES
from codemap_core.storage.schema.fulltext import name_words

_TYPE_WORD: Final = 1.0
_MEMBER_WORD: Final = 0.5
"""What a member is called says less of what it does than what it mentions."""
_LAST_WORD: Final = 1.5
"""The last word of a type's name says its role: ``Controller``."""
_AROUND: Final = 0.1
_TARGET: Final = 1.0
_TARGET_WORD: Final = 0.4
_SLOT: Final = 2.5
"""A member that is overridden or implemented, and a base of a type."""
_SHAPE: Final = 0.5
_BODY: Final = 1.0
_OF_MEMBERS: Final = 0.5
_MEMBER_NAME: Final = 1.0
_SLOTS: Final = frozenset({REF_KIND_CODES[RefKind.OVERRIDE], REF_KIND_CODES[RefKind.IMPLEMENTATION]})
_UNUSED: Final = frozenset({REF_KIND_CODES[RefKind.CREF], REF_KIND_CODES[RefKind.IMPORT]})
_LANGUAGES: Final = ("csharp", "typescript")
"""Those whose keywords are counted."""
_KEYWORDS: Final = re.compile(
    r"\b(?:if|else|for|foreach|while|do|switch|case|return|throw|try|catch|finally|using|lock|await|yield|is|as|new|null|typeof|nameof)\b"
    r"|=>|\?\?|&&|\|\||\+\+|[!=]="
)
_CHECKED: Final = 50_000
"""Mentions after which is asked whether to go on."""


Hashes = NDArray[np.uint64]


class Features(Struct, frozen=True):
    """``rows``, ``features`` and ``weights`` are parallel: how much a row has of a feature; no pair twice. ``hashes``: of each feature
    64 bits that depend on its meaning alone."""

    rows: NDArray[np.int32]
    features: NDArray[np.int32]
    weights: NDArray[np.float32]
    hashes: Hashes


class _Vocabulary:
    """Numbers for the meanings of features."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, meaning: str) -> int:
        return self.numbers.setdefault(meaning, len(self.numbers))

    def hashes(self) -> Hashes:
        digests = b"".join(hashlib.blake2b(meaning.encode(), digest_size=8).digest() for meaning in self.numbers)
        return np.frombuffer(digests, dtype="<u8")


def features_of(
    reader: IndexReader, symbols: list[Declared], check: Callable[[], None] = lambda: None, *, is_part: bool = False
) -> Features:
    """The features of ``symbols``: all of an index, or a part of them. Those of a type are whole where all its members are among them.
    ``check`` is called now and then, and raises to stop."""
    numbers = [symbol.number for symbol in symbols] if is_part else None
    vocabulary = _Vocabulary()
    pairs = _Pairs()
    rows = {symbol.number: row for row, symbol in enumerate(symbols)}
    for row, symbol in enumerate(symbols):
        for meaning, weight in _of_declaration(symbol):
            pairs.add(row, vocabulary.of(meaning), weight)
    _add_members(symbols, rows, vocabulary, pairs)
    check()
    mentions: Iterable[tuple[int, int, int]] = bulk_rows.mentions(reader, numbers)
    bases = bulk_rows.base_types(reader, numbers)
    mentioned = None
    if is_part:
        mentions = list(mentions)
        mentioned = {target for _, target, _ in mentions}.union(base for _, base in bases)
    names = bulk_rows.ids(reader, mentioned)
    _add_mentions(mentions, symbols, rows, names, vocabulary, pairs, check)
    for number, base in bases:
        if number in rows:
            pairs.add(rows[number], vocabulary.of(f"base {names[base]}"), _SLOT)
    check()
    places: dict[int, list[tuple[int, int, int]]] = {}
    for row, symbol in enumerate(symbols):
        places.setdefault(symbol.file_id, []).append((symbol.first_line, symbol.last_line, row))
    for language in _LANGUAGES:
        for file_id, text in bulk_rows.texts(reader, language, places if is_part else None):
            for row, feature, weight in _shapes(text, places.get(file_id, []), vocabulary):
                pairs.add(row, feature, weight)
            check()
    return pairs.merged(vocabulary.hashes())


def _of_declaration(symbol: Declared) -> Iterator[tuple[str, float]]:
    words = name_words(symbol.name)
    is_type = symbol.prefix == TYPE_PREFIX
    for word in words:
        yield f"word {word}", _TYPE_WORD if is_type else _MEMBER_WORD
    if is_type and words:
        yield f"role {words[-1]}", _LAST_WORD
    yield f"kind {symbol.kind}", _SHAPE
    yield f"in {symbol.namespace.rpartition('.')[2].lower()}", _AROUND
    yield f"lines {(symbol.last_line - symbol.first_line + 1).bit_length()}", _SHAPE


def _add_members(symbols: list[Declared], rows: dict[int, int], vocabulary: _Vocabulary, pairs: _Pairs) -> None:
    """A type has the names and kinds of its members; a member has the words of its type."""
    for row, symbol in enumerate(symbols):
        around = rows.get(symbol.container) if symbol.container is not None else None
        if around is None:
            continue
        pairs.add(around, vocabulary.of(f"member {symbol.name.lower()}"), _MEMBER_NAME)
        pairs.add(around, vocabulary.of(f"has {symbol.kind}"), _SHAPE)
        for word in name_words(symbols[around].name):
            pairs.add(row, vocabulary.of(f"around {word}"), _AROUND)


def _add_mentions(
    mentions: Iterable[tuple[int, int, int]],
    symbols: list[Declared],
    rows: dict[int, int],
    names: dict[int, str],
    vocabulary: _Vocabulary,
    pairs: _Pairs,
    check: Callable[[], None],
) -> None:
    """A member has what it mentions, and its type has that too."""
    containers = np.array(
        [rows.get(symbol.container, -1) if symbol.container is not None else -1 for symbol in symbols], dtype=np.int32
    )
    told = _Told()
    keys: dict[tuple[int, bool], int] = {}
    mentioning, mentioned = array("i"), array("i")
    for count, (source, target, kind) in enumerate(mentions):
        row = rows.get(source)
        if row is None or kind in _UNUSED:
            continue
        key = (target, kind in _SLOTS)
        number = keys.get(key)
        if number is None:
            number = keys[key] = len(keys)
            told.add(_of_target(names[target], kind in _SLOTS, vocabulary))
        mentioning.append(row)
        mentioned.append(number)
        if count % _CHECKED == 0:
            check()
    if not mentioned:
        return
    # what is mentioned often by one is expanded once, with its count
    members = np.frombuffer(mentioning, dtype=np.int32).astype(np.int64)
    around = containers[members]
    inside = around >= 0
    targets = np.frombuffer(mentioned, dtype=np.int32)
    pairs.add_many(*told.expanded(members, targets, len(keys), 1.0))
    pairs.add_many(*told.expanded(around[inside].astype(np.int64), targets[inside], len(keys), _OF_MEMBERS))


class _Told:
    """The features of what is mentioned, by its number."""

    def __init__(self) -> None:
        self._ends = array("i", [0])
        self._features = array("i")
        self._weights = array("f")

    def add(self, features: Iterable[tuple[int, float]]) -> None:
        for feature, weight in features:
            self._features.append(feature)
            self._weights.append(weight)
        self._ends.append(len(self._features))

    def expanded(
        self, members: NDArray[np.int64], targets: NDArray[np.int32], count: int, share: float
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """Rows, features and weights for rows that mention ``targets``, of which there are ``count`` different ones."""
        said, times = np.unique(members * count + targets, return_counts=True)
        numbers = said % count
        ends = np.frombuffer(self._ends, dtype=np.int32)
        lengths = ends[numbers + 1] - ends[numbers]
        first = np.repeat(ends[numbers] - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        at = first + np.arange(int(lengths.sum()))
        weights = np.frombuffer(self._weights, dtype=np.float32)[at] * np.repeat(times, lengths) * share
        rows = np.repeat(said // count, lengths).astype(np.int32)
        return rows, np.frombuffer(self._features, dtype=np.int32)[at], weights.astype(np.float32)


def _of_target(symbol_id: str, is_slot: bool, vocabulary: _Vocabulary) -> Iterator[tuple[int, float]]:
    yield vocabulary.of(f"{'fills' if is_slot else 'mentions'} {symbol_id}"), _SLOT if is_slot else _TARGET
    bare = symbol_id.partition("(")[0].partition("`")[0]
    for word in name_words(bare.rpartition(".")[2]):
        yield vocabulary.of(f"mentions word {word}"), _TARGET_WORD


def _shapes(text: str, places: list[tuple[int, int, int]], vocabulary: _Vocabulary) -> Iterator[tuple[int, int, float]]:
    """(row, feature, weight) for the keywords and operators in the bodies of a file, each by the magnitude of its number. ``places``: first
    line, last line and row of each symbol of the file."""
    lines = text.split("\n")
    owners = [-1] * (len(lines) + 2)
    for first, last, row in sorted(places, key=lambda place: (place[0], -place[1])):
        owners[first : last + 1] = [row] * (min(last + 1, len(owners)) - first)
    found: Counter[tuple[int, str]] = Counter()
    for owner, line in zip(owners[1:], lines, strict=False):
        if owner >= 0:
            found.update((owner, keyword) for keyword in _KEYWORDS.findall(line))
    for (row, keyword), count in found.items():
        yield row, vocabulary.of(f"shape {keyword} {count.bit_length()}"), _BODY


class _Pairs:
    """Collects (row, feature, weight)."""

    def __init__(self) -> None:
        self._rows = array("i")
        self._features = array("i")
        self._weights = array("f")

    def add(self, row: int, feature: int, weight: float) -> None:
        self._rows.append(row)
        self._features.append(feature)
        self._weights.append(weight)

    def add_many(self, rows: NDArray[np.int32], features: NDArray[np.int32], weights: NDArray[np.float32]) -> None:
        self._rows.frombytes(rows.tobytes())
        self._features.frombytes(features.tobytes())
        self._weights.frombytes(weights.tobytes())

    def merged(self, hashes: Hashes) -> Features:
        """Each pair once. What is said again counts less each time."""
        rows = np.frombuffer(self._rows, dtype=np.int32).astype(np.int64)
        keys = rows * len(hashes) + np.frombuffer(self._features, dtype=np.int32)
        pairs, at = np.unique(keys, return_inverse=True)
        weights = np.bincount(at, weights=np.frombuffer(self._weights, dtype=np.float32))
        return Features(
            rows=(pairs // len(hashes)).astype(np.int32),
            features=(pairs % len(hashes)).astype(np.int32),
            weights=np.log1p(weights).astype(np.float32),
            hashes=hashes,
        )
