"""Rows grouped by the document that owns them, and the failures that documents and the repository are told of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import (
    DocumentRow,
    FactRow,
    Problem,
    ProjectProblem,
    ReferenceRow,
    RelationRow,
    SymbolRow,
)
from codemap_core.model.document import EXTRACTOR_FAILED
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_core.model.reference import PackedReferences, pack
from codemap_core.pipeline.extraction import DocumentRows
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.row_checks import Extracted, decode_extracted


class ReplacedDocument(Struct, frozen=True, kw_only=True):
    """A document of the new state with all of its rows, those that were concluded too; rows that two projects repeat stand twice."""

    document: DocumentRow
    symbols: tuple[SymbolRow, ...] = ()
    references: tuple[PackedReferences, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    facts: tuple[FactRow, ...] = ()


def undeclared_ids(
    symbols: Iterable[SymbolRow],
    references: Iterable[PackedReferences],
    relations: Iterable[RelationRow],
    facts: Iterable[FactRow],
) -> set[str]:
    """Ids that rows refer to and none of them declares."""
    referred: set[str | None] = set()
    for packed in references:
        referred.update(packed.symbols)
    for relation in relations:
        referred.update((relation.from_symbol, relation.to_symbol))
    referred.update(fact.symbol_id for fact in facts)
    declared = {symbol.symbol_id for symbol in symbols}
    return {each for each in referred - declared if each is not None and each.startswith(ID_PREFIXES)}


class RowsByDocument:
    """Rows by path, of documents that are ``wanted``."""

    def __init__(self) -> None:
        self._symbols: dict[str, list[SymbolRow]] = {}
        self._references: dict[str, list[PackedReferences]] = {}
        self._links: dict[str, list[ReferenceRow]] = {}
        self._relations: dict[str, list[RelationRow]] = {}
        self._facts: dict[str, list[FactRow]] = {}

    def add(self, found: DocumentRows, wanted: AbstractSet[str]) -> None:
        self.add_extracted(Extracted(found.symbols), wanted)
        for path in found.references.files:  # of a document there is one
            if path in wanted:
                self._references.setdefault(path, []).append(found.references)
        for relation in found.relations:
            if relation.file_path in wanted:
                self._relations.setdefault(relation.file_path, []).append(relation)
        for _, further in found.further:
            self.add_extracted(further, wanted)

    def add_extracted(self, found: Extracted, wanted: AbstractSet[str]) -> None:
        for symbol in found.symbols:
            if symbol.file_path in wanted:
                self._symbols.setdefault(symbol.file_path, []).append(symbol)
        for reference in found.references:
            if reference.file_path in wanted:
                self._links.setdefault(reference.file_path, []).append(reference)
        for fact in found.facts:
            if fact.file_path in wanted:
                self._facts.setdefault(fact.file_path, []).append(fact)

    def add_concluded(self, said: Mapping[str, bytes]) -> None:
        """``said``: as ``conclusions.said_of`` gives it, of wanted documents."""
        for rows in said.values():
            self.add_extracted(decode_extracted(rows), said.keys())

    def undeclared(self) -> set[str]:
        """Ids that rows refer to and none of them declares."""
        flat = chain.from_iterable
        return undeclared_ids(
            flat(self._symbols.values()),
            chain(flat(self._references.values()), map(pack, self._links.values())),
            flat(self._relations.values()),
            flat(self._facts.values()),
        )

    def declared(self) -> set[str]:
        """Ids that rows declare."""
        return {symbol.symbol_id for symbols in self._symbols.values() for symbol in symbols}

    def of(self, document: DocumentRow) -> ReplacedDocument:
        path = document.file_path
        return ReplacedDocument(
            document=document,
            symbols=tuple(self._symbols.get(path, ())),
            references=(*self._references.get(path, ()), pack(self._links.get(path, ()))),
            relations=tuple(self._relations.get(path, ())),
            facts=tuple(self._facts.get(path, ())),
        )


def problems_of(failures: Iterable[ExtractionFailure]) -> tuple[ProjectProblem, ...]:
    """Of the repository: failures that no document has."""
    return tuple(dict.fromkeys(ProjectProblem("", each.said) for each in failures if not each.file_path))


def with_failures(document: DocumentRow, failures: Iterable[ExtractionFailure]) -> DocumentRow:
    """The document with a problem for each failure of its own."""
    further = [Problem(EXTRACTOR_FAILED, str(each)) for each in failures if each.file_path == document.file_path]
    return replace(document, problems=tuple(dict.fromkeys((*document.problems, *further)))) if further else document
