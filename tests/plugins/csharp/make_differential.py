"""Makes what the differential test compares with: ``generated.cs`` and, for each file of programs, the compiler's answers.

    python tests/plugins/csharp/make_differential.py ANSWERS

``ANSWERS``: a command ``ANSWERS REPOSITORY OUT --refs net10 --lang VERSION`` that writes ``OUT/refs.jsonl``, a line for each
occurrence of a name: ``f``, ``l``, ``c`` (file, line, column), ``k`` (kind), ``s`` (``source``, ``external``, ``local``, or
what did not bind), ``t`` (target), ``ctor``. Statements of generated programs that do not compile are dropped; a
hand-written program that does not is refused.

``PROGRAMS.jsonl`` holds the answers of the newest version of C#, a row ``[line, column, kind, target]``, with a constructor
as the fifth. ``PROGRAMS.VERSION.jsonl`` holds what an earlier one answers instead: such rows, ``{"nothing": [line, column]}``
where no name is bound any more, and ``{"unjudged": [first, last]}`` for what does not compile in it: programs whose
``namespace`` line says ``// C# 13`` where that is later, lines with a name
that does not bind, and the whole of a program that is read in another way.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[3] / "testdata" / "differential"
GENERATED: Final = "generated.cs"
NEWEST: Final = "preview"
EARLIER: Final = ("12", "10", "7.3")
"""Versions of C# whose answers are kept where they differ from those of the newest."""
_SINCE: Final = re.compile(r"// C# ([\d.]+)$")
Answer = tuple[Any, ...]
"""Line, column, kind, target, constructor."""

_TYPES: Final = (
    "int",
    "long",
    "byte",
    "uint",
    "double",
    "decimal",
    "object",
    "string",
    "int?",
    "IComparable",
    "IEnumerable<int>",
    "int[]",
    "ReadOnlySpan<int>",
    "Func<int>",
    "Func<long>",
    "Action",
    "Delegate",
)
_ARGUMENTS: Final = (
    "1",
    "1L",
    "'c'",
    "1u",
    "1.5",
    "1m",
    "null",
    "default",
    '"s"',
    "b",
    "i",
    "n",
    "new[] { 1 }",
    "[1, 2]",
    "l",
    "o",
    "() => 1",
    "() => 1L",
    "() => { }",
    "() => throw new Exception()",
    "Number",
    "Nothing",
    "i > 0 ? 1 : 2L",
    "n ?? 1",
    '$"{i}"',
)
_HEAD: Final = (
    "static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)"
)

_SHAPES: Final = (
    "static T F<T>(T a, T b) => a;",
    "static T F<T>(IEnumerable<T> a, T b) => b;",
    "static U F<T, U>(T a, Func<T, U> b) => b(a);",
    "static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!;",
    "static T F<T>(T a, Action<T> b) => a;",
    "static T F<T>(Func<T> a, Func<T, T> b) => b(a());",
    "static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;",
    "static T F<T>(T? a, T b) where T : struct => b;",
    "static T F<T>(T[] a, params T[] b) => b[0];",
    "static (T, U) F<T, U>((T, U) a, U b) => a;",
    "static T F<T>(Task<T> a, Func<T, T> b) => a.Result;",
)
_CALLS: Final = (
    ("1", "2"),
    ("1", "2L"),
    ('"a"', "null"),
    ("i", "x => x.ToString()"),
    ("l", "3"),
    ("l", "x => x > 1"),
    ("s", "x => x.Length"),
    ('new[] { "a" }', '"b"'),
    ("() => s", "x => x.Trim()"),
    ("d", "x => x.Count > 1"),
    ("n", "5"),
    ("(1, s)", '"b"'),
    ("Task.FromResult(s)", "x => x + s"),
    ("s", "x => { x.Trim(); }"),
    ("l", "x => { return x; }"),
    ("s", "string.IsNullOrEmpty"),
    ("l", "int.Abs"),
)

_DECLARATIONS: Final = {
    "local": ("", 'string N = "";', ""),
    "parameter": ("", "", "string N"),
    "field": ('string N = "";', "", ""),
    "property": ('string N { get; set; } = "";', "", ""),
    "method": ('string N() => "";', "", ""),
    "nested type": ('class N { public static string Trim() => ""; public static int Length; }', "", ""),
    "constant": ('const string N = "c";', "", ""),
    "event": ('event Func<string> N = () => "";', "", ""),
    "local function": ("", 'string N() => "";', ""),
}
_USES: Final = (
    "N.Trim();",
    "N().Trim();",
    "_ = N.Length;",
    "this.N.Trim();",
    "this.N().Trim();",
    "_ = nameof(N);",
    "Func<string> f = N;",
    "Func<string, int> g = N => N.Length;",
    "new N();",
    "_ = new { N };",
    "if (N is { Length: 1 } q) q.Trim();",
    'N = "x";',
    'N += () => "";',
)

_TYPED: Final = (
    "class A { public A Me; public int I; } class B { } record R<T, U>(A X, int Y); record Q<T>(A X);",
    "class G<T, U> { public A V; public static A P; public static A S(object o) => null; public G() { } public G(A a, A b) { }",
    " public class N<W> { public A V; } }",
)
"""What the programs with type arguments have in common."""
_TYPED_HEAD: Final = (
    "static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;",
    "static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;",
    "static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;",
    "static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;",
    "static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)",
)
_TYPED_EXPRESSIONS: Final = (
    "F<A>(x)",
    "F<A, B>(x)",
    "F<A, B>(x).V.Me",
    "H<A>(x)(y)",
    "H<A>(x.Me)(y).Me",
    "H<A, B>(x)(y)(x.Me)",
    "G<A, B>.S(x)",
    "G<A, B>.P.Me",
    "new G<A, B>(x, y)",
    "new G<A, B>(x, y).V",
    "new G<A, B> { V = x }",
    "new G<A, B>[] { null }.Length",
    "F<(A a, B b)>(x).Me",
    "F<G<A, G<A, B>>, A[]>(x).V",
    "o as G<A, B>",
    "(G<A, B>)o",
    "F<A, B>(x) ?? new G<A, B>()",
    "new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }",
    "o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }",
)
_TYPED_TESTS: Final = (
    "o is G<A, B>",
    "o is G<A, B> v && v.V.I < n",
    "o is not G<A, B> v || v.V == x",
    "o is G<A, B>.N<A> v && v.V == x",
    "o is R<A, B>(var p, > 1) && p.I < n",
    "o is Q<A>(var p) && p.I < n",
    "o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n",
    "o is (G<A, B> v, 1) && v.V.I < n",
    "z is [G<A, B> v, ..] && v.V.I < n",
    "n < m && m > (n)",
    "I<A>(x) < I<B>(y)",
    "-I<A>(x) < n",
)
_TYPED_PLACES: Final = (
    "Ob = {};",
    "Is({}, 1);",
    "Is(1, {});",
    "Is(o: {}, p: F<A, B>(y));",
    "L(a => {}, n);",
    "L(a => { return {}; });",
    "Ob = b ? {} : null;",
    "Is(b ? null : {}, F<A, B>(y));",
    "Ob = new object[] { {}, F<A, B>(y) };",
    "Ob = (({}), n);",
    "(object, object) t = ({}, F<A, B>(y));",
    "List<object> c = [{}, F<A, B>(y)];",
    'Ob = $"{({})}";',
    "Ob = z[Is({}, F<A, B>(y)) ? 0 : 1];",
    "Ob = Is({}, await Task.FromResult(F<A, B>(y)));",
    "Ob = from i in z let j = (object)({}) where Is(j, F<A, B>(y)) select j;",
)
_TESTED_PLACES: Final = (
    "if ({}) { }",
    "while (b && ({})) { }",
    "Is({}, 1);",
    "Is(b && ({}), F<A, B>(y));",
    "P(a => {}, n);",
    "Ob = {} ? x : null;",
    "Is({} ? x : null, F<A, B>(y));",
    "Ob = new[] { {}, b };",
    "Ob = ({}, F<A, B>(y));",
    "bool Local() => {};",
)


def generate() -> Iterator[str]:
    """Lines of the generated programs, a statement a line."""
    yield "// Made by make_differential.py: pairs of overloads, shapes of inference, ways to hide a name, places of type arguments."
    number = itertools.count(1)
    for first, second in itertools.combinations(_TYPES, 2):
        yield from _program(
            f"Generated.Pair{next(number)}",
            [f"static void M({first} x) {{ }} static void M({second} x) {{ }}", _HEAD],
            [f"M({argument});" for argument in _ARGUMENTS],
        )
    for first, second in itertools.combinations(_SHAPES, 2):
        head = "static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)"
        calls = [f"F({a}, {b}).ToString();" for a, b in _CALLS]
        yield from _program(f"Generated.Shapes{next(number)}", [f"{first} {second}", head], calls)
    for (outer, (member, _, _)), (inner, (own, local, parameter)) in itertools.product(
        _DECLARATIONS.items(), _DECLARATIONS.items()
    ):
        if not member:
            continue
        # What the compiler binds although it is an error: `this.N` for a type, another value for an event.
        banned: tuple[str, ...] = ("this.N",) if "nested type" in (outer, inner) else ()
        banned += ("N()",) if (outer, inner) == ("method", "nested type") else ()
        banned += ('N = "x"',) if "event" in (outer, inner) else ()
        uses = [use for use in _USES if not use.startswith(banned)]
        name = f"Generated.Hiding_{outer}_{inner}".replace(" ", "_")
        base = "class A { protected " + member + " }"
        yield from _program(name, [f"new {own}" if own else "", f"void Use({parameter})"], [local, *uses], base, ": A")
    yield from _typed()


def _typed() -> Iterator[str]:
    """Type arguments beside commas and comparisons (ECMA-334 §6.2.5), each expression in each place."""
    yield "namespace Generated.Typed { " + "".join(_TYPED) + " }"
    number = itertools.count(1)
    for places, expressions in ((_TYPED_PLACES, _TYPED_EXPRESSIONS), (_TESTED_PLACES, _TYPED_TESTS)):
        for place in places:
            statements = ["{ " + place.replace("{}", expression, 1) + " }" for expression in expressions]
            yield from _program(
                f"Generated.Typed.Place{next(number)}", ["".join(_TYPED_HEAD)], [*statements, "return o;"]
            )


def _program(name: str, members: list[str], statements: list[str], before: str = "", bases: str = "") -> Iterator[str]:
    yield ""
    yield f"namespace {name}"
    yield "{"
    if before:
        yield f"    {before}"
    yield f"    class C {bases}".rstrip()
    yield "    {"
    for member in members:
        if member:
            yield f"        {member}"
    yield "        {"
    for statement in statements:
        if statement:
            yield (
                f"            {{ {statement} }}" if not statement.startswith("string N") else f"            {statement}"
            )
    yield "        }"
    yield "    }"
    yield "}"


def answers(command: str, version: str = NEWEST) -> list[dict[str, Any]]:
    """What the compiler says of every program."""
    with tempfile.TemporaryDirectory() as scratch:
        repository, out = Path(scratch) / "programs", Path(scratch) / "out"
        shutil.copytree(FOLDER, repository, ignore=shutil.ignore_patterns("*.jsonl", "*.txt", "*.md"))
        options = ("--refs", "net10", "--lang", version)
        subprocess.run([command, str(repository), str(out), *options], check=True, capture_output=True)
        return [json.loads(line) for line in (out / "refs.jsonl").read_text(encoding="utf-8").splitlines()]


def unbound(rows: list[dict[str, Any]]) -> set[tuple[str, int]]:
    return {(row["f"], row["l"]) for row in rows if row["s"] not in ("source", "external", "local")}


def kept(rows: list[dict[str, Any]], file: str) -> set[Answer]:
    """The answers that count. A type parameter that is created has no id."""
    return {
        (row["l"], row["c"], row["k"], row["t"], row.get("ctor", ""))
        for row in rows
        if row["f"] == file
        and row["s"] in ("source", "external")
        and row["k"] != "import"
        and not row["t"].startswith("!:")
    }


def write(path: Path, rows: list[Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def places(rows: list[dict[str, Any]], file: str, lines: set[int]) -> set[tuple[int, int]]:
    """Where the compiler sees a name, in some lines of a file."""
    return {(row["l"], row["c"]) for row in rows if row["f"] == file and row["l"] in lines}


def changes(
    version: str, file: str, newest: set[Answer], rows: list[dict[str, Any]], earlier: list[dict[str, Any]]
) -> list[Any]:
    """What an earlier version answers instead, as the module says."""
    text = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(text, 1) if line.startswith("namespace ")]
    spans = [(start, end - 1) for start, end in zip(starts, [*starts[1:], len(text) + 1], strict=True)]
    lines = {line for found, line in unbound(earlier) if found == file}
    then = kept(earlier, file)
    changed: list[Any] = []
    for first, last in spans:
        since = _SINCE.search(text[first - 1])
        if since is not None and float(since[1]) > float(version):
            changed.append({"unjudged": [first, last]})
            continue
        judged = {line for line in range(first, last + 1) if line not in lines}
        if places(rows, file, judged) - places(earlier, file, judged):
            changed.append({"unjudged": [first, last]})
            continue
        changed.extend({"unjudged": [line, line]} for line in sorted(lines) if first <= line <= last)
        before = {row for row in newest if row[0] in judged}
        after = {row for row in then if row[0] in judged}
        differing = {row[:2] for row in before ^ after}
        rewritten = sorted(row for row in after if row[:2] in differing)
        changed.extend(list(row) if row[4] else list(row[:4]) for row in rewritten)
        changed.extend({"nothing": list(place)} for place in sorted(differing - {row[:2] for row in rewritten}))
    return changed


def main(command: str) -> int:
    path = FOLDER / GENERATED
    lines = list(generate())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for _ in range(6):
        rows = answers(command)
        dropped = {line for file, line in unbound(rows) if file == GENERATED}
        if not dropped:
            break
        lines = [text for number, text in enumerate(lines, 1) if number not in dropped]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    broken = sorted(unbound(rows))
    for file, line in broken:
        sys.stderr.write(f"{file}:{line}: the compiler does not bind every name here\n")
    newest = {program.name: kept(rows, program.name) for program in sorted(FOLDER.glob("*.cs"))}
    for name, found in newest.items():
        write((FOLDER / name).with_suffix(".jsonl"), [list(row) if row[4] else list(row[:4]) for row in sorted(found)])
    for version in EARLIER:
        earlier = answers(command, version)
        for name, found in newest.items():
            write((FOLDER / name).with_suffix(f".{version}.jsonl"), changes(version, name, found, rows, earlier))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
