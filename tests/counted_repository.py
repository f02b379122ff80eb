"""A repository in which things occur not at all, once and twice, and a check that sentences about them agree with their counts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.clone import Clone

NOUNS: Final = (
    *(
        "argument",
        "callee",
        "caller",
        "call",
        "declaration",
        "derived type",
        "fact",
        "file",
        "hit",
        "implementation",
        "index",
    ),
    *(
        "level",
        "line",
        "link",
        "match",
        "member",
        "method",
        "name",
        "occurrence",
        "overload",
        "override",
        "part",
        "place",
    ),
    *("project", "reference", "symbol"),
)
_PLURALS: Final = {"index": "indexes", "match": "matches"}
_SOURCE: Final = """
namespace Counted;

public interface INone { }
public interface IOne { }
public interface ITwo { }
public class First : IOne, ITwo { }
public class Second : ITwo { }

public static class Calls
{
    public static void None() { }
    public static void One() { None2(); }
    public static void Two() { None2(); None3(); }
    public static void None2() { }
    public static void None3() { }
}

public static class Called
{
    public static void None() { }
    public static void One() { }
    public static void Two() { }
}

public class MembersNone { }
public class MembersOne { public void A() { } }
public class MembersTwo { public void A() { } public void B() { } }

public static class Users
{
    public static void A() { Called.One(); Called.Two(); } // once twice
    public static void B() { Called.Two(); } // twice
}
"""


_UNUSED: Final = {
    "None": "internal static class UnusedNone { }",
    "One": "internal static class UnusedOne { private static void A() { } }",
    "Two": "internal static class UnusedTwo { private static void A() { } private static void B() { } }",
}


_THROWS: Final = """
namespace Counted;

public class OneException : System.Exception { }
public class TwoException : System.Exception { }

public static class Throws
{
    public static void A() { throw new OneException(); }
    public static void B() { throw new TwoException(); }
    public static void C() { throw new TwoException(); }
}
"""


def create(root: Path) -> Clone:
    clone = Clone(root)
    unused = {f"P/Unused{count}.cs": f"namespace Counted;\n{source}\n" for count, source in _UNUSED.items()}
    project = {
        "P/P.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>',
        "P/Counted.cs": _SOURCE,
        "P/Throws.cs": _THROWS,
    }
    clone.commit({**project, **unused})
    return clone


def disagreements(text: str) -> list[str]:
    """Counts beside a noun of the wrong number: ``1 files``, ``2 file``, ``0 file``."""
    plurals = "|".join(_PLURALS.get(noun, f"{noun}s") for noun in NOUNS)
    singulars = "|".join(NOUNS)
    between = r"(?:more |other |unresolved |analysed |direct )*"
    one = re.findall(rf"(?<![\d.,:])1 {between}(?:{plurals})\b", text)
    several = re.findall(rf"(?<![\d.,:])(?:0|[2-9]|\d[\d,]+) {between}(?:{singulars})\b(?! (?:list|row|table))", text)
    return [*one, *several]
