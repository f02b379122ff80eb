"""What a walk over bodies notes before values are known: events, the regions they stand in, blocks and their variables.

Nothing here leads back to what holds it (a variable does not know its block), so that all of it is gone when the walk is.
"""

from __future__ import annotations

from collections.abc import Sequence

from codemap_core.model.bound import NOWHERE, EventKind, RegionKind
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.bodies import Lowered
from codemap_plugins.csharp.symbols.types import Type


class Variable:
    """A local variable or parameter. ``initial``: what it is declared with; it is its value as long as nothing writes to it.
    ``is_unset``: it is declared without a value; ``is_constant``: as ``const``; ``constructor``: it is a parameter of that primary
    constructor."""

    __slots__ = (*("constructor", "initial", "is_constant", "is_unset", "name", "ordinal", "region", "type"),)

    def __init__(
        self,
        name: str,
        initial: Lowered | None = None,
        type_: Type | None = None,
        ordinal: int = NOWHERE,
        region: int = NOWHERE,
        is_constant: bool = False,
        constructor: str = "",
    ) -> None:
        self.name = name
        self.initial = initial
        self.type = type_
        self.ordinal = ordinal
        self.region = region
        self.is_constant = is_constant
        self.constructor = constructor
        self.is_unset = False


class Write:
    """What gives a variable a value. ``offset``: behind which it has it. ``node``: the value, null where that is not an expression of its
    own; ``operator``: of an assignment, else empty. ``is_certain``: it runs whenever what stands before it does; as seen from a place that
    reads the variable, it has run."""

    __slots__ = ("block", "is_certain", "node", "offset", "operator", "region")

    def __init__(
        self, offset: int, block: Block, region: int, node: Lowered | None, operator: str, is_certain: bool = True
    ) -> None:
        self.offset = offset
        self.block = block
        self.region = region
        self.node = node
        self.operator = operator
        self.is_certain = is_certain

    def seen(self, is_certain: bool) -> Write:
        return Write(self.offset, self.block, self.region, self.node, self.operator, is_certain)


class Block:
    """The variables of one block (ECMA-334 §7.7). ``region``: in which it stands."""

    __slots__ = ("functions", "parent", "region", "variables")

    def __init__(self, parent: Block | None = None, region: int = NOWHERE) -> None:
        self.parent = parent
        self.region = region
        self.variables: dict[str, Variable] = {}
        self.functions: dict[str, int] = {}
        """Regions of its local functions by name."""

    def home(self, name: str) -> Block | None:
        """The innermost block around that has a variable of the name."""
        current: Block | None = self
        while current is not None:
            if name in current.variables:
                return current
            current = current.parent
        return None

    def find(self, name: str) -> Variable | None:
        home = self.home(name)
        return home.variables[name] if home is not None else None

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
    """A region before it is one of the model. ``end``: of a ``try``, where its block ends, as a half-open byte offset; else 0."""

    __slots__ = (
        "attributes",
        "caught",
        "end",
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
        self.end = 0
        self.name = ""
        self.attributes: Sequence[Lowered] = ()
        self.caught: list[Type | None] = []
        self.has_filter = False
        self.guards = NOWHERE
        self.happening: Happening | None = None
        self.lambda_node: Lowered | None = None
