"""Constant expressions are worth what the compiler says, each of some two thousand (``make_constants.py`` asks it)."""

from __future__ import annotations

import json

import pytest

from codemap_core.model.bound import Constant
from tests.plugins.csharp.make_constants import FILE, folded


def test_constants_are_folded_as_the_compiler_folds_them() -> None:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 1_500
    given = [row[0] for row in rows]
    for (expression, type_id, worth), constant in zip(rows, folded(given), strict=True):
        expected = None if type_id is None else Constant(type_id, worth)
        assert constant == expected, expression


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # ECMA-334 §12.10.4: the remainder has the sign of the dividend.
        ("-7 % 2.5", Constant("T:System.Double", -2.0)),
        # §12.9.5, §10.3.3: of an enum in its underlying type.
        ("~Small.Top", Constant("T:Small", 0)),
        ("(Small)2.5", Constant("T:Small", 2)),
        ("(Small)256", None),
        # §12.10.6: the difference of two members has the underlying type, as has what is subtracted from zero.
        ("Small.Top - Small.One", Constant("T:System.Byte", 254)),
        ("0 - Kind.Last", Constant("T:System.Int32", 1)),
        ("Small.Top - 255", Constant("T:Small", 0)),
        # §12.10.5: a sum is computed in it, and may overflow.
        ("Small.Top + 1", None),
        # §23.6.9: an enum is as large as it.
        ("sizeof(Small)", Constant("T:System.Int32", 1)),
        # §12.23: both operands are constant or the whole is not.
        ("true ? 3 : K.Late", None),
        # §12.18: the type of both operands.
        ("K.On ? 1 : 1.5f", Constant("T:System.Single", 1.0)),
        # §12.8.20: an unchecked conversion keeps the low bits.
        ("unchecked((byte)int.MaxValue)", Constant("T:System.Byte", 255)),
        # §12.4.7.3: uint beside short is long; beside an int constant that is not negative it stays uint.
        ("(short)7 * 4294967295u", Constant("T:System.Int64", 30064771065)),
        ("1 * 4294967295u", Constant("T:System.UInt32", 4294967295)),
        # §8.3.8: decimal keeps 28 or 29 digits; of a float 7 are certain.
        ("42 / 1.10m", Constant("T:System.Decimal", "38.181818181818181818181818182")),
        ("(decimal)(1f / 3)", Constant("T:System.Decimal", "0.3333333")),
        ("(int)default(string)", None),
        # §12.23: a character beside a string is converted to object; null beside one is not.
        ("'a' + \"ab\"", None),
        ("\"ab\" + 'a'", None),
        ('"ab" + null', Constant("T:System.String", "ab")),
    ],
)
def test_rules_that_fold_otherwise_than_arithmetic_at_large(expression: str, expected: Constant | None) -> None:
    assert folded([expression]) == [expected]
