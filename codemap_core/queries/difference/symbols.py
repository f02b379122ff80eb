"""What changed about symbols, told once: members that only follow their type are counted with it, not listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from codemap_core.model import Project, SymbolRow
from codemap_core.model.documentation_id import type_id
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.difference.pairing import Pair, Pairing
from codemap_core.queries.difference.public_api import PublicApi
from codemap_core.queries.difference.views import Break, ChangeType, SymbolChange
from codemap_core.storage.reading.reader import IndexReader

_WORD: Final = re.compile(r"\w+")


class Judge(Protocol):
    """Knows the rules of compatibility of a language."""

    def breaks(self, old: SymbolRow | None, new: SymbolRow | None) -> tuple[Break, ...]:
        """What a change of the public API breaks. ``old`` is null for what was added, ``new`` for what was removed; of a pair that is
        equal in itself, neighbours may have changed."""
        ...

    def breaks_of_project(self, old: Project, new: Project) -> tuple[Break, ...]:
        """What a change of a project breaks for who uses its package."""
        ...


class Sides:
    """Both indexes and what is known of their symbols."""

    def __init__(self, old: IndexReader, new: IndexReader, pairing: Pairing) -> None:
        self.old: Final = old
        self.new: Final = new
        self.pairing: Final = pairing
        self.old_api: Final = PublicApi(old)
        self.new_api: Final = PublicApi(new)
        self._old_names: Final = {new: old for old, new in pairing.type_names.items()}
        self._old_projects: Final = {new: old for old, new in pairing.projects.items()}
        self._simple_names: Final = _simple_names(pairing.type_names)

    @property
    def has_renamed_types(self) -> bool:
        return bool(self._simple_names)

    def renamed(self, text: str) -> str:
        """Text of the older index with the simple names of types that were renamed as they are now."""
        if not self._simple_names:
            return text
        return _WORD.sub(lambda word: self._simple_names.get(word[0], word[0]), text)

    def older_type(self, new_id: str, project: str) -> SymbolRow | None:
        """What a type of the newer index was in the older one."""
        name = new_id[2:]
        return self.old_api.type_row(type_id(self._old_names.get(name, name)), self._old_projects.get(project, project))

    def newer_container(self, old: SymbolRow) -> SymbolRow | None:
        """What the type around a symbol of the older index is in the newer one."""
        if old.container_id is None:
            return None
        return self.new_api.type_row(self.pairing.translated(old.container_id), self.pairing.project(old.project))

    def older_container(self, new: SymbolRow) -> SymbolRow | None:
        """What the type around a symbol of the newer index was in the older one."""
        return None if new.container_id is None else self.older_type(new.container_id, new.project)


TypeKey = tuple[str, str]
"""The id of a type and the path of a project that declares it."""


def symbol_changes(sides: Sides, judge: Judge | None, based_otherwise: Iterable[TypeKey]) -> list[SymbolChange]:
    """Breaking ones first, then the public API, other production code, tests; by file and line. ``based_otherwise``: types of the newer
    index whose base lists changed."""
    return _Changes(sides, judge).all(based_otherwise)


class _Changes:
    def __init__(self, sides: Sides, judge: Judge | None) -> None:
        self._sides: Final = sides
        self._judge: Final = judge
        pairing = sides.pairing
        self._test_projects: Final = frozenset(
            (*sides.old.edges.test_projects.values(), *sides.new.edges.test_projects.values())
        )
        self._gone: Final = frozenset(map(_type_key, pairing.removed))
        self._came: Final = frozenset(map(_type_key, pairing.added))
        self._followers: Final = self._count_followers()

    def all(self, based_otherwise: Iterable[TypeKey]) -> list[SymbolChange]:
        pairing = self._sides.pairing
        pairs = list(pairing.pairs)
        known = {_type_key(pair.new) for pair in pairs}
        for symbol_id, project in sorted({*based_otherwise, *self._touched_types()} - known):
            old, new = self._sides.older_type(symbol_id, project), self._sides.new_api.type_row(symbol_id, project)
            if old is not None and new is not None and pairing.project(old.project) == new.project == project:
                pairs.append(Pair(old, new))
        changes = [change for pair in pairs if (change := self._of_pair(pair)) is not None]
        changes += [self._removed(row) for row in _outermost(pairing.removed, self._gone)]
        changes += [self._added(row) for row in _outermost(pairing.added, self._came)]
        return sorted(changes, key=lambda each: (each.rank, each.file_path, each.line, each.symbol_id))

    def _touched_types(self) -> set[TypeKey]:
        """Types of the newer index that have other members than before."""
        pairing = self._sides.pairing
        added = {(row.container_id, row.project) for row in pairing.added if row.container_id is not None}
        removed = {
            (pairing.translated(row.container_id), pairing.project(row.project))
            for row in pairing.removed
            if row.container_id is not None
        }
        return (added | removed) - self._came

    def _count_followers(self) -> Counter[TypeKey]:
        """By type, members that were added, removed, renamed or moved with it."""
        counts: Counter[TypeKey] = Counter()
        pairing = self._sides.pairing
        for rows in (pairing.removed, pairing.added):
            containers = {_type_key(row): _container_key(row) for row in rows}
            for row in rows:
                container = _container_key(row)
                while container in containers:
                    counts[container] += 1
                    container = containers[container]
        counts.update(_container_key(pair.new) for pair in pairing.pairs if pair.old.symbol_id != pair.new.symbol_id)
        return counts

    def _removed(self, row: SymbolRow) -> SymbolChange:
        is_api = self._sides.old_api.contains(row)
        return SymbolChange(
            change_type=ChangeType.REMOVED,
            kind=row.kind,
            from_symbol_id=row.symbol_id,
            stable_id=row.stable_id,
            signature=row.signature,
            file_path=row.file_path,
            line=row.name_line,
            public_api=is_api,
            test=row.project in self._test_projects,
            breaks=self._judge.breaks(row, None) if self._judge is not None and is_api else (),
            followers=self._followers[_type_key(row)],
        )

    def _added(self, row: SymbolRow) -> SymbolChange:
        judged = self._judge is not None and row.project not in self._test_projects
        return SymbolChange(
            change_type=ChangeType.ADDED,
            kind=row.kind,
            to_symbol_id=row.symbol_id,
            stable_id=row.stable_id,
            signature=row.signature,
            file_path=row.file_path,
            line=row.name_line,
            public_api=self._sides.new_api.contains(row),
            test=row.project in self._test_projects,
            breaks=self._judge.breaks(None, row) if self._judge is not None and judged else (),
            followers=self._followers[_type_key(row)],
        )

    def _of_pair(self, pair: Pair) -> SymbolChange | None:
        """Null for one that nothing happened to but what happened to its type, or to the lines above it."""
        old, new = pair.old, pair.new
        was_api = self._sides.old_api.contains(old)
        breaks = self._judge.breaks(old, new) if self._judge is not None and was_api else ()
        happened = self._happened(pair)
        if not happened and not breaks:
            return None
        is_moved = old.file_path != new.file_path and ChangeType.MOVED in happened
        return SymbolChange(
            change_type=happened[0] if happened else ChangeType.MODIFIED,
            also=tuple(happened[1:]),
            kind=new.kind,
            from_symbol_id=old.symbol_id,
            to_symbol_id=new.symbol_id,
            stable_id=new.stable_id,
            signature=new.signature,
            from_signature=old.signature if old.signature != new.signature else None,
            visibility=new.visibility.value if old.visibility is not new.visibility else "",
            from_visibility=old.visibility.value if old.visibility is not new.visibility else "",
            file_path=new.file_path,
            from_file_path=old.file_path if is_moved else None,
            line=new.name_line,
            public_api=was_api or self._sides.new_api.contains(new),
            test=new.project in self._test_projects,
            breaks=breaks,
            followers=self._followers[_type_key(new)] if old.symbol_id != new.symbol_id else 0,
            confidence=pair.confidence,
        )

    def _happened(self, pair: Pair) -> list[ChangeType]:
        """In order of weight."""
        old, new = pair.old, pair.new
        container = self._sides.pairing.translated(old.container_id) if old.container_id is not None else None
        follows = self._sides.pairing.translated(old.symbol_id) == new.symbol_id and not old.is_type
        is_renamed = old.name != new.name and not follows
        is_moved = container != new.container_id or (old.container_id is None and old.namespace != new.namespace)
        if old.is_type and old.container_id is None:
            is_moved |= (old.file_path, old.project) != (new.file_path, new.project)
        happened = [
            (ChangeType.RENAMED, is_renamed),
            (ChangeType.MOVED, is_moved),
            (ChangeType.SIGNATURE_CHANGED, self._is_declared_otherwise(old, new, is_renamed)),
            (ChangeType.VISIBILITY_CHANGED, old.visibility is not new.visibility),
        ]
        found = [change for change, is_so in happened if is_so]
        if not found and not old.is_type and old.content_hash != new.content_hash:
            return [ChangeType.MODIFIED] if self._text_differs(old, new) else []
        return found

    def _is_declared_otherwise(self, old: SymbolRow, new: SymbolRow, is_renamed: bool) -> bool:
        if old.kind is not new.kind:
            return True
        before, after = self._sides.renamed(old.signature), new.signature
        if is_renamed:
            before = re.sub(rf"\b{re.escape(old.name)}\b", new.name, before)
        if old.visibility is not new.visibility:
            before, after = (
                text.removeprefix(f"{each.visibility.value} ") for text, each in ((before, old), (after, new))
            )
        return before != after

    def _text_differs(self, old: SymbolRow, new: SymbolRow) -> bool:
        """Whether the text of a member differs by more than names of types that were renamed."""
        if not self._sides.has_renamed_types:
            return True
        texts = [_declared(reader, row) for reader, row in ((self._sides.old, old), (self._sides.new, new))]
        return self._sides.renamed(texts[0]) != texts[1]


def _simple_names(type_names: Mapping[str, str]) -> dict[str, str]:
    """Of types that have another simple name now."""
    pairs = ((_simple(old), _simple(new)) for old, new in type_names.items())
    return {old: new for old, new in pairs if old != new}


def _simple(name: str) -> str:
    return name.rpartition(".")[2].partition("`")[0]


def _outermost(rows: Sequence[SymbolRow], left: frozenset[TypeKey]) -> list[SymbolRow]:
    """Those that do not stand in another one of them."""
    return [row for row in rows if _container_key(row) not in left]


def _type_key(row: SymbolRow) -> TypeKey:
    return row.symbol_id, row.project


def _container_key(row: SymbolRow) -> TypeKey:
    return row.container_id or "", row.project


def _declared(reader: IndexReader, row: SymbolRow) -> str:
    """A declaration's text, white space folded."""
    lines = split_lines(reader.file_text(row.file_path) or "")
    return " ".join(" ".join(lines[row.span_start - 1 : row.span_end]).split())
