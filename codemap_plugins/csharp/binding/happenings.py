"""What a walk over bodies notes before values are known: events, the regions they stand in, blocks and their variables.

Nothing here leads back to what holds it (a variable does not know its block), so that all of it is gone when the walk is. What is noted
is a value: none of it changes but which variables a block has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.model.bound import NOWHERE, EventKind, RegionKind
from codemap_plugins.csharp.binding.reference import Reference, Use
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
        is_unset: bool = False,
    ) -> None:
        self.name: Final = name
        self.initial: Final = initial
        self.type: Final = type_
        self.ordinal: Final = ordinal
        self.region: Final = region
        self.is_constant: Final = is_constant
        self.constructor: Final = constructor
        self.is_unset: Final = is_unset


class Write:
    """What gives a variable a value. ``offset``: behind which it has it. ``node``: the value, null where that is not an expression of its
    own; ``operator``: of an assignment, else empty. ``is_certain``: it runs whenever what stands before it does; as seen from a place that
    reads the variable, it has run."""

    __slots__ = ("block", "is_certain", "node", "offset", "operator", "region")

    def __init__(
        self, offset: int, block: Block, region: int, node: Lowered | None, operator: str, is_certain: bool = True
    ) -> None:
        self.offset: Final = offset
        self.block: Final = block
        self.region: Final = region
        self.node: Final = node
        self.operator: Final = operator
        self.is_certain: Final = is_certain

    def seen(self, is_certain: bool) -> Write:
        return Write(self.offset, self.block, self.region, self.node, self.operator, is_certain)


class Block:
    """The variables of one block (ECMA-334 §7.7). ``region``: in which it stands."""

    __slots__ = ("functions", "parent", "region", "variables")

    def __init__(self, parent: Block | None = None, region: int = NOWHERE) -> None:
        self.parent: Final = parent
        self.region: Final = region
        self.variables: Final[dict[str, Variable]] = {}
        self.functions: Final[dict[str, int]] = {}
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
    the receiver; ``start`` and ``end``: where the whole begins and ends, as half-open byte offsets, by default with what names it;
    ``written_types``: the type arguments of an invocation, as written. ``delegate_call``: of a call of a delegate, which no reference
    names, its ``Invoke``."""

    __slots__ = (
        "arguments",
        "block",
        "delegate_call",
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
        self,
        kind: EventKind,
        offset: int,
        name: str,
        node: Lowered,
        block: Block,
        region: int,
        links: int = -1,
        reference: Reference | None = None,
        arguments: Sequence[Lowered] = (),
        start: int = -1,
        end: int = -1,
        type_: Type | None = None,
        operator: str = "",
        initializes: Happening | None = None,
        in_expression: bool = False,
        written_types: Sequence[Lowered] = (),
        delegate_call: Use | None = None,
    ) -> None:
        self.kind: Final = kind
        self.offset: Final = offset
        self.name: Final = name
        self.node: Final = node
        self.block: Final = block
        self.region: Final = region
        self.links: Final = links
        self.reference: Final = reference
        self.arguments: Final = arguments
        self.start: Final = start if start >= 0 else offset
        self.end: Final = end if end >= 0 else offset + 1
        self.type: Final = type_
        self.operator: Final = operator
        self.initializes: Final = initializes
        self.in_expression: Final = in_expression
        self.written_types: Final = written_types
        self.delegate_call: Final = delegate_call

    @property
    def use(self) -> Use | None:
        """How the binder found what it names to be used."""
        return self.reference.use if self.reference is not None else self.delegate_call


class Part:
    """A region before it is one of the model. ``end``: of a ``try``, where its block ends, as a half-open byte offset, else 0; ``caught``:
    what is caught there, null for everything; ``guards``: the ``try`` of a clause; ``happening``: of a ``catch``, what it is as an event;
    ``lambda_node``: of a lambda."""

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

    def __init__(
        self,
        kind: RegionKind,
        parent: int,
        offset: int,
        end: int = 0,
        name: str = "",
        attributes: Sequence[Lowered] = (),
        caught: Sequence[Type | None] = (),
        has_filter: bool = False,
        guards: int = NOWHERE,
        happening: Happening | None = None,
        lambda_node: Lowered | None = None,
    ) -> None:
        self.kind: Final = kind
        self.parent: Final = parent
        self.offset: Final = offset
        self.end: Final = end
        self.name: Final = name
        self.attributes: Final = attributes
        self.caught: Final = caught
        self.has_filter: Final = has_filter
        self.guards: Final = guards
        self.happening: Final = happening
        self.lambda_node: Final = lambda_node
