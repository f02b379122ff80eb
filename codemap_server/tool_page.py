"""The tables of docs/tools.md, made from the tools themselves. A test compares; ``python -m codemap_server.tool_page
docs/tools.md`` rewrites them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from codemap_core.hooks.manager import load_plugins
from codemap_core.hooks.tool import Tool, ToolFamily
from codemap_server.arguments import input_schema

SHARED: Final = ("repo_path", "commit_sha", "cursor", "max_chars")
"""Arguments of all tools, or of all that read an index; the page describes them once."""

BEGIN: Final = "<!-- tools: made by codemap_server.tool_page -->"
END: Final = "<!-- end of tools -->"


def tool_tables(families: Iterable[ToolFamily]) -> str:
    """Markdown: a heading for each family and tool, and a table of its arguments."""
    parts = []
    for family in families:
        parts.append(f"### {family.title} (`{family.name}`)")
        if family.on_request:
            parts.append(f"Listed by `codemap serve --toolsets {family.name}` or `--toolsets all`.")
        parts += [_tool(tool) for tool in family.tools]
    return "\n\n".join(parts)


def with_tables(page: str, families: Iterable[ToolFamily]) -> str:
    """``page`` with its part between the two marks generated again."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tool_tables(families)}\n\n{END}{after}"


def _tool(tool: Tool) -> str:
    effect = "reads" if tool.read_only else "writes to the index"
    text = f"#### `{tool.name}`\n\n{tool.description} ({effect})"
    schema = input_schema(tool.arguments, with_rare=True)
    required = schema.get("required", ())
    rows = [
        _row(name, described, name in required)
        for name, described in schema["properties"].items()
        if name not in SHARED
    ]
    if not rows:
        return text
    return "\n".join([text, "", "| Argument | Type | Meaning |", "| --- | --- | --- |", *rows])


def _row(name: str, described: dict[str, Any], required: bool) -> str:
    kind = described["type"]
    if kind == "array":
        kind = f"array of {described['items']['type']}s"
    meaning = described.get("description", "").replace("|", "\\|")
    if described.get("rare"):
        meaning = f"{meaning} Not listed.".strip()
    if "default" in described:
        default = described["default"]
        meaning += f" Default: {str(default).lower() if isinstance(default, bool) else default}."
    return f"| `{name}`{' (required)' if required else ''} | {kind} | {meaning.strip()} |"


def built_in_families() -> tuple[ToolFamily, ...]:
    """The families that come with CodeMap itself."""
    host = load_plugins(blocked=())
    built_in = {
        name
        for plugin in host.plugins
        if plugin.distribution == "codemap"
        for name in plugin.provides.get("tool_families", ())
    }
    return tuple(family for family in host.tool_families if family.name in built_in)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_tables(path.read_text(encoding="utf-8"), built_in_families()), encoding="utf-8")
