"""Cyclomatic and cognitive complexity of members, by hand-counted examples."""

from __future__ import annotations

import pytest

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_plugins.csharp.front_end import CSharpFrontEnd


@pytest.mark.parametrize(
    ("body", "cyclomatic", "cognitive"),
    [
        ("{ }", 1, 0),
        ("=> 1;", 1, 0),
        ("{ if (a) { } }", 2, 1),
        ("{ if (a) { } else if (b) { } else { } }", 3, 3),
        ("{ if (a) { if (b) { } } }", 3, 3),
        ("{ if (a && b && c) { } }", 4, 2),
        ("{ if (a && b || c && d) { } }", 5, 4),
        ("{ foreach (var x in y) { while (a) { } } }", 3, 3),
        ("{ for (;;) { } do { } while (a); }", 3, 2),
        ("{ try { } catch (E e) when (e.X) { } catch { } finally { } }", 4, 2),
        ("{ switch (x) { case 1: break; case 2 when b: break; default: break; } }", 4, 1),
        ("=> x switch { 1 => 2, > 3 and < 5 => 3, _ => 4 };", 4, 2),
        ("=> a ? 1 : b ? 2 : 3;", 3, 3),
        ("=> a ?? b ?? c;", 3, 0),
        ("{ a ??= b; }", 2, 0),
        ("{ var f = () => { if (a) { } }; }", 2, 2),
        ("{ void G() { if (a) { } } }", 2, 2),
    ],
)
def test_of_a_method(body: str, cyclomatic: int, cognitive: int) -> None:
    front_end = CSharpFrontEnd()
    unit = front_end.analyse(f"class C\n{{\n  int M() {body}\n}}\n".encode(), AnalysisSettings()).unit
    (member,) = front_end.complexities(unit)
    assert (member.line, member.column) == (3, 7)
    assert (member.cyclomatic, member.cognitive) == (cyclomatic, cognitive)


def test_members_without_code_are_not_measured() -> None:
    front_end = CSharpFrontEnd()
    source = (
        b"abstract class C { abstract void M(); int P { get; set; } int F; int G = a ? 1 : 2; "
        b"int Q { get { if (a) { } return 1; } set { if (b) { } } } }"
    )
    found = front_end.complexities(front_end.analyse(source, AnalysisSettings()).unit)
    assert [(each.column, each.cyclomatic) for each in found] == [
        (source.index(b"G") + 1, 2),
        (source.index(b"Q") + 1, 3),
    ]
