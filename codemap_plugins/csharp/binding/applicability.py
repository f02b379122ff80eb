"""Applicable function members (ECMA-334 §12.6.4.2): arguments mapped to parameters, type arguments inferred, constraints satisfied, every
argument converting to its parameter.

Of what is not known as much counts as the conversions allow that it is made with (``Doubt``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.binding.arguments import depends_on_target, is_unknown, map_arguments, passing_fits
from codemap_plugins.csharp.binding.bound_expressions import BoundValue, UnboundLambda
from codemap_plugins.csharp.binding.constraints import satisfies_constraints
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.inference import Inference
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN, Passing
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.receivers import Receivers
from codemap_plugins.csharp.binding.resolution import Candidate, Loser, LossKind
from codemap_plugins.csharp.binding.type_variables import OWN, of_method_around, own_variables, put_in_own
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import Type, contains_error, substitute


class Tally:
    """What became of the members of a group, for who wants to know: those that are not applicable, and those that are."""

    __slots__ = ("_applicable", "losers")

    def __init__(self) -> None:
        self.losers: Final[list[Loser]] = []
        self._applicable: Sequence[Candidate] = ()

    @property
    def applicable(self) -> Sequence[Candidate]:
        return self._applicable

    def note_applicable(self, candidates: Sequence[Candidate]) -> None:
        self._applicable = candidates


class Applicability:
    def __init__(
        self,
        hierarchy: Hierarchy,
        conversions: Conversions,
        inference: Inference,
        functions: Conversions,
        outer: Applicability | None = None,
    ) -> None:
        """``functions``: the conversions of lambdas, whose bodies may hold what is not known without being in doubt themselves. ``outer``:
        of the same project and doubt."""
        self._hierarchy: Final = hierarchy
        self._functions: Final = functions
        self.conversions: Final = conversions
        self.inference: Final = inference
        self.receivers: Final[Receivers] = Receivers(
            hierarchy, conversions, outer.receivers if outer is not None else None
        )

    def all(
        self,
        group: Sequence[Found],
        given: list[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        is_extension: bool,
        tally: Tally | None = None,
    ) -> list[Candidate]:
        applicable: list[Candidate] = []
        count = len(given)
        for found in group:
            member = found.member
            if not member.minimum <= count <= member.maximum or not self._hierarchy.can_access(found, within):
                if tally is not None:
                    can_access = self._hierarchy.can_access(found, within)
                    tally.losers.append(Loser(found, LossKind.ARGUMENT_COUNT if can_access else LossKind.INACCESSIBLE))
                continue
            candidate = self.of(found, given, type_arguments, is_extension)
            if isinstance(candidate, Candidate):
                applicable.append(candidate)
            elif tally is not None:
                tally.losers.append(candidate)
        if tally is not None:
            tally.note_applicable(applicable)
        return applicable

    def of(
        self, found: Found, arguments: list[Argument], type_arguments: tuple[Type, ...], is_extension: bool
    ) -> Candidate | Loser:
        member = found.member
        if type_arguments and member.type_parameter_count != len(type_arguments):
            return Loser(found, LossKind.TYPE_ARGUMENT_COUNT)
        candidate = self._in_form(found, arguments, type_arguments, False, is_extension)
        if isinstance(candidate, Loser):
            parameters = member.parameters
            if parameters and parameters[-1].is_params:
                candidate = self._in_form(found, arguments, type_arguments, True, is_extension)
                if isinstance(candidate, Loser):
                    candidate = candidate.in_expanded_form()
        return candidate

    def _in_form(
        self,
        found: Found,
        arguments: list[Argument],
        type_arguments: tuple[Type, ...],
        expanded: bool,
        is_extension: bool,
    ) -> Candidate | Loser:
        member = found.member
        parameters = member.parameters
        mapping = map_arguments(parameters, arguments, expanded)
        conversions = self.conversions
        if mapping is None:
            return Loser(found, LossKind.UNMAPPED)
        if expanded and conversions.params_element(parameters[-1].type) is None:
            return Loser(found, LossKind.NOT_PARAMS)
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
                return Loser(found, LossKind.PASSING, position)
            type_ = substitute(parameter.type, container, own) if container else parameter.type
            if expanded and parameter is parameters[-1]:
                element = conversions.params_element(type_)
                if element is None:
                    return Loser(found, LossKind.NOT_PARAMS)
                type_ = element
            if isinstance(argument.expression, UnboundLambda) and conversions.takes_other_count(
                argument.expression, type_
            ):
                return Loser(found, LossKind.LAMBDA_PARAMETERS, position, (type_,))
            types.append(type_)
        if is_extension and self.receivers.is_out(arguments[0].expression.type, types[0]):
            return Loser(found, LossKind.OTHER_RECEIVER, 0, (types[0],))
        # An argument is given to each of them, but in expanded form: there several are given to the last one, or none is.
        given = len(mapping) if not expanded else len({id(each) for each in (*mapping, parameters[-1])})
        uses_default = given < len(parameters)
        method_arguments = type_arguments
        if infers:
            pairs = [(a.expression, t, p.passing) for a, t, p in zip(arguments, types, mapping, strict=True)]
            inferred = self.inference.infer(arity, pairs, OWN if apart else 0)
            if inferred is None:
                if conversions.takes_types and any(is_unknown(a.expression) for a in arguments):
                    inferred = tuple(UNKNOWN for _ in range(arity))
                else:
                    return Loser(found, LossKind.NOT_INFERRED)
            method_arguments = inferred
        if method_arguments:
            if not satisfies_constraints(self._hierarchy, conversions, member, container, method_arguments):
                return Loser(found, LossKind.CONSTRAINTS, -1, method_arguments)
            types = [put_in_own(t, method_arguments) if apart else substitute(t, (), method_arguments) for t in types]
        for position, (argument, parameter, type_) in enumerate(zip(arguments, mapping, types, strict=True)):
            operand = argument.expression
            if parameter.passing in (Passing.REF, Passing.OUT) or argument.passing:
                fits = self.reference_fits(operand, type_, parameter.passing)
            elif is_extension and position == 0:
                fits = self.receivers.converts(operand.type, type_)
            else:
                functions = self._functions if depends_on_target(operand) else conversions
                fits = bool(functions.from_operand(operand, type_))
            if not fits:
                return Loser(found, LossKind.NOT_CONVERTED, position, (type_,))
        return Candidate(
            found, list(zip(mapping, types, strict=True)), method_arguments, expanded, uses_default, infers
        )

    def reference_fits(self, operand: BoundExpression, type_: Type, passing: int) -> bool:
        """What is passed by reference has the parameter's type; ``in`` and ``ref readonly`` take what converts to it."""
        if not isinstance(operand, BoundValue):
            return True
        if contains_error(operand.type) or contains_error(type_):
            return self.conversions.takes_types or operand.type is type_
        if self.conversions.identity(operand.type, type_) or (
            operand.interpolation and self.conversions.is_handler(type_)
        ):
            return True
        return passing in (Passing.IN, Passing.REF_READONLY) and self.conversions.between(operand.type, type_)
