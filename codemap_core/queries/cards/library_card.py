"""The metadata of a symbol that is not declared here: its declaration as C# would write it, its assembly, and the members of it that
something here refers to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from codemap_core.errors import NotFoundError
from codemap_core.model import SymbolKind
from codemap_core.model.counting import counted
from codemap_core.queries.names.symbol_targets import Target
from codemap_core.queries.plain_lines import row
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.reference_lookup import Meaning

_MEMBERS_SHOWN = 100


class LibraryMember(Struct, frozen=True):
    symbol_id: str
    signature: str


class LibraryCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A symbol without source here. ``origin``: ``metadata``, or ``implicit`` for a member that a type of the repository has without
    declaring it."""

    symbol_id: str
    fully_qualified_name: str
    kind: SymbolKind | None = None
    signature: str = ""
    """As C# would declare it; empty where no metadata was at hand."""
    origin: str
    assembly: str = ""
    version: str = ""
    container_id: str | None = None
    bases: tuple[str, ...] = ()
    """Ids of a type's base type and interfaces."""
    reference_count: int = 0
    """How often the repository refers to it."""
    members: tuple[LibraryMember, ...] = ()
    """For a type, the members that something here refers to."""

    def lines(self) -> Iterator[str]:
        if self.signature:
            yield self.signature
        if self.assembly:
            yield f"from metadata of {self.assembly} {self.version}".rstrip()
        yield f"{counted(self.reference_count, 'reference')} in this repository"
        yield from (row(member.signature or member.symbol_id) for member in self.members)


def library_card(snapshot: Snapshot, target: Target) -> LibraryCard:
    """The card of a target without a declaration. Raises: NotFoundError when nothing is known of it."""
    known = target.library
    if known is None:
        raise NotFoundError(f"Nothing is known of {target.display_name}.", symbol_id=target.symbol_id, candidates=())
    members = snapshot.reader.library_members(target.symbol_id)[:_MEMBERS_SHOWN] if target.is_type else ()
    return LibraryCard(
        symbol_id=known.symbol_id,
        fully_qualified_name=known.fully_qualified_name,
        kind=known.kind,
        signature=known.signature,
        origin="implicit" if target.is_implicit else "metadata",
        assembly=known.assembly,
        version=known.version,
        container_id=known.container_id,
        bases=known.bases,
        reference_count=sum(each.count for each in snapshot.reader.count_references(Meaning((known.symbol_id,)))),
        members=tuple(LibraryMember(each.symbol_id, each.signature) for each in members),
    )
