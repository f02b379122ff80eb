"""Projects that are broken, or made to cost: each is data in the answer, none raises or takes long."""

from __future__ import annotations

import json

import pytest

from codemap_core.model import ProjectGraph
from codemap_plugins.dotnet.globs import Glob
from codemap_plugins.dotnet.loader import DotnetProjectLoader
from tests.plugins.loader_cases import MemoryFiles


def load(files: dict[str, str | bytes], solution: str | None = None) -> ProjectGraph:
    encoded = {path: content.encode() if isinstance(content, str) else content for path, content in files.items()}
    return DotnetProjectLoader().load(MemoryFiles(encoded), solution)


def sdk_project(body: str) -> str:
    return f'<Project Sdk="Microsoft.NET.Sdk">{body}</Project>'


def messages(graph: ProjectGraph) -> str:
    return "\n".join(f"{problem.project_path}: {problem.message}" for problem in graph.problems)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no element found"),
        (b"<Project", "unclosed token"),
        (b"<Project>\xff\xfe</Project>", "not well-formed"),
        (b"\0\1\2", "not well-formed"),
        (b'<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><Project>&b;</Project>', "document type"),
        (b'<!DOCTYPE p SYSTEM "file:///etc/passwd"><Project/>', "document type"),
        (
            b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><Project><PropertyGroup><A>&x;</A></PropertyGroup></Project>',
            "document type",
        ),
        (b"<a>" * 100 + b"</a>" * 100, "nested too deeply"),
        (b'<?xml version="1.0" encoding="klingon"?><Project/>', "encoding"),
        (b"<Project>" + b" " * (9 * 1024 * 1024) + b"</Project>", "8 MiB"),
    ],
)
def test_a_file_that_is_no_project_is_a_problem(content: bytes, said: str) -> None:
    graph = load({"Bad.csproj": content, "Good.csproj": sdk_project("")})
    assert [project.project_path for project in graph.projects] == ["Good.csproj"]
    assert said in messages(graph)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_projects_in_other_encodings_are_read(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>{sdk_project("<PropertyGroup><AssemblyName>Ü</AssemblyName></PropertyGroup>")}'
    (project,) = load({"A.csproj": text.encode(encoding)}).projects
    assert project.assembly_name == "Ü"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_solutions_in_other_encodings_are_read(encoding: str) -> None:
    text = (
        "\r\nMicrosoft Visual Studio Solution File, Format Version 12.00\r\n"
        'Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "Ü", "Ü\\Ü.csproj", "{1}"\r\nEndProject\r\n'
    )
    graph = load({"S.sln": text.encode(encoding), "Ü/Ü.csproj": sdk_project("")})
    assert graph.solutions[0].projects == ("Ü/Ü.csproj",)


def test_properties_that_double_themselves_stop() -> None:
    doubling = "<A>x</A>" + "<A>$(A)$(A)</A>" * 60
    graph = load(
        {"A.csproj": sdk_project(f"<PropertyGroup>{doubling}<LangVersion>8</LangVersion></PropertyGroup>"), "a.cs": ""}
    )
    assert graph.projects[0].lang_version == "8"
    assert graph.projects[0].files == ("a.cs",)
    assert "longer than" in messages(graph)


def test_much_expansion_in_all_is_cut_short() -> None:
    long = "y" * 100_000
    many = f"<A>{long}</A>" + "<B>$(A)$(A)</B>" * 2000
    assert "cut short" in messages(load({"A.csproj": sdk_project(f"<PropertyGroup>{many}</PropertyGroup>")}))


def test_imports_that_multiply_stop() -> None:
    files: dict[str, str | bytes] = {
        f"{n}.props": f'<Project><Import Project="{n + 1}.props"/><Import Project="{n + 1}.props"/></Project>'
        for n in range(30)
    }
    files["30.props"] = "<Project/>"
    files["A.csproj"] = sdk_project('<Import Project="0.props"/>')
    assert "too many" in messages(load(files))


def test_a_chain_of_imports_too_deep_stops() -> None:
    files: dict[str, str | bytes] = {
        f"{n}.props": f'<Project><Import Project="{n + 1}.props"/></Project>' for n in range(200)
    }
    files["A.csproj"] = sdk_project('<Import Project="0.props"/>')
    assert "nested too deeply" in messages(load(files))


def test_items_that_double_themselves_stop() -> None:
    doubling = '<Using Include="@(Using)"/>' * 60
    graph = load({"A.csproj": sdk_project(f'<ItemGroup><Using Include="X"/>{doubling}</ItemGroup>')})
    assert "too many items" in messages(graph)


@pytest.mark.parametrize(
    "condition",
    [
        "(" * 5000 + "true" + ")" * 5000,
        "!" * 5000 + "true",
        "true and " * 5000 + "true",
        "'" + "$(" * 3000,
        "$(A",
        "@(",
        "==",
        "'a' = 'b'",
        "Exists(Exists('a'))",
    ],
)
def test_conditions_made_to_hurt(condition: str) -> None:
    graph = load(
        {
            "A.csproj": sdk_project(
                f'<PropertyGroup Condition="{condition}"><LangVersion>8</LangVersion></PropertyGroup>'
            )
        }
    )
    assert len(graph.projects) == 1


@pytest.mark.parametrize(
    "expression",
    [
        "$([System.Text.RegularExpressions.Regex]::Match('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '(a+)+$'))",
        "$([System.Text.RegularExpressions.Regex]::IsMatch('aaaaaaaaaaaaaaaaaaaa', 'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaa'))",
        "$([System.Text.RegularExpressions.Regex]::IsMatch('a', '['))",
        "$([System.IO.File]::ReadAllText('/etc/passwd'))",
        "$([System.IO.File]::ReadAllText('../../../../etc/passwd'))",
        "$([System.IO.Directory]::GetFiles('/'))",
        "$([System.Diagnostics.Process]::Start('sh'))",
        "$([MSBuild]::Divide(1, 0))",
        "$([MSBuild]::Add(x, 1))",
        "$([System.String]::Format('{9}', 'a'))",
        "$(A.PadLeft(999999999))",
        "$(A.Substring(5, 99))",
        "$(A.Split(';')[7])",
        "$(A.Nope())",
        "$(" * 2000,
        "$(A[0)",
        "$([X",
    ],
)
def test_functions_that_fail_give_nothing(expression: str) -> None:
    graph = load(
        {
            "A.csproj": sdk_project(
                f"<PropertyGroup><AssemblyName>n{expression.replace('&', '&amp;')}</AssemblyName></PropertyGroup>"
            )
        }
    )
    assert graph.projects[0].assembly_name.strip() in ("n",) or "PadLeft" in expression
    assert "passwd:" not in graph.projects[0].assembly_name


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_long_comment_before_a_file_is_read_once(line_end: str) -> None:
    comment = f"// all rights reserved{line_end}{line_end}" * 2000
    files: dict[str, str | bytes] = {
        "old.cs": comment + "class C {}",
        "app.cs": f"{comment}#:sdk Microsoft.NET.Sdk.Web{line_end}",
    }
    assert [project.project_path for project in load(files).projects] == ["app.cs"]


def test_references_reach_nothing_outside_the_repository() -> None:
    body = '<ItemGroup><Compile Include="../../../etc/*;/etc/hosts"/><ProjectReference Include="C:\\x\\y.csproj"/></ItemGroup>'
    (project,) = load(
        {"a/A.csproj": sdk_project(body + '<Import Project="/etc/passwd"/><Import Project="../../x.props"/>')}
    ).projects
    assert (project.files, project.project_references) == ((), ())


def test_projects_that_reference_each_other_end() -> None:
    graph = load(
        {
            "A/A.csproj": sdk_project('<ItemGroup><ProjectReference Include="../B/B.csproj"/></ItemGroup>'),
            "B/B.csproj": sdk_project('<ItemGroup><ProjectReference Include="../A/A.csproj;B.csproj"/></ItemGroup>'),
        }
    )
    assert [project.project_references for project in graph.projects] == [("B/B.csproj",), ("A/A.csproj", "B/B.csproj")]


@pytest.mark.parametrize("content", ["[" * 100_000, "{}", '{"solution": {"projects": [1]}}', "\ufeff{"])
def test_solution_filters_made_to_hurt(content: str) -> None:
    assert "not a solution filter" in messages(load({"f.slnf": content}))


def test_a_global_json_with_comments_or_nonsense_is_no_obstacle() -> None:
    for content in ("// no", "[]", json.dumps({"msbuild-sdks": {"MSTest.Sdk": 4}})):
        (project,) = load({"global.json": content, "A.csproj": '<Project Sdk="MSTest.Sdk"/>'}).projects
        assert [str(package) for package in project.packages] == ["MSTest.TestAdapter", "MSTest.TestFramework"]


@pytest.mark.parametrize("chosen", ["Other.sln", "A.csproj", "README.md"])
def test_what_is_not_a_solution_names_no_project(chosen: str) -> None:
    assert load({"a/Real.slnx": "<Solution/>", "A.csproj": sdk_project(""), "README.md": ""}, solution=chosen) == (
        ProjectGraph()
    )


def test_an_indexed_folder_sees_what_stands_above_it() -> None:
    files = {
        "All.slnx": b'<Solution><Project Path="src/A/A.csproj"/><Project Path="src/C/C.csproj"/></Solution>',
        "Directory.Build.props": b"<Project><PropertyGroup><Nullable>enable</Nullable></PropertyGroup></Project>",
        "src/A/A.csproj": sdk_project(
            '<ItemGroup><ProjectReference Include="../B/B.csproj"/><Compile Include="$(SolutionDir)x.cs"/></ItemGroup>'
        ).encode(),
        "src/B/B.csproj": sdk_project("").encode(),
        "src/C/C.csproj": sdk_project("").encode(),
        "x.cs": b"",
    }
    graph = DotnetProjectLoader().load(MemoryFiles(files, subtree="src/A/"), None)
    assert [project.project_path for project in graph.projects] == ["src/A/A.csproj", "src/B/B.csproj"]
    first = graph.projects[0]
    assert (first.nullable, first.in_solution, first.files) == (True, True, ("x.cs",))
    assert graph.solutions == ()


def test_no_project_at_all() -> None:
    assert load({"a.cs": "class A;", "readme.md": ""}) == ProjectGraph()


def test_the_graph_does_not_depend_on_the_order_of_anything() -> None:
    files: dict[str, str | bytes] = {f"p{n}/P{n}.csproj": sdk_project("") for n in range(9)}
    files |= {
        "x.slnx": '<Solution><Project Path="p3/P3.csproj"/></Solution>',
        "b/y.slnx": '<Solution><Project Path="../p3/P3.csproj"/></Solution>',
    }
    assert load(files) == load(dict(reversed(files.items())))


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("**/*.cs", "a/b/c.CS", True),
        ("**/*.cs", "c.cs", True),
        ("*.cs", "a/c.cs", False),
        ("a/**", "a/b/c", True),
        ("a/**", "ab/c", False),
        ("a/**/b/*.cs", "a/b/x.cs", True),
        ("a/**/b/*.cs", "a/x/y/b/x.cs", True),
        ("a/**/b/*.cs", "a/x/c/x.cs", False),
        ("**/.*/**", ".git/x", True),
        ("**/.*/**", "a/.b/c/d", True),
        ("**/.*/**", "a/.b", False),
        ("a?c.*", "abc.txt", True),
        ("a?c.*", "abbc.txt", False),
        ("*.*", "noextension", True),
        ("**\\Gen\\*.g.cs", "x/gen/y.g.cs", True),
        ("./b/../a/*.cs", "a/x.cs", True),
        ("x[1].cs*", "x[1].cs", True),
        ("**/x*y*z", "a/x1y2y3z", True),
        ("**/x/**/x/**/x/f*", "x/a/x/b/x/f1", True),
        ("**/x/**/x/**/x/f*", "x/a/x/b/f1", False),
    ],
)
def test_globs(pattern: str, path: str, matches: bool) -> None:
    assert Glob("/_", pattern).matches(f"/_/{path}".lower()) is matches


def test_a_glob_is_linear_in_the_path() -> None:
    assert not Glob("/_", "**/" + "*a" * 40 + "*b").matches("/_/" + "a" * 3000)
    assert not Glob("/_", "**/a/" * 30 + "b").matches("/_/" + "a/" * 1000 + "c")
