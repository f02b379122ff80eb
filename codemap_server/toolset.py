"""The tools a server offers: which are listed, under which names, and how a call's name finds its tool.

Listing is deterministic: families by name, tools in their family's order. A call may use either spelling of any tool,
listed or not; ``--read-only`` alone takes tools away.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.registry import Owner
from codemap_core.hooks.tool import OwnContract, Tool, ToolFamily
from codemap_core.hooks.validation import snake_name
from codemap_server.arguments import full_schema, input_schema

ALL_TOOLSETS: Final = "all"


class ToolNames(StrEnum):
    """The spelling a listing uses. Some hosts reject dots."""

    DOTTED = "dotted"
    SNAKE = "snake"


class UnknownToolError(InvalidArgumentError):
    """A call of a tool that does not exist; the protocol has its own error for it."""


def is_foreign(toolset: Toolset, name: str) -> bool:
    """Whether a tool comes from a plug-in that is not built in."""
    owner = toolset.owner(name)
    return owner is not None and not owner.built_in


def what_ended(toolset: Toolset, names: Sequence[str], ending: str) -> str:
    """That one of these tools ended the process that ran it, without a full stop. ``ending``: as ``forking.how_it_ended`` says it."""
    owners = dict.fromkeys(str(owner) for name in names if (owner := toolset.owner(name)) is not None)
    which = " or ".join(toolset.spelt(name) for name in names)
    return f"The tool {which} of plug-in {' or '.join(owners)} {ending}"


class Toolset:
    """``toolsets``: names of the families to list, ``all`` for every one; none for all but those that are listed on request.
    Raises: InvalidArgumentError for a family that does not exist."""

    def __init__(
        self,
        families: Iterable[ToolFamily],
        toolsets: Iterable[str] = (),
        names: ToolNames = ToolNames.DOTTED,
        read_only: bool = False,
        owners: Mapping[str, Owner] = MappingProxyType({}),
    ) -> None:
        """``owners``: the plug-ins that tools come from, as ``PluginHost.tool_owners`` has them."""
        self._owners: Final = owners
        families = tuple(families)
        wanted = {name.strip() for name in toolsets if name.strip()}
        known = [family.name for family in families]
        unknown = sorted(wanted.difference(known, {ALL_TOOLSETS}))
        if unknown:
            raise InvalidArgumentError(
                f"There is no toolset {unknown[0]!r}. There are: {', '.join(known) or 'none'}, {ALL_TOOLSETS}."
            )
        listed = [
            family
            for family in families
            if family.name in wanted or ALL_TOOLSETS in wanted or not (wanted or family.on_request)
        ]
        self.names = names
        self.listed_families: Final = tuple(listed)
        self.listed = tuple(tool for family in listed for tool in family.tools if tool.read_only or not read_only)
        self._read_only = read_only
        self._tools = {snake_name(tool.name): tool for family in families for tool in family.tools}
        self._contracts = {
            snake_name(tool.name): family.contract
            for family in families
            if family.contract is not None
            for tool in family.tools
        }
        self._mention = re.compile(
            "|".join(rf"(?<![\w.]){re.escape(tool.name)}(?!\w)" for tool in self._tools.values()) or "(?!)"
        )

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool that can be found, listed or not."""
        return tuple(self._tools.values())

    def spelt(self, tool_name: str) -> str:
        """A tool's name as the listing spells it."""
        return snake_name(tool_name) if self.names is ToolNames.SNAKE else tool_name

    def respelt(self, text: str) -> str:
        """``text`` with every tool it mentions spelt as the listing does."""
        if self.names is ToolNames.DOTTED:
            return text
        return self._mention.sub(lambda mention: snake_name(mention.group()), text)

    def find(self, name: str) -> Tool:
        """The tool of that name in either spelling.

        Raises: UnknownToolError; InvalidArgumentError for a tool that changes something on a read-only server."""
        tool = self._tools.get(snake_name(name))
        if tool is None:
            near = difflib.get_close_matches(snake_name(name), list(self._tools), n=1)
            hint = (
                f"Did you mean {self.spelt(self._tools[near[0]].name)}?"
                if near
                else f"There are: {', '.join(self.spelt(tool.name) for tool in self.listed)}."
            )
            raise UnknownToolError(f"Unknown tool: {name[:100]}. {hint}")
        if self._read_only and not tool.read_only:
            raise InvalidArgumentError(
                f"{self.spelt(tool.name)} changes the index and this server is read-only. "
                "Run it from a shell, `codemap index`, or start the server without --read-only."
            )
        return tool

    def changes_something(self, name: str) -> bool:
        """Whether the tool of that name, in either spelling, does more than read."""
        tool = self._tools.get(snake_name(name))
        return tool is not None and not tool.read_only

    def owner(self, name: str) -> Owner | None:
        """The plug-in that the tool of that name, in either spelling, comes from; null where that is not known."""
        tool = self._tools.get(snake_name(name))
        return None if tool is None else self._owners.get(tool.name)

    def contract(self, name: str) -> OwnContract | None:
        """How the tool of that name, in either spelling, answers; null for CodeMap's own contract, and for no tool."""
        return self._contracts.get(snake_name(name))

    @property
    def only_contract(self) -> OwnContract | None:
        """The contract of its own by which every tool that is listed answers; null where there is none, or more than one."""
        found = {id(each): each for tool in self.listed for each in (self.contract(tool.name),)}
        return next(iter(found.values())) if len(found) == 1 else None

    def description(self, tool: Tool) -> dict[str, Any]:
        """One entry of ``tools/list``, as the protocol writes it."""
        annotations: dict[str, Any] = {"readOnlyHint": tool.read_only}
        if not tool.read_only:
            annotations["destructiveHint"] = tool.destructive
            annotations["idempotentHint"] = tool.idempotent
        if self.contract(tool.name) is not None:
            schema = full_schema(tool.arguments)
        else:
            schema = input_schema(tool.arguments)
        return {
            "name": self.spelt(tool.name),
            "description": self.respelt(tool.description),
            "inputSchema": schema,
            "annotations": annotations,
        }
