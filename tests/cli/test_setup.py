"""``codemap setup``: the configuration of clients, merged into what is there."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from codemap_server.cli import jsonc_edit
from codemap_server.cli.application import command_line
from tests.cli.conftest import Shell

FILES = {
    "claude": (".mcp.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "vscode": (".vscode/mcp.json", "servers"),
}
COMMENTED = """{
\t// servers of the team
\t"servers": {
\t\t"other": { "command": "x", "args": [] }, // why
\t\t/* the last one */
\t},
\t"inputs": [1, 2,]
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("client", FILES)
def test_a_new_configuration(codemap: Shell, project: Path, client: str) -> None:
    name, section = FILES[client]
    done = codemap("setup", client, project)
    assert str(project / name) in done.stdout
    written = json.loads((project / name).read_text())
    entry = written[section]["codemap"]
    assert entry["args"][0] == "serve"
    assert entry["command"] == "codemap" or Path(entry["command"]).is_absolute()
    assert list(project.rglob("*.bak")) == []
    assert "already" in codemap("setup", client, project).stdout


def test_the_options_it_writes_are_those_of_serve(codemap: Shell) -> None:
    """Every client's arguments are parsed as ``codemap serve`` would parse them."""
    for client in (*FILES, "codex"):
        printed = codemap("setup", client, "--print").stdout
        decoded: Any = tomllib.loads(printed) if client == "codex" else json.loads(printed)
        (entry,) = next(iter(decoded.values())).values()
        context = typer.main.get_command(command_line()).make_context("codemap", list(entry["args"]))
        name, command, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])  # type: ignore[attr-defined]
        assert name == "serve"
        command.make_context(name, rest, parent=context)


def test_what_is_there_stays_to_the_byte(codemap: Shell, project: Path) -> None:
    file = project / ".vscode" / "mcp.json"
    file.parent.mkdir()
    file.write_text(COMMENTED)
    file.chmod(0o600)
    done = codemap("setup", "vscode", project)
    text = file.read_text()
    begin = text.index('\n\t\t"codemap": {')
    end = text.index("\n\t\t}", begin) + len("\n\t\t}")
    assert text[:begin] + text[end:] == COMMENTED
    assert jsonc_edit.decode(text)["servers"]["codemap"]["type"] == "stdio"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.with_name("mcp.json.bak").read_text() == COMMENTED
    assert "mcp.json.bak" in done.stderr


def test_another_entry_is_replaced_only_when_forced(codemap: Shell, project: Path) -> None:
    file = project / ".mcp.json"
    before = '{"mcpServers": {"codemap": {"command": "mine"}, "z": {}}, "a": 1}'
    file.write_text(before)
    done = codemap("setup", "claude", project, fails=2)
    assert '{"command": "mine"}' in done.stderr
    assert "--force" in done.stderr
    assert file.read_text() == before
    codemap("setup", "claude", project, "--force", "--command", "/opt/codemap")
    after = json.loads(file.read_text())
    assert after["mcpServers"]["codemap"]["command"] == "/opt/codemap"
    assert list(after["mcpServers"]) == ["codemap", "z"]
    assert after["a"] == 1


def test_codex_keeps_its_tables_and_comments(codemap: Shell, tmp_path: Path) -> None:
    home = tmp_path / "codex"
    home.mkdir()
    file = home / "config.toml"
    before = '# mine\nmodel = "x"\n\n[mcp_servers.other]  # o\ncommand = "z"\n\n[profiles.p]\nmodel = "q"\n'
    file.write_text(before)
    codemap("setup", "codex", CODEX_HOME=str(home))
    text = file.read_text()
    assert [line for line in before.splitlines() if line not in text.splitlines()] == []
    entry = tomllib.loads(text)["mcp_servers"]["codemap"]
    assert Path(entry["command"]).is_absolute()
    assert tomllib.loads(text)["profiles"]["p"] == {"model": "q"}


@pytest.mark.parametrize("text", ["{", '{"mcpServers": []}', "[1]", '{"mcpServers" {}}', '{"a": 1} x', "{'a': 1}"])
def test_what_cannot_be_read_is_left_alone(codemap: Shell, project: Path, text: str) -> None:
    file = project / ".mcp.json"
    file.write_text(text)
    assert "Nothing was changed" in codemap("setup", "claude", project, fails=2).stderr
    assert file.read_text() == text


def test_a_place_that_cannot_be_written_is_named(codemap: Shell, project: Path) -> None:
    (project / ".cursor").write_text("a file where the folder should be")
    assert "--print" in codemap("setup", "cursor", project, fails=2).stderr
    assert "is not a directory" in codemap("setup", "cursor", project / "nowhere", fails=2).stderr


@pytest.mark.parametrize(
    "before",
    [
        "",
        "{}",
        "{ }",
        "{\n}\n",
        '{"s": {}}',
        '{"s": {"a": 1}}',
        '{ "s": { "a": 1, } }',
        '{"s": {"a": 1\n}}',
        '{"s": {\n    "a": [1, {"b": "}"}] // }\n}}',
        '{\r\n  "s": {\r\n    "a": "\\"{"\r\n  }\r\n}\r\n',
        '// top\n{"x": null, /* { */ "s": {"t": {}}}',
        '\ufeff{"s": {"a": 1}}',
    ],
)
def test_an_entry_is_added_to_any_layout(before: str) -> None:
    after = jsonc_edit.with_entry(before, ("s", "n"), {"k": ["v"]})
    expected = jsonc_edit.decode(before)
    expected.setdefault("s", {})["n"] = {"k": ["v"]}
    assert jsonc_edit.decode(after) == expected
    assert jsonc_edit.with_entry(after, ("s", "n"), {"k": ["v"]}) == after
    assert ("\r\n" in before) == ("\r\n" in after)
