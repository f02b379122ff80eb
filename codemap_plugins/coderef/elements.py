"""What of an index answers to a pattern: symbols, files, folders, projects, packages and namespaces, in one deterministic order.

A path without wildcards means the file it names, else the files that have it as their name without its extension and those below the folder
of that name; where only folders are asked for, the folder it names. An element may be written without what contains it: ``Submit`` is found
as ``Order.Submit``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from fnmatch import translate
from functools import lru_cache
from posixpath import commonpath, dirname
from typing import Final

from msgspec import Struct

from codemap_core.model import SymbolKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_conditions import AllOf, AnyOf, Condition, Modified, Not, OfKinds, Static
from codemap_core.storage.reading.symbol_scan import ScannedSymbol, SymbolScan
from codemap_plugins.coderef.designators import ABSENT, MEANINGS, Designator, Meaning, known_kinds
from codemap_plugins.coderef.naming import element_of, reference_to
from codemap_plugins.coderef.parsing import is_wild
from codemap_plugins.coderef.reference import Reference
from codemap_plugins.coderef.roles import condition_of

_SPECIAL: Final = re.compile(r"[\[*?]")


class Element(Struct, frozen=True):
    """A symbol, or what ``named`` refers to. ``file_path``: where its text is; empty where it has none of its own."""

    symbol: ScannedSymbol | None = None
    named: Reference | None = None
    file_path: str = ""

    @property
    def reference(self) -> Reference:
        """The canonical one; made when it is asked for, as most elements that are looked at are not shown."""
        if self.symbol is not None:
            return reference_to(self.symbol)
        assert self.named is not None
        return self.named

    @property
    def name(self) -> str | None:
        """The element of that reference."""
        return element_of(self.symbol) if self.symbol is not None else self.reference.element

    @property
    def span(self) -> tuple[int, int] | None:
        """The 1-based inclusive lines of its declaration; null for what is not a symbol."""
        return (self.symbol.span_start, self.symbol.span_end) if self.symbol is not None else None


class Wanted(Struct, frozen=True):
    """What is looked for. Empty: any. ``path_glob``: a further pattern of the path. ``condition``: what must hold of symbols; only elements
    of these answer to it. ``files``: the only ones that are looked at."""

    designators: tuple[Designator, ...] = ()
    path: str = "*"
    element: str | None = None
    line: int | None = None
    path_glob: str = ""
    first_line: int = 0
    last_line: int = 0
    condition: Condition | None = None
    files: frozenset[str] | None = None


class Found(Struct, frozen=True):
    """One page. ``total``: on all pages. ``elsewhere``: where nothing is on the line that was asked for, the first of what would answer
    without it."""

    elements: tuple[Element, ...]
    total: int
    elsewhere: Element | None = None


Keep = Callable[[Sequence[Element]], Iterable[Element]]
"""A further filter: those of some elements that pass, in their order."""


def find(
    snapshot: Snapshot,
    wanted: Wanted,
    keep: Keep | None = None,
    limit: int = -1,
    offset: int = 0,
    keep_others: Keep | None = None,
) -> Found:
    """The elements that answer to ``wanted`` and pass ``keep``, before which those that are not symbols pass ``keep_others``; ``limit`` -1
    for all."""
    return _Search(snapshot, wanted).page(keep, keep_others, limit, offset)


def are_symbols(designators: Collection[Designator]) -> bool:
    """Whether only symbols answer to designators; also where there are none of these."""
    return not any(each in _OTHERS for each in designators)


def element_of_symbol(symbol: ScannedSymbol) -> Element:
    return Element(symbol=symbol, file_path=symbol.file_path)


class _Search:
    def __init__(self, snapshot: Snapshot, wanted: Wanted) -> None:
        self._snapshot: Final = snapshot
        self._wanted: Final = wanted
        self._globs: Final = self._path_globs()

    def page(self, keep: Keep | None, keep_others: Keep | None, limit: int, offset: int) -> Found:
        wanted = self._wanted
        of_others = [each for each in wanted.designators if each in _OTHERS]
        others = self._other_elements(of_others) if of_others else []
        if keep_others is not None and wanted.line is None:  # of these, nothing is on a line
            others = list(keep_others(others))
        of_symbols = tuple(each for each in wanted.designators if each in MEANINGS)
        if wanted.designators and not of_symbols:
            return self._cut(others, keep, limit, offset)
        scan = self._scan(of_symbols)
        scans = self._snapshot.reader.scans
        if keep is None and self._is_decided_by_scan():
            shown = others[offset : None if limit < 0 else offset + limit]
            left = limit if limit < 0 else limit - len(shown)
            rows, total = scans.page_and_total(scan, left, max(0, offset - len(others)))
            return Found((*shown, *map(element_of_symbol, rows)), len(others) + total)
        symbols = map(element_of_symbol, self._named(scans.page(scan)))
        return self._cut([*others, *symbols], keep, limit, offset)

    def _cut(self, elements: list[Element], keep: Keep | None, limit: int, offset: int) -> Found:
        on_line = self._on_line(elements)
        kept = on_line if keep is None else list(keep(on_line))
        elsewhere = elements[0] if elements and not on_line else None
        return Found(tuple(kept[offset : None if limit < 0 else offset + limit]), len(kept), elsewhere)

    def _on_line(self, elements: list[Element]) -> list[Element]:
        """Those declared on the line; else those whose declaration the line is in, and of these, where no element was named, the
        innermost of each file."""
        line = self._wanted.line
        if line is None:
            return elements
        around: list[Element] = []
        declared: list[Element] = []
        innermost: dict[str, int] = {}
        for each in elements:
            symbol = each.symbol
            if symbol is None or not symbol.span_start <= line <= symbol.span_end:
                continue
            around.append(each)
            innermost[each.file_path] = max(symbol.span_start, innermost.get(each.file_path, 0))
            if line in (symbol.name_line, symbol.span_start):
                declared.append(each)
        if declared or self._wanted.element is not None:
            return declared or around
        return [each for each in around if each.span is not None and each.span[0] == innermost[each.file_path]]

    # Symbols

    def _scan(self, designators: Sequence[Designator]) -> SymbolScan:
        wanted = self._wanted
        last = (wanted.element or "*").rpartition(".")[2]
        conditions = [each for each in (wanted.condition, self._meant(designators)) if each is not None]
        kinds = {kind for each in designators for meaning in MEANINGS[each] for kind in meaning.kinds}
        has_custom = Designator.CUSTOM in designators
        return SymbolScan(
            kinds=() if has_custom else tuple(sorted(kinds)),
            but_not=tuple(sorted(known_kinds().difference(kinds))) if has_custom else (),
            name="" if last == "*" else last,
            paths=self._globs,
            and_path=wanted.path_glob if wanted.path != "*" else "",
            files=wanted.files,
            first_line=wanted.first_line,
            last_line=wanted.last_line,
            condition=AllOf(tuple(conditions)) if conditions else None,
        )

    def _meant(self, designators: Sequence[Designator]) -> Condition | None:
        """What the designators ask for beyond kinds; null for nothing."""
        meanings = [meaning for each in designators for meaning in MEANINGS[each]]
        extras = [self._beyond_kind(each) for each in meanings]
        if not any(extras):
            return None
        if len(extras) == 1:
            return AllOf(extras[0])
        of_kinds = [
            OfKinds(each.kinds) if each.kinds else Not(OfKinds(tuple(sorted(known_kinds())))) for each in meanings
        ]
        return AnyOf(tuple(AllOf((kind, *extra)) for kind, extra in zip(of_kinds, extras, strict=True)))

    def _beyond_kind(self, meaning: Meaning) -> tuple[Condition, ...]:
        found: list[Condition] = []
        if meaning.static:
            found.append(Static())
        if meaning.modifier:
            found.append(Modified(meaning.modifier))
        if meaning.role is not None:
            found.append(condition_of(self._snapshot, meaning.role))
        return tuple(found)

    def _is_decided_by_scan(self) -> bool:
        """Whether the scan alone tells what answers."""
        return self._wanted.line is None and self._wanted.element in (None, "*")

    def _named(self, symbols: list[ScannedSymbol]) -> list[ScannedSymbol]:
        pattern = self._wanted.element
        if pattern in (None, "*"):
            return symbols
        matches = _is_called(pattern)
        return [each for each in symbols if matches(element_of(each) or "")]

    # What is not a symbol

    def _other_elements(self, designators: Iterable[Designator]) -> list[Element]:
        found = [element for each in designators for element in _OTHERS[each](self._snapshot)]
        matches_path = _matcher(self._globs)
        matches_glob = _matcher((self._wanted.path_glob,)) if self._wanted.path_glob else None
        pattern = self._wanted.element
        matches_element = _is_called(pattern) if pattern not in (None, "*") else None
        return sorted(
            (
                each
                for each in found
                if matches_path(each.reference.path)
                and (matches_glob is None or matches_glob(each.reference.path))
                and (matches_element is None or matches_element(each.name or ""))
                and (pattern is None or each.name is not None)
            ),
            key=lambda each: (each.reference.designator, each.reference.path, each.reference.element or ""),
        )

    # Paths

    def _path_globs(self) -> tuple[str, ...]:
        path = self._wanted.path
        if path == "*":
            return (self._wanted.path_glob,) if self._wanted.path_glob else ()
        if is_wild(path):
            wild = path.replace("[", "[[]")
            return (wild, f"{wild}.*")
        wanted = self._wanted.designators
        names_itself = Designator.PACKAGE in wanted or wanted == (Designator.DIRECTORY,)
        if names_itself or self._snapshot.reader.scans.has_file(path):
            return (_literal(path),)
        return (_literal(path), *map(_literal, self._files_called(path)), f"{_literal(path)}/*")

    def _files_called(self, path: str) -> list[str]:
        """The files whose path goes on with a dot; not those below a folder whose path does: ``src/Shop`` is not ``src/Shop.Tests``."""
        called = f"{path}."
        paths = self._snapshot.reader.file_paths(called)
        return [each for each in paths if each.startswith(called) and "/" not in each[len(called) :]]


def _files(snapshot: Snapshot) -> Iterable[Element]:
    for path in snapshot.reader.file_paths():
        yield Element(named=Reference(designator=Designator.FILE, path=path), file_path=path)


def _folders(snapshot: Snapshot) -> Iterable[Element]:
    found: set[str] = set()
    for path in snapshot.reader.file_paths():
        folder = dirname(path)
        while folder and folder not in found:
            found.add(folder)
            folder = dirname(folder)
    return (Element(named=Reference(designator=Designator.DIRECTORY, path=each)) for each in found)


def _projects(snapshot: Snapshot) -> Iterable[Element]:
    for each in snapshot.reader.projects():
        yield Element(
            named=Reference(designator=Designator.MODULE, path=each.project_path), file_path=each.project_path
        )


def _packages(snapshot: Snapshot) -> Iterable[Element]:
    ids = {package.id for project in snapshot.reader.projects() for package in project.packages}
    return (Element(named=Reference(designator=Designator.PACKAGE, path=each)) for each in ids)


def _namespaces(snapshot: Snapshot) -> Iterable[Element]:
    """At the folder below which all of its types are declared; at ``.`` where that is the repository. Those of TypeScript are files, or
    symbols."""
    folders: dict[str, list[str]] = {}
    kinds = tuple(kind for kind in SymbolKind if kind.is_type)
    for each in snapshot.reader.scans.page(SymbolScan(kinds=kinds)):
        if each.namespace and each.namespace != each.file_path:
            folders.setdefault(each.namespace, []).append(dirname(each.file_path))
    for namespace, declared in folders.items():
        path = commonpath(declared) or "."
        yield Element(named=Reference(designator=Designator.NAMESPACE, path=path, element=namespace))


_OTHERS: Final[dict[Designator, Callable[[Snapshot], Iterable[Element]]]] = {
    Designator.FILE: _files,
    Designator.DIRECTORY: _folders,
    Designator.MODULE: _projects,
    Designator.PACKAGE: _packages,
    Designator.NAMESPACE: _namespaces,
    **dict.fromkeys(ABSENT, lambda _: ()),
}


def _literal(text: str) -> str:
    """A pattern that means ``text`` itself."""
    return _SPECIAL.sub(lambda found: f"[{found.group()}]", text)


def _is_called(pattern: str) -> Callable[[str], bool]:
    """Whether an element is called so, what contains it left out perhaps."""
    if is_wild(pattern):
        return _matcher((pattern, f"*.{pattern}"))
    return lambda element: element == pattern or element.endswith(f".{pattern}")


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))


def _matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether one of ``patterns`` matches; everything where there are none. Case counts."""
    compiled = [_compiled(each) for each in patterns]
    return lambda text: not compiled or any(each.match(text) for each in compiled)
