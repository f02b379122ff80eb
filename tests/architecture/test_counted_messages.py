"""Every counted message of the sources, rendered for nothing, one and two: singular, plural and verb agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from codemap_core.model.counting import counted
from tests.counted_repository import NOUNS

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = sorted(ROOT.glob("codemap_*/**/*.py"))
IRREGULAR: Final = re.compile(r"(?:s|x|ch|sh|[^aeiou]y)$")
"""Words that do not get an s alone."""
VERB: Final = re.compile(r" (?:has|have|is|are|was|were|does|do)\b")
PLURALS: Final = re.compile(rf" (?:{'|'.join(f'{noun}s' for noun in NOUNS)}|matches|indexes)\b")


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls of ``counted``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "counted":
            yield node


def followed(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Values in f-strings with the text right behind them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for value, text in zip(node.values, node.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(text, ast.Constant):
                    yield value.value, str(text.value)


def nouns(call: ast.Call) -> tuple[str, str] | None:
    """Singular and plural; null where they are not written there."""
    words = [each.value for each in call.args[1:] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return (words[0], words[1] if len(words) > 1 else "") if len(words) == len(call.args) - 1 else None


def problems(source: str) -> list[str]:
    found = []
    tree = ast.parse(source)
    for call in calls(tree):
        written = nouns(call)
        if written is None:
            continue
        singular, plural = written
        said = [counted(count, singular, plural) for count in (0, 1, 2)]
        if said[0][2:] != said[2][2:] or said[1][2:] == said[2][2:]:
            found.append(f"{said}: one has the form of several")
        if not plural and IRREGULAR.search(singular):
            found.append(f"{said}: the plural is irregular")
    for value, text in followed(tree):
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "counted":
            if VERB.match(text):
                found.append(f"{ast.unparse(value)}{text}: the verb does not agree with one and with two")
        elif isinstance(value, ast.Call) and ast.unparse(value.func) == "len" and PLURALS.match(text):
            found.append(f"{ast.unparse(value)}{text}: not counted()")
    return found


@pytest.mark.parametrize(
    "source",
    [
        "counted(n, 'match')",
        "counted(n, 'property')",
        "counted(n, 'sheep', 'sheep')",
        "f'{counted(n, \"file\")} has errors'",
        "f'{len(found)} files'",
    ],
)
def test_the_check_can_fail(source: str) -> None:
    assert problems(source)


def test_every_counted_message_agrees() -> None:
    read = [path.read_text(encoding="utf-8") for path in SOURCES]
    assert sum(len(list(calls(ast.parse(source)))) for source in read) > 100
    said = {path.relative_to(ROOT).as_posix(): problems(source) for path, source in zip(SOURCES, read, strict=True)}
    assert {path: each for path, each in said.items() if each} == {}
