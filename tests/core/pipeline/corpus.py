"""Sources to index whole: every specification of C# symbols as a project of its own, large enough that work is shared out."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.testing.specs import read_specs

_SPECS: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp" / "symbols"
_PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework>
<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>
"""
_PADDING: Final = "\n" + "// The quick brown fox jumps over the lazy dog, and then it does so again and again.\n" * 120


@cache
def sources() -> dict[str, str]:
    """Path → text."""
    files: dict[str, str] = {}
    for suite in sorted(_SPECS.glob("*.md")):
        for spec in read_specs(suite.read_text(encoding="utf-8")):
            folder = f"src/{suite.stem}/{spec.name}"
            for path, text in spec.files.items():
                files[f"{folder}/{path}"] = text + _PADDING if path.endswith(".cs") else text
            if not any(path.endswith(".csproj") for path in spec.files):
                files[f"{folder}/Spec.csproj"] = _PROJECT
    return files
