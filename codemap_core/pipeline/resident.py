"""What a process that refreshes again and again keeps from one refresh to the next: files of commits, what is known of the states of
indexes and what their units gave lately, and the tables of languages.

Nothing here is needed: without it everything is made again, with the same result. States are inert values, each of one revision of one
workspace; the next one shares what a refresh did not change. A table is brought from whichever state it shows to the one that is asked
about: units are known by what they were made from, so it does not matter whose state it was.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import LanguageFrontEnd, Redeclares, UnitKey, Universe
from codemap_core.hooks.manager import PluginHost
from codemap_core.hooks.registry import Owner
from codemap_core.model import Blob, DocumentRow, Project, ProjectGraph
from codemap_core.pipeline.apart import declare, table_of
from codemap_core.pipeline.changes import Changes
from codemap_core.pipeline.conclusions import without
from codemap_core.pipeline.discover import Discovery, discover
from codemap_core.pipeline.extraction import DocumentRows
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.layout import Layout
from codemap_core.pipeline.loaded_projects import decides
from codemap_core.pipeline.recorded_files import RecordedFiles
from codemap_core.pipeline.reuse import Keys, Previous, Reuse, Standing
from codemap_core.repository import (
    MAX_SOURCE_SIZE,
    MAX_TEXT_SIZE,
    CommitFiles,
    Repository,
    RepositoryFiles,
    start_listing,
)
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.library_places import place_states
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.storage.writing.document_records import DocumentRecord

_STATES: Final = 4
_COMMITS: Final = 2
_REMADE_SHARE: Final = 0.3
"""Of the units of a table: where more than that are other ones, it is made again."""

_UNITS_WITH_ROWS: Final = 400
"""The most of which a state keeps what they gave: few commits change more."""
_NAMED: Final = 10
"""Files in a message."""

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(DocumentRows).decode

_log = logging.getLogger(__name__)

StateKey = tuple[Path, int, int]
"""The file of a workspace, its own number, and the revision."""


class Unedited(Struct, frozen=True):
    """An index that shows a commit as it is: whatever decides what it holds. ``places``: as ``IndexInfo.library_places``, sorted."""

    root: str
    commit_sha: str
    solution: str
    fingerprint: str
    places: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, root: str, info: IndexInfo) -> Unedited:
        return cls(root, info.commit_sha, info.solution, info.fingerprint, tuple(sorted(info.library_places.items())))


class Generation(Struct, frozen=True):
    """One state of a repository as its index shows it."""

    previous: Previous
    discovered: Discovered
    standing: Standing
    rows: Mapping[UnitKey, bytes] = {}
    """What units gave that were extracted lately: in this state, or before it and not again, so that they would give the same in it.
    Encoded ``DocumentRows``, which take less memory so."""

    def shows_projects_of(self, other: Discovered) -> bool:
        """Whether projects, and the libraries that they see, are the same in another state."""
        one, another = self.discovered.discovery, other.discovery
        same = one.graph is another.graph or one.graph == another.graph
        return same and one.libraries == another.libraries and self.discovered.places == other.places


def rows_after(
    before: Mapping[UnitKey, bytes], replaced: AbstractSet[str], now: Mapping[UnitKey, DocumentRows]
) -> Mapping[UnitKey, bytes]:
    """``Generation.rows`` of the next state, where ``before`` are those of one. ``replaced``: paths of documents that are other ones, or
    gone; ``now``: what units gave that were extracted."""
    if len(now) > _UNITS_WITH_ROWS:
        return {}
    kept = {unit: rows for unit, rows in before.items() if unit.file_path not in replaced}
    if len(kept) + len(now) > _UNITS_WITH_ROWS:
        kept.clear()
    return {**kept, **{unit: _encode(rows) for unit, rows in now.items()}}


def next_generation(
    changes: Changes,
    reuse: Reuse,
    kept: Mapping[str, DocumentRow],
    records: Mapping[UnitKey, DocumentRecord],
    digests: Mapping[str, Mapping[str, bytes]],
    found: Discovered,
    rows: Mapping[UnitKey, bytes],
) -> Generation:
    """The state of an index once it has these changes. ``kept``: documents that keep their contents; ``records``: of what was extracted;
    ``digests``: as ``Previous.conclusions``, those of deleted documents too; ``rows``: of ``rows_after``."""
    replaced = {each.document.file_path: replace(each.document, text=None) for each in changes.documents}
    documents = {**kept, **replaced}
    left, standing = reuse.after(documents, replaced, records)
    projects = {project.project_path: project for project in changes.graph.projects}
    return Generation(
        Previous(documents, left, projects, without(digests, set(changes.deleted))), found, standing, rows
    )


class Discovered(Struct, frozen=True):
    """``discovery`` of ``blobs``. ``read``: files whose contents projects were evaluated from; ``places``: the states of what
    libraries were found by; ``changed``: paths of the files that have other contents than in the state that it was found from, null
    where it was not found from one."""

    discovery: Discovery
    blobs: tuple[Blob, ...]
    read: frozenset[str]
    places: Mapping[str, str]
    layout: Layout
    changed: frozenset[str] | None = None


def discovered(
    files: RepositoryFiles,
    host: PluginHost,
    solution: str,
    work_tree: str | None,
    known: Discovered | None,
    cache: UnitCache | None,
) -> Discovered:
    """As ``discover``. Projects are evaluated again only where files came or went, or one of those that they were evaluated from changed.

    Raises: as ``discover``."""
    if known is not None and not known.discovery.declared and known.places == place_states(known.places):
        changed = _changed(known.blobs, files.blobs)
        if changed is not None and not _may_matter(known, changed, files, host):
            discovery = _with_blobs(known.discovery, changed)
            return replace(known, discovery=discovery, blobs=files.blobs, changed=frozenset(changed))
    recorded = RecordedFiles(files)
    discovery = discover(recorded, host, solution, work_tree, cache)
    places = place_states(discovery.library_places)
    return Discovered(discovery, files.blobs, frozenset(recorded.read_paths), places, Layout(discovery))


def _changed(before: tuple[Blob, ...], now: tuple[Blob, ...]) -> dict[str, Blob] | None:
    """Files of other contents, by path; null where files came or went. Both are in path order."""
    if len(before) != len(now):
        return None
    changed: dict[str, Blob] = {}
    for one, other in zip(before, now, strict=True):
        if one is not other and one != other:
            if one.path != other.path:
                return None
            changed[other.path] = other
    return changed


def _may_matter(known: Discovered, changed: Mapping[str, Blob], files: RepositoryFiles, host: PluginHost) -> bool:
    """Whether projects may be evaluated otherwise from one of these files, or one is, or was, too large to be analysed."""
    return (
        any(
            decides(loader, host.owner_of(loader), known.discovery.graph, path, files)
            for path in known.read & changed.keys()
            for loader in host.project_loaders
        )
        or any(blob.size > min(MAX_SOURCE_SIZE, MAX_TEXT_SIZE) for blob in changed.values())
        or any(blob.path in changed for blob in known.discovery.oversized)
    )


def _with_blobs(discovery: Discovery, changed: Mapping[str, Blob]) -> Discovery:
    if not changed:
        return discovery
    return replace(
        discovery,
        sources=tuple(
            (changed[each[0].path], each[1]) if each[0].path in changed else each for each in discovery.sources
        ),
        texts=tuple(changed.get(each.path, each) for each in discovery.texts),
    )


class Kept:
    """What one run of ``find_changes`` takes from a ``Resident``: the state of its index, where that is known. It leaves ``result``, the
    state that its changes lead to."""

    def __init__(self, resident: Resident, key: StateKey | None, unedited: Unedited | None) -> None:
        """``key``: of a workspace; ``unedited``: of an index that shows its commit as it is."""
        self.resident: Final = resident
        self.unedited: Final = unedited
        self.generation: Final = resident.generation(key, unedited)
        self.result: Generation | None = None

    def rows(
        self, language: str, keys: Keys, found: Discovered, wanted: AbstractSet[UnitKey]
    ) -> dict[UnitKey, DocumentRows]:
        """What units of a language are known to give in a state. ``keys``: what its units were made from; ``wanted``: of these."""
        rows = self.resident.rows(language, keys, found)
        return {unit: _decode(rows[unit]) for unit in wanted & rows.keys()}


class _Table:
    """A language's table, and what it shows."""

    def __init__(self, universe: Universe, keys: Mapping[UnitKey, bytes], table: Any) -> None:
        self.universe: Final = universe
        self.keys: Final = keys
        self.table: Final = table


class Resident:
    """Not for several threads at once."""

    def __init__(self) -> None:
        self._generations: Final[OrderedDict[StateKey, Generation]] = OrderedDict()
        self._unedited: Final[OrderedDict[Unedited, Generation]] = OrderedDict()
        self._commits: Final[OrderedDict[tuple[Path, str, str], CommitFiles]] = OrderedDict()
        self._tables: Final[dict[str, _Table]] = {}
        self._faults: Final[dict[str, tuple[Mapping[UnitKey, bytes], ExtractionFailure]]] = {}
        """Why a language has no table of the units that these are made from: each refresh would wait for it again."""

    def generation(self, key: StateKey | None, unedited: Unedited | None = None) -> Generation | None:
        known = self._generations.get(key) if key is not None else None
        return self._unedited.get(unedited) if known is None and unedited is not None else known

    def rows(self, language: str, keys: Keys, found: Discovered) -> Mapping[UnitKey, bytes]:
        """As ``Kept.rows``, of all units and encoded. It does not matter which workspace or commit showed the state: that of a commit is
        mostly one that a workspace had just before."""
        for each in (*self._generations.values(), *self._unedited.values()):
            same = each.rows and each.standing.keys.get(language) == keys.now
            if same and each.shows_projects_of(found):
                return each.rows
        return {}

    def remember_unedited(self, unedited: Unedited, generation: Generation) -> None:
        """Serves the index of a commit, and every workspace that shows it as it is."""
        self._unedited.pop(unedited, None)
        self._unedited[unedited] = generation
        while len(self._unedited) > _COMMITS:
            self._unedited.popitem(last=False)

    def has_seen(self, repository: Repository) -> bool:
        """Whether it was asked about that lately, so that the tables are those of it."""
        return any(key[:2] == (repository.root, repository.subtree) for key in self._commits)

    def nearest_unedited(self, root: str, fingerprint: str, files: Sequence[Blob]) -> Unedited | None:
        """Of the indexes of whole commits that are known, the one that shares most files."""
        wanted = {(blob.path, blob.blob_id) for blob in files}
        best: tuple[int, Unedited] | None = None
        for each, generation in self._unedited.items():
            if (each.root, each.solution, each.fingerprint) == (root, "", fingerprint):
                shared = sum((blob.path, blob.blob_id) in wanted for blob in generation.discovered.blobs)
                if shared and (best is None or shared > best[0]):
                    best = (shared, each)
        return best[1] if best is not None else None

    def remember(self, key: StateKey, generation: Generation, unedited: Unedited | None = None) -> None:
        """Takes the place of what is known of other revisions of the same workspace. ``unedited``: where it shows a commit as it is."""
        if unedited is not None:
            self.remember_unedited(unedited, generation)
        for other in [each for each in self._generations if each[0] == key[0]]:
            del self._generations[other]
        self._generations[key] = generation
        while len(self._generations) > _STATES:
            self._generations.popitem(last=False)

    @contextmanager
    def commit_files(self, repository: Repository, commit: str) -> Iterator[CommitFiles]:
        """As ``CommitFiles``, whose list of files is kept."""
        key = (repository.root, repository.subtree, commit)
        files = self._commits.pop(key, None)
        if files is None:
            files = CommitFiles(repository, commit, start_listing(repository, commit, self._sizes(key[:2])))
        self._commits[key] = files
        while len(self._commits) > _COMMITS:
            self._commits.popitem(last=False)
        with closing(files):
            yield files

    def _sizes(self, repository: tuple[Path, str]) -> dict[str, int]:
        """Bytes of the files of commits that are known, by their blob ids."""
        known = [files for key, files in self._commits.items() if key[:2] == repository]
        return {blob.blob_id: blob.size for files in known for blob in files.blobs}

    def table(
        self, front_end: LanguageFrontEnd, owner: Owner, universe: Universe, keys: Keys
    ) -> tuple[Any, ExtractionFailure | None]:
        """The table of a universe, or what was wrong. ``keys``: what each of its units was made from."""
        held = self._tables.pop(front_end.name, None)
        changed = self._difference(held, universe, keys)
        fault = None
        if held is not None and changed is not None and isinstance(front_end, Redeclares):
            before, redeclare = held.table, front_end.redeclare
            table = before
            if changed:
                table, fault = table_of(front_end, owner, lambda: redeclare(before, universe, changed), "redeclare")
                if fault is not None:
                    paths = sorted({key.file_path for key in changed})
                    _log.warning("%s; its table is made again. Changed were %s", fault.said, ", ".join(paths[:_NAMED]))
            del before
        else:
            table = None
        del held
        if table is None:  # there was none, or it could not be changed
            known = self._faults.get(front_end.name)
            if known is not None and known[0] == keys.now:
                return None, known[1]
            table, fault = declare(front_end, owner, universe)
        if fault is not None:
            self._faults[front_end.name] = (keys.now, fault)
            return None, fault
        self._faults.pop(front_end.name, None)
        if isinstance(front_end, Redeclares):
            self._tables[front_end.name] = _Table(universe, keys.now, table)
        return table, None

    def units(self, language: str, keys: Keys) -> dict[UnitKey, bytes]:
        """Those of the units that a table has."""
        held = self._tables.get(language)
        if held is None:
            return {}
        found = {**held.universe.units}
        for key in keys.since(held.keys):
            found.pop(key, None)
        return found

    @staticmethod
    def _difference(held: _Table | None, universe: Universe, keys: Keys) -> AbstractSet[UnitKey] | None:
        """Units that a table shows otherwise; null where it must be made again."""
        if held is None:
            return None
        before = held.universe
        if (before.reference_folders, before.cache_folder) != (universe.reference_folders, universe.cache_folder):
            return None
        if before.graph is not universe.graph and _as_declared(before.graph) != _as_declared(universe.graph):
            return None
        changed = keys.since(held.keys)
        if len(changed) > _REMADE_SHARE * len(keys.now):
            return None
        concerned = {key.project_path for key in changed}
        for project in concerned:  # a project without files is none to a table
            if _has_any(held.keys, project) != _has_any(keys.now, project):
                return None
        return changed


def _has_any(keys: Iterable[UnitKey], project: str) -> bool:
    return any(key.project_path == project for key in keys)


def _as_declared(graph: ProjectGraph) -> list[Project]:
    return [replace(project, files=(), in_solution=False) for project in graph.projects]
