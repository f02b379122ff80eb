"""``list_directory``, ``read_file`` and ``get_directory_tree``: the checkout as it is now, without the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.configuration import AgentConfiguration, read_configuration
from codemap_plugins.codeagent.engine import checkout_of, repository_of

if TYPE_CHECKING:
    from codemap_plugins.codeagent.checkout import Checkout
    from codemap_plugins.codeagent.listing import Lister

DEFAULT_DEPTH: Final = 3
MAX_DEPTH: Final = 10


class ListArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``list_directory``."""

    path: Annotated[str, Meta(description="Repo-relative path; the root when left out.")] = ""


class ReadArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``read_file``."""

    path: Annotated[str, Meta(description="Repo-relative path to the file.", min_length=1)]
    line_start: Annotated[int, Meta(description="1-based start line (inclusive).", ge=1)] | None = None
    line_end: Annotated[int, Meta(description="1-based end line (inclusive).", ge=1)] | None = None


class TreeArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``get_directory_tree``."""

    path: Annotated[str, Meta(description="Repo-relative root.")] = ""
    depth: Annotated[int, Meta(description="Maximum recursion depth.", ge=1, le=MAX_DEPTH)] = DEFAULT_DEPTH


def list_directory(context: ToolContext, arguments: ListArguments) -> ToolResult:
    from codemap_plugins.codeagent.checkout import EntryType

    checkout = checkout_of(context)
    configuration = read_configuration(checkout)
    lister = _lister(context, checkout, configuration)
    found = lister.entries(arguments.path)
    rows = [
        {"name": each.name, "type": each.type, **({"size": each.size} if each.type is EntryType.FILE else {})}
        for each in found.entries
    ]
    return ToolResult(answer="", data=rows, notes=_notes(arguments.path, found.is_ignored, configuration))


def read_file(context: ToolContext, arguments: ReadArguments) -> ToolResult:
    from codemap_plugins.codeagent.file_text import read_lines

    found = read_lines(checkout_of(context), arguments.path, arguments.line_start or 0, arguments.line_end or 0)
    return ToolResult(answer="", data=msgspec.to_builtins(found))


def get_directory_tree(context: ToolContext, arguments: TreeArguments) -> ToolResult:
    checkout = checkout_of(context)
    configuration = read_configuration(checkout)
    lister = _lister(context, checkout, configuration)
    tree, is_ignored = lister.tree(arguments.path, arguments.depth)
    return ToolResult(answer="", data=tree, notes=_notes(arguments.path, is_ignored, configuration))


def _lister(context: ToolContext, checkout: Checkout, configuration: AgentConfiguration) -> Lister:
    from codemap_plugins.codeagent.listing import Lister

    repository = repository_of(context)
    exclude_file = repository.common_dir / "info" / "exclude"
    tracked = repository.tracked_despite_ignore
    return Lister(checkout, exclude_file, tracked, configuration.exclude, context.check_cancelled)


def _notes(path: str, is_ignored: bool, configuration: AgentConfiguration) -> tuple[str, ...]:
    ignored = f"'{path}' is ignored by the repository's rules, so nothing in it is listed." if is_ignored else ""
    return tuple(filter(None, (ignored, configuration.problem)))


FILE_TOOLS: Final = (
    Tool(
        name="list_directory",
        title="List a directory",
        description="Files and directories at a path of the repository, with sizes; ignored ones are left out.",
        arguments=ListArguments,
        run=list_directory,
    ),
    Tool(
        name="read_file",
        title="Read a file",
        description="A text file of the repository, or a range of its lines: up to 10,000 lines or 500 KB.",
        arguments=ReadArguments,
        run=read_file,
    ),
    Tool(
        name="get_directory_tree",
        title="Directory tree",
        description="Directories and files below a path of the repository, nested; ignored ones are left out.",
        arguments=TreeArguments,
        run=get_directory_tree,
    ),
)
