"""What an earlier index leaves to be taken over: which documents of another state must be analysed, which bound, and the units and notes of
all the others.

A document is taken over when its unit and its projects are the same and nothing it depends on changed (``dependencies``). Its rows are then
equal, so the earlier index need not be asked for them. Without records, as an index of a part of a repository keeps none, nothing is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import UnitKey
from codemap_core.hooks.extractors import Note
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import DocumentRow, DocumentStatus, Project
from codemap_core.model.document import FAULTS
from codemap_core.pipeline.analyse import AnalysedUnit
from codemap_core.pipeline.dependencies import Affected, affected
from codemap_core.pipeline.discover import Discovery, sees_same_libraries
from codemap_core.pipeline.layout import Layout, compiling
from codemap_core.pipeline.records import decode_notes
from codemap_core.pipeline.surface_difference import State
from codemap_core.storage.files.library_places import give_the_same
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.writing.document_records import DocumentRecord


class UnitsByKey(Protocol):
    def units(self, keys: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Those that are known of these keys, and perhaps others."""
        ...


class Previous(Struct, frozen=True):
    """An index as the pipeline left it."""

    documents: Mapping[str, DocumentRow]
    """By path, without their text."""
    records: Mapping[UnitKey, DocumentRecord]
    projects: Mapping[str, Project]
    conclusions: Mapping[str, Mapping[str, bytes]]
    """Digests of concluded rows, by the label of the extractor and the path of the document that owns them."""


class Standing(Struct, frozen=True):
    """What follows from a ``Previous``, kept with it so that a small change need not look at everything."""

    keys: Mapping[str, Mapping[UnitKey, bytes]]
    """Name of a language → units → what they were made from. As long as nothing changes these are the same objects."""
    surfaces: Mapping[UnitKey, bytes]
    symbols: Mapping[str, int]
    """How many rows the units of a project gave, by its path."""
    references: Mapping[str, int]
    unsettled: frozenset[str]
    """Paths of documents that are looked at each time: something failed on them."""
    layout: Layout | None
    """What lists exactly the units of ``surfaces``; null where they are not known to be the same."""

    @classmethod
    def of(cls, previous: Previous, layout: Layout) -> Standing:
        keys: dict[str, dict[UnitKey, bytes]] = {}
        symbols: Counter[str] = Counter()
        references: Counter[str] = Counter()
        surfaces: dict[UnitKey, bytes] = {}
        for key, record in previous.records.items():
            if record.key:
                surfaces[key] = record.surface
                symbols[key.project_path] += record.symbols
                references[key.project_path] += record.references
                language = layout.languages.get(key.file_path)
                if language is not None:
                    keys.setdefault(language, {})[key] = record.key
        unsettled = frozenset(path for path, row in previous.documents.items() if is_unsettled(row, previous.records))
        return cls(keys, surfaces, symbols, references, unsettled, layout if surfaces.keys() == layout.units else None)


def is_unsettled(document: DocumentRow, records: Mapping[UnitKey, DocumentRecord]) -> bool:
    """Whether something failed on a document, or nothing is recorded of it."""
    if document.problems and any(problem.code in FAULTS for problem in document.problems):
        return True
    return not _is_recorded(document, records)


def _is_recorded(document: DocumentRow, records: Mapping[UnitKey, DocumentRecord]) -> bool:
    path = document.file_path
    if len(document.projects) < 2:  # nearly all of thousands
        return UnitKey(document.projects[0] if document.projects else "", path) in records
    return all(UnitKey(project, path) in records for project in document.projects)


class Keys(Struct, frozen=True):
    """What the units of a language were made from, in a state. ``changed``: units that differ from ``base``."""

    now: Mapping[UnitKey, bytes]
    base: Mapping[UnitKey, bytes]
    changed: frozenset[UnitKey]

    def since(self, other: Mapping[UnitKey, bytes]) -> AbstractSet[UnitKey]:
        """Units that ``other`` has otherwise, or that only one of the two has."""
        if other is self.now:
            return frozenset()
        if other is self.base:
            return self.changed
        return {key for key, _ in self.now.items() ^ other.items()}


def read_previous(
    index: EarlierIndex,
    discovery: Discovery,
    places: Mapping[str, str],
    documents: Mapping[str, DocumentRow] | None = None,
) -> Previous:
    """Its records are left out where none of them holds for ``discovery``: other libraries are bound against, or only a part is indexed.
    ``places``: what these are found by; ``documents``: those of the index, where they are known."""
    if documents is None:
        documents = {each.file_path: each for each in index.documents()}
    projects = {each.project_path: each for each in index.projects()}
    nothing = Previous(documents, {}, projects, {})
    if discovery.declared or not give_the_same(index.info.library_places, places):
        return nothing
    recorded = index.records()
    if recorded is None:
        return nothing
    records = {UnitKey(project, path): record for (project, path), record in recorded.documents.items()}
    return Previous(documents, records, projects, recorded.conclusions)


def with_present_versions(
    previous: Previous, discovery: Discovery, host: PluginHost, work_tree: str | None
) -> Previous:
    """``previous`` as it would be with the versions that projects name of the same packages now, where no document depends on them: with
    the id of a package a project says which libraries it sees, with the version only where on this machine they are. What plug-ins read
    that are not built in is not known. ``work_tree``: as for ``discover``."""
    now = {project.project_path: project for project in discovery.graph.projects}
    moved = {
        path: replace(before, packages=now[path].packages)
        for path, before in previous.projects.items()
        if path in now and before.packages != now[path].packages and _package_ids(before) == _package_ids(now[path])
    }
    if not moved:
        return previous
    owners = (*map(host.owner_of, host.languages), *(each.owner for each in host.extractors))
    projects = {**previous.projects, **moved}
    if not all(owner.built_in for owner in owners) or not sees_same_libraries(
        host, list(previous.projects.values()), list(projects.values()), work_tree
    ):
        return previous
    return replace(previous, projects=projects)


def _package_ids(project: Project) -> set[str]:
    return {package.id for package in project.packages}


def to_analyse(previous: Previous, discovery: Discovery, retries: bool) -> Discovery:
    """``discovery`` with those files alone whose contents, projects or settings may differ from those of the index. ``retries``: also with
    those on which something failed, which may give more now."""
    now = {project.project_path: project for project in discovery.graph.projects}
    as_before = {
        path for path, each in previous.projects.items() if path in now and _settings(now[path]) == _settings(each)
    }

    def differs(path: str, blob_id: str) -> bool:
        before = previous.documents.get(path)
        if before is None or is_other(path, blob_id):
            return True
        compiled_by = discovery.compiled_by.get(path, ())
        if before.projects != tuple([each.project_path for each in compiled_by]):
            return True
        if before.status is not DocumentStatus.FAILED and not _is_recorded(before, previous.records):
            return True
        return not as_before.issuperset(before.projects)

    def is_other(path: str, blob_id: str) -> bool:
        before = previous.documents.get(path)
        if before is None or before.blob_id != blob_id:
            return True
        return retries and any(problem.code in FAULTS for problem in before.problems)

    def was_compiled(path: str) -> bool:
        """What no project names any more may be text (``CompilesNamedFiles``)."""
        before = previous.documents.get(path)
        return before is not None and bool(before.projects)

    if not previous.records:
        return discovery
    return replace(
        discovery,
        sources=tuple(each for each in discovery.sources if differs(each[0].path, each[0].blob_id)),
        texts=tuple(each for each in discovery.texts if is_other(each.path, each.blob_id) or was_compiled(each.path)),
        oversized=tuple(each for each in discovery.oversized if is_other(each.path, each.blob_id)),
    )


def narrowed(discovery: Discovery, paths: AbstractSet[str]) -> Discovery:
    """``discovery`` with those of its files alone."""
    return replace(
        discovery,
        sources=tuple(each for each in discovery.sources if each[0].path in paths),
        texts=tuple(each for each in discovery.texts if each.path in paths),
        oversized=tuple(each for each in discovery.oversized if each.path in paths),
    )


def sees_other_libraries(previous: Previous, discovery: Discovery) -> bool:
    """Whether projects may see other libraries than those of the index, or these be described otherwise."""

    def seen(projects: Iterable[Project]) -> list[tuple[object, ...]]:
        return [(each.project_path, each.packages, each.assembly_name, each.sources_seen) for each in projects]

    return seen(previous.projects.values()) != seen(discovery.indexed.projects)


def with_referenced(projects: Iterable[str], graph: Mapping[str, Project]) -> set[str]:
    """Paths of projects, and of all that they reference, directly or not."""
    found = set(projects)
    pending = list(found)
    while pending:
        project = graph.get(pending.pop())
        for reference in project.sources_seen if project is not None else ():
            if reference not in found:
                found.add(reference)
                pending.append(reference)
    return found


def _without(keys: Mapping[UnitKey, bytes], units: AbstractSet[UnitKey]) -> Mapping[UnitKey, bytes]:
    """The same object where none of the units is among them."""
    if units.isdisjoint(keys):
        return keys
    return {key: made_from for key, made_from in keys.items() if key not in units}


def _settings(project: Project) -> tuple[object, ...]:
    return project.defines, project.lang_version, project.left_out


def _decoded_notes(
    records: Iterable[tuple[UnitKey, DocumentRecord]], only: AbstractSet[str] | None
) -> dict[str, list[Note]]:
    """By extractor. ``only``: of these."""
    found: dict[str, list[Note]] = {}
    for _, record in sorted(records, key=lambda each: (not each[1].key, each[0])):
        for label, notes in record.notes:
            if only is None or label in only:
                found.setdefault(label, []).extend(decode_notes(notes))
    return found


def _units_of(previous: Previous, path: str) -> Iterator[UnitKey]:
    """Those that a document may have there, that of no project among them."""
    document = previous.documents.get(path)
    for project in (*(document.projects if document is not None else ()), ""):
        yield UnitKey(project, path)


class Reuse:
    """Which units of a state are extracted, and what is known of the others. ``extracted``: the former, at first those that changed alone,
    until ``extract_affected`` is told of the others."""

    def __init__(
        self,
        previous: Previous,
        standing: Standing,
        discovery: Discovery,
        layout: Layout,
        analysed: Mapping[UnitKey, AnalysedUnit],
        replaced: AbstractSet[str],
    ) -> None:
        """``discovery``, with its ``layout``: of the whole state; ``analysed``: of the files that ``to_analyse`` named; ``replaced``: their
        paths. Those of which nothing could be analysed, as they are binary now, have no unit any more."""
        self._previous: Final = previous
        self._standing: Final = standing
        self._analysed: Final = analysed
        self._discovery: Final = discovery
        self._layout: Final = layout
        records = previous.records
        old = standing.surfaces
        lost = {key for path in replaced for key in _units_of(previous, path) if key in old and key not in analysed}
        self._is_settled: Final = layout is standing.layout and analysed.keys() <= old.keys() and not lost
        self.units: Final[AbstractSet[UnitKey]] = (
            layout.units if self._is_settled else ((records.keys() - lost) & layout.units) | analysed.keys()
        )
        """All of the state."""
        same = {key for key, unit in analysed.items() if key in records and records[key].key == unit.key}
        self._gone: Final = frozenset() if self._is_settled else old.keys() - self.units
        new = {**old}
        for key in self._gone:
            del new[key]
        new.update((key, unit.surface) for key, unit in analysed.items())
        self.changed: Final = (analysed.keys() - same) | self._gone
        """Units that are new, gone or made of other contents."""
        graph = {project.project_path: project for project in discovery.graph.projects}
        self._states: Final = State(old, previous.projects), State(new, graph)
        self.extracted = self._whole_files(self.changed | analysed.keys())
        self._graph: Final = graph
        self._keys: Final[dict[str, Keys]] = {}

    def _whole_files(self, units: Iterable[UnitKey]) -> set[UnitKey]:
        """A file is extracted for all projects that compile it, since it is replaced whole."""
        paths = {unit.file_path for unit in units}
        found = {UnitKey(project, path) for path in paths for project in compiling(self._discovery, path)}
        return found & self.units

    def affected(self) -> Affected:
        """What may be bound otherwise, which other processes may find out."""
        return affected(*self._states, self.changed)

    def extract_affected(
        self, found: Affected, first_declaring: Callable[[AbstractSet[str]], AbstractSet[str]]
    ) -> None:
        """Adds what ``affected`` has found. ``first_declaring``: paths of some documents → of those with the rows of partial symbols that
        they go on with, in the index that is ``previous``."""
        units = found.units
        if found.continued:
            paths = first_declaring(found.continued)
            units |= {key for key in self.units - self.changed if key.file_path in paths}
        self.extracted |= self._whole_files(units)

    def extract_also(self, paths: AbstractSet[str]) -> set[UnitKey]:
        """Adds files; answers with the units that were not extracted so far."""
        further = self._whole_files(UnitKey("", path) for path in paths) - self.extracted
        self.extracted |= further
        return further

    def made_from(self, unit: UnitKey) -> bytes:
        """What a unit of the state is cached under."""
        analysed = self._analysed.get(unit)
        return analysed.key if analysed is not None else self._previous.records[unit].key

    def keys(self, language: str) -> Keys:
        """What all units of a language were made from."""
        found = self._keys.get(language)
        if found is None:
            base = self._standing.keys.get(language, {})
            now = {
                key: unit.key
                for key, unit in self._analysed.items()
                if self._layout.languages[key.file_path] == language
            }
            now = {key: made_from for key, made_from in now.items() if base.get(key) != made_from}
            gone = self._gone & base.keys()
            if now or gone:
                whole = {**base, **now}
                for key in gone:
                    del whole[key]
                found = Keys(whole, base, frozenset({*now, *gone}))
            else:
                found = Keys(base, base, frozenset())
            self._keys[language] = found
        return found

    def extract_every_language(self) -> None:
        """Adds a file of each language of which none that was bound before is extracted, so that each is asked about symbols of
        libraries."""
        languages = self._layout.languages
        bound = (self._previous.records.keys() & self.units) - self._analysed.keys()
        asked = {languages[unit.file_path] for unit in bound & self.extracted}
        first = {languages[unit.file_path]: unit.file_path for unit in sorted(bound, reverse=True)}
        self.extract_also({path for language, path in first.items() if language not in asked})

    def noted_otherwise(self, records: Mapping[UnitKey, DocumentRecord], texts: AbstractSet[str]) -> set[str]:
        """Extractors that left other notes than before. ``records``: of what is extracted; ``texts``: paths of the files of no language
        that are taken over."""
        before = self._previous.records
        if self._is_settled:  # no unit is gone
            gone = {UnitKey("", path) for path in self._layout.texts - texts}
        else:
            gone = before.keys() - self.units - {UnitKey("", path) for path in texts}
        noted: set[str] = set()
        for key in {*records, *self.extracted, *gone}:
            one, other = before.get(key), records.get(key)
            noted.update(
                label
                for label, _ in {*(one.notes if one is not None else ())}
                ^ {*(other.notes if other is not None else ())}
            )
        return noted

    def placed_otherwise(self) -> set[str]:
        """Paths of documents that are extracted, and that another project compiles first now: rows that are concluded name that one."""
        documents = self._previous.documents
        paths = {key.file_path for key in self.extracted}
        return {
            path
            for path in paths & documents.keys()
            if (documents[path].projects or ("",))[0] != compiling(self._discovery, path)[0]
        }

    def counts(self) -> tuple[Counter[str], Counter[str]]:
        """How many symbols and references the units that are taken over gave, by project."""
        symbols, references = Counter(self._standing.symbols), Counter(self._standing.references)
        for key in self._gone | (self.extracted & self._standing.surfaces.keys()):
            record = self._previous.records[key]
            symbols[key.project_path] -= record.symbols
            references[key.project_path] -= record.references
        return symbols, references

    def notes(self, texts: AbstractSet[str], only: AbstractSet[str] | None = None) -> dict[str, list[Note]]:
        """Those that extractors left of what is taken over, by extractor. ``texts``: paths of the files of no language that are. ``only``:
        of these extractors."""
        if only is not None and not only:
            return {}
        taken: list[tuple[UnitKey, DocumentRecord]] = []
        for key, record in self._previous.records.items():
            if not record.notes or not (only is None or any(label in only for label, _ in record.notes)):
                continue
            if (key in self.units and key not in self.extracted) if record.key else key.file_path in texts:
                taken.append((key, record))
        return _decoded_notes(taken, only)

    def after(
        self,
        documents: Mapping[str, DocumentRow],
        replaced: Mapping[str, DocumentRow],
        records: Mapping[UnitKey, DocumentRecord],
    ) -> tuple[dict[UnitKey, DocumentRecord], Standing]:
        """The records of the state itself, and what follows from them. ``documents``: all that it has; ``replaced``: those that were
        extracted; ``records``: of them."""
        kept = {**self._previous.records}
        surfaces = {**self._standing.surfaces}
        gone = self._previous.documents.keys() - documents.keys()
        for path in (*gone, *replaced):
            for key in _units_of(self._previous, path):
                kept.pop(key, None)
                surfaces.pop(key, None)
        kept.update(records)
        symbols, references = self.counts()
        for key, record in records.items():
            if record.key:
                surfaces[key] = record.surface
                symbols[key.project_path] += record.symbols
                references[key.project_path] += record.references
        unsettled = self._standing.unsettled - gone - replaced.keys()
        unsettled |= {path for path, row in replaced.items() if is_unsettled(row, kept)}
        unbound = self.extracted - records.keys()  # something failed: nothing is recorded of these
        languages = {*self._standing.keys, *self._layout.languages.values()}
        left = {language: _without(self.keys(language).now, unbound) for language in languages}
        keys = {language: units for language, units in left.items() if units}
        # Where they were the same before, no unit has come that is not listed.
        listed = self._layout.units
        is_same = len(surfaces) == len(listed) and (self._is_settled or surfaces.keys() == listed)
        return kept, Standing(keys, surfaces, symbols, references, unsettled, self._layout if is_same else None)

    def needed(self) -> set[UnitKey]:
        """The units that a table must hold to bind those that are extracted: all of the projects they see. One of a project and one of
        none are always among them, if there are any, since it matters whether there are."""
        projects = with_referenced({key.project_path for key in self.extracted}, self._graph)
        found = {key for key in self.units if key.project_path in projects}
        for is_compiled in (False, True):
            one = min((key for key in self.units if bool(key.project_path) is is_compiled), default=None)
            if one is not None:
                found.add(one)
        return found

    def stored_units(self, keys: Iterable[UnitKey], cache: UnitsByKey | None) -> tuple[dict[UnitKey, bytes], set[str]]:
        """Units that the cache holds of those that were not analysed now, and the paths of the files whose units it does not."""
        wanted: dict[bytes, list[UnitKey]] = {}
        for key in keys:
            wanted.setdefault(self._previous.records[key].key, []).append(key)
        found = cache.units(wanted) if cache is not None else {}
        units: dict[UnitKey, bytes] = {}
        missing: set[str] = set()
        for unit_key, users in wanted.items():
            unit = found.get(unit_key)
            if unit is None:
                missing.update(key.file_path for key in users)
            else:
                for key in users:
                    units[key] = unit
        return units, missing
