"""What a document shows to others, and what it mentions of them: names, and digests of what each declares.

From the surfaces of two states of a repository follows which documents may be bound otherwise in the newer one, without binding any
(``pipeline.dependencies``). A surface is a pure function of a file's bytes and settings. It may say more than is needed, never less.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from msgspec import Raw, Struct

ANY_NAMESPACE: Final = "*."
"""Begins the full name of a type whose namespace other files decide; what follows is its name with those of the types around it."""


class Role(IntEnum):
    MEMBER = 0
    """Found by its name, in its container or in what derives from it."""
    TYPE = 1
    """A type: its head, without its members. Its container is empty."""
    EXTENSION = 2
    """Found by its name, whatever the container."""
    IMPLICIT = 3
    """A member that code may use without naming it."""
    PART = 4
    """A type that other files go on with: the order of their paths matters."""
    EVERYWHERE = 5
    """What any file may use without naming it, wherever it is declared."""


class Declared(Struct, frozen=True, array_like=True, gc=False):
    """One declaration. Names are simple names."""

    role: Role
    name: str
    container: str
    """Simple name of the type that has it as a member; empty for a type. One that is not an identifier is come to by mentioning it."""
    digest: int
    """Of everything that may matter to whoever finds it: 64 bits, unsigned."""
    uses: tuple[str, ...] = ()
    """Names that its own meaning depends on: of the types in its signature or head."""
    values: tuple[str, ...] = ()
    """Names that the value depends on which others may read out of it; a constant's."""


class Surface(Struct, frozen=True, array_like=True, gc=False):
    mentions: str
    """Names whose meaning its rows may depend on, sorted, each on a line of its own. Whatever its declarations use, take values from or
    say to the project is among them."""
    declared: tuple[Declared, ...] = ()
    namespaces: tuple[str, ...] = ()
    """Full names of the namespaces that it declares something in."""
    scope: tuple[str, ...] = ()
    """What it says to its whole project, and to those that see that: global usings, friends."""
    parts: tuple[tuple[str, int, int], ...] = ()
    """For each type that it declares: full name, and digests of whatever rows of another part's file may hold of this part: of any other
    part's, and of that alone which is the first in path order and has the type's own row. A full name begins with ``ANY_NAMESPACE`` where
    other files decide in which namespace the type is."""
    shapes: tuple[tuple[str, str], ...] = ()
    """(shape, name) of the declarations whose stable id depends on how many names in the project have that shape."""
    partial_members: tuple[tuple[str, int, int], ...] = ()
    """For each member that other parts of its type may declare too: full name, a digest that declarations of several members never share,
    and one of what the member's row, in the file that declares it first, may hold of this declaration."""
    later: bool = False
    """Its parts come after those of all files of which this does not hold, whatever their paths."""


class SurfaceOutline(Struct, frozen=True, array_like=True, gc=False):
    """A ``Surface`` of which names and declarations are passed over, which is read in a sixth of the time. Its fields stand where those of
    a ``Surface`` do."""

    mentions: Raw
    declared: Raw = Raw()
    namespaces: tuple[str, ...] = ()
    scope: Raw = Raw()
    parts: tuple[tuple[str, int, int], ...] = ()
    shapes: tuple[tuple[str, str], ...] = ()
    partial_members: tuple[tuple[str, int, int], ...] = ()
    later: bool = False
