"""Results of overload resolution (ECMA-334 §12.6.4): what was chosen, and how every other member lost."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from codemap_core.model import Confidence
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import ParameterSymbol
from codemap_plugins.csharp.binding.operands import Argument
from codemap_plugins.csharp.symbols.types import Type, substitute


class Candidate:
    """An applicable member. ``parameters``: for each argument, in argument order, its parameter and the type it converts to."""

    __slots__ = ("arguments_of_method", "expanded", "found", "infers", "targets", "uses_default")

    def __init__(
        self,
        found: Found,
        targets: list[tuple[ParameterSymbol, Type]],
        arguments_of_method: tuple[Type, ...],
        expanded: bool,
        uses_default: bool,
        infers: bool = False,
    ) -> None:
        self.infers = infers
        """Its type arguments are inferred."""
        self.found = found
        self.targets = targets
        self.arguments_of_method = arguments_of_method
        self.expanded = expanded
        self.uses_default = uses_default

    @property
    def return_type(self) -> Type:
        return substitute(self.found.member.type, self.found.container.arguments, self.arguments_of_method)


class LossKind(IntEnum):
    """Why a member was not chosen, from the furthest off to the nearest: in the order in which it is found out."""

    INACCESSIBLE = 0
    ARGUMENT_COUNT = 1
    TYPE_ARGUMENT_COUNT = 2
    UNMAPPED = 3
    """The arguments do not pair with its parameters (ECMA-334 §12.6.2.2)."""
    PASSING = 4
    NOT_PARAMS = 5
    """Its last parameter has no elements to be given one by one."""
    LAMBDA_PARAMETERS = 6
    """A lambda has another number of parameters than the delegate."""
    OTHER_RECEIVER = 7
    """It extends what the receiver certainly is not."""
    NOT_INFERRED = 8
    CONSTRAINTS = 9
    NOT_CONVERTED = 10
    LAMBDA_FAILS = 11
    """Applicable, as all that follow, but the body of a lambda would not compile."""
    LESS_DERIVED = 12
    LOWER_PRIORITY = 13
    CONVERTS_WORSE = 14
    EXPANDED = 15
    USES_DEFAULT = 16
    LESS_SPECIFIC = 17
    AS_GOOD = 18


class Loser:
    """A member that was not chosen, and why. ``position``: of the argument that decided; ``types``: of its parameter, those of the chosen
    member first where both are compared, or the type arguments; ``expanded``: it is what keeps the expanded form from being applicable."""

    __slots__ = ("expanded", "found", "kind", "position", "types")

    def __init__(
        self, found: Found, kind: LossKind, position: int = -1, types: tuple[Type, ...] = (), expanded: bool = False
    ) -> None:
        self.found: Final = found
        self.kind: Final = kind
        self.position: Final = position
        self.types: Final = types
        self.expanded: Final = expanded

    def in_expanded_form(self) -> Loser:
        return Loser(self.found, self.kind, self.position, self.types, True)


class Contest:
    """What a resolution over one group was asked, and who lost. ``given``: the arguments, the receiver of an extension method first."""

    __slots__ = ("given", "is_extension", "losers", "type_arguments")

    def __init__(
        self, given: Sequence[Argument], type_arguments: tuple[Type, ...], is_extension: bool, losers: Sequence[Loser]
    ) -> None:
        self.given: Final = given
        self.type_arguments: Final = type_arguments
        self.is_extension: Final = is_extension
        self.losers: Final = losers


class Outcome(IntEnum):
    """How far a resolution came."""

    INAPPLICABLE = 0
    """Nothing takes the arguments."""
    BASE_UNKNOWN = 1
    """What does depends on a base that was not found."""
    AMBIGUOUS = 2
    CHOSEN = 3


class OverloadResolution:
    """``confidence``: high when the choice is certain, medium when arguments are not known and several members were told apart by less than
    their types. ``remaining``: where nothing was chosen, the members that nothing tells apart, or all when none is applicable.
    ``inputs``: where several are left, for each argument (the receiver of an extension method first) what each of them gives the parameters
    of a lambda there; null where they differ. ``contests``: the groups that were tried, in their order; kept where losers are asked for."""

    __slots__ = ("candidate", "confidence", "contests", "inputs", "outcome", "remaining")

    def __init__(
        self,
        outcome: Outcome,
        candidate: Candidate | None,
        confidence: Confidence,
        remaining: Sequence[Found],
        contests: tuple[Contest, ...] = (),
        inputs: Sequence[tuple[Type, ...] | None] = (),
    ) -> None:
        self.outcome: Final = outcome
        self.candidate: Final = candidate
        self.confidence: Final = confidence
        self.remaining: Final = remaining
        self.contests: Final = contests
        self.inputs: Final = inputs

    def after(self, contests: tuple[Contest, ...]) -> OverloadResolution:
        """With the contests that came before it."""
        if not contests:
            return self
        return OverloadResolution(
            self.outcome, self.candidate, self.confidence, self.remaining, (*contests, *self.contests), self.inputs
        )


def chosen(candidate: Candidate, confidence: Confidence) -> OverloadResolution:
    return OverloadResolution(Outcome.CHOSEN, candidate, confidence, ())


def undecided(
    outcome: Outcome, remaining: Sequence[Found], inputs: Sequence[tuple[Type, ...] | None] = ()
) -> OverloadResolution:
    return OverloadResolution(outcome, None, Confidence.LOW, remaining, inputs=inputs)


NO_MEMBERS: Final = undecided(Outcome.INAPPLICABLE, ())
