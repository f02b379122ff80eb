"""Starts a server: what ``codemap serve`` and ``codemap call`` do after their options are read.

Start-up imports the MCP SDK and the plug-ins' modules; the database, git and the parsers wait for the first call that
needs them, so that a client is answered at once whatever the size of the repository.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from codemap_core.config import HARD_CAPS, load_settings
from codemap_core.errors import CodeMapError, InvalidArgumentError
from codemap_core.forking import answered_by_copy, can_fork
from codemap_core.hooks.manager import load_plugins
from codemap_server.call_context import ServerCallContext
from codemap_server.calls import Answer, CallControl, ToolCaller
from codemap_server.composition import Composition
from codemap_server.delivery import AnswerFormat
from codemap_server.rendering import render_error
from codemap_server.toolset import ToolNames, Toolset, is_foreign, what_ended

PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""Set by a host that starts servers elsewhere than in the project."""


_COLLECTED_AFTER = (5_000, 10, 4)
"""Objects made between two collections of garbage, and how many of these come before one of what is older. An index that is closed leaves
cycles of the database library; at the rhythm of a command, which collects while modules are loaded, a server would hold many of them."""
_TO_A_PERSON = (
    "This is CodeMap's MCP server, which agents start themselves and write to; there is nothing to type here. Press Ctrl-C to "
    "end it.\n'codemap setup' connects an agent, and 'codemap --help' says what to ask from a shell.\n"
)


class Transport(StrEnum):
    STDIO = "stdio"
    HTTP = "http"
    SSE = "sse"


class ServeOptions(Struct, frozen=True, kw_only=True):
    """The options of ``codemap serve``."""

    path: Path | None = None
    """The repository that calls without ``repo_path`` mean; null: ``CLAUDE_PROJECT_DIR``, else the current
    directory."""
    transport: Transport = Transport.STDIO
    host: str = "127.0.0.1"
    port: int = 8722
    allowed_hosts: tuple[str, ...] = ()
    """``Host`` headers to accept when ``host`` is not this machine alone: ``codemap.example:8722``."""
    token_file: Path | None = None
    """Whose first line clients over HTTP must send; null: that of ``CODEMAP_TOKEN``, if any."""
    toolsets: tuple[str, ...] = ()
    tool_names: ToolNames = ToolNames.DOTTED
    read_only: bool = False
    answer_format: AnswerFormat = AnswerFormat.JSON
    auto_index: bool = False
    """Index the commit that a question asks about when it has no index; also by ``Settings.auto_index``."""
    live: bool | None = None
    """Questions that name no commit see the working tree as it is; null: where one of ``toolsets`` is a family that says so."""


def serve(options: ServeOptions) -> int:
    """Serves until the client goes, or a signal comes; the exit code.

    Raises: InvalidArgumentError for options that cannot be carried out."""
    token = None
    if options.transport is not Transport.STDIO:
        from codemap_server.access_token import read_token
        from codemap_server.http import check_address

        token = read_token(options.token_file)
        check_address(options.host, options.port, options.allowed_hosts, token)
    if options.path is not None and not options.path.is_dir():
        raise InvalidArgumentError(f"{options.path} is not a folder. Name a repository, or a folder in one.")
    if options.auto_index and options.read_only:
        raise InvalidArgumentError("--auto-index builds indexes, which --read-only forbids. Leave one of them out.")
    if options.live and options.read_only:
        raise InvalidArgumentError("--live keeps a workspace, which --read-only forbids. Leave one of them out.")
    composition = Composition(load_settings(), load_plugins(), start_folder(options.path))
    composition.auto_index = (options.auto_index or composition.auto_index) and not options.read_only
    _log_to_stderr(composition.settings.log_level)
    if options.transport is Transport.STDIO and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(_TO_A_PERSON)
    host = composition.host
    toolset = Toolset(host.tool_families, options.toolsets, options.tool_names, options.read_only, host.tool_owners)
    composition.live = _is_live(options, toolset)
    for problem in composition.host.known_problems:
        logging.getLogger(__name__).warning("%s", problem.message)
    caller = ToolCaller(toolset, partial(ServerCallContext, composition), options.answer_format)
    # The SDK takes half a second to import; options are checked before.
    from codemap_server.mcp_app import McpApp
    from codemap_server.warm_up import WarmUp

    # What has been loaded stays; looking through it for garbage would delay answers (docs/adr/0011).
    app = McpApp(caller, WarmUp(composition, loaded=gc.freeze))
    gc.freeze()
    gc.set_threshold(*_COLLECTED_AFTER)
    try:
        if options.transport is not Transport.STDIO:
            from codemap_server.http import serve_http

            with_sse = options.transport is Transport.SSE
            return serve_http(app, options.host, options.port, options.allowed_hosts, token, with_sse=with_sse)
        from codemap_server.stdio import serve_stdio

        if not (can_fork() and any(is_foreign(toolset, tool.name) for tool in toolset.tools)):
            return serve_stdio(app)
        from codemap_server.guardian import guarded

        return guarded(
            lambda: serve_stdio(app),
            toolset,
            lambda error: render_error(error, toolset, options.answer_format, HARD_CAPS.max_chars),
        )
    finally:
        composition.close()


def _is_live(options: ServeOptions, toolset: Toolset) -> bool:
    if options.live is not None or options.read_only:
        return bool(options.live)
    return any(each.follows_working_tree and each.name in options.toolsets for each in toolset.listed_families)


def call_tool(
    name: str,
    arguments: Mapping[str, Any],
    path: Path | None = None,
    control: CallControl | None = None,
    answer_format: AnswerFormat = AnswerFormat.JSON,
) -> Answer:
    """One call from the shell, by the same code as a server's; ``path`` is the repository meant when ``arguments``
    name none. Raises: UnknownToolError, InvalidArgumentError."""
    with shell_caller(path, answer_format) as caller:
        toolset = caller.toolset
        if not (is_foreign(toolset, name) and can_fork()):
            return caller.call(name, arguments, control)
        data, ending = answered_by_copy(lambda: msgspec.msgpack.encode(caller.call(name, arguments, control)))
        if not ending:
            return msgspec.msgpack.decode(data, type=Answer)
        error = CodeMapError(f"{what_ended(toolset, [name], ending)}. This is a bug in the plug-in.")
        return Answer(render_error(error, toolset, answer_format, HARD_CAPS.max_chars), is_error=True)


@contextmanager
def shell_caller(path: Path | None = None, answer_format: AnswerFormat = AnswerFormat.JSON) -> Iterator[ToolCaller]:
    """All tools, as the shell calls them: ``ToolCaller.call`` for the text of an answer, ``ToolCaller.run`` for its typed result."""
    composition = Composition(load_settings(), load_plugins(), start_folder(path))
    try:
        host = composition.host
        toolset = Toolset(host.tool_families, owners=host.tool_owners)
        yield ToolCaller(toolset, partial(ServerCallContext, composition), answer_format)
    finally:
        composition.close()


def start_folder(path: Path | None) -> Path:
    """Where a server stands: the folder asked for, the project its host names, or the current directory."""
    if path is not None:
        return path
    project = os.environ.get(PROJECT_VARIABLE, "")
    return Path(project) if project else Path.cwd()


def _log_to_stderr(level: str) -> None:
    """Standard error carries the log, one line an entry; standard output belongs to the protocol."""
    logging.basicConfig(
        stream=sys.stderr, level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    for chatty in ("mcp", "asyncio", "uvicorn", "sse_starlette"):  # at lower levels some log what is said
        logging.getLogger(chatty).setLevel(logging.WARNING)
