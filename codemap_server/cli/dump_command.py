"""``codemap dump``: the canonical rows of an index, one JSON object a line, sorted."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemap_core.errors import IndexNotAvailableError
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import Place, Revision
from codemap_server.cli.terminal import say

if TYPE_CHECKING:
    from codemap_core.storage.reading.reader import IndexReader


class DumpKind(StrEnum):
    SYMBOLS = "symbols"
    REFS = "refs"
    RELATIONS = "relations"
    FACTS = "facts"
    FILES = "files"
    PROJECTS = "projects"


def register(app: typer.Typer) -> None:
    add_command(app, "dump", dump, "Index")


def dump(
    kind: Annotated[
        DumpKind, typer.Argument(metavar="KIND", help="symbols, refs, relations, facts, files or projects.")
    ],
    place: Place,
    revision: Revision,
    workspace: Annotated[
        str, typer.Option("--workspace", metavar="ID", help="Include the edits of this workspace.")
    ] = "",
    solution: Annotated[
        str, typer.Option("--solution", metavar="FILE", help="Use the index made with this solution.")
    ] = "",
) -> None:
    """Print the rows of an index as sorted JSON lines.

    Equal indexes give equal output, byte for byte. Meant for programs and for comparing.

    \b
    Examples:
      codemap dump symbols
      codemap dump refs ~/src/shop --commit v2.1
    """
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline import baseline_path, index_fingerprint
    from codemap_core.queries.indexes.which_index import choose_index
    from codemap_core.queries.indexes.workspaces import Workspaces
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_core.storage.files.examine import IndexState, examine_baseline
    from codemap_core.storage.reading.reader import IndexReader

    settings = load_settings()
    path, commit = place.folder or Path(), revision.commit
    repository = Repository.open(path)
    if workspace:
        with Snapshot.open_workspace(Workspaces(settings, repository).existing(workspace)) as snapshot:
            _print_rows(snapshot.reader, kind)
        return
    sha = repository.resolve_commit(commit)
    chosen = None if solution else choose_index(settings, repository, sha)
    index = baseline_path(repository, settings, sha, solution) if chosen is None else chosen.path
    found = examine_baseline(index, index_fingerprint(load_plugins(), settings))
    if found.state is IndexState.MISSING:
        option = f" --commit {commit}" if commit else ""
        option += f" --solution {solution}" if solution else ""
        raise IndexNotAvailableError(f"Commit {sha[:12]} is not indexed. Run: codemap index {path}{option}")
    if chosen is not None and chosen.scope.label:
        say(f"Index of {chosen.scope.label} only.")
    if found.state is IndexState.STALE:
        say(f"warning: this index is out of date: {found.problem}. codemap index {path} rebuilds it.")
    with IndexReader.open(index) as reader:
        _print_rows(reader, kind)


def _print_rows(reader: IndexReader, kind: DumpKind) -> None:
    import msgspec

    from codemap_core.storage.reading.dump import DUMPS

    encode = msgspec.json.Encoder().encode
    out = sys.stdout.buffer
    for row in DUMPS[kind.value](reader):
        out.write(encode(row) + b"\n")
    out.flush()
