"""Overload resolution (ECMA-334 §12.6.4): which function member a list of arguments chooses.

Candidates are applicable in normal or expanded form; those of the most derived type that has one are kept; the best is the one that is
better than every other. Where arguments are unknown several may remain: then the choice is made only if all agree on what matters, and
said to be of medium confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codemap_core.model import Confidence
from codemap_plugins.csharp.binding.applicability import Applicability, Tally
from codemap_plugins.csharp.binding.arguments import (
    any_open,
    argument_signature,
    depends_on_target,
    is_unknown,
)
from codemap_plugins.csharp.binding.better import BetterConversions
from codemap_plugins.csharp.binding.better_member import BetterMembers
from codemap_plugins.csharp.binding.bound_expressions import BoundMethodGroup, UnboundLambda, value
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.doubt import Doubt, is_doubtful
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.inference import Inference
from codemap_plugins.csharp.binding.later_rules import LaterRules
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.natural_types import NaturalTypes
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.resolution import (
    Candidate,
    Contest,
    Loser,
    LossKind,
    Outcome,
    OverloadResolution,
    chosen,
    undecided,
)
from codemap_plugins.csharp.binding.special_types import is_void_type
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import (
    ErrorType,
    FunctionPointerType,
    Type,
    TypeDefinition,
    contains_error,
    substitute,
)

_MAX_COMPARED: Final = 64


class Overloads:
    def __init__(
        self,
        hierarchy: Hierarchy,
        conversions: Conversions,
        natural_types: NaturalTypes,
        inference: Inference,
        later: LaterRules,
        keeps_losers: bool = False,
        outer: Overloads | None = None,
    ) -> None:
        """``outer``: of the same project; what does not depend on type parameters is remembered for both."""
        self._later: Final = later
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions
        self._natural_types: Final = natural_types
        self._better_conversions: Final = BetterConversions(hierarchy, conversions, natural_types)
        self._better_members: Final = BetterMembers(hierarchy, conversions, self._better_conversions)
        self._keeps_losers: Final = keeps_losers
        self.usual: Final[Applicability] = Applicability(
            hierarchy, conversions, inference, conversions, outer.usual if outer is not None else None
        )
        self.certain: Final[Applicability] = self._in_doubt(Doubt.CERTAIN, outer.certain if outer is not None else None)
        self.possible: Final[Applicability] = self._in_doubt(
            Doubt.POSSIBLE, outer.possible if outer is not None else None
        )
        self._resolved: Final[dict[tuple[object, ...], OverloadResolution]] = (
            outer._resolved if outer is not None else {}
        )

    def _in_doubt(self, doubt: Doubt, outer: Applicability | None) -> Applicability:
        hierarchy, usual = self._hierarchy, self._conversions
        conversions = Conversions(hierarchy, self._later, doubt, outer.conversions if outer is not None else None)
        inference = Inference(hierarchy, self._natural_types, conversions, self._later)
        return Applicability(hierarchy, conversions, inference, usual, outer)

    def forget(self) -> None:
        self._resolved.clear()

    def resolve(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: BoundExpression | None = None,
    ) -> OverloadResolution:
        """``receiver``: of an extension method, which is then the first argument."""
        signature = argument_signature(arguments) if receiver is None and isinstance(group, tuple) else None
        if signature is None or (type_arguments and any_open(type_arguments)):
            return self._resolve(group, arguments, type_arguments, within, receiver)
        key = (group, signature, type_arguments, within)
        known = self._resolved.get(key)
        if known is None:
            known = self._resolved[key] = self._resolve(group, arguments, type_arguments, within, receiver)
        return known

    def _resolve(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: BoundExpression | None,
    ) -> OverloadResolution:
        given = [Argument(receiver), *arguments] if receiver is not None else list(arguments)
        is_extension = receiver is not None
        tally = Tally() if self._keeps_losers else None
        choose = self._choose_in_doubt if self._is_doubtful(group, given, type_arguments) else self._choose
        resolution = choose(group, given, type_arguments, within, is_extension, tally)
        if tally is not None and group:
            losers = [*tally.losers, *self._outdone(tally.applicable, resolution.candidate, given)]
            losers.sort(key=lambda loser: group.index(loser.found))
            return resolution.after((Contest(given, type_arguments, is_extension, losers),))
        return resolution

    def _choose(
        self,
        group: Sequence[Found],
        given: list[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        is_extension: bool,
        tally: Tally | None,
    ) -> OverloadResolution:
        applicable = self.usual.all(group, given, type_arguments, within, is_extension, tally)
        if not applicable:
            return undecided(Outcome.INAPPLICABLE, group)
        applicable = self._most_derived(self._without_failing_lambdas(applicable, given))
        preferred = self._highest_priority(applicable)
        best = preferred[0] if len(preferred) == 1 else self._best(preferred, given)
        if best is None:
            return self._undecided(preferred, given)
        # A priority counts among those that are applicable, which may depend on what a lambda returns.
        passed = [each for each in applicable if each not in preferred]
        return chosen(
            best, Confidence.LOW if any(self._is_open(best, each, given) for each in passed) else Confidence.HIGH
        )

    def _is_open(self, best: Candidate, other: Candidate, given: list[Argument]) -> bool:
        """Which of them is applicable depends on what is not known of a lambda."""
        pairs = zip(given, best.targets, other.targets, strict=True)
        return any(
            self._better_conversions.is_open(each.expression, ours, theirs) for each, (_, ours), (_, theirs) in pairs
        )

    def _is_doubtful(self, group: Sequence[Found], given: list[Argument], type_arguments: tuple[Type, ...]) -> bool:
        """Something in question is not known: an argument's type or one of its bases, a type argument or one of its, a parameter's type, a
        constraint."""
        if any(is_doubtful(self._hierarchy, argument.expression) for argument in given):
            return True
        if any(contains_error(each) or not self._hierarchy.is_complete(each) for each in type_arguments):
            return True
        count = len(given)
        return any(
            found.member.signature.has_error or any(contains_error(each) for each in found.container.arguments)
            for found in group
            if found.member.minimum <= count <= found.member.maximum
        )

    def _choose_in_doubt(
        self,
        group: Sequence[Found],
        given: list[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        is_extension: bool,
        tally: Tally | None,
    ) -> OverloadResolution:
        """Of the members that may be applicable, one that certainly is and that is better than every other is chosen for certain. Where one
        alone may be, the code that compiles means it."""
        possible = self.possible.all(group, given, type_arguments, within, is_extension, tally)
        if not possible:
            return undecided(Outcome.INAPPLICABLE, group)
        certain = {
            candidate.found.member: candidate
            for candidate in self.certain.all(
                [each.found for each in possible], given, type_arguments, within, is_extension
            )
        }
        sure = list(certain.values())
        possible = self._without_failing_lambdas([certain.get(c.found.member, c) for c in possible], given)
        kept = [c for c in possible if c in self._most_derived([c, *(s for s in sure if s is not c)])]
        kept = [c for c in kept if c in self._highest_priority([c, *(s for s in sure if s is not c)])]
        best = kept[0] if len(kept) == 1 else self._best(kept, given)
        if best is not None and best in sure:
            return chosen(best, Confidence.HIGH)
        by_base = not any(is_unknown(argument.expression) for argument in given)
        if best is not None and len(kept) == 1:
            if is_extension and not self.certain.receivers.converts(given[0].expression.type, best.targets[0][1]):
                return undecided(Outcome.BASE_UNKNOWN, ())
            return chosen(best, Confidence.MEDIUM)
        if by_base and len({c.found.member.symbol_id for c in kept}) > 1:
            likely = [c for c in kept if not _makes_delegate_of_unknown(c, given)]
            if len(likely) == 1 < len(kept):
                return chosen(likely[0], Confidence.LOW)
            return self._several(Outcome.BASE_UNKNOWN, kept, given)
        return self._undecided(kept, given)

    def is_alone(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
    ) -> bool:
        """One member alone is applicable: then ``dynamic`` arguments leave nothing to decide at run time (C# 13). A generic method whose
        type arguments would come from them is applicable too (ECMA-334 §12.6.5)."""
        given = list(arguments)
        applicable = self.usual.all(group, given, type_arguments, within, False)
        if len(applicable) != 1:
            return False
        late = self._hierarchy.table.factory.dynamic
        inferred = (
            ([found], (late,) * len(found.member.signature.type_parameters))
            for found in group
            if found is not applicable[0].found and found.member.signature.type_parameters and not type_arguments
        )
        return not any(self.usual.all(each, given, own, within, False) for each, own in inferred)

    # Choosing

    def _without_failing_lambdas(self, candidates: list[Candidate], arguments: list[Argument]) -> list[Candidate]:
        """A lambda whose body would not compile with a delegate's parameter types does not convert to it (ECMA-334 §10.7.1)."""
        if len(candidates) == 1 or not any(isinstance(a.expression, UnboundLambda) for a in arguments):
            return candidates
        kept = [
            candidate
            for candidate in candidates
            if not any(
                isinstance(argument.expression, UnboundLambda)
                and self._conversions.lambda_fails(argument.expression, type_)
                for argument, (_, type_) in zip(arguments, candidate.targets, strict=True)
            )
        ]
        return kept or candidates

    def _most_derived(self, candidates: list[Candidate]) -> list[Candidate]:
        """Members of a base type give way to applicable ones of a derived type (ECMA-334 §12.8.10.2); an override counts where its slot
        is declared."""
        if len({(c.found.level, c.found.container.definition) for c in candidates}) == 1:
            return candidates
        lowest = min(c.found.level for c in candidates)
        first = next(c for c in candidates if c.found.level == lowest)
        if first.found.container.definition.kind.value == "interface":
            kept = []
            for candidate in candidates:
                others = [o for o in candidates if o is not candidate]
                hidden = any(
                    candidate.found.container in self._hierarchy.all_interfaces(o.found.container)
                    or (
                        candidate.found.container is self._hierarchy.object
                        and o.found.container is not self._hierarchy.object
                    )
                    for o in others
                )
                if not hidden:
                    kept.append(candidate)
            return kept or candidates
        return [c for c in candidates if c.found.level == lowest]

    def _highest_priority(self, candidates: list[Candidate]) -> list[Candidate]:
        """OverloadResolutionPriority (C# 13), among the members of each declaring type."""
        if len(candidates) == 1 or not self._conversions.language.overload_priority:
            return candidates
        # An override has the priority of the slot that it fills, and counts where that is declared.
        slots = [self._hierarchy.slot_of(candidate.found) for candidate in candidates]
        if not any(slot.member.priority for slot in slots):
            return candidates
        highest: dict[TypeDefinition, int] = {}
        for slot in slots:
            key = slot.container.definition
            highest[key] = max(highest.get(key, slot.member.priority), slot.member.priority)
        return [
            candidate
            for candidate, slot in zip(candidates, slots, strict=True)
            if slot.member.priority == highest[slot.container.definition]
        ]

    def _best(self, candidates: list[Candidate], arguments: list[Argument], guess: bool = False) -> Candidate | None:
        """``guess``: by what is known, where something is not."""
        best = candidates[0]
        for candidate in candidates[1:]:
            if self._better_members.better(candidate, best, arguments, guess) > 0:
                best = candidate
        if all(other is best or self._better_members.better(best, other, arguments, guess) > 0 for other in candidates):
            return best
        return None

    def _undecided(self, candidates: list[Candidate], arguments: list[Argument]) -> OverloadResolution:
        """Several remain. With unknown arguments they are told apart by what is known; what is not known leaves a guess at most."""
        unknown = any(is_unknown(a.expression) or depends_on_target(a.expression) for a in arguments)
        kept = self._unbeaten(self._without_longer(candidates, arguments) if unknown else candidates, arguments)
        if len({c.found.member.symbol_id for c in kept}) == 1:
            # Declared more than once, as in a file for each system: whichever is compiled has that id.
            return chosen(kept[0], Confidence.MEDIUM)
        if not unknown:
            return self._several(Outcome.AMBIGUOUS, kept, arguments)
        guess = self._best(kept, arguments, guess=True)
        if guess is not None:
            return chosen(guess, Confidence.LOW)
        return self._several(Outcome.AMBIGUOUS, kept, arguments)

    def _several(
        self, outcome: Outcome, candidates: Sequence[Candidate], arguments: Sequence[Argument]
    ) -> OverloadResolution:
        """Nothing tells the candidates apart; a lambda has the parameters that all of them give it."""
        inputs = [
            self._inputs(at, candidates) if isinstance(argument.expression, UnboundLambda) else None
            for at, argument in enumerate(arguments)
        ]
        return undecided(outcome, tuple(c.found for c in candidates), inputs)

    def _inputs(self, position: int, candidates: Sequence[Candidate]) -> tuple[Type, ...] | None:
        given = {
            signature.types if (signature := self._hierarchy.delegates.signature(c.targets[position][1])) else None
            for c in candidates
        }
        return given.pop() if len(given) == 1 else None

    def _without_longer(self, candidates: list[Candidate], arguments: list[Argument]) -> list[Candidate]:
        """Without those in expanded form or with defaults beside which another takes what is not known as the same type and needs neither
        (ECMA-334 §12.6.4.3)."""
        full = [c for c in candidates if not c.uses_default and not c.expanded]
        unknown = [at for at, argument in enumerate(arguments) if is_unknown(argument.expression)]

        def is_longer(candidate: Candidate) -> bool:
            return any(
                all(self._conversions.identity(candidate.targets[at][1], shorter.targets[at][1]) for at in unknown)
                for shorter in full
            )

        return full + [c for c in candidates if (c.uses_default or c.expanded) and not is_longer(c)]

    def _unbeaten(self, found: list[Candidate], arguments: list[Argument]) -> list[Candidate]:
        """Those that no other is better than; all of very many, as comparing each with each would take too long."""
        if len(found) > _MAX_COMPARED:
            return found
        return [
            c for c in found if not any(self._better_members.better(o, c, arguments) > 0 for o in found if o is not c)
        ] or found

    # Losing

    def _outdone(
        self, applicable: Sequence[Candidate], best: Candidate | None, given: list[Argument]
    ) -> Iterator[Loser]:
        """Applicable members that were not chosen."""
        for candidate in applicable:
            if best is None:
                yield Loser(candidate.found, LossKind.AS_GOOD)
            elif candidate.found is not best.found:
                yield self._outdone_by(best, candidate, given)

    def _outdone_by(self, best: Candidate, candidate: Candidate, given: list[Argument]) -> Loser:
        found = candidate.found
        if candidate not in self._without_failing_lambdas([candidate, best], given):
            return Loser(found, LossKind.LAMBDA_FAILS)
        if candidate not in self._most_derived([candidate, best]):
            return Loser(found, LossKind.LESS_DERIVED)
        if candidate not in self._highest_priority([candidate, best]):
            return Loser(found, LossKind.LOWER_PRIORITY)
        pairs = zip(given, best.targets, candidate.targets, strict=True)
        for position, (argument, (_, ours), (_, theirs)) in enumerate(pairs):
            if self._better_conversions.of_operand(argument.expression, ours, theirs) > 0:
                return Loser(found, LossKind.CONVERTS_WORSE, position, (ours, theirs))
        if candidate.expanded and not best.expanded:
            return Loser(found, LossKind.EXPANDED)
        if candidate.uses_default and not best.uses_default:
            return Loser(found, LossKind.USES_DEFAULT)
        return Loser(found, LossKind.LESS_SPECIFIC)

    # Method groups

    def method_for_delegate(self, group: BoundMethodGroup, target: Type) -> OverloadResolution:
        """The method of a group that a delegate type takes (ECMA-334 §10.8)."""
        signature = self._hierarchy.delegates.signature(target)
        if signature is None:
            return undecided(Outcome.INAPPLICABLE, group.found)
        types, returns = signature.types, signature.returns
        passings = [p.passing for p in signature.parameters]
        resolution = self.method_for_types(group, types, passings)
        if resolution.candidate is not None and self._result_fits(resolution.candidate.return_type, returns):
            return resolution
        # C# 7.3: a method that returns something else is not a candidate.
        kept = [
            f
            for f in group.found
            if f.member.signature.type_parameters or self._result_fits(self._hierarchy.member_type(f), returns)
        ]
        if kept and len(kept) < len(group.found):
            arguments = [Argument(value(t), passing=p) for t, p in zip(types, passings, strict=True)]
            resolution = self.resolve(kept, arguments, group.type_arguments, group.scope.within)
            if resolution.candidate is not None and self._result_fits(resolution.candidate.return_type, returns):
                return resolution
        return undecided(Outcome.INAPPLICABLE, group.found).after(resolution.contests)

    def _result_fits(self, result: Type, returns: Type) -> bool:
        """A method with this result makes a delegate that returns ``returns``."""
        if is_void_type(returns) != is_void_type(result) and not (contains_error(returns) or contains_error(result)):
            return False
        return is_void_type(returns) or self._conversions.reference(result, returns)

    def method_for_types(
        self, group: BoundMethodGroup, types: tuple[Type, ...], passings: Sequence[int]
    ) -> OverloadResolution:
        arguments = [Argument(value(t), passing=p) for t, p in zip(types, passings, strict=True)]
        found = tuple(f for f in group.found if self._takes_as_written(f, types))
        if found:
            resolution = self.resolve(found, arguments, group.type_arguments, group.scope.within)
        else:
            resolution = undecided(Outcome.INAPPLICABLE, group.found)
        if resolution.candidate is None and group.receiver is not None and not group.receiver_is_type:
            receiver = value(group.receiver)
            extensions = self._later.extensions
            extension = extensions.resolve(group.scope, group.name, receiver, arguments, group.type_arguments, True)
            resolution = extension.after(resolution.contests)
        return resolution

    def _takes_as_written(self, found: Found, types: tuple[Type, ...]) -> bool:
        """A method is made a delegate of in its normal form, without defaults (ECMA-334 §10.8)."""
        parameters = found.member.parameters
        if len(parameters) != len(types):
            return False
        if not parameters or not parameters[-1].is_params or found.member.arity:
            return True
        return self._conversions.reference(types[-1], substitute(parameters[-1].type, found.container.arguments))

    def method_for_pointer(self, group: BoundMethodGroup, target: FunctionPointerType) -> OverloadResolution:
        """The method of a group whose address a function pointer takes (C# 9)."""
        return self.method_for_types(group, target.types[:-1], target.passings)

    def group_result(self, group: BoundMethodGroup, types: tuple[Type, ...], passings: Sequence[int]) -> Type | None:
        candidate = self.method_for_types(group, types, passings).candidate
        return candidate.return_type if candidate is not None else None


def _makes_delegate_of_unknown(candidate: Candidate, given: Sequence[Argument]) -> bool:
    """It takes a lambda for a type that was not found, which would have to be a delegate (ECMA-334 §10.7.1), as few types are."""
    return any(
        isinstance(argument.expression, UnboundLambda) and isinstance(type_, ErrorType)
        for argument, (_, type_) in zip(given, candidate.targets, strict=True)
    )
