"""The prose of documents sentence by sentence: each claim names what tries it, and what no other test tries is tried here.

``claims.toml`` has a table for each page. Its keys are the beginnings of sentences, of a table its heading. Each names tests or
pages of specifications, or the benchmark that measures it; ``statements`` are sentences that say nothing of what the program does.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

ROOT: Final = Path(__file__).resolve().parents[2]
TABLES: Final[dict[str, dict[str, Any]]] = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))
OTHERWISE: Final = {
    "docs/contributing.md": "about people",
    "docs/security.md": "security_claims.toml",
    "docs/testing.md": "about tests",
    "docs/vocabulary.md": "about words",
}
_MADE: Final = re.compile(r"<!-- (?!end).*?-->.*?<!-- end.*?-->", re.DOTALL)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
_ITEM: Final = re.compile(r"\s*(?:-|\d+\.) ")
_BORDER: Final = re.compile(r"(?<=[.!?:])(?<!e\.g\.)\s+(?=[\"`*(A-Z_])(?!\()")


def sentences(text: str) -> Iterator[str]:
    """Of what is neither made by a program nor a block of code; of a table its heading."""
    block: list[str] = []

    def ended() -> Iterator[str]:
        if block:
            yield from _BORDER.split(re.sub(r"\s+", " ", " ".join(block)).strip())
        block.clear()

    in_table = False
    for line in _LINK.sub(r"\1", _FENCED.sub("", _MADE.sub("", text))).splitlines():
        is_row = line.startswith("|")
        if is_row or line.startswith("#") or not line.strip():
            yield from ended()
            if is_row and not in_table:
                yield line.strip()
        elif _ITEM.match(line):
            yield from ended()
            block.append(_ITEM.sub("", line, count=1))
        else:
            block.append(line)
        in_table = is_row
    yield from ended()


def beginnings(table: dict[str, Any]) -> list[str]:
    return [*table["tests"], *table.get("measured", {}), *table["statements"]]


def test_every_page_has_its_table() -> None:
    pages = {f"docs/{each.name}" for each in (ROOT / "docs").glob("*.md")}
    assert pages - TABLES.keys() - OTHERWISE.keys() == set()


@pytest.mark.parametrize("page", TABLES)
def test_every_sentence_stands_in_the_table_once(page: str) -> None:
    found = list(sentences((ROOT / page).read_text(encoding="utf-8")))
    known = beginnings(TABLES[page])
    assert [each for each in found if not each.startswith(tuple(known))] == [], "no test is named for these"
    several = {each: [one for one in found if one.startswith(each)] for each in known}
    assert {each: ones for each, ones in several.items() if len(ones) != 1} == {}, (
        "the page does not say this, or twice"
    )


@pytest.mark.parametrize("page", TABLES)
def test_what_is_named_exists(page: str) -> None:
    for name in {name for names in TABLES[page]["tests"].values() for name in names}:
        path, _, function = name.partition("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not function or re.search(rf"^(?:async )?def {function}\(", text, re.MULTILINE), name
    for module in TABLES[page].get("measured", {}).values():
        assert (ROOT / "tests/benchmarks" / f"{module}.py").exists(), module


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> tuple[Shell, Clone]:
    """Files of many sorts, two of them parts of one type, and a solution."""
    folder = tmp_path_factory.mktemp("several")
    clone = Clone(folder / "repository")
    frameworks = "<TargetFrameworks>net9.0;net48</TargetFrameworks>"
    clone.commit(
        {
            "App.slnx": '<Solution><Project Path="src/App.csproj" /></Solution>',
            "src/App.csproj": f'<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup>{frameworks}</PropertyGroup></Project>',
            "src/A.cs": "public class A {\n#if NETFRAMEWORK\n    public void Old() { }\n#endif\n    public void New() { }\n}\n",
            "src/View.razor": "<p>@Text</p>\n@code { string Text = string.Empty; }\n",
            "src/order.proto": 'syntax = "proto3";\nmessage Order { }\n',
            "src/first/P1.cs": "partial class P { int first; }\n",
            "src/second/P2.cs": "partial class P { int second; }\nclass Q { }\n",
            "web/package.json": '{ "name": "web" }',
            "web/a.ts": "import { b } from './b';\nb();\n",
            "web/b.ts": "// @generated\nexport function b() { }\n",
            "web/plain.js": "export const inScript = 1;\n",
            "web/bundle.min.ts": "export const minified = 1;\n",
            "web/node_modules/lib/lib.ts": "export const installed = 1;\n",
            "loose.ts": "export const loose = 1;\n",
        }
    )
    shell = Shell(folder / "data", folder)
    shell("index", "-q", clone.root)
    return shell, clone


def test_what_is_not_supported(several: tuple[Shell, Clone]) -> None:
    """README: no protobuf; what another target framework compiles is listed with its condition."""
    shell, clone = several
    rows = {row["symbol_id"]: row for row in shell.dump("symbols", clone.root) if not row["file_path"].endswith(".ts")}
    named = {each for each in rows if "P" not in each}
    assert named == {"T:A", "M:A.Old", "M:A.New", "T:Q", "T:App.View", "F:App.View.Text"}
    assert {each: row["condition"] for each, row in rows.items() if row["condition"]} == {"M:A.Old": "NETFRAMEWORK"}


def test_what_typescript_leaves_out_and_marks(several: tuple[Shell, Clone]) -> None:
    shell, clone = several
    files = {row["file_path"]: row for row in shell.dump("files", clone.root)}
    declaring = {row["file_path"] for row in shell.dump("symbols", clone.root)}
    assert {path for path in declaring if path.endswith(".ts")} == {"loose.ts", "web/a.ts", "web/b.ts"}
    assert [path for path, row in files.items() if row["generated"]] == ["web/b.ts"]
    assert (files["web/a.ts"]["project"], files["loose.ts"]["project"]) == ("web", None)
    assert shell("grep", "inScript|installed", "-l", cwd=clone.root).stdout.split() == [
        "web/node_modules/lib/lib.ts",
        "web/plain.js",
    ]
    assert [row for row in shell.dump("facts", clone.root) if row["file_path"].endswith(".ts")] == []
    assert (
        "No plug-in explains how typescript is bound." in shell("explain", "web/a.ts:2", cwd=clone.root, fails=2).stderr
    )


def test_arguments_as_clients_write_them(several: tuple[Shell, Clone]) -> None:
    """docs/tools.md: null is left out, and numbers, truths and lists may come as text, a list as its only value."""
    shell, clone = several

    def data(tool: str, **arguments: Any) -> Any:
        answer = shell("call", tool, "--args", json.dumps(arguments), "--json", cwd=clone.root).stdout
        return json.loads(answer)["data"]

    asked = data("symbols.search", query="A", limit=1, kinds=["class"])
    assert [each["symbol_id"] for each in asked["hits"]] == ["T:A"]
    assert data("symbols.search", query="A", limit="1", kinds="class", namespace=None) == asked
    assert data("symbols.search", query="A", limit=1, kinds='["class"]') == asked
    assert data("types.hierarchy", symbol="A", transitive="true") == data(
        "types.hierarchy", symbol="A", transitive=True
    )


def test_a_solution_loads_no_package(several: tuple[Shell, Clone]) -> None:
    shell, clone = several
    shell("index", "-q", clone.root, "--solution", "App.slnx")
    assert [row["name"] for row in shell.dump("projects", clone.root, "--solution", "App.slnx")] == ["App"]
    calls = [row for row in shell.dump("refs", clone.root, "--solution", "App.slnx") if row["kind"] == "call"]
    assert [(row["file_path"], row["to_symbol"]) for row in calls] == [("web/a.ts", "M:web/b.ts.b")]


def test_a_type_is_where_its_first_part_is(several: tuple[Shell, Clone], tmp_path: Path) -> None:
    _, clone = several
    shell = Shell(tmp_path, tmp_path)  # where no index of the whole answers
    shell("index", "-q", clone.root / "src/second")
    ids = shell.ids(clone.root / "src/second")
    assert "T:Q" in ids
    assert "T:P" not in ids
