"""Metadata names of operators by their tokens (ECMA-334 §15.10; compound assignment of C# 14)."""

from __future__ import annotations

from typing import Final

UNARY_OPERATORS: Final = {
    "+": "op_UnaryPlus",
    "-": "op_UnaryNegation",
    "!": "op_LogicalNot",
    "~": "op_OnesComplement",
    "++": "op_Increment",
    "--": "op_Decrement",
    "true": "op_True",
    "false": "op_False",
}
BINARY_OPERATORS: Final = {
    "+": "op_Addition",
    "-": "op_Subtraction",
    "*": "op_Multiply",
    "/": "op_Division",
    "%": "op_Modulus",
    "&": "op_BitwiseAnd",
    "|": "op_BitwiseOr",
    "^": "op_ExclusiveOr",
    "<<": "op_LeftShift",
    ">>": "op_RightShift",
    ">>>": "op_UnsignedRightShift",
    "==": "op_Equality",
    "!=": "op_Inequality",
    "<": "op_LessThan",
    "<=": "op_LessThanOrEqual",
    ">": "op_GreaterThan",
    ">=": "op_GreaterThanOrEqual",
}
CHECKED_OPERATORS: Final = {
    name: name.replace("op_", "op_Checked", 1)
    for name in (
        "op_UnaryNegation",
        "op_Increment",
        "op_Decrement",
        "op_Addition",
        "op_Subtraction",
        "op_Multiply",
        "op_Division",
        "op_IncrementAssignment",
        "op_DecrementAssignment",
        "op_AdditionAssignment",
        "op_SubtractionAssignment",
        "op_MultiplicationAssignment",
        "op_DivisionAssignment",
    )
}
"""Operators that may have a checked form, and its name (C# 11)."""
COMPOUND_OPERATORS: Final = {
    "+=": "op_AdditionAssignment",
    "-=": "op_SubtractionAssignment",
    "*=": "op_MultiplicationAssignment",
    "/=": "op_DivisionAssignment",
    "%=": "op_ModulusAssignment",
    "&=": "op_BitwiseAndAssignment",
    "|=": "op_BitwiseOrAssignment",
    "^=": "op_ExclusiveOrAssignment",
    "<<=": "op_LeftShiftAssignment",
    ">>=": "op_RightShiftAssignment",
    ">>>=": "op_UnsignedRightShiftAssignment",
    "++": "op_IncrementAssignment",
    "--": "op_DecrementAssignment",
}
