"""A small repository of its own for outlines, contexts and unused code: a library, a program and its tests."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

LIBRARY = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
PROGRAM = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
  <ItemGroup><ProjectReference Include="../Books/Books.csproj" /></ItemGroup>
</Project>
"""
TESTS = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>
  <ItemGroup><ProjectReference Include="../../src/Books/Books.csproj" /></ItemGroup>
</Project>
"""
SHELF = "src/Books/Shelf.cs"
SHELF_LABELS = "src/Books/Shelf.Labels.cs"
LEFTOVERS = "src/Desk/Leftovers.cs"
FILES = {
    "src/Books/Books.csproj": LIBRARY,
    SHELF: """using System;

namespace Books;

public abstract class Furniture
{
    public virtual void Move() { }
    public virtual void Lift() { }
    public int Width { get; set; }
    private void Creak() { }
}

/// <summary>Holds books.</summary>
public partial class Shelf : Furniture
{
    public event EventHandler? Filled;
    private int _count;
    public Shelf(int count) => _count = count;
    public int Count => _count;
    [Obsolete("Use Put.")]
    public void Add(string title) => Put(title);
    public override void Move() { }
    private static bool IsTitle(string title) => title.Length > 0;
    public void Put(string title)
    {
        if (IsTitle(title))
        {
            _count++;
            Filled?.Invoke(this, EventArgs.Empty);
        }
    }
    public enum Row { Upper, Lower }
}
""",
    SHELF_LABELS: """namespace Books;

public partial class Shelf
{
    public string Label { get; set; } = "";
    public string Describe() => Label + Count;
}
""",
    "src/Books/Lending.cs": """namespace Books;

public interface ILender { void Lend(string title); }

public class Lender : ILender
{
    private readonly Shelf _shelf = new(3);
    public void Lend(string title) => _shelf.Put(Clean(title));
    private static string Clean(string title) => title.Trim();
    public void Return(string title) { }
    public void Return(int number) { }
}
""",
    "src/Desk/Desk.csproj": PROGRAM,
    "src/Desk/Program.cs": """using Books;

namespace Desk;

public static class Program
{
    public static void Main() => Serve(new Lender());

    private static void Serve(ILender lender)
    {
        lender.Lend("a");
        new Shelf(1).Describe();
        Missing.Call(new Shelf(2));
        new Lender().Return(7, 8);
    }
}
""",
    LEFTOVERS: """using System;
using System.Collections.Generic;

namespace Desk;

public class Forgotten
{
    public void One() => Two();
    private void Two() { }
}

public class Recursion
{
    private static int Down(int n) => n == 0 ? 0 : Down(n - 1);
    public static readonly Recursion Start = new();
    private Recursion() { }
    static Recursion() { }
    public override string ToString() => "";
    public IEnumerator<int> GetEnumerator() { yield break; }
    public static implicit operator int(Recursion value) => 0;
    [Serializable] public class Marked { }
    public void Call() { }
    public void Checked() { }
}

public static class Uses
{
    public static void Run(Recursion value) { }
    internal static void Main2() => Run(Recursion.Start);
}

public interface IGreeter { void Greet(); void Wave(); }

public class Greeter : IGreeter
{
    public void Greet() { }
    public void Wave() { }
}

public enum Colour { Red, Green }

public static class Palette
{
    public static Colour Pick(IGreeter greeter) { greeter.Greet(); return Colour.Red; }
}
""",
    "src/Desk/Startup.cs": """namespace Desk;

internal static class Startup
{
    internal static void Go() { Palette.Pick(new Greeter()); Uses.Main2(); }
    private static readonly System.Action _action = Go;
    internal static System.Action Action => _action;
}

internal sealed class Entry
{
    internal static void Begin() => Startup.Action();
}
""",
    "src/Desk/view.xaml": "<p>{Binding Checked}</p>\n",
    "tests/Books.Tests/Books.Tests.csproj": TESTS,
    "tests/Books.Tests/ShelfTests.cs": """using Books;

namespace Books.Tests;

public class ShelfTests
{
    private readonly Shelf _shelf = new(2);
    public void Lifts() => _shelf.Lift();
}
""",
}


def create(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """Lays a repository out as a git work tree with one commit: the library's, unless ``files`` are given."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    git = ["git", "-C", str(folder), "-c", "user.name=Test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "All"]):
        subprocess.run([*git, *command], check=True)
    return folder
