"""Which predefined operator takes operands, and what it results in (ECMA-334 §12.4.7, §12.10, §12.12)."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import BoundValue
from codemap_plugins.csharp.binding.constant_expressions import constant_of
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.numeric_types import WIDER
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import is_system, nullable_element
from codemap_plugins.csharp.symbols.types import DynamicType, ErrorType, NamedType, PointerType, Type

ORDERINGS: Final = frozenset({"<", "<=", ">", ">="})
PREDEFINED: Final = frozenset({*WIDER, "Double", "Decimal", "Boolean", "String"})
"""Types of ``System`` whose operators are all predefined."""
_NUMERIC: Final = PREDEFINED - {"Boolean", "String"}


def is_predefined(b: Binder, operator: str, left: BoundExpression, right: BoundExpression) -> bool:
    """A predefined operator takes the operands: those of ``extension`` blocks are not looked at (C# 14)."""
    if not isinstance(left, BoundValue) or not isinstance(right, BoundValue):
        # Of null, whatever can be null is equal or not.
        other = left if isinstance(left, BoundValue) else right
        can_be_null = b.conversions.is_reference(other.type) or nullable_element(other.type) is not None
        return operator in ("==", "!=") and isinstance(other, BoundValue) and can_be_null
    first, second = left.type, right.type
    if isinstance(first, (ErrorType, DynamicType)) or isinstance(second, (ErrorType, DynamicType)):
        return True
    if operator in ("==", "!="):
        references = b.conversions.is_reference(first) and b.conversions.is_reference(second)
        if references and (b.conversions.reference(first, second) or b.conversions.reference(second, first)):
            return True
        equated = nullable_element(first) or first, nullable_element(second) or second
        enums = any(isinstance(each, NamedType) and each.definition.kind is SymbolKind.ENUM for each in equated)
        return enums or all(is_system(each, "Boolean") for each in equated) or promoted(b, *equated) is not UNKNOWN
    if operator in ORDERINGS:
        return not lacks_order(b, first, second)
    return predefined(b, operator, fitting(first, left, second), fitting(second, right, first)) is not UNKNOWN


def is_predefined_unary(b: Binder, operand: BoundExpression) -> bool:
    if not isinstance(operand, BoundValue):
        return False
    type_ = nullable_element(operand.type) or operand.type
    if isinstance(type_, (ErrorType, DynamicType, PointerType)) or is_system(type_, "Boolean"):
        return True
    if isinstance(type_, NamedType) and type_.definition.kind is SymbolKind.ENUM:
        return True
    return promoted(b, type_, type_) is not UNKNOWN


def predefined(b: Binder, operator: str, first: Type, second: Type) -> Type:
    """Result of a predefined operator (ECMA-334 §12.4.7, §12.10)."""
    if isinstance(first, DynamicType) or isinstance(second, DynamicType):
        return b.hierarchy.table.factory.dynamic
    if operator == "+" and (is_system(first, "String") or is_system(second, "String")):
        return b.system("String")
    if isinstance(first, PointerType):
        return b.system("Int64") if isinstance(second, PointerType) else first
    if isinstance(second, PointerType):
        return second
    if operator in ("+", "-") and isinstance(first, NamedType) and first.definition.kind is SymbolKind.DELEGATE:
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
        result = promoted(b, left, left)
    elif is_system(left, "Boolean") and is_system(right, "Boolean"):
        result = left
    else:
        result = promoted(b, left, right)
    if result is not UNKNOWN and lifted:
        return b.generic("System", "Nullable", result)
    return result


def fitting(type_: Type, operand: BoundExpression, other: Type) -> Type:
    """A constant that an unsigned operand's type can hold has that type beside it (ECMA-334 §10.2.11)."""
    constant = constant_of(operand)
    if constant is None or constant < 0 or not (is_system(type_, "Int32") or is_system(type_, "Int64")):
        return type_
    return other if is_system(other, "UInt64") or (is_system(other, "UInt32") and is_system(type_, "Int32")) else type_


def lacks_order(b: Binder, first: Type, second: Type) -> bool:
    """Values that no predefined ordering compares (ECMA-334 §12.12); false for what is not known."""
    left, right = _converted(b, nullable_element(first) or first), _converted(b, nullable_element(second) or second)
    if not isinstance(left, NamedType) or not isinstance(right, NamedType):
        return False
    enums = left.definition.kind is SymbolKind.ENUM or right.definition.kind is SymbolKind.ENUM
    return not enums and promoted(b, left, right) is UNKNOWN


def _converted(b: Binder, type_: Type) -> Type:
    """The type that an operand of a predefined operator converts to by an operator of its own: the only one it converts to."""
    if not isinstance(type_, NamedType) or type_.definition.system_name in PREDEFINED:
        return type_
    targets = {b.hierarchy.member_type(found) for found in b.hierarchy.lookup(type_, "op_Implicit")}
    taken = [t for t in targets if isinstance(t, NamedType) and t.definition.system_name in PREDEFINED]
    return taken[0] if len(taken) == 1 else type_


def promoted(b: Binder, left: Type, right: Type) -> Type:
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
