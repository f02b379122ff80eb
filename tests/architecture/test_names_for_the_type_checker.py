"""What is imported under ``TYPE_CHECKING`` alone is not there when the program runs: it may stand in annotations, which are not evaluated,
and nowhere else. No checker that we run finds such a use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("codemap_core", "codemap_plugins", "codemap_server")
IMPORTS = (ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, IMPORTS):
            yield from ((each.asname or each.name).partition(".")[0] for each in node.names)


def is_for_the_checker(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def evaluated(node: ast.AST, absent: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Lines and names of ``absent`` that are evaluated in ``node`` when it runs."""
    if is_for_the_checker(node):
        return
    if isinstance(node, ast.Name):
        if node.id in absent:
            yield node.lineno, node.id
        return
    parts: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, FUNCTIONS):
        absent -= {*imported(node), *(each.arg for each in ast.walk(node) if isinstance(each, ast.arg))}
        defaults = (*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None))
        parts = [*node.decorator_list, *defaults, *node.body]
    elif isinstance(node, ast.AnnAssign):
        parts = [] if node.value is None else [node.value]
    for each in parts:
        yield from evaluated(each, absent)


def found_in(source: str) -> list[tuple[int, str]]:
    tree = ast.parse(source)
    absent = frozenset(name for node in tree.body if is_for_the_checker(node) for name in imported(node))
    return list(evaluated(tree, absent)) if absent else []


def test_no_name_is_used_that_only_the_type_checker_has() -> None:
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    used = {str(path.relative_to(ROOT)): found for path in files if (found := found_in(path.read_text("utf-8")))}
    assert used == {}


HEAD = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import A\n"


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("def f(a: A) -> A: ...", 0),
        ("def f(a):\n    b: A = a\n    return b", 0),
        ("def f(a):\n    from a import A\n    return isinstance(a, A)", 0),
        ("def f(a):\n    return isinstance(a, A)", 1),
        ("def f(a=A): ...", 1),
        ("class B(A): ...", 1),
    ],
)
def test_a_use_is_found(code: str, count: int) -> None:
    assert len(found_in(HEAD + code)) == count
