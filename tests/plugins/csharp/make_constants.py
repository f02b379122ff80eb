"""Makes ``testdata/constants/expressions.jsonl``: expressions, and what they are worth where the compiler folds them.

    python tests/plugins/csharp/make_constants.py ANSWERS

``ANSWERS`` is the command that ``make_differential.py`` takes. A compiler that tells only what names mean tells constants by
them: ``Equal(e == 42 ? 0 : 1)`` means ``Equal(Kind)`` exactly where ``e`` is constant and 42, since a constant 0, and
nothing else of its type, converts to an enum (ECMA-334 §10.2.4), and of ``Typed(e)`` the overload is the one of its type.
A row is ``[expression, type, value]``, with a null type for what is not constant; it is kept where the compiler agrees, and printed
where it does not: expressions of which most do not compile, and those that ``test_constants.py`` lists.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
from codemap_core.hooks.interests import Interests
from codemap_core.model import ProjectGraph
from codemap_core.model.bound import Constant
from codemap_plugins.csharp.front_end import CSharpFrontEnd

FILE: Final = Path(__file__).parents[3] / "testdata" / "constants" / "expressions.jsonl"
DECLARED: Final = """\
enum Kind { None, First, Second = 7, Last = -1 }
enum Small : byte { Zero, One, Top = 255 }
static class K {
    public const int Size = 40 + 2; public const string Name = "k" + nameof(Size); public const char Mark = '#';
    public const long Far = Size * 1_000_000_000L; public const double Half = 1 / 2.0; public const decimal Price = 9.90m;
    public const Kind Usual = Kind.Second; public const bool On = Size > 3; public const byte Bits = 0b1010_0101;
    public const string Nothing = null; public const float Third = 1f / 3; public static readonly int Late = 3;
}
"""
_LEAVES: Final = [
    "0",
    "1",
    "-7",
    "2147483647",
    "-2147483648",
    "0xFF",
    "3u",
    "4294967295u",
    "5L",
    "9UL",
    "1.5f",
    "2.5",
    "1e3",
    "0.1m",
    "1.10m",
    "'a'",
    "'\\n'",
    '"ab"',
    '@"c\\d"',
    '$"e{K.Name}"',
    "true",
    "false",
    "K.Size",
    "K.Name",
    "K.Mark",
    "K.Far",
    "K.Half",
    "K.Price",
    "K.Usual",
    "K.On",
    "K.Bits",
    "K.Nothing",
    "K.Third",
    "K.Late",
    "Kind.First",
    "Kind.Last",
    "Small.Top",
    "Small.Zero",
    "nameof(K.Size)",
    "sizeof(int)",
    "sizeof(Kind)",
    "default(int)",
    "default(Kind)",
    "default(string)",
    "int.MaxValue",
    "byte.MaxValue",
    "long.MinValue",
    "(byte)200",
    "(sbyte)-3",
    "(short)7",
    "(char)98",
    "(Kind)2",
]
_BINARY: Final = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    ">>>",
    "&",
    "|",
    "^",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "??",
]
_UNARY: Final = (
    "-",
    "+",
    "~",
    "!",
    "(int)",
    "(byte)",
    "(long)",
    "(ulong)",
    "(char)",
    "(double)",
    "(float)",
    "(decimal)",
    "(Kind)",
    "(Small)",
)
_TYPES: Final = {
    "sbyte": "SByte", "byte": "Byte", "short": "Int16", "ushort": "UInt16", "int": "Int32", "uint": "UInt32", "long": "Int64",
    "ulong": "UInt64", "char": "Char", "float": "Single", "double": "Double", "decimal": "Decimal", "bool": "Boolean", "string": "String",
}  # fmt: skip
_KEYWORDS: Final = {f"T:System.{name}": keyword for keyword, name in _TYPES.items()}
_INTEGRAL: Final = frozenset(
    f"T:System.{_TYPES[each]}" for each in ["sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong"]
)


def expressions(seed: int = 11, sampled: int = 2400) -> list[str]:
    """Every leaf with every unary operator, and a sample of pairs and of nested expressions."""
    chosen = random.Random(seed)
    unary = [f"{sign}({leaf})" for sign in _UNARY for leaf in _LEAVES]
    pairs = [f"{a} {sign} {b}" for a, sign, b in itertools.product(_LEAVES, _BINARY, _LEAVES)]
    picked = chosen.sample(pairs, sampled)
    nested = [f"({a}) {chosen.choice(_BINARY)} ({b})" for a, b in zip(picked, chosen.sample(unary, 600), strict=False)]
    others = [f"({a}) ? {b} : {c}" for a, b, c in zip(picked[600:], _LEAVES * 8, _LEAVES[3:] * 9, strict=False)][:300]
    wrapped = [f"unchecked({each})" for each in chosen.sample(unary, 150)]
    return list(dict.fromkeys([*_LEAVES, *unary, *picked, *nested, *others, *wrapped]))


def folded(given: Sequence[str]) -> list[Constant | None]:
    """What we make of them: the constants of the arguments of as many calls."""
    calls = "\n".join(f"        Take({each});" for each in given)
    source = f"{DECLARED}class C {{\n    void Take(object it) {{ }}\n    void All() {{\n{calls}\n    }}\n}}\n"
    front_end, key = CSharpFrontEnd(), UnitKey("", "constants.cs")
    unit = front_end.analyse(source.encode(), AnalysisSettings()).unit
    document = front_end.declare(Universe(ProjectGraph(()), {key: unit})).binding.bind(
        key, Interests(invocations=("Take",))
    )
    first = source[: source.index("        Take(")].count("\n") + 1
    by_line = {event.line - first: event for event in document.events}
    return [by_line[index].arguments[0].value.constant for index in range(len(given))]


def literal(constant: Constant) -> str | None:
    """A constant as C# writes it; null for what no literal is equal to."""
    kind, worth = constant.type_id, constant.value
    if worth is None:
        return "null"
    if kind == "T:System.String":
        return '"' + "".join(f"\\u{ord(each):04x}" for each in str(worth)) + '"'
    if kind == "T:System.Char":
        return f"'\\u{ord(str(worth)):04x}'"
    if kind == "T:System.Boolean":
        return "true" if worth else "false"
    if kind == "T:System.Decimal":
        return f"({worth}m)"
    if kind in ("T:System.Double", "T:System.Single"):
        number = float(worth)
        return f"(({_KEYWORDS[kind]})({number!r}d))" if math.isfinite(number) else None
    if not isinstance(worth, int):
        return "no value of this type"
    suffix = "UL" if int(worth) > 2**63 - 1 else "L" if abs(int(worth)) >= 2**31 else ""
    if kind in _INTEGRAL:
        return f"({worth}{suffix})"
    return f"(({kind.removeprefix('T:')})({worth}{suffix}))"


def judged(command: str, given: Sequence[str], ours: Sequence[Constant | None]) -> list[bool | None]:
    """Whether the compiler agrees, one by one; null for what does not compile."""
    lines = []
    for each, constant in zip(given, ours, strict=True):
        wanted = literal(constant) if constant is not None else f"({each})"
        lines.append(f"        Equal((({each}) == {wanted or f'({each})'}) ? 0 : 1); Typed({each});")
    typed = "".join(f"    void Typed({name} it) {{ }}\n" for name in (*_TYPES, "Kind", "Small", "object"))
    head = f"{DECLARED}class C {{\n    void Equal(Kind it) {{ }}\n    void Equal(object it) {{ }}\n{typed}    void All() {{\n"
    with tempfile.TemporaryDirectory() as folder:
        repository, out = Path(folder) / "repository", Path(folder) / "out"
        repository.mkdir()
        (repository / "constants.cs").write_text(head + "\n".join(lines) + "\n    }\n}\n", encoding="utf-8")
        (repository / "constants.csproj").write_text('<Project Sdk="Microsoft.NET.Sdk"></Project>', encoding="utf-8")
        subprocess.run([*command.split(), str(repository), str(out)], check=True, capture_output=True)
        rows: list[dict[str, Any]] = [json.loads(each) for each in (out / "refs.jsonl").open(encoding="utf-8")]
    first = head.count("\n") + 1
    targets = {(row["l"] - first, row["n"]): row.get("t") for row in rows if row["k"] == "call"}
    verdicts: list[bool | None] = []
    for index, constant in enumerate(ours):
        if targets.get((index, "Typed")) is None or targets.get((index, "Equal")) is None:
            verdicts.append(None)
            continue
        is_equal = targets.get((index, "Equal")) == "M:C.Equal(Kind)"
        if constant is None or literal(constant) is None:
            verdicts.append(not is_equal)
            continue
        wanted = constant.type_id.removeprefix("T:") or "System.String"
        verdicts.append(is_equal and targets.get((index, "Typed")) == f"M:C.Typed({wanted})")
    return verdicts


def main() -> None:
    given = expressions()
    ours = folded(given)
    rows = []
    for each, constant, agrees in zip(given, ours, judged(sys.argv[1], given, ours), strict=True):
        row = [each, constant.type_id, constant.value] if constant is not None else [each, None, None]
        if agrees:
            rows.append(row)
        elif agrees is not None:
            print("differs:", json.dumps(row, ensure_ascii=False))  # noqa: T201
    FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
