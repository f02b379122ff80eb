"""What scans find: types of the repository's projects, from the notes of all documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from codemap_core.facts import display_type, note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactRow, ReferenceRow, SymbolKind, Visibility
from codemap_core.model.bound import BoundDeclaration, Event
from codemap_plugins.di_registration import container_scans
from codemap_plugins.di_registration.registration import REGISTERS, Named, Place, Registered, place_of, rows_of
from codemap_plugins.di_registration.scans import ASSEMBLY, CALLS, EVERYWHERE, OWN, As, Scan, Wanted, scans

_TYPES: Final = "types"
_SCAN: Final = "scan"
_FOUND: Final = frozenset({SymbolKind.CLASS, SymbolKind.RECORD})
_PROGRAM: Final = "T:Program"
"""What top-level statements are in, though nothing declares it (C# 9); it is internal, so whoever names it means its own."""
_IGNORED: Final = frozenset({"T:System.Object", "T:System.IDisposable"})


class Base(Struct, frozen=True):
    id: str
    display: str

    @property
    def is_interface(self) -> bool:
        """By the rule for names of interfaces; what a scan finds is likely, not certain."""
        return len(self.display) > 1 and self.display[0] == "I" and self.display[1].isupper()


class Found(Struct, frozen=True):
    """A type that a scan may find."""

    id: str
    is_public: bool
    bases: tuple[Base, ...]

    @property
    def name(self) -> str:
        return _simple(self.id)

    @property
    def namespace(self) -> str:
        """With the containing types."""
        return self.id.removeprefix("T:").rpartition(".")[0]


class ScannedRegistrations:
    """Registrations that are beyond the calls which name their types."""

    name = "di_registration_scans"
    language = "csharp"
    interests = Interests(
        declarations=("class", "record", "interface", "struct"), invocations=(*CALLS, *container_scans.CALLS)
    )
    kinds: tuple[str, ...] = (FactKind.DI_REGISTRATION.value,)
    roles: tuple[str, ...] = (REGISTERS,)

    def extract(self, seen: Seen) -> Iterator[Note]:
        project = seen.project.project_path if seen.project is not None else ""
        if seen.declarations:
            assembly = seen.project.assembly_name if seen.project is not None else ""
            yield Note(_TYPES, seen.file_path, 1, [project, assembly, *(_noted(each) for each in seen.declarations)])
        for index, event in seen.events.items():
            for scan in _scans(event, index, seen):
                if scan.is_understood and scan.anchors:
                    data = {"scan": note_data(scan), "place": note_data(place_of(event, seen)), "project": project}
                    yield Note(_SCAN, seen.file_path, event.line, data)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow | ReferenceRow]:
        return rows_of(_registered(notes), Confidence.MEDIUM)


def _registered(notes: Sequence[Note]) -> Iterator[tuple[Registered, Place]]:
    if not any(note.topic == _SCAN for note in notes):
        return
    projects: dict[str, list[str]] = {}
    found: dict[str, dict[str, Found]] = {}
    for note in notes:
        if note.topic == _TYPES:
            project, assembly, *types = note.data
            projects.setdefault(f"{ASSEMBLY}{assembly}", []).append(project)
            for type_id, may_be_found, *said in types:
                projects.setdefault(type_id, []).append(project)
                if may_be_found:
                    found.setdefault(project, {})[type_id] = _found(type_id, *said)
    for note in notes:
        if note.topic == _SCAN:
            yield from _by_scan(note, projects, found)


def _scans(event: Event, index: int, seen: Seen) -> Iterator[Scan]:
    if event.name in CALLS:
        yield from scans(event, index, seen)
    else:
        yield from container_scans.scans(event, index, seen.document)


def _noted(declaration: BoundDeclaration) -> list[Any]:
    """A type in as few words as will do, as every type of a repository is noted: its id, and whether a scan may find it. Then whether it is
    public, and its bases: an id, followed by the display where that says more."""
    type_id = declaration.symbol_id
    is_concrete = not ("abstract" in declaration.modifiers or "static" in declaration.modifiers)
    if declaration.kind not in _FOUND or not is_concrete or "`" in type_id.rpartition(".")[2]:
        return [type_id, False]
    bases = [
        f"{each.id} {display_type(each)}" if each.arguments else each.id
        for each in declaration.all_bases
        if each.id and each.id not in _IGNORED
    ]
    return [type_id, True, declaration.visibility is Visibility.PUBLIC, *bases]


def _found(type_id: str, is_public: bool, *bases: str) -> Found:
    split = (base.partition(" ") for base in bases)
    return Found(type_id, is_public, tuple(Base(base, display or _simple(base)) for base, _, display in split))


def _simple(type_id: str) -> str:
    return type_id.rpartition(".")[2].rpartition(":")[2]


def _by_scan(
    note: Note, projects: Mapping[str, Sequence[str]], found: Mapping[str, Mapping[str, Found]]
) -> Iterator[tuple[Registered, Place]]:
    scan, place = read_note_data(note.data["scan"], Scan), read_note_data(note.data["place"], Place)
    for type_ in _types_of(scan, note.data["project"], projects, found):
        for service in _services(scan, type_):
            registered = Registered(
                service=service,
                implementation=Named(type_.name, type_.id),
                lifetime=scan.lifetime,
                method=scan.method,
                is_beyond=True,
            )
            yield registered, place


def _types_of(
    scan: Scan, own: str, projects: Mapping[str, Sequence[str]], found: Mapping[str, Mapping[str, Found]]
) -> Iterator[Found]:
    """Those that a scan takes, by id. Nothing where an assembly is none of the repository's: it may be any of those that were not found. Of
    several projects that declare a type, as each program has its ``Program``, the scanning one's own is meant."""
    anchored: set[str] = set()
    for anchor in scan.anchors:
        if anchor == EVERYWHERE:
            anchored.update(found)
        elif anchor in (OWN, _PROGRAM) or own in projects.get(anchor, ()):
            anchored.add(own)
        elif anchor in projects:
            anchored.add(projects[anchor][-1])
    types = {type_.id: type_ for project in anchored for type_ in found.get(project, {}).values()}
    for type_id in sorted(types):
        if _is_taken(types[type_id], scan):
            yield types[type_id]


def _is_taken(type_: Found, scan: Scan) -> bool:
    return (
        (type_.is_public or not scan.public_only)
        and type_.name.endswith(scan.ending)
        and type_.name.startswith(scan.beginning)
        and (not scan.namespaces or any(f"{type_.namespace}.".startswith(f"{name}.") for name in scan.namespaces))
        and all(any(_derives(type_, wanted) for wanted in group) for group in scan.any_of)
    )


def _derives(type_: Found, wanted: Wanted) -> bool:
    return type_.id == wanted.id or any(_is_wanted(base, wanted) for base in type_.bases)


def _is_wanted(base: Base, wanted: Wanted) -> bool:
    return base.id == wanted.id and (wanted.is_open or base.display == wanted.display)


def _services(scan: Scan, type_: Found) -> Iterator[Named]:
    itself = Named(type_.name, type_.id)
    interfaces = [Named(base.display, base.id) for base in type_.bases if base.is_interface]
    match scan.exposed:
        case As.SELF:
            yield itself
        case As.INTERFACES:
            yield from interfaces
        case As.SELF_AND_INTERFACES:
            yield itself
            yield from interfaces
        case As.MATCHING:
            yield from (each for each in interfaces if each.display == f"I{type_.name}")
        case As.GIVEN:
            yield from (Named(each.display, each.id) for each in scan.services)
        case As.CLOSED:
            wanted = [each for group in scan.any_of for each in group]
            yield from (
                Named(base.display, base.id) for base in type_.bases if any(_is_wanted(base, each) for each in wanted)
            )
