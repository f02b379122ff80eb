"""The declare, bind, extract and conclude stages: a table made once for each language, rows file by file in worker processes, then what
extractors conclude from their notes.

Workers inherit the table over fork, or make their own where processes are spawned. A plug-in that ends its process is found by leaving
extractors out, each time in a new process: it costs its own rows of that file.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.forking import can_fork
from codemap_core.hooks.contracts import LanguageFrontEnd, UnitKey, Universe
from codemap_core.hooks.extractors import Extractor, Note
from codemap_core.hooks.interests import matches
from codemap_core.hooks.manager import PluginHost
from codemap_core.hooks.registry import Owner, Registration
from codemap_core.model import LibrarySymbolRow, Project, ProjectGraph
from codemap_core.pipeline import deadline
from codemap_core.pipeline.apart import declare
from codemap_core.pipeline.extraction import (
    DocumentRows,
    Extraction,
    Outcome,
    Plugins,
    Task,
    conclude,
    decoded,
    takes_part,
)
from codemap_core.pipeline.guard import ExtractionFailure, failure
from codemap_core.pipeline.row_checks import Extracted, Place
from codemap_core.pipeline.workers import Aside, Workers, run_alone
from codemap_core.repository import RepositoryFiles, decode_text

BATCH_UNITS: Final = 24
BATCH_BYTES: Final = 320 * 1024
"""Of units in one batch, unless a single one is larger."""
_UNITS_FOR_ONE: Final = 12
"""Not worth a second process, each of which looks up in libraries what it needs."""
BUILT_IN: Final = 300.0
"""Seconds that what is built in has for one file, after which its worker process ends; a longer time is taken for endless."""
_KILLED: Final = "it ended its process, did not end, or spoilt the answer of it"


Described = tuple[tuple[LibrarySymbolRow, ...], tuple[ExtractionFailure, ...]]
"""What a front end knows of symbols of libraries, and its faults."""


_Concluded = tuple[Extracted, tuple[ExtractionFailure, ...]]
_decode_concluded: Final = msgspec.msgpack.Decoder(_Concluded).decode


class LibraryRequest(Struct, frozen=True):
    """``referred``: ids that rows refer to and none declares; ``known``: takes what gives what is known of them."""

    referred: Callable[[], Iterable[str]]
    known: Callable[[Callable[[], Described]], None]
    aside: bool = False
    """It is sought in a process of its own while this one goes on, and waited for when it is asked for."""


class Documents(Struct, frozen=True):
    """The documents of an index, for extractors."""

    line_count_of: Callable[[str], int | None]
    """Of the one with a path; null where there is none, or only its name is listed."""
    text_of: Callable[[str], str]
    compiled_by: Mapping[str, Sequence[Project]]
    """By path, in path order."""

    @staticmethod
    def of(
        files: RepositoryFiles,
        line_count_of: Callable[[str], int | None],
        compiled_by: Mapping[str, Sequence[Project]],
    ) -> Documents:
        """Their texts are read when they are asked for."""
        return Documents(line_count_of, lambda path: decode_text(files.read(path)).text, compiled_by)


Tables = Callable[[LanguageFrontEnd, Owner, Universe], tuple[Any, ExtractionFailure | None]]
"""What makes the table of a front end, as ``declare`` does."""

_current: Extraction | None = None
_fault: ExtractionFailure | None = None
"""Why there is none."""


def _make_current(plugins: Plugins, universe: Universe, tables: Tables = declare) -> ExtractionFailure | None:
    global _current, _fault
    table, fault = None, None
    if plugins.front_end is not None and plugins.owner is not None:
        table, fault = tables(plugins.front_end, plugins.owner, universe)
    projects = {project.project_path: project for project in universe.graph.projects}
    has_compiled = any(unit.project_path for unit in universe.units)
    _current = Extraction(plugins, table, projects, has_compiled) if fault is None else None
    _fault = fault
    return fault


@contextmanager
def _made_current(plugins: Plugins, universe: Universe) -> Iterator[None]:
    """Within it these extract; afterwards those that did before."""
    global _current, _fault
    before = _current, _fault
    _make_current(plugins, universe)
    try:
        yield
    finally:
        _current, _fault = before


def _make_for_worker(plugins: Plugins, universe: Universe) -> None:
    _make_current(plugins, universe)


def load_ahead(host: PluginHost, languages: AbstractSet[str]) -> None:
    """Loads ahead of time what is built in and declares and binds these languages, by declaring nothing."""
    for language in host.languages:
        owner = host.owner_of(language)
        if language.name in languages and owner.built_in:
            declare(language, owner, Universe(ProjectGraph(()), {}))  # the table of the run shows what is wrong


def _extract_batch(tasks: Sequence[Task]) -> list[bytes]:
    if _current is None:  # workers were spawned, and none can make a table
        assert _fault is not None
        return [msgspec.msgpack.encode(Outcome(failures=(_fault,)))] * len(tasks)
    is_worker = multiprocessing.parent_process() is not None
    is_bounded = is_worker and not _current.has_foreign  # calls of what is foreign set deadlines of their own
    outcomes: list[bytes] = []
    try:
        for task in tasks:
            if is_bounded:
                deadline.leave_at_least(BUILT_IN)
            outcomes.append(_current.outcome(task))
        return outcomes
    except Exception as error:
        if isinstance(error, MemoryError) or not (is_worker and _current.has_foreign):
            raise
        os._exit(1)  # somebody may have changed what makes answers: who did is found by leaving extractors out


class Extractors:
    """The extractors of one run over all languages. Collects their notes."""

    def __init__(
        self,
        host: PluginHost,
        jobs: int,
        seconds: float,
        check: Callable[[], None],
        here: bool = False,
        awaited: bool = False,
    ) -> None:
        """``here``: a few documents are extracted in this process, where everybody who takes part is built in; ``awaited``: so that all of
        a few documents are done soonest, not so that the first of them are."""
        self._here: Final = here
        self._awaited: Final = awaited
        self._host: Final = host
        self._extractors: Final = dict(enumerate(host.extractors))
        self._jobs: Final = jobs
        self._seconds: Final = seconds
        self._check: Final = check
        self._notes: dict[int, list[Note]] = {}
        self._killers: set[int] = set()
        self._asides: list[Aside[bytes]] = []
        self.labels: Final = {
            number: f"{each.owner.name}:{each.point}:{each.item.name}" for number, each in self._extractors.items()
        }
        """What an extractor is called where its notes are kept, by its number."""

    def are_built_in(self, front_end: LanguageFrontEnd | None = None) -> bool:
        """Whether all extractors are, and that front end."""
        is_built_in = front_end is None or self._host.owner_of(front_end).built_in
        return is_built_in and all(each.owner.built_in for each in self._extractors.values())

    def remember(self, notes: Mapping[str, Iterable[Note]]) -> None:
        """Notes that extractors left of documents that are not extracted again, by their labels."""
        for number, label in self.labels.items():
            if label in notes:
                self._notes.setdefault(number, []).extend(notes[label])

    def of_language(
        self,
        front_end: LanguageFrontEnd,
        universe: Universe,
        documents: Documents,
        declared: Callable[[], None],
        libraries: LibraryRequest,
        without: AbstractSet[str] = frozenset(),
        known: Mapping[UnitKey, DocumentRows] | None = None,
        only: AbstractSet[UnitKey] | None = None,
        tables: Tables = declare,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Iterator[tuple[UnitKey, DocumentRows]]:
        """Rows of every unit, in the order of (project, file). ``declared`` is called when the table stands, ``libraries`` served when all
        rows have been taken. ``without``: files that are declared and not asked for; ``known``: what units would give that are not
        extracted therefore, and come last; ``only``: the units that are asked for, null for all; ``meanwhile``: as ``Workers.run`` has
        it. A front end whose ``declare`` fails gives one answer of no file, without rows and with the failure."""
        plugins = Plugins(front_end, self._host.owner_of(front_end), self._taking_part(front_end.name), self._seconds)
        fault = _make_current(plugins, universe, tables) if can_fork() or self._jobs <= 1 else None
        declared()
        if fault is not None:
            yield UnitKey("", ""), DocumentRows(failures=(fault,))
            return
        asked = universe.units if only is None else only
        units = sorted(unit for unit in asked if unit.file_path not in without)
        given = known or {}
        extracted = [unit for unit in units if unit not in given]
        wants_text = plugins.wants_text

        def tasks() -> Iterator[tuple[Task, int]]:
            for unit in extracted:
                path = unit.file_path
                text = documents.text_of(path) if wants_text(path) else None
                size = len(universe.units[unit]) + len(text or "")
                yield Task(unit, documents.line_count_of(path) or 0, text), size

        try:
            for unit, each in self._run(plugins, universe, tasks(), len(extracted), meanwhile):
                self._note(each)
                yield unit, each
            for unit in units if given else ():
                if unit in given:
                    self._note(given[unit])
                    yield unit, given[unit]
            if _current is None:  # workers were spawned: this process has made no table
                _make_current(plugins, universe)
            if _current is not None:
                libraries.known(self._described(_current, libraries))
        finally:
            _forget_current()

    def _described(self, extraction: Extraction, libraries: LibraryRequest) -> Callable[[], Described]:
        referred = tuple(libraries.referred())
        if not libraries.aside:
            found = extraction.library_symbols(referred)
            return lambda: found
        aside = Aside(lambda: msgspec.msgpack.encode(extraction.library_symbols(referred)))
        self._asides.append(aside)
        return lambda: msgspec.msgpack.decode(aside.finish(), type=Described)

    def stop(self) -> None:
        """Ends the processes of what was asked for and not waited for."""
        for aside in self._asides:
            aside.end()

    def of_files(
        self, universe: Universe, documents: Documents, paths: Iterable[str]
    ) -> Iterator[tuple[UnitKey, DocumentRows]]:
        """Rows of files that no language analyses, as far as extractors ask for them."""
        plugins = Plugins(None, None, self._taking_part(""), self._seconds)
        patterns = tuple(pattern for each in plugins.extractors.values() for pattern in each.item.interests.files)
        counts = {path: documents.line_count_of(path) for path in paths if matches(patterns, path)}
        wanted = {path: count for path, count in counts.items() if count is not None}
        if not wanted:
            return

        def tasks() -> Iterator[tuple[Task, int]]:
            for path, count in wanted.items():
                text = documents.text_of(path)
                yield Task(UnitKey("", path), count, text), len(text)

        with _made_current(plugins, universe):
            for unit, rows in self._run(plugins, universe, tasks(), len(wanted)):
                self._note(rows)
                yield unit, rows

    def _note(self, rows: DocumentRows) -> None:
        for number, each in rows.further:
            if each.notes:
                self._notes.setdefault(number, []).extend(each.notes)

    def concludes_here(self, only: AbstractSet[str] | None = None) -> bool:
        """Whether this process concludes from the notes, or a copy of it: what is built in costs less than a copy, and this one waits for
        it. A copy must not be made while a thread uses SQLite, whose locks nobody would release there. ``only``: as ``conclusions``
        has it."""
        return all(self._extractors[number].owner.built_in for number in self._asked(only))

    def _asked(self, only: AbstractSet[str] | None) -> list[int]:
        return sorted(number for number in self._notes if only is None or self.labels[number] in only)

    def conclusions(
        self, documents: Documents, only: AbstractSet[str] | None = None
    ) -> Iterator[tuple[str, Extracted, tuple[ExtractionFailure, ...]]]:
        """What each extractor concludes from its notes, with its label. ``only``: of these labels."""
        asked = self._asked(only)

        @cache
        def places(file_path: str) -> Place | None:
            count = documents.line_count_of(file_path)
            compiled_by = documents.compiled_by.get(file_path, ())
            return None if count is None else Place(count, compiled_by[0].project_path if compiled_by else "")

        here = self.concludes_here(only)

        def run(numbers: Sequence[int]) -> list[_Concluded | bytes]:
            """Encoded for another process."""
            found = [conclude(self._extractors[each], self._notes[each], places, self._seconds) for each in numbers]
            return [*found] if here else [*map(msgspec.msgpack.encode, found)]

        def killed(number: int) -> bytes:
            extractor = self._extractors[number]
            fault = failure(extractor.owner, extractor.item.name, "", f"{_KILLED} in conclude")
            return msgspec.msgpack.encode((Extracted(), (fault,)))

        for number in asked:
            self._notes[number].sort(key=lambda note: (note.file_path, note.line))
        workers: Workers[int, _Concluded | bytes] = Workers(run, killed, 1, check=self._check, here=here)
        numbers = iter(asked)
        for answers in workers.run([number] for number in asked):
            for answer in answers:
                rows, failures = _decode_concluded(answer) if isinstance(answer, bytes) else answer
                yield self.labels[next(numbers)], rows, failures

    def _taking_part(self, language: str) -> dict[int, Registration[Extractor]]:
        return {number: each for number, each in self._extractors.items() if takes_part(each.item, language)}

    def _run(
        self,
        plugins: Plugins,
        universe: Universe,
        tasks: Iterator[tuple[Task, int]],
        count: int,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Iterator[tuple[UnitKey, DocumentRows]]:
        if not count:
            return
        spawned: dict[str, Any] = {}
        if _current is None:
            spawned = {"initialise": _make_for_worker, "arguments": (plugins, universe)}
        sent: list[list[Task]] = []
        owners = [plugins.owner, *(each.owner for each in plugins.extractors.values())]
        are_few = count <= 2 * BATCH_UNITS and all(owner is None or owner.built_in for owner in owners)
        here = self._here and are_few
        awaited = self._awaited and are_few and not here
        if awaited:  # large ones first, each alone: so that all processes are done at the same time
            tasks = iter(sorted(tasks, key=lambda each: -each[1]))
        batch_units = 1 if awaited else BATCH_UNITS

        def batches() -> Iterator[list[Task]]:
            for batch in _batches(tasks, batch_units):
                sent.append(batch)
                yield batch

        def killed(task: Task) -> bytes:
            return self._without_killers(plugins, task, spawned)

        jobs = min(self._jobs, 1 + count // _UNITS_FOR_ONE)
        workers: Workers[Task, bytes] = Workers(_extract_batch, killed, jobs, check=self._check, here=here, **spawned)

        def found() -> Iterator[tuple[UnitKey, DocumentRows]]:
            for results in workers.run(batches(), meanwhile):
                for task, data in zip(sent.pop(0), results, strict=True):
                    try:
                        rows = decoded(data, task, plugins)
                    except msgspec.MsgspecError:  # somebody has changed what makes answers
                        rows = decoded(killed(task), task, plugins)
                    yield task.unit, rows

        yield from sorted(found(), key=_unit) if awaited else found()

    def _without_killers(self, plugins: Plugins, task: Task, spawned: Mapping[str, Any]) -> bytes:
        """What a document gives without those who end its process or spoil what it answers. Who did so before is suspected first; whoever
        is suspected is asked alone, unless nobody else is."""

        def ask(numbers: Iterable[int]) -> Outcome | None:
            data = run_alone(_extract_batch, replace(task, only=tuple(numbers)), check=self._check, **spawned)
            try:
                return None if data is None else msgspec.msgpack.decode(data, type=Outcome)
            except msgspec.MsgspecError:
                return None

        def fault(number: int) -> ExtractionFailure:
            each = plugins.extractors[number]
            return failure(each.owner, each.item.name, task.unit.file_path, _KILLED)

        suspects = sorted(self._killers & set(plugins.extractors))
        outcome = ask(number for number in plugins.extractors if number not in suspects) if suspects else None
        if outcome is None:
            suspects = list(plugins.extractors)
            outcome = ask(())
        if outcome is None:
            owner, path = plugins.owner, task.unit.file_path
            said = () if owner is None else (failure(owner, plugins.language, path, _KILLED),)
            return msgspec.msgpack.encode(Outcome(failures=said))
        killers = suspects if len(suspects) == 1 else []
        for number in suspects if not killers else ():
            alone = ask((number,))
            if alone is None:
                killers.append(number)
            else:
                failures = (*outcome.failures, *(each for each in alone.failures if each not in outcome.failures))
                outcome = replace(outcome, extracted=(*outcome.extracted, *alone.extracted), failures=failures)
        self._killers.update(killers)
        return _with_failures(outcome, map(fault, killers))


def _unit(given: tuple[UnitKey, DocumentRows]) -> UnitKey:
    return given[0]


def _with_failures(outcome: Outcome, failures: Iterable[ExtractionFailure]) -> bytes:
    return msgspec.msgpack.encode(replace(outcome, failures=(*outcome.failures, *failures)))


def _batches(tasks: Iterator[tuple[Task, int]], batch_units: int) -> Iterator[list[Task]]:
    """Neighbours of one project together, of bounded number and size."""
    batch: list[Task] = []
    size = 0
    for task, own in tasks:
        if batch and (
            len(batch) == batch_units
            or size + own > BATCH_BYTES
            or task.unit.project_path != batch[0].unit.project_path
        ):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += own
    if batch:
        yield batch


def _forget_current() -> None:
    global _current, _fault
    _current = _fault = None
