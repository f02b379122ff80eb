"""What an analysis is about: the symbols that a reference means, with their members."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.model.counting import counted
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_scan import ScannedSymbol, SymbolScan
from codemap_plugins.coderef.designators import MODULE, Designator
from codemap_plugins.coderef.elements import Element, Wanted, element_of_symbol, find
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.parsing import FORM
from codemap_plugins.coderef.reference import Reference
from codemap_plugins.coderef.validation import Existence, check, wanted_by

MAX_SYMBOLS: Final = 5_000
_CONTAINERS: Final = (Designator.FILE, Designator.DIRECTORY, Designator.MODULE, Designator.NAMESPACE)


class Subject(Struct, frozen=True):
    """``elements``: what the reference names; ``symbols``: these and all that they contain, by number."""

    reference: Reference
    elements: tuple[Element, ...]
    symbols: dict[int, ScannedSymbol]

    @property
    def members(self) -> list[Element]:
        """The symbols that are not types."""
        return [element_of_symbol(each) for each in self.symbols.values() if not each.symbol_id.startswith("T:")]


def read_reference(text: str) -> Reference:
    """Raises: CodeRefError for what is not a reference."""
    verdict = check(text)
    if verdict.reference is None:
        first = verdict.issues[0]
        raise CodeRefError(CodeRefCode.INVALID_REFERENCE, first.message, "reference", first.suggestion or FORM)
    return verdict.reference


def subject_of(snapshot: Snapshot, reference: Reference) -> Subject:
    """Raises: CodeRefError for what does not exist and for what is too large."""
    found = find(snapshot, wanted_by(reference))
    if not found.elements:
        said = Existence(snapshot).issues(reference)[-1]
        raise CodeRefError(CodeRefCode.ANALYSIS_ERROR, said.message, "reference", said.suggestion or "")
    symbols = [each.symbol for each in found.elements if each.symbol is not None and each.symbol.kind != MODULE]
    if reference.designator in _CONTAINERS:
        symbols += _inside(snapshot, reference, found.elements)
    if not symbols:
        raise CodeRefError(
            CodeRefCode.ANALYSIS_ERROR,
            f"{reference.designator} {reference.path!r} declares no symbols of this repository.",
            "reference",
            "Name a type or member, or a file, folder, project or namespace that has some.",
        )
    everything = _with_members(snapshot, symbols)
    if len(everything) > MAX_SYMBOLS:
        raise CodeRefError(
            CodeRefCode.ANALYSIS_ERROR,
            f"The reference means {counted(len(everything), 'symbol')}; the maximum is {MAX_SYMBOLS:,}.",
            "reference",
            "Name a part of it.",
        )
    return Subject(reference, found.elements, everything)


def _inside(snapshot: Snapshot, reference: Reference, elements: tuple[Element, ...]) -> list[ScannedSymbol]:
    """The symbols of files, folders, projects, modules or namespaces."""
    if reference.designator is Designator.MODULE:
        modules = {each.reference.path for each in elements}
        compiled = {path for each in snapshot.reader.projects() if each.project_path in modules for path in each.files}
        compiled.update(each.file_path for each in elements if each.symbol is not None)
        return snapshot.reader.scans.page(SymbolScan(files=frozenset(compiled)))
    if reference.designator is Designator.NAMESPACE:
        names = frozenset(each.named.element for each in elements if each.named is not None and each.named.element)
        return snapshot.reader.scans.page(SymbolScan(namespaces=names)) if names else []
    paths = {each.reference.path for each in elements}
    found = [each for path in sorted(paths) for each in find(snapshot, Wanted(path=path)).elements]
    return [each.symbol for each in found if each.symbol is not None]


def _with_members(snapshot: Snapshot, symbols: list[ScannedSymbol]) -> dict[int, ScannedSymbol]:
    found = {each.number: each for each in symbols}
    frontier = [each.number for each in symbols if each.symbol_id.startswith("T:")]
    while frontier and len(found) <= MAX_SYMBOLS:
        inner = [each for each in snapshot.reader.scans.members(frontier) if each.number not in found]
        found.update({each.number: each for each in inner})
        frontier = [each.number for each in inner if each.symbol_id.startswith("T:")]
    return found
