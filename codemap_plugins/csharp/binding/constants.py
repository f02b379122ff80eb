"""Constant expressions (ECMA-334 §12.23): literals, and what operators make of constants.

A constant is a ``Constant`` of the model. What overflows, divides by zero or has no constant meaning is null: not a constant, as such a
program does not compile. ``decimal`` constants are digits; arithmetic on them keeps the scale that ``System.Decimal`` gives.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from decimal import Context, Decimal, InvalidOperation
from typing import Any, Final

from codemap_core.model.bound import Constant
from codemap_plugins.csharp.bodies import LiteralKind

_STRING: Final = "T:System.String"
_CHAR: Final = "T:System.Char"
_BOOL: Final = "T:System.Boolean"
_INT: Final = "T:System.Int32"
_UINT: Final = "T:System.UInt32"
_LONG: Final = "T:System.Int64"
_ULONG: Final = "T:System.UInt64"
_FLOAT: Final = "T:System.Single"
_DOUBLE: Final = "T:System.Double"
_DECIMAL: Final = "T:System.Decimal"
NULL: Final = Constant("", None)
_LITERALS: Final = {
    LiteralKind.BOOL.value: _BOOL,
    LiteralKind.INT.value: _INT,
    LiteralKind.UINT.value: _UINT,
    LiteralKind.LONG.value: _LONG,
    LiteralKind.ULONG.value: _ULONG,
    LiteralKind.FLOAT.value: _FLOAT,
    LiteralKind.DOUBLE.value: _DOUBLE,
    LiteralKind.DECIMAL.value: _DECIMAL,
    LiteralKind.CHAR.value: _CHAR,
    LiteralKind.STRING.value: _STRING,
}
RANGES: Final = {
    "T:System.SByte": (-(1 << 7), (1 << 7) - 1),
    "T:System.Byte": (0, (1 << 8) - 1),
    "T:System.Int16": (-(1 << 15), (1 << 15) - 1),
    "T:System.UInt16": (0, (1 << 16) - 1),
    _CHAR: (0, (1 << 16) - 1),
    _INT: (-(1 << 31), (1 << 31) - 1),
    _UINT: (0, (1 << 32) - 1),
    _LONG: (-(1 << 63), (1 << 63) - 1),
    _ULONG: (0, (1 << 64) - 1),
}
"""Least and greatest value of the integral types (ECMA-334 §8.3.6)."""
PREDEFINED: Final = frozenset((*RANGES, _FLOAT, _DOUBLE, _DECIMAL, _BOOL, _STRING))
_SIZES: Final = {
    **dict.fromkeys(("sbyte", "byte", "bool"), 1),
    **dict.fromkeys(("short", "ushort", "char"), 2),
    **dict.fromkeys(("int", "uint", "float"), 4),
    **dict.fromkeys(("long", "ulong", "double"), 8),
    "decimal": 16,
}
_WIDTHS: Final = {_INT: 32, _UINT: 32, _LONG: 64, _ULONG: 64}
_FRACTIONAL: Final = frozenset({_FLOAT, _DOUBLE, _DECIMAL})
_ARITHMETIC: Final = _FRACTIONAL.union(_WIDTHS)
_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_DIGITS: Final = {_FLOAT: 7, _DOUBLE: 15}
_WIDE: Final = Context(60)
_Number = int | float | Decimal


def string(text: str) -> Constant:
    return Constant(_STRING, text)


def literal(kind: int, value: str | int | float | bool | None) -> Constant | None:
    """Of a LITERAL node; ``u8`` strings are spans and no constants."""
    if kind == LiteralKind.NULL:
        return NULL
    type_id = _LITERALS.get(kind)
    return Constant(type_id, value) if type_id is not None and value is not None else None


def default(type_id: str, is_reference: bool) -> Constant | None:
    """Of ``default(T)``."""
    if is_reference or type_id == _STRING:
        return NULL
    if type_id == _BOOL:
        return Constant(type_id, False)
    if type_id == _CHAR:
        return Constant(type_id, "\0")
    if type_id in RANGES:
        return Constant(type_id, 0)
    if type_id in (_FLOAT, _DOUBLE):
        return Constant(type_id, 0.0)
    return Constant(type_id, "0") if type_id == _DECIMAL else None


def size(keyword: str, underlying: str | None = None) -> Constant | None:
    """Of ``sizeof`` a predefined type, as it is written, or an enum, of which ``underlying`` is the underlying type (ECMA-334 §23.6.9); of
    others it is not constant."""
    found = _SIZES.get(keyword) if underlying is None else RANGES[underlying][1].bit_length() + 7 >> 3
    return Constant(_INT, found) if found is not None else None


def text_of(constant: Constant) -> str | None:
    """What a constant adds to a text that it is concatenated to: strings, characters and null (ECMA-334 §12.10.5)."""
    if constant.value is None:
        return ""
    return str(constant.value) if constant.type_id in (_STRING, _CHAR) else None


def unary(sign: str, of: Constant) -> Constant | None:
    """ECMA-334 §12.9.2 to §12.9.5."""
    if sign == "!":
        return Constant(_BOOL, not of.value) if of.type_id == _BOOL else None
    number = _number(of)
    if number is None:
        return None
    type_id = of.type_id if of.type_id in _ARITHMETIC else _INT
    if sign == "+":
        return _made(type_id, number)
    if sign == "-":
        if type_id == _UINT:
            type_id = _LONG
        # The greatest magnitudes are written with a minus before a literal of the next type (ECMA-334 §6.4.5.3).
        if type_id in (_LONG, _ULONG) and number == 1 << 63:
            type_id = _LONG
        if type_id == _LONG and of.type_id == _UINT and number == 1 << 31:
            type_id = _INT
        return _made(type_id, -number) if type_id != _ULONG else None
    if sign == "~" and isinstance(number, int) and type_id in _WIDTHS:
        return _wrapped(type_id, ~number)
    return None


def enum_unary(sign: str, of: Constant, underlying: str) -> Constant | None:
    """``~`` alone applies to an enum: to its value in the underlying type, unchecked (ECMA-334 §12.9.5)."""
    number = _number(of)
    if sign != "~" or not isinstance(number, int):
        return None
    return Constant(of.type_id, _wrapped(underlying, ~number).value)


def _enum_binary(sign: str, left: Constant, right: Constant, underlying: str) -> Constant | None:
    """ECMA-334 §12.10.5, §12.10.6, §12.12.6, §12.13.3: as the underlying type computes."""
    first, second = integer(left), integer(right)
    if first is None or second is None:
        return None
    zeros = (not first and left.type_id in RANGES) or (not second and right.type_id in RANGES)
    if sign in _COMPARISONS:
        compares = left.type_id == right.type_id or zeros
        return Constant(_BOOL, _COMPARISONS[sign](first, second)) if compares else None
    made = _integral(sign, underlying, first, second)
    # Zero converts to every enum (§10.2.4). What is subtracted from a member is rather of the underlying type, if zero is of that.
    is_difference = sign == "-" and (
        left.type_id == right.type_id
        or (not first and left.type_id in RANGES)
        or (not second and right.type_id in RANGES and right.type_id != underlying)
    )
    if made is None or is_difference:
        return made
    return Constant(right.type_id if left.type_id in RANGES else left.type_id, made.value)


def to_enum(enum_id: str, underlying: str, of: Constant, *, wraps: bool = False) -> Constant | None:
    """An explicit conversion to an enum is one to its underlying type (ECMA-334 §10.3.3)."""
    converted = cast(underlying, of, wraps=wraps)
    return Constant(enum_id, converted.value) if converted is not None else None


def conditional(chosen: Constant, other: Constant) -> Constant:
    """The chosen operand of ``?:`` has the type of both (ECMA-334 §12.18)."""
    numeric = RANGES.keys() | _FRACTIONAL
    if chosen.type_id == other.type_id or not {chosen.type_id, other.type_id} <= numeric:
        return chosen
    if not {chosen.type_id, other.type_id} & _ARITHMETIC:
        return chosen
    type_id = _promoted(chosen, other) or chosen.type_id
    return cast(type_id, chosen) or chosen


def binary(sign: str, left: Constant, right: Constant, underlying: str | None = None) -> Constant | None:
    """ECMA-334 §12.10 to §12.14. ``underlying``: of the enum that an operand is of, where that is known."""
    if sign in ("&&", "||") or (left.type_id == right.type_id == _BOOL):
        return _logical(sign, left, right)
    if sign == "+" and _STRING in (left.type_id, right.type_id):
        # A character is converted to object, so the whole is not constant (§12.23), though its text is known.
        if _CHAR in (left.type_id, right.type_id):
            return None
        first, second = text_of(left), text_of(right)
        return string(first + second) if first is not None and second is not None else None
    if sign in ("==", "!=") and (left.value is None or right.value is None or left.type_id == right.type_id == _STRING):
        same = left.value == right.value
        return Constant(_BOOL, same if sign == "==" else not same)
    if sign in ("<<", ">>", ">>>"):
        return _shifted(sign, left, right)
    if underlying is not None:
        return _enum_binary(sign, left, right, underlying)
    first_number, second_number = _number(left), _number(right)
    type_id = _promoted(left, right)
    if first_number is None or second_number is None or type_id is None:
        return None
    if sign == "-" and left.type_id == right.type_id and type_id not in PREDEFINED:
        return None  # of the underlying type, which is not known
    return _arithmetic(sign, type_id, _as(type_id, first_number), _as(type_id, second_number))


def cast(type_id: str, of: Constant, *, wraps: bool = False) -> Constant | None:
    """An explicit conversion between constants of predefined types. ``wraps``: in an unchecked context (ECMA-334 §12.8.20)."""
    if type_id == of.type_id:
        return of
    number = _number(of)
    if number is None:
        return of if of.value is None and type_id not in RANGES and type_id not in _FRACTIONAL else None
    if type_id == _DECIMAL and of.type_id in _DIGITS:
        # As many digits as the type holds for certain (System.Decimal's conversions).
        return _made(type_id, Context(_DIGITS[of.type_id]).create_decimal(repr(number)).normalize())
    if type_id in RANGES:
        whole = int(number)
        least, greatest = RANGES[type_id]
        if not least <= whole <= greatest:
            if not wraps:
                return None
            whole = (whole - least) % (greatest - least + 1) + least
        return Constant(type_id, chr(whole) if type_id == _CHAR else whole)
    return _made(type_id, _as(type_id, number)) if type_id in (_FLOAT, _DOUBLE, _DECIMAL) else None


def of_enum(enum_id: str, underlying: int) -> Constant:
    return Constant(enum_id, underlying)


def integer(of: Constant) -> int | None:
    """The value of an integral constant or an enum member's; null for others."""
    number = _number(of)
    return number if isinstance(number, int) else None


def _logical(sign: str, left: Constant, right: Constant) -> Constant | None:
    if not (isinstance(left.value, bool) and isinstance(right.value, bool)):
        return None
    first, second = left.value, right.value
    results = {
        "&&": first and second,
        "||": first or second,
        "&": first and second,
        "|": first or second,
        "^": first != second,
        "==": first == second,
        "!=": first != second,
    }
    return Constant(_BOOL, results[sign]) if sign in results else None


def _shifted(sign: str, left: Constant, right: Constant) -> Constant | None:
    number, count = _number(left), _number(right)
    if not isinstance(number, int) or not isinstance(count, int):
        return None
    type_id = left.type_id if left.type_id in _WIDTHS else _INT
    width = _WIDTHS[type_id]
    count &= width - 1
    if sign == "<<":
        return _wrapped(type_id, number << count)
    if sign == ">>>" and number < 0:
        number += 1 << width
    return _wrapped(type_id, number >> count)


def _promoted(left: Constant, right: Constant) -> str | None:
    """Binary numeric promotion (ECMA-334 §12.4.7.3); of an enum and its underlying type, or two of one enum, the enum."""
    types = (left.type_id, right.type_id)
    for type_id in types:
        if type_id not in RANGES and type_id not in _FRACTIONAL:
            return type_id
    for type_id in (_DECIMAL, _DOUBLE, _FLOAT, _ULONG, _LONG):
        if type_id in types:
            return type_id
    if _UINT in types:
        other = types[1] if types[0] == _UINT else types[0]
        if other in ("T:System.SByte", "T:System.Int16"):
            return _LONG
        # An int constant that is not negative converts to uint (ECMA-334 §10.2.11).
        return _LONG if other == _INT and _negative(left, right) else _UINT
    return _INT


def _negative(left: Constant, right: Constant) -> bool:
    return any(isinstance(each.value, int) and each.value < 0 for each in (left, right))


def _arithmetic(sign: str, type_id: str, left: _Number, right: _Number) -> Constant | None:
    if sign in _COMPARISONS:
        return Constant(_BOOL, _COMPARISONS[sign](left, right))
    try:
        if isinstance(left, int) and isinstance(right, int):
            return _integral(sign, type_id, left, right)
        if isinstance(left, Decimal) and isinstance(right, Decimal):
            results: dict[str, Callable[[], _Number]] = {
                "+": lambda: left + right,
                "-": lambda: left - right,
                "*": lambda: left * right,
                "/": lambda: _fitted(_WIDE.divide(left, right)),
                "%": lambda: left % right,
            }
        else:
            first, second = float(left), float(right)
            results = {
                "+": lambda: first + second,
                "-": lambda: first - second,
                "*": lambda: first * second,
                "/": lambda: first / second,
                "%": lambda: math.fmod(first, second),
            }
        return _made(type_id, results[sign]()) if sign in results else None
    except (ArithmeticError, ValueError):  # a remainder by 0.0 is not a number
        return None


def _integral(sign: str, type_id: str, left: int, right: int) -> Constant | None:
    if sign in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right)  # C# truncates towards zero
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return _made(type_id, quotient if sign == "/" else left - quotient * right)
    results: dict[str, Callable[[int, int], int]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "&": operator.and_,
        "|": operator.or_,
        "^": operator.xor,
    }
    return _made(type_id, results[sign](left, right)) if sign in results else None


def _fitted(number: Decimal) -> Decimal:
    """Rounded to what ``decimal`` holds: 96 bits, of which 28 digits at most are a fraction."""
    fitted = number
    for digits in (29, 28):
        fitted = Context(digits).plus(number)
        exponent = fitted.as_tuple().exponent
        if isinstance(exponent, int) and exponent < -28:
            fitted = number.quantize(Decimal(1).scaleb(-28), context=_WIDE)
        if int("".join(map(str, fitted.as_tuple().digits))) < 1 << 96:
            break
    return fitted


def _number(of: Constant) -> _Number | None:
    value = of.value
    if isinstance(value, bool) or value is None:
        return None
    if of.type_id == _CHAR and isinstance(value, str):
        return ord(value) if len(value) == 1 else None
    if of.type_id == _DECIMAL and isinstance(value, str):
        try:
            return Decimal(value)
        except InvalidOperation:
            return None
    return value if isinstance(value, (int, float)) else None


def _as(type_id: str, number: _Number) -> _Number:
    if type_id == _DECIMAL:
        return number if isinstance(number, Decimal) else Decimal(str(number))
    if type_id == _DOUBLE:
        return float(number)
    if type_id == _FLOAT:
        return _single(float(number))
    return number


def _single(number: float) -> float:
    try:
        single: float = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return number
    return single


def _made(type_id: str, number: _Number) -> Constant | None:
    if isinstance(number, Decimal):
        return Constant(type_id, format(number, "f"))
    if isinstance(number, float):
        if number != number or number in (float("inf"), float("-inf")):
            return None
        return Constant(type_id, _single(number) if type_id == _FLOAT else number)
    bounds = RANGES.get(type_id)
    if bounds is not None and not bounds[0] <= number <= bounds[1]:
        return None
    return Constant(type_id, number)


def _wrapped(type_id: str, number: int) -> Constant:
    least, greatest = RANGES[type_id]
    return Constant(type_id, (number - least) % (greatest - least + 1) + least)
