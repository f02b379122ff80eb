"""Where the clients of MCP keep their configuration, in which format, and what belongs there for CodeMap.

Pure except for ``apply``: ``merged`` takes the text of a configuration and gives the text that it should have. What is there stays, byte
for byte in JSON, and except for the entry of CodeMap in TOML.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from codemap_core.config import home_folder
from codemap_core.errors import InvalidArgumentError, StorageError
from codemap_server.cli import jsonc_edit

SERVER: Final = "codemap"
"""The name under which clients know the server."""
_SERVE: Final = ("serve", "--format", "text", "--auto-index", "--live")
_SNAKE: Final = ("--tool-names", "snake")


class ClientName(StrEnum):
    CLAUDE = "claude"
    CURSOR = "cursor"
    VSCODE = "vscode"
    CODEX = "codex"


class Format(StrEnum):
    JSON = "json"
    """With comments and trailing commas, as editors read it."""
    TOML = "toml"


class Client(Struct, frozen=True, kw_only=True):
    """``section``: the key whose members are servers. ``file``: relative to the project; null for Codex, which has one for the user."""

    title: str
    section: str
    file: str | None
    format: Format = Format.JSON
    arguments: tuple[str, ...] = _SERVE
    further: Mapping[str, str] = {}
    needs_absolute_command: bool = False
    """It starts servers with little of the user's environment."""


CLIENTS: Final[Mapping[ClientName, Client]] = {
    ClientName.CLAUDE: Client(title="Claude Code", section="mcpServers", file=".mcp.json"),
    ClientName.CURSOR: Client(
        title="Cursor",
        section="mcpServers",
        file=".cursor/mcp.json",
        arguments=("serve", "${workspaceFolder}", *_SERVE[1:], *_SNAKE),
    ),
    ClientName.VSCODE: Client(
        title="VS Code",
        section="servers",
        file=".vscode/mcp.json",
        arguments=("serve", "${workspaceFolder}", *_SERVE[1:], *_SNAKE),
        further={"type": "stdio"},
    ),
    ClientName.CODEX: Client(
        title="Codex", section="mcp_servers", file=None, format=Format.TOML, needs_absolute_command=True
    ),
}


class State(StrEnum):
    """How a configuration stands to what it should say."""

    NEW = "new"
    """There is no entry of that name."""
    SAME = "same"
    OTHER = "other"
    """There is an entry, and it says something else."""


class Merged(Struct, frozen=True):
    state: State
    text: str
    """The whole configuration with the entry in it."""
    existing: Any = None
    """The existing entry."""


def configuration_file(client: Client, project: Path) -> Path:
    if client.file is not None:
        return project / client.file
    if named := os.environ.get("CODEX_HOME", "").strip():
        return Path(named) / "config.toml"
    home = home_folder()
    if home is None:
        raise InvalidArgumentError(
            "The home directory is unknown: set CODEX_HOME to the folder of Codex's configuration."
        )
    return home / ".codex" / "config.toml"


def entry_of(client: Client, command: str) -> dict[str, Any]:
    return {**client.further, "command": command, "args": list(client.arguments)}


def command_for(client: Client) -> str:
    """How the client starts this program: by its name where the name on the PATH is this installation, else by its path."""
    installed = Path(sys.argv[0])
    beside = Path(sys.executable).with_name("codemap" + Path(sys.executable).suffix)
    program = installed if installed.stem == SERVER and installed.is_file() else beside
    found = shutil.which(SERVER)
    named = found is not None and Path(found).resolve() == program.resolve()
    if named and not client.needs_absolute_command:
        return SERVER
    return str(Path(found).absolute() if named and found else program.absolute())


def merged(client: Client, text: str, entry: Mapping[str, Any]) -> Merged:
    """The configuration ``text`` with ``entry``; an empty text stands for no file. Raises: InvalidArgumentError for a text that
    cannot be read."""
    if client.format is Format.TOML:
        return _merged_toml(client, text, entry)
    path = (client.section, SERVER)
    try:
        existing = _at(jsonc_edit.decode(text), path)
        written = jsonc_edit.with_entry(text, path, dict(entry))
        assert _at(jsonc_edit.decode(written), path) == entry
    except jsonc_edit.JsonTextError as error:
        raise _unreadable(client, str(error)) from error
    return Merged(_state(existing, entry), written, existing)


def alone(client: Client, entry: Mapping[str, Any]) -> str:
    """The text of a configuration that says nothing else."""
    return merged(client, "", entry).text


def apply(path: Path, text: str) -> Path | None:
    """Writes a configuration whole or not at all, through links, with the permissions it had; the copy of what was there, if
    anything was. Raises: StorageError."""
    path = path.resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = None
        if path.exists():
            backup = path.with_name(path.name + ".bak")
            shutil.copy2(path, backup)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            mode = stat.S_IMODE(path.stat().st_mode) if backup else 0o644
            Path(temporary).chmod(mode)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}). Print what belongs there with --print."
        ) from error
    return backup


def read(path: Path) -> str:
    """The text of a configuration; empty where there is none. Raises: StorageError, InvalidArgumentError."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise InvalidArgumentError(f"{path} is not UTF-8 text, so nothing was changed.") from None
    except OSError as error:
        raise StorageError(
            f"{path} cannot be read ({error.strerror}). Print what belongs there with --print."
        ) from error


def _merged_toml(client: Client, text: str, entry: Mapping[str, Any]) -> Merged:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise _unreadable(client, str(error)) from error
    plain = document.unwrap()
    existing = _at(plain, (client.section, SERVER))
    if client.section not in document:
        document.add(client.section, tomlkit.table(is_super_table=True))
    section = document[client.section]
    if not isinstance(section, dict):
        raise _unreadable(client, f"{client.section} is not a table")
    table = tomlkit.table()
    table.update(entry)
    table.add(tomlkit.nl())
    section[SERVER] = table
    written = tomlkit.dumps(document)
    if written.endswith("\n\n") and not text.endswith("\n\n"):
        written = written[:-1]
    assert _at(tomlkit.parse(written).unwrap(), (client.section, SERVER)) == entry
    return Merged(_state(existing, entry), written, existing)


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _state(existing: Any, entry: Mapping[str, Any]) -> State:
    if existing is None:
        return State.NEW
    return State.SAME if existing == entry else State.OTHER


def _unreadable(client: Client, problem: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"The configuration of {client.title} cannot be read: {problem}. Nothing was changed; correct the file, or print "
        "what belongs there with --print."
    )


def described(entry: Any) -> str:
    """An entry on one line, for a message."""
    return json.dumps(entry, ensure_ascii=False)
