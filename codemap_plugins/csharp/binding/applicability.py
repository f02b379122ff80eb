"""Applicable function members (ECMA-334 §12.6.4.2): arguments mapped to parameters, type arguments inferred, constraints satisfied, every
argument converting to its parameter.

Of what is not known as much counts as the conversions allow that it is made with (``Doubt``).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from codemap_plugins.csharp.binding.arguments import depends_on_target, is_unknown, map_arguments, passing_fits
from codemap_plugins.csharp.binding.bound_expressions import Argument, BoundExpression, BoundValue, UnboundLambda
from codemap_plugins.csharp.binding.constraints import satisfies_constraints
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.hierarchy import Found, Hierarchy
from codemap_plugins.csharp.binding.inference import OWN, Inference, of_method_around, own_variables, put_in_own
from codemap_plugins.csharp.binding.members import UNKNOWN, ParameterSymbol, Passing
from codemap_plugins.csharp.binding.receivers import Receivers
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import Type, contains_error, substitute


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


class RejectionKind(IntEnum):
    """What keeps a member from being applicable, in the order in which it is found out."""

    TYPE_ARGUMENT_COUNT = 0
    UNMAPPED = 1
    """The arguments do not pair with its parameters (ECMA-334 §12.6.2.2)."""
    PASSING = 2
    NOT_PARAMS = 3
    """Its last parameter has no elements to be given one by one."""
    LAMBDA_PARAMETERS = 4
    """A lambda has another number of parameters than the delegate."""
    OTHER_RECEIVER = 5
    """It extends what the receiver certainly is not."""
    NOT_INFERRED = 6
    CONSTRAINTS = 7
    NOT_CONVERTED = 8


class Rejection:
    """A member that is not applicable, and why. ``position``: of the argument; ``types``: of its parameter, or the type arguments."""

    __slots__ = ("expanded", "kind", "position", "types")

    def __init__(self, kind: RejectionKind, position: int = -1, types: tuple[Type, ...] = ()) -> None:
        self.kind = kind
        self.position = position
        self.types = types
        self.expanded = False
        """It is what keeps the expanded form from being applicable."""


class Applicability:
    def __init__(
        self, hierarchy: Hierarchy, conversions: Conversions, inference: Inference, functions: Conversions
    ) -> None:
        """``functions``: the conversions of lambdas, whose bodies may hold what is not known without being in doubt themselves."""
        self._hierarchy: Final = hierarchy
        self._functions: Final = functions
        self.conversions: Final = conversions
        self.inference: Final = inference
        self.receivers: Final = Receivers(hierarchy, conversions)

    def all(
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
            candidate = self.of(found, given, type_arguments, is_extension)
            if isinstance(candidate, Candidate):
                applicable.append(candidate)
        return applicable

    def of(
        self, found: Found, arguments: list[Argument], type_arguments: tuple[Type, ...], is_extension: bool
    ) -> Candidate | Rejection:
        member = found.member
        if (
            type_arguments
            and member.arity != len(type_arguments)
            and not (is_extension and len(member.signature.type_parameters) == len(type_arguments))
        ):
            return Rejection(RejectionKind.TYPE_ARGUMENT_COUNT)
        candidate = self._in_form(found, arguments, type_arguments, False, is_extension)
        if isinstance(candidate, Rejection):
            parameters = member.parameters
            if parameters and parameters[-1].is_params:
                candidate = self._in_form(found, arguments, type_arguments, True, is_extension)
                if isinstance(candidate, Rejection):
                    candidate.expanded = True
        return candidate

    def _in_form(
        self,
        found: Found,
        arguments: list[Argument],
        type_arguments: tuple[Type, ...],
        expanded: bool,
        is_extension: bool,
    ) -> Candidate | Rejection:
        member = found.member
        parameters = member.parameters
        mapping = map_arguments(parameters, arguments, expanded)
        conversions = self.conversions
        if mapping is None:
            return Rejection(RejectionKind.UNMAPPED)
        if expanded and conversions.params_element(parameters[-1].type) is None:
            return Rejection(RejectionKind.NOT_PARAMS)
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
                return Rejection(RejectionKind.PASSING, position)
            type_ = substitute(parameter.type, container, own) if container else parameter.type
            if expanded and parameter is parameters[-1]:
                element = conversions.params_element(type_)
                if element is None:
                    return Rejection(RejectionKind.NOT_PARAMS)
                type_ = element
            if isinstance(argument.expression, UnboundLambda) and conversions.takes_other_count(
                argument.expression, type_
            ):
                return Rejection(RejectionKind.LAMBDA_PARAMETERS, position, (type_,))
            types.append(type_)
        if is_extension and self.receivers.is_out(arguments[0].expression.type, types[0]):
            return Rejection(RejectionKind.OTHER_RECEIVER, 0, (types[0],))
        # In expanded form the last parameter is always given, perhaps by no argument.
        given = len(set(map(id, mapping))) + (1 if expanded and parameters[-1] not in mapping else 0)
        uses_default = given < len(parameters)
        method_arguments = type_arguments
        if infers:
            pairs = [(a.expression, t, p.passing) for a, t, p in zip(arguments, types, mapping, strict=True)]
            inferred = self.inference.infer(arity, pairs, OWN if apart else 0)
            if inferred is None:
                if conversions.takes_types and any(is_unknown(a.expression) for a in arguments):
                    inferred = tuple(UNKNOWN for _ in range(arity))
                else:
                    return Rejection(RejectionKind.NOT_INFERRED)
            method_arguments = inferred
        if method_arguments:
            if not satisfies_constraints(self._hierarchy, conversions, member, container, method_arguments):
                return Rejection(RejectionKind.CONSTRAINTS, -1, method_arguments)
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
                return Rejection(RejectionKind.NOT_CONVERTED, position, (type_,))
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
