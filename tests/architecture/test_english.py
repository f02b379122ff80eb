"""Phrases over which a native reader stumbles occur neither in docstrings, nor in messages, nor in the documentation.

Each pattern is wrong wherever it matches. A new one is added when such a phrase is found, with the phrase that replaces it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.architecture.test_conventions import ROOT, modules

STUMBLING: Final = {
    r"(?<!here )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|better\b|different\b)\w+": "is not a …, does not …",
    r"\bso many\b(?! (?:\w+ )?that\b)": "N, a number of, the first N",
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r"\banother (?:one )?than\b|\bother than that of\b": "different from",
    r"\bof (?:a library|libraries) too\b": "including those of libraries",
    r"\bat first sight\b": "before any tuning",
    r"\blook(?:s|ed|ing)? after\b": "take care of, handle",
    r"\b(?:begins?|starts?|ends?|spelt|spelled|written|named) so\b": "that way, with the prefix",
    r"\banew\b": "again, afresh",
    r"\bbut for\b": "except for",
    r"\bfor ever\b": "forever",
    r"\bmuch used\b": "widely used",
    r"\bof equals\b": "among equal ones",
    r"\bthe standing of\b": "the status of",
    r"\bhas (?:about )?[\d,.]+ [KMG]i?B\b": "is … large",
    r"\b[Aa] (?!one\b|once\b|eu|uni(?!n|m)|us(?:e|a|u))[aeio][a-z]+": "an",
    r"\b[Aa]n [bcdfgjkpqtvwz][a-z]+": "a",
    r"\b(?:informations|advices|datas|softwares)\b": "the uncountable noun",
    r"\b(?:allows?|permits?|enables?) to\b": "lets … do, makes it possible to",
    r"\binside of\b|\boutside of\b": "inside, outside",
    r"\bmakes? (?:\w+ ){0,2}be \w+ed\b": "cause … to be",
    r"\bout of interest\b|\bof interest for\b": "relevant to",
    r"\bdepend(?:s|ing)? from\b": "depend on",
    r"\bconsist(?:s|ing)? from\b": "consist of",
    r"\bsince \d+ (?:seconds|minutes|hours|days)\b": "for",
}
"""Pattern → what to write in its place."""


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def sentences() -> tuple[tuple[Path, int, str], ...]:
    """File, line and text of each docstring and message of a module, and of each line of a document."""
    lines = ((path, number, line) for path in documents() for number, line in enumerate(text_of(path).splitlines(), 1))
    strings = (
        (path, node.lineno, node.value)
        for path in modules()
        for node in ast.walk(ast.parse(text_of(path)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    )
    return (*lines, *strings)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("pattern", "better"), STUMBLING.items(), ids=list(STUMBLING.values()))
def test_phrase_does_not_occur(pattern: str, better: str) -> None:
    phrase = re.compile(pattern)
    found = [
        f"{path.relative_to(ROOT)}:{line + text[: match.start()].count(chr(10))}: {match[0]!r}, better: {better}"
        for path, line, text in sentences()
        for match in phrase.finditer(text)
    ]
    assert found == []


COUNTABLE: Final = (
    *("arguments", "assemblies", "callees", "callers", "calls", "candidates", "changes", "declarations", "errors"),
    *(
        "facts",
        "files",
        "folders",
        "hits",
        "implementations",
        "indexes",
        "levels",
        "lines",
        "links",
        "matches",
        "members",
    ),
    *(
        "names",
        "occurrences",
        "overloads",
        "overrides",
        "parts",
        "places",
        "problems",
        "projects",
        "references",
        "results",
    ),
    *("solutions", "symbols", "tools", "types", "warnings"),
)
"""Nouns that messages count. Characters, bytes and seconds are left out: their messages tell of a maximum that was passed."""


def counts_by_hand(path: Path) -> Iterator[str]:
    """f-strings that put one of ``COUNTABLE`` after a value themselves; a value in upper case is a constant above one."""
    noun = re.compile(rf" (?:[\w#]+ ){{0,2}}(?:{'|'.join(COUNTABLE)})\b")
    for node in ast.walk(ast.parse(text_of(path))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, after in zip(node.values, node.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            shown = ast.unparse(value.value)
            is_number = (
                "count" in shown.replace("counted", "") or "len(" in shown or "total" in shown or "sum(" in shown
            )
            if is_number and not shown.startswith("counted(") and noun.match(str(after.value)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def test_messages_count_in_one_way() -> None:
    assert [found for path in modules() for found in counts_by_hand(path)] == []


def test_maps_of_packages_name_every_module() -> None:
    """A package's docstring may list its modules, one to an indented line; then it lists all of them."""
    incomplete = {}
    for package in (path for path in modules() if path.name == "__init__.py"):
        listed = set(re.findall(r"^    (\w+)", ast.get_docstring(ast.parse(text_of(package))) or "", re.MULTILINE))
        held = {path.stem for path in package.parent.glob("[!_]*.py")} | {
            path.parent.name for path in package.parent.glob("*/__init__.py")
        }
        if listed & held and listed != held:
            incomplete[str(package.relative_to(ROOT))] = listed ^ held
    assert incomplete == {}
