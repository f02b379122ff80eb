"""``codemap diff``: what happened between two revisions, for people, programs and pull requests; or the exact rows that differ."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.asking import asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.completion import projects, symbol_kinds
from codemap_server.cli.dump_command import DumpKind
from codemap_server.cli.messages import shown_of
from codemap_server.cli.options import AskedRevision, Paging, RepositoryOption, at_least, parts
from codemap_server.cli.search_commands import whole_answer
from codemap_server.cli.terminal import note, print_json

if TYPE_CHECKING:
    from codemap_core.hooks.tool import ToolResult
    from codemap_core.queries.difference.views import Difference
    from codemap_core.queries.snapshot import Snapshot

LONGEST_COMMENT: Final = 60_000
"""Characters of a comment that GitHub takes, and some to spare."""
_FIELDS: Final = ("fact_changes", "project_changes", "symbol_changes", "reference_changes", "reaching_tests")


class Check(StrEnum):
    """What makes ``codemap diff --check`` end with 1."""

    BREAKING = "breaking"
    AUTHORIZATION = "authorization"


class DiffFormat(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


class Written(Struct, frozen=True):
    """How the difference is written."""

    format: Annotated[
        DiffFormat,
        typer.Option("--format", metavar="FORMAT", help="text, markdown (fit for a pull request) or json."),
    ] = DiffFormat.TEXT
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False
    markdown: Annotated[bool, typer.Option("--markdown", help="Same as --format markdown.")] = False
    max_chars: Annotated[
        int, typer.Option("--max-chars", metavar="N", callback=at_least(1000), help="Maximum length of the Markdown.")
    ] = LONGEST_COMMENT
    rows: Annotated[
        DumpKind | None,
        typer.Option("--rows", metavar="KIND", help="Print the rows of codemap dump KIND that differ, as JSON lines."),
    ] = None

    def chosen(self) -> DiffFormat:
        """Raises: InvalidArgumentError for two that differ, or one beside rows."""
        named = {DiffFormat.JSON: self.json, DiffFormat.MARKDOWN: self.markdown}
        formats = {each for each, is_named in named.items() if is_named} | ({self.format} - {DiffFormat.TEXT})
        if len(formats) + (self.rows is not None) > 1:
            raise InvalidArgumentError("JSON, Markdown and --rows are different answers. Name one.")
        return next(iter(formats), DiffFormat.TEXT)


class Wanted(Struct, frozen=True):
    """What of it is shown."""

    section: Annotated[
        list[str] | None,
        typer.Option(
            "--section",
            "-s",
            metavar="NAME",
            help="Only breaking, facts, projects, symbols, references or tests; repeatable.",
        ),
    ] = None
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", "-k", metavar="KIND", autocompletion=symbol_kinds, help="Only symbols of this kind; repeatable."
        ),
    ] = None
    project: Annotated[
        str, typer.Option("--project", "-p", metavar="NAME", autocompletion=projects, help="Only in this project.")
    ] = ""


def register(app: typer.Typer) -> None:
    add_command(app, "diff", diff, "Ask")


def diff(
    *,
    revisions: Annotated[
        str, typer.Argument(metavar="REVISIONS", help="A..B; A...B: since B branched off from A; A: A..HEAD.")
    ],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Only in files whose path starts with PATH or matches it as a glob."),
    ] = None,
    repo: RepositoryOption = None,
    wanted: Wanted,
    paging: Paging,
    written: Written,
    check: Annotated[
        list[Check] | None,
        typer.Option(
            "--check",
            metavar="WHAT",
            help="End with exit code 1 if there are breaking changes (breaking) or endpoints that lost their authorization "
            "(authorization); repeatable.",
        ),
    ] = None,
    workspace: Annotated[
        str, typer.Option("--workspace", metavar="ID", help="Compare A with this workspace, not with a commit.")
    ] = "",
    auto_index: Annotated[
        bool, typer.Option("--auto-index", help="Index the commits first if they are not indexed yet.")
    ] = False,
) -> None:
    """Show what changed between two indexed revisions.

    Endpoints that lost their authorization, breaking changes of the public API, facts, symbols, references, and the
    tests that reach what changed.

    \b
    Examples:
      codemap diff main..HEAD
      codemap diff main...HEAD src/ --markdown --auto-index
      codemap diff v1.0..v2.0 --section breaking --check breaking
      codemap diff v1.0..v2.0 --rows symbols
      codemap diff HEAD --workspace agent-1
    """
    old, new = _revisions(revisions)
    if workspace and ".." in revisions:
        raise InvalidArgumentError("--workspace is the newer side: name the older one only, without dots.")
    from codemap_core.queries.difference.views import Section

    format_ = written.chosen()
    with asker(repo, AskedRevision(auto_index=auto_index)) as asks:
        if written.rows is not None:
            _print_rows(asks.snapshot(old), asks.snapshot(new, workspace), written.rows)
            return
        page = Paging(all=True) if format_ is DiffFormat.MARKDOWN else paging
        found = asks.pages(
            "index.diff",
            page,
            lambda data: data.rows,
            from_commit=old,
            to_commit="" if workspace else new,
            workspace_id=workspace,
            section=parts(wanted.section) or list(Section),
            kind=parts(wanted.kind),
            project_name=wanted.project,
            file_path=",".join(map(asks.within, paths or ())),
        )
        _write(found, format_, written.max_chars, paging, revisions)
        stats = found[0].data.stats
    failed = {Check.BREAKING: stats.breaking_changes, Check.AUTHORIZATION: stats.authorization_lost}
    if any(failed[each] for each in check or ()):
        raise typer.Exit(NOTHING_FOUND)


def _revisions(text: str) -> tuple[str, str]:
    """The older and the newer one. Raises: InvalidArgumentError."""
    separator = "..." if "..." in text else ".."
    old, _, new = text.partition(separator)
    if not old.strip() or ".." in new:
        raise InvalidArgumentError(f"{text!r} does not name two revisions. Write A..B, A...B or A.")
    return (f"{old}...{new or 'HEAD'}" if separator == "..." and separator in text else old), new or "HEAD"


def _write(found: list[ToolResult], format_: DiffFormat, max_chars: int, paging: Paging, revisions: str) -> None:
    if format_ is DiffFormat.JSON:
        print_json(_as_one(found))
        return
    view = _joined(found)
    if format_ is DiffFormat.MARKDOWN:
        from codemap_core.queries.difference.markdown import markdown

        sys.stdout.write(markdown(view, max_chars, f"Changes {revisions}"))
        return
    sys.stdout.writelines(f"{line}\n" for line in (found[0].answer, *view.lines()))
    for said in found[0].notes:
        note(said)
    note(shown_of(view.row_count, paging.offset, view.total_count))


def _joined(found: list[ToolResult]) -> Difference:
    """The pages as one."""
    from msgspec.structs import replace

    first: Difference = found[0].data
    rows: dict[str, Any] = {name: tuple(row for each in found for row in getattr(each.data, name)) for name in _FIELDS}
    return replace(first, **rows, truncated=found[-1].data.truncated)


def _as_one(found: list[ToolResult]) -> Any:
    from msgspec.structs import replace

    return whole_answer([replace(found[0], data=_joined(found))])


def _print_rows(old: Snapshot, new: Snapshot, kind: DumpKind) -> None:
    import msgspec

    from codemap_core.storage.reading.dump_difference import row_differences

    encode = msgspec.json.Encoder().encode
    for each in row_differences(old.reader, new.reader, kind.value):
        sys.stdout.buffer.write(encode(each) + b"\n")
    sys.stdout.buffer.flush()
