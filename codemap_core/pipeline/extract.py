"""The declare, bind and extract stages over the units of one language: a table made once, then rows file by file in worker processes.

Workers inherit the table over fork, or make their own where processes are spawned. What an extractor raises for one file is reported as
that file's problem; the other extractors of the file, and all other files, go on.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import (
    DeclarationView,
    FactContext,
    FactExtractor,
    FactInterest,
    LibraryDescriber,
    ReferenceExtractor,
    SymbolExtractor,
    UnitKey,
    Universe,
)
from codemap_core.model import FactRow, LibrarySymbolRow, ReferenceRow, RelationRow, SymbolRow
from codemap_core.pipeline.workers import Workers, can_fork

BATCH_UNITS: Final = 24
BATCH_BYTES: Final = 512 * 1024
"""Of units in one batch, unless a single one is larger."""
WORKER_LIFETIME: Final = 96
"""Batches until workers are replaced: what they remember of types grows with what they have seen."""


class ExtractionFailure(Struct, frozen=True, array_like=True):
    """An extractor raised for one file: a fault of the extractor, to be reported to its authors."""

    extractor: str
    file_path: str
    message: str


class DocumentRows(Struct, frozen=True, array_like=True):
    """Everything one file gives in one project."""

    symbols: tuple[SymbolRow, ...] = ()
    references: tuple[ReferenceRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    failures: tuple[ExtractionFailure, ...] = ()


class LibraryRequest(Struct, frozen=True):
    """``referred``: ids that rows refer to and none declares; ``known``: takes what is known of them, and faults of extractors."""

    referred: Callable[[], Iterable[str]]
    known: Callable[[Iterable[LibrarySymbolRow], Iterable[ExtractionFailure]], None]


class _Stage:
    """The extractors of one language and their tables; one of them per process."""

    def __init__(
        self,
        symbols: Sequence[SymbolExtractor],
        references: Sequence[ReferenceExtractor],
        facts: Sequence[FactExtractor],
        universe: Universe,
    ) -> None:
        self.symbols: Final = [(extractor, extractor.declare(universe)) for extractor in symbols]
        self.references: Final = references
        self.facts: Final = facts
        self.projects: Final = {project.project_path: project for project in universe.graph.projects}

    def rows(self, unit: UnitKey) -> DocumentRows:
        symbols: list[SymbolRow] = []
        references: list[ReferenceRow] = []
        relations: list[RelationRow] = []
        facts: list[FactRow] = []
        failures: list[ExtractionFailure] = []

        def isolated(name: str, work: Callable[[], None]) -> None:
            try:
                work()
            except MemoryError:
                raise
            except Exception as error:  # an extractor's fault is that file's failure
                failures.append(ExtractionFailure(name, unit.file_path, f"{type(error).__name__}: {error}"))

        for extractor, table in self.symbols:
            isolated(extractor.name, lambda e=extractor, t=table: symbols.extend(e.symbols(t, unit)))  # type: ignore[misc]
        if self.symbols:
            table = self.symbols[0][1]
            for binder in self.references:

                def bind(binder: ReferenceExtractor = binder) -> None:
                    binding = binder.bind(table, unit)
                    references.extend(binding.references)
                    relations.extend(binding.relations)

                isolated(binder.name, bind)
        if self.facts and self.symbols:
            isolated("facts", lambda: facts.extend(self._facts(unit, isolated)))
        return DocumentRows(tuple(symbols), tuple(references), tuple(relations), tuple(facts), tuple(failures))

    def library_symbols(
        self, symbol_ids: Iterable[str]
    ) -> tuple[tuple[LibrarySymbolRow, ...], tuple[ExtractionFailure, ...]]:
        """What the extractors know of symbols that nothing declares."""
        wanted = tuple(symbol_ids)
        rows: list[LibrarySymbolRow] = []
        failures: list[ExtractionFailure] = []
        for extractor, table in self.symbols:
            if isinstance(extractor, LibraryDescriber):
                try:
                    rows.extend(extractor.library_symbols(table, wanted))
                except Exception as error:  # an extractor's fault costs what it knows, not the index
                    failures.append(ExtractionFailure(extractor.name, "", f"{type(error).__name__}: {error}"))
        return tuple(rows), tuple(failures)

    def _facts(self, unit: UnitKey, isolated: Callable[[str, Callable[[], None]], None]) -> list[FactRow]:
        extractor, table = self.symbols[0]
        declarations = tuple(extractor.declarations(table, unit))
        found: list[FactRow] = []
        for each in self.facts:
            wanted = tuple(d for d in declarations if _matches(each.interest, d))
            if wanted:
                context = FactContext(self.projects.get(unit.project_path), unit.file_path, wanted)
                isolated(each.name, lambda e=each, c=context: found.extend(e.extract(c)))  # type: ignore[misc]
        return found


def _matches(interest: FactInterest, declaration: DeclarationView) -> bool:
    kinds, attributes, bases = interest.declaration_kinds, interest.attribute_names, interest.base_types
    if kinds and (kinds[0] == "*" or declaration.kind.value in kinds):
        return True
    if attributes and declaration.attributes:
        if attributes[0] == "*":
            return True
        if any(a.name.rpartition(".")[2].removesuffix("Attribute") in attributes for a in declaration.attributes):
            return True
    if bases and declaration.base_types:
        return bases[0] == "*" or any(_simple_name(b) in bases for b in declaration.base_types)
    return False


def _simple_name(type_id: str) -> str:
    return type_id.rpartition(".")[2].rpartition(":")[2].partition("`")[0]


_current: _Stage | None = None


def _make_stage(*arguments: Any) -> None:
    global _current
    _current = _Stage(*arguments)


def _extract_batch(units: Sequence[UnitKey]) -> list[bytes]:
    assert _current is not None
    encode = msgspec.msgpack.encode
    return [encode(_current.rows(unit)) for unit in units]


def _crashed(unit: UnitKey) -> bytes:
    failure = ExtractionFailure("extraction", unit.file_path, "an extractor crashed its process on this file")
    return msgspec.msgpack.encode(DocumentRows(failures=(failure,)))


_decoder: Final = msgspec.msgpack.Decoder(DocumentRows)


def extract(
    universe: Universe,
    symbols: Sequence[SymbolExtractor],
    references: Sequence[ReferenceExtractor],
    facts: Sequence[FactExtractor],
    jobs: int,
    check: Callable[[], None],
    declared: Callable[[], None],
    libraries: LibraryRequest | None = None,
    without: AbstractSet[str] = frozenset(),
) -> Iterator[tuple[UnitKey, DocumentRows]]:
    """Rows of every unit, in the order of (project, file). ``declared`` is called when the tables stand, ``libraries`` served when all
    rows have been taken. ``without``: files that are declared and give no rows."""
    units = sorted(unit for unit in universe.units if unit.file_path not in without)
    arguments = (symbols, references, facts, universe)
    if can_fork() or jobs <= 1:
        _make_stage(*arguments)
        initialise = None
    else:
        initialise = _make_stage
    declared()
    batches = list(_batches(units, universe.units))
    if len(units) <= 2 * BATCH_UNITS:
        jobs = 1
    if can_fork():
        # Objects that are never collected keep their pages shared between forked workers.
        gc.collect()
        gc.freeze()
    try:
        workers: Workers[UnitKey, bytes] = Workers(
            _extract_batch,
            _crashed,
            jobs,
            initialise=initialise,
            arguments=arguments if initialise is not None else (),
            check=check,
            lifetime=WORKER_LIFETIME,
        )
        for batch, results in zip(batches, workers.run(iter(batches)), strict=True):
            for unit, data in zip(batch, results, strict=True):
                yield unit, _decoder.decode(data)
        if libraries is not None:
            if _current is None:  # workers were spawned: this process has made no table
                _make_stage(*arguments)
            assert _current is not None
            libraries.known(*_current.library_symbols(libraries.referred()))
    finally:
        gc.unfreeze()
        _forget_stage()


def _batches(units: Sequence[UnitKey], contents: Mapping[UnitKey, bytes]) -> Iterator[list[UnitKey]]:
    """Neighbours of one project together, of bounded number and size."""
    batch: list[UnitKey] = []
    size = 0
    for unit in units:
        own = len(contents[unit])
        if batch and (
            len(batch) == BATCH_UNITS or size + own > BATCH_BYTES or unit.project_path != batch[0].project_path
        ):
            yield batch
            batch, size = [], 0
        batch.append(unit)
        size += own
    if batch:
        yield batch


def _forget_stage() -> None:
    global _current
    _current = None
