"""Why a member of a name is not what the name means, in words: made of what lookup and overload resolution recorded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from codemap_core.model.counting import counted
from codemap_plugins.csharp.binding.arguments import map_arguments
from codemap_plugins.csharp.binding.bound_expressions import (
    BoundChoice,
    BoundCollection,
    BoundDefault,
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
from codemap_plugins.csharp.binding.lookup import LookupKind, PassedOver
from codemap_plugins.csharp.binding.members import Member
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.resolution import Contest, Loser, LossKind
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


def type_display(type_: Type) -> str:
    """A type with full names; type parameters of libraries, which have no names, as ``T0``, ``T1``."""
    return _NAMELESS.sub(r"T\1", metadata_display(type_))


def expression_display(expression: BoundExpression) -> str:
    """An argument by its type, or by what it is where it has none."""
    if isinstance(expression, BoundValue):
        return type_display(expression.type)
    return _UNTYPED[type(expression)]


def why_passed_over(passed_over: PassedOver) -> str:
    member = passed_over.found.member
    match passed_over.kind:
        case LookupKind.INACCESSIBLE:
            return f"it is {member.visibility.value} and not accessible here (§7.5)"
        case LookupKind.NOT_INVOCABLE:
            return "it cannot be called (§12.5.1)"
        case LookupKind.NOT_GENERIC:
            return "it takes no type arguments (§12.8.7)"
        case _:
            return "it is static" if member.is_static else "it is not static"


def why_lost(loser: Loser, contest: Contest) -> str:
    """How a member lost, in words."""
    said = _why_lost(loser, contest)
    return f"{said} (in expanded form)" if loser.expanded else said


def _why_lost(loser: Loser, contest: Contest) -> str:
    member, given, is_extension = loser.found.member, contest.given, contest.is_extension
    position, types = loser.position, loser.types
    match loser.kind:
        case LossKind.INACCESSIBLE:
            return f"it is {member.visibility.value} and not accessible here (§7.5)"
        case LossKind.ARGUMENT_COUNT:
            return _wrong_count(member, len(given), is_extension)
        case LossKind.TYPE_ARGUMENT_COUNT:
            given_count = counted(len(contest.type_arguments), "type argument is", "type arguments are")
            return f"it has {counted(member.type_parameter_count, 'type parameter')}, {given_count} given"
        case LossKind.UNMAPPED:
            return _why_unmapped(member, given)
        case LossKind.PASSING:
            mapping = map_arguments(member.parameters, given, loser.expanded) or []
            passed = _PASSED[mapping[position].passing] if mapping else "otherwise"
            return f"{_nth(position, is_extension)} must be passed {passed}"
        case LossKind.NOT_PARAMS:
            return "its last parameter has no elements that could be given one by one (§15.6.2.4)"
        case LossKind.LAMBDA_PARAMETERS:
            taken = type_display(types[0])
            return f"{_nth(position, is_extension)} has another number of parameters than {taken} (§10.7.1)"
        case LossKind.OTHER_RECEIVER:
            return f"it extends {type_display(types[0])}, which {expression_display(given[0].expression)} is not"
        case LossKind.NOT_INFERRED:
            return "its type arguments cannot be inferred (§12.6.3)"
        case LossKind.CONSTRAINTS:
            shown = ", ".join(type_display(each) for each in types)
            return f"<{shown}> does not satisfy its constraints (§8.4.5)"
        case LossKind.NOT_CONVERTED:
            source = expression_display(given[position].expression)
            return f"{_nth(position, is_extension)}: cannot convert from {source} to {type_display(types[0])}"
        case _:
            return _why_outdone(loser, is_extension)


def _why_outdone(loser: Loser, is_extension: bool) -> str:
    """Of an applicable member."""
    match loser.kind:
        case LossKind.LAMBDA_FAILS:
            return "applicable, but the body of a lambda would not compile with its parameters (§10.7.1)"
        case LossKind.LESS_DERIVED:
            return "applicable, but declared further up than one that is applicable too (§12.8.10.2)"
        case LossKind.LOWER_PRIORITY:
            return "applicable, but of a lower OverloadResolutionPriority"
        case LossKind.CONVERTS_WORSE:
            ours, theirs = loser.types
            return (
                f"applicable, but {_nth(loser.position, is_extension)} converts better to {type_display(ours)} than to "
                f"{type_display(theirs)} (§12.6.4.5)"
            )
        case LossKind.EXPANDED:
            return "applicable in expanded form only (§12.6.4.3)"
        case LossKind.USES_DEFAULT:
            return "applicable, but it leaves optional parameters to their defaults (§12.6.4.3)"
        case LossKind.AS_GOOD:
            return "applicable, as good as the others"
        case _:
            return "applicable, but less specific or generic where the chosen one is not (§12.6.4.3)"


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


def _why_unmapped(member: Member, given: Sequence[Argument]) -> str:
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
