"""A small repository for CodeRef2: the elements that its contract's examples name, and one of everything that its tools tell apart."""

from __future__ import annotations

from pathlib import Path

from tests.server import shop

PROJECT = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>
"""
TEST_PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>
  <ItemGroup><ProjectReference Include="../../src/App.csproj" /><PackageReference Include="xunit" Version="2.9.0" /></ItemGroup>
</Project>
"""
UTILS = [
    "namespace App;",
    "",
    "/// <summary>Sums.</summary>",
    "public static class Utils",
    "{",
    *([""] * 36),
    "    public static int calculate(int a, int b) => a > b ? helper(a) : b;",  # line 42
    "",
    "    internal static int helper(int a)",
    "    {",
    "        if (a > 1 && a < 9) { foreach (var x in new[] { a }) { if (x > 2) return helper(x - 1); } }",
    "        return a;",
    "    }",
    "",
    "    [System.Obsolete] public static int calculate_total(int a) => a;",
    "    public const int Limit = 3;",
    "}",
]
CORE = [
    "namespace App;",
    "",
    "public static class Core",
    "{",
    *([""] * 95),
    "    public static int main(int a) => Utils.calculate(a, 1);",
    "}",
]
FILES = {
    ".gitignore": "TestResults/\n.coderef/\n",
    "src/App.csproj": PROJECT,
    "src/utils.cs": "\n".join(UTILS) + "\n",
    "src/core.cs": "\n".join(CORE) + "\n",
    "src/handler.cs": """namespace App;

public interface IHandler { int process(int a); }

public class Handler : IHandler
{
    private int _count;
    public int process(int a) { _count = a; return Core.main(a); }
    public static Handler operator +(Handler a, Handler b) => a;
    public int this[int i] => i;
    public event System.Action? Done;
    public Handler() { }
}

public class Runner(IHandler handler)
{
    public int run() => handler.process(2);
    public T pick<T>(T a) => a;
}

public class MarkAttribute : System.Attribute { }
public enum State { Open, Closed }
public delegate void Notify(int a);
public record Pair(int Left, int Right);
public struct Point { public int X; }
""",
    "src/a.cs": "namespace App;\npublic static class A { public static int func() => 1; }\n",
    "src/b.cs": "namespace App;\npublic class Class { }\n",
    "src/config.py": "limit = 3\n",
    "src/utils.more/text.cs": "namespace App;\n\n\n\npublic static class Text { public static int length(string a) => a.Length; }\n",
    "tests/App.Tests/App.Tests.csproj": TEST_PROJECT,
    "tests/App.Tests/UtilsTests.cs": """using Xunit;
namespace App.Tests;

public class UtilsTests
{
    [Fact] public void Calculates() { Utils.calculate(1, 2); }
}
""",
}
UDS = """
[[rules]]
id = "types-are-pascal-case"
applies_to = { types = ["C"] }
require = { name_style = "PascalCase" }

[[rules]]
id = "public-code-is-documented"
severity = "warning"
applies_to = { types = ["C"], path = "src/*", security = ["public"] }
require = { documentation = "partial" }

[[rules]]
id = "functions-are-simple"
applies_to = { types = ["Fn"], path = "src/utils.cs" }
require = { max_complexity = 10 }

[[templates]]
name = "handler"
path = "src/${name}.cs"
content = "namespace App;\\npublic class ${name} { public string Price = \\"$$5\\"; }\\n"
"""
COBERTURA = """<?xml version="1.0"?>
<coverage><packages><package><classes><class filename="src/utils.cs"><lines>
<line number="42" hits="3"/><line number="46" hits="0"/><line number="47" hits="1"/>
</lines></class></classes></package></packages></coverage>
"""


def create(folder: Path) -> Path:
    """Lays the repository out as a git work tree with one commit."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shop.git(folder, "init", "--quiet", "--initial-branch=main")
    shop.commit(folder, "First")
    return folder
