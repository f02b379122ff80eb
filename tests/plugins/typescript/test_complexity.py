"""How hard code of TypeScript is to follow, by hand-counted examples."""

from __future__ import annotations

import pytest

from codemap_core.hooks.contracts import AnalysisSettings, MeasuresComplexity
from codemap_plugins.typescript.front_end import TypeScriptFrontEnd

CASES = {
    "return 1;": (1, 0),
    "if (a) { }": (2, 1),
    "if (a) { } else { }": (2, 2),
    "if (a) { } else if (b) { } else { c ? 1 : 2; }": (4, 5),
    "for (const x of a) { if (x) { while (b) { } } }": (4, 6),
    "for (;;) { break; }": (2, 1),
    "out: for (;;) { do { continue out; } while (a); }": (3, 4),
    "switch (a) { case 1: case 2: break; default: }": (3, 1),
    "try { } catch { if (a) { } } finally { }": (3, 3),
    "return a && b && c;": (3, 1),
    "return a && b || c;": (3, 2),
    "a ??= b ?? c;": (3, 0),
    "return a?.b;": (1, 0),
    "const g = () => { if (a) { } };": (2, 2),
    "type T = U extends V ? 1 : 2;": (1, 0),
}


@pytest.mark.parametrize("body", CASES)
def test_a_function(body: str) -> None:
    assert measured(f"function f() {{ {body} }}") == [(1, 10, *CASES[body])]


def test_members_with_code_are_measured_each_once() -> None:
    source = """class C {
  p = a ? 1 : 2;
  q: string;
  get v() { return a || b; }
  set v(x) { if (x) { } }
  m(): void;
  m(x?: number): void { if (x) { class Inner { n() { while (x) { } } } } }
}
const Page = memo(() => { if (a) { } });
"""
    assert measured(source) == [(2, 3, 2, 1), (4, 7, 3, 2), (6, 3, 3, 4), (9, 7, 2, 2)]


def measured(source: str) -> list[tuple[int, int, int, int]]:
    front_end = TypeScriptFrontEnd()
    assert isinstance(front_end, MeasuresComplexity)
    unit = front_end.analyse(source.encode(), AnalysisSettings()).unit
    found = front_end.complexities(unit)
    return [(each.line, each.column, each.cyclomatic, each.cognitive) for each in found]
