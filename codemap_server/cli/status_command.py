"""``codemap status``: what is indexed of a repository, whether it is current, and what the index could not say."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from codemap_core.model.counting import counted
from codemap_server.cli.asking import asker
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import Json, Place
from codemap_server.cli.terminal import console, print_json

if TYPE_CHECKING:
    from codemap_core.queries.views.repository import IndexQuality, IndexStatus, RepositoryStatus


def register(app: typer.Typer) -> None:
    add_command(app, "status", status, "Ask")


def status(place: Place, output: Json) -> None:
    """Show whether a repository's commit is indexed, and how well."""
    with asker(place.folder) as asks:
        found: RepositoryStatus = asks.ask("repo.status").data
    if output.json:
        print_json(found)
    else:
        _show(found)


def _show(found: RepositoryStatus) -> None:
    edits = "" if found.is_clean else ", with uncommitted edits"
    rows = [
        ("repository", found.root),
        ("commit", f"{found.current_commit_sha[:12]} on {found.branch_name}{edits}"),
        ("indexed", _indexed(found)),
    ]
    rows += [("workspace", str(each)) for each in found.workspaces]
    if found.index_problem:
        rows.append(("problem", found.index_problem))
    if found.index is not None:
        rows += _contents(found.index)
        rows += _quality(found.index.quality)
    width = max(len(name) for name, _ in rows)
    if not sys.stdout.isatty():
        for name, said in rows:
            sys.stdout.write(f"{name:<{width}}  {said}\n")
        return
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, show_header=False)
    drawn.add_column(style="dim", no_wrap=True)
    drawn.add_column(overflow="fold")
    for name, said in rows:
        drawn.add_row(Text(name), Text(said))
    console().print(drawn)


def _indexed(found: RepositoryStatus) -> str:
    index = found.index
    if index is None:
        return "no. Run: codemap index"
    parts = ", ".join(each.subtree or each.solution or "" for each in found.indexes)
    scope = f"{parts} only" if index.scope else "yes"
    if not index.is_current:
        return f"{scope}, but not as this installation would: {index.not_current_because}. Run: codemap index"
    return f"{scope}. codemap index {found.root} indexes all of it" if index.scope else scope


def _contents(index: IndexStatus) -> list[tuple[str, str]]:
    numbers = [
        (index.project_count, "project"),
        (index.file_count, "file"),
        (index.symbol_count, "symbol"),
        (index.reference_count, "reference"),
    ]
    holds = ", ".join(counted(count, noun) for count, noun in numbers if count) or "nothing"
    facts = ", ".join(each.said for each in index.facts)
    return [
        ("holds", holds),
        *([("facts", facts)] if facts else []),
        ("made", index.created_at),
        ("semantic level", index.semantic_level.value),
    ]


def _quality(quality: IndexQuality) -> list[tuple[str, str]]:
    """The gaps of the index: faults, syntax errors, unresolved names."""
    statuses = quality.files_by_status
    rows = [("problem", message) for message in quality.repository_problems]
    if quality.problem_project_count:
        rows.append(("project problems", f"in {counted(quality.problem_project_count, 'project')}"))
        rows += [("", f"{each.file_path}: {each.message}") for each in quality.project_problems]
    rows.append(("syntax errors", f"in {counted(statuses.get('fallback', 0), 'file')}"))
    rows += [("", f"{each.file_path}: {each.message}") for each in quality.syntax_errors]
    if statuses.get("skipped"):
        rows.append(("skipped", counted(statuses["skipped"], "file")))
        rows += [("", f"{each.file_path}: {each.message}") for each in quality.skipped]
    again = "; codemap index --retry tries again" if quality.failure_count else ""
    rows.append(("failed", counted(quality.failure_count, "file") + again))
    rows += [("", f"{each.file_path}: {each.message}") for each in quality.failures]
    unresolved = counted(quality.unresolved_count, "reference")
    said = f"{unresolved}, {quality.unresolved_share:.1%}"
    rows.append(("unresolved", "; ".join(filter(None, [said, quality.left_out_said]))))
    rows += [("", f"{count:,} {reason}") for reason, count in quality.unresolved_by_reason.items()]
    rows += [
        ("libraries", f"of {each.libraries}, for {counted(each.project_count, 'project')} of {each.framework}")
        for each in quality.other_libraries
    ]
    return rows
