"""Which of two applicable members is better (ECMA-334 §12.6.4.3), by their conversions and then by the rules that break ties."""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.binding.arguments import depends_on_target
from codemap_plugins.csharp.binding.better import BetterConversions, specificity
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import Passing
from codemap_plugins.csharp.binding.operands import Argument
from codemap_plugins.csharp.binding.resolution import Candidate
from codemap_plugins.csharp.symbols.types import ErrorType, Type, TypeParameterType


class BetterMembers:
    def __init__(self, hierarchy: Hierarchy, conversions: Conversions, better_conversions: BetterConversions) -> None:
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions
        self._better_conversions: Final = better_conversions

    def better(self, first: Candidate, second: Candidate, arguments: list[Argument], guess: bool = False) -> int:
        """ECMA-334 §12.6.4.3. Neither is where that depends on what is not known, unless it may be guessed."""
        better = self._better_conversions
        votes: set[int] = set()
        weak: set[int] = set()
        same = True
        for argument, (_, ours), (_, theirs) in zip(arguments, first.targets, second.targets, strict=True):
            if not self._conversions.identity(ours, theirs):
                same = same and better.are_same_but_for_tasks(ours, theirs)
                if better.is_open(argument.expression, ours, theirs) and not (
                    guess and self._can_be_guessed(ours, theirs)
                ):
                    return 0
            vote = better.of_operand(argument.expression, ours, theirs)
            if vote:
                (weak if better.gives_way(argument.expression, ours, theirs) else votes).add(vote)
        votes = votes or weak
        natural = self._takes_natural_type(first, arguments) - self._takes_natural_type(second, arguments)
        if natural:
            return -natural
        if len(votes) == 1:
            return votes.pop()
        return self._tie_break(first, second, same)

    def _can_be_guessed(self, first: Type, second: Type) -> bool:
        """Not between ``object`` and another type: either may be meant."""
        return self._hierarchy.object not in (first, second)

    def _takes_natural_type(self, candidate: Candidate, arguments: list[Argument]) -> bool:
        """A lambda or method group gives a type parameter, or converts to a non-delegate type, by its natural type: candidates that
        do without are preferred (C# 10, natural function types)."""
        return any(
            depends_on_target(argument.expression)
            and not isinstance(type_, ErrorType)
            and (
                self._hierarchy.delegates.invoke(type_) is None
                or (candidate.infers and isinstance(parameter.type, TypeParameterType))
            )
            for argument, (parameter, type_) in zip(arguments, candidate.targets, strict=True)
        )

    def _tie_break(self, first: Candidate, second: Candidate, same: bool) -> int:
        ours, theirs = first.found.member, second.found.member
        if not same or _used(first) != _used(second):
            # The compiler compares forms and defaults whatever the types of parameters, once as many are not given.
            if _used(first) != _used(second):
                if first.expanded != second.expanded:
                    return -1 if first.expanded else 1
                if first.uses_default != second.uses_default:
                    return -1 if first.uses_default else 1
            return _by_value(first, second)
        generic_first, generic_second = bool(ours.signature.type_parameters), bool(theirs.signature.type_parameters)
        if generic_first != generic_second:
            return -1 if generic_first else 1
        if first.expanded != second.expanded:
            return -1 if first.expanded else 1
        if first.expanded and len(ours.parameters) != len(theirs.parameters):
            return 1 if len(ours.parameters) > len(theirs.parameters) else -1
        if first.uses_default != second.uses_default:
            return -1 if first.uses_default else 1
        specific = self._more_specific(first, second)
        if specific:
            return specific
        if first.expanded:
            collection = self._better_conversions.params(ours.parameters[-1].type, theirs.parameters[-1].type)
            if collection:
                return collection
        return _by_value(first, second)

    def _more_specific(self, first: Candidate, second: Candidate) -> int:
        """More specific declared parameter types: a type parameter is less specific than anything else, elementwise."""
        wins = losses = 0
        for (ours, _), (theirs, _) in zip(first.targets, second.targets, strict=True):
            vote = specificity(ours.type, theirs.type, 0)
            if vote > 0:
                wins += 1
            elif vote < 0:
                losses += 1
        if wins and not losses:
            return 1
        if losses and not wins:
            return -1
        return 0


def _used(candidate: Candidate) -> int:
    """Parameters and arguments in play: those of the declaration, of an expanded list as many as are given; a list without elements
    counts only when it is named."""
    parameters = candidate.found.member.parameters
    if not candidate.expanded:
        return len(parameters)
    if len(candidate.targets) >= len(parameters):
        return len(candidate.targets)
    return len(parameters) - (all(parameter is not parameters[-1] for parameter, _ in candidate.targets))


def _by_value(first: Candidate, second: Candidate) -> int:
    """A parameter taken by value is better than one taken by ``in``, where nothing else decides (C# 7.2)."""
    ours = sum(parameter.passing == Passing.VALUE for parameter, _ in first.targets)
    theirs = sum(parameter.passing == Passing.VALUE for parameter, _ in second.targets)
    return (ours > theirs) - (ours < theirs)
