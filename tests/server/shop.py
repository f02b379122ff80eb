"""A small repository with something of everything the tools have to answer about."""

from __future__ import annotations

import subprocess
from pathlib import Path

ORDER = "src/Shop/Order.cs"
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
FILES = {
    "src/Shop/Shop.csproj": PROJECT,
    ORDER: """namespace Shop.Ordering;

/// <summary>What a customer asked for.</summary>
public partial class Order
{
    private readonly int _number;

    public Order(int number) => _number = number;

    /// <summary>Sends the order.</summary>
    public void Submit(int times)
    {
        // TODO: retry
        System.Console.WriteLine("submitted " + _number);
    }

    public void Submit(string reason) { }
}
""",
    "src/Shop/Order.Lines.cs": """namespace Shop.Ordering;

public partial class Order
{
    public int LineCount { get; set; }
}
""",
    "src/Shop/IOrderService.cs": """namespace Shop.Ordering;

public interface IOrderService { void Place(Order order); }

public enum OrderState { Open, Closed }
""",
    "src/Shop/Größe und Maß.cs": """namespace Shop;

public class Größe { public string Text = "μ \\u0001 🛒"; }
""",
    "src/Shop/Long.cs": "namespace Shop;\n\npublic class Long\n{\n"
    + "".join(f"    public int Member{n} => {n}; // {'x' * 60}\n" for n in range(600))
    + "}\n",
    "appsettings.json": '{ "Shop": { "Title": "Corner shop" } }\n',
}


def create(folder: Path, copies: int = 0) -> Path:
    """Lays the repository out as a git work tree with one commit. ``copies``: further files of some size."""
    body = FILES["src/Shop/Long.cs"].removeprefix("namespace Shop;")
    further = {
        f"src/Shop/Copies/Copy{n}.cs": f"namespace Shop.Copies;{body.replace('class Long', f'class Copy{n}')}"
        for n in range(copies)
    }
    for name, text in {**FILES, **further}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "First")
    return folder


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def edit(folder: Path, path: str, old: str, new: str) -> None:
    text = (folder / path).read_text(encoding="utf-8")
    assert old in text
    (folder / path).write_text(text.replace(old, new), encoding="utf-8")


def add_member(folder: Path, name: str) -> None:
    edit(folder, ORDER, "    public void Submit(string reason) { }\n", f"    public void Submit(string reason) => {name}(1);\n"
         f"    public int {name}(int value) => value;\n")  # fmt: skip
