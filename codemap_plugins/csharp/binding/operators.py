"""Operators, assignments, conditionals, literals (ECMA-334 §12.9 to §12.21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.model import Confidence, RefKind, SymbolKind
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundAddress,
    BoundChoice,
    BoundDefault,
    BoundMethodGroup,
    BoundNull,
    BoundThrow,
    BoundValue,
    Interpolation,
    in_doubt,
    is_constant_text,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.constant_expressions import binary_constant, constant_of, unary_constant
from codemap_plugins.csharp.binding.creation import bind_tuple_target
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN, MemberKind
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.predefined_operators import (
    ORDERINGS,
    PREDEFINED,
    fitting,
    is_predefined,
    is_predefined_unary,
    lacks_order,
    predefined,
    promoted,
)
from codemap_plugins.csharp.binding.reference import Use
from codemap_plugins.csharp.binding.resolution import OverloadResolution
from codemap_plugins.csharp.binding.special_types import is_system, is_void_type, nullable_element
from codemap_plugins.csharp.binding.usage import Usage
from codemap_plugins.csharp.bodies import LiteralKind, Lowered, Op
from codemap_plugins.csharp.operator_names import (
    BINARY_OPERATORS,
    CHECKED_OPERATORS,
    COMPOUND_OPERATORS,
    UNARY_OPERATORS,
)
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    NamedType,
    PointerType,
    Type,
    TypeParameterType,
    contains_error,
    substitute,
)

_LITERALS: Final = {
    LiteralKind.BOOL: "Boolean",
    LiteralKind.INT: "Int32",
    LiteralKind.UINT: "UInt32",
    LiteralKind.LONG: "Int64",
    LiteralKind.ULONG: "UInt64",
    LiteralKind.FLOAT: "Single",
    LiteralKind.DOUBLE: "Double",
    LiteralKind.DECIMAL: "Decimal",
    LiteralKind.CHAR: "Char",
    LiteralKind.STRING: "String",
}
_LITERAL_KINDS: Final = {int(kind): kind for kind in LiteralKind}
"""To make a member of an enum from its number costs two Python calls."""
_INTEGRAL: Final = frozenset({LiteralKind.INT, LiteralKind.LONG, LiteralKind.UINT, LiteralKind.ULONG})
_BINARY_NAMES: Final = {**BINARY_OPERATORS, "&&": "op_BitwiseAnd", "||": "op_BitwiseOr"}
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})


@binds(Op.LITERAL)
def bind_literal(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    kind = _LITERAL_KINDS[node[2]]
    if kind is LiteralKind.NULL:
        return BoundNull()
    if kind is LiteralKind.UTF8:
        return value(b.generic("System", "ReadOnlySpan", b.system("Byte")))
    is_integer = kind in _INTEGRAL and isinstance(node[3], int)
    constant = node[3] if is_integer else None
    return BoundValue(b.system(_LITERALS[kind]), constant, is_constant_text=kind is LiteralKind.STRING)


@binds(Op.INTERPOLATED)
def bind_interpolated(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    is_constant = True
    for part in node[2]:
        if part[0] == Op.HOLE:
            hole = b.expression(part[2], scope)
            b.finish(hole)
            if part[3] is not None:
                b.value_of(part[3], scope)
            # Its holes are constant strings themselves, without alignment or format (ECMA-334 §12.8.3, C# 10).
            is_constant = is_constant and is_constant_text(hole) and part[3] is None and not part[4]
    interpolation = Interpolation.CONSTANT if is_constant else Interpolation.HOLES
    return BoundValue(b.system("String"), interpolation=interpolation, is_constant_text=is_constant)


def _user_operator(
    b: Binder, name: str, operands: Sequence[BoundExpression], offset: int, scope: LocalScope
) -> Type | None:
    """A user-defined operator of an operand's type (ECMA-334 §12.4.4): the reference and its result; null when there is none."""
    group: list[Found] = []
    for operand in operands:
        if not isinstance(operand, BoundValue):
            continue
        type_ = nullable_element(operand.type) or operand.type
        if isinstance(type_, (ErrorType, DynamicType, ArrayType, PointerType)):
            continue
        if isinstance(type_, NamedType) and type_.definition.kind is SymbolKind.DELEGATE:
            # Delegates are compared and combined by predefined operators (ECMA-334 §12.10.5, §12.12.9).
            continue
        if isinstance(type_, NamedType) and (
            type_.definition.system_name in PREDEFINED or type_.definition.system_name == "Object"
        ):
            continue
        for found in _operators_of(b, type_, name, scope):
            # An interface and one derived from it have the same operators.
            known = any(found.member is each.member and found.container is each.container for each in group)
            if not known and len(found.member.parameters) == len(operands):
                group.append(found)
    if not group:
        return None
    lifted = any(isinstance(operand, BoundValue) and nullable_element(operand.type) is not None for operand in operands)
    if lifted:
        unlifted = b.overloads.resolve(group, [Argument(operand) for operand in operands], (), scope.within)
        if unlifted.candidate is not None:
            return _applied(b, unlifted, operands, offset, False)
        group = [found for found in group if _can_be_lifted(found)]
        if not group:
            return None
    taken = [_for_lifted(operand) for operand in operands]
    given = [Argument(operand) for operand in (taken if lifted else operands)]
    resolution = b.overloads.resolve(group, given, (), scope.within)
    if (
        resolution.candidate is None
        and not lifted
        and any(one is not other for one, other in zip(taken, operands, strict=True))
    ):
        # The lifted form takes null for a value that is never null, too.
        given, lifted = [Argument(operand) for operand in taken], True
        resolution = b.overloads.resolve(group, given, (), scope.within).after(resolution.contests)
    return _applied(b, resolution, operands, offset, lifted)


def _for_lifted(operand: BoundExpression) -> BoundExpression:
    """The operand as the operator itself takes it whose lifted form takes null for any of them (ECMA-334 §12.4.8)."""
    if isinstance(operand, BoundNull):
        return BoundDefault()
    if isinstance(operand, BoundChoice):
        return BoundChoice([_for_lifted(part) for part in operand.parts])
    inner = nullable_element(operand.type) if isinstance(operand, BoundValue) else None
    return operand if inner is None else value(inner)


def _can_be_lifted(found: Found) -> bool:
    """Only operators on values that are never null have a lifted form (ECMA-334 §12.4.8)."""
    types = [substitute(each.type, found.container.arguments) for each in found.member.parameters]
    return not any(
        isinstance(type_, NamedType) and (not type_.definition.is_value_type or nullable_element(type_) is not None)
        for type_ in types
    )


def _applied(
    b: Binder, resolution: OverloadResolution, operands: Sequence[BoundExpression], offset: int, lifted: bool
) -> Type | None:
    """The reference to the operator that was chosen, and its result; null where none was."""
    candidate = resolution.candidate
    if candidate is None:
        return None
    use = Use(candidate.found, contests=resolution.contests) if b.keeps_uses else None
    b.member_reference(RefKind.OPERATOR, offset, candidate.found, _confidence(resolution, operands), use=use)
    for operand, (_, wanted) in zip(operands, candidate.targets, strict=True):
        if not isinstance(operand, BoundValue):
            b.convert(operand, wanted)
    result = candidate.return_type
    is_plain_value = isinstance(result, NamedType) and result.definition.is_value_type
    if lifted and is_plain_value and not is_system(result, "Boolean"):
        return b.generic("System", "Nullable", result)
    return result


def _confidence(resolution: OverloadResolution, operands: Sequence[BoundExpression]) -> Confidence:
    """Operators are looked for in the types of the operands."""
    return Confidence.LOW if any(map(in_doubt, operands)) else resolution.confidence


def _operators_of(b: Binder, type_: Type, name: str, scope: LocalScope) -> Sequence[Found]:
    """A type's operators of a name; in a checked context the checked form of one stands for it (C# 11)."""
    plain = b.hierarchy.lookup(type_, name)
    if not scope.is_checked or name not in CHECKED_OPERATORS:
        return plain
    checked = b.hierarchy.lookup(type_, CHECKED_OPERATORS[name])
    shapes = {tuple(p.type for p in found.member.parameters) for found in checked}
    return [*checked, *(f for f in plain if tuple(p.type for p in f.member.parameters) not in shapes)]


@binds(Op.CHECKED)
def bind_checked(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return b.expression(node[3], scope.in_context(bool(node[2])), target)


def _extension_operator(
    b: Binder, name: str, operands: Sequence[BoundExpression], offset: int, scope: LocalScope
) -> Type | None:
    """An operator of an ``extension`` block in view (C# 14), where no predefined one takes the operands. Of an instance operator the first
    operand is the receiver."""
    for level in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        group = [f for f in level if f.member.kind is MemberKind.OPERATOR and len(f.member.parameters) == len(operands)]
        if not group:
            continue
        receiver = None if group[0].member.is_static else operands[0]
        rest = [Argument(operand) for operand in (operands if receiver is None else operands[1:])]
        resolution = b.overloads.resolve(group, rest, (), scope.within, receiver)
        found = _applied(b, resolution, operands, offset, False)
        if found is not None:
            return found
    return None


def _has_extension(b: Binder, name: str, scope: LocalScope) -> bool:
    return any(b.shared.extensions.groups(b.document, scope.resolver.scope, name))


def _binary_type(
    b: Binder, operator: str, left: BoundExpression, right: BoundExpression, offset: int, scope: LocalScope
) -> Type:
    """The type of a binary operator's result; settles the operands."""
    if operator == "??":
        return _coalesce(b, left, right)
    name = _BINARY_NAMES.get(operator)
    if name is not None:
        found = _user_operator(b, name, (left, right), offset, scope)
        if found is None and _has_extension(b, name, scope) and not is_predefined(b, operator, left, right):
            found = _extension_operator(b, name, (left, right), offset, scope)
        if found is not None:
            return found
    first, second = (
        b.convert(left, None if isinstance(left, BoundValue) else _other(right)),
        b.convert(right, None if isinstance(right, BoundValue) else _other(left)),
    )
    if operator in ORDERINGS and lacks_order(b, first, second):
        b.recording.note_failure()
    if operator in _COMPARISONS or operator in ("&&", "||"):
        return b.system("Boolean")
    result = predefined(b, operator, fitting(first, left, second), fitting(second, right, first))
    if result is UNKNOWN and isinstance(first, NamedType) and isinstance(second, NamedType):
        b.recording.note_failure()
    return result


def _other(operand: BoundExpression) -> Type | None:
    return operand.type if isinstance(operand, BoundValue) else None


def _coalesce(b: Binder, left: BoundExpression, right: BoundExpression) -> Type:
    """ECMA-334 §12.15."""
    first = b.finish(left)
    inner = nullable_element(first)
    if not isinstance(right, BoundValue):
        b.convert(right, inner if inner is not None else first, in_doubt(left))
        return inner if inner is not None else first
    second = right.type
    if inner is not None and b.conversions.from_operand(right, inner):
        return inner
    if isinstance(left, BoundNull) or isinstance(first, ErrorType):
        return second
    return first if b.conversions.from_operand(right, first) else second


@binds(Op.BINARY)
def bind_binary(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, first, operands = node
    if operands and all(o[2] == "??" for o in operands) and len(operands) > 1:
        return _coalesce_chain(b, first, operands, scope, target)
    only_coalesce = len(operands) == 1 and operands[0][2] == "??"
    left = b.expression(first, scope, target if only_coalesce else None)
    for operand in operands:
        _, offset, operator, inner = operand
        wanted = None
        if operator == "??" and isinstance(left, BoundValue):
            wanted = nullable_element(left.type) or left.type
        right = b.expression(inner, scope, wanted)
        constant = binary_constant(operator, left, right)
        joins = operator == "+" and is_constant_text(left) and is_constant_text(right)
        interpolation = _joined(left, right) if operator == "+" else Interpolation.NONE
        type_ = _binary_type(b, operator, left, right, offset, scope)
        is_unsure = (in_doubt(left) or in_doubt(right)) and not is_system(type_, "Boolean")
        left = BoundValue(type_, constant, interpolation, is_unsure=is_unsure, is_constant_text=joins)
    return left


def _joined(left: BoundExpression, right: BoundExpression) -> Interpolation:
    """A sum of interpolated strings alone converts to a handler as one does (C# 10), but to no ``FormattableString``."""
    if not (isinstance(left, BoundValue) and isinstance(right, BoundValue)):
        return Interpolation.NONE
    if left.interpolation is Interpolation.CONSTANT and right.interpolation is Interpolation.CONSTANT:
        return Interpolation.CONSTANT
    return Interpolation.SUM if left.interpolation and right.interpolation else Interpolation.NONE


def _coalesce_chain(
    b: Binder, first: Lowered, operands: Sequence[Lowered], scope: LocalScope, target: Type | None
) -> BoundExpression:
    """``a ?? b ?? c`` groups from the right."""
    bound = [b.expression(first, scope)]
    for operand in operands:
        bound.append(b.expression(operand[3], scope, target))
    result = bound[-1]
    for operand_before in reversed(bound[:-1]):
        is_unsure = in_doubt(operand_before) or in_doubt(result)
        result = BoundValue(_coalesce(b, operand_before, result), is_unsure=is_unsure)
    return result


@binds(Op.UNARY)
def bind_unary(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, offset, operator, inner = node
    if operator in ("++", "--"):
        return _step(b, operator, inner, offset, scope)
    operand = b.expression(inner, scope)
    if operator == "&" and isinstance(operand, BoundMethodGroup):
        return BoundAddress(operand)
    if operator == "&":
        return value_from(PointerType(b.finish(operand)), operand)
    if operator == "*":
        type_ = b.finish(operand)
        return value_from(type_.element, operand) if isinstance(type_, PointerType) else UNKNOWN_VALUE
    if operator == "^":
        b.finish(operand)
        return value(b.system("Index"))
    name = UNARY_OPERATORS.get(operator)
    if name is not None:
        found = _user_operator(b, name, (operand,), offset, scope)
        if found is None and _has_extension(b, name, scope) and not is_predefined_unary(b, operand):
            found = _extension_operator(b, name, (operand,), offset, scope)
        if found is not None:
            return value_from(found, operand)
    type_ = b.finish(operand)
    if isinstance(type_, DynamicType):
        return value(type_)
    if operator == "!":
        return value(b.system("Boolean"))
    constant = unary_constant(operator, operand)
    if isinstance(type_, NamedType) and type_.definition.kind is SymbolKind.ENUM:
        return value_from(type_, operand)
    inner_type = nullable_element(type_)
    result = promoted(b, inner_type or type_, inner_type or type_)
    if operator == "-" and is_system(type_, "UInt32"):
        result = b.system("Int64")
    is_lifted = inner_type is not None and result is not UNKNOWN
    type_ = b.generic("System", "Nullable", result) if is_lifted else result
    return BoundValue(type_, constant, is_unsure=in_doubt(operand))


@binds(Op.POSTFIX)
def bind_postfix(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return _step(b, node[2], node[3], node[1], scope, target is None or not is_void_type(target))


def _step(
    b: Binder, operator: str, inner: Lowered | None, offset: int, scope: LocalScope, needs_old: bool = False
) -> BoundValue:
    """``++`` and ``--``: the operand is written, its reading implied. ``needs_old``: what it was before is the result, which
    a change in place does not keep."""
    before = len(b.references)
    changed = b.target(inner, scope, Usage.WRITE)
    if not needs_old and _is_variable(b, before) and _in_place(b, operator, changed, None, offset, scope):
        return changed
    operands = (changed,)
    static = UNARY_OPERATORS[operator]
    if _user_operator(b, static, operands, offset, scope) is None:
        names = (static,) if needs_old else (COMPOUND_OPERATORS[operator], static)
        _first_extension(b, names, operands, offset, scope, is_predefined_unary(b, changed))
    return changed


_IN_PLACE: Final = frozenset(COMPOUND_OPERATORS.values())


def _first_extension(
    b: Binder,
    names: Sequence[str],
    operands: Sequence[BoundExpression],
    offset: int,
    scope: LocalScope,
    taken: bool,
) -> None:
    """An operator of an ``extension`` block that changes a variable in place, else one that gives it another value. ``taken``: a predefined
    operator takes the operands."""
    for name in names if not taken else ():
        if name in _IN_PLACE and not b.language.compound_operators:
            continue
        if _extension_operator(b, name, operands, offset, scope) is not None:
            return


@binds(Op.ASSIGN)
def bind_assign(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, offset, operator, left, right, _, _ = node
    if operator == "=":
        if left is not None and left[0] == Op.TUPLE:
            return bind_tuple_target(b, left, b.expression(right, scope), scope)
        changed = b.target(left, scope, Usage.WRITE)
        type_ = changed.type
        is_discard = left is not None and left[0] == Op.NAME and left[2] == "_" and scope.find("_") is None
        if type_ is UNKNOWN:
            return b.settled(right, scope)
        b.converted(right, scope, None if is_discard else type_)
        return changed
    usage = Usage.SUBSCRIBE if operator in ("+=", "-=") else Usage.WRITE
    before = len(b.references)
    changed = b.target(left, scope, usage)
    type_ = changed.type
    is_event = bool(b.references) and b.references[-1].kind is RefKind.EVENT_SUBSCRIBE
    if operator == "??=":
        inner = nullable_element(type_)
        operand = b.expression(right, scope, inner or type_)
        b.convert(operand, inner or type_, changed.is_unsure)
        return value_from(inner if inner is not None else type_, changed)
    if b.hierarchy.delegates.invoke(type_) is not None:
        b.value_of(right, scope, type_)
        # An event assignment has no value (ECMA-334 §12.21.5).
        return value(b.system("Void")) if is_event else changed
    is_variable = _is_variable(b, before)
    operand = b.expression(right, scope, type_)
    name = _BINARY_NAMES.get(operator[:-1])
    if name is not None and not contains_error(type_):
        if is_variable and _in_place(b, operator, changed, operand, offset, scope):
            return changed
        if _user_operator(b, name, (changed, operand), offset, scope) is not None:
            return changed
        names = (COMPOUND_OPERATORS[operator], name) if is_variable else (name,)
        taken = is_predefined(b, operator[:-1], changed, operand)
        _first_extension(b, names, (changed, operand), offset, scope, taken)
    b.convert(operand, type_)
    return changed


def _is_variable(b: Binder, before: int) -> bool:
    """Whether the target whose references begin at ``before`` is a variable: no property or indexer is stored to."""
    return not any(r.kind is RefKind.WRITE and (r.target or "").startswith("P:") for r in b.references[before:])


def _in_place(
    b: Binder, operator: str, changed: BoundValue, operand: BoundExpression | None, offset: int, scope: LocalScope
) -> bool:
    """An instance compound assignment or increment operator of the type, which changes a variable where it is (C# 14)."""
    name, type_ = COMPOUND_OPERATORS.get(operator), changed.type
    if name is None or not b.language.compound_operators or not isinstance(type_, (NamedType, TypeParameterType)):
        return False
    arguments = [Argument(operand)] if operand is not None else []
    group = [f for f in _operators_of(b, type_, name, scope) if not f.member.is_static]
    candidate = b.overloads.resolve(group, arguments, (), scope.within).candidate if group else None
    if candidate is not None:
        confidence = Confidence.LOW if changed.is_unsure else Confidence.HIGH
        b.member_reference(RefKind.OPERATOR, offset, candidate.found, confidence)
        if operand is not None:
            b.convert(operand, candidate.targets[0][1])
        return True
    return False


@binds(Op.CONDITIONAL)
def bind_conditional(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, condition, first, second = node
    b.value_of(condition, scope, b.system("Boolean"))
    parts = [b.expression(first, scope, target), b.expression(second, scope, target)]
    chosen = choice(b, parts, with_functions=False)
    if not isinstance(chosen, BoundValue) or chosen.constant is None:
        return chosen
    # Constant where the condition is, too (ECMA-334 §12.25), and then worth what it chooses.
    constant = constant_of(parts[0 if condition[3] else 1]) if condition and condition[0] == Op.LITERAL else None
    return BoundValue(chosen.type, constant, is_unsure=chosen.is_unsure)


def choice(b: Binder, parts: list[BoundExpression], with_functions: bool = True) -> BoundExpression:
    """``?:`` and ``switch``: the arms' common type, else each arm takes the target's. ``with_functions``: as ``NaturalTypes.common``."""
    common = b.natural_types.common([p for p in parts if not isinstance(p, BoundThrow)], with_functions)
    if common is not None:
        for part in parts:
            b.convert(part, common)
        constants = [constant_of(part) for part in parts]
        known = [constant for constant in constants if constant is not None]
        is_unsure = any(map(in_doubt, parts))
        return BoundValue(common, max(known) if len(known) == len(parts) else None, is_unsure=is_unsure)
    are_unknown = all(isinstance(part, BoundValue) and isinstance(part.type, ErrorType) for part in parts)
    return UNKNOWN_VALUE if are_unknown else BoundChoice(parts)
