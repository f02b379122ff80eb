"""What binders share: those of one project's files, the rules that need one another, each made once and handed the whole; those of one
file, what is wanted of it."""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.binding.ancestry import Ancestry
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.extensions import Extensions
from codemap_plugins.csharp.binding.hierarchy import NO_BOUNDS, Bounds, Hierarchy
from codemap_plugins.csharp.binding.inference import Inference
from codemap_plugins.csharp.binding.locals import Local
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.natural_types import NaturalTypes
from codemap_plugins.csharp.binding.overloads import Overloads
from codemap_plugins.csharp.symbols.project_scope import ProjectScope
from codemap_plugins.csharp.symbols.scopes import Document


class BindContext:
    """The rules among certain type parameters. Among others another context holds, which shares what was found of types."""

    def __init__(
        self,
        members: MemberTable,
        project: ProjectScope,
        keeps_losers: bool = False,
        bounds: Bounds = NO_BOUNDS,
        outer: BindContext | None = None,
    ) -> None:
        """``keeps_losers``: overload resolutions keep why each member lost that was not chosen, to be told. ``outer``: of the same
        project."""
        self.keeps_losers: Final = keeps_losers
        self.members: Final = members
        self.project: Final = project
        self.hierarchy: Final[Hierarchy] = Hierarchy(
            members, project, bounds, outer.hierarchy if outer is not None else None
        )
        self.ancestry: Final[Ancestry] = outer.ancestry if outer is not None else Ancestry(self.hierarchy)
        self.conversions: Final[Conversions] = Conversions(
            self.hierarchy, self, outer=outer.conversions if outer is not None else None
        )
        self.natural_types: Final[NaturalTypes] = NaturalTypes(self.hierarchy, self.conversions)
        self.inference: Final[Inference] = Inference(self.hierarchy, self.natural_types, self.conversions, self)
        self.overloads: Final[Overloads] = Overloads(
            self.hierarchy,
            self.conversions,
            self.natural_types,
            self.inference,
            self,
            keeps_losers,
            outer.overloads if outer is not None else None,
        )
        self.extensions: Final[Extensions] = Extensions(
            self.hierarchy, self.overloads, outer.extensions if outer is not None else None
        )

    def within(self, bounds: Bounds) -> BindContext:
        """Where these type parameters are in scope beside those that are."""
        if not bounds:
            return self
        return BindContext(self.members, self.project, self.keeps_losers, {**self.hierarchy.bounds, **bounds}, self)

    def forget(self) -> None:
        """Lets go of what is remembered without a collection of garbage: it leads back here in circles."""
        self.hierarchy.forget()
        self.conversions.forget()
        self.overloads.forget()
        self.extensions.forget()


class FileContext:
    """``keeps_uses``: references keep how their members are used, for what is drawn from bodies afterwards. ``keeps_locals``: what is local
    is kept by the offset of each name that means it."""

    def __init__(self, document: Document, keeps_uses: bool = False, keeps_locals: bool = False) -> None:
        self.document: Final = document
        self.keeps_uses: Final = keeps_uses
        self.keeps_locals: Final = keeps_locals
        self.locals: Final[dict[int, Local]] = {}
