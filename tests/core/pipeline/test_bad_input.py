"""Whatever a commit holds, it is indexed: broken content is data, and one file's trouble is that file's."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from codemap_core.pipeline import BaselineResult
from tests.clone import Clone
from tests.core.pipeline.conftest import dump

Index = Callable[..., BaselineResult]


def symbols(result: BaselineResult) -> list[str]:
    return [json.loads(row)["symbol_id"] for row in dump(result)["symbols"]]


def files(result: BaselineResult) -> dict[str, dict[str, Any]]:
    return {row["file_path"]: row for row in map(json.loads, dump(result)["files"])}


def of(name: str, text: str = "") -> str:
    return f"class {name} {{ int x; {text} }}"


DEEP = {
    "parentheses.cs": of("Parentheses", f"int M() => {'(' * 100_000}1{')' * 100_000};"),
    "braces.cs": of("Braces", f"void M() {{ {'{' * 5_000}{'}' * 5_000} }}"),
    "ifs.cs": of("Ifs", f"void M() {{ {'if (true) ' * 5_000}; }}"),
    "classes.cs": "class Classes { int x; " + "".join(f"class C{i} {{ " for i in range(5_000)) + "}" * 5_001,
    "sum.cs": of("Sum", f"int M() => {'1 + ' * 100_000}1;"),
    "chain.cs": of("Chain", f"object M() => this{'.M()' * 10_000};"),
    "generics.cs": of("Generics", f"{'G<' * 2_000}int{'>' * 2_000} M() => null;"),
    "arrays.cs": of("Arrays", f"int{'[]' * 5_000} M() => null;"),
    "lambdas.cs": of("Lambdas", f"object M() => {'() => ' * 3_000}1;"),
    "conditional.cs": of("Conditional", f"int M(bool b) => {'b ? 1 : ' * 5_000}2;"),
    "interpolated.cs": of("Interpolated", "string M() => " + '$"{' * 100 + "1" + '}"' * 100 + ";"),
    "directives.cs": "#if A\n" * 2_000 + "#endif\n" * 2_000 + of("Directives"),
    "open.cs": of("Open") + "class Unclosed { void M() { " + "if (a) { foo(" * 3_000,
    "long_line.cs": of("LongLine", "".join(f"int a{i}; " for i in range(20_000))),
    "long_name.cs": of("LongName", f"int {'n' * 100_000};"),
    "usings.cs": "".join(f"using A{i} = A{i + 1};" for i in range(2_000)) + of("Usings", "A0 y;"),
    "members.cs": of("Members", "".join(f"void M({'int a, ' * (i % 5)}int b) {{ }} " for i in range(3_000))),
}
"""Name of a class → code that is deep or long in one way."""


@pytest.mark.parametrize("path", sorted(DEEP))
def test_deep_and_long_code(clone: Clone, index: Index, path: str) -> None:
    clone.commit({path: DEEP[path], "Neighbour.cs": "class Neighbour { }"})
    found = index(clone.root)
    assert not found.failures
    assert "failed" not in found.statuses
    name = DEEP[path].partition("class ")[2].split()[0]
    assert {f"T:{name}", f"F:{name}.x", "T:Neighbour"} <= set(symbols(found))


ENCODED = {
    "utf8_bom.cs": b"\xef\xbb\xbf" + of("Bom").encode(),
    "utf16_le.cs": b"\xff\xfe" + of("LittleÄ").encode("utf-16-le"),
    "utf16_be.cs": b"\xfe\xff" + of("BigÄ").encode("utf-16-be"),
    "utf16_unmarked.cs": of("Unmarked").encode("utf-16-le"),
    "latin1.cs": of("Latin", "/* gr\u00f6\u00dfe */").encode("latin-1"),
    "invalid.cs": b'class Invalid { int x; string s = "\xff\xfe\xc0\x80\xed\xa0\x80"; }',
    "cr.cs": b"class Cr\r{\r    int x;\r}\r",
    "crlf.cs": b"class Crlf\r\n{\r\n    int x;\r\n}\r\n",
    "mixed.cs": "class Mixed\r\n{\r    int x;\n\u2028}".encode(),
    "no_newline.cs": b"class NoNewline\n{\n    int x;\n}\n#region",
    "nul.cs": b"class Nul { int x; /* \0\0 */ }",
}


def test_encodings_and_line_ends(clone: Clone, index: Index) -> None:
    clone.commit(ENCODED)
    found = index(clone.root)
    assert not found.failures
    rows = {row["symbol_id"]: row for row in map(json.loads, dump(found)["symbols"])}
    for name in ("Bom", "LittleÄ", "BigÄ", "Unmarked", "Latin", "Invalid", "Cr", "Crlf", "Mixed", "NoNewline"):
        assert f"F:{name}.x" in rows
    for name, last in (("Cr", 4), ("Crlf", 4), ("Mixed", 5), ("NoNewline", 4)):
        assert (rows[f"F:{name}.x"]["span_start"], rows[f"T:{name}"]["span_end"]) == (3, last)


def test_empty_and_binary_and_huge_files(clone: Clone, index: Index) -> None:
    clone.commit(
        {
            "Empty.cs": b"",
            "Blank.cs": b" \r\n\t\n",
            "Comment.cs": b"// nothing else",
            "Binary.cs": bytes(range(256)) * 100,
            "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(1000),
            "Huge.cs": b"class Huge { }\n" + b"// padding\n" * (50_000_000 // 11),
            "Good.cs": b"class Good { }",
        }
    )
    found = index(clone.root)
    assert not found.failures
    assert symbols(found) == ["T:Good"]
    assert files(found)["Empty.cs"]["line_count"] == 0
    assert "picture.png" not in files(found)
    assert {"Huge.cs", "Binary.cs"} <= set(files(found))
    assert "skipped" in found.statuses


def test_names_of_files(clone: Clone, index: Index) -> None:
    names = (
        "with space/A b.cs",
        "größe/Ünï.cs",
        "日本/語.cs",
        "--help.cs",
        "-rf",
        "quote'\"s.cs",
        "semi;colon.cs",
        "percent%20.cs",
        "emoji🎉.cs",
        "UPPER.CS",
        "star*.cs",
        "brackets[1].cs",
    )
    clone.commit({name: f"class C{i} {{ }}" for i, name in enumerate(names)})
    found = index(clone.root)
    assert set(names) == set(files(found))
    assert len(symbols(found)) == len(names) - 1


@pytest.mark.skipif(os.name == "nt", reason="names that Windows has not")
def test_names_that_are_no_text(clone: Clone, index: Index) -> None:
    target = os.fsencode(clone.root)
    for name in (b"line\nbreak.cs", b"tab\t.cs", b"not utf8 \xff.cs"):
        with open(target + b"/" + name, "wb") as file:  # noqa: PTH123 - a name that is no text
            file.write(b"class A { }")
    clone.commit({"B.cs": "class B { }"})
    found = index(clone.root)
    assert {"line\nbreak.cs", "tab\t.cs", "B.cs"} == set(files(found))


def test_links_are_not_followed(clone: Clone, index: Index) -> None:
    outside = clone.root.parent / "secret.cs"
    outside.write_text("class Secret { }")
    (clone.root / "out.cs").symlink_to(outside)
    (clone.root / "passwd").symlink_to("/etc/passwd")
    (clone.root / "loop").symlink_to(".")
    (clone.root / "dangling.cs").symlink_to("nowhere.cs")
    clone.commit({"A.cs": "class A { }"})
    found = index(clone.root)
    assert symbols(found) == ["T:A"]
    assert found.skipped_symlinks == 4


def test_no_csharp_at_all(clone: Clone, index: Index) -> None:
    clone.commit({"README.md": "# Words", "a.py": "print()"})
    found = index(clone.root)
    assert symbols(found) == []
    assert set(files(found)) == {"README.md", "a.py"}


def test_an_empty_commit(clone: Clone, index: Index) -> None:
    clone.commit()
    assert files(index(clone.root)) == {}


SDK = '<Project Sdk="Microsoft.NET.Sdk">'
BROKEN_PROJECTS = {
    "not_xml/P.csproj": "this is no XML <",
    "empty/P.csproj": "",
    "entities/P.csproj": '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><Project>&b;</Project>',
    "outside/P.csproj": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><Project><ItemGroup>&f;</ItemGroup></Project>',
    "import/P.csproj": f'{SDK}<Import Project="P.csproj" /><Import Project="/etc/passwd" /></Project>',
    "recursive/P.csproj": f"{SDK}<PropertyGroup><A>$(A)$(A)$(A)</A></PropertyGroup></Project>",
    "condition/P.csproj": f'{SDK}<PropertyGroup Condition="((( and or"><A>1</A></PropertyGroup></Project>',
    "function/P.csproj": (
        f"{SDK}<PropertyGroup><AssemblyName>$([System.IO.File]::ReadAllText('/etc/passwd'))</AssemblyName>"
        "</PropertyGroup></Project>"
    ),
    "glob/P.csproj": f'{SDK}<ItemGroup><Compile Include="../../../../**/*.cs;C:\\x\\*.cs;/etc/**" /></ItemGroup></Project>',
    "reference/P.csproj": f'{SDK}<ItemGroup><ProjectReference Include="../nowhere/N.csproj;P.csproj" /></ItemGroup></Project>',
    "sln/A.sln": "Project( = nonsense",
    "sln/B.slnx": "<Solution><Project /></Solution",
    "sln/C.slnf": "{",
    "global.json": "{ nonsense",
    "Directory.Build.props": "<Project><PropertyGroup><B>",
}


def test_broken_projects(clone: Clone, index: Index) -> None:
    clone.commit(
        {
            **BROKEN_PROJECTS,
            **{
                f"{path.split('/')[0]}/C.cs": f"class C{i} {{ }}"
                for i, path in enumerate(BROKEN_PROJECTS)
                if path.endswith(".csproj")
            },
        }
    )
    found = index(clone.root)
    assert len(symbols(found)) >= 10
    assert len(set(symbols(found))) == 10
    assert found.info.project_problems or any(d.errors for d in found.info.project_diagnostics)
    assert "root:" not in b"".join(dump(found)["projects"]).decode()


def test_lines_of_conflicts_and_templates(clone: Clone, index: Index) -> None:
    clone.commit(
        {
            "Conflict.cs": "class A\n{\n<<<<<<< HEAD\n    int a;\n=======\n    int b;\n>>>>>>> other\n    int c;\n}\nclass B { }\n",
            "Template.cs": "namespace {{name}};\nclass {{type}} { }\nclass Real { }\n",
            "Razor.cs": "@page\n<h1>@Model</h1>\n@code { int a; }",
            "Json.cs": '{ "a": 1 }',
            "Python.cs": "def f(x):\n    return x\n",
        }
    )
    found = index(clone.root)
    assert not found.failures
    assert {"T:A", "T:B", "T:Real"} <= set(symbols(found))
