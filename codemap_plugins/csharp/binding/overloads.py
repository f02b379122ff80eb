"""Overload resolution (ECMA-334 §12.6.4): which function member a list of arguments chooses.

Candidates are applicable in normal or expanded form; those of the most derived type that has one are kept; the best is the one that is
better than every other. Where arguments are unknown several may remain: then the choice is made only if all agree on what matters, and
said to be of medium confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.binding.arguments import (
    argument_signature,
    depends_on_target,
    is_unknown,
    map_arguments,
    passing_fits,
)
from codemap_plugins.csharp.binding.better import BetterConversions, specificity
from codemap_plugins.csharp.binding.constraints import satisfies_constraints
from codemap_plugins.csharp.binding.conversions import Conversions, is_void_type
from codemap_plugins.csharp.binding.hierarchy import Found, Hierarchy
from codemap_plugins.csharp.binding.inference import OWN, Inference, of_method_around, own_variables, put_in_own
from codemap_plugins.csharp.binding.members import UNKNOWN, ParameterSymbol, Passing
from codemap_plugins.csharp.binding.operands import Argument, Operand, OperandKind, value
from codemap_plugins.csharp.binding.receivers import Receivers
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import (
    ErrorType,
    Type,
    TypeParameterType,
    contains_error,
    substitute,
)

_MAX_COMPARED: Final = 64


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


class Resolution:
    """What was chosen. ``exact`` is false when unknown arguments left several and they were told apart by less than their types."""

    __slots__ = ("candidate", "exact", "rejected")

    def __init__(self, candidate: Candidate | None, exact: bool, rejected: Sequence[Found]) -> None:
        self.candidate = candidate
        self.exact = exact
        self.rejected = rejected


class Overloads:
    def __init__(self, hierarchy: Hierarchy, conversions: Conversions, inference: Inference) -> None:
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions
        self._inference: Final = inference
        self._better_conversion: Final = BetterConversions(hierarchy, conversions)
        self._resolved: dict[tuple[object, ...], tuple[Sequence[Found], Resolution]] = {}
        self._receivers: Final = Receivers(hierarchy, conversions)
        conversions.resolve_group = self.method_for_delegate
        inference.group_result = self.group_result

    def resolve(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: Operand | None = None,
    ) -> Resolution:
        """``receiver``: of an extension method, which is then the first argument."""
        signature = argument_signature(arguments) if receiver is None and isinstance(group, tuple) else None
        if signature is None:
            return self._resolve_strictly(group, arguments, type_arguments, within, receiver)
        key = (id(group), signature, type_arguments, within)
        known = self._resolved.get(key)
        if known is None or known[0] is not group:
            known = (group, self._resolve_strictly(group, arguments, type_arguments, within, receiver))
            self._resolved[key] = known
        return known[1]

    def _resolve_strictly(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: Operand | None,
    ) -> Resolution:
        """What missing bases might convert to counts only where nothing else fits."""
        resolution = self._resolve(group, arguments, type_arguments, within, receiver)
        conversions = self._conversions
        if resolution.candidate is None and not conversions.lenient and len(resolution.rejected) == len(group):
            conversions.lenient = True
            try:
                resolution = self._resolve(group, arguments, type_arguments, within, receiver)
            finally:
                conversions.lenient = False
            resolution.exact = False
        return resolution

    def _resolve(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: Operand | None,
    ) -> Resolution:
        given = [Argument(receiver), *arguments] if receiver is not None else list(arguments)
        applicable = self._all_applicable(group, given, type_arguments, within, receiver is not None)
        if not applicable:
            return Resolution(None, False, group)
        applicable = self._most_derived(self._without_failing_lambdas(applicable, given))
        applicable = self._highest_priority(applicable)
        if len(applicable) == 1:
            return Resolution(applicable[0], True, ())
        best = self._best(applicable, given)
        if best is not None:
            return Resolution(best, True, ())
        return self._undecided(applicable, given)

    def is_alone(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
    ) -> bool:
        """One member alone is applicable: then ``dynamic`` arguments leave nothing to decide at run time (C# 13)."""
        return len(self._all_applicable(group, list(arguments), type_arguments, within, False)) == 1

    # Applicability

    def _all_applicable(
        self,
        group: Sequence[Found],
        given: list[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        is_extension: bool,
    ) -> list[Candidate]:
        applicable: list[Candidate] = []
        count = len(given)
        for found in group:
            member = found.member
            if not member.minimum <= count <= member.maximum or not self._hierarchy.can_access(found, within):
                continue
            candidate = self._applicable(found, given, type_arguments, is_extension)
            if candidate is not None:
                applicable.append(candidate)
        return applicable

    def _applicable(
        self, found: Found, arguments: list[Argument], type_arguments: tuple[Type, ...], is_extension: bool
    ) -> Candidate | None:
        member = found.member
        if (
            type_arguments
            and member.arity != len(type_arguments)
            and not (is_extension and len(member.signature.type_parameters) == len(type_arguments))
        ):
            return None
        candidate = self._in_form(found, arguments, type_arguments, False, is_extension)
        if candidate is None:
            parameters = member.parameters
            if parameters and parameters[-1].is_params:
                candidate = self._in_form(found, arguments, type_arguments, True, is_extension)
        return candidate

    def _in_form(
        self,
        found: Found,
        arguments: list[Argument],
        type_arguments: tuple[Type, ...],
        expanded: bool,
        is_extension: bool,
    ) -> Candidate | None:
        member = found.member
        parameters = member.parameters
        mapping = map_arguments(parameters, arguments, expanded)
        conversions = self._conversions
        if mapping is None or (expanded and conversions.params_element(parameters[-1].type) is None):
            return None
        container = found.container.arguments
        arity = len(member.signature.type_parameters)
        infers = bool(arity and not type_arguments)
        apart = bool(arity and container) and of_method_around(container)
        own = own_variables(self._hierarchy.table.factory, arity) if apart else ()
        types: list[Type] = []
        for position, parameter in enumerate(mapping):
            argument = arguments[position]
            if argument.passing != parameter.passing and not passing_fits(
                argument, parameter, is_extension and position == 0
            ):
                return None
            type_ = substitute(parameter.type, container, own) if container else parameter.type
            if expanded and parameter is parameters[-1]:
                element = conversions.params_element(type_)
                if element is None:
                    return None
                type_ = element
            if argument.operand.kind is OperandKind.LAMBDA and conversions.takes_other_count(argument.operand, type_):
                return None
            types.append(type_)
        if is_extension and self._receivers.is_out(arguments[0].operand.type, types[0]):
            return None
        # In expanded form the last parameter is always given, perhaps by no argument.
        given = len(set(map(id, mapping))) + (1 if expanded and parameters[-1] not in mapping else 0)
        uses_default = given < len(parameters)
        method_arguments = type_arguments
        if infers:
            pairs = [(a.operand, t, p.passing) for a, t, p in zip(arguments, types, mapping, strict=True)]
            inferred = self._inference.infer(arity, pairs, OWN if apart else 0)
            if inferred is None:
                if any(is_unknown(a.operand) for a in arguments):
                    inferred = tuple(UNKNOWN for _ in range(arity))
                else:
                    return None
            method_arguments = inferred
        if method_arguments:
            if not satisfies_constraints(self._hierarchy, conversions, member, container, method_arguments):
                return None
            types = [put_in_own(t, method_arguments) if apart else substitute(t, (), method_arguments) for t in types]
        for position, (argument, parameter, type_) in enumerate(zip(arguments, mapping, types, strict=True)):
            operand = argument.operand
            if parameter.passing in (Passing.REF, Passing.OUT) or argument.passing:
                if not self._reference_fits(operand, type_, parameter.passing):
                    return None
            elif is_extension and position == 0:
                if not self._receivers.converts(operand.type, type_):
                    return None
            elif not conversions.from_operand(operand, type_):
                return None
        return Candidate(
            found, list(zip(mapping, types, strict=True)), method_arguments, expanded, uses_default, infers
        )

    def _reference_fits(self, operand: Operand, type_: Type, passing: int) -> bool:
        """What is passed by reference has the parameter's type; ``in`` and ``ref readonly`` take what converts to it."""
        if operand.kind is not OperandKind.VALUE or contains_error(operand.type) or contains_error(type_):
            return True
        if self._conversions.identity(operand.type, type_) or (
            operand.interpolation and self._conversions.is_handler(type_)
        ):
            return True
        return passing in (Passing.IN, Passing.REF_READONLY) and self._conversions.between(operand.type, type_)

    # Choosing

    def _without_failing_lambdas(self, candidates: list[Candidate], arguments: list[Argument]) -> list[Candidate]:
        """A lambda whose body would not compile with a delegate's parameter types does not convert to it (ECMA-334 §10.7.1)."""
        if len(candidates) == 1 or not any(a.operand.kind is OperandKind.LAMBDA for a in arguments):
            return candidates
        kept = [
            candidate
            for candidate in candidates
            if not any(
                argument.operand.kind is OperandKind.LAMBDA and self._conversions.lambda_fails(argument.operand, type_)
                for argument, (_, type_) in zip(arguments, candidate.targets, strict=True)
            )
        ]
        return kept or candidates

    def _most_derived(self, candidates: list[Candidate]) -> list[Candidate]:
        """Members of a base type give way to applicable ones of a derived type (ECMA-334 §12.8.10.2); an override counts where its slot
        is declared."""
        if len({(c.found.level, id(c.found.container.definition)) for c in candidates}) == 1:
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
        if not self._conversions.language.overload_priority or not any(c.found.member.priority for c in candidates):
            return candidates
        highest: dict[int, int] = {}
        for candidate in candidates:
            key = id(candidate.found.container.definition)
            highest[key] = max(highest.get(key, candidate.found.member.priority), candidate.found.member.priority)
        return [c for c in candidates if c.found.member.priority == highest[id(c.found.container.definition)]]

    def _best(self, candidates: list[Candidate], arguments: list[Argument]) -> Candidate | None:
        best = candidates[0]
        for candidate in candidates[1:]:
            if self._better(candidate, best, arguments) > 0:
                best = candidate
        if all(other is best or self._better(best, other, arguments) > 0 for other in candidates):
            return best
        return None

    def _better(self, first: Candidate, second: Candidate, arguments: list[Argument]) -> int:
        """ECMA-334 §12.6.4.3."""
        better = self._better_conversion
        votes: set[int] = set()
        weak: set[int] = set()
        same = True
        for argument, (_, ours), (_, theirs) in zip(arguments, first.targets, second.targets, strict=True):
            if not self._conversions.identity(ours, theirs):
                same = False
            vote = better.of_operand(argument.operand, ours, theirs)
            if vote:
                (weak if better.gives_way(argument.operand, ours, theirs) else votes).add(vote)
        votes = votes or weak
        natural = self._takes_natural_type(first, arguments) - self._takes_natural_type(second, arguments)
        if natural:
            return -natural
        if len(votes) == 1:
            return votes.pop()
        return self._tie_break(first, second, same)

    def _takes_natural_type(self, candidate: Candidate, arguments: list[Argument]) -> bool:
        """A lambda or method group gives a type parameter, or converts to what is no delegate type, by its natural type: candidates that
        do without are preferred (C# 10, natural function types)."""
        return any(
            depends_on_target(argument.operand)
            and not isinstance(type_, ErrorType)
            and (
                self._hierarchy.delegate_invoke(type_) is None
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
            collection = self._better_conversion.params(ours.parameters[-1].type, theirs.parameters[-1].type)
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

    def _undecided(self, candidates: list[Candidate], arguments: list[Argument]) -> Resolution:
        """Several remain. With unknown arguments they are told apart by what is known: full arity first, then no defaults."""
        unknown = any(is_unknown(a.operand) or depends_on_target(a.operand) for a in arguments)
        if not unknown:
            return Resolution(None, False, tuple(c.found for c in self._unbeaten(candidates, arguments)))
        kept = [c for c in candidates if not c.uses_default and not c.expanded] or candidates
        kept = self._unbeaten(kept, arguments)
        if len({c.found.member.symbol_id for c in kept}) == 1:
            return Resolution(kept[0], False, ())
        return Resolution(None, False, tuple(c.found for c in kept))

    def _unbeaten(self, found: list[Candidate], arguments: list[Argument]) -> list[Candidate]:
        """Those that no other is better than; all of very many, as comparing each with each would take too long."""
        if len(found) > _MAX_COMPARED:
            return found
        return [c for c in found if not any(self._better(o, c, arguments) > 0 for o in found if o is not c)] or found

    # Method groups

    def method_for_delegate(self, group: Operand, target: Type) -> Candidate | None:
        """The method of a group that a delegate type takes (ECMA-334 §10.8)."""
        signature = self._hierarchy.delegate_signature(target)
        if signature is None:
            return None
        types, returns = signature.types, signature.returns
        passings = [p.passing for p in signature.parameters]
        candidate = self.method_for_types(group, types, passings)
        if candidate is not None and self._result_fits(candidate.return_type, returns):
            return candidate
        # C# 7.3: a method that returns something else is no candidate.
        kept = [
            f
            for f in group.found
            if f.member.signature.type_parameters or self._result_fits(self._hierarchy.member_type(f), returns)
        ]
        if not kept or len(kept) == len(group.found):
            return None
        arguments = [Argument(value(t), passing=p) for t, p in zip(types, passings, strict=True)]
        within = group.scope.within if group.scope is not None else None
        candidate = self.resolve(kept, arguments, group.type_arguments, within).candidate
        return candidate if candidate is not None and self._result_fits(candidate.return_type, returns) else None

    def _result_fits(self, result: Type, returns: Type) -> bool:
        """A method with this result makes a delegate that returns ``returns``."""
        if is_void_type(returns) != is_void_type(result) and not (contains_error(returns) or contains_error(result)):
            return False
        return is_void_type(returns) or self._conversions.reference(result, returns)

    def method_for_types(self, group: Operand, types: tuple[Type, ...], passings: Sequence[int]) -> Candidate | None:
        arguments = [Argument(value(t), passing=p) for t, p in zip(types, passings, strict=True)]
        within = group.scope.within if group.scope is not None else None
        resolution = self.resolve(group.found, arguments, group.type_arguments, within)
        if (
            resolution.candidate is None
            and group.receiver is not None
            and group.scope is not None
            and not group.receiver_is_type
        ):
            resolution = group.scope.extensions(group.name, value(group.receiver), arguments, group.type_arguments)
        return resolution.candidate

    def group_result(self, group: Operand, types: tuple[Type, ...]) -> Type | None:
        candidate = self.method_for_types(group, types, [0] * len(types))
        return candidate.return_type if candidate is not None else None


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
