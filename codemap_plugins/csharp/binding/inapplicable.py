"""Why a member of a group was not chosen: the steps of overload resolution again, one candidate at a time, until one says no.

Used to explain a choice, never to make one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from codemap_core.model.counting import counted
from codemap_plugins.csharp.binding.applicability import Candidate
from codemap_plugins.csharp.binding.arguments import map_arguments, passing_fits
from codemap_plugins.csharp.binding.constraints import satisfies_constraints
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.extensions import Extensions
from codemap_plugins.csharp.binding.hierarchy import Found, Hierarchy
from codemap_plugins.csharp.binding.inference import Inference
from codemap_plugins.csharp.binding.members import Member, MemberKind, ParameterSymbol, Passing
from codemap_plugins.csharp.binding.operands import Argument, Operand, OperandKind
from codemap_plugins.csharp.binding.overloads import Overloads, Resolution
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.symbols.types import Type, metadata_display, substitute

_NAMELESS: Final = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
_PASSED: Final[dict[int, str]] = {0: "by value", 1: "with ref", 2: "with out", 3: "with in", 4: "with ref or in"}


class Attempt(NamedTuple):
    """One overload resolution: the arguments as given, the choice, and for each other member why it lost."""

    arguments: Sequence[Argument]
    receiver: Operand | None
    chosen: Found | None
    lost: tuple[tuple[Found, str], ...]

    @property
    def is_of_constructors(self) -> bool:
        return any(found.member.kind is MemberKind.CONSTRUCTOR for found, _ in self.lost)


class ExplainingOverloads(Overloads):
    """Keeps every resolution among members of the names in question. ``wants``: whether a group is in question."""

    def __init__(
        self, hierarchy: Hierarchy, conversions: Conversions, inference: Inference, wants: Callable[[Member], bool]
    ) -> None:
        super().__init__(hierarchy, conversions, inference)
        self._wants = wants
        self.attempts: list[Attempt] = []

    def resolve(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: Operand | None = None,
    ) -> Resolution:
        resolution = super().resolve(group, arguments, type_arguments, within, receiver)
        if group and self._wants(group[0].member):
            chosen = resolution.candidate
            given = [Argument(receiver), *arguments] if receiver is not None else list(arguments)
            lost = tuple(
                (found, self._why_lost(found, chosen, given, type_arguments, within, receiver is not None))
                for found in group
                if chosen is None or found is not chosen.found
            )
            self.attempts.append(Attempt(arguments, receiver, None if chosen is None else chosen.found, lost))
        return resolution

    def _why_lost(
        self,
        found: Found,
        chosen: Candidate | None,
        given: list[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        is_extension: bool,
    ) -> str:
        member = found.member
        if not self._hierarchy.can_access(found, within):
            return f"it is {member.visibility.value} and not accessible here (§7.5)"
        if not member.minimum <= len(given) <= member.maximum:
            return _wrong_count(member, len(given), is_extension)
        candidate = self.usual.of(found, given, type_arguments, is_extension)
        if candidate is None:
            return self._why_inapplicable(found, given, type_arguments, is_extension)
        if chosen is None:
            return "applicable, as good as the others"
        if candidate not in self._most_derived([candidate, chosen]):
            return "applicable, but declared further up than one that is applicable too (§12.8.10.2)"
        if candidate not in self._highest_priority([candidate, chosen]):
            return "applicable, but of a lower OverloadResolutionPriority"
        for position, (argument, (_, ours), (_, theirs)) in enumerate(
            zip(given, chosen.targets, candidate.targets, strict=True), 1
        ):
            if self._better_conversion.of_operand(argument.operand, ours, theirs) > 0:
                return (
                    f"applicable, but argument {position} converts better to {type_display(ours)} than to "
                    f"{type_display(theirs)} (§12.6.4.5)"
                )
        if candidate.expanded and not chosen.expanded:
            return "applicable in expanded form only (§12.6.4.3)"
        if candidate.uses_default and not chosen.uses_default:
            return "applicable, but it leaves optional parameters to their defaults (§12.6.4.3)"
        return "applicable, but less specific or generic where the chosen one is not (§12.6.4.3)"

    def _why_inapplicable(
        self, found: Found, given: list[Argument], type_arguments: tuple[Type, ...], is_extension: bool
    ) -> str:
        member = found.member
        if type_arguments and member.arity != len(type_arguments) and not is_extension:
            given_count = counted(len(type_arguments), "type argument is", "type arguments are")
            return f"it has {counted(member.arity, 'type parameter')}, {given_count} given"
        reason = self._why_not_in_form(found, given, type_arguments, False, is_extension)
        if member.parameters and member.parameters[-1].is_params:
            return f"{self._why_not_in_form(found, given, type_arguments, True, is_extension)} (in expanded form)"
        return reason

    def _why_not_in_form(
        self, found: Found, given: list[Argument], type_arguments: tuple[Type, ...], expanded: bool, is_extension: bool
    ) -> str:
        member = found.member
        mapping = map_arguments(member.parameters, given, expanded)
        if mapping is None:
            return _why_unmapped(member, given)
        container = found.container.arguments
        types: list[Type] = []
        for position, parameter in enumerate(mapping):
            if not passing_fits(given[position], parameter, is_extension and position == 0):
                return f"{_nth(position, is_extension)} must be passed {_PASSED[parameter.passing]}"
            type_ = substitute(parameter.type, container) if container else parameter.type
            if expanded and parameter is member.parameters[-1]:
                type_ = self._conversions.params_element(type_) or type_
            types.append(type_)
        if is_extension and self.usual.receivers.is_out(given[0].operand.type, types[0]):
            return f"it extends {type_display(types[0])}, which {operand_display(given[0].operand)} is not"
        arity = len(member.signature.type_parameters)
        method_arguments = type_arguments
        if arity and not type_arguments:
            pairs = [(a.operand, t, p.passing) for a, t, p in zip(given, types, mapping, strict=True)]
            inferred = self.usual.inference.infer(arity, pairs)
            if inferred is None:
                return "its type arguments cannot be inferred (§12.6.3)"
            method_arguments = inferred
        if method_arguments:
            if not satisfies_constraints(self._hierarchy, self._conversions, member, container, method_arguments):
                shown = ", ".join(type_display(each) for each in method_arguments)
                return f"<{shown}> does not satisfy its constraints (§8.4.5)"
            types = [substitute(each, (), method_arguments) for each in types]
        return self._why_unconverted(given, mapping, types, is_extension)

    def _why_unconverted(
        self, given: list[Argument], mapping: list[ParameterSymbol], types: list[Type], is_extension: bool
    ) -> str:
        for position, (argument, parameter, type_) in enumerate(zip(given, mapping, types, strict=True)):
            operand = argument.operand
            if parameter.passing in (Passing.REF, Passing.OUT) or argument.passing:
                fits = self.usual.reference_fits(operand, type_, parameter.passing)
            elif is_extension and position == 0:
                fits = self.usual.receivers.converts(operand.type, type_)
            else:
                fits = bool(self._conversions.from_operand(operand, type_))
            if not fits:
                return (
                    f"{_nth(position, is_extension)}: cannot convert from {operand_display(operand)} to "
                    f"{type_display(type_)}"
                )
        return "not applicable"


class UnrememberedExtensions(Extensions):
    """Resolves every time, so that each resolution can be watched."""

    def resolve(
        self,
        document: Document,
        scope: int,
        name: str,
        receiver: Operand,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
    ) -> Resolution:
        return self._resolve(document, scope, name, receiver, arguments, type_arguments, within)


def type_display(type_: Type) -> str:
    """A type with full names; type parameters of libraries, which have no names, as ``T0``, ``T1``."""
    return _NAMELESS.sub(r"T\1", metadata_display(type_))


def operand_display(operand: Operand) -> str:
    """An argument by its type, or by what it is where it has none."""
    if operand.kind is OperandKind.VALUE:
        return type_display(operand.type)
    return operand.kind.name.lower().replace("_", " ")


def _nth(position: int, is_extension: bool) -> str:
    if is_extension:
        return "the receiver" if position == 0 else f"argument {position}"
    return f"argument {position + 1}"


def _wrong_count(member: Member, count: int, is_extension: bool) -> str:
    receiver = 1 if is_extension else 0
    least, most = member.minimum - receiver, member.maximum - receiver
    if count - receiver > most:
        return f"it takes at most {counted(most, 'argument')}, {count - receiver} given"
    return f"it takes at least {counted(least, 'argument')}, {count - receiver} given"


def _why_unmapped(member: Member, given: list[Argument]) -> str:
    names = {parameter.name for parameter in member.parameters}
    unknown = next((each.name for each in given if each.name and each.name not in names), None)
    if unknown is not None:
        return f"it has no parameter named {unknown}"
    named = {each.name for each in given if each.name}
    missing = [
        parameter.name
        for parameter in member.parameters[sum(not each.name for each in given) :]
        if not parameter.is_optional and not parameter.is_params and parameter.name not in named
    ]
    return f"nothing is given for parameter {missing[0]}" if missing else "it takes fewer arguments"
