"""File-based apps (C# 14): a single source file that is its own project, described by ``#:`` lines at its top."""

from __future__ import annotations

import re
from typing import Final

from codemap_plugins.dotnet.project_xml import Element

_DIRECTIVE: Final = re.compile(rb"^#:[ \t]*(\w+)[ \t]+([^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_MARK: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:#!|(?:[ \t]*+(?://[^\n]*+)?+\r?\n)*+#[:!])")
_DEFAULTS: Final = {
    "OutputType": "Exe",
    "TargetFramework": "net10.0",
    "ImplicitUsings": "enable",
    "Nullable": "enable",
    "EnableDefaultCompileItems": "false",
}


def may_be_file_app(content: bytes) -> bool:
    """Whether a source file begins as one that describes a project."""
    return _MARK.match(content) is not None


def parse_file_app(name: str, content: bytes) -> Element | None:
    """The project that a source file describes; null when it describes none: no ``#:`` line and no ``#!`` that runs
    dotnet."""
    if not may_be_file_app(content):
        return None
    head = content[:65536]
    directives = [(kind.decode(), text.decode("utf-8", "replace")) for kind, text in _DIRECTIVE.findall(head)]
    if not directives and b"dotnet" not in head.split(b"\n", 1)[0]:
        return None
    sdks = [text.replace("@", "/") for kind, text in directives if kind == "sdk"] or ["Microsoft.NET.Sdk"]
    properties = [_text_element(key, value) for key, value in _DEFAULTS.items()]
    items = [Element("Compile", {"Include": name}, [])]
    for kind, text in directives:
        if kind == "property":
            key, _, value = text.partition("=") if "=" in text else text.partition(" ")
            properties.append(_text_element(key.strip(), value.strip()))
        elif kind == "package":
            package, _, version = text.partition("@") if "@" in text else text.partition(" ")
            attributes = {"Include": package.strip()} | ({"Version": version.strip()} if version.strip() else {})
            items.append(Element("PackageReference", attributes, []))
        elif kind == "project":
            project = text if text.lower().endswith("proj") else text.rstrip("/\\") + "/*.csproj"
            items.append(Element("ProjectReference", {"Include": project}, []))
        elif kind in ("include", "compile"):
            items.append(Element("Compile", {"Include": text}, []))
    groups = [Element("PropertyGroup", {}, properties), Element("ItemGroup", {}, items)]
    return Element("Project", {"Sdk": ";".join(sdks)}, groups)


def _text_element(name: str, text: str) -> Element:
    return Element(name, {}, [], text=text)
