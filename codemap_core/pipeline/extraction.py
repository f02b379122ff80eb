"""The work of one process of the bind and extract stages: a language's table, its front end and the extractors over it; one document at a
time. What a plug-in does wrong becomes a failure beside the rows of all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import KnowsBases, LanguageFrontEnd, LibraryDescriber, UnitKey
from codemap_core.hooks.extractors import Concluding, Extractor, Note, Seen
from codemap_core.hooks.interests import matches, union
from codemap_core.hooks.matching import Distribution, Wanted
from codemap_core.hooks.registry import Owner, Registration
from codemap_core.model import LibrarySymbolRow, Project, ReferenceRow, RelationRow, SymbolRow
from codemap_core.model.bound import BoundDocument
from codemap_core.model.reference import PackedReferences, pack
from codemap_core.pipeline.apart import asked_apart
from codemap_core.pipeline.guard import (
    PLUGIN_FAULTS,
    ExtractionFailure,
    RowError,
    failure,
    failure_of,
    plugin_call,
)
from codemap_core.pipeline.row_checks import Extracted, Place, check_concluded, decode_extracted, encode_extracted

CONCLUDING: Final = 6
"""How many times as long as one document a conclusion may take."""
FACT_EXTRACTORS: Final = "fact_extractors"
_encode: Final = msgspec.msgpack.encode
_Row = TypeVar("_Row", SymbolRow, RelationRow)


class Task(Struct, frozen=True, array_like=True):
    """A document to extract. ``text``: where something asks for it. ``only``: numbers of the extractors that take part; null for all."""

    unit: UnitKey
    line_count: int = 0
    text: str | None = None
    only: tuple[int, ...] | None = None


class Outcome(Struct, frozen=True, array_like=True):
    """What a document gave, each part encoded for itself: the rows of the front end, and of each extractor by its number."""

    symbols: bytes = b""
    references: bytes = b""
    relations: bytes = b""
    extracted: tuple[tuple[int, bytes], ...] = ()
    failures: tuple[ExtractionFailure, ...] = ()


class DocumentRows(Struct, frozen=True):
    """Everything one file gives in one project. ``notes``: by the number of the extractor that left them."""

    symbols: tuple[SymbolRow, ...] = ()
    references: PackedReferences = PackedReferences()
    relations: tuple[RelationRow, ...] = ()
    further: tuple[tuple[int, Extracted], ...] = ()
    failures: tuple[ExtractionFailure, ...] = ()


class Plugins(Struct, frozen=True):
    """Who takes part: a front end with its owner, neither for files of no language, and extractors by number."""

    front_end: LanguageFrontEnd | None
    owner: Owner | None
    extractors: Mapping[int, Registration[Extractor]]
    seconds: float
    """How long a plug-in that is not built in may take for one file."""

    @property
    def language(self) -> str:
        return self.front_end.name if self.front_end is not None else ""

    @property
    def wants_text(self) -> Callable[[str], bool]:
        """Whether anybody wants the text of a file, by its path."""
        interests = [each.item.interests for each in self.extractors.values()]
        if self.front_end is not None and any(each.text for each in interests):
            return lambda _: True
        patterns = tuple(dict.fromkeys(each.files for each in interests if each.files))
        return lambda file_path: any(matches(each, file_path) for each in patterns)


def takes_part(extractor: Extractor, language: str) -> bool:
    """Whether an extractor may have to do with documents of a language; with files of none where that is empty."""
    if extractor.interests.files:
        return True
    return bool(language) and extractor.language in ("", language)


class Extraction:
    """``table``: made by the front end of ``plugins``. ``has_compiled``: some of the units belong to a project; then facts come from
    these alone, and not from templates and leftovers that no project compiles."""

    def __init__(
        self, plugins: Plugins, table: Any, projects: Mapping[str, Project], has_compiled: bool = False
    ) -> None:
        self._plugins: Final = plugins
        self._table: Final = table
        self._projects: Final = projects
        front_end: object = plugins.front_end
        self._knows_bases: Final = front_end if isinstance(front_end, KnowsBases) else None
        self._wanted: Final = {
            number: Wanted(each.item.interests)
            for number, each in plugins.extractors.items()
            if each.item.language in ("", plugins.language) and plugins.language
        }
        """Of the extractors that see this language's documents."""
        self._wanted_of_leftovers: Final = {
            number: each
            for number, each in self._wanted.items()
            if not has_compiled or plugins.extractors[number].point != FACT_EXTRACTORS
        }
        """Of those that see the documents that no project compiles."""
        with_files: dict[tuple[str, ...], list[int]] = {}
        for number, each in plugins.extractors.items():
            if each.item.interests.files:
                with_files.setdefault(each.item.interests.files, []).append(number)
        self._with_files: Final = with_files
        """By patterns of files, who asks for them."""
        self._with_text: Final = tuple(number for number, each in self._wanted.items() if each.interests.text)
        self._interests: Final = union(each.interests for each in self._wanted.values())
        self._distribution: Final = Distribution(self._wanted)

    @property
    def has_foreign(self) -> bool:
        """Whether anybody takes part who is not built in."""
        owners = (self._plugins.owner, *(each.owner for each in self._plugins.extractors.values()))
        return any(owner is not None and not owner.built_in for owner in owners)

    def outcome(self, task: Task) -> bytes:
        """An encoded ``Outcome``. Raises: MemoryError."""
        unit = task.unit
        failures: list[ExtractionFailure] = []
        symbols = references = relations = b""
        declared: list[str] = []
        document = BoundDocument(file_path=unit.file_path, project_path=unit.project_path)
        front_end, owner = self._plugins.front_end, self._plugins.owner
        if front_end is not None and owner is not None:
            try:
                with plugin_call(owner, self._plugins.seconds):
                    rows = tuple(front_end.symbols(self._table, unit))
                    symbols = self._encoded(rows, unit)
                    declared = [row.symbol_id for row in rows]
            except PLUGIN_FAULTS as error:
                failures.append(failure_of(owner, front_end.name, unit.file_path, error))
            try:
                with plugin_call(owner, self._plugins.seconds):
                    bound = _bound(front_end.bind(self._table, unit, self._interests))
                    references = self._encoded_references(bound.references, unit)
                    relations = self._encoded(bound.relations, unit)
                    document = bound
            except PLUGIN_FAULTS as error:
                references = relations = b""
                failures.append(failure_of(owner, front_end.name, unit.file_path, error))
        extracted: list[tuple[int, bytes]] = []
        for number, seen in self._seen(task, document):
            each = self._plugins.extractors[number]
            try:
                data = self._extract(each, seen, task, declared)
                if data:
                    extracted.append((number, data))
            except PLUGIN_FAULTS as error:
                failures.append(failure_of(each.owner, each.item.name, unit.file_path, error))
        return _encode(Outcome(symbols, references, relations, tuple(extracted), tuple(failures)))

    def library_symbols(
        self, symbol_ids: Iterable[str]
    ) -> tuple[tuple[LibrarySymbolRow, ...], tuple[ExtractionFailure, ...]]:
        """What the front end knows of symbols that nothing declares."""
        describer: object = self._plugins.front_end
        owner = self._plugins.owner
        if owner is None or not isinstance(describer, LibraryDescriber):
            return (), ()
        if owner.built_in:
            try:
                with plugin_call(owner):
                    return tuple(describer.library_symbols(self._table, tuple(symbol_ids))), ()
            except PLUGIN_FAULTS as error:  # it costs what the front end knows, not the index
                return (), (failure_of(owner, self._plugins.language, "", error),)

        def described() -> bytes:
            rows = tuple(describer.library_symbols(self._table, tuple(symbol_ids)))
            return msgspec.msgpack.encode(msgspec.convert(rows, tuple[LibrarySymbolRow, ...]))

        data, fault = asked_apart(owner, self._plugins.language, described, "library_symbols")
        if fault is not None:
            return (), (fault,)
        return msgspec.msgpack.decode(data, type=tuple[LibrarySymbolRow, ...]), ()

    @staticmethod
    def _encoded(rows: Sequence[_Row], unit: UnitKey) -> bytes:
        path = unit.file_path
        for row in rows:
            if row.file_path != path:
                raise _of_another_file(row.file_path)
        return _encode(rows) if rows else b""

    @staticmethod
    def _encoded_references(rows: tuple[ReferenceRow, ...] | PackedReferences, unit: UnitKey) -> bytes:
        packed = pack(rows)
        for path in packed.files:
            if path != unit.file_path:
                raise _of_another_file(path)
        return _encode(packed) if packed else b""

    def _extract(self, extractor: Registration[Extractor], seen: Seen, task: Task, declared: Sequence[str]) -> bytes:
        path, place = task.unit.file_path, Place(task.line_count, task.unit.project_path)

        def places(file_path: str) -> Place | None:
            return place if file_path == path else None

        with plugin_call(extractor.owner, self._plugins.seconds):
            return encode_extracted(extractor, extractor.item.extract(seen), places, lambda: declared)

    def _seen(self, task: Task, document: BoundDocument) -> Iterator[tuple[int, Seen]]:
        """What extractors are handed of a document, each with the extractor's number and in the order of the numbers: those for whom
        something in it is of interest."""
        unit = task.unit
        wanted = self._wanted if unit.project_path else self._wanted_of_leftovers
        given = self._distribution.of(document)
        with_text = {number for number in self._with_text if number in wanted}
        for patterns, numbers in self._with_files.items():
            if matches(patterns, unit.file_path):
                with_text.update(numbers)
        concerned = with_text | ((given.events.keys() | given.declarations.keys()) & wanted.keys())
        if document.attributes:
            concerned |= {number for number, each in wanted.items() if each.wants_one(document.attributes)}
        if task.only is not None:
            concerned &= set(task.only)
        if not concerned:
            return
        known_bases = self._known_bases(unit)
        for number in sorted(concerned):
            yield (
                number,
                Seen(
                    file_path=unit.file_path,
                    project=self._projects.get(unit.project_path),
                    language=self._plugins.language,
                    document=document,
                    declarations=tuple(given.declarations.get(number, ())) if number in wanted else (),
                    events=given.events.get(number, {}) if number in wanted else {},
                    text=task.text if number in with_text else None,
                    line_count=task.line_count,
                    **known_bases,
                ),
            )

    def _known_bases(self, unit: UnitKey) -> Mapping[str, Any]:
        front_end = self._knows_bases
        if front_end is None:
            return {}
        return {
            "bases_of": partial(front_end.bases_of, self._table, unit),
            "interfaces_of": partial(front_end.interfaces_of, self._table, unit),
        }


def _of_another_file(path: str) -> RowError:
    return RowError(f"it gave a row of {path} for this file")


def _bound(given: object) -> BoundDocument:
    if not isinstance(given, BoundDocument):
        raise RowError(f"its bind returned {type(given).__name__}, not a BoundDocument")
    return given


def conclude(
    extractor: Registration[Extractor], notes: Sequence[Note], places: Callable[[str], Place | None], seconds: float
) -> tuple[Extracted, tuple[ExtractionFailure, ...]]:
    """What an extractor concludes from its notes."""
    item = extractor.item
    if not isinstance(item, Concluding):
        return Extracted(), (failure(extractor.owner, item.name, "", "it left notes, but has no conclude"),)
    try:
        with plugin_call(extractor.owner, CONCLUDING * seconds):
            return check_concluded(extractor, item.conclude(notes), places), ()
    except PLUGIN_FAULTS as error:
        return Extracted(), (failure_of(extractor.owner, item.name, "", error),)


_DECODE: Final = {
    "symbols": msgspec.msgpack.Decoder(tuple[SymbolRow, ...]).decode,
    "references": msgspec.msgpack.Decoder(PackedReferences).decode,
    "relations": msgspec.msgpack.Decoder(tuple[RelationRow, ...]).decode,
}
_decode_outcome: Final = msgspec.msgpack.Decoder(Outcome).decode


def decoded(data: bytes, task: Task, plugins: Plugins) -> DocumentRows:
    """The rows of an outcome; a part that does not hold what its type says is a failure of the front end."""
    outcome = _decode_outcome(data)
    failures = list(outcome.failures)
    rows: dict[str, Any] = {}
    for name, decode in _DECODE.items():
        part: bytes = getattr(outcome, name)
        try:
            if part:
                rows[name] = decode(part)
        except msgspec.ValidationError as error:
            assert plugins.owner is not None
            said = f"one of its {name} cannot be stored: {error}"
            failures.append(failure(plugins.owner, plugins.language, task.unit.file_path, said))
    return DocumentRows(
        **rows,
        further=tuple((number, decode_extracted(part)) for number, part in outcome.extracted),
        failures=tuple(failures),
    )


def without_parts(symbols: Iterable[SymbolRow], documents: AbstractSet[str]) -> Iterator[SymbolRow]:
    """The symbols without their parts in files that are not part of the index."""
    for symbol in symbols:
        if all(part.file_path in documents for part in symbol.other_parts):
            yield symbol
        else:
            kept = tuple(part for part in symbol.other_parts if part.file_path in documents)
            yield replace(symbol, other_parts=kept)
