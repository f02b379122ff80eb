"""A commit indexed after another one equals its cold index, whatever was edited: small programs edited at random, and edits that each show
a rule by which one document depends on another."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from codemap_core.hooks.manager import PluginHost
from tests.core.pipeline.edit_law import Bench, Trial, WorkspaceBench
from tests.core.pipeline.editor import Editor
from tests.core.pipeline.project_edits import PROJECT_EDITS
from tests.core.pipeline.source_edits import SOURCE_EDITS

_PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk">
<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>
"""
_APP: Final = """<Project Sdk="Microsoft.NET.Sdk">
<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
<ItemGroup><ProjectReference Include="../Lib/Lib.csproj" /></ItemGroup>
</Project>
"""
FILES: Final = {
    "Lib/Lib.csproj": _PROJECT,
    "Lib/Order.cs": """namespace Lib;
public class Order : Entity
{
    public const string Route = "orders";
    public decimal Total { get; set; }
    public Line First() => Lines[0];
    public System.Collections.Generic.List<Line> Lines { get; } = new();
    internal void Hide() { }
}
""",
    "Lib/Line.cs": """namespace Lib;
public class Line { public int Count; public void Take(int count) { Count -= count; } }
public enum Color { Red, Green = 5, Blue }
""",
    "Lib/Entity.cs": """namespace Lib;
public abstract class Entity : IEntity { public int Id { get; set; } public virtual string Describe() => ""; }
public interface IEntity { int Id { get; } }
""",
    "Lib/Extensions.cs": """namespace Lib;
public static class Extensions
{
    public static int Count(this Order order) => order.Lines.Count;
    public static void Deconstruct(this Line line, out int count, out string text) { count = line.Count; text = ""; }
}
""",
    "Lib/Store.cs": """namespace Lib;
public partial class Store<T> where T : IEntity
{
    public T Find(int id) => default;
    public event System.Action<T> Found;
}
""",
    "Lib/Store.More.cs": """namespace Lib;
/// <summary>Keeps entities.</summary>
public partial class Store<T> { public void Save(T entity) { Found?.Invoke(entity); } }
""",
    "App/App.csproj": _APP,
    "App/Usings.cs": "global using Lib;\n",
    "App/Shop.cs": """namespace App;
public class Shop
{
    private readonly Store<Order> _store = new();
    public string Path => "/" + Order.Route;
    public int Buy(int id)
    {
        var order = _store.Find(id);
        order.First().Take(order.Count());
        foreach (var line in order.Lines) { var (count, text) = line; }
        order.Describe();
        return order.Id;
    }
}
""",
    "App/Report.cs": """namespace App;
using System;
public class Report : Shop
{
    public void Print(Shop shop) { Console.WriteLine(shop.Path); Use(Color.Blue); Use(null); }
    private void Use(Color color) { }
    private void Use(string text) { }
    public override string ToString() => Path;
}
""",
}


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(host: PluginHost, tmp_path: Path, seed: int) -> None:
    bench = Bench(tmp_path / "bench", FILES, host)
    editor = Editor(dict(FILES), random.Random(seed))
    for number in range(12):
        done = [editor.edit(SOURCE_EDITS if number % 4 else PROJECT_EDITS) for _ in range(2)]
        bench.commit(editor.files)
        _, found = bench.differences()
        assert not found, "\n".join((*done, *found))


_GIVEN: Final = {
    "Lib/Settings.cs": """namespace Lib;
public class Settings
{
    public string Prefix { get; }
    public string Root => Prefix + "/";
    public int Size { get; }
    public Settings(int size) { var text = "a;"; Prefix = text; Size = size; Log(1); }
    private void Log(int times) { }
}
""",
    "App/Client.cs": """namespace App;
public class Client { public string Address(Settings settings) => settings.Root + "x" + settings.Size; }
""",
}
"""A constructor gives members their values, which other files read."""
_PRIMARY: Final = {
    "Lib/Named.cs": """namespace Lib;
public sealed class Named(string text) : Entity
{
    public string Prefix { get; } = "a";
    public string Text { get; } = text;
    public override string Describe() { return Prefix; }
}
""",
    "App/Reader.cs": """namespace App;
public class Reader { public string Read(Named named) => named.Prefix + "x" + named.Text; }
""",
    **{f"Lib/Many{number}.cs": "namespace Lib;\npublic partial class Many\n{\n}\n" for number in range(4)},
    **{
        f"Lib/Split{number}.cs": f"namespace Lib;\npublic partial class Split\n{{\n    {member}\n}}\n"
        for number, member in enumerate(
            (
                "",
                "partial void Done(int count);",
                "partial void Done(string text);",
                "",
                "partial void Done(int count) { }",
                "partial void Done(System.String text) { }",
            )
        )
    },
}


_SYSTEM: Final = {"Lib/Added.cs": "namespace System\n{\n    public struct Own { }\n}\n"}
"""A type of a namespace in which types stand that the language refers to."""


def _bound(
    host: PluginHost, folder: Path, *edits: tuple[str, str, str], before: Mapping[str, str] = FILES
) -> int | None:
    """How many files were bound again after texts were replaced; the index equals a cold one."""
    bench = Bench(folder / "bench", before, host)
    files = dict(before)
    for path, old, new in edits:
        assert old in files[path]
        files[path] = files[path].replace(old, new)
    bench.commit(files)
    index, found = bench.differences()
    assert not found, "\n".join(found)
    return index.bound_files


@pytest.mark.parametrize(
    ("path", "old", "new", "bound"),
    [
        pytest.param("Lib/Entity.cs", 'Describe() => ""', 'Describe() => "x"', 1, id="a body concerns its file alone"),
        pytest.param("Lib/Line.cs", "Take(int count)", "Take(long count)", 2, id="a signature: who calls it"),
        pytest.param("Lib/Order.cs", '"orders"', '"sales"', 3, id="a constant: who is worth something by it"),
        pytest.param(
            "Lib/Extensions.cs", "out string text", "out int text", 9, id="what is used without its name: everything"
        ),
        pytest.param(
            "Lib/Store.More.cs", "/// <summary>", "\n\n/// <summary>", 1, id="lines of the first part: its file alone"
        ),
        pytest.param("App/Usings.cs", "global using Lib;", "", 3, id="global usings: their project"),
    ],
)
def test_what_an_edit_binds_again(host: PluginHost, tmp_path: Path, path: str, old: str, new: str, bound: int) -> None:
    assert _bound(host, tmp_path, (path, old, new)) == bound


@pytest.mark.parametrize(
    ("old", "new", "bound"),
    [
        pytest.param("Log(1);", "Log(2); Log(3);", 1, id="a statement that gives nothing concerns its file alone"),
        pytest.param('"a;"', '"b;"', 2, id="what a member is given: who reads it"),
        pytest.param("Prefix = text;", 'text = "c"; Prefix = text;', 2, id="a local on the way to a member"),
        pytest.param("Log(1);", "Prefix += 1;", 2, id="a member given twice"),
    ],
)
def test_what_an_edit_of_a_constructor_binds_again(
    host: PluginHost, tmp_path: Path, old: str, new: str, bound: int
) -> None:
    assert _bound(host, tmp_path, ("Lib/Settings.cs", old, new), before={**FILES, **_GIVEN}) == bound


@pytest.mark.parametrize(
    ("path", "old", "new", "bound"),
    [
        pytest.param(
            "Lib/Named.cs", "return Prefix", 'return "b" + Prefix', 1, id="a body beside a primary constructor"
        ),
        pytest.param("Lib/Named.cs", '= "a"', '= "b"', 2, id="what a member is given: who reads it"),
        pytest.param("Lib/Many2.cs", "{\n", "{\n\n", 2, id="lines of a part: the first of many"),
        pytest.param("Lib/Many0.cs", "{\n", "{\n\n", 1, id="lines of the first part"),
        pytest.param("Lib/Many2.cs", "{\n", "{ partial void M();\n", 4, id="a member of a part: all parts"),
        pytest.param("Lib/Split4.cs", "{ }", "{\n}", 3, id="lines of a partial member: its first part, and its type's"),
        pytest.param("Lib/Split5.cs", "{ }", "{\n}", 3, id="a member that is written in two ways"),
        pytest.param(
            "Lib/Split5.cs", "System.String text", "String text", 6, id="a member that is another one: all parts"
        ),
    ],
)
def test_what_an_edit_of_a_type_binds_again(
    host: PluginHost, tmp_path: Path, path: str, old: str, new: str, bound: int
) -> None:
    assert _bound(host, tmp_path, (path, old, new), before={**FILES, **_PRIMARY}) == bound


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        pytest.param("Other", 1, id="nobody comes to it without its name"),
        pytest.param(
            "Range", len([path for path in FILES if path.endswith(".cs")]) + 1, id="the language refers to it"
        ),
    ],
)
def test_what_a_type_in_the_place_of_a_library_binds_again(
    host: PluginHost, tmp_path: Path, name: str, bound: int
) -> None:
    assert _bound(host, tmp_path, ("Lib/Added.cs", "Own", name), before={**FILES, **_SYSTEM}) == bound


_NOTES: Final = {"notes.md": "Words.\n"}
_ELSEWHERE: Final = """<ItemGroup Condition="'$(OS)' != 'Windows_NT'"><Compile Remove="Line.cs" /></ItemGroup>"""
_THERE_AND_BACK: Final[dict[str, Mapping[str, str | None]]] = {
    "a source is binary": {"Lib/Line.cs": "\0" + FILES["Lib/Line.cs"]},
    "a text is binary": {"notes.md": "\0"},
    "a source is too large": {"Lib/Line.cs": FILES["Lib/Line.cs"] + f"// {'x' * 120}\n" * 100_000},
    "a source is a text": {"Lib/Line.cs": None, "Lib/Line.txt": FILES["Lib/Line.cs"]},
    "a source has another case": {"Lib/Line.cs": None, "Lib/line.cs": FILES["Lib/Line.cs"]},
    "a source is empty": {"Lib/Line.cs": ""},
    "no source is left": {path: None for path in FILES if path.endswith(".cs")},
    "no project is left": {path: None for path in FILES if path.endswith(".csproj")},
    "a project cannot be read": {"Lib/Lib.csproj": "<Project"},
    "a source is compiled elsewhere": {
        "Lib/Lib.csproj": FILES["Lib/Lib.csproj"].replace("</Project>", f"{_ELSEWHERE}</Project>"),
    },
    "a part is compiled elsewhere": {
        "Lib/Lib.csproj": FILES["Lib/Lib.csproj"].replace(
            "</Project>", f"{_ELSEWHERE.replace('Line.cs', 'Store.More.cs')}</Project>"
        ),
    },
    "a source is left out by a directive": {"Lib/Line.cs": f"#if LEFT\n{FILES['Lib/Line.cs']}\n#endif\n"},
}


@pytest.mark.parametrize("edit", _THERE_AND_BACK)
def test_what_files_are_and_cease_to_be(host: PluginHost, tmp_path: Path, edit: str) -> None:
    files = {**FILES, **_NOTES}
    edited = {path: text for path, text in {**files, **_THERE_AND_BACK[edit]}.items() if text is not None}
    trials: list[Trial] = [Bench(tmp_path / "commits", files, host), WorkspaceBench(tmp_path, files, host)]
    for state in (edited, files):
        for trial in trials:
            assert trial.take_up(state).found == []


def test_a_file_without_a_project_changes_nothing_about_libraries(host: PluginHost, tmp_path: Path) -> None:
    """It sees all libraries, and describes none that a project sees: two versions of one declare the same types."""
    packages = '<ItemGroup><PackageReference Include="xunit.v3.mtp-v2" /></ItemGroup></Project>'
    given = {
        "App/App.csproj": _PROJECT.replace("</Project>", packages),
        "App/Tried.cs": "using Xunit;\nclass Tried { [Fact] void Holds() { } }\n",
        "App/Other.cs": "class Other { }\n",
    }
    loose = {"loose/Loose.cs": "using Xunit;\nclass Loose { [Fact] void Holds() { } }\n"}
    bench = Bench(tmp_path, given, host)
    for state in ({**given, **loose}, {**given, "App/Other.cs": "class Changed { }\n"}, {**given, **loose}):
        assert bench.take_up(state).found == []


_WEB: Final = {
    "Web/Web.csproj": _PROJECT.replace("Microsoft.NET.Sdk", "Microsoft.NET.Sdk.Web"),
    "Web/Program.cs": "int ran = 0;\n",
    "Web/Further.cs": "class Further { }\n",
    "Check/Check.csproj": _APP.replace("Lib", "Web"),
    "Check/Runs.cs": "class Factory<T> { }\nclass Runs { object Make() => new Factory<Program>(); }\n",
}


def test_what_makes_a_program_public(host: PluginHost, tmp_path: Path) -> None:
    """An earlier framework, another SDK, a part that is written, and a class with a Main have a program that is internal."""
    bench = Bench(tmp_path, _WEB, host)
    for edit in (
        {"Web/Web.csproj": _WEB["Web/Web.csproj"].replace("net10.0", "net9.0")},
        {"Web/Web.csproj": _PROJECT},
        {"Web/Further.cs": "partial class Program { }\n"},
        {"Web/Program.cs": "class Program { static void Main() { } }\n"},
    ):
        assert bench.take_up(_WEB | edit).found == []
        assert bench.take_up(_WEB).found == []
