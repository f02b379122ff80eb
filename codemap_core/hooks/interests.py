"""What extractors want to see of bound documents and of other files. The union over all of them decides what binding keeps, so that what
nobody asks for costs nothing; what each asked for itself is what it is handed.

Names are simple names, compared exactly, without type arguments: a name matches what is bound to it under any alias, and what could not
be bound but is spelt that way. An asterisk at either end asks for all that go on there (``Use*``, ``*Guard*``), and ``ANY`` for everything
of that sort. ``matching`` decides what they match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

ANY: Final = ("*",)
PASSING_ON: Final = ("base", "this")
"""Names of the invocations with which a constructor begins."""


class Interests(Struct, frozen=True, kw_only=True, omit_defaults=True):
    invocations: tuple[str, ...] = ()
    """Invoked methods: ``MapGet``."""
    own_invocations: tuple[str, ...] = ()
    """Invoked methods that source declares: names that libraries use for much else (``Throw*``)."""
    own_types: tuple[str, ...] = ()
    """Types that source declares: invocations of their methods."""
    creations: tuple[str, ...] = ()
    """Created types: ``HttpClient``."""
    element_accesses: tuple[str, ...] = ()
    """Types that declare the indexer: ``IConfiguration``."""
    assignments: tuple[str, ...] = ()
    """Assigned properties, fields and events; a created object's initialisers come with its creation."""
    throws: bool = False
    catches: bool = False
    documented_exceptions: bool = False
    """Members whose documentation says what they throw."""
    attributes: tuple[str, ...] = ()
    """Attribute classes, or base classes of theirs, without the suffix ``Attribute``: declarations that carry one."""
    base_types: tuple[str, ...] = ()
    """Base types and interfaces, inherited ones too: types that have one."""
    declarations: tuple[str, ...] = ()
    """Kinds of declarations: ``class``, ``method``."""
    type_endings: tuple[str, ...] = ()
    """Ends of names: types that are declared under such a name."""
    members: bool = False
    """The members of the types that are asked for too, and what their constructors pass on with ``: base(…)`` and ``: this(…)``."""
    bodies: tuple[str, ...] = ()
    """Names of members of the types that are asked for: everything that those members do. It implies ``members``."""
    sparse_bodies: tuple[str, ...] = ()
    """Names of members whose bodies are long and say little, as generated ones are. Of such a body only the invocations that somebody
    asks for by name are kept, with the chains they are in and the calls whose lambdas they stand in. It holds for every extractor."""
    carried_types: tuple[str, ...] = ()
    """Types whose values are followed: invocations and creations of what source declares that take or give such a value, and its
    assignment to a field or property. A derived type is named for itself."""
    files: tuple[str, ...] = ()
    """Files, of no language too, by patterns as ``.gitignore`` has them: ``appsettings*.json`` matches in any folder, ``deploy/**/*.yaml``
    in one. A matching file is handed over with its text."""
    text: bool = False
    """The text of every file of the extractor's language; without events or declarations of interest too."""

    unowned: bool = False
    """Events of documents that have no symbols of their own, as views of ASP.NET have none (``BoundDocument.is_unowned``)."""

    of_members: Interests | None = None
    """Of a union: by what those ask for types who want members of them too; others want the types alone. Not for an extractor to say."""

    @property
    def events(self) -> bool:
        """Something inside bodies is asked for."""
        return bool(
            self.invocations
            or self.own_invocations
            or self.own_types
            or self.creations
            or self.element_accesses
            or self.assignments
            or self.throws
            or self.catches
            or self.members
            or self.bodies
            or self.carried_types
        )

    @property
    def is_empty(self) -> bool:
        """Nothing that binding would have to keep."""
        return not (
            self.events
            or self.documented_exceptions
            or self.attributes
            or self.base_types
            or self.declarations
            or self.type_endings
        )


NOTHING: Final = Interests()


def union(interests: Iterable[Interests]) -> Interests:
    """What any of them asks for."""
    every = tuple(interests)

    def names(each: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        found = sorted({name for names in each for name in names})
        return ANY if ANY[0] in found else tuple(found)

    whole = [each for each in every if each.members or each.bodies]
    of_members = Interests(
        attributes=names(each.attributes for each in whole),
        base_types=names(each.base_types for each in whole),
        declarations=names(each.declarations for each in whole),
        type_endings=names(each.type_endings for each in whole),
    )
    return Interests(
        of_members=of_members if whole else None,
        invocations=names(each.invocations for each in every),
        own_invocations=names(each.own_invocations for each in every),
        own_types=names(each.own_types for each in every),
        creations=names(each.creations for each in every),
        element_accesses=names(each.element_accesses for each in every),
        assignments=names(each.assignments for each in every),
        throws=any(each.throws for each in every),
        catches=any(each.catches for each in every),
        documented_exceptions=any(each.documented_exceptions for each in every),
        attributes=names(each.attributes for each in every),
        base_types=names(each.base_types for each in every),
        declarations=names(each.declarations for each in every),
        type_endings=names(each.type_endings for each in every),
        members=any(each.members or each.bodies for each in every),
        bodies=names(each.bodies for each in every),
        sparse_bodies=names(each.sparse_bodies for each in every),
        carried_types=names(each.carried_types for each in every),
        files=tuple(sorted({pattern for each in every for pattern in each.files})),
        text=any(each.text for each in every),
        unowned=any(each.unowned for each in every),
    )


def matches(patterns: tuple[str, ...], file_path: str) -> bool:
    """Whether a path matches one of ``Interests.files``."""
    return bool(patterns) and _matcher(patterns)(file_path)


def read_patterns(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """``Interests.files``. Raises: whatever the library raises for a pattern that it cannot read."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


@lru_cache(maxsize=64)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    if all(_PLAIN.fullmatch(pattern) for pattern in patterns):
        names = "|".join(re.escape(pattern).replace(r"\*", "[^/]*") for pattern in patterns)
        found = re.compile(f"(?:^|/)(?:{names})(?:/|$)").search
        pieces = tuple({max(pattern.split("*"), key=len) for pattern in patterns})
        # Nearly no path holds one, which is told sooner than where a name begins.
        return lambda path: any(piece in path for piece in pieces) and found(path) is not None
    endings = tuple("." + pattern.rpartition(".")[2] for pattern in patterns)
    if not all(_ENDING.fullmatch(ending) for ending in endings):
        endings = ("",)
    spec: GitIgnoreSpec | None = None

    def match(path: str) -> bool:
        nonlocal spec
        if not path.endswith(endings):
            return False
        if spec is None:  # it takes long to load, and perhaps no file of a next commit ends so
            spec = read_patterns(patterns)
        return spec.match_file(path)

    return match


_ENDING: Final = re.compile(r"\.\w+")
"""A file's suffix, as most patterns end: what ends otherwise is told without matching."""
_PLAIN: Final = re.compile(r"(?=.*\w)\*?[\w.-]+(?:\*[\w.-]+)*\*?")
"""A pattern of one name, as those of what is built in are: it matches a file or a folder of that name, anywhere. The library need not be
loaded for it."""
