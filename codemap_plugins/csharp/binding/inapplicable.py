"""Why a member of a group was not chosen, in words: what overload resolution itself answers for one candidate at a time.

Used to explain a choice, never to make one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from codemap_core.model.counting import counted
from codemap_plugins.csharp.binding.applicability import Candidate, Rejection, RejectionKind
from codemap_plugins.csharp.binding.arguments import map_arguments
from codemap_plugins.csharp.binding.bound_expressions import (
    Argument,
    BoundChoice,
    BoundCollection,
    BoundDefault,
    BoundExpression,
    BoundMethodGroup,
    BoundNamespace,
    BoundNull,
    BoundThrow,
    BoundTuple,
    BoundTypeName,
    BoundValue,
    OutVariable,
    UnboundLambda,
    UnboundNew,
)
from codemap_plugins.csharp.binding.context import BindContext
from codemap_plugins.csharp.binding.extensions import Extensions
from codemap_plugins.csharp.binding.hierarchy import Found
from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.binding.overloads import Overloads, Resolution
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.scopes import Document
from codemap_plugins.csharp.symbols.types import Type, metadata_display

_NAMELESS: Final = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
_UNTYPED: Final[dict[type[BoundExpression], str]] = {
    BoundTypeName: "type",
    BoundNamespace: "namespace",
    BoundMethodGroup: "method group",
    UnboundLambda: "lambda",
    UnboundNew: "new",
    BoundNull: "null",
    BoundDefault: "default",
    BoundThrow: "throw",
    BoundChoice: "choice",
    BoundTuple: "tuple",
    BoundCollection: "collection",
    OutVariable: "out variable",
}
_PASSED: Final[dict[int, str]] = {0: "by value", 1: "with ref", 2: "with out", 3: "with in", 4: "with ref or in"}


class Attempt(NamedTuple):
    """One overload resolution: the arguments as given, the choice, and for each other member why it lost."""

    arguments: Sequence[Argument]
    receiver: BoundExpression | None
    chosen: Found | None
    lost: tuple[tuple[Found, str], ...]

    @property
    def is_of_constructors(self) -> bool:
        return any(found.member.kind is MemberKind.CONSTRUCTOR for found, _ in self.lost)


class ExplainingOverloads(Overloads):
    """Keeps every resolution among members of the names in question. ``wants``: whether a group is in question."""

    def __init__(self, context: BindContext, wants: Callable[[Member], bool]) -> None:
        super().__init__(context)
        self._wants = wants
        self.attempts: list[Attempt] = []

    def resolve(
        self,
        group: Sequence[Found],
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
        receiver: BoundExpression | None = None,
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
        if isinstance(candidate, Rejection):
            said = _why_rejected(candidate, member, given, type_arguments, is_extension)
            return f"{said} (in expanded form)" if candidate.expanded else said
        if chosen is None:
            return "applicable, as good as the others"
        if candidate not in self._most_derived([candidate, chosen]):
            return "applicable, but declared further up than one that is applicable too (§12.8.10.2)"
        if candidate not in self._highest_priority([candidate, chosen]):
            return "applicable, but of a lower OverloadResolutionPriority"
        for position, (argument, (_, ours), (_, theirs)) in enumerate(
            zip(given, chosen.targets, candidate.targets, strict=True), 1
        ):
            if self._better_conversion.of_operand(argument.expression, ours, theirs) > 0:
                return (
                    f"applicable, but argument {position} converts better to {type_display(ours)} than to "
                    f"{type_display(theirs)} (§12.6.4.5)"
                )
        if candidate.expanded and not chosen.expanded:
            return "applicable in expanded form only (§12.6.4.3)"
        if candidate.uses_default and not chosen.uses_default:
            return "applicable, but it leaves optional parameters to their defaults (§12.6.4.3)"
        return "applicable, but less specific or generic where the chosen one is not (§12.6.4.3)"


class UnrememberedExtensions(Extensions):
    """Resolves every time, so that each resolution can be watched."""

    def resolve(
        self,
        document: Document,
        scope: int,
        name: str,
        receiver: BoundExpression,
        arguments: Sequence[Argument],
        type_arguments: tuple[Type, ...],
        within: SourceTypeDefinition | None,
    ) -> Resolution:
        return self._resolve(document, scope, name, receiver, arguments, type_arguments, within)


def type_display(type_: Type) -> str:
    """A type with full names; type parameters of libraries, which have no names, as ``T0``, ``T1``."""
    return _NAMELESS.sub(r"T\1", metadata_display(type_))


def operand_display(operand: BoundExpression) -> str:
    """An argument by its type, or by what it is where it has none."""
    if isinstance(operand, BoundValue):
        return type_display(operand.type)
    return _UNTYPED[type(operand)]


def _why_rejected(
    rejection: Rejection,
    member: Member,
    given: list[Argument],
    type_arguments: tuple[Type, ...],
    is_extension: bool,
) -> str:
    """A rejection in words."""
    match rejection.kind:
        case RejectionKind.TYPE_ARGUMENT_COUNT:
            given_count = counted(len(type_arguments), "type argument is", "type arguments are")
            return f"it has {counted(member.arity, 'type parameter')}, {given_count} given"
        case RejectionKind.UNMAPPED:
            return _why_unmapped(member, given)
        case RejectionKind.PASSING:
            mapping = map_arguments(member.parameters, given, rejection.expanded) or []
            passed = _PASSED[mapping[rejection.position].passing] if mapping else "otherwise"
            return f"{_nth(rejection.position, is_extension)} must be passed {passed}"
        case RejectionKind.NOT_PARAMS:
            return "its last parameter has no elements that could be given one by one (§15.6.2.4)"
        case RejectionKind.LAMBDA_PARAMETERS:
            taken = type_display(rejection.types[0])
            return f"{_nth(rejection.position, is_extension)} has another number of parameters than {taken} (§10.7.1)"
        case RejectionKind.OTHER_RECEIVER:
            return f"it extends {type_display(rejection.types[0])}, which {operand_display(given[0].expression)} is not"
        case RejectionKind.NOT_INFERRED:
            return "its type arguments cannot be inferred (§12.6.3)"
        case RejectionKind.CONSTRAINTS:
            shown = ", ".join(type_display(each) for each in rejection.types)
            return f"<{shown}> does not satisfy its constraints (§8.4.5)"
        case RejectionKind.NOT_CONVERTED:
            source = operand_display(given[rejection.position].expression)
            target = type_display(rejection.types[0])
            return f"{_nth(rejection.position, is_extension)}: cannot convert from {source} to {target}"


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
