"""Local names: variables, parameters, range variables, local functions, by block (ECMA-334 §7.7)."""

from __future__ import annotations

from typing import Final, NamedTuple

from codemap_plugins.csharp.binding.lambdas import Lambdas
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import ParameterSymbol
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import Type


class LocalFunction:
    """A local function; its signature is read when its block is entered, so that it can be called before it stands."""

    __slots__ = ("found", "parameters", "returns", "type_parameter_count")

    def __init__(
        self,
        returns: Type,
        parameters: tuple[ParameterSymbol, ...],
        type_parameter_count: int,
        found: tuple[Found, ...] = (),
    ) -> None:
        """``found``: it as a method without an id, for overload resolution; none when it is generic in a generic method."""
        self.found = found
        self.returns = returns
        self.parameters = parameters
        self.type_parameter_count = type_parameter_count


class LocalVariable(NamedTuple):
    """A local of which more is known than its type. Beside ``type``, all is as of a ``BoundValue``."""

    type: Type
    constant: int | None = None
    is_unsure: bool = False
    is_constant_text: bool = False


Local = Type | LocalFunction | LocalVariable


def variable(type_: Type, is_unsure: bool) -> Local:
    """A local whose type what it is given decides; ``is_unsure``: as of that."""
    return LocalVariable(type_, is_unsure=True) if is_unsure else type_


class Surroundings:
    """What holds for a whole body: the type it is in, how its types resolve, whether there is a ``this``."""

    __slots__ = ("is_static", "lambdas", "resolver", "returns", "within")

    def __init__(
        self,
        within: SourceTypeDefinition | None,
        resolver: TypeResolver,
        is_static: bool,
        returns: Type | None,
        lambdas: Lambdas,
    ) -> None:
        self.within: Final = within
        self.resolver: Final = resolver
        self.is_static: Final = is_static
        self.returns: Final = returns
        self.lambdas: Final = lambdas


class LocalScope:
    """One block. ``returns`` collects what a lambda's body returns; null in a member's own body. ``resolver`` differs from the
    surroundings' inside a generic local function. ``in_initializer``: the primary constructor's parameters come before members.
    ``is_checked``: arithmetic is in a checked context (ECMA-334 §12.8.20)."""

    __slots__ = (
        "in_initializer",
        "is_checked",
        "names",
        "parent",
        "resolver",
        "return_type",
        "returns",
        "surroundings",
    )

    def __init__(
        self,
        surroundings: Surroundings,
        parent: LocalScope | None = None,
        returns: list[BoundExpression] | None = None,
        resolver: TypeResolver | None = None,
        return_type: Type | None = None,
        in_initializer: bool = False,
        is_checked: bool | None = None,
        names: dict[str, Local] | None = None,
    ) -> None:
        self.surroundings: Final = surroundings
        self.parent: Final = parent
        self.in_initializer: Final[bool] = in_initializer or (parent is not None and parent.in_initializer)
        self.is_checked: Final[bool] = (
            is_checked if is_checked is not None else parent is not None and parent.is_checked
        )
        self.names: Final[dict[str, Local]] = names if names is not None else {}
        self.returns: Final[list[BoundExpression] | None] = (
            returns if returns is not None or parent is None else parent.returns
        )
        self.resolver: Final[TypeResolver] = resolver or (
            parent.resolver if parent is not None else surroundings.resolver
        )
        # What collects returns anew, a lambda or local function, does not return to the type of what encloses it.
        inherits = returns is None and parent is not None
        self.return_type: Final[Type | None] = parent.return_type if inherits and parent is not None else return_type

    @property
    def within(self) -> SourceTypeDefinition | None:
        return self.surroundings.within

    def child(self) -> LocalScope:
        return LocalScope(self.surroundings, self)

    def in_context(self, is_checked: bool) -> LocalScope:
        """The same block with arithmetic checked or not: what an expression declares there is declared here."""
        return LocalScope(self.surroundings, self, is_checked=is_checked, names=self.names)

    def declare(self, name: str, local: Local) -> None:
        if name:
            self.names[name] = local

    def find(self, name: str) -> Local | None:
        current: LocalScope | None = self
        while current is not None:
            found = current.names.get(name)
            if found is not None:
                return found
            current = current.parent
        return None
