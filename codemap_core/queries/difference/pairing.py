"""Which symbol of an older index is which symbol of a newer one.

Tried in this order, each on what the steps before left: the same id; types by stable id, by name, and by the names of their members; ids
that differ only in types which the step before paired; members of one type that share a name; stable ids; equal text except for the name;
the same member in another type. Invariants: a symbol is in one pair at most; what several projects compile from one file is one symbol, and
what they declare in several files under one id are several.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from rapidfuzz import fuzz

from codemap_core.model import Confidence, SymbolKind, SymbolRow
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.difference.grouping import grouped
from codemap_core.storage.reading.reader import IndexReader

_SHARED_MEMBERS: Final = 0.6
"""Share of member names that two types of different names have in common if one became the other."""
_LEAST_MEMBERS: Final = 3
_SHARED_TEXT: Final = 90.0
"""Similarity, of 100, of two members of different names of which one became the other."""
_LEAST_TEXT: Final = 60
"""Characters of a declaration whose text says that much."""
_LEAST_EQUAL_TEXT: Final = 20
"""Characters of a declaration that say as much where the texts are equal, and no others are."""
_SHARED_SIGNATURE: Final = 50.0
_LEAST_SHARED: Final = 0.3
"""Share of member names that two types have in common, if something else says that one became the other."""
_LEAST_ALIKE: Final = 50.0
"""The same of the text of two members, or of two types without members."""
_TYPE_NAME: Final = re.compile(r"[A-Za-z_]\w*(?:`\d+)?(?:\.[A-Za-z_]\w*(?:`\d+)?)*")
_ARITY: Final = re.compile(r"`\d+")

Key = tuple[str, str]
"""The id and the file of a symbol."""
Rows = dict[Key, SymbolRow]


class Pair(Struct, frozen=True):
    """One symbol in both indexes. ``confidence``: of its being one; below high where the names differ and only the text is alike."""

    old: SymbolRow
    new: SymbolRow
    confidence: Confidence = Confidence.HIGH


class Pairing(Struct, frozen=True):
    """``pairs``: those with a row that differs. ``type_names``: of types that were renamed or moved, by the old name as ids spell it.
    ``projects``: new paths of those that were moved, by the old ones."""

    pairs: tuple[Pair, ...]
    removed: tuple[SymbolRow, ...]
    added: tuple[SymbolRow, ...]
    type_names: Mapping[str, str]
    projects: Mapping[str, str]

    def project(self, path: str) -> str:
        """Where a project of the older index is in the newer one."""
        return self.projects.get(path, path)

    def translated(self, symbol_id: str) -> str:
        """An id of the older index with the types in it named as in the newer one."""
        return _translated(symbol_id, self.type_names)

    def followed(self) -> Callable[[str], str]:
        """As ``translated``, and of symbols that have another id themselves: one whose parameters or name changed is still the same."""
        known: dict[str, set[str]] = {}
        for pair in self.pairs:
            known.setdefault(pair.old.symbol_id, set()).add(pair.new.symbol_id)
        one = {old: new.pop() for old, new in known.items() if len(new) == 1}
        return lambda symbol_id: one.get(symbol_id) or self.translated(symbol_id)


def pair_symbols(
    old: IndexReader,
    new: IndexReader,
    removed: Sequence[SymbolRow],
    added: Sequence[SymbolRow],
    projects: Mapping[str, str],
) -> Pairing:
    """``removed``, ``added``: the rows that only one of the indexes has. ``projects``: as ``Pairing.projects``."""
    return _Pairs(old, new, removed, added, projects).paired()


class _Pairs:
    def __init__(
        self,
        old: IndexReader,
        new: IndexReader,
        removed: Sequence[SymbolRow],
        added: Sequence[SymbolRow],
        projects: Mapping[str, str],
    ) -> None:
        self._old: Final = old
        self._new: Final = new
        self._projects: Final = projects
        self._pairs: list[Pair] = []
        self._gone: Final[Rows] = {}
        self._came: Final[Rows] = {}
        self._same_ids({row.symbol_id for row in (*removed, *added)}, frozenset(removed), frozenset(added))
        self._names: Final[dict[str, str]] = {}
        self._lines: Final[dict[tuple[IndexReader, str], list[str]]] = {}
        self._texts: Final[dict[tuple[IndexReader, str, str], str]] = {}

    def paired(self) -> Pairing:
        self._types()
        self._same_but_for_types()
        self._one_to_one(self._overload_key, self._overload_key, self._alike_in_signature, lone=True)
        self._by(lambda row: None if row.is_type else row.stable_id, self._not_unlike)
        self._by(self._text_key, confidence=Confidence.MEDIUM)
        self._one_to_one(self._shape_key, self._shape_key, self._alike_in_text, confidence=Confidence.MEDIUM)
        self._by(lambda row: None if row.is_type else (row.kind, row.name, row.signature, row.content_hash))
        return Pairing(
            tuple(sorted(self._pairs, key=lambda pair: (pair.new.symbol_id, pair.old.symbol_id))),
            tuple(self._gone[each] for each in sorted(self._gone)),
            tuple(self._came[each] for each in sorted(self._came)),
            dict(self._names),
            self._projects,
        )

    def _same_ids(self, symbol_ids: set[str], removed: frozenset[SymbolRow], added: frozenset[SymbolRow]) -> None:
        """Pairs what has its id in both indexes: in the same project, in the same file, or as the only one left. What is left over is
        gone or came, unless another project compiles the same file in both."""
        before, after = _by_id(self._old.declarations(symbol_ids)), _by_id(self._new.declarations(symbol_ids))
        for symbol_id in sorted(symbol_ids):
            lefts, rights = before.get(symbol_id, []), after.get(symbol_id, [])
            pairs = _matched(lefts, rights, self._projects)
            told: dict[tuple[str, int, str, int], tuple[SymbolRow, SymbolRow]] = {}
            for left, right in pairs:
                if left in removed or right in added:
                    told.setdefault((left.file_path, left.span_start, right.file_path, right.span_start), (left, right))
            self._pairs += [Pair(left, right) for left, right in told.values()]
            paired_lefts, paired_rights = {left for left, _ in pairs}, {right for _, right in pairs}
            files = {row.file_path for row in paired_lefts | paired_rights}
            for rows, paired, into in ((lefts, paired_lefts, self._gone), (rights, paired_rights, self._came)):
                for row in rows:
                    if row not in paired and row.file_path not in files:
                        into.setdefault(_key(row), row)

    def _types(self) -> None:
        """Pairs types, containers first, so that nested ones follow theirs."""
        before, after = _member_names(self._gone.values()), _member_names(self._came.values())

        def shared(gone: SymbolRow, came: SymbolRow) -> float:
            left, right = before.get(_named(gone), set()), after.get(_named(came), set())
            return len(left & right) / len(left | right) if left and right else 0.0

        def plausible(gone: SymbolRow, came: SymbolRow) -> bool:
            if _named(gone) in before or _named(came) in after:
                return shared(gone, came) >= _LEAST_SHARED
            return self._not_unlike(gone, came)

        def alike(gone: SymbolRow, came: SymbolRow) -> float:
            likeness = shared(gone, came)
            enough = len(before.get(_named(gone), ())) >= _LEAST_MEMBERS and likeness >= _SHARED_MEMBERS
            return likeness if enough else 0.0

        self._by(lambda row: (row.kind, row.stable_id) if row.is_type else None, plausible)
        self._by(lambda row: (row.name, _arity(row), self._project(row)) if row.is_type else None, plausible)
        self._by(lambda row: (row.name, _arity(row)) if row.is_type else None, plausible)

        def key(row: SymbolRow) -> Hashable:
            return (row.kind, self._project(row)) if row.is_type else None

        self._one_to_one(key, key, alike, confidence=Confidence.MEDIUM)

    def _same_but_for_types(self) -> None:
        if not self._names:
            return
        came = grouped(self._came.values(), lambda row: (row.symbol_id, row.project))
        for left in sorted(self._gone.values(), key=_key):
            renamed = _translated(left.symbol_id, self._names)
            found = came.get((renamed, self._project(left))) if renamed != left.symbol_id else None
            if found and _key(found[0]) in self._came:
                self._pair(left, found[0])

    def _by(
        self,
        key: Callable[[SymbolRow], Hashable],
        plausible: Callable[[SymbolRow, SymbolRow], bool] = lambda _, __: True,
        confidence: Confidence = Confidence.HIGH,
    ) -> None:
        """Pairs what alone has a key on its side with what alone has it on the other, where that is plausible."""
        gone, came = _alone(self._gone.values(), key), _alone(self._came.values(), key)
        for each in [each for each in gone if each in came]:
            if plausible(gone[each], came[each]):
                self._pair(gone[each], came[each], confidence)

    def _one_to_one(
        self,
        old_key: Callable[[SymbolRow], Hashable],
        new_key: Callable[[SymbolRow], Hashable],
        likeness: Callable[[SymbolRow, SymbolRow], float],
        *,
        lone: bool = False,
        confidence: Confidence = Confidence.HIGH,
    ) -> None:
        """Of what shares a key pairs those that are most alike, best first. ``lone``: what alone has its key on both sides is paired
        however little it is alike."""
        gone, came = grouped(self._gone.values(), old_key), grouped(self._came.values(), new_key)
        for key in [key for key in gone if key in came]:
            lefts, rights = gone[key], came[key]
            if lone and len(lefts) == len(rights) == 1:
                self._pair(lefts[0], rights[0], confidence)
                continue
            scored = [(likeness(left, right), left, right) for left in lefts for right in rights]
            scored.sort(key=lambda each: (-each[0], each[1].symbol_id, each[2].symbol_id))
            for score, left, right in scored:
                if score and _key(left) in self._gone and _key(right) in self._came:
                    self._pair(left, right, confidence)

    def _pair(self, left: SymbolRow, right: SymbolRow, confidence: Confidence = Confidence.HIGH) -> None:
        del self._gone[_key(left)], self._came[_key(right)]
        self._pairs.append(Pair(left, right, confidence))
        if left.is_type:
            old_name, new_name = left.symbol_id[2:], right.symbol_id[2:]
            self._names[old_name] = new_name
            self._names.setdefault(_ARITY.sub("", old_name), _ARITY.sub("", new_name))

    def _overload_key(self, row: SymbolRow) -> Hashable:
        return None if row.is_type else (self._container(row), self._project(row), row.name)

    def _shape_key(self, row: SymbolRow) -> Hashable:
        if row.is_type or row.kind is SymbolKind.CONSTANT:
            return None
        return self._container(row), self._project(row), row.kind, row.is_static

    def _text_key(self, row: SymbolRow) -> Hashable:
        """The text without the name, where it is more than a declaration of a field."""
        shape = self._shape_key(row)
        text = self._text(self._old if self._is_gone(row) else self._new, row) if shape is not None else ""
        return (shape, text) if len(text) >= _LEAST_EQUAL_TEXT else None

    def _container(self, row: SymbolRow) -> str:
        container = row.container_id or ""
        return _translated(container, self._names) if self._is_gone(row) else container

    def _project(self, row: SymbolRow) -> str:
        return self._projects.get(row.project, row.project) if self._is_gone(row) else row.project

    def _is_gone(self, row: SymbolRow) -> bool:
        return self._gone.get(_key(row)) is row

    def _alike_in_signature(self, left: SymbolRow, right: SymbolRow) -> float:
        likeness = fuzz.ratio(left.signature, right.signature)
        return likeness if likeness >= _SHARED_SIGNATURE else 0.0

    def _alike_in_text(self, left: SymbolRow, right: SymbolRow) -> float:
        texts = self._text(self._old, left), self._text(self._new, right)
        return fuzz.ratio(*texts, score_cutoff=_SHARED_TEXT) if min(map(len, texts)) >= _LEAST_TEXT else 0.0

    def _not_unlike(self, left: SymbolRow, right: SymbolRow) -> bool:
        """Whether the texts do not speak against the two being one."""
        texts = self._text(self._old, left), self._text(self._new, right)
        return max(map(len, texts)) < _LEAST_TEXT or fuzz.ratio(*texts) >= _LEAST_ALIKE

    def _text(self, reader: IndexReader, row: SymbolRow) -> str:
        """A declaration's text without its name, white space folded."""
        known = self._texts.get((reader, *_key(row)))
        if known is None:
            file = reader, row.file_path
            lines = self._lines.get(file)
            if lines is None:
                lines = self._lines[file] = split_lines(reader.file_text(row.file_path) or "")
            declared = " ".join(lines[row.span_start - 1 : row.span_end])
            known = self._texts[reader, *_key(row)] = " ".join(declared.replace(row.name, "").split())
        return known


def _key(row: SymbolRow) -> Key:
    return row.symbol_id, row.file_path


def _matched(
    lefts: Sequence[SymbolRow], rights: Sequence[SymbolRow], projects: Mapping[str, str]
) -> list[tuple[SymbolRow, SymbolRow]]:
    """Rows of one id in two indexes that are one symbol. ``projects``: as ``Pairing.projects``."""
    pairs: list[tuple[SymbolRow, SymbolRow]] = []
    left, right = list(lefts), list(rights)
    keys: tuple[Callable[[SymbolRow, str], Hashable], ...] = (
        lambda row, project: (project, row.condition, row.file_path),
        lambda row, project: (project, row.condition),
        lambda row, _: row.file_path,
    )
    for key in keys:
        by_key: dict[Hashable, list[SymbolRow]] = defaultdict(list)
        for row in right:
            by_key[key(row, row.project)].append(row)
        for row in list(left):
            if found := by_key.get(key(row, projects.get(row.project, row.project))):
                other = found.pop(0)
                left.remove(row)
                right.remove(other)
                pairs.append((row, other))
    if len(left) == len(right) == 1:
        pairs.append((left[0], right[0]))
    return pairs


def _by_id(rows: Iterable[SymbolRow]) -> dict[str, list[SymbolRow]]:
    grouped: dict[str, list[SymbolRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda each: (each.condition is not None, each.project, each.file_path)):
        grouped[row.symbol_id].append(row)
    return dict(grouped)


def _alone(rows: Iterable[SymbolRow], key: Callable[[SymbolRow], Hashable]) -> dict[Hashable, SymbolRow]:
    return {each: rows[0] for each, rows in grouped(rows, key).items() if len(rows) == 1}


def _named(row: SymbolRow) -> tuple[str, str]:
    """The id and the project of a type."""
    return row.symbol_id, row.project


def _member_names(rows: Iterable[SymbolRow]) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """By the id and the project of a type, the kinds and names of its members; constructors aside, which bear its own name."""
    names: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for row in rows:
        if row.container_id is not None and row.kind is not SymbolKind.CONSTRUCTOR:
            names[row.container_id, row.project].add((row.kind.value, row.name))
    return names


def _arity(row: SymbolRow) -> str:
    return row.symbol_id.rpartition("`")[2] if "`" in row.symbol_id.rpartition(".")[2] else ""


def _translated(symbol_id: str, names: Mapping[str, str]) -> str:
    if not names:
        return symbol_id
    return f"{symbol_id[:2]}{_TYPE_NAME.sub(lambda match: _renamed(match[0], names), symbol_id[2:])}"


def _renamed(name: str, names: Mapping[str, str]) -> str:
    """``name`` with its longest beginning that is a renamed type replaced."""
    end = len(name)
    while end > 0:
        known = names.get(name[:end])
        if known is not None:
            return known + name[end:]
        end = name.rfind(".", 0, end)
    return name
