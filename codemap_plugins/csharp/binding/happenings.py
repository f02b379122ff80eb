"""What a walk over bodies notes before values are known: events, the regions they stand in, blocks and their variables."""

from __future__ import annotations

from collections.abc import Sequence

from codemap_core.model.bound import NOWHERE, EventKind, RegionKind
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.bodies import Lowered
from codemap_plugins.csharp.symbols.types import Type


class Variable:
    """A local variable or parameter. ``initial``: what it is declared with; it is its value while ``writes`` is 0. ``assigned``: what
    else it is given, where, and by which operator. ``is_unset``: it is declared without a value; ``is_constant``: as ``const``;
    ``constructor``: it is a parameter of that primary constructor."""

    __slots__ = (
        *("assigned", "constructor", "initial", "is_constant", "is_unset", "name", "ordinal", "region", "scope"),
        *("type", "writes"),
    )

    def __init__(
        self,
        name: str,
        scope: Block,
        initial: Lowered | None = None,
        type_: Type | None = None,
        ordinal: int = NOWHERE,
        region: int = NOWHERE,
        is_constant: bool = False,
        constructor: str = "",
    ) -> None:
        self.name = name
        self.scope = scope
        self.initial = initial
        self.type = type_
        self.ordinal = ordinal
        self.region = region
        self.is_constant = is_constant
        self.constructor = constructor
        self.writes = 0
        self.is_unset = False
        self.assigned: list[tuple[Block, Lowered, str]] = []


class Block:
    """The variables of one block (ECMA-334 §7.7)."""

    __slots__ = ("functions", "parent", "variables")

    def __init__(self, parent: Block | None = None) -> None:
        self.parent = parent
        self.variables: dict[str, Variable] = {}
        self.functions: dict[str, int] = {}
        """Regions of its local functions by name."""

    def find(self, name: str) -> Variable | None:
        current: Block | None = self
        while current is not None:
            found = current.variables.get(name)
            if found is not None:
                return found
            current = current.parent
        return None

    def function(self, name: str) -> int:
        """The region of the local function of that name, if any."""
        current: Block | None = self
        while current is not None:
            if name in current.functions:
                return current.functions[name]
            current = current.parent
        return NOWHERE


class Happening:
    """An event before its values are known. ``node``: the expression or statement; ``links``: of a chain, how many of its links lead to
    the receiver; ``start`` and ``end``: where the whole begins and ends, as half-open byte offsets."""

    __slots__ = (
        "arguments",
        "block",
        "end",
        "in_expression",
        "initializes",
        "kind",
        "links",
        "name",
        "node",
        "offset",
        "operator",
        "reference",
        "region",
        "start",
        "type",
        "written_types",
    )

    def __init__(
        self, kind: EventKind, offset: int, name: str, node: Lowered, block: Block, region: int, links: int = -1
    ) -> None:
        self.kind = kind
        self.offset = offset
        self.name = name
        self.node = node
        self.block = block
        self.region = region
        self.links = links
        self.start = offset
        self.end = offset + 1
        self.in_expression = False
        self.arguments: Sequence[Lowered] = ()
        self.reference: Reference | None = None
        self.initializes: Happening | None = None
        self.operator = ""
        self.type: Type | None = None
        self.written_types: Sequence[Lowered] = ()
        """The type arguments of an invocation, as written."""


class Part:
    """A region before it is one of the model."""

    __slots__ = (
        "attributes",
        "caught",
        "guards",
        "happening",
        "has_filter",
        "kind",
        "lambda_node",
        "name",
        "offset",
        "parent",
    )

    def __init__(self, kind: RegionKind, parent: int, offset: int) -> None:
        self.kind = kind
        self.parent = parent
        self.offset = offset
        self.name = ""
        self.attributes: Sequence[Lowered] = ()
        self.caught: list[Type | None] = []
        self.has_filter = False
        self.guards = NOWHERE
        self.happening: Happening | None = None
        self.lambda_node: Lowered | None = None
