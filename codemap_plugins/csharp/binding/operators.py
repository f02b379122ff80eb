"""Operators, assignments, conditionals, literals (ECMA-334 §12.9 to §12.21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.model import Confidence, RefKind, SymbolKind
from codemap_plugins.csharp.binding.binder import Binder, binds
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    Argument,
    BoundChoice,
    BoundDefault,
    BoundExpression,
    BoundNull,
    BoundThrow,
    BoundValue,
    Interpolation,
    value,
)
from codemap_plugins.csharp.binding.conversions import WIDER
from codemap_plugins.csharp.binding.creation import bind_tuple_target
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN, MemberKind
from codemap_plugins.csharp.binding.reference import Use
from codemap_plugins.csharp.binding.resolution import OverloadResolution
from codemap_plugins.csharp.binding.special_types import nullable_element
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
    contains_error,
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
_INTEGRAL: Final = frozenset({LiteralKind.INT, LiteralKind.LONG, LiteralKind.UINT, LiteralKind.ULONG})
_BINARY_NAMES: Final = {**BINARY_OPERATORS, "&&": "op_BitwiseAnd", "||": "op_BitwiseOr"}
_ORDERINGS: Final = frozenset({"<", "<=", ">", ">="})
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_NUMERIC: Final = frozenset({*WIDER, "Double", "Decimal"})
_PREDEFINED: Final = frozenset({*_NUMERIC, "Boolean", "String"})


@binds(Op.LITERAL)
def bind_literal(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    kind = LiteralKind(node[2])
    if kind is LiteralKind.NULL:
        return BoundNull()
    if kind is LiteralKind.UTF8:
        return value(b.generic("System", "ReadOnlySpan", b.system("Byte")))
    is_integer = kind in _INTEGRAL and isinstance(node[3], int)
    return BoundValue(b.system(_LITERALS[kind]), node[3] if is_integer else None)


@binds(Op.INTERPOLATED)
def bind_interpolated(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    for part in node[2]:
        if part[0] == Op.HOLE:
            b.value_of(part[2], scope)
            if part[3] is not None:
                b.value_of(part[3], scope)
    has_holes = any(part[0] == Op.HOLE for part in node[2])
    interpolation = Interpolation.HOLES if has_holes else Interpolation.CONSTANT
    return BoundValue(b.system("String"), interpolation=interpolation)


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
            type_.definition.system_name in _PREDEFINED or type_.definition.system_name == "Object"
        ):
            continue
        for found in _operators_of(b, type_, name, scope):
            if found not in group and len(found.member.parameters) == len(operands):
                group.append(found)
    if not group:
        return _extension_operator(b, name, operands, offset, scope)
    lifted = any(isinstance(operand, BoundValue) and nullable_element(operand.type) is not None for operand in operands)
    plain = []
    for operand in operands:
        inner = nullable_element(operand.type) if isinstance(operand, BoundValue) else None
        if lifted and isinstance(operand, BoundNull):
            # The lifted form takes null for any operand (ECMA-334 §12.4.8).
            operand = BoundDefault()
        plain.append(Argument(value(inner) if inner is not None else operand))
    resolution = b.overloads.resolve(group, plain, (), scope.within)
    if resolution.candidate is None and any(
        argument.expression is not operand for argument, operand in zip(plain, operands, strict=True)
    ):
        # Lifted, the operator takes null for the operand that has no type (ECMA-334 §12.4.8).
        untyped = [Argument(UNKNOWN_VALUE) if isinstance(a.expression, BoundNull) else a for a in plain]
        lifted_resolution = b.overloads.resolve(group, untyped, (), scope.within)
        resolution = OverloadResolution(
            lifted_resolution.outcome, lifted_resolution.candidate, Confidence.HIGH, lifted_resolution.remaining
        ).after((*resolution.contests, *lifted_resolution.contests))
    candidate = resolution.candidate
    if candidate is None:
        return None
    use = Use(candidate.found, contests=resolution.contests) if b.keeps_uses else None
    b.member_reference(RefKind.OPERATOR, offset, candidate.found, resolution.confidence, use=use)
    for operand, (_, wanted) in zip(operands, candidate.targets, strict=True):
        if not isinstance(operand, BoundValue):
            b.convert(operand, wanted)
    result = candidate.return_type
    is_plain_value = isinstance(result, NamedType) and result.definition.is_value_type
    if lifted and is_plain_value and not _is(result, "Boolean"):
        return b.generic("System", "Nullable", result)
    return result


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
    """An operator of an ``extension`` block in view (C# 14)."""
    if not b.language.extension_members:
        return None
    for level in b.shared.extensions.groups(b.document, scope.resolver.scope, name):
        group = [f for f in level if f.member.kind is MemberKind.OPERATOR and len(f.member.parameters) == len(operands)]
        candidate = b.overloads.resolve(group, [Argument(o) for o in operands], (), scope.within).candidate
        if candidate is not None:
            b.member_reference(RefKind.OPERATOR, offset, candidate.found)
            return candidate.return_type
    return None


def binary_type(
    b: Binder, operator: str, left: BoundExpression, right: BoundExpression, offset: int, scope: LocalScope
) -> Type:
    """The result of a binary operator; settles the operands."""
    if operator == "??":
        return _coalesce(b, left, right)
    name = _BINARY_NAMES.get(operator)
    if name is not None:
        found = _user_operator(b, name, (left, right), offset, scope)
        if found is not None:
            return found
    first, second = (
        b.convert(left, None if isinstance(left, BoundValue) else _other(right)),
        b.convert(right, None if isinstance(right, BoundValue) else _other(left)),
    )
    if operator in _ORDERINGS and _lacks_order(b, first, second):
        b.recording.note_failure()
    if operator in _COMPARISONS or operator in ("&&", "||"):
        return b.system("Boolean")
    result = _predefined(b, operator, _fitting(first, left, second), _fitting(second, right, first))
    if result is UNKNOWN and isinstance(first, NamedType) and isinstance(second, NamedType):
        b.recording.note_failure()
    return result


def _fitting(type_: Type, operand: BoundExpression, other: Type) -> Type:
    """A constant that an unsigned operand's type can hold has that type beside it (ECMA-334 §10.2.11)."""
    constant = _constant_of(operand)
    if constant is None or constant < 0 or not (_is(type_, "Int32") or _is(type_, "Int64")):
        return type_
    return other if _is(other, "UInt64") or (_is(other, "UInt32") and _is(type_, "Int32")) else type_


def _lacks_order(b: Binder, first: Type, second: Type) -> bool:
    """Values that no predefined ordering compares (ECMA-334 §12.12); false for what is not known."""
    left, right = _converted(b, nullable_element(first) or first), _converted(b, nullable_element(second) or second)
    if not isinstance(left, NamedType) or not isinstance(right, NamedType):
        return False
    enums = left.definition.kind is SymbolKind.ENUM or right.definition.kind is SymbolKind.ENUM
    return not enums and _promoted(b, left, right) is UNKNOWN


def _other(operand: BoundExpression) -> Type | None:
    return operand.type if isinstance(operand, BoundValue) else None


def _coalesce(b: Binder, left: BoundExpression, right: BoundExpression) -> Type:
    """ECMA-334 §12.15."""
    first = b.finish(left)
    inner = nullable_element(first)
    if not isinstance(right, BoundValue):
        b.convert(right, inner if inner is not None else first)
        return inner if inner is not None else first
    second = right.type
    if inner is not None and b.conversions.from_operand(right, inner):
        return inner
    if isinstance(left, BoundNull) or isinstance(first, ErrorType):
        return second
    return first if b.conversions.from_operand(right, first) else second


def _predefined(b: Binder, operator: str, first: Type, second: Type) -> Type:
    """Result of a predefined operator (ECMA-334 §12.4.7, §12.10)."""
    if isinstance(first, DynamicType) or isinstance(second, DynamicType):
        return b.hierarchy.table.factory.dynamic
    if operator == "+" and (_is(first, "String") or _is(second, "String")):
        return b.system("String")
    if isinstance(first, PointerType):
        return b.system("Int64") if isinstance(second, PointerType) else first
    if isinstance(second, PointerType):
        return second
    if isinstance(first, NamedType) and first.definition.kind is SymbolKind.DELEGATE:
        return first
    if operator == "+" and first == second and isinstance(first, NamedType) and first.definition.name == "ReadOnlySpan":
        # Of UTF-8 literals (C# 11).
        return first
    lifted = nullable_element(first) is not None or nullable_element(second) is not None
    left, right = _converted(b, nullable_element(first) or first), _converted(b, nullable_element(second) or second)
    result: Type = UNKNOWN
    if isinstance(left, NamedType) and left.definition.kind is SymbolKind.ENUM:
        result = left if operator != "-" or left is not right else b.system("Int32")
    elif isinstance(right, NamedType) and right.definition.kind is SymbolKind.ENUM:
        result = right
    elif operator in ("<<", ">>", ">>>"):
        result = _promoted(b, left, left)
    elif _is(left, "Boolean") and _is(right, "Boolean"):
        result = left
    else:
        result = _promoted(b, left, right)
    if result is not UNKNOWN and lifted:
        return b.generic("System", "Nullable", result)
    return result


def _converted(b: Binder, type_: Type) -> Type:
    """The type that an operand of a predefined operator converts to by an operator of its own: the only one it converts to."""
    if not isinstance(type_, NamedType) or type_.definition.system_name in _PREDEFINED:
        return type_
    targets = {b.hierarchy.member_type(found) for found in b.hierarchy.lookup(type_, "op_Implicit")}
    fitting = [t for t in targets if isinstance(t, NamedType) and t.definition.system_name in _PREDEFINED]
    return fitting[0] if len(fitting) == 1 else type_


def _promoted(b: Binder, left: Type, right: Type) -> Type:
    """Binary numeric promotion (ECMA-334 §12.4.7.3)."""
    if not isinstance(left, NamedType) or not isinstance(right, NamedType):
        return UNKNOWN
    names = {left.definition.system_name, right.definition.system_name}
    if not names <= _NUMERIC:
        return UNKNOWN
    for name in ("Decimal", "Double", "Single", "UInt64", "Int64"):
        if name in names:
            return b.system(name)
    for name in ("UIntPtr", "IntPtr"):
        if name in names:
            return b.system(name)
    if "UInt32" in names:
        return b.system("Int64" if names & {"SByte", "Int16", "Int32"} else "UInt32")
    return b.system("Int32")


def _is(type_: Type, name: str) -> bool:
    return isinstance(type_, NamedType) and type_.definition.system_name == name


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
        constant = _fold(operator, left, right)
        left = BoundValue(binary_type(b, operator, left, right, offset, scope), constant)
    return left


def _fold(operator: str, left: BoundExpression, right: BoundExpression) -> int | None:
    first, second = _constant_of(left), _constant_of(right)
    if first is None or second is None:
        return None
    if operator == "+":
        return first + second
    if operator == "-":
        return first - second
    if operator == "*":
        return first * second
    if operator == "|":
        return first | second
    return None


def _constant_of(operand: BoundExpression) -> int | None:
    return operand.constant if isinstance(operand, BoundValue) else None


def _coalesce_chain(
    b: Binder, first: Lowered, operands: Sequence[Lowered], scope: LocalScope, target: Type | None
) -> BoundExpression:
    """``a ?? b ?? c`` groups from the right."""
    bound = [b.expression(first, scope)]
    for operand in operands:
        bound.append(b.expression(operand[3], scope, target))
    result = bound[-1]
    for operand_before in reversed(bound[:-1]):
        result = value(_coalesce(b, operand_before, result))
    return result


@binds(Op.UNARY)
def bind_unary(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, offset, operator, inner = node
    if operator in ("++", "--"):
        return value(_step(b, operator, inner, offset, scope))
    operand = b.expression(inner, scope)
    if operator == "&":
        return value(PointerType(b.finish(operand)))
    if operator == "*":
        type_ = b.finish(operand)
        return value(type_.element) if isinstance(type_, PointerType) else UNKNOWN_VALUE
    if operator == "^":
        b.finish(operand)
        return value(b.system("Index"))
    name = UNARY_OPERATORS.get(operator)
    if name is not None:
        found = _user_operator(b, name, (operand,), offset, scope)
        if found is not None:
            return value(found)
    type_ = b.finish(operand)
    if operator == "!":
        return value(b.system("Boolean"))
    constant = _constant_of(operand)
    if operator == "-" and constant is not None:
        return BoundValue(type_, -constant)
    if isinstance(type_, NamedType) and type_.definition.kind is SymbolKind.ENUM:
        return value(type_)
    inner_type = nullable_element(type_)
    promoted = _promoted(b, inner_type or type_, inner_type or type_)
    if operator == "-" and _is(type_, "UInt32"):
        promoted = b.system("Int64")
    return value(
        b.generic("System", "Nullable", promoted) if inner_type is not None and promoted is not UNKNOWN else promoted
    )


@binds(Op.POSTFIX)
def bind_postfix(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return value(_step(b, node[2], node[3], node[1], scope))


def _step(b: Binder, operator: str, inner: Lowered | None, offset: int, scope: LocalScope) -> Type:
    """``++`` and ``--``: the operand is written, its reading implied."""
    before = len(b.references)
    type_ = b.target(inner, scope, Usage.WRITE)
    if _is_variable(b, before) and _in_place(b, operator, type_, None, offset, scope):
        return type_
    _user_operator(b, UNARY_OPERATORS[operator], (value(type_),), offset, scope)
    return type_


@binds(Op.ASSIGN)
def bind_assign(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, offset, operator, left, right, _, _ = node
    if operator == "=":
        if left is not None and left[0] == Op.TUPLE:
            source = b.value_of(right, scope)
            bind_tuple_target(b, left, source, scope)
            return value(source)
        type_ = b.target(left, scope, Usage.WRITE)
        is_discard = left is not None and left[0] == Op.NAME and left[2] == "_" and scope.find("_") is None
        result = b.converted(right, scope, None if is_discard or type_ is UNKNOWN else type_)
        return value(result if type_ is UNKNOWN else type_)
    usage = Usage.SUBSCRIBE if operator in ("+=", "-=") else Usage.WRITE
    before = len(b.references)
    type_ = b.target(left, scope, usage)
    is_event = bool(b.references) and b.references[-1].kind is RefKind.EVENT_SUBSCRIBE
    if operator == "??=":
        inner = nullable_element(type_)
        operand = b.expression(right, scope, inner or type_)
        b.convert(operand, inner or type_)
        return value(inner if inner is not None else type_)
    if b.hierarchy.delegates.invoke(type_) is not None:
        b.value_of(right, scope, type_)
        # An event assignment has no value (ECMA-334 §12.21.5).
        return value(b.system("Void") if is_event else type_)
    is_variable = _is_variable(b, before)
    operand = b.expression(right, scope, type_)
    name = _BINARY_NAMES.get(operator[:-1])
    if name is not None and not contains_error(type_):
        if is_variable and _in_place(b, operator, type_, operand, offset, scope):
            return value(type_)
        if _user_operator(b, name, (value(type_), operand), offset, scope) is not None:
            return value(type_)
    b.convert(operand, type_)
    return value(type_)


def _is_variable(b: Binder, before: int) -> bool:
    """Whether the target whose references begin at ``before`` is a variable: no property or indexer is stored to."""
    return not any(r.kind is RefKind.WRITE and (r.target or "").startswith("P:") for r in b.references[before:])


def _in_place(
    b: Binder, operator: str, type_: Type, operand: BoundExpression | None, offset: int, scope: LocalScope
) -> bool:
    """An instance compound assignment or increment operator, which changes a variable where it is (C# 14): the type's own, then, where
    the type has no static one either, that of an ``extension`` block."""
    name = COMPOUND_OPERATORS.get(operator)
    if name is None or not b.language.compound_operators or not isinstance(type_, NamedType):
        return False
    arguments = [Argument(operand)] if operand is not None else []
    group = [f for f in _operators_of(b, type_, name, scope) if not f.member.is_static]
    candidate = b.overloads.resolve(group, arguments, (), scope.within).candidate if group else None
    if candidate is not None:
        b.member_reference(RefKind.OPERATOR, offset, candidate.found)
        if operand is not None:
            b.convert(operand, candidate.targets[0][1])
        return True
    static = BINARY_OPERATORS[operator[:-1]] if operand is not None else UNARY_OPERATORS[operator]
    if b.hierarchy.lookup(type_, static):
        return False
    operands = (value(type_),) if operand is None else (value(type_), operand)
    return _extension_operator(b, name, operands, offset, scope) is not None


@binds(Op.CONDITIONAL)
def bind_conditional(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, condition, first, second = node
    b.value_of(condition, scope, b.system("Boolean"))
    return choice(b, [b.expression(first, scope, target), b.expression(second, scope, target)])


def choice(b: Binder, parts: list[BoundExpression]) -> BoundExpression:
    """``?:`` and ``switch``: the arms' common type, else each arm takes the target's."""
    common = b.natural_types.common([p for p in parts if not isinstance(p, BoundThrow)])
    if common is not None:
        for part in parts:
            b.convert(part, common)
        constants = [_constant_of(part) for part in parts]
        known = [constant for constant in constants if constant is not None]
        return BoundValue(common, max(known) if len(known) == len(parts) else None)
    return BoundChoice(parts)
