"""Invocations and element accesses (ECMA-334 §12.8.10, §12.8.12): a method group meets its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from codemap_core.model import Confidence, RefKind, UnresolvedReason
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundMethodGroup,
    BoundValue,
    OutVariable,
    UnboundLambda,
    in_doubt,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.doubt import chosen_in_doubt, is_sure, is_sure_member, may_miss_members
from codemap_plugins.csharp.binding.extensions import methods_of_values
from codemap_plugins.csharp.binding.inline_arrays import inline_element
from codemap_plugins.csharp.binding.locals import LocalFunction, LocalScope
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.member_access import simple_name
from codemap_plugins.csharp.binding.members import INDEXER_NAME, UNKNOWN
from codemap_plugins.csharp.binding.names import is_base
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.reference import Use
from codemap_plugins.csharp.binding.resolution import NO_MEMBERS, Candidate, Outcome, OverloadResolution
from codemap_plugins.csharp.binding.special_types import is_system, is_void_type
from codemap_plugins.csharp.binding.usage import Usage
from codemap_plugins.csharp.bodies import Lowered
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    FunctionPointerType,
    PointerType,
    Type,
    has_type_parameters,
    substitute,
)


def bind_call(
    b: Binder, callee: BoundExpression, link: Lowered, scope: LocalScope, target: Type | None
) -> BoundExpression:
    arguments = b.arguments(link[2], scope)
    if isinstance(callee, BoundMethodGroup):
        offset, name = callee.offset, callee.name
        local = scope.find(name) if callee.receiver is None else None
        if isinstance(local, LocalFunction) and callee.found == local.found:
            return _call_local(b, local, callee, arguments, scope)
        if isinstance(callee.receiver, ErrorType) and not callee.receiver_is_type:
            if callee.found:
                return _call_for_unknown(b, callee, value(callee.receiver), arguments)
            b.settle_arguments(arguments, None)
            return _result_on_unknown(b, callee)
        return _call_group(b, callee, arguments, offset, name, scope)
    if isinstance(callee, BoundValue):
        invoke = b.hierarchy.delegates.invoke(callee.type)
        if invoke is not None:
            candidate = b.resolve((invoke,), arguments, (), scope).candidate
            if candidate is None:
                b.recording.note_failure()
            settled = candidate if candidate is not None else _positional(invoke, arguments)
            b.settle_arguments(arguments, settled, is_unsure=callee.is_unsure)
            returned = value_from(substitute(invoke.member.type, invoke.container.arguments), callee)
            if b.keeps_uses:
                b.recording.note_delegate_call(link[1], Use(invoke, returned.type, callee.type, arguments))
            return returned
        if isinstance(callee.type, FunctionPointerType):
            *parameters, result = callee.type.types
            for argument, type_ in zip(arguments, parameters, strict=False):
                b.settle_argument(argument, type_)
            b.settle_arguments(arguments[len(parameters) :], None)
            return value_from(result, callee)
        if not isinstance(callee.type, (ErrorType, DynamicType)):
            b.recording.note_failure()
    b.settle_arguments(arguments, None)
    return value(callee.type) if isinstance(callee.type, DynamicType) else UNKNOWN_VALUE


def _call_for_unknown(
    b: Binder, callee: BoundMethodGroup, receiver: BoundExpression, arguments: Sequence[Argument]
) -> BoundExpression:
    """One of the extension methods for just the type that was not found: little is sure of it, as it may have a method of the name."""
    scope = callee.scope
    resolution = b.overloads.resolve(callee.found, arguments, callee.type_arguments, scope.within, receiver)
    if resolution.candidate is not None:
        return _called(b, callee, resolution, resolution.candidate, arguments, 1, Confidence.LOW)
    b.settle_arguments(arguments, None)
    _not_found(b, callee, resolution, arguments, callee.offset, callee.name, UnresolvedReason.RECEIVER_UNKNOWN)
    return UNKNOWN_VALUE


def _result_on_unknown(b: Binder, callee: BoundMethodGroup) -> BoundExpression:
    """What a call gives that is made on what is not known: ``missing.GetRequiredService<IClock>()``, ``missing.Total()``. The method is not
    known either; the compiler goes on with what the nearest extension methods of the name and the number of type arguments give, if that
    is one type. Without type arguments that is less sure, as any type may have a method of the name."""
    own = callee.type_arguments
    for group in b.shared.extensions.groups(b.document, callee.scope.resolver.scope, callee.name):
        methods = [each.member for each in methods_of_values(group)]
        if not own and methods:
            results = {m.type for m in methods}
            is_told = len(results) == 1 and not any(has_type_parameters(each) or is_void_type(each) for each in results)
            return BoundValue(results.pop(), is_unsure=True) if is_told else UNKNOWN_VALUE
        results = {substitute(m.type, (), own) for m in methods if len(m.signature.type_parameters) == len(own)}
        if results:
            return value(results.pop()) if len(results) == 1 else UNKNOWN_VALUE
    return UNKNOWN_VALUE


def _positional(found: Found, arguments: Sequence[Argument]) -> Candidate | None:
    """Arguments paired with parameters by place, for settling what nothing else decides."""
    parameters = found.member.parameters
    if not parameters or len(arguments) > len(parameters):
        return None
    targets = [(p, substitute(p.type, found.container.arguments)) for p in parameters[: len(arguments)]]
    return Candidate(found, targets, (), False, False)


def _call_local(
    b: Binder, local: LocalFunction, callee: BoundMethodGroup, arguments: Sequence[Argument], scope: LocalScope
) -> BoundExpression:
    candidate = b.resolve(local.found, arguments, callee.type_arguments, scope).candidate if local.found else None
    if candidate is not None:
        b.settle_arguments(arguments, candidate)
        return value(candidate.return_type)
    parameters = local.parameters
    for index, argument in enumerate(arguments):
        parameter = next((p for p in parameters if p.name == argument.name), None) if argument.name else None
        if parameter is None and index < len(parameters):
            parameter = parameters[index]
        target = parameter.type if parameter is not None and not local.type_parameter_count else None
        operand = argument.expression
        if isinstance(operand, OutVariable):
            operand.scope.declare(operand.name, target if target is not None else UNKNOWN)
        else:
            b.convert(operand, target)
    return value(local.returns if not local.type_parameter_count else UNKNOWN)


def _call_group(
    b: Binder, callee: BoundMethodGroup, arguments: Sequence[Argument], offset: int, name: str, scope: LocalScope
) -> BoundExpression:
    on_value = callee.receiver is not None and not callee.receiver_is_type
    group = (callee.lookup.instance if on_value else callee.lookup).found
    if on_value and group and all(found.member.is_static for found in group) and callee.receiver is not None:
        # On a value static methods are no candidates (C# 7.3), so extensions are looked for.
        extension = b.extensions(scope, name, value(callee.receiver), arguments, callee.type_arguments)
        if extension.candidate is not None:
            confidence = _confidence_of(b, callee, extension, (), arguments, scope, name)
            return _called(b, callee, extension, extension.candidate, arguments, 1, confidence)
    late = any(b.is_dynamic(a.expression) for a in arguments)
    if late and len(group) != 1 and not b.overloads.is_alone(group, arguments, callee.type_arguments, scope.within):
        b.settle_arguments(arguments, None)
        b.unresolved(RefKind.CALL, offset, name, UnresolvedReason.DYNAMIC)
        return value(b.hierarchy.table.factory.dynamic)
    rejected: Sequence[Found] = group
    if group:
        resolution = b.resolve(group, arguments, callee.type_arguments, scope)
        receiver = callee.receiver if on_value else None
        if receiver is not None and resolution.candidate is not None and _fails(b, resolution.candidate, arguments):
            # A lambda whose body does not compile does not convert (ECMA-334 §10.7.1): no instance method takes it.
            extension = b.extensions(scope, name, value(receiver), arguments, callee.type_arguments)
            if extension.candidate is not None and not _fails(b, extension.candidate, arguments, 1):
                confidence = _confidence_of(b, callee, extension, group, arguments, scope, name)
                return _called(b, callee, extension, extension.candidate, arguments, 1, confidence)
        if resolution.candidate is not None:
            sure = is_sure_member(b.hierarchy, callee, resolution.candidate.found)
            sure = sure and not chosen_in_doubt(group, arguments)
            confidence = resolution.confidence if sure else Confidence.LOW
            called = _called(b, callee, resolution, resolution.candidate, arguments, 0, confidence)
            # What a call with dynamic arguments gives is dynamic, though its method is known.
            return value(b.hierarchy.table.factory.dynamic) if late and not is_void_type(called.type) else called
        rejected = resolution.remaining
    else:
        resolution = NO_MEMBERS
    by_base = resolution.outcome is Outcome.BASE_UNKNOWN
    if callee.receiver is not None and not callee.receiver_is_type and resolution.outcome is Outcome.INAPPLICABLE:
        extension = b.extensions(scope, name, value(callee.receiver), arguments, callee.type_arguments)
        resolution = extension.after(resolution.contests)
        # A member of a base that was not found would come before it.
        hidden = may_miss_members(b.hierarchy, callee.receiver)
        if extension.candidate is not None and (not hidden or extension.confidence is Confidence.HIGH):
            confidence = _confidence_of(b, callee, extension, group, arguments, scope, name)
            confidence = Confidence.LOW if hidden else confidence
            return _called(b, callee, resolution, extension.candidate, arguments, 1, confidence)
        by_base = hidden or extension.outcome is Outcome.BASE_UNKNOWN
        if not group:
            rejected = extension.remaining
    if by_base:
        b.settle_without_choice(arguments, resolution)
        _not_found(b, callee, resolution, arguments, offset, name, UnresolvedReason.BASE_TYPE_UNKNOWN)
        return UNKNOWN_VALUE
    return _undecided_call(b, callee, resolution, rejected, arguments, offset, name, scope)


def _confidence_of(
    b: Binder,
    callee: BoundMethodGroup,
    extension: OverloadResolution,
    group: Sequence[Found],
    arguments: Sequence[Argument],
    scope: LocalScope,
    name: str,
) -> Confidence:
    """Of an extension method that was chosen after the methods of ``group``, which the receiver's type has, did not fit."""
    candidate = extension.candidate
    assert candidate is not None
    if callee.unsure or chosen_in_doubt(
        group, arguments, partial(b.shared.extensions.as_far_as, scope, name, candidate.found)
    ):
        return Confidence.LOW
    return extension.confidence


def _fails(b: Binder, candidate: Candidate, arguments: Sequence[Argument], skip: int = 0) -> bool:
    """The body of some lambda would not compile with the parameter types that this candidate gives it."""
    targets = candidate.targets
    for at, argument in zip(range(skip, len(targets)), arguments, strict=False):
        operand = argument.expression
        if isinstance(operand, UnboundLambda) and b.conversions.lambda_fails(operand, targets[at][1]):
            return True
    return False


def _called(
    b: Binder,
    callee: BoundMethodGroup,
    resolution: OverloadResolution,
    candidate: Candidate,
    arguments: Sequence[Argument],
    skip: int,
    confidence: Confidence,
) -> BoundExpression:
    use: Use | None = None
    if b.keeps_uses:
        own = candidate.arguments_of_method
        use = Use(
            candidate.found, candidate.return_type, callee.receiver, arguments, own, skip > 0, resolution.contests
        )
    b.member_reference(
        RefKind.CALL, callee.offset, candidate.found, confidence, callee.receiver, callee.through_base, use
    )
    is_unsure = confidence is Confidence.LOW
    if not is_unsure and candidate.arguments_of_method and not callee.type_arguments:
        # Type arguments are inferred from arguments (ECMA-334 §12.6.3).
        is_unsure = any(in_doubt(argument.expression) for argument in arguments)
    b.settle_arguments(arguments, candidate, skip, is_unsure)
    return BoundValue(candidate.return_type, is_unsure=is_unsure)


def _undecided_call(
    b: Binder,
    callee: BoundMethodGroup,
    resolution: OverloadResolution,
    rejected: Sequence[Found],
    arguments: Sequence[Argument],
    offset: int,
    name: str,
    scope: LocalScope,
) -> BoundExpression:
    """No method is applicable, or several are. One that alone fits by its number of parameters is named, with less confidence, when an
    argument's type is not known."""
    own = [f for f in rejected if callee.found]
    fitting = [f for f in own if _accepts_count(f, len(arguments))] or own
    if callee.type_arguments:
        count = len(callee.type_arguments)
        fitting = [f for f in fitting if f.member.type_parameter_count == count] or fitting
    ids = {f.member.symbol_id for f in fitting}
    if len(ids) == 1 and (len(own) == 1 or b.any_unknown(arguments)):
        found = fitting[0]
        if not b.any_unknown(arguments):
            b.recording.note_failure()
        use = None
        if b.keeps_uses:
            own_arguments = callee.type_arguments
            use = Use(found, None, callee.receiver, arguments, own_arguments, contests=resolution.contests)
        confidence = Confidence.LOW if callee.unsure else Confidence.MEDIUM
        b.member_reference(RefKind.CALL, offset, found, confidence, callee.receiver, callee.through_base, use)
        b.settle_arguments(arguments, _positional(found, arguments))
        result = _result(b, found, callee.type_arguments)
        return value(result) if result is not None else UNKNOWN_VALUE
    b.settle_without_choice(arguments, resolution)
    if not rejected:
        reason = UnresolvedReason.NO_METHOD_IN_VIEW
    elif len(fitting) > 1 or resolution.outcome is Outcome.AMBIGUOUS:
        reason = UnresolvedReason.SEVERAL_OVERLOADS_FIT
    else:
        reason = UnresolvedReason.NO_OVERLOAD_FITS
    _not_found(b, callee, resolution, arguments, offset, name, reason)
    results = {_result(b, found, callee.type_arguments) for found in fitting}
    given = results.pop() if len(results) == 1 else None
    if given is None or not (len(fitting) == len(own) or b.any_unknown(arguments)):
        return UNKNOWN_VALUE
    return BoundValue(given, is_unsure=len(fitting) < len(own))


def _result(b: Binder, found: Found, type_arguments: tuple[Type, ...]) -> Type | None:
    """What a call gives, whatever its arguments are; null where that depends on type arguments that would be inferred from them."""
    member = found.member
    count = len(member.signature.type_parameters)
    if count and len(type_arguments) == count:
        return substitute(member.type, found.container.arguments, type_arguments)
    if substitute(member.type, (), (UNKNOWN,) * count) is not member.type:
        return None
    return b.hierarchy.member_type(found)


def _not_found(
    b: Binder,
    callee: BoundMethodGroup,
    resolution: OverloadResolution,
    arguments: Sequence[Argument],
    offset: int,
    name: str,
    reason: UnresolvedReason,
) -> None:
    hint = simple_name(callee.receiver) if callee.receiver is not None else None
    use = None
    if b.keeps_uses:
        use = Use(
            None,
            None,
            callee.receiver,
            arguments,
            callee.type_arguments,
            contests=resolution.contests,
            passed_over=callee.lookup.passed_over,
        )
    b.unresolved(RefKind.CALL, offset, name, reason, hint, use)


def _accepts_count(found: Found, count: int) -> bool:
    parameters = found.member.parameters
    required = sum(not p.is_optional and not p.is_params for p in parameters)
    return required <= count and (count <= len(parameters) or (bool(parameters) and parameters[-1].is_params))


def bind_element_access(
    b: Binder, receiver: BoundExpression, link: Lowered, scope: LocalScope, usage: Usage
) -> BoundExpression:
    arguments = b.arguments(link[2], scope)
    offset = link[1]
    type_ = receiver.type
    if not isinstance(receiver, BoundValue) or isinstance(type_, (ErrorType, DynamicType)):
        b.settle_arguments(arguments, None)
        return value(type_) if isinstance(type_, DynamicType) else UNKNOWN_VALUE
    if isinstance(type_, (ArrayType, PointerType)):
        b.settle_arguments(arguments, None)
        if arguments and is_system(arguments[0].expression.type, "Range"):
            return value_from(type_, receiver)
        return value_from(type_.element, receiver)
    inline = inline_element(b.hierarchy, type_)
    if inline is not None and len(arguments) == 1:
        for name in ("Int32", "Index", "Range"):
            if b.conversions.from_operand(arguments[0].expression, b.system(name)):
                b.settle_arguments(arguments, None)
                return value_from(b.generic("System", "Span", inline) if name == "Range" else inline, receiver)
    group = b.hierarchy.accessible(type_, INDEXER_NAME, scope.within, not is_base(receiver)).found
    resolution = b.resolve(group, arguments, (), scope)
    candidate = resolution.candidate
    if candidate is not None:
        kind = RefKind.NAMEOF if usage is Usage.NAMEOF else RefKind.READ if usage is Usage.READ else RefKind.WRITE
        sure = not receiver.is_unsure and is_sure(b.hierarchy, type_, candidate.found)
        sure = sure and not chosen_in_doubt(group, arguments)
        confidence = resolution.confidence if sure else Confidence.LOW
        use = None
        if b.keeps_uses:
            use = Use(candidate.found, candidate.return_type, type_, arguments, contests=resolution.contests)
        b.member_reference(kind, offset, candidate.found, confidence, type_, is_base(receiver), use)
        b.settle_arguments(arguments, candidate)
        return BoundValue(candidate.return_type, is_unsure=not sure)
    b.settle_arguments(arguments, None)
    if arguments and is_system(arguments[0].expression.type, "Range"):
        return value_from(slice_type(b, type_), receiver)
    if arguments and is_system(arguments[0].expression.type, "Index"):
        integer = [
            f for f in group if len(f.member.parameters) == 1 and is_system(f.member.parameters[0].type, "Int32")
        ]
        if integer:
            kind = RefKind.READ if usage is Usage.READ else RefKind.WRITE
            confidence = Confidence.LOW if receiver.is_unsure else Confidence.HIGH
            b.member_reference(kind, offset, integer[0], confidence, type_, is_base(receiver))
            return value_from(b.hierarchy.member_type(integer[0]), receiver)
    if len(group) == 1:
        return value_from(b.hierarchy.member_type(group[0]), receiver)
    if not group and b.hierarchy.is_complete(type_):
        b.recording.note_failure()
    return UNKNOWN_VALUE


def slice_type(b: Binder, type_: Type) -> Type:
    """What a range of a type is: what its range indexer returns, else ``Slice`` or, of strings, ``Substring`` (C# 8, ranges)."""
    if isinstance(type_, ArrayType) or is_system(type_, "String"):
        return type_
    found = indexed_type(b, type_, "Range")
    if found is not None:
        return found
    for method in b.hierarchy.lookup(type_, "Slice") if not isinstance(type_, ErrorType) else ():
        if len(method.member.parameters) == 2:
            return b.hierarchy.member_type(method)
    return UNKNOWN


def indexed_type(b: Binder, type_: Type, name: str) -> Type | None:
    """Type of the indexer with one parameter, of this type of ``System``."""
    for found in b.hierarchy.indexers(type_) if not isinstance(type_, ErrorType) else ():
        parameters = found.member.parameters
        if len(parameters) == 1 and is_system(parameters[0].type, name):
            return b.hierarchy.member_type(found)
    return None
