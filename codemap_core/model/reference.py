"""References: one row for each name occurrence that means a member or type (DESIGN §6 has kinds and positions), and those of a document
column by column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum, StrEnum
from operator import attrgetter
from typing import Any, Final, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import astuple, fields, replace

from codemap_core.model.documentation_id import SymbolId
from codemap_core.model.symbol import Confidence


class RefKind(StrEnum):
    CALL = "call"
    READ = "read"
    WRITE = "write"
    INSTANTIATE = "instantiate"
    OVERRIDE = "override"
    IMPLEMENTATION = "implementation"
    TYPE = "type"
    ATTRIBUTE = "attribute"
    METHOD_GROUP = "method_group"
    EVENT_SUBSCRIBE = "event_subscribe"
    NAMEOF = "nameof"
    CREF = "cref"
    CTOR_INITIALIZER = "ctor_initializer"
    OPERATOR = "operator"
    IMPORT = "import"
    LINK = "link"
    """A reference that code implies without spelling it, found by an extractor; the row's ``role`` tells how."""


SENDS: Final = "sends"
SCHEDULES: Final = "schedules"
REQUESTS: Final = "requests"
"""Roles of links from where a message is sent to what handles it, from where a job is scheduled to what runs then, and from a request over
HTTP to what answers it."""
RUNNING_ROLES: Final = (REQUESTS, SCHEDULES, SENDS)
"""Those of links whose target runs, as that of a call does."""


class ResolutionState(StrEnum):
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"


class UnresolvedReason(StrEnum):
    """Why a name was not bound. A row keeps the value, which says it in a few words; a plug-in may give reasons of its own."""

    NO_SUCH_MEMBER = "no such member"
    NO_OVERLOAD_FITS = "no overload fits the arguments"
    SEVERAL_OVERLOADS_FIT = "several overloads fit"
    NO_METHOD_IN_VIEW = "no method of this name is in view"
    NO_DECLARATION_IN_VIEW = "no declaration of this name is in view"
    NOTHING_IN_VIEW = "nothing of this name is in view"
    RECEIVER_UNKNOWN = "the receiver's type is not known"
    MATCHED_TYPE_UNKNOWN = "the matched type is not known"
    CREATED_TYPE_UNKNOWN = "the created type is not known"
    TARGET_TYPE_UNKNOWN = "the target's type is not known"
    BASE_TYPE_UNKNOWN = "a base type is not known"
    TYPE_NOT_FOUND = "type not found"
    AMBIGUOUS = "ambiguous"
    DYNAMIC = "dynamic"
    NAMES_A_GROUP = "names a group of methods"
    SEVERAL_OF_GROUP_FIT = "several methods of the group fit"
    NO_CONSTRUCTOR_FITS = "no constructor fits the arguments"
    NOT_DECLARED = "nothing known declares this id"
    """Of a link, which names its target by id."""


class ReferenceRow(Struct, frozen=True, kw_only=True):
    kind: RefKind
    from_symbol: SymbolId | None
    """Innermost enclosing member that is a symbol; null for usings and assembly attributes."""
    to_symbol: SymbolId | None
    constructor: SymbolId | None = None
    to_name: str
    to_container_hint: str | None = None
    file_path: str
    line: int
    column: int
    line_end: int
    resolution_state: ResolutionState
    external: bool = False
    is_virtual: bool = False
    """The member is chosen at run time: an override or an implementation of it may be what runs."""
    confidence: Confidence = Confidence.HIGH
    reason: str | None = None
    condition: str | None = None
    project: str = ""
    role: str = ""
    """For a link, a word of the extractor that found it: ``registers``, ``sends``."""


class LinkTarget(IntEnum):
    """What an index knows of the symbol that a link names."""

    DECLARED = 0
    """A document declares it, or a front end binds a name to it."""
    EXTERNAL = 1
    """Only a library does."""
    UNKNOWN = 2


def judged_link(link: ReferenceRow, target: LinkTarget) -> ReferenceRow:
    """A resolved link as the index shows it: an extractor names what it means by an id, and cannot know whether that exists."""
    if target is LinkTarget.UNKNOWN:
        return replace(
            link,
            to_symbol=None,
            resolution_state=ResolutionState.UNRESOLVED,
            external=False,
            confidence=Confidence.LOW,
            reason=UnresolvedReason.NOT_DECLARED.value,
        )
    return replace(link, external=target is LinkTarget.EXTERNAL)


class PackedReferences(Struct, frozen=True, array_like=True, gc=False):
    """References by their columns, each text once: what a worker sends and what a writer numbers, in place of a row with its texts for each
    of hundreds of thousands of names. Iterated, it gives the rows in their order.

    A column of texts holds positions in the list of its texts, where null stands for itself and for a role of no letters. A column without
    values stands for the default of its field in every row. Raises: ValueError where the columns do not fit together.
    """

    symbols: tuple[str | None, ...] = ()
    strings: tuple[str | None, ...] = ()
    files: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    kind: tuple[RefKind, ...] = ()
    from_symbol: _Numbers = ()
    to_symbol: _Numbers = ()
    constructor: _Numbers = ()
    to_name: _Numbers = ()
    to_container_hint: _Numbers = ()
    file_path: _Numbers = ()
    line: _Numbers = ()
    column: _Numbers = ()
    line_end: _Numbers = ()
    resolution_state: tuple[ResolutionState, ...] = ()
    external: tuple[bool, ...] = ()
    is_virtual: tuple[bool, ...] = ()
    confidence: tuple[Confidence, ...] = ()
    reason: _Numbers = ()
    condition: _Numbers = ()
    project: _Numbers = ()
    role: _Numbers = ()

    def __post_init__(self) -> None:
        if not self.kind:
            return
        count = len(self.kind)
        if {*map(len, _REQUIRED(self))} != {count} or not {*map(len, _LEFT_OUT(self))} <= {0, count}:
            raise ValueError("columns of different length")
        for table, names in TEXTS_OF_REFERENCES.items():
            count = len(getattr(self, table))
            for name in names:
                positions = getattr(self, name)
                if positions and max(positions) >= count:
                    raise ValueError(f"a position outside {table}")

    def __len__(self) -> int:
        return len(self.kind)

    def __iter__(self) -> Iterator[ReferenceRow]:
        columns: dict[str, Iterable[Any]] = {name: getattr(self, name) for name in _COLUMNS if getattr(self, name)}
        for table, names in TEXTS_OF_REFERENCES.items():
            text = getattr(self, table).__getitem__
            columns.update({name: map(text, columns[name]) for name in names if name in columns})
        if _ROLE in columns:
            columns[_ROLE] = (role or "" for role in columns[_ROLE])
        for row in zip(*columns.values(), strict=True):
            yield ReferenceRow(**dict(zip(columns, row, strict=True)))


def pack(rows: Iterable[ReferenceRow]) -> PackedReferences:
    """The same rows, packed. A value that is not a text, number or kind is found when it is encoded or decoded."""
    if isinstance(rows, PackedReferences):
        return rows
    given = tuple(rows)
    if not given:
        return PackedReferences()
    columns: dict[str, Any] = dict(zip(_COLUMNS, zip(*map(astuple, given), strict=True), strict=True))
    columns[_ROLE] = [role or None for role in columns[_ROLE]]
    texts: dict[str, Any] = {}
    for table, names in TEXTS_OF_REFERENCES.items():
        position = _Positions()
        for name in names:
            columns[name] = tuple(map(position.__getitem__, columns[name]))
        texts[table] = tuple(position)
    return PackedReferences(**texts, **columns)


class _Positions(dict[Any, int]):
    """Of texts, in order of first appearance."""

    def __missing__(self, text: Any) -> int:
        position = self[text] = len(self)
        return position


def _texts() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {"symbols": [], "strings": [], "files": [], "projects": []}
    own = {"file_path": "files", "project": "projects"}
    for name, hint in get_type_hints(ReferenceRow, include_extras=True).items():
        if hint == SymbolId or SymbolId in get_args(hint):
            found["symbols"].append(name)
        elif str in (hint, *get_args(hint)):
            found[own.get(name, "strings")].append(name)
    return {table: tuple(names) for table, names in found.items()}


_Numbers = tuple[int, ...]
_COLUMNS: Final = ReferenceRow.__struct_fields__
_ROLE: Final = "role"
_REQUIRED: Final = attrgetter(*(field.name for field in fields(ReferenceRow) if field.required))
"""The columns that have a value for every row."""
_LEFT_OUT: Final = attrgetter(*(field.name for field in fields(ReferenceRow) if not field.required))
"""The columns without values where every row has the default."""
TEXTS_OF_REFERENCES: Final = _texts()
"""By list of texts, the columns whose texts it holds."""
