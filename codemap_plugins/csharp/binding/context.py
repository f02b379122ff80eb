"""What the binders of one project's files share: the rules that need one another, each made once and handed the whole."""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.binding.ancestry import Ancestry
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.extensions import Extensions
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.inference import Inference
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.natural_types import NaturalTypes
from codemap_plugins.csharp.binding.overloads import Overloads
from codemap_plugins.csharp.symbols.scopes import ProjectScope


class BindContext:
    def __init__(self, members: MemberTable, project: ProjectScope, keeps_losers: bool = False) -> None:
        """``keeps_losers``: overload resolutions keep why each member lost that was not chosen, to be told."""
        self.keeps_losers: Final = keeps_losers
        self.members: Final = members
        self.project: Final = project
        self.hierarchy: Final = Hierarchy(members, project)
        self.ancestry: Final = Ancestry(self.hierarchy)
        self.conversions: Final = Conversions(self)
        self.natural_types: Final = NaturalTypes(self)
        self.inference: Final = Inference(self, self.conversions)
        self.overloads: Final = Overloads(self)
        self.extensions: Final = Extensions(self)

    def forget(self) -> None:
        """Lets go of what is remembered without a collection of garbage: it leads back here in circles."""
        self.hierarchy.forget()
        self.conversions.forget()
        self.overloads.forget()
        self.extensions.forget()
