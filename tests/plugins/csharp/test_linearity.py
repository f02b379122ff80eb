"""Binding takes time in proportion to the text: each shape at one size and at twice that size, as a ratio in one run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.testing.source_index import index_sources

_MOST: Final = 3.2
"""Twice the text may take this many times as long: two, and noise. A quadratic shape takes four."""
_PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>
<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>"""


def fluent_chain(size: int) -> str:
    links = ".".join(f"Add({n}).With(x => x + {n})" for n in range(size // 2))
    return f"class B {{ public B Add(int i) => this; public B With(System.Func<int, int> f) => this; void M(B b) {{ b.{links}; }} }}"


def sequence_chain(size: int) -> str:
    links = ".".join("Select(x => x + 1).Where(x => x > 1)" for _ in range(size // 2))
    return f"class C {{ void M(List<int> l) {{ l.{links}.ToList(); }} }}"


def long_method(size: int) -> str:
    body = "\n".join(f"var v{n} = Get({n}); total += v{n}.Length + Count(v{n}, {n});" for n in range(size))
    return (
        "class C { string Get(int i) => i.ToString(); int Count(string s, int i) => i; int Count(object o, long i) => 1;"
        f" void M() {{ int total = 0;\n{body} }} }}"
    )


def nested_lambdas(size: int) -> str:
    return (
        "class C { static T F<T>(System.Func<T> f) => f(); static T F<T>(System.Func<int, T> f) => f(1);"
        f" int M() => {'F(() => ' * size}1{')' * size}; }}"
    )


def nested_selects(size: int) -> str:
    opening = "".join(f"l.Select(x{n} => " for n in range(size))
    return f"class C {{ void M(List<int> l) {{ var r = {opening}1{').First()' * size}; }} }}"


def nested_queries(size: int) -> str:
    opening = "".join(f"from x{n} in l let y{n} = x{n} where x{n} > 0 select (" for n in range(size))
    return f"class C {{ void M(List<int> l) {{ var r = {opening}1{')' * size}; }} }}"


def overloads(size: int) -> str:
    declared = "\n".join(f"void M(T{n} a, int b) {{ }} class T{n} {{ }}" for n in range(size))
    return f"class C {{ {declared} void Use() {{ M(new T1(), 1); M(new T{size - 1}(), 2); M(null!, 3); }} }}"


def members(size: int) -> str:
    declared = "\n".join(f"int f{n}; int P{n} => f{n} + this.f{n};" for n in range(size))
    return f"class C {{ {declared} }}"


def initialiser(size: int) -> str:
    elements = ",\n".join(f"new B {{ V = {n} }}" for n in range(size))
    return f"class B {{ public int V {{ get; set; }} }} class C {{ B[] All = {{ {elements} }}; }}"


def inheritance(size: int) -> str:
    classes = "\n".join(f"class D{n} : D{n - 1} {{ void M{n}() {{ Root(); V++; }} }}" for n in range(1, size))
    return f"class D0 {{ protected void Root() {{ }} protected int V; }} {classes}"


def concatenation(size: int) -> str:
    declared = " ".join(f'static string P{n} => "";' for n in range(9))
    terms = " + ".join(f"P{n % 9}" for n in range(size))
    return f"class C {{ string S = {terms}; {declared} }}"


def left_out(size: int) -> str:
    declared = "\n".join(
        f"#if A\nint F{n}() => G{n}();\n#else\nint F{n}() => 1;\n#endif\nint G{n}() => F{n}();" for n in range(size)
    )
    return f"class C {{\n{declared}\n}}"


_SHAPES: Final[tuple[tuple[Callable[[int], str], int], ...]] = (
    (fluent_chain, 250),
    (sequence_chain, 125),
    (long_method, 1500),
    (nested_lambdas, 100),
    (nested_selects, 100),
    (nested_queries, 50),
    (overloads, 1000),
    (members, 2500),
    (initialiser, 5000),
    (inheritance, 25),
    (concatenation, 1000),
    (left_out, 1000),
)


@pytest.mark.parametrize(("shape", "size"), _SHAPES, ids=[shape.__name__ for shape, _ in _SHAPES])
def test_twice_the_text_takes_about_twice_as_long(shape: Callable[[int], str], size: int) -> None:
    _seconds(shape(4))
    small = min(_seconds(shape(size)) for _ in range(2))
    large = _seconds(shape(2 * size))
    # What an empty run takes counts on both sides.
    assert large < _MOST * small + 0.1


def _seconds(text: str) -> float:
    host = load_plugins()
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        index = index_sources({"C.cs": text, "P.csproj": _PROJECT}, host)
        taken = time.process_time() - start
    finally:
        gc.enable()
    assert index.references
    return taken
