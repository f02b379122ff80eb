"""Assembles the bound document of a file: what was kept of each declaration while it was bound becomes events, regions and declarations.

A declaration whose bodies mention nothing that is asked for is not walked. All events of one that is are kept, so that what stands
around an event can be read: what made its receiver, what came before it, what encloses it. Of bodies that are said to be sparse only
what is asked for is kept, with the least that it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from codemap_core.model.bound import BoundAttribute, BoundDeclaration, Event, Region
from codemap_plugins.csharp.binding.bound_declarations import Declarations
from codemap_plugins.csharp.binding.bound_document import Kept, Surroundings
from codemap_plugins.csharp.binding.mentions import Mentions
from codemap_plugins.csharp.unit import AttributeSyntax, MemberDeclaration, TypeDeclaration


class Assembly:
    """Declarations that are asked for, and the events and regions of those whose bodies mention what is asked for. What was kept is added
    in source order; nothing of it is held."""

    def __init__(
        self,
        mentions: Mentions,
        around: Surroundings,
        described: Declarations,
        on_assembly: Sequence[AttributeSyntax],
    ) -> None:
        """``on_assembly``: the attributes that the file puts on its assembly or module."""
        self.declarations: Final[list[BoundDeclaration]] = []
        self.events: Final[list[Event]] = []
        self.regions: Final[list[Region]] = []
        self.attributes: Final[list[BoundAttribute]] = []
        """Of the assembly and module."""
        self._mentions: Final = mentions
        self._around: Final = around
        self._described: Final = described
        self._on_assembly: Final = on_assembly
        self._types: Final[set[str]] = set()
        """Those that are asked for with their members."""

    def add(self, kept: Kept) -> None:
        if kept.declaration is None:
            self.attributes.extend(self._described.attributes(kept, self._on_assembly))
        wanted = self._mentions.wanted
        is_header = isinstance(kept.declaration, TypeDeclaration)
        container = kept.definition
        if is_header and container is not None:
            container = container.container
        of_wanted_type = bool(self._types) and container is not None and container.documentation_id in self._types
        if self._mentions.in_bodies(kept, is_header or of_wanted_type):
            asked = wanted.invocations if self._is_sparse(kept) else None
            walked = kept.walked(self._around, len(self.events), len(self.regions), asked)
            self.events.extend(walked.events())
            self.regions.extend(walked.regions(partial(self._described.of_function, kept)))
        if not of_wanted_type and not self._mentions.in_declaration(kept):
            return
        declaration = self._described.of(kept)
        if declaration is not None and (of_wanted_type or wanted.wants(declaration)):
            self.declarations.append(declaration)
            if is_header and wanted.has_members and wanted.of_members.wants(declaration):
                self._types.add(declaration.symbol_id)

    def _is_sparse(self, kept: Kept) -> bool:
        member = kept.declaration
        return isinstance(member, MemberDeclaration) and self._mentions.wanted.sparse_bodies.has(member.name)
